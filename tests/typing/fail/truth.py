"""An operand has no truth value and no elements before the run."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import nn


def truth(x: tg.Operand[tg.TFloat32]) -> None:
    # mypy takes a `__bool__` that returns NoReturn for an exit of the function.
    if x:  # E: - / reportGeneralTypeIssues
        print("x")


def afterwards(x: nn.Relu[tg.TFloat32]) -> int:
    # Not so for a final class without `__bool__`, after which nothing would be checked.
    if not x:  # E: - / reportGeneralTypeIssues
        return "no"  # E: return-value / reportReturnType
    return "yes"  # E: return-value / reportReturnType


def elements(x: tg.Operand[tg.TFloat32]) -> None:
    for element in x:  # E: misc / reportGeneralTypeIssues
        print(element)


def length(x: tg.Operand[tg.TFloat32]) -> None:
    print(len(x))  # E: arg-type / reportArgumentType


def number(x: tg.Operand[tg.TFloat32]) -> None:
    print(float(x))  # E: arg-type / reportArgumentType
