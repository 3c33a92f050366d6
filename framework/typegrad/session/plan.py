"""`Plan`: the part of a graph that one set of fetches and feeds needs, as a program."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, final

import numpy as np

from typegrad.base.errors import FeedError
from typegrad.base.quiet import quiet
from typegrad.graph.explain import located, origin
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.session.arrays import Arrays
from typegrad.session.compiler import Compiler
from typegrad.session.feeds import check_fed_shape
from typegrad.session.interpreted import Interpreter, TieredProgram
from typegrad.session.passes import PASS_NAMES, PASSES
from typegrad.session.passes.fusion import fuse
from typegrad.session.specialize import NO_VALUES, Inference, check_shapes
from typegrad.session.steps import Steps
from typegrad.session.uncollected import uncollected
from typegrad.shapes.view import Value

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.session.program import Program
    from typegrad.session.state import Resources
    from typegrad.session.steps import Step

__all__ = ["Plan", "initial_plan", "raise_with_node"]

_Sizes: TypeAlias = tuple[tuple[int, ...], ...]

_PASS_IT: Final = "; pass its value with the feeds"
_NO_FEEDS: Final = "initial values are made without feeds; give the variable a value with session.assign"
_NAMED: Final = 3
"""How many of the fetches that need a feed an error names."""
_CHECKED_SHAPES: Final = 1024
"""How many combinations of feed shapes a plan remembers as checked."""


@final
class Plan:
    """What to run, and in which order: creation order, so that state is read and written as the program was written."""

    def __init__(
        self,
        fetches: Sequence[AnyOutput],
        targets: Sequence[Operation],
        feeds: Sequence[AnyOutput],
        resources: Resources,
        passes: Collection[str] = PASS_NAMES,
        arrays: Arrays | None = None,
    ) -> None:
        """Prune; an unfed placeholder is an error here, before anything runs."""
        self.passes = passes
        fed = frozenset(feeds)
        requested = [*targets, *(output.op for output in fetches if output not in fed)]
        self.feeds = tuple(feeds)
        self.fetches = tuple(fetches)
        self.targets = targets
        needed = requested[0].graph.ancestors(requested, stop=feeds) if requested else []
        _refuse_unfed(needed, fed, fetches, targets)
        # A placeholder that is fed is needed only where something has to come after it.
        effects = {definition.effect for definition in {op.definition for op in needed}}
        self.operations = [op for op in needed if op.definition.effect != "feed"] if "feed" in effects else needed
        self.random = [op for op in needed if op.definition.effect == "random"] if "random" in effects else []
        self.writes = "write" in effects
        self.reads = "read" in effects or "handle" in effects
        self.programs: dict[_Sizes, Program] = {}
        """The program to run for each combination of feed shapes."""
        self._compiled: dict[frozenset[Operation], Program] = {}
        """The programs by the operations whose inputs they check."""
        self.last_use = 0
        """The number of the run that used it last."""
        self._arrays = Arrays() if arrays is None else arrays
        handles = [op for op in needed if op.definition.effect == "handle"] if "handle" in effects else []
        self.states = {op.outputs[0]: resources.state(op) for op in handles}
        """The states of variables and accumulators, which are known before the run, by their handles."""
        self._handles = {
            handle: state.HANDLE(state.dtype, state.shape)
            for handle, state in self.states.items()
            if state.shape != handle.op.attrs["shape"]
        }

    @cached_property
    def steps(self) -> Steps:
        """What is left to run after the passes, step by step."""
        steps = Steps(self.operations, self.fetches, self.targets, self.feeds, self.states, self._arrays)
        steps.changes.update({name: transform(steps) for name, transform in PASSES.items() if name in self.passes})
        return steps

    def program(self, sizes: _Sizes) -> Program:
        """The program for feeds of these sizes, once the fed operands and the shape functions have accepted them."""
        return self.programs.get(sizes) or uncollected(self._checked_program, sizes)

    def inferred(self, sizes: _Sizes, values: Mapping[AnyOutput, Value] = NO_VALUES) -> Inference:
        """What follows from feeds of these sizes, which the fed operands and the shape functions must accept.

        The values are integers that are known before the run: of feeds, or better than in the graph.
        """
        for output, size in zip(self.feeds, sizes, strict=True):
            check_fed_shape(output, size)
        return check_shapes(self.feeds, sizes, self.operations, self._handles, values)

    def _checked_program(self, sizes: _Sizes) -> Program:
        unproved = self.inferred(sizes).unproved
        program = self._compiled.get(unproved)
        if program is None:
            program = self._compiled[unproved] = self._tiered(unproved)
        if len(self.programs) < _CHECKED_SHAPES:
            self.programs[sizes] = program
        return program

    def _tiered(self, checked: frozenset[Operation]) -> Program:
        arguments: list[AnyOutput | Operation] = [*self.feeds, *self.random]
        handles = {handle.op for handle in self.states}
        operations = [op for op in self.operations if op not in handles] if handles else self.operations
        interpreter = Interpreter(operations, arguments, self.states, self.fetches, checked)
        return TieredProgram(interpreter.run, lambda: uncollected(Compiler(self, checked).compile))

    def lowered(self, checked: frozenset[Operation]) -> list[Step]:
        """The steps as the program runs them: in groups, except for operations whose inputs are checked in the run."""
        return fuse(self.steps, checked) if "fusion" in self.passes else self.steps.steps

    def run(
        self, program: Program, feeds: Sequence[Array], generators: Sequence[np.random.Generator] = ()
    ) -> tuple[object, ...]:
        """The values of the fetches. An error in a kernel is raised again with the node it happened in."""
        try:
            return quiet().run(program.run, (*feeds, *generators) if generators else feeds)
        except Exception as error:  # noqa: BLE001  # whatever a kernel raises is raised again with its node
            raise_with_node(program, error)


def initial_plan(make: Callable[[], Plan]) -> Plan:
    """The plan of initializers, to which nothing is fed."""
    try:
        return make()
    except FeedError as error:
        raise FeedError(f"{str(error).removesuffix(_PASS_IT)}; {_NO_FEEDS}") from None


def raise_with_node(program: Program, error: Exception) -> NoReturn:
    """Raise an error that `program` raised; one of a kernel with the node it happened in."""
    step = program.failing_step(error)
    if step is None:
        raise error
    raise located(program.steps[step].failing_operation(error), error) from error


def _refuse_unfed(
    operations: Iterable[Operation],
    fed: frozenset[AnyOutput],
    fetches: Sequence[AnyOutput],
    targets: Sequence[Operation],
) -> None:
    for op in operations:
        if op.definition.effect == "feed" and op.outputs[0] not in fed:
            unfed = f"{origin(op.outputs[0])} must be fed"
            if op.outputs[0] in fetches or op in targets:
                raise FeedError(f"{unfed}: it is fetched{_PASS_IT}")
            requested = {each: each.op for each in fetches} | {each: each for each in targets}
            depending = (each.name for each, made in requested.items() if op in op.graph.ancestors([made]))
            names = [f"'{name}'" for name in islice(depending, _NAMED)]
            depend = f"{', '.join(names)} depend{'s' if len(names) == 1 else ''}"
            raise FeedError(f"{unfed}, because {depend} on it{_PASS_IT}")
