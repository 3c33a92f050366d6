"""Kernels of `ops/image_files.yaml`. Pillow decompresses; `typegrad.kernels.image_formats` says what files mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import numpy as np

from typegrad.base.brief import counted, either
from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.checks import ints
from typegrad.kernels.image_formats import bmp, gif, jpeg, png, webp
from typegrad.kernels.namespace import Array, DType, Namespace

_Format: TypeAlias = Literal["BMP", "GIF", "JPEG", "PNG", "WebP"]

_BEGINNINGS: Final[Mapping[_Format, bytes]] = {
    "BMP": b"BM",
    "GIF": b"GIF8",
    "JPEG": b"\xff\xd8\xff",
    "PNG": png.SIGNATURE,
    "WebP": b"RIFF",
}


def decode_bmp(xp: Namespace, contents: Array, *, channels: int) -> Array:
    """The pixels of a BMP file."""
    file, _ = _file(contents, "BMP")
    return bmp.decoded(file, channels)


def decode_gif(xp: Namespace, contents: Array) -> Array:
    """The frames of a GIF file, or the one of another."""
    file, kind = _file(contents, "GIF", "JPEG", "PNG", "WebP")
    if kind == "GIF":
        return gif.frames(file)
    if kind == "WebP":
        return webp.frames(file, 3)
    return _still(file, kind, 3)[None]


def decode_webp(xp: Namespace, contents: Array, *, channels: int) -> Array:
    """The frames of a WebP file."""
    file, _ = _file(contents, "WebP")
    return webp.frames(file, channels)


def decode_jpeg(xp: Namespace, contents: Array, *, channels: int, ratio: int) -> Array:
    """The pixels of a JPEG file, or another without frames."""
    file, kind = _file(contents, "JPEG", "PNG", "GIF")
    return jpeg.decoded(file, channels, ratio) if kind == "JPEG" else _still(file, kind, channels)


def decode_and_crop_jpeg(xp: Namespace, contents: Array, crop_window: Array, *, channels: int, ratio: int) -> Array:
    """A part of the pixels of a JPEG file."""
    file, _ = _file(contents, "JPEG")
    image = jpeg.decoded(file, channels, ratio)
    top, left, height, width = ints(crop_window)
    rows, columns = image.shape[:2]
    if top + height > rows or left + width > columns:
        raise InvalidArgumentError(
            f"`crop_window` is {crop_window.tolist()}, [top, left, height, width], which is not inside of the image of "
            f"{counted(rows, 'row')} and {counted(columns, 'column')}"
        )
    return image[top : top + height, left : left + width].copy()


def decode_png(xp: Namespace, contents: Array, *, channels: int, dtype: DType) -> Array:
    """The pixels of a PNG file, or another without frames."""
    file, kind = _file(contents, "PNG", "JPEG", "GIF")
    return _converted(file, kind, channels, dtype)


def decode_image(xp: Namespace, contents: Array, *, channels: int, dtype: DType, expand_animations: bool) -> Array:
    """The pixels of a file, or its frames where the format has frames."""
    file, kind = _file(contents, *_BEGINNINGS)
    if kind == "WebP" and dtype != np.uint8:
        raise InvalidArgumentError(f"a WebP file is decoded to uint8; `dtype` is {dtype}: use dtypes.Cast behind it")
    if kind not in ("GIF", "WebP"):
        return _converted(file, kind, channels, dtype)
    if kind == "WebP":
        frames = webp.frames(file, channels, first_only=not expand_animations)
    else:
        _check_gif(channels)
        frames = _scaled(gif.frames(file, first_only=not expand_animations), dtype)
    return frames if expand_animations else frames[0]


def extract_jpeg_shape(xp: Namespace, contents: Array, *, output_type: DType) -> Array:
    """Height, width and components, from the header."""
    file, _ = _file(contents, "JPEG")
    head = jpeg.header(file)
    return xp.asarray([head.height, head.width, head.components], dtype=output_type)


def _file(contents: Array, *formats: _Format) -> tuple[bytes, _Format]:
    """The bytes of a file, which must have one of these formats."""
    file: bytes = contents.item()
    kind = next((name for name, beginning in _BEGINNINGS.items() if file.startswith(beginning)), None)
    if kind == "WebP" and file[8:12] != b"WEBP":
        kind = None
    if kind in formats:
        return file, kind
    known, unknown = f"a {kind} file, which image.DecodeImage decodes", f"no image file: it begins with {file[:8]!r}"
    raise InvalidArgumentError(f"`contents` must be a {either(formats)} file, but is {known if kind else unknown}")


def _converted(file: bytes, kind: _Format, channels: int, dtype: DType) -> Array:
    """The pixels of a file without frames, in an element type."""
    if kind == "PNG":
        levels = png.decoded(file, channels, wide=dtype != np.uint8)
        return levels if dtype.kind == "u" else _unit(levels)
    return _scaled(_still(file, kind, channels), dtype)


def _still(file: bytes, kind: _Format, channels: int) -> Array:
    """The pixels of a file without frames."""
    if kind == "JPEG":
        return jpeg.decoded(file, channels)
    if kind == "BMP":
        return bmp.decoded(file, channels)
    if kind == "PNG":
        return png.decoded(file, channels, wide=False)
    _check_gif(channels)
    frame: Array = gif.frames(file, most=1)[0]
    return frame


def _check_gif(channels: int) -> None:
    if channels not in (0, 3):
        raise InvalidArgumentError(f"a GIF file has 3 channels, but `channels` is {channels}")


def _scaled(levels: Array, dtype: DType) -> Array:
    """Levels of 8 bits in another element type."""
    if dtype == np.uint8:
        return levels
    if dtype == np.uint16:
        return levels.astype(np.uint16) << 8
    return _unit(levels)


def _unit(levels: Array) -> Array:
    """Levels as numbers from 0 to 1."""
    numbers: Array = levels * np.float32(1 / np.iinfo(levels.dtype).max)
    return numbers


# Encoding


def encode_png(xp: Namespace, image: Array, *, compression: int) -> Array:
    """A PNG file of each image."""
    batch = image.shape[:-3]
    if 0 in image.shape[-3:-1]:
        raise InvalidArgumentError(f"an image without pixels cannot be encoded: `image` has shape {list(image.shape)}")
    files = np.empty(batch, object)
    files.reshape(-1)[:] = [png.encoded(each, compression) for each in image.reshape(-1, *image.shape[-3:])]
    return files


def encode_jpeg(
    xp: Namespace,
    image: Array,
    *,
    quality: int,
    progressive: bool,
    optimize_size: bool,
    chroma_downsampling: bool,
    density_unit: str,
    x_density: int,
    y_density: int,
    xmp_metadata: str,
) -> Array:
    """A JPEG file of an image."""
    file = jpeg.encoded(
        image,
        quality=quality,
        progressive=progressive,
        optimize_size=optimize_size,
        chroma_downsampling=chroma_downsampling,
        density_unit=density_unit,
        x_density=x_density,
        y_density=y_density,
        xmp_metadata=xmp_metadata.encode(),
    )
    return xp.full((), file, object)


def encode_jpeg_variable_quality(xp: Namespace, images: Array, quality: Array) -> Array:
    """A JPEG file of an image."""
    level = int(quality)
    if not 0 <= level <= 100:
        raise InvalidArgumentError(f"`quality` must be from 0 to 100, but is {level}")
    return xp.full((), jpeg.encoded(images, quality=level), object)
