"""Numbers that a condition tells: behind `if size != 4: raise ValueError` and `assert size == 4`, `size` is 4."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen
from mypy.nodes import (
    AssertStmt,
    Block,
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    IfStmt,
    NameExpr,
    OpExpr,
    RaiseStmt,
    RefExpr,
    ReturnStmt,
    Statement,
    UnaryExpr,
    Var,
)

__all__ = ["Guard", "guards_in"]

_EXIT: Final = "sys.exit"


@frozen
class Guard:
    """The lines in which a name has a value, if nothing binds it again."""

    variable: Var
    value: Expression
    first: int
    last: int


def guards_in(statements: Sequence[Statement]) -> Iterator[Guard]:
    """What the statements of a block tell of names, in the lines behind them or in a branch."""
    last = max((each.end_line or 0 for each in statements), default=0)
    for each in statements:
        behind = (each.end_line or last) + 1, last
        if isinstance(each, AssertStmt):
            yield from _told(each.expr, behind, outcome=True)
        elif isinstance(each, IfStmt):
            branch = each.body[0]
            inside = branch.line, max((inner.end_line or 0 for inner in branch.body), default=0)
            yield from _told(each.expr[0], inside, outcome=True)
            if each.else_body is None and _leaves(branch):
                yield from _told(each.expr[0], behind, outcome=False)


def _leaves(block: Block) -> bool:
    """Whether a branch ends the function or the program. The next pass of a loop may bind the name again."""
    last = block.body[-1] if block.body else None
    call = last.expr if isinstance(last, ExpressionStmt) else None
    is_exit = isinstance(call, CallExpr) and isinstance(call.callee, RefExpr) and call.callee.fullname == _EXIT
    return is_exit or isinstance(last, (RaiseStmt, ReturnStmt))


def _told(condition: Expression, lines: tuple[int, int], *, outcome: bool) -> Iterator[Guard]:
    """The names that equal something where a condition has this outcome."""
    if isinstance(condition, UnaryExpr) and condition.op == "not":
        yield from _told(condition.expr, lines, outcome=not outcome)
    elif isinstance(condition, OpExpr) and condition.op == ("and" if outcome else "or"):
        for side in (condition.left, condition.right):
            yield from _told(side, lines, outcome=outcome)
    elif isinstance(condition, ComparisonExpr) and condition.operators == ["==" if outcome else "!="]:
        for name, value in (condition.operands, condition.operands[::-1]):
            if isinstance(name, NameExpr) and isinstance(name.node, Var):
                yield Guard(name.node, value, *lines)
