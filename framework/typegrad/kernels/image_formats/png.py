"""PNG: Pillow decompresses and undoes the filters; samples, transparency and grey levels follow libpng."""

from __future__ import annotations

import struct
import zlib
from typing import Any, Final, NamedTuple

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.image_formats.pillow import check_size, opened, pixels
from typegrad.kernels.namespace import Array
from typegrad.kernels.windows import padded

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_HEADER: Final = struct.Struct(">IIBBBBB")
"""Width, height, bits of a sample, kind, compression, filters, interlacing."""
_GREY, _COLOUR, _PALETTE, _GREY_ALPHA, _COLOUR_ALPHA = 0, 2, 3, 4, 6
_KINDS: Final = (_GREY, _GREY_ALPHA, _COLOUR, _COLOUR_ALPHA)
"""The kinds with 1, 2, 3 and 4 samples for each pixel."""
_DEPTHS: Final = {_GREY: (1, 2, 4, 8, 16), _PALETTE: (1, 2, 4, 8), **dict.fromkeys((_COLOUR, 4, 6), (8, 16))}
_WEIGHTS: Final = (9797, 19234, 3737)
"""Of red, green and blue in grey: 0.299, 0.587 and 0.114, times 2 to the power 15."""
_SRGB: Final = 45455
_LINEAR: Final = 100000
"""The gamma of numbers that are proportional to light, in the format's units."""


class _Header(NamedTuple):
    """The parts of a file that decide what its pixels are."""

    width: int
    height: int
    depth: int
    kind: int
    interlacing: int
    palette: bytes
    transparency: bytes | None
    gamma: int
    data: bytes


def decoded(file: bytes, channels: int, *, wide: bool) -> Array:
    """The pixels, of shape [height, width, channels], as uint16 if they are `wide`, otherwise as uint8."""
    head = _header(file)
    check_size("PNG file", head.height, head.width)
    samples = _samples(head)
    colour, alpha = _parts(head, samples)
    count = channels or _own_channels(head)
    if count < 3 and colour.shape[-1] == 3:
        colour = _grey(colour, head, wide=wide)
    elif count > 2 and colour.shape[-1] == 1:
        colour = np.repeat(colour, 3, axis=-1)
    image = colour
    if count in (2, 4):
        image = np.concatenate([colour, _opaque(head, colour) if alpha is None else alpha[..., None]], axis=-1)
    if wide:
        return image if image.dtype == np.uint16 else image * np.uint16(257)
    return image if image.dtype == np.uint8 else (image >> 8).astype(np.uint8)


def _opaque(head: _Header, colour: Array) -> Array:
    """Alpha for a file without it: the largest number that a sample of the file can be, as TensorFlow has it."""
    return np.full((*colour.shape[:-1], 1), 2**head.depth - 1, colour.dtype)


def _own_channels(head: _Header) -> int:
    if head.kind == _PALETTE:
        return 3 if head.transparency is None else 4
    return _KINDS.index(head.kind) + 1


def _header(file: bytes) -> _Header:
    """Read the chunks that matter."""
    chunks = _chunks(file)
    first = chunks.get(b"IHDR", b"")
    if len(first) != _HEADER.size:
        raise InvalidArgumentError("not a sound PNG: it has no header")
    width, height, depth, kind, compression, filters, interlacing = _HEADER.unpack(first)
    is_known = depth in _DEPTHS.get(kind, ()) and not compression and not filters and interlacing < 2
    if not (is_known and 0 < width < 2**31 and 0 < height < 2**31):
        raise InvalidArgumentError(
            f"not a sound PNG: its header says {width} by {height} pixels of kind {kind} with {depth} bits"
        )
    palette = chunks.get(b"PLTE", b"")
    if kind == _PALETTE and (not palette or len(palette) % 3 or len(palette) > 768):
        raise InvalidArgumentError(f"not a sound PNG: its palette has {len(palette)} bytes")
    gamma = chunks.get(b"gAMA", b"")
    return _Header(
        width,
        height,
        depth,
        kind,
        interlacing,
        palette,
        chunks.get(b"tRNS"),
        _SRGB if b"sRGB" in chunks else int.from_bytes(gamma, "big") if len(gamma) == 4 else _LINEAR,
        chunks.get(b"IDAT", b""),
    )


