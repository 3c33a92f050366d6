"""Gradients of `ops/complex.yaml`. The gradient for x + iy is the gradient for x plus i times the gradient for y."""

from __future__ import annotations

from typing import Any

from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Complex
from typegrad.op.math import Angle, ComplexAbs, Conj, DivNoNan, Imag, Real
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import C, Gradients


def complex_(scope: Scope, op: Complex[Any], grad: AnyOutput) -> Gradients:
    x, y = op.inputs.real, op.inputs.imag
    return (
        lambda: sum_to_shape(scope, Real.create(scope, grad, tout=x.dtype).as_output(), x),
        lambda: sum_to_shape(scope, Imag.create(scope, grad, tout=y.dtype).as_output(), y),
    )


def real(scope: Scope, op: Real[Any], grad: AnyOutput) -> Gradients:
    return _complex(scope, grad, op.inputs.input)


def _complex(scope: Scope, x: AnyOperand, like: AnyOutput) -> AnyOperand:
    """Real numbers in the complex type of `like`."""
    return Complex.create(scope, x, 0, tout=like.dtype)


def imag(scope: Scope, op: Imag[Any], grad: AnyOutput) -> Gradients:
    return Complex.create(scope, 0, grad, tout=op.inputs.input.dtype)


def conj_gradient(scope: Scope, op: Conj[C], grad: Output[C]) -> Gradients:
    return Conj.create(scope, grad)


def complex_abs(scope: Scope, op: ComplexAbs[Any], grad: AnyOutput) -> Gradients:
    """The direction of `x`, which is 0 at 0."""
    x = op.inputs.x
    return _complex(scope, grad, x) * DivNoNan.create(scope, x, _complex(scope, op, x))


def angle(scope: Scope, op: Angle[Any], grad: AnyOutput) -> Gradients:
    """At x + iy: (ix - y) / (x^2 + y^2), which is -1 / (y + ix)."""
    x = op.inputs.input
    part = op.dtype
    swapped = Complex.create(scope, Imag.create(scope, x, tout=part), Real.create(scope, x, tout=part), tout=x.dtype)
    return -(_complex(scope, grad, x) / swapped)
