"""Variables that are assigned several times: `h = relu(h @ w1)`, then `h = relu(h @ w2)`.

mypy takes the type of a variable without annotation from its first assignment. With exact shapes the second one would be an
error, although the program is right. So the variable is given the type with any shape; at each assignment mypy narrows it
to the exact type, as it does for variables of a union type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import AssignmentStmt, Context, MypyFile, NameExpr, Node, OperatorAssignmentStmt, Var
from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

__all__ = ["assigned", "repeated"]

_PARTS: Final = ("defs", "body", "else_body", "finally_body", "handlers", "bodies", "items", "func")
"""Where statements hold others."""


def assigned(ctx: MethodContext, type_: Type) -> Type:
    """The type for mypy to infer a variable from, if the call is what is assigned first to a variable that changes later."""
    checker = cast("TypeChecker", ctx.api)
    target = repeated(checker.tree).get(ctx.context)
    proper = get_proper_type(type_)
    if target is None or not isinstance(proper, Instance):
        return type_
    wide = proper.copy_modified(args=[_widened(arg) for arg in proper.args])
    checker.binder.assign_type(target, type_, wide)
    return wide


def _widened(type_: Type) -> Type:
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return proper.partial_fallback.copy_modified(args=[AnyType(TypeOfAny.special_form)])
    return type_


@lru_cache(maxsize=1)
def repeated(tree: MypyFile) -> dict[Context, NameExpr]:
    """What a file assigns first to a variable without annotation that it assigns again later, and that variable."""
    first: dict[Context, NameExpr] = {}
    counts: Counter[Var] = Counter()
    for statement in _statements(tree):
        for lvalue in _targets(statement):
            if isinstance(lvalue, NameExpr) and isinstance(lvalue.node, Var):
                counts[lvalue.node] += 1
                if isinstance(statement, AssignmentStmt) and lvalue.is_inferred_def:
                    first[statement.rvalue] = lvalue
    return {rvalue: lvalue for rvalue, lvalue in first.items() if counts[cast("Var", lvalue.node)] > 1}


def _targets(statement: Node) -> list[Any]:
    if isinstance(statement, AssignmentStmt):
        return list(statement.lvalues)
    return [statement.lvalue] if isinstance(statement, OperatorAssignmentStmt) else []


def _statements(node: Node) -> Iterator[Node]:
    yield node
    for part in _PARTS:
        held = getattr(node, part, None)
        for child in held if isinstance(held, list) else [held]:
            if isinstance(child, Node):
                yield from _statements(child)
