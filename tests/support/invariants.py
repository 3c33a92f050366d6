"""What is compared of outputs that are not unique.

It depends on neither signs, phases nor order; of files of images it is what they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from support.recording import Array
from typegrad.kernels.image_formats import jpeg, png

__all__ = ["INVARIANTS"]


def _adjoint(x: Array) -> Array:
    return np.conj(np.swapaxes(x, -1, -2))


def _eigh(outputs: Sequence[Any]) -> list[Array]:
    e, v = outputs
    return [e] if v.ndim < 2 else [e, v * e[..., None, :] @ _adjoint(v), _adjoint(v) @ v]


def _eig(outputs: Sequence[Any]) -> list[Array]:
    e, v = outputs
    powers = np.stack([np.sum(e**power, -1) for power in range(1, e.shape[-1] + 1)] or [e])
    return [powers] if v.ndim < 2 else [powers, v * e[..., None, :] @ np.linalg.inv(v), np.sum(abs(v) ** 2, -2)]


def _svd(outputs: Sequence[Any]) -> list[Array]:
    s, u, v = outputs
    if u.ndim < 2:
        return [s]
    size = s.shape[-1]
    product = u[..., :size] * s[..., None, :] @ _adjoint(v[..., :size])
    return [s, product, _adjoint(u) @ u, _adjoint(v) @ v]


def _first(count: int) -> Callable[[Sequence[Any]], list[Array]]:
    return lambda outputs: list(outputs[:count])


def _shapes(outputs: Sequence[Any]) -> list[Array]:
    return [np.zeros_like(output) for output in outputs]


def _png(outputs: Sequence[Any]) -> list[Array]:
    """The images of files, and the element types that they were encoded from."""
    (files,) = outputs
    is_wide = [each[24] == 16 for each in files.reshape(-1)]
    images = [png.decoded(each, 0, wide=wide) for each, wide in zip(files.reshape(-1), is_wide, strict=True)]
    return [np.zeros(files.shape), *images]


def _jpeg(outputs: Sequence[Any]) -> list[Array]:
    """The image of a file, and the segments before its pixels, without the tables of the compressor."""
    (file,) = outputs
    content: bytes = file.item()
    segments = []
    place = 2
    while content[place + 1] != 0xDA:
        end = place + 2 + int.from_bytes(content[place + 2 : place + 4], "big")
        if content[place + 1] != 0xC4:
            segments.append(content[place:end])
        place = end
    return [jpeg.decoded(content, 0), np.frombuffer(b"".join(segments), np.uint8)]


INVARIANTS: Final[Mapping[str, Callable[[Sequence[Any]], list[Array]]]] = {
    "Eig": _eig,
    "EncodeJpeg": _jpeg,
    "EncodeJpegVariableQuality": _jpeg,
    "EncodePng": _png,
    "FusedBatchNormGradV3": _first(3),
    "FusedBatchNormV3": _first(3),
    "NonDeterministicInts": _shapes,
    "SelfAdjointEigV2": _eigh,
    "Svd": _svd,
}
"""By operation. Of vectors that were not asked for, and of reserves that hold nothing, nothing is compared."""
