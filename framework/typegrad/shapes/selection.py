"""Shape and value functions of `ops/selection.yaml`."""

from __future__ import annotations

from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView, Value


def select_value(op: OpView) -> Value | None:
    """An element of `t` or `e` for each element of the condition, for vectors and scalars."""
    condition, t, e = op.value("condition"), op.value("t"), op.value("e")
    if condition is None or t is None or e is None:
        return None
    if isinstance(condition, bool):
        return (t if condition else e) if isinstance(t, tuple) == isinstance(e, tuple) else None
    if not all(isinstance(element, bool) for element in condition):
        return None
    n = len(condition)
    ts, es = (value if isinstance(value, tuple) else (value,) * n for value in (t, e))
    if not len(ts) == len(es) == n:
        return None
    return tuple(a if holds else b for holds, a, b in zip(condition, ts, es, strict=True))


def where(op: OpView) -> Shape:
    """A row per true element, a column per dimension."""
    return Shape((None, op.at_least("condition", 1).rank))
