"""Gradient clipping: callables from a scope and the gradients of one step to those that are applied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, final

from attrs import field, frozen

from typegrad.functions.norms import global_norm
from typegrad.functions.rows import sum_duplicates, with_values
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.training.optimizers.checks import positive
from typegrad.training.optimizers.formula import Formula

__all__ = ["Clip", "ClipByGlobalNorm", "ClipByNorm", "ClipByValue"]

Gradient: TypeAlias = Operand[Any, Any]

Clip: TypeAlias = Callable[[Scope, Sequence[Gradient]], Sequence[Gradient]]
"""From the gradients of one step to as many others of the same types and shapes. An `IndexedSlices` may stay one."""


def _above_zero(_: object, attribute: Any, value: float) -> None:
    positive(attribute.name, value)


@final
@frozen
class ClipByValue:
    """Brings every element into the range from `-limit` to `limit`. Keras' `clipvalue`."""

    limit: float = field(validator=_above_zero)

    def __call__(self, scope: Scope, gradients: Sequence[Gradient]) -> list[Gradient]:
        """The clipped gradients."""
        scope = scope.with_sub_scope("ClipByValue")
        return [_mapped(scope, gradient, self._clip) for gradient in gradients]

    def _clip(self, f: Formula, values: Gradient) -> Gradient:
        return f.maximum(f.minimum(values, self.limit), -self.limit)


@final
@frozen
class ClipByNorm:
    """Scales each gradient whose Euclidean norm exceeds `norm` down to it. Keras' `clipnorm`.

    A gradient with an infinite norm becomes nan, rather than silently zero.
    """

    norm: float = field(validator=_above_zero)

    def __call__(self, scope: Scope, gradients: Sequence[Gradient]) -> list[Gradient]:
        """The clipped gradients."""
        scope = scope.with_sub_scope("ClipByNorm")
        return [_mapped(scope, gradient, self._clip) for gradient in gradients]

    def _clip(self, f: Formula, values: Gradient) -> Gradient:
        return f.mul(values, _scale(f.scope, global_norm(f.scope, [values]), self.norm))


@final
@frozen
class ClipByGlobalNorm:
    """Scales all gradients together, so that the norm of all their elements is at most `norm`. Keras' `global_clipnorm`.

    The direction of the step stays what it was. If the norm is infinite, every gradient becomes nan.

    Source: Pascanu, Mikolov and Bengio, On the Difficulty of Training Recurrent Neural Networks (2012).
    """

    norm: float = field(validator=_above_zero)

    def __call__(self, scope: Scope, gradients: Sequence[Gradient]) -> list[Gradient]:
        """The clipped gradients."""
        scope = scope.with_sub_scope("ClipByGlobalNorm")
        summed = [_summed(scope, gradient) for gradient in gradients]
        norm = global_norm(scope, summed)
        scale = _scale(scope, norm, self.norm)
        return [_mapped(scope, gradient, lambda f, values: f.mul(values, scale)) for gradient in summed]


def _scale(scope: Scope, norm: Gradient, limit: float) -> Gradient:
    """What to multiply by: at most 1, and nan for a norm that is not finite."""
    f = Formula(scope, norm.dtype)
    return f.add(f.div(limit, f.maximum(norm, limit)), f.sub(norm, norm))


def _summed(scope: Scope, gradient: Gradient) -> Gradient:
    return sum_duplicates(scope, gradient) if isinstance(gradient, IndexedSlices) else gradient


def _mapped(scope: Scope, gradient: Gradient, function: Callable[[Formula, Gradient], Gradient]) -> Gradient:
    """`function` of a gradient; of the summed rows of a sparse one, which stays sparse."""
    f = Formula(scope, gradient.dtype)
    summed = _summed(scope, gradient)
    if isinstance(summed, IndexedSlices):
        return with_values(scope, summed, function(f, summed.values))
    return function(f, summed)
