"""Image files beside Pillow: what is decoded, what an encoded file holds, what is refused, and who needs Pillow."""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib import import_module
from io import BytesIO
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from cases.image_files import COLOUR_JPEG, GIF, INKS_JPEG, STILL_GIF, WEBP, bmp, png
from support.recording import Array
from support.samples import sample
from typegrad.op import core, image

Image: Final[Any] = import_module("PIL.Image")

COLOURS: Final = sample("uint8", (9, 11, 4), high=255)


def run(operation: Any, *inputs: Any, **attributes: Any) -> Any:
    """The value of an operation in a graph of its own."""
    scope = tg.Scope(tg.Graph())
    with tg.Session(scope.graph) as session:
        return session.run(operation.create(scope, *inputs, **attributes))


def saved(pixels: Array, kind: str, **options: Any) -> bytes:
    """A file that Pillow writes."""
    file = BytesIO()
    Image.fromarray(pixels).save(file, kind, **options)
    return file.getvalue()


def loaded(file: Any) -> Array:
    """What Pillow reads."""
    with Image.open(BytesIO(file.item())) as picture:
        return np.array(picture)


@pytest.mark.parametrize(
    ("operation", "kind", "options"),
    [
        (image.DecodePng, "PNG", {}),
        (image.DecodePng, "PNG", {"optimize": True}),
        (image.DecodeBmp, "BMP", {}),
        (image.DecodeJpeg, "JPEG", {}),
        (image.DecodeJpeg, "JPEG", {"progressive": True, "subsampling": 1, "quality": 30}),
    ],
)
def test_what_pillow_writes(operation: Any, kind: str, options: dict[str, Any]) -> None:
    file = saved(COLOURS[..., :3], kind, **options)
    assert np.array_equal(run(operation, file), loaded(np.array(file, object)))


def test_frames_that_pillow_writes() -> None:
    frames = [Image.fromarray(COLOURS[number:, :, :3]).resize((5, 4)).quantize(6) for number in range(3)]
    file = BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    expected = np.stack([np.array(each.convert("RGB")) for each in frames])
    assert np.array_equal(run(image.DecodeGif, file.getvalue()), expected)
    file = BytesIO()
    pictures = [Image.fromarray(np.roll(COLOURS, number)) for number in range(3)]
    pictures[0].save(file, "WEBP", save_all=True, append_images=pictures[1:], lossless=True)
    decoded = run(image.DecodeWebP, file.getvalue())
    with Image.open(file) as picture:
        for number, frame in enumerate(decoded):
            picture.seek(number)
            assert np.array_equal(frame, np.array(picture))
    assert len(decoded) == 3


def test_what_pillow_reads() -> None:
    assert np.array_equal(loaded(run(image.EncodePng, COLOURS)), COLOURS)
    wide = sample("uint16", (3, 4, 1), high=65535)
    assert np.array_equal(loaded(run(image.EncodePng, wide)), wide[..., 0])
    smooth = np.tile(np.arange(0, 240, 8, dtype=np.uint8)[:, None, None], (1, 30, 3))
    options = {"quality": 90, "progressive": True, "density_unit": "cm", "x_density": 7, "xmp_metadata": "<x/>"}
    file = run(image.EncodeJpeg, smooth, **options)
    with Image.open(BytesIO(file.item())) as picture:
        assert (picture.info["jfif_unit"], picture.info["jfif_density"]) == (2, (7, 300))
        assert picture.info["progressive"] and picture.info["xmp"] == b"<x/>"
        assert np.max(np.abs(np.array(picture).astype(int) - smooth)) <= 4


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png_loses_nothing(dtype: str, channels: int) -> None:
    pixels = sample(dtype, (2, 7, 5, channels), high=np.iinfo(dtype).max)
    files = run(image.EncodePng, pixels)
    element = tg.TUint8 if dtype == "uint8" else tg.TUint16
    assert files.shape == (2,)
    for file, expected in zip(files, pixels, strict=True):
        assert np.array_equal(run(image.DecodePng, file, element), expected)


def test_a_file_that_pillow_s_own_buffer_is_too_small_for(capfd: pytest.CaptureFixture[str]) -> None:
    noise = sample("uint8", (300, 300, 3), high=255)
    file = run(image.EncodeJpeg, noise, quality=100, progressive=True, chroma_downsampling=False)
    assert loaded(file).shape == noise.shape and not capfd.readouterr().err
    assert import_module("PIL.ImageFile").MAXBLOCK == 65536


