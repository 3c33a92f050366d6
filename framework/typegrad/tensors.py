"""Python and NumPy values as arrays of an element type: constants, feeds and initial values all go through here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from typegrad.errors import DTypeError
from typegrad.quiet import quietly
from typegrad.types import (
    ALL_TYPES,
    TBool,
    TComplex,
    TComplex128,
    TFloat32,
    TInt32,
    TResource,
    TString,
    TType,
    from_numpy,
)

if TYPE_CHECKING:
    from typegrad.operand import Output
    from typegrad.scope import Scope

__all__ = ["as_tensor", "constant", "convert"]


def as_tensor(value: Any, dtype: type[TType] | None = None) -> tuple[NDArray[Any], type[TType]]:
    """`value` as a read-only array and its element type.

    Without `dtype`, NumPy values keep theirs; Python floats are float32, ints int32, complex numbers complex128.
    """
    if dtype is None:
        dtype = _natural_type(value)
    elif not any(dtype is leaf for leaf in ALL_TYPES):
        raise DTypeError(f"an element type is one of typegrad's, such as tg.TFloat32, not {dtype!r}")
    array = convert(value, dtype)
    if array is value or array.base is not None:
        array = array.copy()
    array.flags.writeable = False
    return array, dtype


def _natural_type(value: Any) -> type[TType]:
    if not isinstance(value, (np.ndarray, np.generic)):
        leaf = _first_leaf(value)
        if not isinstance(leaf, (np.ndarray, np.generic)):
            return _python_type(leaf, np.asarray(value, object) if isinstance(leaf, str | bytes) else _array(value))
        value = np.asarray(value)
    found = from_numpy(value.dtype)
    if found is None:
        raise DTypeError(f"no element type holds NumPy's {value.dtype}")
    return found


def _first_leaf(value: Any) -> Any:
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return value


def _array(value: Any) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except ValueError as error:
        raise DTypeError(f"{value!r} is not a rectangular array: {error}") from None
    except TypeError as error:  # such as an operand in a list
        raise DTypeError(f"{value!r} is not a value: {error}") from None


def _python_type(leaf: Any, array: NDArray[Any]) -> type[TType]:
    if array.dtype.kind == "O" and isinstance(leaf, (str, bytes)):
        return TString
    by_kind: dict[str, type[TType]] = {"b": TBool, "i": TInt32, "u": TInt32, "f": TFloat32, "c": TComplex128}
    if array.dtype.kind not in by_kind:
        raise DTypeError(
            f"a value is a number, bool, string, (nested) list or array of them; got {type(leaf).__name__}"
        )
    return by_kind[array.dtype.kind]


def convert(value: Any, dtype: type[TType], *, exact: bool = False) -> NDArray[Any]:
    """`value` as an array of `dtype`, where nothing is lost but precision: a float never becomes an integer.

    A NumPy array of `dtype` is returned as it is; with `exact`, no other NumPy array will do.
    """
    if dtype is TResource:
        raise DTypeError("a handle has no value; read the variable instead")
    if isinstance(value, np.ndarray) and value.dtype == dtype.numpy and dtype is not TString:
        return value
    if dtype is TString:
        return _strings(value)
    array = _array(value)
    is_typed = isinstance(value, (np.ndarray, np.generic))
    if array.size == 0 and not is_typed:
        return array.astype(dtype.numpy)
    if array.dtype.kind in "OSUT" or not _fits(array, dtype) or (exact and is_typed and array.dtype != dtype.numpy):
        raise DTypeError(
            f"{_summary(value, array)} is not {dtype.tf_name}; convert it with astype, or change the dtype"
        )
    if array.dtype.kind in "iu" and dtype.numpy.kind in "iu":
        _check_range(array, dtype)
    return _narrowed(array, dtype)


def _narrowed(array: NDArray[Any], dtype: type[TType]) -> NDArray[Any]:
    """The array as `dtype`; refused if a finite number becomes infinite."""
    result: NDArray[Any] = quietly(array.astype, dtype.numpy)
    if not np.isfinite(result).all():
        for given, made in ((array.real, result.real), (array.imag, result.imag)):
            lost = np.isinf(made) & np.isfinite(given)
            if lost.any():
                limits: Any = cast("Any", ml_dtypes).finfo(dtype.numpy)
                wider = "tg.TComplex128" if issubclass(dtype, TComplex) else "tg.TFloat64"
                raise DTypeError(
                    f"{given[lost][0]} is beyond {dtype.numpy.name}, which holds up to {limits.max}; "
                    f"state a wider type, such as {wider}, or give inf where that is meant"
                )
    return result


def _fits(array: NDArray[Any], dtype: type[TType]) -> bool:
    """Whether the kinds agree: bool only to bool, integers to any number, floats to floats and complex."""
    order = {"b": -1, "u": 0, "i": 0, "f": 1, "c": 2}
    source = from_numpy(array.dtype)
    given = order[array.dtype.kind] if array.dtype.kind in order else 1 if source is not None else None
    wanted = order.get(dtype.numpy.kind, 1)
    if given is None:
        return False
    return given == wanted if -1 in (given, wanted) else given <= wanted


def _check_range(array: NDArray[Any], dtype: type[TType]) -> None:
    limits = np.iinfo(dtype.numpy)
    if array.size and (int(array.min()) < limits.min or int(array.max()) > limits.max):
        raise DTypeError(
            f"{array.min()}..{array.max()} does not fit {dtype.tf_name}, which holds {limits.min}..{limits.max}; "
            "state a wider type, such as tg.TInt64"
        )


def _strings(value: Any) -> NDArray[Any]:
    try:
        array = np.asarray(value, dtype=object)
    except (TypeError, ValueError) as error:  # such as an operand in a list
        raise DTypeError(f"{value!r} is not an array of strings: {error}") from None
    flat = [item.encode() if isinstance(item, str) else item for item in array.ravel().tolist()]
    for item in flat:
        if not isinstance(item, bytes):
            raise DTypeError(f"a string is str or bytes, not {type(item).__name__} {item!r}")
    result = np.empty(len(flat), dtype=object)
    result[:] = flat
    return result.reshape(array.shape)


def _summary(value: Any, array: NDArray[Any]) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return f"an array of {array.dtype}"
    text = repr(value)
    return text if len(text) < 40 else f"{text[:37]}..."


def constant(scope: Scope, value: Any, dtype: type[TType] | None = None) -> Output[Any, Any]:
    """A `Const` node that holds `value`."""
    from typegrad.op.core import Constant

    made: Output[Any, Any] = cast("Any", Constant).create(scope, value, dtype).as_output()
    return made
