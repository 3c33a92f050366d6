"""Gradients of `ops/complex.yaml`.

The gradient for a complex number x + iy is that for x plus i times that for y.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from typegrad.base.types import TComplex
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.dtypes import Complex
from typegrad.op.math import Angle, ComplexAbs, Conj, DivNoNan, Imag, Mul, Neg, Real, RealDiv
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import Gradients, scalar_like

C = TypeVar("C", bound=TComplex)

Whole = Output[Any, Any]


def complex_(scope: Scope, op: Complex[Any], grad: Whole) -> Gradients:
    """Each part has its part of the gradient."""
    real, imag = op.inputs.real, op.inputs.imag
    return (
        lambda: sum_to_shape(scope, Real.create(scope, grad, tout=real.dtype).as_output(), real),
        lambda: sum_to_shape(scope, Imag.create(scope, grad, tout=imag.dtype).as_output(), imag),
    )


def real(scope: Scope, op: Real[Any], grad: Whole) -> Gradients:
    """A gradient without imaginary part."""
    return _along_real(scope, grad, op.inputs.input)


def _along_real(scope: Scope, x: Operand[Any, Any], like: Whole) -> Operand[Any, Any]:
    """x as complex numbers."""
    return Complex.create(scope, x, scalar_like(scope, 0, x), tout=like.dtype)


def imag(scope: Scope, op: Imag[Any], grad: Whole) -> Gradients:
    """A gradient without real part."""
    return Complex.create(scope, scalar_like(scope, 0, grad), grad, tout=op.inputs.input.dtype)


def conj_gradient(scope: Scope, op: Conj[C], grad: Output[C]) -> Gradients:
    """The conjugate of the gradient."""
    return Conj.create(scope, grad)


def complex_abs(scope: Scope, op: ComplexAbs[Any], grad: Whole) -> Gradients:
    """Away from 0, with length 1; 0 at 0."""
    x = op.inputs.x
    direction = DivNoNan.create(scope, x, _along_real(scope, op.as_output(), x))
    return Mul.create(scope, _along_real(scope, grad, x), direction)


def angle(scope: Scope, op: Angle[Any], grad: Whole) -> Gradients:
    """At x + iy: (ix - y) / (x^2 + y^2), which is -1 / (y + ix)."""
    x = op.inputs.input
    part = op.as_output().dtype
    swapped = Complex.create(scope, Imag.create(scope, x, tout=part), Real.create(scope, x, tout=part), tout=x.dtype)
    return Neg.create(scope, RealDiv.create(scope, _along_real(scope, grad, x), swapped))
