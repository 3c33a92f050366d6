"""Shape functions of `ops/warp.yaml`: images are [batch, height, width, channels]."""

from __future__ import annotations

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.shapes.resize import check_pixels, new_size
from typegrad.shapes.values import same_number
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import sizes


def crop_and_resize(op: OpView) -> Shape:
    """A crop for each box."""
    _, *pixel, channels = op.rank("image", 4).known()
    check_pixels("image", op.shape("image"), pixel)
    return Shape((_boxes(op), *new_size(op, "crop_size"), channels))


def crop_and_resize_grad_image(op: OpView) -> Shape:
    """The shape in `image_size`."""
    count, *pixel, channels = op.rank("grads", 4).known()
    check_pixels("grads", op.shape("grads"), pixel)
    same_number("grads", "crop", count, "boxes", _boxes(op))
    images = sizes(op, "image_size", 4)
    *_, image_channels = images.known()
    check_pixels("image_size", images, list(images.known()[1:3]))
    same_number("grads", "channel", channels, "channels in `image_size`", image_channels)
    return images


def crop_and_resize_grad_boxes(op: OpView) -> Shape:
    """Four numbers for each box."""
    count, *pixel, channels = op.rank("grads", 4).known()
    _, *image, image_channels = op.rank("image", 4).known()
    check_pixels("grads", op.shape("grads"), pixel)
    check_pixels("image", op.shape("image"), image)
    same_number("grads", "channel", channels, "channels in `image`", image_channels)
    return Shape((same_number("grads", "crop", count, "boxes", _boxes(op)), 4))


def image_projective_transform(op: OpView) -> Shape:
    """The images with the new height and width."""
    if "fill_value" in op.names:
        op.rank("fill_value", 0)
    batch, _, _, channels = op.rank("images", 4).known()
    transforms = op.rank("transforms", 2)
    count, numbers = transforms.known()
    if numbers not in (8, None):
        raise ShapeError(
            f"`transforms` {transforms} must have 8 columns, the rows of a 3 by 3 matrix without its last number, 1; "
            "the last two are 0 in an affine transform"
        )
    if isinstance(count, int) and isinstance(batch, int) and count not in (1, batch):
        raise ShapeError(
            f"`transforms` {transforms} must have one row, or one for each image, of which `images` has {batch}"
        )
    return Shape((batch, *new_size(op, "output_shape"), channels))


def _boxes(op: OpView) -> Dim:
    """The number of boxes."""
    boxes = op.rank("boxes", 2)
    count, numbers = boxes.known()
    if isinstance(numbers, int) and numbers != 4:
        raise ShapeError(f"`boxes` {boxes} must have 4 columns, but has {numbers}")
    return same_number("box_ind", "element", op.rank("box_ind", 1).known()[0], "boxes", count)
