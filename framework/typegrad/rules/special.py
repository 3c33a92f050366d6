"""Gradients of `ops/special.yaml`."""

from __future__ import annotations

import math

from typing_extensions import TypeVar

from typegrad.base.types import TFloat32, TFloat64
from typegrad.graph.operand import AnyOperand, Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Cast
from typegrad.op.math import Digamma, Erf, Erfc, Exp, Lgamma, Polygamma
from typegrad.rules.common import F, Gradients

E = TypeVar("E", bound=TFloat32 | TFloat64)
"""The types of the kernel of `Polygamma`."""


def erf(scope: Scope, op: Erf[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (2 / math.sqrt(math.pi) * Exp.create(scope, -(x * x)))


def erfc(scope: Scope, op: Erfc[F], grad: Output[F]) -> Gradients:
    x = op.inputs.x
    return grad * (-2 / math.sqrt(math.pi) * Exp.create(scope, -(x * x)))


def lgamma(scope: Scope, op: Lgamma[F], grad: Output[F]) -> Gradients:
    return grad * Digamma.create(scope, op.inputs.x)


def digamma(scope: Scope, op: Digamma[F], grad: Output[F]) -> Gradients:
    return grad * Cast.create(scope, Polygamma.create(scope, 1, _wide(scope, op.inputs.x)), grad.dtype)


def _wide(scope: Scope, x: AnyOperand) -> AnyOperand:
    """`Polygamma` takes no narrow floats."""
    return x if x.dtype in (TFloat32, TFloat64) else Cast.create(scope, x, TFloat32)


def polygamma(scope: Scope, op: Polygamma[E], grad: Output[E]) -> Gradients:
    return grad * Polygamma.create(scope, op.inputs.a + 1, op.inputs.x)
