"""Pillow, which is imported when the first file needs it. Its errors become typegrad's; its warnings have no cause here:
it gets files without the parts that it warns about.
"""

from __future__ import annotations

import struct
from importlib import import_module
from io import BytesIO
from typing import Any, Final

import numpy as np

from typegrad.base.errors import FailedPreconditionError, InvalidArgumentError
from typegrad.kernels.namespace import Array

__all__ = ["INSTALL", "Picture", "check_size", "jpeg_of", "opened", "pixels", "plugin"]

INSTALL: Final = "pip install 'typegrad[images]'"

Picture = Any
"""An image of Pillow."""

_FAILURES: Final = (OSError, SyntaxError, ValueError, LookupError, TypeError, EOFError, OverflowError, struct.error)
"""The errors that Pillow raises about the contents of files."""


def plugin(name: str) -> Any:
    """A module of Pillow.

    Raises:
        FailedPreconditionError: Pillow is not installed.
    """
    try:
        return import_module(f"PIL.{name}")
    except ModuleNotFoundError:
        raise FailedPreconditionError(
            f"JPEG, PNG, GIF and WebP files need Pillow, which is not installed: {INSTALL}"
        ) from None


def check_size(what: str, width: int, height: int, frames: int = 1) -> None:
    """Refuse a file whose header promises more pixels than Pillow's limit, before any memory is taken."""
    limit: int | None = plugin("Image").MAX_IMAGE_PIXELS
    if limit is not None and width * height * frames > limit:
        size = f"{frames} frames of {width} by {height}" if frames > 1 else f"{width} by {height}"
        raise InvalidArgumentError(
            f"the {what} has {size} pixels, more than the limit of {limit:,}, PIL.Image.MAX_IMAGE_PIXELS; "
            "raise it if you trust the file"
        )


def opened(what: str, module: str, file: bytes) -> Picture:
    """A file, opened by the class `WHATImageFile` of a module, whatever its format seems to be."""
    kind = getattr(plugin(module), f"{module.removesuffix('Plugin')}File")
    return _attempt(what, lambda: kind(BytesIO(file)))


def pixels(what: str, picture: Picture) -> Array:
    """The pixels of a picture, decompressed now."""
    array: Array = _attempt(what, lambda: np.array(picture))
    return array


def jpeg_of(image: Array, **options: object) -> bytes:
    """An array of shape [height, width] or [height, width, 3] as a JPEG file."""
    picture = plugin("Image").fromarray(image)
    file = BytesIO()
    _attempt("JPEG", lambda: picture.save(file, "JPEG", **options))
    return file.getvalue()


def _attempt(what: str, action: Any) -> Any:
    try:
        return action()
    except _FAILURES as error:
        raise InvalidArgumentError(f"not a sound {what}: {error}") from None
