"""Regularizers: penalties on the size of weights, to be added to a loss. Defaults are Keras'."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import isfinite
from typing import cast, final

from attrs import Attribute, field, frozen

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError
from typegrad.graph.operand import F, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["L1", "L1L2", "L2", "Regularizer"]


def _check(_: object, attribute: Attribute[float], value: float) -> None:
    if not (isfinite(value) and value >= 0):
        raise AttributeValueError(f"{attribute.name} is a finite number from 0 up, not {value!r}")


class Regularizer(ABC):
    """A penalty on weights."""

    @abstractmethod
    def __call__(self, scope: Scope, x: Operand[F]) -> Operand[F, tuple[()]]:
        """The penalty, a scalar, for weights `x` of any shape."""


@final
@frozen
class L1(Regularizer):
    """`l1 sum(|x|)`: makes many weights zero."""

    l1: float = field(default=0.01, validator=_check)

    def __call__(self, scope: Scope, x: Operand[F]) -> Operand[F, tuple[()]]:
        """The penalty, a scalar."""
        return _penalty(scope.with_sub_scope("L1"), x, self.l1, 0.0)


@final
@frozen
class L2(Regularizer):
    """`l2 sum(x^2)`: keeps weights small. (`nn.L2Loss` is half that sum.)"""

    l2: float = field(default=0.01, validator=_check)

    def __call__(self, scope: Scope, x: Operand[F]) -> Operand[F, tuple[()]]:
        """The penalty, a scalar."""
        return _penalty(scope.with_sub_scope("L2"), x, 0.0, self.l2)


@final
@frozen
class L1L2(Regularizer):
    """`l1 sum(|x|) + l2 sum(x^2)`; a term with factor 0, the default, is left out of the graph."""

    l1: float = field(default=0.0, validator=_check)
    l2: float = field(default=0.0, validator=_check)

    def __call__(self, scope: Scope, x: Operand[F]) -> Operand[F, tuple[()]]:
        """The penalty, a scalar."""
        return _penalty(scope.with_sub_scope("L1L2"), x, self.l1, self.l2)


def _penalty(scope: Scope, x: Operand[F], l1: float, l2: float) -> Operand[F, tuple[()]]:
    with Ops.create(scope) as tf:
        if x.rank is None:
            x = tf.reshape(x, (-1,))
        terms: list[Operand[F]] = []
        if l1:
            terms.append(l1 * tf.sum(abs(x)))
        if l2:
            terms.append(l2 * tf.sum(tf.math.square(x)))
        if not terms:
            return tf.constant(0.0, x.dtype)
        return cast("Operand[F, tuple[()]]", terms[0] + terms[1] if len(terms) > 1 else terms[0])


_guard(__name__)
