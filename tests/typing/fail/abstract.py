"""Operands come from operations: the classes are abstract or final."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import linalg

tg.Operand()  # E: abstract / reportAbstractUsage


class Incomplete(tg.Operand[tg.TFloat32]):
    pass


Incomplete()  # E: abstract / reportAbstractUsage


class MyMatMul(linalg.MatMul[tg.TFloat32]):  # E: misc / reportGeneralTypeIssues
    pass


class MyOutput(tg.Output[tg.TFloat32]):  # E: misc / reportGeneralTypeIssues
    pass


class MyType(tg.TFloat32):  # E: misc / reportGeneralTypeIssues
    pass


class MyScope(tg.Scope):  # E: misc / reportGeneralTypeIssues
    pass
