"""Shape functions of `ops/pooling.yaml`."""

from __future__ import annotations

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.shapes.values import dims_of
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, agreed, channel_axis, check_steps, paddings, sizes, slid, steps


def max_pool(op: OpView) -> Shape:
    """An element for each position of the window."""
    return _pooled(op, "input", op.rank("input", _rank(op)))


def max_pool_grad(op: OpView) -> Shape:
    """The shape of what was pooled."""
    x = op.rank("orig_input", _rank(op))
    pooled = _pooled(op, "orig_input", x)
    agreed(op, "orig_output", pooled)
    agreed(op, "grad", pooled)
    return x


def max_pool_grad_grad(op: OpView) -> Shape:
    """The shape of what pooling gives."""
    x = agreed(op, "grad", op.rank("orig_input", _rank(op)))
    return agreed(op, "orig_output", _pooled(op, "orig_input", x))


def max_pool_with_argmax(op: OpView) -> tuple[Shape, Shape]:
    """An element and its index for each position of the window."""
    pooled = max_pool(op)
    return pooled, pooled


def max_pool_grad_with_argmax(op: OpView) -> Shape:
    """The shape of what was pooled."""
    x = op.rank("input", 4)
    pooled = _pooled(op, "input", x)
    agreed(op, "grad", pooled)
    agreed(op, "argmax", pooled)
    return x


def max_pool_grad_grad_with_argmax(op: OpView) -> Shape:
    """The shape of what pooling gives."""
    return agreed(op, "argmax", _pooled(op, "input", agreed(op, "grad", op.rank("input", 4))))


def avg_pool(op: OpView) -> Shape:
    """An element for each position of the window."""
    return _pooled(op, "value", op.rank("value", 4))


def avg_pool_grad(op: OpView) -> Shape:
    """The requested shape."""
    x = sizes(op, "orig_input_shape", _rank(op))
    agreed(op, "grad", _pooled(op, "orig_input_shape", x))
    return x


def pooling_windows(op: OpView) -> tuple[Window, ...]:
    """How the window slides along each dimension."""
    if _data_format(op) == "NCHW_VECT_C":
        raise AttributeValueError("`data_format` NCHW_VECT_C is for quantized numbers; expected NHWC or NCHW")
    rank = _rank(op)
    ksize, strides = _steps(op, "ksize", rank), _steps(op, "strides", rank)
    return tuple(map(Window, ksize, strides, (1,) * rank, paddings(op, rank=rank)))


def _rank(op: OpView) -> int:
    return 5 if _data_format(op) in ("NDHWC", "NCDHW") else 4


def _data_format(op: OpView) -> str:
    """The order of the dimensions; an operation without the attribute has the usual one."""
    data_format: str = op.attrs.get("data_format", "NHWC")
    return data_format


def _steps(op: OpView, name: str, rank: int) -> tuple[Dim, ...]:
    """A number for each dimension: an attribute of `AvgPool`, an input of `MaxPool`, perhaps known only in a run."""
    if name not in op.names:
        return steps(op, name, rank)
    if op.shape(name).dims == ():
        one = op.value(name)
        hint = "" if one is None else f"; write {[1, 1, one, one] if channel_axis(op) == 1 else [1, one, one, 1]}"
        raise ShapeError(f"`{name}` must be 4 positive numbers, one for each dimension, but is one number{hint}")
    numbers = dims_of(op, name)
    if numbers is None:
        return (None,) * 4
    check_steps(name, numbers)
    return numbers


def _pooled(op: OpView, name: str, x: Shape) -> Shape:
    return Shape(slid(name, x, pooling_windows(op)))
