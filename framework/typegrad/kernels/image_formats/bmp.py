"""BMP: uncompressed pixels of 8, 24 or 32 bits, which need no Pillow."""

from __future__ import annotations

import struct

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array

_HEADER = struct.Struct("<10xi4xiihh")
"""Where the pixels begin; width, height, planes, bits."""


def decoded(file: bytes, channels: int) -> Array:
    """The pixels, of shape [height, width, channels]; 8 bits are a level of grey, whatever the palette says."""
    if channels == 1:
        raise InvalidArgumentError("a BMP file is not decoded to grey: `channels` must be 0, 3 or 4")
    if len(file) < _HEADER.size + 2:
        raise InvalidArgumentError(f"the BMP file has {len(file)} bytes, which is too short for its header")
    start, width, height, _, bits = _HEADER.unpack_from(file)
    if bits not in (8, 24, 32):
        raise InvalidArgumentError(f"the BMP file has {bits} bits per pixel, but must have 8, 24 or 32")
    own = bits // 8
    row = -(-own * width // 4) * 4
    if width <= 0 or height == 0 or start < _HEADER.size or start + row * abs(height) != len(file):
        raise InvalidArgumentError(
            f"the header of the BMP file promises {width} by {abs(height)} pixels of {bits} bits from byte {start} on, "
            f"but the file has {len(file)} bytes"
        )
    rows = np.frombuffer(file, np.uint8, offset=start).reshape(abs(height), row)
    image = rows[:, : own * width].reshape(abs(height), width, own)
    image = image[::-1] if height > 0 else image
    image = np.concatenate([image[..., 2::-1], image[..., 3:]], axis=-1)  # blue comes first
    return _with_channels(image, channels or own)


def _with_channels(image: Array, channels: int) -> Array:
    if image.shape[-1] == 1:
        image = np.repeat(image, min(channels, 3), axis=-1)
    if image.shape[-1] < channels:
        opaque = np.full((*image.shape[:-1], 1), 255, np.uint8)
        image = np.concatenate([image, opaque], axis=-1)
    return np.ascontiguousarray(image[..., :channels])
