"""Losses that ask for a margin. Shapes and errors are those of `typegrad.training.losses.regression`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.base.types import TFloating
from typegrad.graph.literals import RealLike
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.losses.arithmetic import number
from typegrad.training.losses.shapes import Label, prepared

__all__ = ["categorical_hinge", "hinge", "squared_hinge"]

F = TypeVar("F", bound=TFloating)


def hinge(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(max(1 - y_true y_pred, 0))`. Labels are -1 and 1; if all are 0 or 1, they are taken for these."""
    inner = scope.with_sub_scope("hinge")
    return Ops.create(inner).math.mean(_shortfall(inner, y_true, y_pred), -1)


def squared_hinge(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`mean(max(1 - y_true y_pred, 0)^2)`, with labels as for `hinge`."""
    inner = scope.with_sub_scope("squared_hinge")
    tf = Ops.create(inner)
    return tf.math.mean(tf.math.square(_shortfall(inner, y_true, y_pred)), -1)


def categorical_hinge(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """`max(neg - pos + 1, 0)`: pos the prediction for the true class (a one in y_true), neg the largest of the others.

    As in Keras, the true class takes part in that maximum with 0.
    """
    inner = scope.with_sub_scope("categorical_hinge")
    tf = Ops.create(inner)
    y, p = prepared(inner, y_true, y_pred)
    one = number(inner, 1.0, y)
    pos = tf.sum(tf.math.mul(y, p), -1)
    neg = tf.max(tf.math.mul(tf.math.sub(one, y), p), -1)
    return tf.math.maximum(tf.math.add_v2(tf.math.sub(neg, pos), one), number(inner, 0.0, y))


def _shortfall(scope: Scope, y_true: Operand[Label] | RealLike, y_pred: Operand[F]) -> Operand[F]:
    """How much each product of label and prediction lacks to 1."""
    tf = Ops.create(scope)
    y, p = prepared(scope, y_true, y_pred)
    zero, one, two = (number(scope, value, y) for value in (0.0, 1.0, 2.0))
    binary = tf.all(tf.math.logical_or(tf.math.equal(y, zero), tf.math.equal(y, one)))
    signs = tf.select(binary, tf.math.sub(tf.math.mul(two, y), one), y)
    return tf.math.maximum(tf.math.sub(one, tf.math.mul(signs, p)), zero)
