"""Initializers whose variance depends on the width of a layer, so that signals keep their variance."""

from __future__ import annotations

from math import prod, sqrt
from typing import Final, Literal, TypeAlias, final

from attrs import Attribute, field, frozen

from typegrad.base.errors import AttributeValueError
from typegrad.graph.operand import F, Operand
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

Mode: TypeAlias = Literal["fan_in", "fan_out", "fan_avg"]
Distribution: TypeAlias = Literal["truncated_normal", "untruncated_normal", "uniform"]

_TRUNCATED_STDDEV: Final = 0.8796256610342398
"""The standard deviation of the standard normal distribution, truncated at 2 and -2."""


def _positive(_: object, attribute: Attribute[float], value: float) -> None:
    if not 0 < value < float("inf"):
        raise AttributeValueError(f"{attribute.name} is a positive number, not {value!r}")


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """The number of inputs of each output, and of outputs of each input, for weights of shape [..., inputs, outputs].

    The leading dimensions are the window of a convolution. The size of a vector counts as both; a scalar has one of
    each.
    """
    if len(shape) < 2:
        return (prod(shape), prod(shape))
    window = prod(shape[:-2])
    return (window * shape[-2], window * shape[-1])


@frozen
class VarianceScaling(RandomInitializer):
    """Mean 0 and variance `scale / n`; n is the number of inputs, outputs, or their average (Keras: `VarianceScaling`).

    - `truncated_normal`: standard deviation sqrt(scale / n) after truncation, which is sqrt(scale / n) / 0.8796...
      before it;
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