def test_the_shape_that_is_known_before_the_run() -> None:
    scope = tg.Scope(tg.Graph())
    file = core.Placeholder.create(scope, tg.TString, ())
    assert image.DecodePng.create(scope, file, channels=3).shape == (None, None, 3)
    assert image.DecodePng.create(scope, file).shape == (None, None, None)
    assert image.DecodeAndCropJpeg.create(scope, file, [0, 1, 5, 7], channels=1).shape == (5, 7, 1)
    assert image.DecodeImage.create(scope, file, channels=3).shape.dims is None
    assert image.DecodeImage.create(scope, file, channels=3, expand_animations=False).shape == (None, None, 3)
    assert image.DecodeGif.create(scope, file).shape == (None, None, None, 3)
    assert image.ExtractJpegShape.create(scope, file).shape == (3,)
    batch = core.Placeholder.create(scope, tg.TUint8, ("Batch", None, None, 3))
    assert image.EncodePng.create(scope, batch).shape == ("Batch",)


FILE: Final = "must be one of 0, 1, 3, 4; 0 takes the file's"
PILLOW: Final = "which Pillow does not offer: it interpolates colours, and refuses files that are cut off"

NEVER: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], str]]] = [
    (image.DecodePng, (b"",), {"channels": 2}, f"`channels` is 2, but {FILE}"),
    (image.DecodeBmp, (b"",), {"channels": 1}, "`channels` is 1, but must be one of 0, 3, 4; 0 takes the file's"),
    (image.DecodeJpeg, (b"",), {"ratio": 3}, "`ratio` is 3, but must be 1, 2, 4 or 8"),
    (
        image.DecodeJpeg,
        (b"",),
        {"dct_method": "FAST"},
        "`dct_method` is 'FAST', but must be one of '', 'INTEGER_FAST', 'INTEGER_ACCURATE'",
    ),
    (image.DecodeJpeg, (b"",), {"fancy_upscaling": False}, f"`fancy_upscaling` is False, {PILLOW}"),
    (image.DecodeJpeg, (b"",), {"try_recover_truncated": True}, f"`try_recover_truncated` is True, {PILLOW}"),
    (image.DecodeJpeg, (b"",), {"acceptable_fraction": 0.5}, f"`acceptable_fraction` is 0.5, {PILLOW}"),
    (
        image.DecodeAndCropJpeg,
        (b"", [0, 0, 2]),
        {},
        "`crop_window` must be [top, left, height, width], but has 3 elements",
    ),
    (
        image.DecodeAndCropJpeg,
        (b"", [0, -1, 2, 2]),
        {},
        "`crop_window` is [0, -1, 2, 2], but must be [top, left, height, width] of at least a pixel",
    ),
    (image.DecodeGif, ([b"", b""],), {}, "`contents` must have rank 0, but has shape [2]"),
    (image.EncodePng, (COLOURS,), {"compression": 10}, "`compression` is 10, but must be in [-1, 9]"),
    (
        image.EncodePng,
        (COLOURS[None, ..., None].repeat(5, axis=-1),),
        {},
        "`image` [1, 9, 11, 4, 5] must have 1, 2, 3 or 4 channels, its last dimension, but has 5",
    ),
    (image.EncodePng, (COLOURS[:0],), {}, "`image` [0, 11, 4] has no pixels; a file has at least one"),
    (image.EncodeJpeg, (COLOURS,), {}, "`image` [9, 11, 4] must have 1 or 3 channels, its last dimension, but has 4"),
    (
        image.EncodeJpeg,
        (COLOURS[..., :3],),
        {"format": "grayscale"},
        "`image` [9, 11, 3] must have 1 channel, its last dimension, but has 3",
    ),
    (image.EncodeJpeg, (COLOURS[..., :3],), {"quality": 101}, "`quality` is 101, but must be in [0, 100]"),
    (
        image.EncodeJpeg,
        (COLOURS[..., :3],),
        {"x_density": 65536},
        "`x_density` is 65536, but must be in [0, 65535]: files have 16 bits",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), NEVER)
def test_what_is_refused_before_the_run(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str
) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        operation.create(scope, *inputs, **attributes)
    assert f"): {message}" in str(raised.value)


