"""Shape functions of `ops/resize.yaml`: images are [batch, height, width, channels]."""

from __future__ import annotations

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.shapes.values import shape_from
from typegrad.shapes.view import OpView

__all__ = ["check_pixels", "new_size", "resize"]


def resize(op: OpView) -> Shape:
    """The images with the new height and width."""
    _check_positions(op)
    batch, *pixel = op.rank("images", 4).known()
    check_pixels("images", op.shape("images"), pixel)
    return Shape((batch, *new_size(op), pixel[-1]))


def resize_grad(op: OpView) -> Shape:
    """The gradients with the height and width of the images."""
    _check_positions(op)
    batch, *grads, channels = op.rank("grads", 4).known()
    _, *originals, _ = op.rank("original_image", 4).known()
    check_pixels("grads", op.shape("grads"), grads)
    check_pixels("original_image", op.shape("original_image"), originals)
    return Shape((batch, *originals, channels))


def resize_nearest_neighbor_grad(op: OpView) -> Shape:
    """The gradients with the old height and width."""
    batch, _, _, channels = op.rank("grads", 4).known()
    return Shape((batch, *new_size(op), channels))


def scale_and_translate(op: OpView) -> Shape:
    """The images with the new height and width."""
    _check_filter(op)
    return resize(op)


def scale_and_translate_grad(op: OpView) -> Shape:
    """The gradients with the height and width of the images."""
    _check_filter(op)
    batch, _, _, channels = op.rank("grads", 4).known()
    _, height, width, _ = op.rank("original_image", 4).known()
    return Shape((batch, height, width, channels))


def new_size(op: OpView, name: str = "size") -> tuple[Dim, Dim]:
    """The height and width that input `name` holds."""
    dims = shape_from(op, name).dims
    if dims is None:
        return None, None
    if len(dims) != 2 or 0 in dims:
        raise ShapeError(f"`{name}` must hold a height and a width from 1 up, but is {Shape(dims)}")
    return dims[0], dims[1]


def check_pixels(name: str, shape: Shape, dims: list[Dim]) -> None:
    """Refuse images if one of these dimensions is 0."""
    if 0 in dims:
        raise ShapeError(f"`{name}` {shape} has no pixels; only the batch may be empty")


def _check_positions(op: OpView) -> None:
    if op.attrs.get("align_corners") and op.attrs.get("half_pixel_centers"):
        raise AttributeValueError("`align_corners` and `half_pixel_centers` exclude each other, but both are True")


def _check_filter(op: OpView) -> None:
    for vector in ("scale", "translation"):
        length = op.rank(vector, 1).known()[0]
        if isinstance(length, int) and length != 2:
            raise ShapeError(f"`{vector}` must have 2 elements, for rows and columns, but has {length}")
