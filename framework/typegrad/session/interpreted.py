"""A plan's first run: straight from the graph, as making steps pays only from the second run on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final, final

from typegrad.session.binding import compute

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.session.program import Kernel, Program
    from typegrad.session.steps import Step

__all__ = ["INTERPRETED", "Interpreter", "TieredProgram"]

INTERPRETED: Final = 1
"""How many runs go by before a plan is compiled. Many run once, such as initializers."""


@final
class Interpreter:
    """Runs operations one after another; what is dead goes."""

    def __init__(
        self,
        operations: Sequence[Operation],
        arguments: Sequence[AnyOutput | Operation],
        known: Mapping[AnyOutput, object],
        fetches: Sequence[AnyOutput],
        checked: Collection[Operation],
    ) -> None:
        """Note what to run.

        Args:
            operations: What to run, in order.
            arguments: What a run is given values for: outputs that are fed, and operations that draw, which take a
                generator.
            known: What is known before the run, and computed by none of the operations.
            fetches: What a run returns.
            checked: The operations whose inputs are checked.
        """
        self._operations: Final = operations
        self._arguments: Final = arguments
        self._known: Final = known
        self._fetches: Final = fetches
        self._checked: Final = checked

    def run(self, arguments: Sequence[object]) -> tuple[object, ...]:
        """The values of the fetches. An error names the operation it happened in."""
        last_use: dict[AnyOutput, Operation | None] = {output: op for op in self._operations for output in op.inputs}
        last_use.update(dict.fromkeys(self._fetches))
        values: dict[AnyOutput | Operation, object] = dict(self._known.items())
        values.update(zip(self._arguments, arguments, strict=True))
        for op in self._operations:
            results = compute(op, values, is_checked=op in self._checked)
            for output, value in zip(op.outputs, results, strict=True):
                if output in last_use:
                    values.setdefault(output, value)  # unless it is fed
            for output in op.inputs:
                if last_use[output] is op:
                    values.pop(output, None)
        return tuple([values[output] for output in self._fetches])


@final
class TieredProgram:
    """A program that is interpreted in its first runs, and compiled for later ones."""

    def __init__(
        self, interpret: Callable[[Sequence[object]], tuple[object, ...]], compile: Callable[[], Program]
    ) -> None:
        """Nothing is compiled yet."""
        self.run: Callable[[Sequence[object]], tuple[object, ...]] = self._first
        self._runs: Final = count(1)
        self._interpret: Final = interpret
        self._compile: Final = compile
        self._compiled: Final[list[Program]] = []
        """The first one is run. Threads that arrive together compile one each."""

    def _first(self, arguments: Sequence[object]) -> tuple[object, ...]:
        run = self._interpret if next(self._runs) <= INTERPRETED else self._compiled_once().run
        return run(arguments)

    def _compiled_once(self) -> Program:
        if not self._compiled:
            self._compiled.append(self._compile())
            self.run = self._compiled[0].run
        return self._compiled[0]

    @property
    def steps(self) -> Sequence[Step]:
        """What is compiled."""
        return self._compiled_once().steps

    def failing_step(self, error: BaseException) -> int | None:
        """The number of the step in which `run` raised `error`; None if it was interpreted, or in no step."""
        return self._compiled[0].failing_step(error) if self._compiled else None

    def with_kernels(self, change: Callable[[int, Kernel], Kernel]) -> Program:
        """What is compiled, with other kernels."""
        return self._compiled_once().with_kernels(change)
