"""Errors to which a program comes whichever way it goes at a condition that is not known.

It is followed again for each of them, as if the condition were known: what a function returns behind a choice, or what
an object has, is one thing then. Where no way avoids an error in one line, the program has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dis import opmap
from types import TracebackType
from typing import Final, NamedTuple

from typegrad.dry_run.flow.attempts import summed_up
from typegrad.dry_run.flow.decisions import Choice, Decide, Decisions
from typegrad.dry_run.source.forgetting import UNCERTAIN
from typegrad.dry_run.tracking.core import Failure

__all__ = ["Way", "leaves", "unavoidable"]

_MOST_WAYS: Final = 30
"""How often a program is followed."""
_FEWEST_WAYS: Final = 4
"""How often at least, as fewer tell nothing: on both ways of all conditions together, and of a single one."""
_STEPS: Final = 32_000
"""How many calls are followed on all ways, if these are as long as the program."""
_DEEPEST: Final = 3
"""How many conditions of one function are decided together, such as those of `elif`, or of several calls."""
_FLIPS: Final = 3
"""How many conditions are decided otherwise as the program ends itself behind them."""
_RAISING: Final = opmap["RAISE_VARARGS"]
_SHAPE: Final = re.compile(r"\[.*?\]")


class Way(NamedTuple):
    """What a program comes to on one way."""

    failure: Failure | None
    is_left: bool
    """Whether it ends itself behind a condition: it raises an error on purpose, or exits."""
    choices: Mapping[Choice, bool | None]
    """The conditions on it that are not known, in order, and what was decided of them."""

    @property
    def avoids(self) -> bool:
        """Whether it comes to no error, of whoever raises it."""
        return self.failure is None and not self.is_left


def unavoidable(follow: Callable[[Decide], Way], choices: Iterable[Choice], steps: int) -> Failure | None:
    """The error to which a program of so many steps comes on all ways from one of its conditions.

    Most programs have none: one way tells, on which each condition is true, or one on which each is false.
    """
    most = min(_MOST_WAYS, _STEPS // max(steps, 1))
    if most < _FEWEST_WAYS:
        return None
    left = iter(range(most))

    def followed(decide: Decide) -> Way:
        return Way(None, False, {}) if next(left, None) is None else follow(decide)

    ways = []
    for truth in (True, False):
        ways.append(_way_of(followed, truth))
        if ways[-1].avoids:
            return None
    if len({each.failure.frames for each in ways if each.failure is not None}) != 1:
        return None
    found = next(filter(None, (_common(followed, {}, each) for each in choices)), [])
    if len({tuple(_SHAPE.findall(str(each.error).partition("\n")[0])) for each in found}) > 1:
        summed_up(found, [{} for _ in found])
    return found[0] if found else None


def leaves(error: BaseException, machine: Decisions) -> bool:
    """Whether a program certainly raises an error on purpose, or exits in a branch of one of its conditions."""
    *_, last = running = [*_tracebacks(error)]
    if machine.may_be_left_out() or any(each.tb_frame.f_locals.get(UNCERTAIN) for each in running):
        return False  # as it may have returned, or have ended a loop
    if isinstance(error, SystemExit):
        return any(choice.has(each.tb_frame.f_code, each.tb_lineno) for each in running for choice in machine.choices)
    code = last.tb_frame.f_code
    return code.co_filename in machine.files and code.co_code[last.tb_lasti] == _RAISING


def _tracebacks(error: BaseException) -> Iterator[TracebackType]:
    """Where an error was, from the outermost call to the innermost one."""
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _way_of(follow: Callable[[Decide], Way], truth: bool) -> Way:
    """The way on which all conditions have one outcome, but those behind which the program ends itself."""
    others: dict[Choice, bool] = {}
    way = follow(lambda _: truth)
    while way.is_left and len(others) < _FLIPS and [*way.choices][-1] not in others:
        others[[*way.choices][-1]] = not truth
        way = follow(lambda choice: others.get(choice, truth))
    return way


def _common(follow: Callable[[Decide], Way], decided: Mapping[Choice, bool], choice: Choice) -> list[Failure]:
    """The errors in one place to which both ways from a condition lead, unless they end themselves; none otherwise."""
    found: list[Failure] = []
    for truth in (True, False):
        known = {**decided, choice: truth}
        way = follow(known.get)
        if way.is_left:
            continue
        failures = [] if way.failure is None else [way.failure]
        if not failures and len(known) < _DEEPEST:
            following = next((each for each in way.choices if _follows(each, choice, known)), None)
            failures = [] if following is None else _common(follow, known, following)
        found += failures
        if not failures or failures[0].frames != found[0].frames:
            return []
    return found


def _follows(other: Choice, choice: Choice, decided: Mapping[Choice, bool]) -> bool:
    """Whether a condition is another one of the same function."""
    return other not in decided and other[:2] == choice[:2]
