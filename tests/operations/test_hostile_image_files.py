"""Image files from strangers: whatever they hold, there is an image or an error with the operation's name, soon, and
within the memory that the limit of pixels allows.
"""

from __future__ import annotations

import random
import struct
import tracemalloc
import zlib
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from typing import Any, Final

import pytest

import typegrad as tg
from cases.image_files import COLOUR_JPEG, GIF, INKS_JPEG, LOSSY_WEBP, PALETTE_PNG, STILL_GIF, WEBP, bmp, png
from typegrad.op import core, image

FILES: Final = (COLOUR_JPEG, INKS_JPEG, PALETTE_PNG, png(2, 16), png(6, 8), GIF, STILL_GIF, WEBP, LOSSY_WEBP, bmp(24))
DAMAGED: Final = 30
"""How often each file is damaged."""


def damaged(file: bytes, draw: random.Random) -> bytes:
    """A file with some bytes changed, left out or added."""
    content = bytearray(file)
    start, length = draw.randrange(len(content)), draw.choice((1, 1, 4, 20, len(content)))
    added = draw.choice((b"", b"\0", b"\xff" * 4, draw.randbytes(length)))
    content[start : start + draw.choice((0, len(added), length))] = added
    return _with_checksums(bytes(content)) if draw.random() < 0.5 else bytes(content)


def _with_checksums(file: bytes) -> bytes:
    """The chunks of a PNG file with sums that are right, so that damage is not seen at once; other files unchanged."""
    if not file.startswith(b"\x89PNG"):
        return file
    parts, place = [file[:8]], 8
    while place < len(file):
        (size,) = struct.unpack_from(">I", file[place : place + 4].ljust(4, b"\0"))
        content = file[place + 4 : place + 8 + size]
        parts.append(struct.pack(">I", size) + content + struct.pack(">I", zlib.crc32(content)))
        place += 12 + size
    return b"".join(parts)


def strangers() -> Iterator[bytes]:
    """Damaged files, and bytes that begin like files."""
    draw = random.Random(0)
    for file in FILES:
        yield from (damaged(file, draw) for _ in range(DAMAGED))
        yield file[:12] + draw.randbytes(3000)
        yield file[:12] + b"\0" * 3000
    yield draw.randbytes(30_000)


def test_whatever_a_file_holds_is_decoded_or_refused(capfd: pytest.CaptureFixture[str]) -> None:
    scope = tg.Scope(tg.Graph())
    file = core.Placeholder.create(scope, tg.TString, ())
    decoded = image.DecodeImage.create(scope.with_name("decoded"), file, tg.TUint8)
    refusals: list[tg.InvalidArgumentError] = []
    with tg.Session(scope.graph) as session:
        for content in strangers():
            try:
                session.run(decoded, {file: content})
            except tg.InvalidArgumentError as error:
                refusals.append(error)
    assert 30 < len(refusals) < len(FILES) * DAMAGED - 30
    assert {str(each).partition(" (created at ")[0] for each in refusals} == {"DecodeImage 'decoded'"}
    by_chance = [each for each in refusals if not isinstance(each.__cause__, tg.InvalidArgumentError)]
    assert not by_chance, by_chance[0]
    assert capfd.readouterr() == ("", "")


def _png(width: int, height: int, bits: int, kind: int, data: bytes) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _jpeg(height: int, width: int) -> bytes:
    """The file of two colours, with another size in its header."""
    at = COLOUR_JPEG.index(b"\xff\xc0") + 5
    return COLOUR_JPEG[:at] + struct.pack(">HH", height, width) + COLOUR_JPEG[at + 4 :]


def _gif(size: int) -> bytes:
    """A file of one square frame, without the end."""
    file = BytesIO()
    import_module("PIL.Image").new("P", (size, size)).save(file, "GIF")
    return file.getvalue()[:-1]


LARGE_FRAME: Final = b",\0\0\0\0\xff\xff\xff\xff\0\2\2\x44\1\0"
SMALL_FRAME: Final = b",\0\0\0\0\1\0\1\0\0\2\2\x44\1\0"
SCREEN: Final = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff"
LARGE_WEBP: Final = b"RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x12\0\0\0\xff\xff\xff\xff\xff\xff"

