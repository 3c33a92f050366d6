"""`Runner`: one run, described step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from numpy.typing import ArrayLike, NDArray

from typegrad.errors import FeedError
from typegrad.operand import Operand
from typegrad.operation import Operation

if TYPE_CHECKING:
    from typegrad.session.session import Session
    from typegrad.wrapper import Op

__all__ = ["Runner"]


@final
class Runner:
    """`session.runner().feed(x, a).fetch(y).add_target(op).run()`. Each step returns the runner."""

    def __init__(self, session: Session) -> None:
        """Made by `Session.runner`."""
        self._session = session
        self._feeds: dict[Operand[Any, Any], ArrayLike] = {}
        self._fetches: list[Operand[Any, Any]] = []
        self._targets: list[Operation | Op | Operand[Any, Any]] = []

    def feed(self, operand: Operand[Any, Any], value: ArrayLike) -> Runner:
        """Give `operand` a value for this run."""
        output = self._session._fed_output(operand)
        if output in self._feeds:
            raise FeedError(f"{output!r} is fed twice")
        self._feeds[output] = value
        return self

    def fetch(self, operand: Operand[Any, Any]) -> Runner:
        """Return the value of `operand`, after those fetched before."""
        self._fetches.append(operand)
        return self

    def add_target(self, operation: Operation | Op | Operand[Any, Any]) -> Runner:
        """Run `operation` without returning anything for it."""
        self._targets.append(operation)
        return self

    def run(self) -> list[NDArray[Any]]:
        """Run once; the values of the fetches, in the order in which they were asked for."""
        values = self._session.run_flat([*self._fetches, *self._targets], self._feeds)
        return values[: len(self._fetches)]