def _chunks(file: bytes) -> dict[bytes, bytes]:
    """The contents of the chunks by name, the pieces of the pixels together."""
    chunks: dict[bytes, bytes] = {}
    pieces: list[bytes] = []
    place, name = len(SIGNATURE), b""
    while name != b"IEND":
        size, name = int.from_bytes(file[place : place + 4], "big"), file[place + 4 : place + 8]
        content, check = file[place + 8 : place + 8 + size], file[place + 8 + size : place + 12 + size]
        if len(check) < 4:
            raise InvalidArgumentError(f"not a sound PNG: it ends after {len(file)} bytes, in chunk {name!r}")
        is_sound, is_critical = zlib.crc32(name + content) == int.from_bytes(check, "big"), not name[0] & 32
        if is_critical and not (is_sound and name in (b"IHDR", b"PLTE", b"IDAT", b"IEND")):
            raise InvalidArgumentError(f"not a sound PNG: chunk {name!r} is damaged or not known")
        if name == b"IDAT":
            pieces.append(content)
        elif is_sound:
            chunks.setdefault(name, content)
        place += 12 + size
    return chunks | {b"IDAT": b"".join(pieces)}


def _samples(head: _Header) -> Array:
    """The samples as they are in the file, indices and levels of few bits as uint8."""
    if head.depth < 16:
        samples = _decompressed(head, head.kind, head.depth)
        samples = samples * np.uint8(255) if samples.dtype == bool else samples
    elif head.kind == _GREY:
        samples = _decompressed(head, _GREY, 16).astype(np.uint16)
    elif head.kind == _GREY_ALPHA:  # Pillow has no such pixels, but pixels of four bytes have the same filters
        samples = _decompressed(head, _COLOUR_ALPHA, 8).view(">u2").astype(np.uint16)
    else:
        mode = "RGB" if head.kind == _COLOUR else "RGBA"
        high, low = (_decompressed(head, head.kind, 16, f"{mode};16{order}") for order in "BL")
        samples = high.astype(np.uint16) << 8 | low
    return samples.reshape(head.height, head.width, -1)


