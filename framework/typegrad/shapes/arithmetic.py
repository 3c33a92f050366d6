"""Value functions of `ops/arithmetic.yaml`: sums and products of sizes are known while the graph is built."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Final

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Dim, Shape, merge
from typegrad.base.size import Kind, Size, combined
from typegrad.base.types import TComplex
from typegrad.shapes import common
from typegrad.shapes.view import OpView, Value

LIMIT: Final = 2**31
"""Results at or beyond it are left to the run: in int32 they wrap around."""


def add_value(op: OpView) -> Value | None:
    """The sum."""
    return elementwise(op, operator.add, "x", "y", kind="+")


def elementwise(op: OpView, function: Callable[..., int | None], *names: str, kind: Kind | None = None) -> Value | None:
    """`function` of scalars and vectors, broadcast; None for unknown elements.

    `kind` is the same arithmetic for sizes with names.
    """
    values = [op.value(name) for name in names]
    if None in values or op.attr("T").name not in {"int32", "int64"}:
        return None
    if any(len(op.shape(name).dims or ()) > 1 for name in names):
        return None
    vectors = [value for value in values if isinstance(value, tuple)]
    if not vectors:
        return _applied(function, kind, values)
    length = next((len(vector) for vector in vectors if len(vector) != 1), 1)
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    columns = zip(*(row * length if len(row) == 1 else row for row in rows), strict=True)
    return tuple(_applied(function, kind, column) for column in columns)


def _applied(function: Callable[..., int | None], kind: Kind | None, elements: Sequence[Value]) -> Dim:
    if not all(type(element) is int for element in elements):
        are_sizes = all(type(element) is int or isinstance(element, (str, Size)) for element in elements)
        return combined(kind, elements) if kind is not None and are_sizes else None
    result = function(*elements)
    return result if result is not None and -LIMIT < result < LIMIT else None


def sub_value(op: OpView) -> Value | None:
    """The difference."""
    return elementwise(op, operator.sub, "x", "y", kind="-")


def mul_value(op: OpView) -> Value | None:
    """The product."""
    return elementwise(op, operator.mul, "x", "y", kind="*")


def neg_value(op: OpView) -> Value | None:
    """The negative."""
    return elementwise(op, lambda x: -x, "x")


def maximum_value(op: OpView) -> Value | None:
    """The larger one."""
    return elementwise(op, max, "x", "y")


def minimum_value(op: OpView) -> Value | None:
    """The smaller one."""
    return elementwise(op, min, "x", "y")


def clip(op: OpView) -> Shape:
    """The shape of t, which the bounds have, too, unless they are scalars."""
    if issubclass(op.attr("T"), TComplex):
        raise DTypeError(f"`t` is {op.attr('T').name}, but complex numbers have no order")
    t = op.shape("t")
    for name in ("clip_value_min", "clip_value_max"):
        bound = op.shape(name)
        if bound.dims is None or not bound.dims:
            continue
        try:
            t = merge(t, bound)
        except ShapeError:
            raise ShapeError(
                f"`{name}` must be a scalar or have the shape of `t`, {t}, but has shape {bound}"
            ) from None
    return t


def accumulate_n(op: OpView) -> Shape:
    """The one shape of all terms, which is the stated one."""
    terms, stated = common.merged(op, "inputs"), common.from_attr(op, "shape")
    try:
        return merge(terms, stated)
    except ShapeError:
        raise ShapeError(f"`inputs` have shape {terms}, which is not the `shape` {stated}") from None
