"""The numbers and strings that the members of an `IntEnum` or a `StrEnum` are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.constant_fold import constant_fold_expr
from mypy.nodes import AssignmentStmt, Expression, NameExpr
from mypy.types import LiteralType

from typegrad.mypy_plugin.base.memory import Memory

__all__ = ["member_value"]

_values: Final = Memory[LiteralType, "int | str | None"]()


def member_value(member: LiteralType) -> int | str | None:
    """The value of the member of an enum that is a number or a string; None if it is not, or is not written there."""
    info = member.fallback.type
    if not info.is_enum or not any(info.has_base(base) for base in ("builtins.int", "builtins.str")):
        return None
    if member not in _values:
        written = next((each for name, each in _assigned(member) if name == member.value), None)
        value = None if written is None else constant_fold_expr(written, info.module_name)
        _values[member] = value if isinstance(value, (int, str)) else None
    return _values[member]


def _assigned(member: LiteralType) -> Iterator[tuple[str, Expression]]:
    for statement in member.fallback.type.defn.defs.body:
        if isinstance(statement, AssignmentStmt) and isinstance(statement.lvalues[0], NameExpr):
            yield statement.lvalues[0].name, statement.rvalue
