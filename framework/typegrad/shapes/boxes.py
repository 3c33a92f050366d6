"""Shape functions of `ops/boxes.yaml`."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import SCALAR, Dim, Shape
from typegrad.base.size import times
from typegrad.shapes.values import same_number, size_of
from typegrad.shapes.view import OpView


def non_max_suppression_v5(op: OpView) -> tuple[Shape, ...]:
    """Vectors of the selected boxes, and their number."""
    boxes = op.rank("boxes", 2)
    _check_four(boxes.known()[1], f"`boxes` {boxes} must have 4 columns")
    same_number("scores", "element", op.rank("scores", 1).known()[0], "boxes", boxes.known()[0])
    _scalars(op, "iou_threshold", "score_threshold", "soft_nms_sigma")
    most = _size(op, "max_output_size", 0)
    selected = Shape((most if op.attr("pad_to_max_output_size") else None,))
    return selected, selected, SCALAR


def non_max_suppression_with_overlaps(op: OpView) -> Shape:
    """A vector of the selected elements."""
    overlaps = op.rank("overlaps", 2)
    rows = same_number("overlaps", "row", overlaps.known()[0], "columns", overlaps.known()[1])
    same_number("scores", "element", op.rank("scores", 1).known()[0], "rows of `overlaps`", rows)
    _scalars(op, "overlap_threshold", "score_threshold")
    _size(op, "max_output_size", 0)
    return Shape((None,))


def combined_non_max_suppression(op: OpView) -> tuple[Shape, ...]:
    """The selected boxes with scores and classes for each image, and their number."""
    boxes, scores = op.rank("boxes", 4), op.rank("scores", 3)
    batch, count, own, numbers = boxes.known()
    _check_four(numbers, f"`boxes` {boxes} must have 4 as their last dimension")
    images, rows, classes = scores.known()
    batch = same_number("scores", "image", images, "images in `boxes`", batch)
    same_number("scores", "row", rows, "boxes of an image", count)
    if isinstance(own, int) and isinstance(classes, int) and own not in (1, classes):
        raise ShapeError(f"`boxes` {boxes} must have 1 or {classes}, the number of classes, as dimension 2")
    _scalars(op, "iou_threshold", "score_threshold")
    per_class, total = (_size(op, name, 1) for name in ("max_output_size_per_class", "max_total_size"))
    if op.attr("pad_per_class"):
        limit = times((per_class, classes))
        total = min(total, limit) if isinstance(total, int) and isinstance(limit, int) else None
    return Shape((batch, total, 4)), Shape((batch, total)), Shape((batch, total)), Shape((batch,))


def nearest_neighbors(op: OpView) -> tuple[Shape, Shape]:
    """The nearest centers of each point."""
    points, size = op.rank("points", 2).known()
    centers, other = op.rank("centers", 2).known()
    same_number("centers", "column", other, "coordinates of each point", size)
    if points == 0:
        raise ShapeError(f"`points` {op.shape('points')} must hold at least one point")
    k = _size(op, "k", 0)
    nearest = Shape((points, min(k, centers) if isinstance(k, int) and isinstance(centers, int) else None))
    return nearest, nearest


def draw_bounding_boxes_v2(op: OpView) -> Shape:
    """The shape of the images."""
    images, boxes, colors = op.rank("images", 4), op.rank("boxes", 3), op.rank("colors", 2)
    batch, _, _, depth = images.known()
    if isinstance(depth, int) and depth not in (1, 3, 4):
        raise ShapeError(f"`images` {images} must have 1, 3 or 4 channels, but have {depth}")
    count, _, numbers = boxes.known()
    _check_four(numbers, f"`boxes` {boxes} must have 4 as their last dimension")
    batch = same_number("boxes", "list", count, "images", batch)
    channels = colors.known()[1]
    if isinstance(channels, int) and isinstance(depth, int) and channels < depth:
        raise ShapeError(f"`colors` {colors} must have a column for each channel of `images`, which has {depth}")
    return Shape((batch, *images.known()[1:]))


def _size(op: OpView, name: str, least: int) -> Dim:
    size = size_of(op, name)
    if isinstance(size, int) and size < least:
        raise ShapeError(f"`{name}` must be {least} or more, but is {size}")
    return size


def _scalars(op: OpView, *names: str) -> None:
    for name in names:
        op.rank(name, 0)


def _check_four(dim: Dim, message: str) -> None:
    if isinstance(dim, int) and dim != 4:
        raise ShapeError(f"{message}, but has {dim}")
