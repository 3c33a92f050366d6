"""GIF: Pillow decompresses each frame, as a file of its own; how frames cover each other is decided here."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.image_formats.pillow import check_size, opened, pixels
from typegrad.kernels.namespace import Array

_SIGNATURE: Final = b"GIF89a"
_IMAGE: Final = b","
_EXTENSION: Final = b"!"
_CONTROL: Final = b"\xf9"
"""The label of the extension that says which colour is transparent."""
_TABLE: Final = 0x80
_INTERLACED: Final = 0x40
_SCREEN: Final = struct.Struct("<10xBxx")
_ALONE: Final = struct.Struct("<HH3x")
_DESCRIPTOR: Final = struct.Struct("<HHHHB")
_OPAQUE: Final = -1


class _Frame(NamedTuple):
    left: int
    top: int
    width: int
    height: int
    colours: bytes
    """Red, green and blue of each index."""
    transparent: int
    """The index that shows the frame before."""
    file: bytes
    """A file of this frame alone, without colours."""


class _EndError(Exception):
    """The file ends, or what follows is no frame."""


def frames(file: bytes, *, first_only: bool = False, most: int | None = None) -> Array:
    """The frames, of shape [frames, height, width, 3], each as large as the largest; no more than `most` are allowed.

    Where the file is not sound, it ends; the frames before count.
    """
    decoded = list(_decoded(file))
    if not decoded:
        raise InvalidArgumentError(f"not a sound GIF: its {len(file)} bytes hold no whole frame")
    if most is not None and len(decoded) > most:
        raise InvalidArgumentError(
            f"the GIF file has {len(decoded)} frames, but this operation decodes one; "
            "image.DecodeGif and image.DecodeImage decode all"
        )
    height, width = (max(sizes) for sizes in zip(*(indices.shape for _, indices in decoded), strict=True))
    count = 1 if first_only else len(decoded)
    check_size("GIF file", count, height, width)
    result = np.zeros((count, height, width, 3), np.uint8)
    for number, (frame, indices) in enumerate(decoded[:count]):
        if number:
            result[number] = result[number - 1]
        _draw(result[number], frame, indices)
    return result


def _draw(canvas: Array, frame: _Frame, indices: Array) -> None:
    """Cover the part of a canvas that the frame has; transparent pixels keep what is there."""
    part = canvas[frame.top : frame.top + frame.height, frame.left : frame.left + frame.width]
    indices = indices[: part.shape[0], : part.shape[1]]
    shown = indices != frame.transparent
    colours = np.frombuffer(frame.colours, np.uint8).reshape(-1, 3)
    last = int(np.max(indices, initial=0, where=shown))
    if last >= len(colours):
        raise InvalidArgumentError(f"not a sound GIF: a pixel has colour {last}, but there are {len(colours)} colours")
    part[shown] = colours[indices[shown]]


def _decoded(file: bytes) -> Iterator[tuple[_Frame, Array]]:
    """Each frame with its indices of colours. The pixels are counted before they are decompressed."""
    total = 0
    with suppress(_EndError):
        for frame in _frames(_Reader(file)):
            total += frame.width * frame.height
            check_size("GIF file", total)
            try:
                yield frame, pixels("GIF", opened("GIF", "GifImagePlugin", frame.file))
            except InvalidArgumentError:
                return


def _frames(reader: _Reader) -> Iterator[_Frame]:
    """The frames up to the end of the file; `_EndError` where it is not sound."""
    (flags,) = reader.read(_SCREEN)
    shared = reader.colours(flags)
    transparent: int | None = None
    while (block := reader.take(1)) in (_EXTENSION, _IMAGE):
        if block == _EXTENSION:
            label, blocks = reader.take(1), reader.blocks()
            if label == _CONTROL and transparent is None and blocks[:1] == b"\4":
                transparent = blocks[4] if blocks[1] & 1 else _OPAQUE
            continue
        left, top, width, height, flags = reader.read(_DESCRIPTOR)
        colours = reader.colours(flags) or shared
        data = reader.take(1) + reader.blocks()
        if not width or not height:
            return
        if not colours:
            raise InvalidArgumentError("not a sound GIF: a frame has no colours")
        alone = _SIGNATURE + _ALONE.pack(width, height) + _IMAGE
        alone += _DESCRIPTOR.pack(0, 0, width, height, flags & _INTERLACED) + data
        yield _Frame(left, top, width, height, colours, _OPAQUE if transparent is None else transparent, alone)
        transparent = None


class _Reader:
    """Reads a file from its beginning; `_EndError` where it ends too early."""

    def __init__(self, file: bytes) -> None:
        self._file = file
        self._place = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        start, self._place = self._place, self._place + count
        if self._place > len(self._file):
            raise _EndError
        return self._file[start : self._place]

    def read(self, form: struct.Struct) -> tuple[int, ...]:
        """The next numbers."""
        return form.unpack(self.take(form.size))

    def colours(self, flags: int) -> bytes:
        """The table of colours, if the flags say that there is one."""
        return self.take(3 << (flags & 7) + 1) if flags & _TABLE else b""

    def blocks(self) -> bytes:
        """The next blocks with their lengths, up to the empty one."""
        start = self._place
        while size := self.take(1)[0]:
            self.take(size)
        return self._file[start : self._place]
