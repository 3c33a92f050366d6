"""Shapes and dtypes of NumPy's functions: what a call returns for arrays of known shapes and dtypes.

Dtypes come from NumPy itself, which computes each result for arrays of one element.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any, Final, TypeAlias

import numpy as np
from attrs import evolve, frozen

from typegrad.base.array import DType
from typegrad.base.errors import ShapeError
from typegrad.base.shape import SCALAR, UNKNOWN, Dim, Shape, broadcast, merge_dim
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["BINARY", "REDUCTIONS", "UFUNCS", "Array", "Number", "Part", "both", "calculated", "indexed", "operated"]

_DType: TypeAlias = "DType | None"


@frozen
class Array:
    """What is known of an array: its shape, and its dtype, None if unknown."""

    shape: Shape = UNKNOWN
    dtype: DType | None = None
    dtypes: tuple[DType, ...] = ()
    """The dtypes of which it has one, the likely one first, if no more is known: a list of ints may be of bools."""
    is_doubtful: bool = False
    """Whether NumPy's types may state a wrong dtype: after arithmetic with `Any`, they state float64."""
    is_computed: bool = False
    """Whether it is the result of an index, a function or an operator, which is a number if it has no dimensions."""

    @property
    def is_number(self) -> bool:
        """Whether it is one of NumPy's numbers, unlike `np.zeros(())`."""
        return self.is_computed and self.shape == SCALAR

    @property
    def may_be_number(self) -> bool:
        """Whether it is one of NumPy's numbers, or may be."""
        return self.is_computed and not self.shape.dims


Number: TypeAlias = bool | int | float | complex
Part: TypeAlias = Array | Number
"""An operand of arithmetic. NumPy converts Python's numbers to the dtype of the array beside them."""

BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_UNARY: Final[dict[str, Callable[[Any], Any]]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert}
UFUNCS: Final = frozenset(
    name
    for name, function in vars(np).items()
    if isinstance(function, np.ufunc) and function.nout == 1 and function.signature is None
)
"""NumPy's elementwise functions with one result."""
REDUCTIONS: Final = frozenset(
    {"all", "any", "argmax", "argmin", "max", "mean", "median", "min", "prod", "ptp", "std", "sum", "var"}
)


def both(written: Array, typed: Array) -> Array:
    """What is known of an array by its expression (`written`) or by its type."""
    a, b = written.shape.dims, typed.shape.dims
    dims = b if a is None else a
    if a is not None and b is not None and len(a) == len(b):
        dims = tuple(x if y is None else y for x, y in zip(b, a, strict=True))
    is_told = written.dtype is None and not written.is_doubtful
    dtype = typed.dtype if is_told and (not written.dtypes or typed.dtype in written.dtypes) else written.dtype
    return evolve(written, shape=Shape(dims), dtype=dtype)


def operated(name: str, *parts: Part) -> Array:
    """The result of an operator or of a universal function, such as "+" or "exp"."""
    if name in UFUNCS:
        function: Callable[..., Any] = getattr(np, name)
    elif name in (BINARY if len(parts) > 1 else _UNARY):
        function = BINARY[name] if len(parts) > 1 else _UNARY[name]
    else:
        raise NotStatic
    if name in ("@", "matmul"):
        return _multiplied(*parts)
    shape = reduce(_broadcast, [part.shape if isinstance(part, Array) else SCALAR for part in parts])
    return _computed(shape, _dtype_by(function, *parts))


def calculated(name: str, *parts: Part) -> Part:
    """A number like the result of one of Python's operators; of Python's numbers one without a dtype of its own."""
    numbers = [part for part in parts if not isinstance(part, Array)]
    if len(numbers) < len(parts):
        return operated(name, *parts)
    try:
        number: Number = (BINARY if len(numbers) > 1 else _UNARY)[name](*numbers)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise NotStatic from error
    return type(number)(1)


def _computed(shape: Shape, dtype: _DType) -> Array:
    return Array(shape, dtype, is_doubtful=dtype is None, is_computed=True)


