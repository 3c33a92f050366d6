"""Initializers whose spread follows from the layer's width, so that signals keep their variance from layer to layer."""

from __future__ import annotations

from math import prod, sqrt
from typing import Any, Final, Literal, TypeAlias, final

from attrs import Attribute, field, frozen
from typing_extensions import TypeVar

from typegrad.base.errors import AttributeValueError
from typegrad.base.types import TFloating
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.training.initializers.random import RandomInitializer, normal, truncated, uniform

__all__ = [
    "GlorotNormal",
    "GlorotUniform",
    "HeNormal",
    "HeUniform",
    "LecunNormal",
    "LecunUniform",
    "VarianceScaling",
    "fans",
]

F = TypeVar("F", bound=TFloating)

Mode: TypeAlias = Literal["fan_in", "fan_out", "fan_avg"]
Distribution: TypeAlias = Literal["truncated_normal", "untruncated_normal", "uniform"]

_TRUNCATED_STDDEV: Final = 0.8796256610342398
"""The standard deviation of a standard normal variable that is within 2 of zero."""


def _positive(initializer: Any, attribute: Attribute[Any], value: float) -> None:
    if not 0 < value < float("inf"):
        raise AttributeValueError(f"{attribute.name} is a positive number, not {value!r}")


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """How many inputs an output depends on, and how many outputs an input reaches, for weights of shape [..., inputs, outputs].

    The dimensions in front are those of a convolution's window. A vector counts as both; a scalar has one of each.
    """
    if len(shape) < 2:
        return (prod(shape), prod(shape))
    window = prod(shape[:-2])
    return (window * shape[-2], window * shape[-1])


@frozen
class VarianceScaling(RandomInitializer):
    """Zero mean and variance `scale / n`, n the number of inputs, of outputs, or their average (Keras: `VarianceScaling`).

    - `truncated_normal`: standard deviation sqrt(scale / n) after truncation, that is, divided by 0.8796... before it;
    - `untruncated_normal`: standard deviation sqrt(scale / n);
    - `uniform`: on [-limit, limit), limit = sqrt(3 scale / n).

    Raises `AttributeValueError` for a scale that is not positive, and for an unknown mode or distribution.
    """

    scale: float = field(default=1.0, validator=_positive)
    mode: Mode = "fan_in"
    distribution: Distribution = "truncated_normal"

    def _draw(self, scope: Scope, shape: tuple[int, ...], dtype: type[F]) -> Operand[F]:
        fan_in, fan_out = fans(shape)
        count = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1, count)
        if self.distribution == "uniform":
            limit = sqrt(3 * variance)
            return uniform(scope, shape, dtype, -limit, limit, self._seeds)
        if self.distribution == "truncated_normal":
            return truncated(scope, shape, dtype, 0.0, sqrt(variance) / _TRUNCATED_STDDEV, self._seeds)
        return normal(scope, shape, dtype, 0.0, sqrt(variance), self._seeds)


@final
@frozen
class GlorotNormal(VarianceScaling):
    """Truncated normal, variance 2 / (inputs + outputs). Source: Glorot and Bengio (2010)."""

    scale: float = field(default=1.0, init=False)
    mode: Mode = field(default="fan_avg", init=False)
    distribution: Distribution = field(default="truncated_normal", init=False)


@final
@frozen
class GlorotUniform(VarianceScaling):
    """Uniform, variance 2 / (inputs + outputs). Source: Glorot and Bengio (2010)."""

    scale: float = field(default=1.0, init=False)
    mode: Mode = field(default="fan_avg", init=False)
    distribution: Distribution = field(default="uniform", init=False)


@final
@frozen
class HeNormal(VarianceScaling):
    """Truncated normal, variance 2 / inputs, for rectified linear units. Source: He et al. (2015)."""

    scale: float = field(default=2.0, init=False)
    mode: Mode = field(default="fan_in", init=False)
    distribution: Distribution = field(default="truncated_normal", init=False)


@final
@frozen
class HeUniform(VarianceScaling):
    """Uniform, variance 2 / inputs, for rectified linear units. Source: He et al. (2015)."""

    scale: float = field(default=2.0, init=False)
    mode: Mode = field(default="fan_in", init=False)
    distribution: Distribution = field(default="uniform", init=False)


@final
@frozen
class LecunNormal(VarianceScaling):
    """Truncated normal, variance 1 / inputs. Source: LeCun et al., "Efficient BackProp" (1998)."""

    scale: float = field(default=1.0, init=False)
    mode: Mode = field(default="fan_in", init=False)
    distribution: Distribution = field(default="truncated_normal", init=False)


@final
@frozen
class LecunUniform(VarianceScaling):
    """Uniform, variance 1 / inputs. Source: LeCun et al., "Efficient BackProp" (1998)."""

    scale: float = field(default=1.0, init=False)
    mode: Mode = field(default="fan_in", init=False)
    distribution: Distribution = field(default="uniform", init=False)
