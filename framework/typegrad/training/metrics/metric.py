"""`Metric`: what all metrics share, and `Average`, the mean of everything seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Generic, cast

from typing_extensions import TypeVar

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.types import TFloat32, TFloating
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import zeros
from typegrad.graph.variable import Variable
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import Label, aligned, as_type, check_broadcast, rank_of

__all__ = ["Average", "F", "Metric", "broadcast_to", "grouped", "samplewise"]

F = TypeVar("F", bound=TFloating, default=TFloat32)
"""The element type in which a metric counts."""
G = TypeVar("G", bound=TFloating)


class Metric(ABC, Generic[F]):
    """A number that is brought up to date batch by batch, in variables that no optimizer trains.

    `update_state` makes an operation to run for each batch, `result` an operand to fetch, `reset_state` an operation to run before the
    next epoch. State is read and written in the order in which they were made: a result that was made after an update and is fetched
    in the same run includes it.
    """

    def __init__(self, scope: Scope, dtype: type[F] | None = None) -> None:
        """Make the state, all zeros.

        Args:
            scope: Where the state goes, and under which name; by default the name of the class.
            dtype: The floating-point type of state and result, float32 by default. Inputs are converted to it.

        Raises:
            DTypeError: `dtype` is not a floating-point type.
        """
        chosen = TFloat32 if dtype is None else dtype
        if not (isinstance(chosen, type) and issubclass(chosen, TFloating)):
            raise DTypeError(f"a metric counts in a floating-point type, not in {chosen!r}")
        self._dtype = cast("type[F]", chosen)
        self._scope = scope.with_sub_scope(type(self).__name__)
        self._variables: list[Variable[F]] = []

    @property
    def dtype(self) -> type[F]:
        """The element type of state and result."""
        return self._dtype

    @property
    def name(self) -> str:
        """The name of the scope in which the state lies."""
        return self._scope.path

    @property
    def variables(self) -> Sequence[Variable[F]]:
        """The state."""
        return tuple(self._variables)

    @abstractmethod
    def result(self, scope: Scope) -> Operand[F]:
        """The metric of all batches since the last reset."""

    def reset_state(self, scope: Scope) -> core.NoOp:
        """An operation that forgets all batches."""
        inner = scope.with_sub_scope("reset_state")
        return grouped(inner, [v.assign(inner, zeros(v.shape.as_ints(), self.dtype)) for v in self._variables])

    def _new(self, name: str, *sizes: int) -> Variable[F]:
        """A part of the state."""
        start = zeros(sizes, self.dtype)
        variable: Variable[F] = Variable.create(self._scope.with_name(name), start, self.dtype, trainable=False)
        self._variables.append(variable)
        return variable


class Average(Metric[F]):
    """The weighted mean of what the batches add."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self._total = self._new("total")
        self._count = self._new("count")

    def result(self, scope: Scope) -> Operand[F]:
        """The mean; 0 before the first batch."""
        return Ops.create(scope).math.div_no_nan(self._total.read(scope), self._count.read(scope))

    def _add(self, scope: Scope, values: Operand[F], sample_weight: Operand[Label] | RealLike | None) -> core.NoOp:
        """An operation that takes in `values`, of which the first dimension is that of the samples; the rest is averaged."""
        total, count = samplewise(scope, values, sample_weight, mean=True)
        return grouped(scope, [self._total.assign_add(scope, total), self._count.assign_add(scope, count)])


def samplewise(
    scope: Scope, values: Operand[G], sample_weight: Operand[Label] | RealLike | None, *, mean: bool
) -> tuple[Operand[G], Operand[G]]:
    """The sum of the samples' values, times their weights, and the sum of the weights or the number of samples.

    A sample of several values counts as their mean, or with `mean=False` as their sum. Weights of lower rank than the values belong to
    the first dimensions.
    """
    tf = Ops.create(scope)
    rank = rank_of(values, "the values")
    one = core.Constant.create(scope, 1.0, values.dtype)
    if sample_weight is None:
        if not rank:
            return values, one
        return tf.sum(_over(scope, values, range(1, rank), mean)), _samples(scope, values)
    weight: Operand[G] = as_type(scope, sample_weight, values.dtype, "sample_weight")
    values, weight = aligned(scope, values, weight, "the values", "sample_weight")
    low, high = rank_of(weight, "sample_weight"), rank_of(values, "the values")
    if low > high:
        raise ShapeError(
            f"sample_weight of shape {weight.shape} has more dimensions than the values of shape {values.shape}"
        )
    values = _over(scope, values, range(low, high), mean)
    check_broadcast(values, weight, "the values", "sample_weight")
    weight = broadcast_to(scope, weight, values)
    weighted = _over(scope, tf.math.mul(values, weight), range(1, low), mean)
    return tf.sum(weighted), tf.sum(_over(scope, weight, range(1, low), mean))


def _over(scope: Scope, x: Operand[G], axes: range, mean: bool) -> Operand[G]:
    if not axes:
        return x
    tf = Ops.create(scope)
    return tf.math.mean(x, tuple(axes)) if mean else tf.sum(x, tuple(axes))


def _samples(scope: Scope, values: Operand[G]) -> Operand[G]:
    """The size of the first dimension."""
    first = values.shape.known()[0]
    if isinstance(first, int):
        return core.Constant.create(scope, float(first), values.dtype)
    tf = Ops.create(scope)
    return as_type(scope, tf.gather(tf.shape(values), 0, 0), values.dtype)


def broadcast_to(scope: Scope, x: Operand[G], like: Operand[G]) -> Operand[G]:
    """`x`, repeated to the shape of `like`."""
    if x.shape.is_static and x.shape == like.shape:
        return x
    tf = Ops.create(scope)
    return tf.broadcast_to(x, like.shape.as_ints() if like.shape.is_static else tf.shape(like))


def grouped(scope: Scope, operations: Iterable[Any]) -> core.NoOp:
    """An operation that waits for all of these."""
    return core.NoOp.create(scope.with_control_dependencies(operations))
