"""Kernels of `ops/diagonal.yaml`. They assign to parts of arrays, so they run on NumPy only."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from typegrad.base.shape import Shape
from typegrad.kernels.namespace import Array, Namespace
from typegrad.shapes.diagonal import extents, longest


def matrix_band_part(xp: Namespace, x: Array, num_lower: Array, num_upper: Array) -> Array:
    """The elements near the diagonal, and 0 elsewhere."""
    (rows, columns), lower, upper = x.shape[-2:], int(num_lower), int(num_upper)
    mask = np.tri(rows, columns, columns if upper < 0 else upper, dtype=bool)
    if lower >= 0:
        mask &= ~np.tri(rows, columns, -lower - 1, dtype=bool)
    return xp.where(mask, x, np.zeros((), x.dtype))


def matrix_diag(
    xp: Namespace, diagonal: Array, k: Array, num_rows: Array, num_cols: Array, padding_value: Array, *, align: str
) -> Array:
    """Matrices of one value, but for some diagonals."""
    ends = _ends(k)
    sizes = Shape(extents(diagonal.shape[-1], ends, int(num_rows), int(num_cols))).as_ints()
    result = np.full((*diagonal.shape[: -1 if ends[0] == ends[1] else -2], *sizes), padding_value, diagonal.dtype)
    return _fill(result, diagonal, ends, align)


def matrix_diag_v2(
    xp: Namespace, diagonal: Array, k: Array, num_rows: Array, num_cols: Array, padding_value: Array
) -> Array:
    """The same, aligned on the left."""
    return matrix_diag(xp, diagonal, k, num_rows, num_cols, padding_value, align="LEFT_LEFT")


def matrix_diag_part(xp: Namespace, x: Array, k: Array, padding_value: Array, *, align: str) -> Array:
    """Some diagonals of each matrix."""
    low, high = ends = _ends(k)
    *stack, m, n = x.shape
    sizes = Shape((*stack, high - low + 1, longest(m, n, ends))).as_ints()
    result = np.full(sizes, padding_value, x.dtype)
    for place, rows, columns in _places(m, n, ends, align):
        result[..., *place] = x[..., rows, columns]
    return result[..., 0, :] if low == high else result


def matrix_diag_part_v2(xp: Namespace, x: Array, k: Array, padding_value: Array) -> Array:
    """The same, aligned on the left."""
    return matrix_diag_part(xp, x, k, padding_value, align="LEFT_LEFT")


def matrix_set_diag_v3(xp: Namespace, x: Array, diagonal: Array, k: Array, *, align: str) -> Array:
    """The matrices with other diagonals."""
    return _fill(x.copy(), diagonal, _ends(k), align)


def _fill(matrices: Array, diagonal: Array, ends: tuple[int, int], align: str) -> Array:
    """Write diagonals into matrices."""
    if ends[0] == ends[1]:
        diagonal = diagonal[..., None, :]
    *_, m, n = matrices.shape
    for place, rows, columns in _places(m, n, ends, align):
        matrices[..., rows, columns] = diagonal[..., *place]
    return matrices


def _ends(k: Array) -> tuple[int, int]:
    ends = k.reshape(-1)
    return int(ends[0]), int(ends[-1])


def _places(m: int, n: int, ends: tuple[int, int], align: str) -> Iterator[tuple[tuple[int, slice], Array, Array]]:
    """For each diagonal, the highest first, its place in an array of diagonals, and its rows and columns, if any."""
    low, high = ends
    above, below = align.split("_")
    room = min(m + min(high, 0), n - max(low, 0))
    for number, k in enumerate(range(high, low - 1, -1)):
        length = max(min(m + min(k, 0), n - max(k, 0)), 0)
        start = room - length if (above if k > 0 else below) == "RIGHT" else 0
        steps = np.arange(length)
        yield (number, slice(start, start + length)), steps + max(-k, 0), steps + max(k, 0)


def diag(xp: Namespace, diagonal: Array) -> Array:
    """The elements on the diagonal of an array of twice the rank."""
    result = np.zeros((diagonal.size, diagonal.size), diagonal.dtype)
    np.fill_diagonal(result, diagonal)
    return result.reshape(diagonal.shape * 2)


def diag_part(xp: Namespace, x: Array) -> Array:
    """The diagonal of an array of even rank."""
    shape = x.shape[: x.ndim // 2]
    size = int(np.prod(shape))
    return xp.diagonal(x.reshape(size, size)).reshape(shape)
