"""Operands come from operations: the classes are abstract or final."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import linalg

tg.Operand()  # E: - / reportAbstractUsage


class Incomplete(tg.Operand[tg.TFloat32]):
    pass


Incomplete()  # E: - / reportAbstractUsage


class MyMatMul(linalg.MatMul[tg.TFloat32]):  # E: - / reportGeneralTypeIssues
    pass


class MyOutput(tg.Output[tg.TFloat32]):  # E: - / reportGeneralTypeIssues
    pass


class MyType(tg.TFloat32):  # E: - / reportGeneralTypeIssues
    pass


class MyScope(tg.Scope):  # E: - / reportGeneralTypeIssues
    pass
