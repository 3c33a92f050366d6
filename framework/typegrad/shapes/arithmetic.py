"""Value functions of `ops/arithmetic.yaml`: sums and products of sizes are known while the graph is built."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from typegrad.shapes.view import OpView, Value

LIMIT: Final = 2**31
"""Results at or beyond it are left to the run: in int32 they wrap around."""


def add_value(op: OpView) -> Value | None:
    """The sum."""
    return _elementwise(op, operator.add, "x", "y")


def sub_value(op: OpView) -> Value | None:
    """The difference."""
    return _elementwise(op, operator.sub, "x", "y")


def mul_value(op: OpView) -> Value | None:
    """The product."""
    return _elementwise(op, operator.mul, "x", "y")


def floor_div_value(op: OpView) -> Value | None:
    """The quotient, rounded down; a division by zero is left to the run, which refuses it."""
    return _elementwise(op, lambda x, y: x // y if y else None, "x", "y")


def maximum_value(op: OpView) -> Value | None:
    """The larger one."""
    return _elementwise(op, max, "x", "y")


def minimum_value(op: OpView) -> Value | None:
    """The smaller one."""
    return _elementwise(op, min, "x", "y")


def neg_value(op: OpView) -> Value | None:
    """The negative."""
    return _elementwise(op, lambda x: -x, "x")


def _elementwise(op: OpView, function: Callable[..., int | None], *names: str) -> Value | None:
    """`function` of scalars and vectors, broadcast; None in the place of elements that are not known."""
    values = [op.value(name) for name in names]
    if None in values or op.attr("T").name not in {"int32", "int64"}:
        return None
    vectors = [value for value in values if isinstance(value, tuple)]
    if not vectors:
        return _applied(function, values)
    if any(isinstance(element, tuple) for vector in vectors for element in vector):
        return None
    length = next((len(vector) for vector in vectors if len(vector) != 1), 1)
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    columns = zip(*(row * length if len(row) == 1 else row for row in rows), strict=True)
    return tuple(_applied(function, column) for column in columns)


def _applied(function: Callable[..., int | None], elements: tuple[Value, ...] | list[Value]) -> int | None:
    if not all(type(element) is int for element in elements):
        return None
    result = function(*elements)
    return result if result is not None and -LIMIT < result < LIMIT else None