PROMISES: Final = {
    "png": (_png(2**31 - 1, 2**31 - 1, 16, 6, b""), "the PNG file has 2147483647 by 2147483647 pixels"),
    "jpeg": (_jpeg(65500, 65500), "the JPEG file has 65500 by 65500 pixels"),
    "gif": (SCREEN + LARGE_FRAME + b";", "the GIF file has 4294836225 pixels"),
    "gif of frames": (
        _gif(1024) + SMALL_FRAME * 300 + b";",
        "the GIF file has 301 by 1024 by 1024 pixels",
    ),
    "webp": (LARGE_WEBP, "the WebP file has 16777216 by 16777216 pixels"),
}
"""Short files of many pixels."""


@pytest.mark.parametrize("name", PROMISES)
def test_a_file_that_promises_too_many_pixels_takes_no_memory(name: str) -> None:
    file, message = PROMISES[name]
    scope = tg.Scope(tg.Graph())
    decoded = image.DecodeImage.create(scope, file, tg.TUint8)
    with tg.Session(scope.graph) as session:
        tracemalloc.start()
        with pytest.raises(tg.InvalidArgumentError) as raised:
            session.run(decoded)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    expected = f"{message}, more than 89478485, PIL.Image.MAX_IMAGE_PIXELS; raise this limit if you trust the file"
    assert expected in str(raised.value) and peak < 20_000_000


def test_the_limit_is_pillow_s(monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("PIL.Image")
    scope = tg.Scope(tg.Graph())
    decoded = image.DecodeJpeg.create(scope, COLOUR_JPEG)
    with tg.Session(scope.graph) as session:
        monkeypatch.setattr(module, "MAX_IMAGE_PIXELS", 9 * 17 - 1)
        with pytest.raises(
            tg.InvalidArgumentError, match=r"9 by 17 pixels, more than 152, PIL\.Image\.MAX_IMAGE_PIXELS"
        ):
            session.run(decoded)
        for limit in (9 * 17, None):
            monkeypatch.setattr(module, "MAX_IMAGE_PIXELS", limit)
            assert session.run(decoded).shape == (9, 17, 3)


UNSOUND: Final[list[tuple[bytes, str]]] = [
    (COLOUR_JPEG[:300], "not a sound JPEG: image file is truncated"),
    (COLOUR_JPEG[:60], "not a sound JPEG: nothing in its 60 bytes says how many pixels follow"),
    (COLOUR_JPEG + b"\xff\xda" * 100, "the JPEG file goes over its pixels more than 100 times"),
    (png(2, 8)[:60], "not a sound PNG: it ends after 60 bytes, in chunk b'IDAT'"),
    (png(2, 8).replace(b"IHDR", b"IHDS"), "not a sound PNG: chunk b'IHDS' is damaged or not known"),
    (_png(0, 3, 8, 2, b""), "not a sound PNG: its header says 0 by 3 pixels of kind 2 with 8 bits"),
    (_png(3, 3, 4, 2, b""), "not a sound PNG: its header says 3 by 3 pixels of kind 2 with 4 bits"),
    (_png(3, 3, 8, 3, b""), "not a sound PNG: its palette has 0 bytes"),
    (_png(3, 3, 8, 2, b""), "not a sound PNG: image file is truncated"),
    (png(2, 8).replace(b"IHDR", b"tEXt"), "not a sound PNG: it has no header"),
    (GIF[:40], "not a sound GIF: its 40 bytes hold no whole frame"),
    (GIF[:6] + b"\0" * 100, "not a sound GIF: its 106 bytes hold no whole frame"),
    (SCREEN.replace(b"\x80", b"\0")[:13] + SMALL_FRAME + b";", "not a sound GIF: a frame has no colours"),
    (SCREEN + b",\0\0\0\0\1\0\1\0\0\2\2\x54\1\0;", "not a sound GIF: a pixel has colour 2, but there are 2 colours"),
    (WEBP[:20], "not a sound WebP: the header of its 20 bytes states no size"),
    (WEBP[:50], "not a sound WebP: "),
    (bmp(24)[:20], "the BMP file has 20 bytes, which is too short for its header"),
    (bmp(16), "the BMP file has 16 bits per pixel, but must have 8, 24 or 32"),
    (bmp(24)[:-1], "the header of the BMP file promises 3 by 2 pixels of 24 bits from byte 54 on, but the file has 77"),
]


@pytest.mark.parametrize(("file", "message"), UNSOUND, ids=range(len(UNSOUND)))
def test_what_is_wrong_with_a_file(file: bytes, message: str) -> None:
    scope = tg.Scope(tg.Graph())
    decoded: Any = image.DecodeImage.create(scope, file, tg.TUint8)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(decoded)
    assert f"): {message}" in str(raised.value)
