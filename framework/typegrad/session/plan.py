"""`Plan`: the part of a graph that one set of fetches and feeds needs, as a program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

import numpy as np

from typegrad.base.errors import FeedError
from typegrad.base.handle import Handle
from typegrad.base.quiet import quietly
from typegrad.base.types import TType
from typegrad.base.variable_state import VariableState
from typegrad.graph.definition import resolve
from typegrad.graph.explain import located, origin
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.session.checked import Checked
from typegrad.session.program import UNUSED, Inputs, Kernel, Outputs, Steps, program
from typegrad.session.specialize import check_shapes, is_open

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.kernels.namespace import Namespace
    from typegrad.session.program import Program
    from typegrad.session.state import Resources

__all__ = ["Plan", "compute"]

_Sizes: TypeAlias = tuple[tuple[int, ...], ...]

_NUMPY: Final[Namespace] = np

_CHECKED_SHAPES: Final = 1024
"""How many combinations of feed shapes a plan remembers as checked."""


@cache
def _keywords(kernel: Kernel) -> tuple[str, ...]:
    return tuple(name for name, p in signature(kernel).parameters.items() if p.kind is Parameter.KEYWORD_ONLY)


@cache
def _without_attributes(kernel: Kernel) -> Kernel:
    return partial(kernel, _NUMPY)


def _bind(op: Operation) -> Kernel:
    """The kernel of `op` with its attributes bound; it takes the generator, if it draws numbers, and the inputs."""
    kernel = resolve(op.definition.kernel)
    names = _keywords(kernel)
    if not names:
        return _without_attributes(kernel)
    attrs = {name: _kernel_attr(op.attrs[name]) for name in names if name != "rng"}
    return partial(_draw, kernel, attrs) if "rng" in names else partial(kernel, _NUMPY, **attrs)


def _draw(kernel: Kernel, attrs: Mapping[str, object], rng: np.random.Generator, *inputs: object) -> Any:
    return kernel(_NUMPY, *inputs, rng=rng, **attrs)


def compute(op: Operation, known: Mapping[AnyOutput, object]) -> Sequence[Any]:
    """Compute the outputs of an operation that draws no numbers from its inputs. An error names the node."""
    inputs = (
        tuple(known[output] for output in group) if isinstance(group, tuple) else known[group]
        for group in op.input_groups()
    )
    try:
        result = quietly(Checked(op, _bind(op)) if is_open(op) else _bind(op), *inputs)
    except Exception as error:
        raise located(op, error) from error
    values: Sequence[Any] = (result,) if op.definition.has_one_output else result or ()
    return values


def _kernel_attr(value: object) -> object:
    return value.numpy if isinstance(value, type) and issubclass(value, TType) else value


@final
class Plan:
    """What to run, and in which order: creation order, so that state is read and written as the program was written."""

    def __init__(
        self,
        fetches: Sequence[AnyOutput],
        targets: Sequence[Operation],
        feeds: Sequence[AnyOutput],
        resources: Resources,
    ) -> None:
        """Prune and compile; an unfed placeholder is an error here, before anything runs."""
        fed = frozenset(feeds)
        requested = [*targets, *(output.op for output in fetches if output not in fed)]
        self.feeds = tuple(feeds)
        needed = requested[0].graph.ancestors(requested, stop=feeds) if requested else []
        _refuse_unfed(needed, fed, fetches)
        # A placeholder that is fed is needed only where something has to come after it.
        self.operations = [op for op in needed if op.definition.effect != "feed"]
        self.random = [op for op in self.operations if op.definition.effect == "random"]
        self.writes = any(op.definition.effect == "write" for op in self.operations)
        self.reads = any(op.definition.effect in ("read", "handle") for op in self.operations)
        self._fed = fed
        self._fetches = fetches
        self._programs: dict[_Sizes, Program] = {}
        """The program to run for each combination of feed shapes."""
        self._compiled: dict[frozenset[Operation], Program] = {}
        """The programs by the operations whose inputs they check."""
        self.last_use = 0
        """The number of the run that used it last."""
        self._folded = folded = _Folded(self.operations, fed, resources)
        self.steps: Sequence[Operation] = folded.live
        """The operation of each step of the programs."""
        self.variables = list(folded.variables.values())
        self._handles = {
            handle: Handle(state.dtype, state.shape)
            for handle, state in folded.variables.items()
            if state.shape != handle.op.attrs["shape"]
        }

    def program(self, sizes: _Sizes) -> Program:
        """The program for feeds of these sizes, once the shape functions have accepted them."""
        program = self._programs.get(sizes)
        if program is None:
            unproved = check_shapes(self.feeds, sizes, self.operations, self._handles)
            program = self._compiled.get(unproved)
            if program is None:
                program = _Compiler(self, self._fed, self._folded, unproved).compile(self._fetches)
                self._compiled[unproved] = program
            if len(self._programs) < _CHECKED_SHAPES:
                self._programs[sizes] = program
        return program

    def run(
        self, program: Program, feeds: Sequence[Array], generators: Sequence[np.random.Generator]
    ) -> tuple[object, ...]:
        """The values of the fetches. An error in a kernel is raised again with the node it happened in."""
        try:
            return quietly(program.run, (*feeds, *generators) if generators else feeds)
        except Exception as error:
            step = program.failing_step(error)
            if step is None:
                raise
            raise located(self.steps[step], error) from error


def _refuse_unfed(operations: Iterable[Operation], fed: frozenset[AnyOutput], fetches: Sequence[AnyOutput]) -> None:
    for op in operations:
        if op.definition.effect == "feed" and op.outputs[0] not in fed:
            dependents = ", ".join(f"'{output.name}'" for output in fetches[:3]) or "the targets"
            raise FeedError(
                f"{origin(op.outputs[0])} must be fed, because {dependents} depends on it; pass its value in `feeds`"
            )


@final
class _Folded:
    """The operations of a plan, with the ones that depend on constants alone computed."""

    def __init__(self, operations: Iterable[Operation], fed: frozenset[AnyOutput], resources: Resources) -> None:
        self.constants: dict[AnyOutput, object] = {}
        """What is known before the run; what is fed is not."""
        self.variables: dict[AnyOutput, VariableState] = {}
        self.live: list[Operation] = []
        """The operations that remain for the run."""
        for op in operations:
            effect = op.definition.effect
            if effect == "handle":
                state = resources.variable(op)
                self.variables[op.outputs[0]] = state
                values: Sequence[object] = (state,)
            elif not effect and all(map(self.constants.__contains__, op.inputs)):
                values = compute(op, self.constants)
            else:
                self.live.append(op)
                continue
            for output, value in zip(op.outputs, values, strict=True):
                if output not in fed:
                    self.constants[output] = _frozen(value)


@final
class _Compiler:
    """Numbers the slots of a plan's program. A slot is used again once its value is dead."""

    def __init__(self, plan: Plan, fed: frozenset[AnyOutput], folded: _Folded, unproved: frozenset[Operation]) -> None:
        self._fed = fed
        self._unproved = unproved
        self._live = folded.live
        self._arguments = len(plan.feeds) + len(plan.random)
        self._generators = {op: len(plan.feeds) + number for number, op in enumerate(plan.random)}
        self._slots: dict[AnyOutput, int] = {output: slot for slot, output in enumerate(plan.feeds)}
        self._known = folded.constants
        self._constants: list[object] = []
        self._last_use: dict[AnyOutput, Operation | None] = {}
        """The operation after which a value is dead; None if it is fetched."""
        self._free: list[int] = []

    def compile(self, fetches: Sequence[AnyOutput]) -> Program:
        """Compile a function from feeds and generators to fetches."""
        for op in self._live:
            for output in op.inputs:
                self._need(output, op)
        for output in fetches:
            self._need(output, None)
        self._size = first_free = self._arguments + len(self._constants)
        steps = Steps([], [], [])
        for op in self._live:
            steps.kernels.append(Checked(op, _bind(op)) if op in self._unproved else _bind(op))
            steps.inputs.append(self._inputs(op))
            steps.outputs.append(self._outputs(op))
        results = [self._slots[output] for output in fetches]
        return program(self._arguments, self._constants, self._size - first_free, steps, results)

    def _need(self, output: AnyOutput, op: Operation | None) -> None:
        if output not in self._known:
            self._last_use[output] = op
        elif output not in self._slots:
            self._slots[output] = self._arguments + len(self._constants)
            self._constants.append(self._known[output])

    def _inputs(self, op: Operation) -> Inputs:
        """The slots of the inputs; slots of inputs that are not needed any more are freed."""
        slots, last_use = self._slots, self._last_use
        inputs: Inputs = tuple(map(slots.__getitem__, op.inputs))
        if op.definition.has_list_inputs:
            inputs = tuple(
                tuple(slots[output] for output in group) if isinstance(group, tuple) else slots[group]
                for group in op.input_groups()
            )
        if op.definition.effect == "random":
            inputs = (self._generators[op], *inputs)
        for output in op.inputs:
            if last_use.get(output) is op:
                del last_use[output]
                self._free.append(slots.pop(output))
        return inputs

    def _outputs(self, op: Operation) -> Outputs:
        if op.definition.has_one_output:
            return self._new(op.outputs[0])
        return tuple(self._new(output) for output in op.outputs)

    def _new(self, output: AnyOutput) -> int:
        """A free slot for a value, if somebody needs it."""
        if output not in self._last_use or output in self._fed:
            return UNUSED
        if self._free:
            slot = self._free.pop()
        else:
            slot = self._size
            self._size += 1
        self._slots[output] = slot
        return slot


def _frozen(value: object) -> object:
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value
