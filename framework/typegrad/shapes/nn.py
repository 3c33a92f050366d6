"""Shape functions of `ops/nn.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape, broadcast, merge_dim
from typegrad.shapes.view import OpView


def softmax(op: OpView) -> Shape:
    """The shape of the logits, which have a last axis."""
    return op.at_least("logits", 1)


def softmax_cross_entropy_with_logits(op: OpView) -> tuple[Shape, Shape]:
    """Features and labels broadcast to a matrix: a loss for each row, and a gradient like the matrix."""
    features, labels = op.shape("features"), op.shape("labels")
    try:
        matrix = broadcast(features, labels)
    except ShapeError:
        raise ShapeError(f"`features` {features} and `labels` {labels} do not broadcast") from None
    if any(shape.rank is not None and shape.rank > 2 for shape in (features, labels)) or matrix.rank not in (None, 2):
        raise ShapeError(f"`features` {features} and `labels` {labels} must broadcast to a matrix [rows, classes]")
    rows, classes = (None, None) if matrix.dims is None else matrix.dims
    return Shape((rows,)), Shape((rows, classes))


def sparse_softmax_cross_entropy_with_logits(op: OpView) -> tuple[Shape, Shape]:
    """A label and a loss for each row."""
    features, labels = op.rank("features", 2), op.rank("labels", 1)
    (rows, classes), (count,) = features.known(), labels.known()
    try:
        rows = merge_dim(rows, count)
    except ShapeError:
        raise ShapeError(f"`features` {features} has {rows} rows, but `labels` {labels} has {count} elements") from None
    if classes == 0:
        raise ShapeError(f"`features` {features} has no classes; there must be at least one")
    return Shape((rows,)), Shape((rows, classes))


def bias_add(op: OpView) -> Shape:
    """The shape of the value, with the bias as long as its channel axis."""
    value, bias = op.at_least("value", _least_rank(op)), op.rank("bias", 1)
    if value.dims is None:
        return value
    axis = _channel_axis(op, value.dims)
    try:
        channels = merge_dim(value.dims[axis], bias.known()[0])
    except ShapeError:
        raise ShapeError(
            f"`bias` {bias} must have an element for each of the {value.dims[axis]} channels of `value` {value} "
            f"({op.attr('data_format')}: axis {axis})"
        ) from None
    return Shape((*value.dims[:axis], channels, *value.dims[axis + 1 :]))


def bias_add_grad(op: OpView) -> Shape:
    """A vector over the channels."""
    dims = op.at_least("out_backprop", _least_rank(op)).dims
    return Shape((None if dims is None else dims[_channel_axis(op, dims)],))


def _least_rank(op: OpView) -> int:
    return 3 if op.attr("data_format") == "NCHW" else 2


def _channel_axis(op: OpView, dims: tuple[Dim, ...]) -> int:
    return 1 if op.attr("data_format") == "NCHW" else len(dims) - 1


def in_top_kv2(op: OpView) -> Shape:
    """An answer for each row."""
    predictions, targets = op.rank("predictions", 2), op.rank("targets", 1)
    op.rank("k", 0)
    rows, count = predictions.known()[0], targets.known()[0]
    try:
        return Shape((merge_dim(rows, count),))
    except ShapeError:
        raise ShapeError(
            f"`predictions` {predictions} has {rows} rows, but `targets` {targets} has {count} elements"
        ) from None
