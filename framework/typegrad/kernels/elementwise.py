"""Kernels of `ops/elementwise.yaml`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.arithmetic import quotient
from typegrad.kernels.precision import widened


def floor(xp: Any, x: Any) -> Any:
    """The largest whole number not above x."""
    return xp.floor(x)


def ceil(xp: Any, x: Any) -> Any:
    """The smallest whole number not below x."""
    return xp.ceil(x)


def round(xp: Any, x: Any) -> Any:
    """The nearest whole number, the even one of two."""
    return x if x.dtype.kind == "i" else xp.rint(x)


def conj(xp: Any, x: Any) -> Any:
    """The complex conjugate."""
    return xp.conjugate(x)


def exp(xp: Any, x: Any) -> Any:
    """e to the power x."""
    return xp.exp(x)


def expm1(xp: Any, x: Any) -> Any:
    """exp(x) - 1, accurate near 0."""
    return xp.expm1(x)


def log(xp: Any, x: Any) -> Any:
    """The natural logarithm."""
    return xp.log(x)


def log1p(xp: Any, x: Any) -> Any:
    """log(1 + x), accurate near 0."""
    if x.dtype.kind != "c":
        return xp.log1p(x)
    # NumPy's log1p of complex numbers takes the modulus of 1 + x, which is 1 for a small x.
    near, result = (xp.abs(x.real) < 0.5) & (xp.abs(x.imag) < 0.5), xp.asarray(xp.log(1 + x))
    real, imag = x.real[near], x.imag[near]
    result.real[near] = xp.log1p(real * (2 + real) + imag * imag) / 2
    return result


def sqrt(xp: Any, x: Any) -> Any:
    """The square root."""
    return xp.sqrt(x)


def rsqrt(xp: Any, x: Any) -> Any:
    """1 / sqrt(x)."""
    return widened(xp, lambda v: quotient(xp, v.dtype.type(1), xp.sqrt(v)), x)


def sin(xp: Any, x: Any) -> Any:
    """The sine."""
    return xp.sin(x)


def cos(xp: Any, x: Any) -> Any:
    """The cosine."""
    return xp.cos(x)


def tan(xp: Any, x: Any) -> Any:
    """The tangent."""
    return xp.tan(x)


def tanh(xp: Any, x: Any) -> Any:
    """The hyperbolic tangent."""
    return xp.tanh(x)


def sigmoid(xp: Any, x: Any) -> Any:
    """1 / (1 + exp(-x)), which is accurate for every x: where exp overflows, the result underflows to 0."""
    if x.dtype.kind != "c":
        return widened(xp, lambda v: 1 / (1 + xp.exp(-v)), x)
    # 1 over a complex number that overflowed is nan, so exp must not overflow.
    small = xp.exp(xp.where(x.real < 0, x, -x))
    return xp.where(x.real < 0, small, xp.ones_like(x)) / (1 + small)


def softplus(xp: Any, features: Any) -> Any:
    """log(exp(x) + exp(0)), without overflow."""
    return widened(xp, lambda x: xp.logaddexp(x, xp.zeros_like(x)), features)


def _gradient(xp: Any, formula: Callable[[Any, Any], Any], y: Any, dy: Any) -> Any:
    """`formula(y, dy)` for arrays of one shape."""
    if y.shape != dy.shape:
        raise InvalidArgumentError(f"the two inputs must have one shape, but have {list(y.shape)} and {list(dy.shape)}")
    return widened(xp, formula, y, dy)


def sqrt_grad(xp: Any, y: Any, dy: Any) -> Any:
    """dy / (2 conj(y)); 0 where dy is 0, even at y = 0."""
    return _gradient(
        xp, lambda y, dy: xp.where(dy == 0, xp.zeros_like(y), quotient(xp, dy * 0.5, xp.conjugate(y))), y, dy
    )


def rsqrt_grad(xp: Any, y: Any, dy: Any) -> Any:
    """-dy conj(y)^3 / 2; 0 where dy is 0, even where y is infinite."""
    return _gradient(
        xp,
        lambda y, dy: xp.where(dy == 0, xp.zeros_like(y), (dy * -0.5 * xp.conjugate(y)) * xp.conjugate(y * y)),
        y,
        dy,
    )


def reciprocal_grad(xp: Any, y: Any, dy: Any) -> Any:
    """-dy conj(y)^2; 0 where dy is 0, even where y is infinite."""
    return _gradient(xp, lambda y, dy: xp.where(dy == 0, xp.zeros_like(y), -dy * xp.conjugate(y * y)), y, dy)


def tanh_grad(xp: Any, y: Any, dy: Any) -> Any:
    """dy (1 - y^2)."""
    return _gradient(xp, lambda y, dy: dy * (1 - y * y), y, dy)


def sigmoid_grad(xp: Any, y: Any, dy: Any) -> Any:
    """dy y (1 - y)."""
    return _gradient(xp, lambda y, dy: dy * y * (1 - y), y, dy)


def softplus_grad(xp: Any, gradients: Any, features: Any) -> Any:
    """gradients / (1 + exp(-features))."""
    return _gradient(xp, lambda dy, x: dy / (1 + xp.exp(-x)), gradients, features)
