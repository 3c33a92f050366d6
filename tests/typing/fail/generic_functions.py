"""The bound of a user's own type variable is checked, inside the function and at its calls."""

from __future__ import annotations

from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, math, nn

F = TypeVar("F", bound=tg.TFloating)
G = TypeVar("G", bound=tg.TFloating)
N = TypeVar("N", bound=tg.TNumber)
A = TypeVar("A", bound=tg.TType)


def log_odds(scope: tg.Scope, p: tg.Operand[F]) -> tg.Operand[F]:
    return math.Sub.create(scope, math.Log.create(scope, p), math.Log1p.create(scope, math.Neg.create(scope, p)))


def calls(scope: tg.Scope, n: tg.Operand[tg.TInt32], x: tg.Operand[tg.TFloat32]) -> None:
    log_odds(scope, n)  # E: type-var / reportArgumentType
    log_odds(scope, 0.5)  # E: arg-type / reportArgumentType
    double: tg.Operand[tg.TFloat64] = log_odds(scope, x)  # E: arg-type / reportAssignmentType
    print(double)


def too_wide(scope: tg.Scope, x: tg.Operand[N]) -> tg.Operand[N]:
    return nn.Softmax.create(scope, x)  # E: type-var / reportArgumentType


def two_types(scope: tg.Scope, x: tg.Operand[F], y: tg.Operand[G]) -> tg.Operand[F]:
    return math.Add.create(scope, x, y)  # E: arg-type / reportArgumentType


def wrong_result(scope: tg.Scope, x: tg.Operand[F]) -> tg.Operand[F]:
    return core.Constant.create(scope, 1.0)  # E: return-value / reportReturnType


def conjugate(scope: tg.Scope, x: tg.Operand[F]) -> tg.Operand[F]:
    return math.Conj.create(scope, x)  # E: type-var / reportArgumentType


def operator(x: tg.Operand[N]) -> tg.Operand[N]:
    return x + 1.5  # E: no-any-return, operator / reportOperatorIssue


def operators(x: tg.Operand[N], a: tg.Operand[A], n: tg.Operand[tg.TInt32]) -> None:
    -x  # E: misc / reportOperatorIssue
    x / x  # E: misc / reportOperatorIssue
    x @ x  # E: misc / reportOperatorIssue
    x**2  # E: operator / reportOperatorIssue
    x < x  # E: misc / reportOperatorIssue
    x % 2  # E: operator / reportOperatorIssue
    x + n  # E: operator / reportOperatorIssue
    n + x  # E: operator / reportOperatorIssue
    a + a  # E: misc / reportOperatorIssue
