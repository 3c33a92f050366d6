"""`abs` is for floats, signed integers and complex numbers. mypy takes any form of an overloaded `__abs__` for the protocol's."""

from __future__ import annotations

import typegrad as tg


def absolute(
    u: tg.Operand[tg.TUint8], b: tg.Operand[tg.TBool], t: tg.Operand[tg.TString]
) -> None:
    abs(u)  # E: - / reportArgumentType
    abs(b)  # E: - / reportArgumentType
    abs(t)  # E: - / reportArgumentType
