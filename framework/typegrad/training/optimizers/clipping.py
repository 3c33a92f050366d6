"""Gradient clipping: functions of a scope and the gradients of one step that return the gradients to apply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, final

from attrs import field, frozen

from typegrad.functions.casting import as_type
from typegrad.functions.reduction import global_norm
from typegrad.functions.rows import sum_duplicates, with_values
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, F, Operand
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops
from typegrad.training.optimizers.checks import positive, validator
from typegrad.training.optimizers.step import Floats

__all__ = ["Clip", "ClipByGlobalNorm", "ClipByNorm", "ClipByValue"]

Clip: TypeAlias = Callable[[Scope, Sequence[AnyOperand]], Sequence[AnyOperand]]
"""From the gradients of one step to as many others of the same types and shapes. An `IndexedSlices` may stay one."""


@final
@frozen
class ClipByValue:
    """Clips every element to the range from `-limit` to `limit`. Keras' `clipvalue`."""

    limit: float = field(validator=validator(positive))

    def __call__(self, scope: Scope, gradients: Sequence[AnyOperand]) -> list[AnyOperand]:
        """The clipped gradients."""
        with Ops.create(scope).with_sub_scope("ClipByValue") as tf:
            return [_mapped(tf.scope, gradient, lambda x: self._clip(tf, x)) for gradient in gradients]

    def _clip(self, tf: Ops, values: Floats) -> Floats:
        return tf.math.maximum(tf.math.minimum(values, self.limit), -self.limit)


@final
@frozen
class ClipByNorm:
    """Scales each gradient whose Euclidean norm exceeds `norm` down to it. Keras' `clipnorm`.

    A gradient with an infinite norm becomes nan, so that it is not silently replaced by zero.
    """

    norm: float = field(validator=validator(positive))

    def __call__(self, scope: Scope, gradients: Sequence[AnyOperand]) -> list[AnyOperand]:
        """The clipped gradients."""
        with Ops.create(scope).with_sub_scope("ClipByNorm") as tf:
            return [_mapped(tf.scope, gradient, lambda x: self._clip(tf, x)) for gradient in gradients]

    def _clip(self, tf: Ops, values: Floats) -> Floats:
        return _scaled(tf, values, _factor(tf, global_norm(tf.scope, [values]), self.norm))


@final
@frozen
class ClipByGlobalNorm:
    """Scales all gradients together, so that the norm of all their elements is at most `norm`.

    Keras' `global_clipnorm`.

    The direction of the step stays the same. If the norm is infinite, every gradient becomes nan.

    Source: Pascanu, Mikolov and Bengio, On the Difficulty of Training Recurrent Neural Networks (2012).
    """

    norm: float = field(validator=validator(positive))

    def __call__(self, scope: Scope, gradients: Sequence[AnyOperand]) -> list[AnyOperand]:
        """The clipped gradients."""
        with Ops.create(scope).with_sub_scope("ClipByGlobalNorm") as tf:
            summed = [_summed(tf.scope, gradient) for gradient in gradients]
            factor = _factor(tf, global_norm(tf.scope, summed), self.norm)
            return [_mapped(tf.scope, gradient, lambda x: _scaled(tf, x, factor)) for gradient in summed]


def _factor(tf: Ops, norm: Operand[F], limit: float) -> Operand[F]:
    """The factor that scales `norm` down to `limit`: at most 1, and nan for a norm that is not finite."""
    return limit / tf.math.maximum(norm, limit) + (norm - norm)


def _scaled(tf: Ops, values: Floats, factor: Operand[F]) -> Floats:
    return values * as_type(tf.scope, factor, values.dtype)


def _summed(scope: Scope, gradient: AnyOperand) -> AnyOperand:
    return sum_duplicates(scope, gradient) if isinstance(gradient, IndexedSlices) else gradient


def _mapped(scope: Scope, gradient: AnyOperand, function: Callable[[Floats], Floats]) -> AnyOperand:
    """`function` of a gradient; of the summed rows of a sparse one, which stays sparse."""
    summed = _summed(scope, gradient)
    if isinstance(summed, IndexedSlices):
        return with_values(scope, summed, function(summed.values))
    return function(summed)
