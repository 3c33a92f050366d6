"""Every mistake is reported before the program runs, and the correct programs have no errors."""

from __future__ import annotations

import pytest

from mypy_plugin.checking import Report
from mypy_plugin.programs import Program, programs
from typegrad.base.errors import TypegradError

ALL = list(programs())


def _file(number: int) -> str:
    return f"program{number}.py"


def _title(number: int, program: Program) -> str:
    return f"{_file(number)} {program.name} with {program.mistake or 'no mistake'!r}"


def test_there_are_enough_programs() -> None:
    assert len({program.name for program in ALL}) == 35
    assert sum(bool(program.mistake) for program in ALL) >= 200


def test_correct_programs_have_no_error(of_programs: Report) -> None:
    errors = [
        f"{_title(number, program)}: {error}"
        for number, program in enumerate(ALL)
        if not program.mistake
        for error in of_programs.errors(_file(number))
    ]
    assert not errors, "\n".join(errors)


def test_every_mistake_is_found(of_programs: Report) -> None:
    missed = [
        _title(number, program)
        for number, program in enumerate(ALL)
        if program.mistake and not of_programs.errors(_file(number))
    ]
    assert not missed, "\n".join(missed)


def test_what_is_said_is_said_once_and_in_the_users_terms(of_programs: Report) -> None:
    """At most a few mistakes are told in mypy's words alone: those where a variable or argument has another declared
    type.
    """
    codes = {"typegrad-shape", "typegrad-dtype", "typegrad-attribute"}
    others = [
        (number, program)
        for number, program in enumerate(ALL)
        if program.mistake and not any(error.code in codes for error in of_programs.errors(_file(number)))
    ]
    told = "\n".join(f"{_title(number, program)}: {of_programs.errors(_file(number))}" for number, program in others)
    assert len(others) < 30, told


@pytest.mark.parametrize(
    "program", [program for program in ALL if not program.mistake], ids=lambda program: program.name
)
def test_correct_programs_run(program: Program) -> None:
    exec(compile(program.source, program.name, "exec"), {"__name__": "program"})


def test_mistakes_are_mistakes() -> None:
    """Wrong programs fail when they run, too, but for those that only claim another type than the value has."""
    harmless = [(program.name, program.mistake) for program in ALL if program.mistake and _runs(program)]
    assert len(harmless) < 30, harmless


def _runs(program: Program) -> bool:
    try:
        exec(compile(program.source, program.name, "exec"), {"__name__": "program"})
    except (TypegradError, ValueError):
        return False
    return True
