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

FOLLOWING: Final = (
    'List item 0 has incompatible type "EnsureShape[TFloat64, ',
    'Unsupported operand types for > ("Placeholder[TInt32, ',
)
"""How the messages begin that follow from an error above them: `raw.expect(tg.TFloat64, ...)` of another type, and
`c // other` of an int32 placeholder and an int64 one."""

MIXED: Final = """\
import typegrad as tg
from typegrad.op import core, math
Rows = tg.Operand[tg.TFloat32, tuple[int, int]]
Counts = tg.Operand[tg.TInt32, tuple[int, int]]
class Model:
    def total(self, scope: tg.Scope, x: Rows, n: Counts) -> tg.Operand[tg.TFloat32]:
        {method}
def total(scope: tg.Scope, x: Rows, n: Counts) -> tg.Operand[tg.TFloat32]:
    {function}
def made(x: Rows, n: Counts) -> {type}:
    {made}
    return states
"""
LISTS: Final = {
    "displayed": "states = [x, n]",
    "added": "states = [x] + [n]",
    "+=": "states = [x]; states += [n]",
    "append": "states = [x]; states.append(n)",
    "extend": "states = [x]; states.extend([n, x])",
    "insert": "states = [x, x]; states.insert(0, n)",
    "an item": "states = [x] * 3; states[1] = n",
}
DICTS: Final = {
    "displayed": 'states = {"a": x, "b": n}',
    "merged": 'states = {**{"a": x}, "b": n}',
    "|": 'states = {"a": x} | {"b": n}',
    "|=": 'states = {"a": x}; states |= {"b": n}',
    "an item": 'states = {"a": x}; states["b"] = n',
    "update": 'states = {"a": x}; states.update({"b": n})',
    "setdefault": 'states = {"a": x}; states.setdefault("b", n)',
}
"""How operands of two element types come into one container, which mypy alone refuses; the plugin refuses its use."""


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
    accepted = [text for place, text in alone.items() if place not in aided and not text.endswith(tuple(RIGHT))]
    assert len(accepted) == len(FOLLOWING)
    assert all(text.startswith(FOLLOWING) for text in accepted), accepted


@pytest.mark.parametrize(
    ("forms", "type_", "listed"), [(LISTS, "list[Rows]", "states"), (DICTS, "dict[str, Rows]", "list(states.values())")]
)
def test_a_container_of_two_element_types_is_refused(
    forms: dict[str, str], type_: str, listed: str, tmp_path: Path
) -> None:
    sources = {}
    for number, made in enumerate(forms.values()):
        used = f"{made}; return math.AddN.create(scope, {listed})"
        method = used.replace("states", "self.states")
        sources[f"mixed{number}.py"] = MIXED.format(made=made, function=used, method=method, type=type_)
    alone, aided = (check(_made(tmp_path / str(plugin)), sources, plugin=plugin) for plugin in (False, True))
    for number, name in enumerate(forms):
        pair = [{_function(each.line) for each in report.errors(f"mixed{number}.py")} for report in (alone, aided)]
        assert pair[0] == pair[1] and len(pair[0]) == 3, (name, aided.errors(f"mixed{number}.py"))


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _function(line: int) -> int:
    """The place of the function that a line of `MIXED` is in."""
    starts = [number for number, text in enumerate(MIXED.splitlines(), start=1) if "def " in text]
    return max(start for start in starts if start <= line)
