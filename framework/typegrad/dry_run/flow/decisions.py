"""Conditions that are not known, of which it may be decided beforehand whether they count as true."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from types import CodeType, FrameType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

from typegrad.dry_run.flow.loops import Loops
from typegrad.dry_run.known.unknown import UNKNOWN

__all__ = ["Choice", "Decide", "Decisions"]

_SIZE_OF_INSTRUCTION: Final = 2
"""How many bytes an instruction of Python has."""
_MOST_TIMES: Final = 3
"""How many times one condition is decided."""


class Choice(NamedTuple):
    """A condition in a program, which is the same one each time that the program is followed."""

    file: str
    function: str
    place: tuple[int | None, ...]
    """Its first and last line, and where it begins and ends in these; those of all branches of a statement."""
    time: int
    """How many times the program has come to it before."""

    def has(self, code: CodeType, line: int) -> bool:
        """Whether a line of some code is one of these."""
        first, last, *_ = self.place
        return (code.co_filename, code.co_name) == self[:2] and (first or 0) <= line <= (last or 0)


Decide: TypeAlias = Callable[[Choice], bool | None]
"""Whether a condition that is not known counts as true; None for one of which that stays open."""


class Decisions(Loops):
    """Follows one of the ways that a program may go."""

    def __init__(self, load: Callable[[str], ModuleType | None]) -> None:
        super().__init__(load)
        self.choices: dict[Choice, bool | None] = {}
        """The conditions that are not known, in the order in which the program comes to them, and what was decided."""
        self._decide: Decide = lambda _: None
        self._most_passes = 0
        """How many passes that stand for any passes may be around such a condition: one is what is on trial itself."""

    def begin_way(self, decide: Decide = lambda _: None, *, is_on_trial: bool = False) -> None:
        """Decide about the conditions of what is followed from here on; `is_on_trial` for what is then undone."""
        self.choices, self._decide, self._most_passes = {}, decide, int(is_on_trial)

    def decided(self, frame: FrameType) -> Any:
        """Whether a condition that is not known counts as true, if the program certainly comes to it.

        It may have another outcome at another time, so that each time is decided alone.
        """
        is_inner = self.any_passes > self._most_passes or self.is_trial
        if is_inner or self.tries or self.doubts or self.may_be_left_out():
            return UNKNOWN
        place = frame.f_code.co_filename, frame.f_code.co_name, _place_in(frame)
        choice = Choice(*place, sum(each[:3] == place for each in self.choices))
        if choice.time == _MOST_TIMES:
            return UNKNOWN
        truth = self.choices[choice] = self._decide(choice)
        return UNKNOWN if truth is None else truth


def _place_in(frame: FrameType) -> tuple[int | None, ...]:
    """Where a frame is."""
    return next(islice(frame.f_code.co_positions(), frame.f_lasti // _SIZE_OF_INSTRUCTION, None))
