"""Shape functions of `ops/pooling.yaml`."""

from __future__ import annotations

from typegrad.errors import ShapeError
from typegrad.shape import Shape
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import Window, agreed, paddings, sizes, slid, steps


def max_pool(op: OpView) -> Shape:
    """A place for each position of the window."""
    return _pooled(op, "input", op.rank("input", 4), op.attr("explicit_paddings"))


def max_pool_grad(op: OpView) -> Shape:
    """The shape of what was pooled."""
    x = op.rank("orig_input", 4)
    pooled = _pooled(op, "orig_input", x, op.attr("explicit_paddings"))
    agreed(op, "orig_output", pooled)
    agreed(op, "grad", pooled)
    return x


def max_pool_grad_grad(op: OpView) -> Shape:
    """The shape of what pooling gives."""
    x = agreed(op, "grad", op.rank("orig_input", 4))
    return agreed(op, "orig_output", _pooled(op, "orig_input", x))


def avg_pool(op: OpView) -> Shape:
    """A place for each position of the window."""
    return _pooled(op, "value", op.rank("value", 4))


def avg_pool_grad(op: OpView) -> Shape:
    """The shape that the first input spells out."""
    x = sizes(op, "orig_input_shape")
    agreed(op, "grad", _pooled(op, "orig_input_shape", x))
    return x


def pooling_windows(op: OpView, explicit: tuple[int, ...] = ()) -> tuple[Window, ...]:
    """How the window slides along each dimension."""
    if op.attr("data_format") == "NCHW_VECT_C":
        raise ShapeError("`data_format` NCHW_VECT_C is for quantized numbers; expected NHWC or NCHW")
    ksize, strides, edges = steps(op, "ksize"), steps(op, "strides"), paddings(op, explicit)
    if any(edge is not None and max(edge) >= size for edge, size in zip(edges, ksize, strict=True)):
        raise ShapeError(
            f"`explicit_paddings` is {list(explicit)}, but each must be less than the window, "
            f"or some of its places hold nothing: `ksize` is {list(ksize)}"
        )
    return tuple(map(Window, ksize, strides, (1,) * 4, edges))


def _pooled(op: OpView, name: str, x: Shape, explicit: tuple[int, ...] = ()) -> Shape:
    return Shape(slid(name, x, pooling_windows(op, explicit)))
