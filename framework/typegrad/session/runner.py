"""`Runner`: one run, described step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from typegrad.base.array import Array
from typegrad.base.errors import FeedError
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.operation import Operation
from typegrad.graph.values import ValueLike
from typegrad.session.feeds import fed_output
from typegrad.session.fetches import flatten, named_output

if TYPE_CHECKING:
    from typegrad.graph.wrapper import Op
    from typegrad.session.fetches import Fetch
    from typegrad.session.session import Session

__all__ = ["Runner"]


@final
class Runner:
    """`session.runner().feed(x, a).fetch(y).add_target(op).run()`.

    Each step returns the runner, or refuses its argument. Nothing runs before `run`.

    Operands and operations may be given by name, as in TensorFlow Java: "Split:1" for an output, "y" for the first one
    of `y`.
    """

    def __init__(self, session: Session) -> None:
        """Made by `Session.runner`."""
        self._session = session
        self._feeds: dict[AnyOutput, ValueLike] = {}
        self._fetches: list[Fetch] = []
        self._targets: list[Operation] = []

    def feed(self, operand: AnyOperand | str, value: ValueLike) -> Runner:
        """Give `operand` a value for this run."""
        output = fed_output(self._session.graph, operand)
        if output in self._feeds:
            raise FeedError(f"{origin(output)} is fed twice")
        self._feeds[output] = value
        return self

    def fetch(self, operand: AnyOperand | str) -> Runner:
        """Return the value of `operand`, after those fetched before; of a variable, its value at the end of the run."""
        graph = self._session.graph
        flatten(graph, named_output(graph, operand) if isinstance(operand, str) else operand, self._fetches)
        return self

    def add_target(self, operation: Operation | Op | AnyOperand | str) -> Runner:
        """Run `operation` without returning anything for it."""
        requested: list[Fetch] = []
        flatten(self._session.graph, operation, requested)
        self._targets.extend(fetch.op if isinstance(fetch, Output) else fetch for fetch in requested)
        return self

    def run(self) -> list[Array]:
        """Run once; the values of the fetches, in order."""
        values = self._session.run([*self._fetches, *self._targets], self._feeds)
        return values[: len(self._fetches)]
