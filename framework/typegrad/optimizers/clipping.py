"""Gradient clipping: callables from a scope and the gradients of one step to those that are applied."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, final

from attrs import field, frozen

from typegrad.errors import GradientError
from typegrad.indexed_slices import IndexedSlices
from typegrad.op.core import Sum
from typegrad.op.math import AddN
from typegrad.operand import Operand
from typegrad.optimizers.checks import positive
from typegrad.optimizers.formula import Formula
from typegrad.optimizers.rows import sum_duplicates, with_values
from typegrad.scope import Scope
from typegrad.types import TBfloat16, TFloat16, TFloat32, TFloat64, TType

__all__ = ["Clip", "ClipByGlobalNorm", "ClipByNorm", "ClipByValue", "global_norm"]

Gradient: TypeAlias = Operand[Any, Any]

Clip: TypeAlias = Callable[[Scope, Sequence[Gradient]], Sequence[Gradient]]
"""From the gradients of one step to as many others of the same types and shapes. An `IndexedSlices` may stay one."""

_NARROW: Final = (TFloat16, TBfloat16)


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
        wide = Formula(f.scope, _wide(values.dtype))
        return f.mul(values, _scale(wide, wide.sqrt(_squares(wide, values)), self.norm))


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
        scale = _scale(Formula(scope, norm.dtype), norm, self.norm)
        return [_mapped(scope, gradient, lambda f, values: f.mul(values, scale)) for gradient in summed]


def global_norm(scope: Scope, gradients: Sequence[Gradient]) -> Gradient:
    """The square root of the sum of the squares of all elements, a scalar.

    It is computed in the gradients' type; in float32 where that is narrower, in float64 where they differ.

    Raises:
        GradientError: There are no gradients.
    """
    if len(gradients) == 0:
        raise GradientError("there are no gradients to take the norm of")
    widths = {_wide(gradient.dtype) for gradient in gradients}
    f = Formula(scope.with_sub_scope("global_norm"), widths.pop() if len(widths) == 1 else TFloat64)
    return f.sqrt(AddN.create(f.scope, [_squares(f, _values(f.scope, gradient)) for gradient in gradients]))


def _wide(dtype: type[TType]) -> type[TType]:
    return TFloat32 if dtype in _NARROW else dtype


def _squares(f: Formula, values: Gradient) -> Gradient:
    return Sum.create(f.scope, f.square(values))


def _scale(f: Formula, norm: Gradient, limit: float) -> Gradient:
    """What to multiply by: at most 1, and nan for a norm that is not finite."""
    return f.add(f.div(limit, f.maximum(norm, limit)), f.sub(norm, norm))


def _summed(scope: Scope, gradient: Gradient) -> Gradient:
    return sum_duplicates(scope, gradient) if isinstance(gradient, IndexedSlices) else gradient


def _values(scope: Scope, gradient: Gradient) -> Gradient:
    summed = _summed(scope, gradient)
    return summed.values if isinstance(summed, IndexedSlices) else summed


def _mapped(scope: Scope, gradient: Gradient, function: Callable[[Formula, Gradient], Gradient]) -> Gradient:
    """`function` of a gradient; of the summed rows of a sparse one, which stays sparse."""
    f = Formula(scope, gradient.dtype)
    summed = _summed(scope, gradient)
    if isinstance(summed, IndexedSlices):
        return with_values(scope, summed, function(f, summed.values))
    return function(f, summed)
