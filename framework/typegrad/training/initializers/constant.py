"""Initializers without randomness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from attrs import field, frozen
from numpy.typing import ArrayLike
from typing_extensions import TypeVar

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape
from typegrad.base.types import TBool, TNumber, TString
from typegrad.graph.conversion import constant
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.initializers.initializer import Initializer, sizes

__all__ = ["Constant", "Identity", "Ones", "Zeros"]

T = TypeVar("T", bound=TNumber | TBool | TString)
N = TypeVar("N", bound=TNumber)
V = TypeVar("V", bound=TNumber | TBool)


@final
@frozen
class Constant(Initializer):
    """The same value everywhere (Keras: `Constant`)."""

    value: ArrayLike = field(default=0.0, eq=False)
    """A scalar, or an array that broadcasts to the requested shape. It must fit the element type."""

    def __call__(self, scope: Scope, shape: Sequence[int] | Shape, dtype: type[T]) -> Operand[T]:
        """`value`, of shape `shape`.

        Raises:
            DTypeError: The value does not fit `dtype`.
            ShapeError: The value does not broadcast to `shape`.
        """
        tf = Ops.create(scope).with_sub_scope("Constant")
        value: Operand[T] = constant(tf.scope.with_name("value"), self.value, dtype)
        return tf.broadcast_to(value, sizes(shape))


@final
@frozen
class Zeros(Initializer):
    """Zero everywhere; False for booleans (Keras: `Zeros`)."""

    def __call__(self, scope: Scope, shape: Sequence[int] | Shape, dtype: type[V]) -> Operand[V]:
        """Zeros, of shape `shape`."""
        return Ops.create(scope).with_sub_scope("Zeros").zeros(sizes(shape), dtype)


@final
@frozen
class Ones(Initializer):
    """One everywhere; True for booleans (Keras: `Ones`)."""

    def __call__(self, scope: Scope, shape: Sequence[int] | Shape, dtype: type[V]) -> Operand[V]:
        """Ones, of shape `shape`."""
        return Ops.create(scope).with_sub_scope("Ones").ones(sizes(shape), dtype)


@final
@frozen
class Identity(Initializer):
    """`gain` on the diagonal of a matrix and zero elsewhere; the matrix need not be square (Keras: `Identity`)."""

    gain: float = 1.0

    def __call__(self, scope: Scope, shape: Sequence[int] | Shape, dtype: type[N]) -> Operand[N]:
        """The matrix, of shape `shape` = [rows, columns].

        Raises:
            DTypeError: `gain` does not fit `dtype`.
            ShapeError: `shape` is not the shape of a matrix.
        """
        known = sizes(shape)
        if len(known) != 2:
            raise ShapeError(f"Identity initializes matrices, of shape (rows, columns); got {known!r}")
        rows, columns = known
        tf = Ops.create(scope).with_sub_scope("Identity")
        gain = int(self.gain) if float(self.gain).is_integer() else self.gain
        on: Operand[N] = constant(tf.scope.with_name("gain"), gain, dtype)
        off: Operand[N] = constant(tf.scope.with_name("zero"), 0, dtype)
        return tf.one_hot(tf.range(0, rows, 1), columns, on, off)
