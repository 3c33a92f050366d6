"""Sums over broadcast dimensions: the gradient of an input that was broadcast is the sum over its copies."""

from __future__ import annotations

from typegrad.base.shape import Shape
from typegrad.graph.operand import AnyOutput, Operand
from typegrad.graph.scope import Scope
from typegrad.rules.common import N

__all__ = ["has_shape", "negative_sum_to_known_shape", "sum_to_shape"]


def sum_to_shape(scope: Scope, grad: AnyOutput, target: AnyOutput) -> AnyOutput:
    """Sum `grad` over the dimensions in which `target` was broadcast, to the shape of `target`."""
    if has_shape(grad, target):
        return grad
    axes = _static_axes(grad.shape, target.shape)
    if axes is None:
        return _dynamic(scope, grad, target)
    if not axes:
        return grad
    return _static(scope, grad, target.shape, axes)


def has_shape(grad: AnyOutput, target: AnyOutput) -> bool:
    """Whether `grad` certainly has the shape of `target`, so that there is nothing to sum."""
    dims = grad.shape.dims
    return dims is not None and dims == target.shape.dims and None not in dims


def negative_sum_to_known_shape(scope: Scope, grad: Operand[N], target: AnyOutput) -> Operand[N]:
    """The sum of `-grad`, if the graph knows what to sum over; else `-grad`, which the builder sums.

    The sum is subtracted from 0, which costs less than a negation before it: a sum of 0 stays positive.
    """
    if not _static_axes(grad.shape, target.shape) or grad.shape.size == target.shape.size:
        return -grad
    return 0 - sum_to_shape(scope, grad.as_output(), target)


def _static_axes(grad: Shape, target: Shape) -> tuple[int, ...] | None:
    """The axes to sum over, or None if they are known only at run time."""
    if grad.dims is None or target.dims is None:
        return None
    lead = len(grad.dims) - len(target.dims)
    if lead < 0:
        return ()  # not a broadcast; the builder refuses it
    axes = list(range(lead))
    for axis, (size, original) in enumerate(zip(grad.dims[lead:], target.dims, strict=True), start=lead):
        if size == original and size is not None:
            continue
        if original == 1:
            axes.append(axis)
        elif not isinstance(original, int):
            return None  # it may be of size 1 when it runs
    return tuple(axes)


def _static(scope: Scope, grad: AnyOutput, target: Shape, axes: tuple[int, ...]) -> AnyOutput:
    from typegrad.op.core import Sum

    lead = tuple(range(len(grad.shape.known()) - len(target.known())))
    if axes != lead:
        grad = Sum.create(scope, grad, axes, keep_dims=True).as_output()
    return Sum.create(scope, grad, lead).as_output() if lead else grad


def _dynamic(scope: Scope, grad: AnyOutput, target: AnyOutput) -> AnyOutput:
    from typegrad.op.core import BroadcastGradientArgs, Reshape, Sum
    from typegrad.op.core import Shape as ShapeOf

    shape = ShapeOf.create(scope, target)
    axes = BroadcastGradientArgs.create(scope, shape, ShapeOf.create(scope, grad)).r0
    return Reshape.create(scope, Sum.create(scope, grad, axes), shape).as_output()
