"""A loop that is running, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from inspect import CO_GENERATOR
from types import FrameType
from typing import Any

import attrs

from typegrad.dry_run.flow.any_pass import AnyPass

__all__ = ["Loop", "callers_of"]


@attrs.define(eq=False)
class Loop:
    """A loop that is running."""

    name: str
    begun: int
    """The step at which it began."""
    appends: int
    """How often something was appended to a list before."""
    muted: int
    """How many statements were muted then."""
    muted_in_passes: int
    """How many are muted when a pass begins: also those that may have ended the loop."""
    frame: FrameType | None = None
    """Where it runs."""
    is_left: bool = False
    """Whether a pass may yield items, or end the function: one that stands for any tells of branches alone."""
    forget: Callable[[], Any] | None = None
    """What forgets the objects that it may change, if one pass may stand for any."""
    names: Sequence[Callable[[], Any]] = ()
    """The names that it assigns."""
    values: Sequence[tuple[Any, ...]] = ()
    """The values that they had before."""
    is_loose: bool = False
    """Whether a pass may have ended early."""
    has_begun: bool = False
    """Whether a pass has begun."""
    has_branches: bool = False
    """Whether there are branches in it that are to be followed in a pass that stands for any."""
    exact: Sequence[tuple[Any, ...]] | None = None
    """The values of all its names behind the last pass, if another one was followed for its branches alone."""
    undone: AbstractContextManager[None] | None = None
    """What undoes what that pass does."""
    most_steps: int = 0
    """Up to which step the program is followed behind that pass."""
    has_passed: bool = False
    """Whether a pass was followed."""
    is_lost: bool = False
    """Whether it is not known what happens behind a pass, but for branches in it."""
    any_pass: AnyPass | None = None
    items: list[Any] | None = None
    """The items that it takes, if these are known."""
    has_loops: bool = False
    """Whether a loop has begun in it."""
    is_hurried: bool = False
    """Whether it is a comprehension that takes long: one pass of each loop in it is enough."""


def callers_of(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames of those who ask a generator for an item that runs in a frame; none for another function's."""
    if frame is not None and frame.f_code.co_flags & CO_GENERATOR:
        while (frame := frame.f_back) is not None:
            yield frame
