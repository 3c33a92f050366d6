"""Shape functions of `ops/fractional_pooling.yaml`."""

from __future__ import annotations

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.base.size import plus
from typegrad.shapes.narrow import rounded
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import agreed, sizes


def fractional_pool(op: OpView) -> tuple[Shape, Shape, Shape]:
    """The images, divided by the ratios, and the edges of windows."""
    x, ratios = op.rank("value", 4), op.attr("pooling_ratio")
    if len(ratios) != 4 or (ratios[0], ratios[3]) != (1, 1) or not all(ratio >= 1 for ratio in ratios):
        raise AttributeValueError(
            f"`pooling_ratio` must be [1, rows, columns, 1] with numbers from 1 up, but is {list(ratios)}"
        )
    if (op.attr("seed") or op.attr("seed2")) and not op.attr("deterministic"):
        raise AttributeValueError("`seed` and `seed2` need deterministic=True")
    batch, height, width, channels = x.known()
    if 0 in x.known():
        raise ShapeError(f"`value` {x} must have elements")
    rows, columns = (_pooled(x, dim, ratio) for dim, ratio in ((height, ratios[1]), (width, ratios[2])))
    return Shape((batch, rows, columns, channels)), Shape((plus((rows, 1)),)), Shape((plus((columns, 1)),))


def _pooled(x: Shape, dim: Dim, ratio: float) -> Dim:
    if ratio == 1 or not isinstance(dim, int):
        return dim if ratio == 1 else None
    if ratio > dim:
        raise ShapeError(f"`pooling_ratio` has {ratio}, but a dimension of `value` {x} has only {dim} elements")
    return pooled_size(dim, ratio)


def pooled_size(size: int, ratio: float) -> int:
    """The quotient in float32, the type of attributes, rounded down."""
    return int(rounded(rounded(size, "f") / rounded(ratio, "f"), "f"))


def fractional_max_pool_grad(op: OpView) -> Shape:
    """The images."""
    x = op.rank("orig_input", 4)
    _check(op, agreed(op, "orig_output", op.rank("out_backprop", 4)), x)
    return x


def fractional_avg_pool_grad(op: OpView) -> Shape:
    """The requested shape."""
    x = sizes(op, "orig_input_tensor_shape")
    _check(op, op.rank("out_backprop", 4), x)
    return x


def _check(op: OpView, pooled: Shape, x: Shape) -> None:
    """Refuse sequences that do not fit the pooled images, and pooled images of another batch or other channels."""
    rows, columns = pooled.known()[1:3]
    agreed(op, "out_backprop", Shape((x.known()[0], rows, columns, x.known()[3])))
    for name, count in (("row_pooling_sequence", rows), ("col_pooling_sequence", columns)):
        agreed(op, name, Shape((plus((count, 1)),)))
