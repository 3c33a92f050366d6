"""The base classes of metrics: `Metric` holds state; `Average` is a mean over all batches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, Generic, NoReturn, cast

from typing_extensions import TypeVar

from typegrad.base.brief import counted
from typegrad.base.errors import DTypeError, OptionError, ShapeError
from typegrad.base.types import TFloat32, TFloating
from typegrad.functions.casting import as_type
from typegrad.graph.operand import F as G
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import zeros
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import Op
from typegrad.op import core
from typegrad.op._ops import Ops
from typegrad.training.losses.shapes import ClassNumber, Label, Weight, aligned, check_broadcast, rank_of

__all__ = ["NOT_CALLED", "Average", "ClassMetric", "F", "LabelMetric", "Metric", "P", "broadcast_to", "samplewise"]

NOT_CALLED: Final = (
    "{} is not called again; update_state(scope, ...) makes the operation that adds a batch, result(scope) the operand "
    "to fetch"
)
F = TypeVar("F", bound=TFloating, default=TFloat32)
"""The element type in which a metric counts."""
P = TypeVar("P", bound=TFloating)
"""The element type of predictions."""


class Metric(ABC, Generic[F]):
    """A number that is updated batch by batch, in variables that no optimizer trains.

    `update_state` makes an operation to run for each batch, `result` an operand to fetch, `reset_state` an operation to
    run before the next epoch. State is read and written in the order of creation: a result that was made after an
    update includes that update when both run together.

    A metric of your own is a variable, an operation that updates it, and an operand; it needs no class.
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

    if not TYPE_CHECKING:

        def __call__(self, *_, **__) -> NoReturn:
            """An `OptionError`, whatever the arguments are."""
            raise OptionError(NOT_CALLED.format(type(self).__name__))

    def __repr__(self) -> str:
        state = counted(len(self._variables), "variable")
        return f"<{type(self).__name__} {self.name!r}, {self.dtype.name}, of {state}>"

    @property
    def dtype(self) -> type[F]:
        """The element type of state and result."""
        return self._dtype

    @property
    def name(self) -> str:
        """The name of the scope that holds the state."""
        return self._scope.path

    @property
    def variables(self) -> Sequence[Variable[F]]:
        """The state."""
        return tuple(self._variables)

    @abstractmethod
    def result(self, scope: Scope) -> Operand[F]:
        """The metric of all batches since the last reset."""

    def reset_state(self, scope: Scope) -> core.NoOp:
        """An operation that sets the state back to zeros."""
        tf = Ops.create(scope).with_sub_scope("reset_state")
        return tf.group(*[v.assign(tf.scope, zeros(v.shape.as_ints(), self.dtype)) for v in self._variables])

    def _new(self, name: str, *sizes: int) -> Variable[F]:
        """A part of the state."""
        start = zeros(sizes, self.dtype)
        variable: Variable[F] = Variable.create(self._scope.with_name(name), start, self.dtype, trainable=False)
        self._variables.append(variable)
        return variable

    def _adding(self, tf: Ops, pairs: Iterable[tuple[Variable[F], Operand[F]]]) -> core.NoOp:
        """An operation that adds each operand to its part of the state."""
        updates: list[Op] = [variable.assign_add(tf.scope, operand) for variable, operand in pairs]
        return tf.group(*updates)


class Average(Metric[F]):
    """The weighted mean of the values in all batches."""

    def __init__(self, scope: Scope, dtype: type[F] | None = None) -> None:
        """See `Metric`."""
        super().__init__(scope, dtype)
        self._total = self._new("total")
        self._count = self._new("count")

    def result(self, scope: Scope) -> Operand[F, tuple[()]]:
        """The mean; 0 before the first batch."""
        return Ops.create(scope).math.div_no_nan(self._total.read(scope), self._count.read(scope))

    def _add(self, tf: Ops, values: Operand[F], sample_weight: Operand[Weight] | None) -> core.NoOp:
        """An operation that adds `values`: the first dimension is the samples', the rest is averaged."""
        total, count = samplewise(tf, values, sample_weight, mean=True)
        return self._adding(tf, [(self._total, total), (self._count, count)])


