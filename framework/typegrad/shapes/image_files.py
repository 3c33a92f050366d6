"""Shape functions of `ops/image_files.yaml`: a file is a scalar, its size known only in the run."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from typegrad.base.brief import either
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.shapes.values import dims_of
from typegrad.shapes.view import OpView


def decode_bmp(op: OpView) -> Shape:
    """One image."""
    return _image(op, _channels(op, (0, 3, 4)))


def decode_gif(op: OpView) -> Shape:
    """Frames of three channels."""
    op.rank("contents", 0)
    return Shape((None, None, None, 3))


def decode_webp(op: OpView) -> Shape:
    """Frames."""
    op.rank("contents", 0)
    return Shape((None, None, None, _channels(op, (0, 3, 4))))


def decode_jpeg(op: OpView) -> Shape:
    """One image."""
    _check_decompression(op)
    return _image(op, _channels(op))


def decode_and_crop_jpeg(op: OpView) -> Shape:
    """A part of an image, of the size that is requested."""
    _check_decompression(op)
    _image(op, None)
    window = dims_of(op, "crop_window")
    if window is None:
        window = (None,) * 4
    if len(window) != 4:
        raise ShapeError(f"`crop_window` must be [top, left, height, width], but has {len(window)} elements")
    known = [each for each in window if isinstance(each, int)]
    if min(known, default=0) < 0 or 0 in window[2:]:
        raise ShapeError(
            f"`crop_window` is {Shape(window)}, but must be [top, left, height, width] of at least a pixel"
        )
    return Shape((*window[2:], _channels(op, (0, 1, 3))))


def decode_png(op: OpView) -> Shape:
    """One image."""
    return _image(op, _channels(op))


def decode_image(op: OpView) -> Shape:
    """One image, unless the file may have frames."""
    image = _image(op, _channels(op))
    return UNKNOWN if op.attr("expand_animations") else image


def extract_jpeg_shape(op: OpView) -> Shape:
    """Three numbers."""
    op.rank("contents", 0)
    return Shape((3,))


def encode_png(op: OpView) -> Shape:
    """A file for each image."""
    image = op.at_least("image", 3)
    _check_image("image", image, (1, 2, 3, 4))
    if not -1 <= op.attr("compression") <= 9:
        raise AttributeValueError(f"`compression` is {op.attr('compression')}, but must be in [-1, 9]")
    return UNKNOWN if image.dims is None else Shape(image.dims[:-3])


def encode_jpeg(op: OpView) -> Shape:
    """A file."""
    expected = {"grayscale": (1,), "rgb": (3,)}.get(op.attr("format"), (1, 3))
    _check_image("image", op.rank("image", 3), expected)
    if not 0 <= op.attr("quality") <= 100:
        raise AttributeValueError(f"`quality` is {op.attr('quality')}, but must be in [0, 100]")
    for name in ("x_density", "y_density"):
        if not 0 <= op.attr(name) < 2**16:
            raise AttributeValueError(f"`{name}` is {op.attr(name)}, but must be in [0, 65535]: files have 16 bits")
    return Shape(())


def encode_jpeg_variable_quality(op: OpView) -> Shape:
    """A file."""
    op.rank("quality", 0)
    _check_image("images", op.rank("images", 3), (1, 3))
    return Shape(())


def _image(op: OpView, channels: Dim) -> Shape:
    op.rank("contents", 0)
    return Shape((None, None, channels))


def _channels(op: OpView, allowed: Collection[int] = (0, 1, 3, 4)) -> Dim:
    """The number of channels, if the file does not decide."""
    channels: int = op.attr("channels")
    if channels not in allowed:
        raise AttributeValueError(
            f"`channels` is {channels}, but must be one of {', '.join(map(str, sorted(allowed)))}; 0 takes the file's"
        )
    return channels or None


def _check_decompression(op: OpView) -> None:
    """Refuse what libjpeg does not offer, and what it offers but Pillow does not."""
    if op.attr("ratio") not in (1, 2, 4, 8):
        raise AttributeValueError(f"`ratio` is {op.attr('ratio')}, but must be 1, 2, 4 or 8")
    methods = ("", "INTEGER_FAST", "INTEGER_ACCURATE")
    if op.attr("dct_method") not in methods:
        raise AttributeValueError(
            f"`dct_method` is {op.attr('dct_method')!r}, but must be one of {', '.join(map(repr, methods))}"
        )
    for name, is_supported in (
        ("fancy_upscaling", op.attr("fancy_upscaling")),
        ("try_recover_truncated", not op.attr("try_recover_truncated")),
        ("acceptable_fraction", op.attr("acceptable_fraction") >= 1),
    ):
        if not is_supported:
            raise AttributeValueError(
                f"`{name}` is {op.attr(name)}, which Pillow does not offer: it interpolates colours, and refuses files "
                "that are cut off"
            )


def _check_image(name: str, image: Shape, channels: Sequence[int]) -> None:
    """Refuse an image of other channels, and of no pixels unless it is one of a batch."""
    if image.dims is None:
        return
    last = image.dims[-1]
    if isinstance(last, int) and last not in channels:
        noun = "channel" if channels == (1,) else "channels"
        raise ShapeError(f"`{name}` {image} must have {either(channels)} {noun}, its last dimension, but has {last}")
    if len(image.dims) == 3 and 0 in image.dims:
        raise ShapeError(f"`{name}` {image} has no pixels; a file has at least one")
