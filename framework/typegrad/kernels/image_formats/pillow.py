"""Pillow, which is imported when the first file needs it.

Its errors become typegrad's. What it warns about is not in the files that it gets here.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from math import prod
from threading import Lock
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from typegrad.base.errors import FailedPreconditionError, InvalidArgumentError
from typegrad.kernels.namespace import Array

__all__ = ["INSTALL", "Picture", "check_size", "jpeg_of", "opened", "pixels", "plugin"]

INSTALL: Final = "pip install 'typegrad[images]'"

Picture: TypeAlias = Any
"""An image of Pillow."""

_T = TypeVar("_T")
_LOCK: Final = Lock()
_BYTES_PER_PIXEL: Final = 12
"""More than a JPEG file of three channels ever takes."""
_BYTES_OF_HEADERS: Final = 2**17

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


def check_size(what: str, *sizes: int) -> None:
    """Refuse a file whose headers promise more pixels than Pillow's limit, before any memory is taken."""
    limit: int | None = plugin("Image").MAX_IMAGE_PIXELS
    if limit is not None and prod(sizes) > limit:
        raise InvalidArgumentError(
            f"the {what} has {' by '.join(map(str, sizes))} pixels, more than {limit}, PIL.Image.MAX_IMAGE_PIXELS; "
            "raise this limit if you trust the file"
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
    is_whole = options["progressive"] or options["optimize"]
    with _buffer(_BYTES_PER_PIXEL * picture.width * picture.height + _BYTES_OF_HEADERS if is_whole else 0):
        try:
            picture.save(file, "JPEG", **options)
        except _FAILURES as error:
            raise InvalidArgumentError(f"Pillow cannot encode the image: {error}") from None
    return file.getvalue()


@contextmanager
def _buffer(size: int) -> Generator[None, None, None]:
    """Let Pillow's buffer be this large. A file that is written in one piece must fit, and Pillow takes too little."""
    module = plugin("ImageFile")
    with _LOCK:
        usual = module.MAXBLOCK
        module.MAXBLOCK = max(usual, size)
        try:
            yield
        finally:
            module.MAXBLOCK = usual


def _attempt(what: str, action: Callable[[], _T]) -> _T:
    try:
        return action()
    except _FAILURES as error:
        raise InvalidArgumentError(f"not a sound {what}: {error}") from None
