"""Kernels of `ops/matmul.yaml`."""

from __future__ import annotations

import math
from typing import TypeAlias

from typegrad.kernels.complex import conjugated
from typegrad.kernels.namespace import Array, DType, Namespace
from typegrad.kernels.precision import wide_type, widened
from typegrad.shapes.equation import Equation, Term, parse

Axes: TypeAlias = tuple[str, ...]
"""The dimensions of an array: labels, and "-1", "-2", ... for the ellipsis, counted from its end."""


def mat_mul(xp: Namespace, a: Array, b: Array, *, transpose_a: bool, transpose_b: bool) -> Array:
    """The matrix product of `a` and `b`."""
    a, b = (a.T if transpose_a else a), (b.T if transpose_b else b)
    return widened(xp, xp.matmul, a, b)


def batch_mat_mul_v3(xp: Namespace, x: Array, y: Array, *, tout: DType, adj_x: bool, adj_y: bool) -> Array:
    """The products of stacks of matrices."""
    left, right = (adjoint(xp, x) if adj_x else x), (adjoint(xp, y) if adj_y else y)
    dtype = wide_type(tout)
    return xp.matmul(left.astype(dtype, copy=False), right.astype(dtype, copy=False)).astype(tout, copy=False)


def adjoint(xp: Namespace, x: Array) -> Array:
    """The conjugate transpose of each matrix."""
    return conjugated(xp, xp.swapaxes(x, -1, -2))


def einsum(xp: Namespace, inputs: tuple[Array, ...], *, equation: str) -> Array:
    """Products of elements of the operands, summed over the labels that the result does not have."""
    return widened(xp, lambda *arrays: _einsum(xp, parse(equation), arrays), *inputs)


def _einsum(xp: Namespace, equation: Equation, arrays: tuple[Array, ...]) -> Array:
    batch = max(x.ndim - len(term.labels) for x, term in zip(arrays, equation.inputs, strict=True))
    axes_of_result = _axes(equation.output, len(equation.output.labels) + batch)
    unique = tuple(dict.fromkeys(axes_of_result))
    operands = [_without_repeats(xp, x, _axes(term, x.ndim)) for x, term in zip(arrays, equation.inputs, strict=True)]
    if len(operands) == 1:
        result, axes = _summed(xp, *operands[0], unique)
    else:
        result, axes = _product(xp, operands[0], operands[1], unique)
    result = xp.transpose(result, [axes.index(axis) for axis in unique])
    return result if unique == axes_of_result else _on_diagonal(xp, result, axes_of_result)


def _summed(xp: Namespace, x: Array, axes: Axes, keep: Axes) -> tuple[Array, Axes]:
    """`x` summed over the dimensions that are not in `keep`."""
    gone = tuple(i for i, axis in enumerate(axes) if axis not in keep)
    if gone:
        x = xp.sum(x, axis=gone, dtype=x.dtype)
    return x, tuple(axis for axis in axes if axis in keep)


def _axes(term: Term, rank: int) -> Axes:
    ellipsis = rank - len(term.labels) if term.ellipsis else 0
    return (*term.before, *(str(i) for i in range(-ellipsis, 0)), *term.after)


def _without_repeats(xp: Namespace, x: Array, axes: Axes) -> tuple[Array, Axes]:
    """The diagonal along dimensions that share a label."""
    while len(set(axes)) < len(axes):
        second = next(i for i, axis in enumerate(axes) if axis in axes[:i])
        first = axes.index(axes[second])
        label = axes[first]
        x = xp.diagonal(x, 0, first, second)
        axes = (*(axis for i, axis in enumerate(axes) if i not in (first, second)), label)
    return x, axes


def _product(xp: Namespace, left: tuple[Array, Axes], right: tuple[Array, Axes], keep: Axes) -> tuple[Array, Axes]:
    """The product of two operands as stacks of matrices: [stack, rows, inner] times [stack, inner, columns]."""
    x, x_axes = _summed(xp, *_unstretched(xp, left, right), (*keep, *right[1]))
    y, y_axes = _summed(xp, *_unstretched(xp, right, left), (*keep, *left[1]))
    sizes = dict(zip(x_axes + y_axes, x.shape + y.shape, strict=True))
    stack = tuple(axis for axis in x_axes if axis in y_axes and axis in keep)
    inner = tuple(axis for axis in x_axes if axis in y_axes and axis not in keep)
    rows = tuple(axis for axis in x_axes if axis not in y_axes)
    columns = tuple(axis for axis in y_axes if axis not in x_axes)

    def matrices(array: Array, axes: Axes, *groups: Axes) -> Array:
        order = [axes.index(axis) for group in groups for axis in group]
        return xp.reshape(xp.transpose(array, order), [math.prod(sizes[axis] for axis in group) for group in groups])

    product = xp.matmul(matrices(x, x_axes, stack, rows, inner), matrices(y, y_axes, stack, inner, columns))
    result = (*stack, *rows, *columns)
    return xp.reshape(product, [sizes[axis] for axis in result]), result


def _on_diagonal(xp: Namespace, x: Array, axes_of_result: Axes) -> Array:
    """An array with dimensions that repeat: `x` on their diagonal, zero elsewhere."""
    sizes = dict(zip(dict.fromkeys(axes_of_result), x.shape, strict=True))
    first = [axes_of_result.index(axis) == i for i, axis in enumerate(axes_of_result)]
    spread = xp.reshape(
        x, [sizes[axis] if is_first else 1 for axis, is_first in zip(axes_of_result, first, strict=True)]
    )
    for i, axis in enumerate(axes_of_result):
        if not first[i]:
            indices = [
                xp.reshape(xp.arange(sizes[axis]), [-1 if j == at else 1 for j in range(len(axes_of_result))])
                for at in (axes_of_result.index(axis), i)
            ]
            spread = xp.where(indices[0] == indices[1], spread, xp.zeros((), x.dtype))
    return spread


def _unstretched(xp: Namespace, operand: tuple[Array, Axes], other: tuple[Array, Axes]) -> tuple[Array, Axes]:
    """`operand` without the dimensions of size 1 that broadcast against larger ones of `other`."""
    x, axes = operand
    stretched = tuple(
        i for i, axis in enumerate(axes) if axis in other[1] and x.shape[i] == 1 != other[0].shape[other[1].index(axis)]
    )
    return xp.squeeze(x, stretched), tuple(axis for i, axis in enumerate(axes) if i not in stretched)


def cross(xp: Namespace, a: Array, b: Array) -> Array:
    """The cross product over the last dimension."""
    after, before = [1, 2, 0], [2, 0, 1]
    product: Array = a[..., after] * b[..., before] - a[..., before] * b[..., after]
    return product
