"""Errors of mypy alone are errors with the plugin, too, with shorter messages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import Report, check
from mypy_plugin.programs import programs

FILES: Final = sorted((Path(__file__).parents[1] / "typing" / "fail").glob("*.py"))

WRONG: Final = {
    f"program{number}.py": each.source for number, each in enumerate(programs()) if each.mistake and number % 4 == 0
}

RIGHT: Final = {
    'variable has type "Results")': "a dict of fetches has the keys of the `TypedDict`, which mypy alone cannot know",
    **dict.fromkeys(
        (f'Need type annotation for "{name}"' for name in "defg"), "the shape follows from an array of known sizes"
    ),
}
"""The ends of the messages about right lines of these programs, with the reasons."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Report]:
    """What mypy says alone, and with the plugin."""
    sources = {f"fail_{file.name}": file.read_text() for file in FILES}
    alone, aided = (check(tmp_path_factory.mktemp("fail"), sources, plugin=plugin) for plugin in (False, True))
    return alone, aided


@pytest.mark.parametrize("name", [file.name for file in FILES])
def test_what_mypy_alone_refuses_stays_refused(name: str, reports: tuple[Report, Report]) -> None:
    alone, aided = ({error.line for error in report.errors(f"fail_{name}")} for report in reports)
    assert alone <= aided


def test_the_files_hold_much_that_is_refused(reports: tuple[Report, Report]) -> None:
    alone, aided = ({(error.file, error.line) for error in report.errors()} for report in reports)
    assert len(aided) > len(alone) > 200


def test_no_message_speaks_of_types_that_mypy_could_not_infer(reports: tuple[Report, Report]) -> None:
    of_users_functions = "log_odds"
    texts = [error.text for error in reports[1].errors() if of_users_functions not in error.text]
    assert [text for text in texts if "[Never" in text] == []


def test_of_what_the_plugin_says_mypy_says_nothing_more(reports: tuple[Report, Report]) -> None:
    alone, aided = ([(error.file, error.line) for error in report.errors()] for report in reports)
    own = {(error.file, error.line) for error in reports[1].errors() if error.code.startswith("typegrad-")}
    assert {place for place in own if aided.count(place) > max(1, alone.count(place))} == set()


def test_mistakes_in_programs_that_mypy_alone_finds_are_found(tmp_path: Path, of_programs: Report) -> None:
    alone = {(error.file, error.line): error.text for error in check(tmp_path, WRONG, plugin=False).errors()}
    aided = {(error.file, error.line) for error in of_programs.errors()}
    accepted = [text for place, text in alone.items() if place not in aided]
    assert [text for text in accepted if not text.endswith(tuple(RIGHT))] == []
