"""Shape functions of `ops/ctc.yaml`."""

from __future__ import annotations

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape, merge_dim
from typegrad.shapes.view import OpView


def ctc_loss(op: OpView) -> tuple[Shape, Shape]:
    """A loss for each element of the batch, and the logits."""
    logits = _logits(op)
    rows, columns = op.rank("labels_indices", 2).known()
    if isinstance(columns, int) and columns != 2:
        raise ShapeError(f"`labels_indices` must have 2 columns, batch and position, but has {columns}")
    (count,) = op.rank("labels_values", 1).known()
    try:
        merge_dim(rows, count)
    except ShapeError:
        raise ShapeError(
            f"`labels_indices` has {counted(rows, 'row')}, but `labels_values` has {counted(count, 'element')}"
        ) from None
    return Shape((logits.known()[1],)), logits


def ctc_greedy_decoder(op: OpView) -> tuple[Shape, ...]:
    """Labels, as many as there are, and a number for each element of the batch."""
    logits, blank = _logits(op), op.attr("blank_index")
    classes = logits.known()[2]
    if isinstance(classes, int) and not -classes <= blank < classes:
        raise ShapeError(f"`blank_index` must be from {-classes} to {classes - 1}, but is {blank}")
    return *_labels(1), Shape((logits.known()[1], 1))


def ctc_beam_search_decoder(op: OpView) -> tuple[Shape, ...]:
    """Labels for each result, and its probability."""
    count, width = op.attr("top_paths"), op.attr("beam_width")
    if count > width:
        raise AttributeValueError(
            f"`top_paths` is {count}, but a beam of `beam_width` {width} has no more than {counted(width, 'path')}"
        )
    return *_labels(count), Shape((_logits(op).known()[1], count))


def _labels(count: int) -> tuple[Shape, ...]:
    return (Shape((None, 2)),) * count + (Shape((None,)),) * count + (Shape((2,)),) * count


def _logits(op: OpView) -> Shape:
    """The logits, which have elements, and a length for each element of their batch."""
    x = op.rank("inputs", 3)
    if 0 in x.known():
        raise ShapeError(f"`inputs` {x} must have elements")
    time, batch, classes = x.known()
    (lengths,) = op.rank("sequence_length", 1).known()
    try:
        return Shape((time, merge_dim(batch, lengths), classes))
    except ShapeError:
        hint = "; linalg.Transpose by (1, 0, 2) would fit" if lengths == time else ""
        raise ShapeError(
            f"`sequence_length` has {counted(lengths, 'element')}, but `inputs` {x} is [time, batch, classes], with a "
            f"batch of {batch}{hint}"
        ) from None
