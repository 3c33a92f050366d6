"""`Steps`: what a plan runs, before it is compiled. Passes transform it; an executor turns it into a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, final

import numpy as np

from typegrad.base.shape import Shape
from typegrad.kernels.namespace import NUMPY
from typegrad.session.arrays import LARGE
from typegrad.session.binding import bind
from typegrad.session.fused import FusedKernel
from typegrad.session.large import large_numpy, large_ufunc

if TYPE_CHECKING:
    from typegrad.base.shape import Dim
    from typegrad.graph.operand import AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.kernels.namespace import Namespace
    from typegrad.session.arrays import Arrays
    from typegrad.session.program import Kernel

__all__ = ["Step", "Steps"]


@lru_cache(maxsize=4096)
def _may_be_large(dims: tuple[Dim, ...] | None, limit: int) -> bool:
    size = Shape(dims).size
    return size is None or size >= limit


@final
class Step:
    """One call of a kernel: the operation, which errors name, and the values that it takes, which may be others."""

    __slots__ = ("changed", "definition", "inputs", "kernel", "op", "outputs", "owners")

    def __init__(self, op: Operation) -> None:
        """The operation as it is in the graph."""
        self.op = op
        self.definition = op.definition
        self.inputs: tuple[AnyOutput, ...] = op.inputs
        """Flat, like the operation's inputs."""
        self.outputs: tuple[AnyOutput, ...] = op.outputs
        self.kernel: Kernel | None = None
        """What computes the outputs; None is the operation's own kernel."""
        self.changed: Mapping[str, object] = {}
        """The attributes whose values differ from the operation's."""
        self.owners: Sequence[Operation] = ()
        """If it is several operations, these; for a fused kernel, the one that each of its calls is part of."""

    def merged(
        self,
        kernel: Kernel,
        inputs: tuple[AnyOutput, ...],
        outputs: tuple[AnyOutput, ...],
        owners: Sequence[Operation],
    ) -> Step:
        """This step, as the step of several operations that own a part of it each."""
        self.kernel, self.inputs, self.outputs, self.owners = kernel, inputs, outputs, owners
        return self

    @property
    def has_lists(self) -> bool:
        """Whether the kernel takes list inputs."""
        return not self.owners and self.definition.has_list_inputs

    @property
    def returns_one(self) -> bool:
        """Whether the kernel returns its only output, and not a sequence of outputs."""
        return len(self.outputs) == 1 and self.definition.has_one_output

    @property
    def is_itself(self) -> bool:
        """Whether it computes what the operation does in the graph."""
        return self.kernel is None and not self.changed

    def bound(self, xp: Namespace = NUMPY) -> Kernel:
        """What computes the outputs, by the functions of `xp`."""
        return self.kernel or bind(self.op, xp, self.changed)

    def failing_operation(self, error: BaseException) -> Operation:
        """The operation in which the kernel raised `error`."""
        call = self.kernel.failing_call(error) if isinstance(self.kernel, FusedKernel) else None
        return self.op if call is None else self.owners[call]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations that it computes."""
        return tuple(dict.fromkeys(self.owners)) or (self.op,)

    @property
    def kind(self) -> str:
        """The types of these operations: "Mul Tanh"."""
        return " ".join(op.type for op in self.operations)

    def __repr__(self) -> str:
        return f"<Step {self.op.name!r} {self.op.type}>"


@final
class Steps:
    """The steps of a plan in the order in which they run, and what is known before the run.

    A value is identified by the output of the graph that it belongs to.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        fetches: Sequence[AnyOutput],
        targets: Iterable[Operation],
        fed: Iterable[AnyOutput],
        known: Mapping[AnyOutput, object],
        arrays: Arrays,
    ) -> None:
        """A step for each operation whose outputs are not known."""
        self.fetches = list(fetches)
        """The values that the run returns."""
        self.targets = frozenset(targets)
        """Operations that run although nobody may need their values."""
        self.fed = frozenset(fed)
        self.arrays = arrays
        """Where steps get memory for large results from."""
        self.constants: dict[AnyOutput, object] = {**known}
        """What is known before the run; what is fed is not."""
        self.steps = [Step(op) for op in operations if not known or known.keys().isdisjoint(op.outputs)]
        self.changes: dict[str, int] = {}
        """How many steps each pass has removed or changed."""
        self.types = {definition.name for definition in {step.definition for step in self.steps}}
        """The types of operations among the steps, or that were among them: what is not here concerns no pass."""

    @staticmethod
    def may_be_large(output: AnyOutput) -> bool:
        """Whether the graph does not know a value to be small."""
        return _may_be_large(output.shape.dims, LARGE)

    @staticmethod
    def is_large(output: AnyOutput) -> bool:
        """Whether the graph knows a value to be large."""
        return (output.shape.size or 0) >= LARGE

    @cached_property
    def large(self) -> frozenset[AnyOutput]:
        """The results of the steps, once the passes are done, that the graph does not know to be small."""
        return frozenset([output for step in self.steps for output in step.outputs if self.may_be_large(output)])

    @cached_property
    def _numpy(self) -> Namespace:
        return large_numpy(self.arrays)

    def bound(self, step: Step) -> Kernel:
        """What computes the outputs of a step, with the memory of earlier results if it may be much."""
        if not any(map(self.may_be_large, (*step.inputs, *step.outputs))):
            return step.bound()
        kernel = step.bound(self._numpy)
        if isinstance(kernel, np.ufunc) and self.is_large(step.outputs[0]):
            return large_ufunc(kernel, step.outputs[0].dtype.numpy, self.arrays)
        return kernel

    def know(self, output: AnyOutput, value: object) -> None:
        """Record a value that is known before the run."""
        if output not in self.fed:
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value = value.view()
                value.flags.writeable = False
            self.constants[output] = value

    def map(self, rewrite: Callable[[Step], AnyOutput | None]) -> int:
        """Offer each step to `rewrite`, in order, with the inputs that it has by then.

        A step for which it returns a value is removed: whoever needed its only output takes that value. Returns how
        many steps that were.
        """
        replaced: dict[AnyOutput, AnyOutput] = {}
        kept: list[Step] = []
        for step in self.steps:
            if replaced and not replaced.keys().isdisjoint(step.inputs):
                step.inputs = tuple([replaced.get(output, output) for output in step.inputs])
            value = rewrite(step)
            if value is None:
                kept.append(step)
            else:
                replaced[step.outputs[0]] = value
        removed = len(self.steps) - len(kept)
        self.steps = kept
        self.fetches = [replaced.get(output, output) for output in self.fetches]
        return removed
