"""Initializers without randomness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from attrs import field, frozen
from numpy.typing import ArrayLike
from typing_extensions import TypeVar

from typegrad import functions
from typegrad.base.errors import ShapeError
from typegrad.base.types import TBool, TNumber, TString
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.initializers.initializer import Initializer, sizes

__all__ = ["Constant", "Identity", "Ones", "Zeros"]

T = TypeVar("T", bound=TNumber | TBool | TString)
N = TypeVar("N", bound=TNumber)
V = TypeVar("V", bound=TNumber | TBool)


@final
@frozen
class Constant(Initializer):
    """One given value everywhere (Keras: `Constant`)."""

    value: ArrayLike = field(default=0.0, eq=False)
    """A scalar, or an array that broadcasts to the shape asked for. It must fit the element type: 0.5 is no int32."""

    def __call__(self, scope: Scope, shape: Sequence[int], dtype: type[T]) -> Operand[T]:
        """`value`, of shape `shape`.

        Raises:
            DTypeError: The value does not fit `dtype`.
            ShapeError: The value does not broadcast to `shape`.
        """
        inner = scope.with_sub_scope("Constant")
        value: Operand[T] = constant(inner.with_name("value"), self.value, dtype)
        return core.BroadcastTo.create(inner, value, sizes(shape))


@final
@frozen
class Zeros(Initializer):
    """Zero everywhere; False for booleans (Keras: `Zeros`)."""

    def __call__(self, scope: Scope, shape: Sequence[int], dtype: type[V]) -> Operand[V]:
        """Zeros, of shape `shape`."""
        return functions.zeros(scope.with_sub_scope("Zeros"), sizes(shape), dtype)


@final
@frozen
class Ones(Initializer):
    """One everywhere; True for booleans (Keras: `Ones`)."""

    def __call__(self, scope: Scope, shape: Sequence[int], dtype: type[V]) -> Operand[V]:
        """Ones, of shape `shape`."""
        return functions.ones(scope.with_sub_scope("Ones"), sizes(shape), dtype)


@final
@frozen
class Identity(Initializer):
    """`gain` on the diagonal of a matrix and zero elsewhere; the matrix need not be square (Keras: `Identity`)."""

    gain: float = 1.0

    def __call__(self, scope: Scope, shape: Sequence[int], dtype: type[N]) -> Operand[N]:
        """The matrix, of shape `shape` = [rows, columns].

        Raises:
            DTypeError: `gain` does not fit `dtype`.
            ShapeError: `shape` is not that of a matrix.
        """
        if len(shape) != 2:
            raise ShapeError(f"Identity initializes matrices, of shape (rows, columns); got {tuple(shape)!r}")
        rows, columns = sizes(shape)
        inner = scope.with_sub_scope("Identity")
        tf = Ops.create(inner)
        gain = int(self.gain) if float(self.gain).is_integer() else self.gain
        on: Operand[N] = constant(inner.with_name("gain"), gain, dtype)
        off: Operand[N] = constant(inner.with_name("zero"), 0, dtype)
        return tf.one_hot(tf.range(0, rows, 1), columns, on, off)
