"""Gradients of `ops/matmul.yaml`. Transpositions of products are moved into the flags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from typegrad.graph.operand import AnyOutput, Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import OnesLike
from typegrad.op.linalg import Cross, Einsum, MatMul
from typegrad.op.train import BatchMatMul
from typegrad.rules.broadcasting import sum_to_shape
from typegrad.rules.common import F, Gradient, Gradients, N, conj
from typegrad.shapes.equation import ELLIPSIS, Equation, parse


def mat_mul(scope: Scope, op: MatMul[N], grad: Output[N]) -> Gradients:
    a, b, ta, tb = op.inputs.a, op.inputs.b, op.inputs.transpose_a, op.inputs.transpose_b

    def product(x: Operand[N], y: Operand[N], *, tx: bool, ty: bool) -> MatMul[N]:
        return MatMul.create(scope, x, y, transpose_a=tx, transpose_b=ty)

    return (
        lambda: product(conj(b), grad, tx=tb, ty=True) if ta else product(grad, conj(b), tx=False, ty=not tb),
        lambda: product(grad, conj(a), tx=True, ty=ta) if tb else product(conj(a), grad, tx=not ta, ty=False),
    )


def batch_mat_mul_v3(scope: Scope, op: BatchMatMul[Any], grad: AnyOutput) -> Gradients:
    """Summed over the batch dimensions that were broadcast."""
    x, y, ax, ay = op.inputs.x, op.inputs.y, op.inputs.adj_x, op.inputs.adj_y

    def product(left: AnyOutput, right: AnyOutput, target: AnyOutput, *, al: bool, ar: bool) -> AnyOutput:
        result = BatchMatMul.create(scope, left, right, target.dtype, adj_x=al, adj_y=ar)
        return sum_to_shape(scope, result.as_output(), target)

    return (
        lambda: product(y, grad, x, al=ay, ar=True) if ax else product(grad, y, x, al=False, ar=not ay),
        lambda: product(grad, x, y, al=True, ar=ax) if ay else product(x, grad, y, al=not ax, ar=False),
    )


def einsum(scope: Scope, op: Einsum[N], grad: Output[N]) -> Sequence[Gradient]:
    """For each operand, an einsum of the gradient and the other operand."""
    equation = parse(op.inputs.equation)
    makers: list[Callable[[], Operand[N]]] = [
        partial(_einsum_gradient, scope, op, grad, equation, position) for position in range(len(equation.inputs))
    ]
    return makers


def _einsum_gradient(scope: Scope, op: Einsum[N], grad: Output[N], equation: Equation, position: int) -> Operand[N]:
    """The gradient of the operand at `position`.

    A label that occurs neither in the result nor in the other operand was summed over: the gradient is repeated along
    it. An ellipsis may have been broadcast: the gradient is summed over it.
    """
    operands, term = op.inputs.inputs, equation.inputs[position]
    others = [i for i in range(len(operands)) if i != position]
    factors = [grad, *(conj(operands[i]) for i in others)]
    terms = [equation.output, *(equation.inputs[i] for i in others)]
    sources = ",".join(map(str, terms))
    kept = "".join(label for label in term.unique if any(label in other.labels for other in terms))
    is_stretched = _is_stretched(op.as_output(), operands[position], equation, position)
    if not is_stretched and kept == term.unique:
        return Einsum.create(scope, factors, equation=f"{sources}->{term}")
    x, target = operands[position], ELLIPSIS + kept
    result = Einsum.create(scope, factors, equation=f"{sources}->{target}").as_output()
    if is_stretched:
        result = sum_to_shape(scope, result, Einsum.create(scope, [x], equation=f"{term}->{target}").as_output())
    source = target if term.ellipsis else kept
    if kept != term.unique:
        return Einsum.create(scope, [result, OnesLike.create(scope, x)], equation=f"{source},{term}->{term}")
    return result if source == str(term) else Einsum.create(scope, [result], equation=f"{source}->{term}")


def _is_stretched(output: Output[N], x: Output[N], equation: Equation, position: int) -> bool:
    """Whether the ellipsis of an operand may have been broadcast."""
    if not equation.output.ellipsis or len(equation.inputs) == 1:
        return False
    if output.shape.dims is None or x.shape.dims is None:
        return True
    _, batch = equation.output.split(output.shape.dims)
    _, own = equation.inputs[position].split(x.shape.dims)
    return batch != own or None in own


def cross(scope: Scope, op: Cross[F], grad: Output[F]) -> Gradients:
    """With c = a x b: da = b x dc, db = dc x a."""
    a, b = op.inputs.a, op.inputs.b
    return lambda: Cross.create(scope, b, grad), lambda: Cross.create(scope, grad, a)
