"""Shapes and dtypes of what functions of NumPy return, from calling them on other arrays of the same shape.

This is for functions whose result has a shape that follows from the shapes of the arrays, and from the values of the
other arguments. A size that is not known is taken for several, and what they have in common is known of the result.
What would take much memory or time is not called.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from operator import attrgetter
from typing import Any, Final

import numpy as np

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["METHODS", "PROBED", "SPLITTING", "probed", "probed_parts"]

PROBED: Final = frozenset((
    "all", "amax", "amin", "angle", "any", "append", "argpartition", "argsort", "atleast_1d", "atleast_2d",
    "atleast_3d", "average", "clip", "column_stack", "corrcoef", "count_nonzero", "cov", "cross", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "delete", "diag", "diagflat", "diagonal", "diff", "digitize", "dot",
    "dstack", "ediff1d", "einsum", "fft.fft", "fft.fft2", "fft.fftfreq", "fft.fftn", "fft.fftshift", "fft.ifft",
    "fft.ifft2", "fft.ifftn", "fft.ifftshift", "fft.irfft", "fft.rfft", "fft.rfft2", "fft.rfftfreq", "fft.rfftn",
    "fliplr", "flipud", "hstack", "i0", "inner", "interp", "isclose", "kron", "linalg.cholesky", "linalg.cond",
    "linalg.det", "linalg.eigvalsh", "linalg.inv", "linalg.matrix_norm", "linalg.matrix_power", "linalg.multi_dot",
    "linalg.norm", "linalg.pinv", "linalg.solve", "linalg.svdvals", "linalg.vector_norm", "linspace", "logspace",
    "moveaxis", "nan_to_num", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "outer", "partition", "percentile", "permute_dims",
    "polyval", "quantile", "repeat", "rollaxis", "rot90", "round", "searchsorted", "sinc", "sort", "take",
    "take_along_axis", "tensordot", "trace", "trapezoid", "tri", "tril", "triu", "unwrap", "vander", "vdot", "vecdot",
    "vstack",
))  # fmt: skip
"""The functions, by their names in NumPy."""
METHODS: Final = frozenset((
    "all", "any", "argpartition", "argsort", "clip", "cumprod", "cumsum", "diagonal", "dot", "repeat", "round",
    "searchsorted", "take", "trace",
))  # fmt: skip
"""Those that arrays have as methods, with the same arguments."""
SPLITTING: Final = frozenset((
    "array_split", "broadcast_arrays", "divmod", "dsplit", "frexp", "gradient", "histogram", "hsplit", "linalg.eigh",
    "linalg.qr", "linalg.slogdet", "linalg.svd", "meshgrid", "modf", "split", "vsplit",
))  # fmt: skip
"""Those that return a list or a tuple of arrays."""
_PRODUCTS: Final = frozenset((
    "corrcoef", "cov", "diag", "diagflat", "dot", "einsum", "inner", "kron", "linalg.multi_dot", "meshgrid", "outer",
    "polyval", "take", "take_along_axis", "tensordot", "vander", "vdot",
))  # fmt: skip
"""Those whose result may be as large as the product of the arrays, or the square of one."""
_VALUED: Final = frozenset(("array_split", "delete", "dsplit", "hsplit", "repeat", "split", "vsplit"))
"""Those for which the values of all arguments but the first matter."""
_SIZES: Final = (1, 2, 3, 101)
"""What a size that is not known is taken for: small ones, as a part of it may be taken, and one beyond such parts."""
_LARGEST: Final = 100_000
"""The number of elements up to which arrays are made."""
_LARGEST_PRODUCT: Final = 1_000_000
_LARGEST_NUMBER: Final = 1000
"""The integer up to which arguments are passed on, which may be a size or a number of steps."""


def probed(name: str, args: Sequence[object], keywords: Mapping[str, object]) -> Array:
    """The array that a function returns for arguments that are an `Array`, a list of these, or a value.

    `NotStatic` if the function refuses them, which is an error of the program only for the sizes that it has.
    """
    return _common(_results(name, args, keywords), is_typed=_are_typed(args, keywords))


def probed_parts(name: str, args: Sequence[object], keywords: Mapping[str, object]) -> list[Array]:
    """The arrays in the list that a function returns, in the same way."""
    results = _results(name, args, keywords)
    if not all(isinstance(result, (list, tuple)) for result in results) or len(set(map(len, results))) > 1:
        raise NotStatic
    is_typed = _are_typed(args, keywords)
    return [_common(parts, is_typed=is_typed) for parts in zip(*results, strict=True)]


def _results(name: str, args: Sequence[object], keywords: Mapping[str, object]) -> list[Any]:
    """What the function returns for each of the sizes that an unknown one is taken for."""
    if name in _VALUED and any(isinstance(each, Array) for each in (*args[1:], *keywords.values())):
        raise NotStatic
    given = list(_leaves([*args, *keywords.values()]))
    arrays = [each for each in given if isinstance(each, Array)]
    if any(isinstance(each, int) and abs(each) > _LARGEST_NUMBER for each in given):
        raise NotStatic
    is_known = all(array.shape.is_static for array in arrays)
    sizes = _SIZES[:1] if is_known else _SIZES
    counts = [_count(array, sizes[-1]) for array in arrays]
    product = prod(counts) if len(counts) > 1 else sum(counts) ** 2
    if sum(counts) > _LARGEST or (name in _PRODUCTS and product > _LARGEST_PRODUCT):
        raise NotStatic
    return [_result(name, size, args, keywords) for size in sizes]


def _leaves(values: Sequence[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _leaves(value)
        else:
            yield value


def _count(array: Array, size: int) -> int:
    if array.shape.dims is None:
        raise NotStatic
    return prod(each if isinstance(each, int) else size for each in array.shape.dims)


def _are_typed(args: Sequence[object], keywords: Mapping[str, object]) -> bool:
    return all(each.dtype is not None for each in (*args, *keywords.values()) if isinstance(each, Array))


def _common(results: Sequence[Any], *, is_typed: bool) -> Array:
    """What the results for different sizes have in common."""
    if not all(isinstance(result, (np.ndarray, np.generic)) for result in results):
        raise NotStatic
    if len({result.ndim for result in results}) > 1:
        raise NotStatic
    shapes = zip(*(result.shape for result in results), strict=True)
    dims = tuple(sizes[0] if len(set(sizes)) == 1 else None for sizes in shapes)
    is_computed = not isinstance(results[0], np.ndarray)
    return Array(Shape(dims), results[0].dtype if is_typed else None, is_computed=is_computed)


def _result(name: str, size: int, args: Sequence[object], keywords: Mapping[str, object]) -> Any:
    positional = [_argument(each, size) for each in args]
    named = {key: _argument(each, size) for key, each in keywords.items()}
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            return attrgetter(name)(np)(*positional, **named)
    except Exception as error:  # whatever the function raises for these arrays
        raise NotStatic from error


def _argument(known: object, size: int) -> object:
    if isinstance(known, list):
        return [_argument(each, size) for each in known]
    return _sample(known, size) if isinstance(known, Array) else known


def _sample(array: Array, size: int) -> object:
    """Zeros, which are indices of every array; of fractions, matrices that have an inverse."""
    sizes = [each if isinstance(each, int) else size for each in array.shape.known()]
    sample = np.zeros(sizes, array.dtype or np.float64)
    if sample.ndim >= 2 and sample.dtype.kind in "fc":
        sample[...] = np.eye(sizes[-2], sizes[-1])
    return sample
