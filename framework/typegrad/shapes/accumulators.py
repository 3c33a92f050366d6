"""Shape and value functions of `ops/accumulators.yaml`."""

from __future__ import annotations

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.handle import AccumulatorHandle
from typegrad.base.shape import UNKNOWN, Shape, as_shape, merge
from typegrad.shapes.view import OpView

_SCALAR = Shape(())


def handle_value(op: OpView) -> AccumulatorHandle:
    """The element type and the shape of the gradients."""
    return AccumulatorHandle(op.attr("dtype"), as_shape(op.attr("shape")))


def applied(op: OpView) -> tuple[()]:
    """No outputs; the gradient must have the accumulator's element type and shape."""
    op.rank("local_step", 0)
    held, gradient = _held(op), op.shape("gradient")
    try:
        merge(held, gradient)
    except ShapeError:
        raise ShapeError(f"the accumulator has shape {held}, but `gradient` has shape {gradient}") from None
    return ()


def taken(op: OpView) -> Shape:
    """The shape of the gradients."""
    op.rank("num_required", 0)
    return _held(op)


def counted(op: OpView) -> Shape:
    """A scalar."""
    _handle(op)
    return _SCALAR


def step_set(op: OpView) -> tuple[()]:
    """No outputs; the step is a scalar."""
    op.rank("new_global_step", 0)
    _handle(op)
    return ()


def _held(op: OpView) -> Shape:
    """The shape of the accumulator, as far as known; a `DTypeError` if its type differs from the operation's."""
    handle, expected = _handle(op), op.attr("dtype")
    if handle is None:
        return UNKNOWN
    if handle.dtype is not expected:
        raise DTypeError(
            f"the accumulator is {handle.dtype.name}, but the operation works on {expected.name}; cast the gradient"
        )
    return handle.shape


def _handle(op: OpView) -> AccumulatorHandle | None:
    """The handle, as far as known; a `DTypeError` if it is the handle of a variable."""
    op.rank("handle", 0)
    handle = op.value("handle")
    if handle is not None and type(handle) is not AccumulatorHandle:
        raise DTypeError(
            "`handle` is the handle of a variable; train.ResourceConditionalAccumulator makes accumulators"
        )
    return handle
