"""Operands are indexed with integers, slices, `...` and None."""

from __future__ import annotations

import typegrad as tg


def indexing(x: tg.Operand[tg.TFloat32], index: tg.Operand[tg.TInt32, tuple[int]]) -> None:
    x[1.0]  # E: call-overload / reportArgumentType, reportCallIssue
    x["a"]  # E: call-overload / reportArgumentType, reportCallIssue
    x[[0, 1]]  # E: call-overload / reportArgumentType, reportCallIssue
    x[0, "a"]  # E: index / reportArgumentType, reportCallIssue
    x[index]  # E: index / reportArgumentType, reportCallIssue
    x[0] = x  # E: index / reportIndexIssue
