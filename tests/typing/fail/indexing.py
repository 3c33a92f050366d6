"""Operands are indexed with integers, slices, `...` and None."""

from __future__ import annotations

import typegrad as tg


def indexing(x: tg.Operand[tg.TFloat32], index: tg.Operand[tg.TInt32, tuple[int]]) -> None:
    x[1.0]  # E: - / reportArgumentType
    x["a"]  # E: - / reportArgumentType
    x[[0, 1]]  # E: - / reportArgumentType
    x[0, "a"]  # E: - / reportArgumentType
    x[index]  # E: - / reportArgumentType
    x[0] = x  # E: - / reportIndexIssue