class LabelMetric(Average[F]):
    """The mean of a number for each sample, which compares a prediction with a label of the same shape."""

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[Label],
        y_pred: Operand[P],
        sample_weight: Operand[Weight] | None = None,
    ) -> core.NoOp:
        """An operation that adds a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The labels.
            y_pred: The predictions.
            sample_weight: The weights of the samples. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            return self._add(tf, self._values(tf.scope, y_true, y_pred), sample_weight)

    @abstractmethod
    def _values(self, scope: Scope, y_true: Operand[Label], y_pred: Operand[P]) -> Operand[F]:
        """The numbers to average. `scope` is current: operators add their operations there."""


class ClassMetric(Average[F]):
    """The mean of a number per sample, which compares predictions for all classes with the true class's number."""

    def update_state(
        self,
        scope: Scope,
        y_true: Operand[ClassNumber],
        y_pred: Operand[P],
        sample_weight: Operand[Weight] | None = None,
    ) -> core.NoOp:
        """An operation that adds a batch.

        Args:
            scope: Where in the graph the operations go.
            y_true: The number of the class of each sample, of shape [...] or [..., 1].
            y_pred: A prediction for each class, of shape [..., classes].
            sample_weight: The weights of the samples. Weights of lower rank belong to the first dimensions.

        Raises:
            ShapeError: The shapes do not fit, or a rank is unknown.
        """
        with Ops.create(scope).with_sub_scope("update_state") as tf:
            return self._add(tf, self._values(tf.scope, y_true, y_pred), sample_weight)

    @abstractmethod
    def _values(self, scope: Scope, y_true: Operand[ClassNumber], y_pred: Operand[P]) -> Operand[F]:
        """The numbers to average. `scope` is current: operators add their operations there."""


def samplewise(
    tf: Ops, values: Operand[G], sample_weight: Operand[Weight] | None, *, mean: bool
) -> tuple[Operand[G], Operand[G]]:
    """The weighted sum of the samples' values, and the sum of the weights or the number of samples.

    A sample of several values counts as their mean, or with `mean=False` as their sum. Weights of lower rank than the
    values belong to the first dimensions.
    """
    rank = rank_of(values, "the values")
    if sample_weight is None:
        if not rank:
            return values, tf.constant(1.0, values.dtype)
        return tf.sum(_over(tf, values, range(1, rank), mean)), _samples(tf, values)
    weight: Operand[G] = as_type(tf.scope, sample_weight, values.dtype)
    values, weight = aligned(tf, values, weight, "the values", "sample_weight")
    low, high = rank_of(weight, "sample_weight"), rank_of(values, "the values")
    if low > high:
        raise ShapeError(
            f"sample_weight of shape {weight.shape} has more dimensions than the values of shape {values.shape}"
        )
    values = _over(tf, values, range(low, high), mean)
    check_broadcast(values, weight, "the values", "sample_weight")
    weight = broadcast_to(tf, weight, values)
    weighted = _over(tf, values * weight, range(1, low), mean)
    return tf.sum(weighted), tf.sum(_over(tf, weight, range(1, low), mean))


def _over(tf: Ops, x: Operand[G], axes: range, mean: bool) -> Operand[G]:
    """The mean or sum of `x` over `axes`."""
    if not axes:
        return x
    return tf.math.mean(x, tuple(axes)) if mean else tf.sum(x, tuple(axes))


def _samples(tf: Ops, values: Operand[G]) -> Operand[G]:
    """The size of the first dimension."""
    first = values.shape.known()[0]
    if isinstance(first, int):
        return tf.constant(float(first), values.dtype)
    return as_type(tf.scope, tf.shape(values)[0], values.dtype)


def broadcast_to(tf: Ops, x: Operand[G], like: Operand[G]) -> Operand[G]:
    """`x`, broadcast to the shape of `like`."""
    if x.shape.is_static and x.shape == like.shape:
        return x
    return tf.broadcast_to(x, like.shape.as_ints() if like.shape.is_static else tf.shape(like))
