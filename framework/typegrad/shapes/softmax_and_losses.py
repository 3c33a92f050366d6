"""Shape functions of `ops/softmax_and_losses.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, broadcast, merge_dim
from typegrad.shapes.values import check_indices
from typegrad.shapes.view import OpView


def softmax(op: OpView) -> Shape:
    """The shape of the logits, which have a last axis."""
    return op.at_least("logits", 1)


def softmax_cross_entropy_with_logits(op: OpView) -> tuple[Shape, Shape]:
    """Features and labels broadcast to a matrix: a loss for each row, and a gradient like the matrix."""
    features, labels = op.shape("features"), op.shape("labels")
    try:
        matrix = broadcast(*(Shape((None, None)) if shape.dims is None else shape for shape in (features, labels)))
    except ShapeError:
        are_numbers = (features.rank, labels.rank) == (2, 1)
        remedy = "; nn.SparseSoftmaxCrossEntropyWithLogits takes class numbers" if are_numbers else ""
        raise ShapeError(f"`features` {features} and `labels` {labels} do not broadcast{remedy}") from None
    if any(shape.rank is not None and shape.rank > 2 for shape in (features, labels)) or matrix.rank != 2:
        raise ShapeError(f"`features` {features} and `labels` {labels} must broadcast to a matrix [rows, classes]")
    return Shape(matrix.known()[:1]), matrix


def sparse_softmax_cross_entropy_with_logits(op: OpView) -> tuple[Shape, Shape]:
    """A label and a loss for each row."""
    features, labels = op.rank("features", 2), op.rank("labels", 1)
    (rows, classes), (count,) = features.known(), labels.known()
    try:
        rows = merge_dim(rows, count)
    except ShapeError:
        raise ShapeError(
            f"`features` {features} has {counted(rows, 'row')}, but `labels` {labels} has {counted(count, 'element')}"
        ) from None
    if classes == 0:
        raise ShapeError(f"`features` {features} has no classes; there must be at least one")
    check_indices(op, "labels", classes, "the number of classes")
    return Shape((rows,)), Shape((rows, classes))
