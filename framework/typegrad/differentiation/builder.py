"""The gradient builder: adds to the graph the operations that compute a derivative, by reverse accumulation.

It walks from the ys back to the xs in reverse creation order, which is a topological order, without recursion. Only
operations on a path from an x to a y are visited. The gradient is an ordinary part of the graph, and can be
differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, final

from typegrad.base.errors import GradientError, ShapeError
from typegrad.base.location import shared
from typegrad.base.types import TInt64, TResource
from typegrad.differentiation.paths import defined_names, flows_of, is_pairwise, paths
from typegrad.graph.definition import Flow, NoGradient, resolve
from typegrad.graph.explain import describe, origin
from typegrad.graph.indexed_slices import AnyIndexedSlices, IndexedSlices
from typegrad.graph.operand import AnyOperand, AnyOutput, with_shape
from typegrad.graph.operand_like import is_operand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.rules.broadcasting import has_shape, sum_to_shape
from typegrad.rules.common import OutputGradients
from typegrad.shapes.shape import ensured

__all__ = ["GradientBuilder", "apply_rule", "build"]

_Grad: TypeAlias = "AnyOutput | AnyIndexedSlices"


@final
class GradientBuilder:
    """One gradient computation: accumulates the outputs' gradients and calls the gradient functions."""

    def __init__(
        self, scope: Scope, ys: Sequence[AnyOutput], xs: Sequence[AnyOutput], stop: Sequence[AnyOutput]
    ) -> None:
        """Find the path from `ys` to `xs` that does not pass through `stop`."""
        self._scope = scope
        self._xs = frozenset(xs)
        self._stop = frozenset(stop)
        self._paths = paths(ys, xs, stop)
        self._ys = ys
        self._sums: dict[AnyOutput, list[_Grad]] = {}

    def run(self, seeds: Sequence[AnyOutput]) -> None:
        """Propagate `seeds`, one gradient per y."""
        for y, seed in zip(self._ys, seeds, strict=True):
            self._add(y, self._shaped(seed, y))
        for op, requested in self._paths.items():
            self._visit(op, requested)

    def total(self, output: AnyOutput) -> _Grad | None:
        """The gradient of `output`, summed over its uses; None without any, an `IndexedSlices` if all of them are."""
        parts = self._sums.get(output)
        if not parts:
            return None
        if len(parts) > 1:
            parts[:] = [_sum(self._scope.with_device(output.op.device), parts)]
        return parts[0]

    def is_zero(self, output: AnyOutput) -> bool:
        """Whether `output` is on a path, but its gradient is zero."""
        return self._sums.get(output) == []

    def _add(self, output: AnyOutput, grad: _Grad) -> None:
        self._sums.setdefault(output, []).append(grad)

    def _visit(self, op: Operation, requested: Sequence[int]) -> None:
        """Propagate the gradients of an operation's outputs to its inputs.

        An input that receives none has, so far, zero.
        """
        incoming = [None if output in self._stop else self.total(output) for output in op.outputs]
        flows = flows_of(op)
        ruled: list[int] = []
        for index in requested:
            self._sums.setdefault(op.inputs[index], [])
            flow = flows[index]
            if flow is Flow.PASS:
                grad = incoming[index if is_pairwise(op) else 0]
                if grad is not None:
                    self._hand_on(op, index, self._summed(op, index, grad))
            elif isinstance(flow, NoGradient):
                name = defined_names(op)[index]
                raise self._refusal(op, f"{op.type} has no gradient for input `{name}`: {flow.reason}")
            elif flow is Flow.RULE:
                ruled.append(index)
        if not ruled or all(grad is None for grad in incoming):
            return
        if _is_users(op):
            with shared(None):
                self._apply_rule(op, ruled, incoming)
        else:
            self._apply_rule(op, ruled, incoming)

    def _apply_rule(self, op: Operation, requested: Sequence[int], incoming: Sequence[_Grad | None]) -> None:
        """Build the gradients of the requested inputs with the gradient function."""
        with self._scope.for_rule(op) as scope:
            grads = OutputGradients(
                scope, op.outputs, [grad.as_output() if isinstance(grad, IndexedSlices) else grad for grad in incoming]
            )
            for index, grad in zip(requested, self._input_gradients(op, scope, grads, requested), strict=True):
                if grad is not None:
                    self._hand_on(op, index, self._fit(op, index, grad))

    def _input_gradients(
        self, op: Operation, scope: Scope, grads: OutputGradients, requested: Sequence[int]
    ) -> list[_Grad | None]:
        """Call the gradient function, and build the requested ones of its results."""
        own = op.graph.own_gradients.get(op)
        if own is not None:
            built = own.build(scope, grads)
            return [build(built[index]) for index in requested]
        try:
            by_name = apply_rule(op, scope, grads)
        except GradientError as error:
            raise self._refusal(op, str(error)) from None
        if not op.definition.has_list_inputs:
            return [build(by_name[op.definition.input_names[index]]) for index in requested]
        flat: list[Any] = []
        for input_def, group in zip(op.definition.inputs, op.input_groups(), strict=True):
            grad = by_name.get(input_def.name)
            if isinstance(group, tuple):
                flat.extend([None] * len(group) if grad is None else grad)
            else:
                flat.append(grad)
        return [build(flat[index]) for index in requested]

    def _fit(self, op: Operation, index: int, grad: _Grad) -> _Grad:
        """Sum the gradient of a broadcast input; check that it has the input's type."""
        grad, target = self._summed(op, index, grad), op.inputs[index]
        if grad.dtype is not target.dtype and target.dtype is not TResource:
            raise GradientError(
                f"the gradient function of {describe(op)} gave {grad.dtype.name} for input "
                f"`{defined_names(op)[index]}`, which is {target.dtype.name}"
            )
        return grad

    def _summed(self, op: Operation, index: int, grad: _Grad) -> _Grad:
        """Sum a gradient over the dimensions in which its input was broadcast."""
        broadcast, target = op.definition.broadcasts, op.inputs[index]
        if not broadcast or defined_names(op)[index] not in broadcast:
            return grad
        dense = grad.as_output()
        return dense if has_shape(dense, target) else sum_to_shape(self._scope.for_rule(op), dense, target)

    def _hand_on(self, op: Operation, index: int, grad: _Grad) -> None:
        """Accumulate the gradient of an input; check that it has the input's shape."""
        target = op.inputs[index]
        try:
            self._add(target, self._shaped(grad, target))
        except ShapeError:
            raise GradientError(
                f"the gradient of input `{defined_names(op)[index]}` of {describe(op)} has shape {grad.shape}, "
                f"but the input is {origin(target)}"
            ) from None

    def _shaped(self, grad: _Grad, target: AnyOutput) -> _Grad:
        """`grad` with a static shape at least as precise as its target's."""
        if grad.shape.dims == target.shape.dims or target.dtype is TResource:
            return grad
        if isinstance(grad, IndexedSlices):
            return grad.with_shape(ensured(grad.shape, target.shape))
        return with_shape(self._scope.with_device(target.op.device), grad, target.shape)

    def _refusal(self, op: Operation, reason: str) -> GradientError:
        return GradientError(
            f"{reason}\n  {describe(op)} is on the path from y to x: {self._describe_path(op)}\n"
            "  To treat its value as a constant, pass it through core.StopGradient or list it in `stop_gradients`; "
            "to differentiate it otherwise, wrap the call in a function with tg.custom_gradient."
        )

    def _describe_path(self, op: Operation) -> str:
        """The names of the operations from a y over `op` to an x, shortened in the middle."""
        ys = {y.op for y in self._ys}
        down = [op]
        while down[-1] not in ys:
            down.append(next(user for user in down[-1].consumers if user in self._paths))
        up: list[str] = []
        current = op
        while True:
            known = next((output for output in current.inputs if output in self._xs), None)
            if known is not None:
                up.append(known.op.name)
                break
            current = next(output.op for output in current.inputs if output.op in self._paths)
            up.append(current.name)
        names = [user.name for user in reversed(down)] + up
        if len(names) > 9:
            names = [*names[:4], f"... {len(names) - 8} more ...", *names[-4:]]
        return " <- ".join(names)


