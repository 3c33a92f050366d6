"""NumPy for kernels of large arrays: results are in memory of earlier ones, and choices take no branches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import DTypeLike

from typegrad.kernels.namespace import NUMPY
from typegrad.session.arrays import LARGE

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.kernels.namespace import DType, Namespace
    from typegrad.session.arrays import Arrays

__all__ = ["large_numpy", "large_ufunc", "select"]

_INTEGERS: Final[dict[int, DType]] = {
    1: np.dtype(np.int8),
    2: np.dtype(np.int16),
    4: np.dtype(np.int32),
    8: np.dtype(np.int64),
}
"""The integers by their size in bytes."""


def large_numpy(arrays: Arrays) -> Namespace:
    """NumPy, but some functions take the memory for a large result from `arrays`. Each bit is the one of NumPy."""

    def kept(shape: tuple[int, ...], dtype: DType) -> Array | None:
        return _kept(arrays, shape, dtype)

    def empty(shape: int | tuple[int, ...], dtype: DTypeLike | None = None) -> Array:
        result = kept(_sizes(shape), np.dtype(dtype))
        return np.empty(shape, dtype) if result is None else result

    def zeros(shape: int | tuple[int, ...], dtype: DTypeLike | None = None) -> Array:
        result = kept(_sizes(shape), np.dtype(dtype))
        if result is None:
            return np.zeros(shape, dtype)
        result.fill(0)
        return result

    def matmul(x: Array, y: Array) -> Array:
        if min(x.ndim, y.ndim) < 2 or x.dtype != y.dtype or not _have_order(x, y):
            return NUMPY.matmul(x, y)
        shape = (*np.broadcast_shapes(x.shape[:-2], y.shape[:-2]), x.shape[-2], y.shape[-1])
        product: Array = np.matmul(x, y, out=kept(shape, x.dtype))
        return product

    def where(condition: Array, x: Any, y: Any) -> Array:
        if not _are_in_order(condition, x, y):
            return NUMPY.where(condition, x, y)
        return select(condition, x, y, kept(np.broadcast(condition, x, y).shape, np.result_type(x, y)))

    def stack(parts: Sequence[Array], axis: int = 0) -> Array:
        if not _are_in_order(*parts):
            return np.stack(parts, axis)
        shape = list(parts[0].shape)
        shape.insert(axis % (len(shape) + 1), len(parts))
        return np.stack(parts, axis, out=kept(tuple(shape), np.result_type(*parts)))

    def reshape(x: Array, shape: int | tuple[int, ...]) -> Array:
        try:
            return x.reshape(shape, copy=False)
        except ValueError:  # it cannot be a view
            copy = kept(x.shape, x.dtype)
            if copy is None:
                return x.reshape(shape)
            copy[...] = x
            return copy.reshape(shape)

    functions = (empty, zeros, matmul, where, stack, reshape)
    return cast("Namespace", SimpleNamespace(**vars(np) | {function.__name__: function for function in functions}))


def large_ufunc(ufunc: np.ufunc, dtype: DType, arrays: Arrays) -> Callable[..., Array]:
    """A ufunc with results of this type that does the same."""

    def call(*inputs: Array) -> Array:
        is_kept = _are_in_order(*inputs)
        result: Array = ufunc(*inputs, out=_kept(arrays, np.broadcast(*inputs).shape, dtype) if is_kept else None)
        return result

    return call


def _kept(arrays: Arrays, shape: tuple[int, ...], dtype: DType) -> Array | None:
    """Memory for a result, if it is large; None leaves it to NumPy."""
    return None if math.prod(shape) < LARGE or dtype.hasobject else arrays.empty(shape, dtype)


def _sizes(shape: int | tuple[int, ...]) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _are_in_order(*arrays: Any) -> bool:
    """Whether NumPy puts what it makes of these arrays into memory row by row."""
    return all(np.asarray(each).flags.c_contiguous for each in arrays)


def _have_order(*stacks: Array) -> bool:
    """The same for products of matrices: their own order does not matter, nor do directions."""
    strides = [stack.strides[:-2] for stack in stacks]
    return all(abs(a) >= abs(b) for each in strides for a, b in pairwise(each))


def select(condition: Array, x: Any, y: Any, out: Array | None = None) -> Array:
    """`numpy.where`, into `out` without a branch for each element: `y`, and where the condition holds, what differs.

    What is chosen instead of 0 is only multiplied by 0 or 1.
    """
    if out is None:
        return NUMPY.where(condition, x, y)
    integers = _INTEGERS.get(out.itemsize)
    if integers is None:
        np.copyto(out, y)
        np.copyto(out, x, where=condition)
        return out
    bits, of_x, of_y = (np.asarray(each, out.dtype).view(integers) for each in (out, x, y))
    if _is_zero(x) or _is_zero(y):
        np.copyto(bits, np.logical_not(condition) if _is_zero(x) else condition)
        np.multiply(bits, of_y if _is_zero(x) else of_x, out=bits)
        return out
    np.bitwise_xor(of_x, of_y, out=bits)
    np.multiply(bits, condition, out=bits)
    np.bitwise_xor(bits, of_y, out=bits)
    return out


def _is_zero(x: Any) -> bool:
    """Whether a number of a kernel has no bit set; -0.0 has one."""
    return type(x) is int and x == 0
