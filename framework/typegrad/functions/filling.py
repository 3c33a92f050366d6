"""Arrays whose elements depend on their place alone: zeros, ones, identity matrices, one-hot vectors."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, overload

import numpy as np
from typing_extensions import TypeVar

from typegrad.base.array import Array
from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Shape
from typegrad.base.types import (
    ALL_TYPES,
    TBool,
    TFloat32,
    TInt8,
    TInt32,
    TInt64,
    TNumber,
    TString,
    TType,
    TUint8,
    as_element_type,
    conversion,
)
from typegrad.graph.operand import AnyOperand, Integer, Operand
from typegrad.graph.operand_like import AnyLike, IntegerLike
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import common_type, convert
from typegrad.op._ops import Ops
from typegrad.op.core import OneHot

__all__ = ["eye", "one_hot", "ones", "sequence_mask", "zeros"]

N = TypeVar("N", bound=TNumber | TBool, default=TFloat32)
V = TypeVar("V", bound=TNumber | TBool | TString, default=TFloat32)
L = TypeVar("L", bound=TInt32 | TInt64)
I = TypeVar("I", bound=TInt8 | TInt32 | TInt64 | TUint8)  # noqa: E741


@overload
def zeros(scope: Scope, shape: tuple[int, int], dtype: type[V] = ...) -> Operand[V, tuple[Any, Any]]: ...
@overload
def zeros(
    scope: Scope, shape: Sequence[Integer] | Shape | Operand[TInt32] | Operand[TInt64], dtype: type[V] = ...
) -> Operand[V]: ...
def zeros(scope: Scope, shape: Sequence[Integer] | Shape | AnyOperand, dtype: type[Any] = TFloat32) -> Any:
    """An array of zeros; of False for bool, of empty strings for string.

    Args:
        scope: Where in the graph the operation goes, and under which name.
        shape: The sizes, or an operand that holds them.
        dtype: The element type.

    Raises:
        ShapeError: A size is negative.
        DTypeError: `dtype` is not an element type, or the type of a handle.

    Source: TensorFlow's `tf.zeros`.
    """
    return Ops.create(scope).fill(shape, _scalar(0, as_element_type(dtype)))


@overload
def ones(scope: Scope, shape: tuple[int, int], dtype: type[N] = ...) -> Operand[N, tuple[Any, Any]]: ...
@overload
def ones(
    scope: Scope, shape: Sequence[Integer] | Shape | Operand[TInt32] | Operand[TInt64], dtype: type[N] = ...
) -> Operand[N]: ...
def ones(scope: Scope, shape: Sequence[Integer] | Shape | AnyOperand, dtype: type[Any] = TFloat32) -> Any:
    """An array of ones; of True for bool.

    Args:
        scope: Where in the graph the operation goes, and under which name.
        shape: The sizes, or an operand that holds them.
        dtype: The element type.

    Raises:
        ShapeError: A size is negative.
        DTypeError: `dtype` is not an element type of numbers or truth values.

    Source: TensorFlow's `tf.ones`.
    """
    return Ops.create(scope).fill(shape, _scalar(1, as_element_type(dtype)))


@overload
def eye(
    scope: Scope,
    num_rows: int | Operand[TInt32],
    num_columns: int | Operand[TInt32] | None = None,
    *,
    dtype: type[N] = ...,
) -> Operand[N, tuple[Any, Any]]: ...
@overload
def eye(
    scope: Scope,
    num_rows: int | Operand[TInt32],
    num_columns: int | Operand[TInt32] | None = None,
    *,
    batch_shape: Sequence[Integer],
    dtype: type[N] = ...,
) -> Operand[N]: ...
def eye(
    scope: Scope,
    num_rows: int | Operand[TInt32],
    num_columns: int | Operand[TInt32] | None = None,
    *,
    batch_shape: Sequence[Integer] = (),
    dtype: type[Any] = TFloat32,
) -> Any:
    """The identity matrix: ones on the main diagonal, zeros elsewhere.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "eye".
        num_rows: The number of rows, or an operand that holds it.
        num_columns: The number of columns; as many as rows, if left out.
        batch_shape: The shape of a stack of such matrices.
        dtype: The element type.

    Returns:
        The matrix, of shape [*batch_shape, num_rows, num_columns].

    Raises:
        ShapeError: A size is negative, or is an operand of rank 1 or more.
        DTypeError: `dtype` is not an element type of numbers or truth values.

    Source: TensorFlow's `tf.eye`.
    """
    rows = _size("num_rows", num_rows)
    columns = rows if num_columns is None else _size("num_columns", num_columns)
    tf = Ops.create(scope).with_sub_scope("eye")
    matrix = tf.one_hot(tf.range(0, rows, 1), columns, dtype=dtype)
    return tf.broadcast_to(matrix, (*batch_shape, rows, columns)) if batch_shape else matrix


def _size(name: str, size: int | Operand[TInt32]) -> Any:
    if isinstance(size, Operand):
        return size
    if index(size) < 0:
        raise ShapeError(f"{name} is {size}, but a size cannot be negative")
    return index(size)


@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    *,
    axis: int = -1,
    dtype: type[V] = ...,
) -> Operand[V]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: Operand[V],
    off_value: Operand[V] | AnyLike | None = None,
    *,
    axis: int = -1,
) -> Operand[V]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: AnyLike | None = None,
    *,
    off_value: Operand[V],
    axis: int = -1,
) -> Operand[V]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: AnyLike | None,
    off_value: Operand[V],
    *,
    axis: int = -1,
) -> Operand[V]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: AnyLike | None = None,
    off_value: AnyLike | None = None,
    *,
    axis: int = -1,
    dtype: type[V],
) -> Operand[V]: ...
@overload
def one_hot(  # type: ignore[overload-overlap]  # a bool is an int in Python
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: bool,
    off_value: bool | None = None,
    *,
    axis: int = -1,
) -> Operand[TBool]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: int,
    off_value: int | None = None,
    *,
    axis: int = -1,
) -> Operand[TInt32]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: float,
    off_value: float | None = None,
    *,
    axis: int = -1,
) -> Operand[TFloat32]: ...
@overload
def one_hot(
    scope: Scope,
    indices: Operand[I] | IntegerLike,
    depth: Operand[TInt32] | int,
    on_value: AnyLike | None = None,
    off_value: AnyLike | None = None,
    *,
    axis: int = -1,
) -> Operand[Any]: ...
def one_hot(
    scope: Scope,
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    *,
    axis: int = -1,
    dtype: type[Any] | None = None,
) -> Any:
    """Vectors with `on_value` at an index and `off_value` elsewhere: `core.OneHot` with defaults 1 and 0.

    Args:
        scope: Where in the graph the operation goes, and under which name.
        indices: The positions, of any shape. A negative index, or one that is not below `depth`, gives a vector of
            `off_value` alone.
        depth: The size of the new axis.
        on_value: The value at the index, a scalar; 1 if left out.
        off_value: The value elsewhere, a scalar; 0 if left out.
        axis: Where the new axis goes, from 0 to the rank of `indices`; -1 for the end.
        dtype: The element type; by default the type of the values, or float32 without values.

    Returns:
        The vectors, of the shape of `indices` with `depth` inserted at `axis`.

    Raises:
        DTypeError: The values are of different types, or not of `dtype`.
        ShapeError: There is no such axis, or a value is not a scalar.

    Source: TensorFlow's `tf.one_hot`.
    """
    values = [value for value in (on_value, off_value) if value is not None]
    operands = [value for value in values if isinstance(value, Operand)]
    if dtype is not None:
        dtype = as_element_type(dtype)
    elif operands:
        dtype = operands[0].dtype
    else:
        dtype = common_type(values, ALL_TYPES) if values else TFloat32
    on, off = _value("on_value", on_value, 1, dtype), _value("off_value", off_value, 0, dtype)
    return OneHot.create(scope, indices, depth, on, off, axis=axis)


@overload
def sequence_mask(scope: Scope, lengths: Operand[L], maxlen: int | Operand[TInt32] | None = None) -> Operand[TBool]: ...
@overload
def sequence_mask(
    scope: Scope, lengths: Operand[L], maxlen: int | Operand[TInt32] | None = None, *, dtype: type[N]
) -> Operand[N]: ...
def sequence_mask(
    scope: Scope, lengths: Operand[L], maxlen: int | AnyOperand | None = None, *, dtype: type[Any] = TBool
) -> Any:
    """Which places of sequences with these lengths are in use: True before the end of a sequence, False behind it.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "sequence_mask".
        lengths: The lengths, of any shape.
        maxlen: The number of places, a scalar; the largest length, if left out.
        dtype: The element type. Of a type of numbers, 1 is for True and 0 for False.

    Returns:
        The mask, of the shape of `lengths` with an axis of `maxlen` places at the end.

    Raises:
        ShapeError: `maxlen` is no scalar.
        InvalidArgumentError: `maxlen` is negative; when the graph runs, if it is an operand.

    Source: TensorFlow's `tf.sequence_mask`.
    """
    with Ops.create(scope).with_sub_scope("sequence_mask") as tf:
        lengths = lengths.output_in(tf.scope)
        end = tf.math.maximum(tf.max(lengths), 0) if maxlen is None else maxlen
        places = tf.range(0, end, 1)
        mask = tf.dtypes.cast(places, lengths.dtype) < tf.expand_dims(lengths, -1)
        leaf: type[Any] = as_element_type(dtype)
        return tf.dtypes.cast(mask, leaf)


def _value(
    name: str, value: AnyOperand | AnyLike | None, default: int, dtype: type[TType]
) -> AnyOperand | Array | bytes:
    """`value` if it is an operand, else an array of `dtype`."""
    if value is None:
        return _scalar(default, dtype)
    if not isinstance(value, Operand):
        return convert(value, dtype, exact=True)
    if value.dtype is not dtype:
        remedy = conversion("it", [dtype], [value.dtype])
        raise DTypeError(f"{name} is {value.dtype.name}, but {dtype.name} is requested; {remedy}")
    return value


def _scalar(number: int, dtype: type[TType]) -> Array | bytes:
    """0 or 1 as an array of `dtype`; 0 is the empty string for strings."""
    if dtype is TString and number == 0:
        return b""
    if dtype.numpy == np.dtype(object):
        raise DTypeError(f"there is no {number} of type {dtype.name}")
    return np.array(number, dtype.numpy)
