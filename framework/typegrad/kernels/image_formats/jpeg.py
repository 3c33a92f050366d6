"""JPEG: libjpeg-turbo decompresses, through Pillow, which gets the segments that matter for the pixels."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.image_formats.pillow import check_size, jpeg_of, opened, pixels
from typegrad.kernels.namespace import Array

_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The markers of segments that state size and number of components."""
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""The markers that begin no segment."""
_SCAN: Final = 0xDA
_MOST_SCANS: Final = 100
"""How often a file may go over all pixels; ten times is usual. A short file can do so for hours."""
_END: Final = 0xD9
_COMMENT: Final = 0xFE
_DENSITY: Final = 13
"""Where the unit of the density is, after which come the densities."""
_UNITS: Final = {"in": 1, "cm": 2}


class Header(NamedTuple):
    """What the segments before the pixels say."""

    height: int
    width: int
    components: int
    is_adobe: bool
    """Whether a segment says that Adobe's conventions apply: ink is inverted."""
    file: bytes
    """The file without comments and metadata."""


def header(file: bytes) -> Header:
    """Read the segments before the pixels."""
    kept, place, size, marker, is_adobe = [file[:2]], 2, (0, 0, 0), 0, False
    while place + 4 <= len(file):
        if file[place] != 0xFF or file[place + 1] in (0x00, 0xFF):
            place += 1
            continue
        marker = file[place + 1]
        if marker in _ALONE or marker == _END:
            place += 2
            continue
        end = place + 2 + int.from_bytes(file[place + 2 : place + 4], "big")
        segment = file[place:end]
        if marker == _SCAN:
            break
        if marker in _FRAMES and len(segment) >= 10:
            size = int.from_bytes(segment[5:7], "big"), int.from_bytes(segment[7:9], "big"), segment[9]
        is_adobe = is_adobe or (marker == 0xEE and segment[4:9] == b"Adobe")
        if not (0xE0 <= marker <= 0xEF or marker == _COMMENT) or segment[4:9] in (b"JFIF\0", b"Adobe"):
            kept.append(segment)
        place = end
    if marker != _SCAN or not all(size):
        raise InvalidArgumentError(f"not a sound JPEG: nothing in its {len(file)} bytes says how many pixels follow")
    return Header(*size, is_adobe, b"".join([*kept, file[place:]]))


def decoded(file: bytes, channels: int, ratio: int = 1) -> Array:
    """The pixels, of shape [height, width, channels], scaled down by `ratio`."""
    head = header(file)
    channels = channels or min(head.components, 3)
    if channels > 3:
        raise InvalidArgumentError("a JPEG file has no transparency: `channels` must be 0, 1 or 3")
    if head.components == 4 and channels == 1:
        raise InvalidArgumentError(
            "a JPEG file of four inks (CMYK) cannot be decoded to grey: `channels` must be 0 or 3"
        )
    check_size("JPEG file", head.height, head.width)
    if file.count(bytes([0xFF, _SCAN])) > _MOST_SCANS:
        raise InvalidArgumentError(f"the JPEG file goes over its pixels more than {_MOST_SCANS} times")
    picture = opened("JPEG", "JpegImagePlugin", head.file)
    # Pillow scales down as far as the size stays at least this one, which is so small that `ratio` is reached exactly.
    least = head.width / (ratio + 0.5), head.height / (ratio + 0.5)
    picture.draft("L" if channels == 1 else None, least)
    array = pixels("JPEG", picture)
    if head.components == 4:
        return _without_inks(255 - array, is_inverted=head.is_adobe)
    return np.repeat(array[..., None], channels, axis=-1) if array.ndim < 3 else array


def _without_inks(inks: Array, *, is_inverted: bool) -> Array:
    """Red, green and blue of cyan, magenta, yellow and black."""
    light = inks.astype(np.uint16) if is_inverted else 255 - inks.astype(np.uint16)
    return (light[..., :3] * light[..., 3:] // 255).astype(np.uint8)


def encoded(
    image: Array,
    *,
    quality: int,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: bytes = b"",
) -> bytes:
    """A file of an array of shape [height, width, channels]."""
    is_grey = image.shape[-1] == 1
    file = bytearray(
        jpeg_of(
            image[..., 0] if is_grey else image,
            quality=max(quality, 1),
            progressive=progressive,
            optimize=optimize_size,
            subsampling="4:2:0" if chroma_downsampling and not is_grey else "4:4:4",
            dpi=(x_density, y_density),
            xmp=xmp_metadata,
        )
    )
    file[_DENSITY] = _UNITS[density_unit]
    return bytes(file)