REFUSED: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], str]]] = [
    (
        image.DecodeBmp,
        (GIF,),
        {},
        "`contents` must be a BMP file, but is a GIF file, which image.DecodeImage decodes",
    ),
    (
        image.DecodePng,
        (b"%PDF-1.7",),
        {},
        "`contents` must be a PNG, JPEG or GIF file, but is no image file: it begins with b'%PDF-1.7'",
    ),
    (
        image.DecodePng,
        (GIF,),
        {},
        "the GIF file has 4 frames, but this operation decodes one; image.DecodeGif and image.DecodeImage decode all",
    ),
    (image.DecodeImage, (STILL_GIF,), {"channels": 1}, "a GIF file has 3 channels, but `channels` is 1"),
    (image.DecodeImage, (bmp(8),), {"channels": 1}, "a BMP file is not decoded to grey: `channels` must be 0, 3 or 4"),
    (
        image.DecodeJpeg,
        (COLOUR_JPEG,),
        {"channels": 4},
        "a JPEG file has no transparency: `channels` must be 0, 1 or 3",
    ),
    (
        image.DecodeJpeg,
        (INKS_JPEG,),
        {"channels": 1},
        "a JPEG file of four inks (CMYK) cannot be decoded to grey: `channels` must be 0 or 3",
    ),
    (image.DecodeWebP, (WEBP,), {"channels": 3}, "the WebP file has 4 channels, but `channels` is 3; 0 takes them"),
    (
        image.DecodeImage,
        (WEBP, tg.TFloat32),
        {},
        "a WebP file is decoded to uint8; `dtype` is float32: use dtypes.Cast behind it",
    ),
    (
        image.DecodeAndCropJpeg,
        (COLOUR_JPEG, [4, 0, 6, 2]),
        {},
        "`crop_window` is [4, 0, 6, 2], [top, left, height, width], which is not inside of the image of 9 rows and",
    ),
    (image.EncodeJpegVariableQuality, (COLOURS[..., :3], -1), {}, "`quality` must be from 0 to 100, but is -1"),
    (
        image.EncodePng,
        (COLOURS[None, :0],),
        {},
        "an image without pixels cannot be encoded: `image` has shape [1, 0, 11, 4]",
    ),
    (
        image.EncodeJpeg,
        (COLOURS[..., :3],),
        {"xmp_metadata": "x" * 70_000},
        "Pillow cannot encode the image: XMP data is too long",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), REFUSED)
def test_what_a_run_refuses(operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str) -> None:
    with pytest.raises(tg.InvalidArgumentError) as raised:
        run(operation, *inputs, **attributes)
    assert str(raised.value).startswith(f"{operation.OP_NAME} '{operation.OP_NAME}' (created at {__file__}:")
    assert f"): {message}" in str(raised.value)


def test_threads_decode_and_encode_at_the_same_time() -> None:
    scope = tg.Scope(tg.Graph())
    file = image.EncodeJpeg.create(scope, COLOURS[..., :3], progressive=True)
    decoded = image.DecodeJpeg.create(scope, file)
    results: list[Any] = []
    with tg.Session(scope.graph) as session:
        threads = [threading.Thread(target=lambda: results.append(session.run(decoded))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(results) == 8 and all(np.array_equal(each, results[0]) for each in results)


WITHOUT_PILLOW: Final = """
import sys
import typegrad as tg
from typegrad.op import core, image

sys.modules["PIL"] = None
scope = tg.Scope(tg.Graph())
pixels = core.Constant.create(scope, [[[1, 2, 3]]], tg.TUint8)
file = image.EncodePng.create(scope, pixels)
with tg.Session(scope.graph) as session:
    assert session.run(file).item().startswith(b"\\x89PNG")
    try:
        session.run(image.DecodePng.create(scope, file))
    except tg.FailedPreconditionError as error:
        print(error)
"""


def test_without_pillow_the_error_says_how_to_get_it() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PILLOW], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("DecodePng 'DecodePng' (created at <string>:13): JPEG, PNG, GIF and WebP files need")
    assert "Pillow, which is not installed: pip install 'typegrad[images]'\n" in done.stdout and not done.stderr


def test_pillow_is_imported_for_the_first_file() -> None:
    program = (
        "import sys\nimport typegrad as tg\nfrom typegrad.op import image\n"
        "tf = tg.Ops.create()\nfile = tf.image.encode_png([[[1]]])\n"
        f"bmp = tf.image.decode_bmp({bmp(24)!r})\npng = tf.image.decode_png({png(0, 8)!r})\n"
        "with tg.Session(tf.scope.graph) as session:\n"
        "    session.run([file, bmp])\n    before = 'PIL' in sys.modules\n    session.run(png)\n"
        "    print(before, 'PIL' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"
