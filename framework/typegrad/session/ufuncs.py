"""Kernels that are nothing but calls of NumPy's ufuncs, found by running them once on arrays that only record."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, final

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from typegrad.base.errors import TypegradError
from typegrad.session.large import select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from typegrad.kernels.namespace import DType

__all__ = ["Call", "Expression", "FixedOperand", "expression", "expressions"]


class Call(NamedTuple):
    """The call of a ufunc. A position is an argument of the kernel or, after these, the result of an earlier call."""

    ufunc: Any
    operands: tuple[int | FixedOperand, ...]
    dtype: DType
    is_reduction: bool = False
    """Whether it reduces the last axis to one element, by a method of a ufunc."""
    in_blocks: Any = None
    """What computes a block as `ufunc` computes it in the whole array, where that is another function."""

    @property
    def is_elementwise(self) -> bool:
        """Whether it computes each element by itself; a product of matrices does not."""
        return getattr(self.ufunc, "signature", None) is None


class FixedOperand(NamedTuple):
    """An operand that is a number of the kernel's own."""

    value: Any


Expression: TypeAlias = tuple[Call, ...]
"""Calls; the result of the last one is the kernel's."""


class _NotAnExpression(Exception):  # noqa: N818
    """The kernel does something other than call ufuncs."""


@final
class _RecordingArray(NDArrayOperatorsMixin):
    """An array without elements, which records the ufuncs that it comes into."""

    def __init__(self, dtype: DType, position: int, calls: list[Call], arguments: int) -> None:
        self.dtype = dtype
        self.position = position
        self._calls = calls
        self._arguments = arguments

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> _RecordingArray:
        if method != "__call__" or options or ufunc.nout != 1:
            raise _NotAnExpression
        types = tuple([type(x) if type(x) in (int, float, complex) else _dtype(x) for x in inputs])
        try:
            dtype = ufunc.resolve_dtypes((*types, None))[-1]
        except TypeError:
            raise _NotAnExpression from None
        return self._called(ufunc, inputs, dtype)

    def astype(self, dtype: DType, *, copy: bool = True) -> _RecordingArray:
        if dtype != self.dtype or copy:
            raise _NotAnExpression
        return self

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise _NotAnExpression

    def __array_function__(
        self, function: object, _: object, values: Sequence[Any], options: object
    ) -> _RecordingArray:
        if function is not np.where or options or len(values) != 3 or _dtype(values[0]) != np.bool_:
            raise _NotAnExpression
        dtype = np.result_type(*[x if type(x) in (int, float, complex) else _dtype(x) for x in values[1:]])
        if dtype.hasobject:
            raise _NotAnExpression
        return self._called(select, values, dtype)

    def _called(self, function: Any, values: Iterable[Any], dtype: DType) -> _RecordingArray:
        operands = tuple([x.position if type(x) is _RecordingArray else FixedOperand(x) for x in values])
        self._calls.append(Call(function, operands, dtype))
        return _RecordingArray(dtype, self._arguments + len(self._calls) - 1, self._calls, self._arguments)

    __array__ = __bool__ = __int__ = __float__ = __index__ = __len__ = __iter__ = _refuse
    __getitem__ = __getattr__ = _refuse


def _dtype(x: Any) -> DType:
    if type(x) is _RecordingArray:
        return x.dtype
    if isinstance(x, np.generic):
        return x.dtype
    raise _NotAnExpression


@lru_cache(maxsize=4096)
def expression(
    kernel: Callable[..., Any],
    dtypes: tuple[DType, ...],
    lists: tuple[int, ...] = (),
    attributes: tuple[tuple[str, Any, str], ...] = (),
) -> Expression | None:
    """What a kernel computes of inputs of these types, if it is made of ufuncs alone.

    Args:
        kernel: The kernel, a pure function.
        dtypes: The types of the inputs; list inputs are flattened.
        lists: If there are list inputs, the length of each input, -1 for one that is not a list.
        attributes: The names, values and texts of the attributes. (The texts tell 0.0 from -0.0.)
    """
    calls: list[Call] = []
    inputs = iter([_RecordingArray(dtype, position, calls, len(dtypes)) for position, dtype in enumerate(dtypes)])
    arguments = [next(inputs) if n < 0 else tuple(islice(inputs, n)) for n in lists] if lists else inputs
    try:
        result = kernel(np, *arguments, **{name: value for name, value, _ in attributes})
    except (_NotAnExpression, TypegradError):
        return None
    is_last = type(result) is _RecordingArray and result.position == len(dtypes) + len(calls) - 1
    return tuple(calls) if calls and is_last else None


def expressions(
    function: Callable[..., Sequence[Any]], dtypes: Sequence[DType], attributes: Mapping[str, object]
) -> tuple[Expression, tuple[int, ...]] | None:
    """What a function computes that returns several results, and their positions, as `expression` does for one."""
    calls: list[Call] = []
    inputs = [_RecordingArray(dtype, position, calls, len(dtypes)) for position, dtype in enumerate(dtypes)]
    try:
        results = function(np, *inputs, **attributes)
    except (_NotAnExpression, TypegradError):
        return None
    positions = tuple([each.position for each in results if type(each) is _RecordingArray])
    return (tuple(calls), positions) if len(positions) == len(results) else None
