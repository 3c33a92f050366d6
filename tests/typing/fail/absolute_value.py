"""`abs` is for floats and signed integers. mypy does not see it: it matches the protocol of a built-in without the type of `self`."""

from __future__ import annotations

import typegrad as tg


def absolute(
    c: tg.Operand[tg.TComplex64], u: tg.Operand[tg.TUint8], b: tg.Operand[tg.TBool], t: tg.Operand[tg.TString]
) -> None:
    abs(c)  # E: - / reportArgumentType
    abs(u)  # E: - / reportArgumentType
    abs(b)  # E: - / reportArgumentType
    abs(t)  # E: - / reportArgumentType
