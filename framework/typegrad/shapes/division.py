"""Value functions of `ops/division.yaml`: quotients of sizes are known while the graph is built."""

from __future__ import annotations

from typegrad.shapes.arithmetic import elementwise
from typegrad.shapes.view import OpView, Value


def floor_div_value(op: OpView) -> Value | None:
    """The quotient, rounded down; a division by zero is left to the run, which refuses it."""
    return elementwise(op, lambda x, y: x // y if y else None, "x", "y", kind="//")
