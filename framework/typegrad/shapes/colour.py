"""Shape functions of `ops/colour.yaml`: the shape of the images."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView


def adjust_contrastv2(op: OpView) -> Shape:
    """Images of any channels, and a scalar."""
    op.rank("contrast_factor", 0)
    return op.at_least("images", 3)


def adjust_hue(op: OpView) -> Shape:
    """Images of three channels, and a scalar."""
    op.rank("delta", 0)
    return _colours(op, 3)


def adjust_saturation(op: OpView) -> Shape:
    """Images of three channels, and a scalar."""
    op.rank("scale", 0)
    return _colours(op, 3)


def rgb_to_hsv(op: OpView) -> Shape:
    """Three numbers for each colour."""
    return _colours(op, 1)


def _colours(op: OpView, rank: int) -> Shape:
    images = op.at_least("images", rank)
    if images.dims is None:
        return images
    channels = images.dims[-1]
    if isinstance(channels, int) and channels != 3:
        raise ShapeError(f"`images` {images} must have 3 channels, its last dimension, but has {channels}")
    return Shape((*images.dims[:-1], 3))