def _broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise operation. In an array, a named size is a number, which another size may be, too."""
    with suppress(ShapeError):
        return broadcast(a, b)
    try:
        return broadcast(unnamed(a), unnamed(b))
    except ShapeError:
        raise NotStatic from None


def unnamed(shape: Shape) -> Shape:
    """The shape with unknown sizes in the place of names: of what keeps its sizes after the run that names them."""
    return Shape(None if shape.dims is None else tuple(dim if isinstance(dim, int) else None for dim in shape.dims))


def _dtype_by(function: Callable[..., Any], *parts: Part) -> _DType:
    """The dtype of the result for arrays of one element; None if the dtype of a part is unknown."""
    samples: list[Any] = []
    for part in parts:
        if isinstance(part, Array):
            if part.dtype is None:
                return None
            samples.append(np.ones((1,), part.dtype))
        else:
            samples.append(part)
    with np.errstate(all="ignore"), suppress(TypeError, ValueError, OverflowError, ZeroDivisionError):
        return np.dtype(np.asarray(function(*samples)).dtype)
    return None


def _multiplied(*parts: Part) -> Array:
    """The matrix product of two arrays."""
    left, right = parts
    if not isinstance(left, Array) or not isinstance(right, Array):
        raise NotStatic
    dtype, a, b = _dtype_by(operator.mul, left, right), left.shape.dims, right.shape.dims
    if a is None or b is None:
        return _computed(UNKNOWN, dtype)
    if not a or not b:
        raise NotStatic
    _same(a[-1], b[max(len(b) - 2, 0)])
    lead = _broadcast(Shape(a[:-2]), Shape(b[:-2])).known()
    return _computed(Shape((*lead, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))), dtype)


def _same(a: Dim, b: Dim) -> Dim:
    with suppress(ShapeError):
        return merge_dim(a, b)
    known = [dim for dim in (a, b) if isinstance(dim, int)]
    if len(known) > 1:
        raise NotStatic
    return known[0] if known else None


def indexed(array: Array, index: Sequence[Any]) -> Array:
    """`array[index]`. An item is a slice, an int, None for a new axis, `...`, an `Array`, or NotImplemented: some int.

    The bounds of a slice are ints, None, or NotImplemented for unknown.
    """
    dims = _dims(array)
    used = sum(_consumed(item) for item in index)
    if used > len(dims):
        raise NotStatic
    full = [slice(None)] * (len(dims) - used)
    items = list(index)
    place = next((i for i, item in enumerate(items) if item is ...), None)
    items = [*items, *full] if place is None else [*items[:place], *full, *items[place + 1 :]]
    has_arrays = any(isinstance(item, Array) for item in items)
    if has_arrays and sum(isinstance(item, (Array, int)) or item is NotImplemented for item in items) > 1:
        raise NotStatic
    result: list[Dim] = []
    position = 0
    for item in items:
        result += _picked(item, dims[position : position + _consumed(item)])
        position += _consumed(item)
    return evolve(array, shape=Shape(tuple(result)), is_computed=... not in index)


def _consumed(item: Any) -> int:
    """The number of dimensions that an item of an index consumes."""
    if item is None or item is ...:
        return 0
    if isinstance(item, Array) and item.dtype == np.dtype(bool):
        return len(_dims(item))
    return 1


def _picked(item: Any, dims: Sequence[Dim]) -> list[Dim]:
    """The dimensions that an item of an index leaves of those that it consumes."""
    if item is None:
        return [1]
    if isinstance(item, Array):
        if item.dtype is None:
            raise NotStatic
        return [None] if item.dtype.kind == "b" else list(_dims(item))
    if isinstance(item, slice):
        return [_sliced(dims[0], item)]
    if type(item) is int and isinstance(dims[0], int) and not -dims[0] <= item < dims[0]:
        raise NotStatic
    return []


def _sliced(dim: Dim, item: slice) -> Dim:
    bounds = (item.start, item.stop, item.step)
    if bounds == (None, None, None):
        return dim
    if not isinstance(dim, int) or NotImplemented in bounds or item.step == 0:
        return None
    return len(range(*item.indices(dim)))


def _dims(array: Array) -> tuple[Dim, ...]:
    if array.shape.dims is None:
        raise NotStatic
    return array.shape.dims
