"""Cases of `ops/image_files.yaml`. The files are made here, but for those that only a compressor makes."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode
from collections.abc import Iterator
from itertools import cycle
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ints, sample

COLOUR_JPEG: Final = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5a"
    "YVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAAR"
    "CAAJABEDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABQAG/8QAGxABAAEFAQAAAAAAAAAAAAAAAAMFFSIxQWL/xAAWAQEBAQAAAAAA"
    "AAAAAAAAAAAGAgT/xAAYEQADAQEAAAAAAAAAAAAAAAAAAwUVIf/aAAwDAQACEQMRAD8ALgoesCMFD1gZg4Sg4mjUf0xSqDeGesfhNWh/UeKN"
    "Bp//2Q=="
)
"""17 by 9 pixels, with half as many rows and columns of colours."""
GREY_JPEG: Final = b64decode(
    "/9j/4AAQSkZJRgABAQEBLAEsAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5"
    "PTgyPC4zNDL/wAALCAACAAMBASIA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8ASH//2Q=="
)
"""3 by 2 pixels of one level."""
INKS_JPEG: Final = b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlw"
    "ZHhcZWdj/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAYEB//EABwQAAIABwAAAAAAAAAAAAAAAAAEBRYhMUJj"
    "of/aAA4EQwBNAFkASwAAPwAzBsSCVNfBA6/epoB//9k="
)
"""8 by 8 pixels of cyan, magenta, yellow and black."""
PALETTE_PNG: Final = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAcAAAAFBAMAAAEMs9t9AAAAMFBMVEUUO2MD9ppxORMB8mC6Rv+ujUyPXt65jKyvKfKWNe5v6GzZokhQ9ZQz"
    "hGaUHd6Q5Li/Uc1BAAAAD3RSTlPto8fOhWWJ/SRsYb7SS64SUqIIAAAAFElEQVR4nGNsYD7AMos5kXEa45MyFpMYlsvD2RYAAAAVSURBVPxe"
    "5rqFjKVJQuFMfRfvGAAAn8AKnc+O+twAAAAASUVORK5CYII="
)
"""7 by 5 pixels with a palette, transparent colours, filters and interlacing."""
GIF: Final = b64decode(
    "R0lGODlhBgAFAIIAACfU4WNo4lf5tixW5wwuBWSlTJaRxtpv3yH5BAkFAAIALAAAAAAGAAUAAAMSeCcEgUZAYEgUR4FzEmMIADSRACH5BAkF"
    "AAIALAEAAgADAAIAAAMECHUElAAh+QQJBQACACwCAAAABAAFAIKp+BnJK6n+Ipr0kE2QDbcZLTW53n3jVPkDDRg0MIEFI0JIEhCGcgkAIfkE"
    "CQUAAgAsAAAAAAYABQAAAxJIViGHAxFieCJ2gWQhRAglJJIAOw=="
)
"""Four frames of 6 by 5 pixels; two cover a part of the one before, with a transparent colour."""
STILL_GIF: Final = b64decode(
    "R0lGODlhBgAFAIIAACfU4WNo4lf5tixW5wwuBWSlTJaRxtpv3ywAAAAABgAFAEADEmgSJIBWIGUIVHCEBEJlKFYHkQA7"
)
"""One frame, with interlaced rows."""
WEBP: Final = b64decode(
    "UklGRkYAAABXRUJQVlA4TDkAAAAvA4AAEF8wHAKBZIP8MTcg0rah8y/2KbtAINkgf8wNQg8Attxu9xYAgCCARCGWHGZZaZZJI/of2OwA"
)
"""4 by 3 pixels with transparency."""
LOSSY_WEBP: Final = b64decode(
    "UklGRmAAAABXRUJQVlA4IFQAAACQAwCdASoRAAkAPtFYpkwoJSOiMAgBABoJbACdMoADTcX6tkyAAP7pWJewBIBUxkLv7t8++UdeN8Tje+6N"
    "TpT/+xFx3XrMVxqSSVmkhYfGHtqmAAA="
)
"""17 by 9 pixels."""

_SAMPLES: Final = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""How many samples a pixel of a kind has."""
_SRGB: Final = (b"sRGB", b"\0")
_FAST: Final = "TensorFlow decompresses faster and less accurately."
_FRAMES: Final = "TensorFlow returns four dimensions."
_PILLOW: Final = "Pillow does not offer it."
ACCURATE: Final = {"dct_method": "INTEGER_ACCURATE"}