def _is_users(op: Operation) -> bool:
    """Whether the user wrote the gradient function, in whose lines the operations of the gradient are created then."""
    return op in op.graph.own_gradients or not op.definition.gradient.startswith("typegrad.")


def apply_rule(op: Operation, scope: Scope, grads: OutputGradients) -> dict[str, Any]:
    """What the gradient function returns for each input marked `rule`."""
    definition = op.definition
    function: Callable[..., Any] = resolve(definition.gradient)
    result = function(scope, definition.wrapper(op), grads[0] if definition.has_one_output else grads)
    return dict(zip(definition.ruled, (result,) if len(definition.ruled) == 1 else result, strict=True))


def build(gradient: Any) -> _Grad | None:
    """Build a gradient that a gradient function returned: an output, `IndexedSlices`, or None for zero."""
    built = gradient if gradient is None or is_operand(gradient) else gradient()
    return built if built is None or isinstance(built, IndexedSlices) else built.as_output()


def _sum(scope: Scope, parts: Sequence[AnyOutput | AnyIndexedSlices]) -> AnyOutput | AnyIndexedSlices:
    """The sum; if every part is an `IndexedSlices`, their rows concatenated."""
    from typegrad.op.math import AddN

    rows = [part for part in parts if isinstance(part, IndexedSlices)]
    if len(rows) == len(parts):
        return _joined(scope, rows)
    return AddN.create(scope, [part.as_output() for part in parts]).as_output()


def _joined(scope: Scope, parts: Sequence[AnyIndexedSlices]) -> AnyIndexedSlices:
    from typegrad.op.core import Concat

    values = Concat.create(scope, [part.values for part in parts], 0)
    indices = Concat.create(scope, _one_type(scope, [part.indices for part in parts]), 0)
    return IndexedSlices(scope, values, indices, parts[0].rows, parts[0].shape)


def _one_type(scope: Scope, indices: Sequence[AnyOutput]) -> list[AnyOperand]:
    """The indices unchanged if all have the same type, otherwise as int64."""
    from typegrad.op.dtypes import Cast

    if len({index.dtype for index in indices}) == 1:
        return list(indices)
    return [Cast.create(scope, index, TInt64) for index in indices]
