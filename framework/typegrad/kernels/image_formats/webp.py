"""WebP: libwebp decompresses, through Pillow."""

from __future__ import annotations

from typing import Final

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.image_formats.pillow import check_size, opened, pixels
from typegrad.kernels.namespace import Array

_NAMES: Final = {3: "RGB", 4: "RGBA"}


def frames(file: bytes, channels: int, *, first_only: bool = False) -> Array:
    """The frames, of shape [frames, height, width, 3], or 4 where the file has transparency."""
    width, height = _size(file)
    check_size("WebP file", height, width)
    picture = opened("WebP", "WebPImagePlugin", file)
    if channels and picture.mode != _NAMES.get(channels):
        own = 3 if picture.mode == "RGB" else 4
        raise InvalidArgumentError(f"the WebP file has {own} channels, but `channels` is {channels}; 0 takes them")
    count: int = 1 if first_only else picture.n_frames
    check_size("WebP file", count, height, width)
    array = np.empty((count, height, width, len(picture.mode)), np.uint8)
    for number in range(count):
        picture.seek(number)
        array[number] = pixels("WebP", picture)
    return array


def _size(file: bytes) -> tuple[int, int]:
    """Width and height, which three kinds of header state each in its own way."""
    kind, start = file[12:16], int.from_bytes(file[20:30], "little")
    if len(file) < 30 or kind not in (b"VP8 ", b"VP8L", b"VP8X"):
        raise InvalidArgumentError(f"not a sound WebP: the header of its {len(file)} bytes states no size")
    if kind == b"VP8 ":
        return start >> 48 & 0x3FFF, start >> 64 & 0x3FFF
    if kind == b"VP8L":
        return (start >> 8 & 0x3FFF) + 1, (start >> 22 & 0x3FFF) + 1
    return (start >> 32 & 0xFFFFFF) + 1, (start >> 56 & 0xFFFFFF) + 1