def png(kind: int, depth: int, *chunks: tuple[bytes, bytes], size: tuple[int, int] = (3, 4)) -> bytes:
    """A PNG file of some levels, with these chunks before its pixels; nothing is compressed."""
    height, width = size
    levels = sample(f"uint{max(depth, 8)}", (height, width * _SAMPLES[kind]), high=2**depth - 1, seed=kind + depth)
    if depth < 8:
        bits = np.unpackbits(levels[..., None], axis=-1)[..., 8 - depth :].reshape(height, -1)
        rows = np.packbits(bits, axis=-1)
    else:
        rows = np.ascontiguousarray(levels.astype(levels.dtype.newbyteorder(">"))).view(np.uint8)
    content = np.pad(rows, ((0, 0), (1, 0))).tobytes()
    length = len(content)
    stored = struct.pack("<BBBHH", 0x78, 1, 1, length, ~length & 0xFFFF) + content
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    data = stored + struct.pack(">I", zlib.adler32(content))
    parts = [(b"IHDR", head), *chunks, (b"IDAT", data), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def bmp(bits: int, height: int = 2) -> bytes:
    """A BMP file of 3 by 2 pixels."""
    rows = -(-3 * bits // 32) * 4
    content = sample("uint8", (abs(height) * rows,), high=255, seed=bits).tobytes()
    head = struct.pack("<2sIHHIIiiHHIIiiII", b"BM", 54 + len(content), 0, 0, 54, 40, 3, height, 1, bits, *(0,) * 6)
    return head + content


def file(content: bytes) -> Array:
    """The bytes of a file as a scalar."""
    return np.array(content, object)


NO_FILES: Final = (b"", b"\0" * 30, b"BM", b"GIF89a", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP")
"""Files that end where their format is known."""
PALETTE: Final = (b"PLTE", sample("uint8", (48,), high=255).tobytes())


def decoded_png() -> Iterator[Case]:
    """Every kind of file, with every number of channels and both types; other formats; what is refused."""
    op, turn = "DecodePng", cycle((0, 1, 3, 4))
    for kind, depths in ((0, (1, 2, 4, 8, 16)), (2, (8, 16)), (3, (1, 2, 4, 8)), (4, (8, 16)), (6, (8, 16))):
        for depth in depths:
            palette = [(b"PLTE", sample("uint8", (3 * 2**depth,), high=255).tobytes())] if kind == 3 else []
            for dtype in ("uint8", "uint16"):
                attrs = {"channels": next(turn), "dtype": dtype}
                yield Case(op, (file(png(kind, depth, *palette)),), attrs)
            next(turn)
    for channels in (0, 1, 3, 4):
        yield Case(op, (file(PALETTE_PNG),), {"channels": channels})
    for depth, dtype in ((8, "uint8"), (16, "uint8"), (16, "uint16")):
        yield Case(op, (file(png(2, depth, _SRGB)),), {"channels": 1, "dtype": dtype})
    for kind, depth, level in ((0, 2, 1), (0, 8, 60), (0, 16, 6070)):
        key = (b"tRNS", struct.pack(">H", level))
        yield from (Case(op, (file(png(kind, depth, key)),), {"channels": channels}) for channels in (0, 4))
    yield Case(op, (file(GREY_JPEG),), {"dtype": "uint16"})
    yield Case(op, (file(STILL_GIF),), {"channels": 3})
    yield Case(op, (file(COLOUR_JPEG),), differs=_FAST)
    yield Case(op, (file(WEBP),), differs=_FRAMES, fails=True)
    yield from (
        Case(op, (file(each),), fails=True) for each in (*NO_FILES, bmp(24), GIF, png(2, 8)[:-30], png(2, 8)[:-1])
    )
    yield Case(op, (file(png(3, 2)),), fails=True)
    yield Case(op, (file(png(2, 8).replace(b"IDAT", b"IDOT")),), fails=True)
    for channels in (2, 5, -1):
        yield Case(op, (file(png(2, 8)),), {"channels": channels}, fails=True)
    yield Case(op, (file(png(2, 8))[None],), fails=True)


def decoded_jpeg() -> Iterator[Case]:
    """Colours, grey and inks at every scale; other formats; what is refused."""
    op = "DecodeJpeg"
    for channels, ratio in ((0, 1), (1, 1), (3, 2), (1, 2), (0, 4), (0, 8)):
        yield Case(op, (file(COLOUR_JPEG),), {"channels": channels, "ratio": ratio, **ACCURATE})
    yield from (Case(op, (file(GREY_JPEG),), {"channels": channels}) for channels in (0, 1, 3))
    yield from (Case(op, (file(INKS_JPEG),), {"channels": channels, **ACCURATE}) for channels in (0, 3))
    yield Case(op, (file(INKS_JPEG.replace(b"Adobe", b"Other")),), ACCURATE)
    yield Case(op, (file(png(6, 16)),), {"channels": 4, "ratio": 2})
    yield Case(op, (file(STILL_GIF),))
    yield Case(op, (file(COLOUR_JPEG),), differs=_FAST)
    yield Case(op, (file(WEBP),), differs=_FRAMES, fails=True)
    for attrs in ({"fancy_upscaling": False}, {"try_recover_truncated": True}, {"acceptable_fraction": 0.5}):
        yield Case(op, (file(COLOUR_JPEG),), attrs, differs=_PILLOW, fails=True)
    yield Case(op, (file(COLOUR_JPEG[:-20]),), fails=True)
    wrong: tuple[dict[str, Any], ...] = ({"channels": 4}, {"channels": 2}, {"ratio": 3}, {"dct_method": "FLOAT"})
    yield from (Case(op, (file(COLOUR_JPEG),), attrs, fails=True) for attrs in wrong)
    yield Case(op, (file(INKS_JPEG),), {"channels": 1}, fails=True)
    yield from (Case(op, (file(each),), fails=True) for each in (*NO_FILES, bmp(24), GIF))
    yield Case(op, (file(COLOUR_JPEG)[None],), fails=True)


def cropped_jpeg() -> Iterator[Case]:
    """Parts of images with as many colours as pixels and with fewer, of smaller images, and parts that do not exist."""
    op = "DecodeAndCropJpeg"
    for window in ((0, 0, 8, 8), (2, 3, 5, 4), (7, 7, 1, 1)):
        yield Case(op, (file(INKS_JPEG), ints(*window)), ACCURATE)
    yield Case(op, (file(COLOUR_JPEG), ints(0, 0, 9, 17)), ACCURATE)
    yield Case(op, (file(COLOUR_JPEG), ints(0, 0, 5, 9)), {"ratio": 2, "channels": 3, **ACCURATE})
    yield Case(op, (file(GREY_JPEG), ints(1, 1, 1, 2)), {"channels": 3})
    yield Case(op, (file(COLOUR_JPEG), ints(2, 3, 7, 13)), ACCURATE, differs="TensorFlow interpolates within the part.")
    for outside in ((-1, 0, 2, 2), (0, 0, 10, 17), (0, 1, 9, 17), (0, 0, 0, 3), (0, 0, 3, 0), (1, 2, 3), ()):
        yield Case(op, (file(COLOUR_JPEG), ints(*outside)), fails=True)
    yield Case(op, (file(COLOUR_JPEG), ints(0, 0, 2, 2)[None]), fails=True)
    yield Case(op, (file(COLOUR_JPEG), ints(0, 0, 2, 2)), {"channels": 4}, fails=True)
    yield Case(op, (file(png(2, 8)), ints(0, 0, 2, 2)), fails=True)
    yield Case(op, (file(COLOUR_JPEG[:-60]), ints(0, 0, 9, 17)), fails=True)


def decoded_others() -> Iterator[Case]:
    """BMP of all bits, GIF and WebP with frames, and what is refused."""
    for bits, channels in ((8, 0), (8, 3), (8, 4), (24, 0), (24, 4), (32, 0), (32, 3)):
        yield Case("DecodeBmp", (file(bmp(bits)),), {"channels": channels})
    yield Case("DecodeBmp", (file(bmp(24, -2)),), differs="TensorFlow may abort.")
    yield Case("DecodeBmp", (file(WEBP),), differs=_FRAMES, fails=True)
    for wrong in (*NO_FILES, bmp(16), bmp(1), bmp(24)[:-1], bmp(24) + b"\0", png(2, 8), COLOUR_JPEG, STILL_GIF):
        yield Case("DecodeBmp", (file(wrong),), fails=True)
    yield Case("DecodeBmp", (file(bmp(24)),), {"channels": 1}, fails=True)
    for good in (GIF, STILL_GIF, GIF[:-40], GIF + b"more", png(6, 8), GREY_JPEG, LOSSY_WEBP):
        yield Case("DecodeGif", (file(good),))
    for wrong in (*NO_FILES, GIF[:50], bmp(24), WEBP):
        yield Case("DecodeGif", (file(wrong),), fails=True)
    for content, channels in ((WEBP, 0), (WEBP, 4), (LOSSY_WEBP, 0), (LOSSY_WEBP, 3)):
        yield Case("DecodeWebP", (file(content),), {"channels": channels})
    yield Case("DecodeWebP", (file(png(2, 8)),), differs="TensorFlow returns three dimensions.", fails=True)
    for content, channels in ((WEBP, 3), (LOSSY_WEBP, 4), (WEBP, 1), (GIF, 0), (bmp(24), 0), (WEBP[:-10], 0)):
        yield Case("DecodeWebP", (file(content),), {"channels": channels}, fails=True)
    yield from (Case("DecodeWebP", (file(wrong),), fails=True) for wrong in NO_FILES)


def decoded_any() -> Iterator[Case]:
    """Every format and type, with and without frames, and what is refused."""
    op = "DecodeImage"
    files = (png(2, 8), png(0, 16), png(3, 4, PALETTE), GREY_JPEG, bmp(32), GIF, STILL_GIF)
    for number, content in enumerate(files):
        for dtype in ("uint8", "uint16", "float"):
            yield Case(op, (file(content),), {"dtype": dtype, "expand_animations": bool(number % 2)})
    for content in (GIF, WEBP, LOSSY_WEBP):
        yield from (Case(op, (file(content),), {"expand_animations": expanded}) for expanded in (True, False))
    for content, channels in ((png(2, 8), 1), (png(0, 8), 4), (GREY_JPEG, 3), (bmp(8), 3), (GIF, 3), (WEBP, 4)):
        yield Case(op, (file(content),), {"channels": channels})
    yield Case(op, (file(COLOUR_JPEG),), differs=_FAST)
    for content, channels in ((GREY_JPEG, 4), (bmp(8), 1), (GIF, 1), (GIF, 4), (WEBP, 3), (png(2, 8), 2)):
        yield Case(op, (file(content),), {"channels": channels}, fails=True)
    yield Case(op, (file(WEBP),), {"dtype": "float"}, fails=True)
    yield from (Case(op, (file(wrong),), fails=True) for wrong in NO_FILES)
    yield Case(op, (file(png(2, 8))[None],), fails=True)


def shapes_of_jpeg() -> Iterator[Case]:
    """Every number of components, a file whose pixels are cut off, and what has no shape."""
    op = "ExtractJpegShape"
    for content in (COLOUR_JPEG, GREY_JPEG, INKS_JPEG, COLOUR_JPEG[:-30]):
        yield from (Case(op, (file(content),), {"output_type": dtype}) for dtype in ("int32", "int64"))
    yield from (Case(op, (file(wrong),), fails=True) for wrong in (*NO_FILES, COLOUR_JPEG[:200], png(2, 8), GIF))
    yield Case(op, (file(COLOUR_JPEG)[None],), fails=True)


def encoded() -> Iterator[Case]:
    """Every option, type and number of channels, batches, and what is refused."""
    for dtype in ("uint8", "uint16"):
        for channels in (1, 2, 3, 4):
            yield Case(
                "EncodePng", (sample(dtype, (3, 4, channels), high=2**8 - 1),), {"compression": channels * 3 - 4}
            )
        yield Case("EncodePng", (sample(dtype, (2, 2, 3, 4, 3), high=2**8 - 1),))
        yield Case("EncodePng", (sample(dtype, (0, 3, 4, 3)),))
    for shape in ((3, 4), (3, 4, 5), (3, 4, 0), (0, 4, 3), (2, 0, 4, 3)):
        yield Case("EncodePng", (sample("uint8", shape),), fails=True)
    for compression in (-2, 10):
        yield Case("EncodePng", (sample("uint8", (3, 4, 1)),), {"compression": compression}, fails=True)
    image, grey = sample("uint8", (9, 17, 3), high=255), sample("uint8", (9, 17, 1), high=255)
    options: tuple[dict[str, Any], ...] = (
        {"quality": 0},
        {"quality": 100},
        {"quality": 30, "progressive": True},
        {"optimize_size": True, "progressive": True},
        {"chroma_downsampling": False},
        {"density_unit": "cm", "x_density": 10, "y_density": 65535},
        {"xmp_metadata": "<x:xmpmeta/>"},
    )
    for attrs in options:
        yield from (Case("EncodeJpeg", (each,), attrs) for each in (image, grey))
    yield Case("EncodeJpeg", (image,), {"format": "rgb"})
    yield Case("EncodeJpeg", (grey,), {"format": "grayscale"})
    yield from (Case("EncodeJpegVariableQuality", (each, np.int32(20))) for each in (image, grey))
    for shape in ((3, 4), (3, 4, 2), (3, 4, 4), (0, 4, 3), (1, 3, 4, 3)):
        yield Case("EncodeJpeg", (sample("uint8", shape),), fails=True)
        yield Case("EncodeJpegVariableQuality", (sample("uint8", shape), np.int32(50)), fails=True)
    yield from (Case("EncodeJpeg", (image,), {"quality": quality}, fails=True) for quality in (-1, 101))
    yield from (Case("EncodeJpegVariableQuality", (image, np.int32(quality)), fails=True) for quality in (-1, 101))
    yield Case("EncodeJpeg", (image,), {"format": "grayscale"}, fails=True)
    yield Case("EncodeJpeg", (grey,), {"format": "rgb"}, fails=True)


CASES: list[Case] = [
    *decoded_png(),
    *decoded_jpeg(),
    *cropped_jpeg(),
    *decoded_others(),
    *decoded_any(),
    *shapes_of_jpeg(),
    *encoded(),
]
