"""Gradients of `ops/scan.yaml`."""

from __future__ import annotations

from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.op.core import ExpandDims, Pad, Range, Reshape, Select, Slice, Sum
from typegrad.op.math import Cumprod, Cumsum, CumulativeLogsumexp, Exp
from typegrad.rules.common import F, Gradients, N, conj
from typegrad.rules.sizes import axis_of, shape_of, size_between, vector


def cumsum(scope: Scope, op: Cumsum[N], grad: Output[N]) -> Gradients:
    """An element is in all sums from its own on: sum their gradients from the other end."""
    flags = op.inputs
    return Cumsum.create(scope, grad, flags.axis, exclusive=flags.exclusive, reverse=not flags.reverse)


def cumprod(scope: Scope, op: Cumprod[N], grad: Output[N]) -> Gradients:
    """Element i's gradient is its exclusive product times s[i], where s[i] = grad[i] + x[i+1] s[i+1].

    There is no division by x in it, so it holds where elements are 0, and so do its own derivatives.
    """
    x = conj(op.inputs.x).as_output()
    before = Cumprod.create(scope, x, op.inputs.axis, exclusive=True, reverse=op.inputs.reverse)
    return before * _sums(scope, op, x, grad)


def cumulative_logsumexp(scope: Scope, op: CumulativeLogsumexp[F], grad: Output[F]) -> Gradients:
    """Element i's gradient is exp(x[i] - y[i]) s[i], where s[i] = grad[i] + exp(y[i] - y[i+1]) s[i+1].

    The sums y include their own element and do not descend, so no exponential is above 1.
    """
    x, axis, reverse = op.inputs.x, op.inputs.axis, op.inputs.reverse
    y, before = (
        CumulativeLogsumexp.create(scope, x, axis, exclusive=exclusive, reverse=reverse) for exclusive in (False, True)
    )
    factors = Exp.create(scope, before - y).as_output()
    return Exp.create(scope, x - y) * _sums(scope, op, factors, grad)


def _sums(scope: Scope, op: Cumprod[N] | CumulativeLogsumexp[N], x: Output[N], grad: Output[N]) -> Operand[N]:
    """s[i], the sum of grad[j] x[i+1] ... x[j] over j >= i; for exclusive scans, grad is shifted by one."""
    axis = axis_of(scope, x, op.inputs.axis)
    dims = x.shape.dims
    length = dims[axis] if dims is not None and isinstance(axis, int) else None
    if dims is not None and isinstance(axis, int) and isinstance(length, int):
        shifts = _Shifts(scope, len(dims), axis, length, reverse=op.inputs.reverse)
        return shifts.sums(x, grad, exclusive=op.inputs.exclusive)
    return _sums_of_any_length(scope, op, x, grad)


class _Shifts:
    """The recurrence along an axis of known length, in a number of steps that is the logarithm of the length."""

    def __init__(self, scope: Scope, rank: int, axis: int, length: int, *, reverse: bool) -> None:
        self._scope = scope
        self._rank = rank
        self._axis = axis
        self._length = length
        self._reverse = reverse

    def sums(self, x: Operand[N], grad: Operand[N], *, exclusive: bool) -> Operand[N]:
        """s[0], s[1], ...: the sums from each element on."""
        if self._length == 0:
            return grad
        result = self._shifted(grad, 1) if exclusive else grad
        if self._length == 1:
            return result
        factors, step = self._shifted(x, 1), 1
        while True:
            # Here result[i] is the sum over the first `step` values of j, factors[i] the product of the next `step`
            # elements of x.
            result = result + factors * self._shifted(result, step)
            if 2 * step >= self._length:
                return result
            factors = factors * self._shifted(factors, step)
            step *= 2

    def _shifted(self, x: Operand[N], step: int) -> Operand[N]:
        """Element i + step in the place of element i (i - step, if reversed), and 0 beyond the end."""
        begin, size, paddings = [0] * self._rank, [-1] * self._rank, [[0, 0] for _ in range(self._rank)]
        begin[self._axis] = 0 if self._reverse else step
        size[self._axis] = self._length - step
        paddings[self._axis][0 if self._reverse else 1] = step
        part = Slice.create(self._scope, x, begin, size)
        return Pad.create(self._scope, part, paddings, 0)


def _sums_of_any_length(
    scope: Scope, op: Cumprod[N] | CumulativeLogsumexp[N], x: Output[N], grad: Output[N]
) -> Operand[N]:
    """The same sums for an axis whose length only the run knows: from a table of the products x[i+1] ... x[j]."""
    axis = axis_of(scope, x, op.inputs.axis)
    after = axis + 1
    ends = (0, axis), (axis, after), (after, None)
    blocks = vector(scope, [size_between(scope, x, start, stop) for start, stop in ends])
    positions = Range.create(scope, 0, size_between(scope, x, axis, after), 1)
    i, j = ExpandDims.create(scope, ExpandDims.create(scope, positions, 1), 2), ExpandDims.create(scope, positions, 1)
    first, last = (j, i) if op.inputs.reverse else (i, j)
    is_later = last > first
    table, grads = (ExpandDims.create(scope, Reshape.create(scope, each, blocks), 1) for each in (x, grad))
    factors = Select.create(scope, is_later, table, 1)
    products = Cumprod.create(scope, factors, 2, exclusive=op.inputs.exclusive, reverse=op.inputs.reverse)
    is_used = is_later if op.inputs.exclusive else last >= first
    terms = Select.create(scope, is_used, products * grads, 0)
    return Reshape.create(scope, Sum.create(scope, terms, 2), shape_of(scope, x))
