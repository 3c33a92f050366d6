"""Gradients of `ops/matrix_functions.yaml`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import Concat, ZerosLike
from typegrad.op.linalg import MatrixExponential, MatrixLogarithm, Sqrtm
from typegrad.rules.common import C, Gradients, N
from typegrad.rules.matrices import M, adjoint, left, right
from typegrad.rules.sizes import size_between


def matrix_exponential(scope: Scope, op: MatrixExponential[M], grad: Output[M]) -> Gradients:
    return _derivative(scope, MatrixExponential.create, op.inputs.input, grad)


def matrix_logarithm(scope: Scope, op: MatrixLogarithm[C], grad: Output[C]) -> Gradients:
    return _derivative(scope, MatrixLogarithm.create, op.inputs.input, grad)


def matrix_square_root(scope: Scope, op: Sqrtm[M], grad: Output[M]) -> Gradients:
    return _derivative(scope, Sqrtm.create, op.inputs.input, grad)


def _derivative(scope: Scope, function: Callable[[Scope, Any], Any], x: Output[N], grad: Operand[N]) -> Operand[N]:
    """The derivative of f at A, in the direction G, is the upper right block of f([[A, G], [0, A]]) (Mathias, 1996)."""
    turned = adjoint(scope, x)
    upper = Concat.create(scope, [turned, grad], -1)
    lower = Concat.create(scope, [ZerosLike.create(scope, x), turned], -1)
    size = size_between(scope, x, -1, None)
    whole = adjoint(scope, right(scope, function(scope, Concat.create(scope, [upper, lower], -2)), size))
    return adjoint(scope, left(scope, whole, size))
