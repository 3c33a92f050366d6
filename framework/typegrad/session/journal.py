"""`StepJournal`: how everything in a session was before a step began."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, final

from typegrad.base.array import Array

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState
    from typegrad.files.checkpoint.random_state import RandomState
    from typegrad.graph.operation import Operation
    from typegrad.session.state import Draws, InitializerStatus

__all__ = ["StepJournal"]


@final
class StepJournal:
    """The state before a step, for everything that the step changes.

    The journal is begun before it is filled, and filled before anything changes. So at any moment it holds the old
    value of everything that has changed.
    """

    __slots__ = ("_before", "_done", "_draws", "_initialized", "_mark")

    def __init__(self, draws: Draws, initialized: InitializerStatus) -> None:
        """Nothing has changed yet."""
        self._draws = draws
        self._initialized = initialized
        self._mark = draws.mark(())
        self._done = initialized.done
        self._before: dict[VariableState, Array | None] = {}

    def take_in(self, variables: Iterable[VariableState], random: Sequence[Operation] = ()) -> None:
        """Record variables and streams that the step may change."""
        for state in variables:
            self._before[state] = state.snapshot()
        if random:
            self._mark = self._draws.mark(random)

    def undo(self) -> None:
        """Put everything back."""
        for state, before in self._before.items():
            state.roll_back(before)
        self._draws.rewind(self._mark)
        self._initialized.done = self._done

    def value(self, state: VariableState) -> Array | None:
        """What a variable held; not to be written to, nor kept after the step continues."""
        if state not in self._before:
            return state.current
        before = self._before[state]
        return None if before is None else state.held_at(before)

    def random(self) -> RandomState:
        """Where the random streams were."""
        return self._draws.state(self._mark)
