"""Activations that are made of several operations, by the names of `tf.nn` and `tf.math`."""

from __future__ import annotations

from typing import Final, cast

from typegrad.graph.operand import F, Operand, S
from typegrad.graph.scope import Scope
from typegrad.op._ops import Ops

__all__ = ["gelu", "log_sigmoid", "silu"]

_ROOT: Final = 0.7071067690849304
"""The root of 0.5, rounded to float32 as in TensorFlow, for numbers of float64 too."""
_CUBIC: Final = 0.044714998453855515
"""0.044715, rounded likewise."""


def gelu(scope: Scope, x: Operand[F, S], *, approximate: bool = False) -> Operand[F, S]:
    """`x P(X <= x)` for a standard normal X, the Gaussian error linear unit: `x erfc(-x / sqrt(2)) / 2`.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "gelu".
        x: The numbers.
        approximate: Whether to compute `x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2` instead.

    Returns:
        An operand of the type and shape of `x`.

    Source: TensorFlow's `tf.nn.gelu`; Hendrycks and Gimpel, "Gaussian error linear units" (2016).
    """
    with Ops.create(scope).with_sub_scope("gelu") as tf:
        x = x.output_in(tf.scope)
        if approximate:
            inner = 0.7978845608028654 * (x + _CUBIC * tf.math.pow(x, 3.0))
            return cast("Operand[F, S]", 0.5 * x * (1.0 + tf.math.tanh(inner)))
        return cast("Operand[F, S]", 0.5 * x * tf.math.erfc(-x * _ROOT))


def log_sigmoid(scope: Scope, x: Operand[F, S]) -> Operand[F, S]:
    """The logarithm of the sigmoid, `-log(1 + exp(-x))`, without overflow.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "log_sigmoid".
        x: The numbers.

    Returns:
        An operand of the type and shape of `x`.

    Source: TensorFlow's `tf.math.log_sigmoid`.
    """
    with Ops.create(scope).with_sub_scope("log_sigmoid") as tf:
        return -tf.math.softplus(-x.output_in(tf.scope))


def silu(scope: Scope, x: Operand[F, S], beta: float | Operand[F] = 1.0) -> Operand[F, S]:
    """`x sigmoid(beta x)`, also known as swish.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "silu".
        x: The numbers.
        beta: How steep the sigmoid is: a number, or an operand that broadcasts to the shape of `x`.

    Returns:
        An operand of the type and shape of `x`.

    Source: TensorFlow's `tf.nn.silu`; Ramachandran, Zoph and Le, "Searching for activation functions" (2017).
    """
    with Ops.create(scope).with_sub_scope("silu") as tf:
        x = x.output_in(tf.scope)
        return cast("Operand[F, S]", x * tf.math.sigmoid(beta * x))