def _decompressed(head: _Header, kind: int, depth: int, order: str = "") -> Array:
    """The pixels that Pillow makes of a file with nothing but pixels; `order` says which bytes of samples it takes."""
    first = _HEADER.pack(head.width, head.height, depth, kind, 0, 0, head.interlacing)
    palette = [_chunk(b"PLTE", head.palette)] if kind == _PALETTE else []
    file = [SIGNATURE, _chunk(b"IHDR", first), *palette, _chunk(b"IDAT", head.data), _chunk(b"IEND", b"")]
    picture = opened("PNG", "PngImagePlugin", b"".join(file))
    if order:
        picture.tile = [tile._replace(args=order) for tile in picture.tile]
    return pixels("PNG", picture)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _parts(head: _Header, samples: Array) -> tuple[Array, Array | None]:
    """The levels of colours, and of transparency if the file has any."""
    if head.kind == _PALETTE:
        table = np.zeros((256, 4), np.uint8)
        table[:, 3] = 255
        colours = np.frombuffer(head.palette, np.uint8).reshape(-1, 3)
        table[: len(colours), :3] = colours
        transparency = np.frombuffer(head.transparency or b"", np.uint8)[:256]
        table[: len(transparency), 3] = transparency
        shown = table[samples[..., 0]]
        return shown[..., :3], None if head.transparency is None else shown[..., 3]
    if head.kind in (_GREY_ALPHA, _COLOUR_ALPHA):
        return samples[..., :-1], samples[..., -1]
    if head.transparency is None or len(head.transparency) != 2 * samples.shape[-1]:
        return samples, None
    key = np.frombuffer(head.transparency, ">u2") & (2**head.depth - 1)
    key = key * (255 // (2**head.depth - 1) if head.depth < 8 else 1)
    full = np.iinfo(samples.dtype).max
    return samples, np.where(np.all(samples == key, axis=-1), 0, full).astype(samples.dtype)


def _grey(colour: Array, head: _Header, *, wide: bool) -> Array:
    """Levels of grey; a file that states a gamma has the weighted mean of light instead of the mean of levels."""
    is_wide = colour.dtype == np.uint16
    if not head.gamma or abs(head.gamma - _LINEAR) <= 5000:
        return _weighted(colour, 1 << 14 if is_wide else 0)
    shift = 5 if is_wide and not wide else 0  # libpng has small tables where the low byte does not matter
    light = _powers(colour.dtype, shift, round(_LINEAR * _LINEAR / head.gamma) / _LINEAR)[colour >> shift]
    grey = _powers(colour.dtype, shift, head.gamma / _LINEAR)[_weighted(light, 1 << 14) >> shift]
    is_grey = (colour[..., :1] == colour[..., 1:2]) & (colour[..., :1] == colour[..., 2:])
    return np.where(is_grey, colour[..., :1], grey)


def _weighted(colour: Array, half: int) -> Array:
    """The weighted sum of red, green and blue, as a last dimension of size 1."""
    total = np.full((*colour.shape[:-1], 1), half, np.uint32)
    for channel, weight in enumerate(_WEIGHTS):
        total += colour[..., channel : channel + 1] * np.uint32(weight)
    return (total >> 15).astype(colour.dtype)


def _powers(dtype: np.dtype[Any], shift: int, exponent: float) -> Array:
    """A table of levels without their low bits, to a power, with 1 for the largest level."""
    top = np.iinfo(dtype).max
    levels = np.arange((top >> shift) + 1) / (top >> shift)
    return np.floor(levels**exponent * top + 0.5).astype(dtype)


# Encoding


def encoded(image: Array, compression: int) -> bytes:
    """A file of an array of shape [height, width, channels], of uint8 or uint16."""
    height, width, channels = image.shape
    depth = 8 * image.itemsize
    levels = np.ascontiguousarray(image.astype(image.dtype.newbyteorder(">")))
    rows = levels.view(np.uint8).reshape(height, -1)
    first = _HEADER.pack(width, height, depth, _KINDS[channels - 1], 0, 0, 0)
    data = zlib.compress(_filtered(rows, channels * image.itemsize).tobytes(), compression)
    return b"".join([SIGNATURE, _chunk(b"IHDR", first), _chunk(b"IDAT", data), _chunk(b"IEND", b"")])


def _filtered(rows: Array, step: int) -> Array:
    """The rows behind the filter that leaves each the smallest differences; `step` bytes are a pixel."""
    around = padded(rows, ((1, 0), (step, 0)))
    left, up, corner = around[1:, :-step], around[:-1, step:], around[:-1, :-step]
    candidates = np.stack([rows, rows - left, rows - up, rows - _mean(left, up), rows - _nearest(left, up, corner)])
    costs = np.sum(np.minimum(candidates, -candidates), axis=2, dtype=np.uint32)  # distances from 0, modulo 256
    best = np.argmin(costs, axis=0)
    chosen = candidates[best, np.arange(len(rows))]
    return np.concatenate([best[:, None].astype(np.uint8), chosen], axis=1)


def _mean(left: Array, up: Array) -> Array:
    """Half of the sum, rounded down, without a carry."""
    return np.asarray((left & up) + ((left ^ up) >> np.uint8(1)))


def _nearest(left: Array, up: Array, corner: Array) -> Array:
    """Which of the three is nearest to left + up - corner: Paeth's predictor."""
    middle = corner.astype(np.int16)
    down, right = up - middle, left - middle
    to_left, to_up, to_corner = np.abs(down), np.abs(right), np.abs(down + right)
    is_left = (to_left <= to_up) & (to_left <= to_corner)
    return _chosen(is_left, left, _chosen(to_up <= to_corner, up, corner))


def _chosen(condition: Array, x: Array, y: Array) -> Array:
    """`where` without branches, which random conditions make slow."""
    return np.asarray(y ^ ((x ^ y) & -condition.view(np.uint8)))
