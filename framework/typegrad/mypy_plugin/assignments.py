"""Variables that are assigned several times: `h = relu(h @ w1)`, then `h = relu(h @ w2)`.

mypy takes the type of a variable without annotation from its first assignment. With exact shapes the second one would be an
error, although the program is right. So the variable is given the type with any shape; at each assignment mypy narrows it
to the exact type, as it does for variables of a union type.
"""

from __future__ import annotations

from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import AssignmentStmt, Expression, MypyFile, NameExpr, OperatorAssignmentStmt, SymbolNode, Var
from mypy.plugin import MethodContext
from mypy.traverser import TraverserVisitor
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

__all__ = ["assigned"]

_ANY: Final = AnyType(TypeOfAny.special_form)


class _Assignments(TraverserVisitor):
    """The assignments of a file to plain names, by variable."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[SymbolNode, int] = {}
        self.first: dict[Expression, NameExpr] = {}

    def visit_assignment_stmt(self, stmt: AssignmentStmt) -> None:
        for lvalue in stmt.lvalues:
            if isinstance(lvalue, NameExpr) and isinstance(lvalue.node, Var):
                self.counts[lvalue.node] = self.counts.get(lvalue.node, 0) + 1
                if lvalue.is_inferred_def and stmt.unanalyzed_type is None:
                    self.first[stmt.rvalue] = lvalue
        super().visit_assignment_stmt(stmt)

    def visit_operator_assignment_stmt(self, stmt: OperatorAssignmentStmt) -> None:
        if isinstance(stmt.lvalue, NameExpr) and isinstance(stmt.lvalue.node, Var):
            self.counts[stmt.lvalue.node] = self.counts.get(stmt.lvalue.node, 0) + 1
        super().visit_operator_assignment_stmt(stmt)


_last: tuple[MypyFile, _Assignments] | None = None


def assigned(ctx: MethodContext, type_: Type) -> Type:
    """The type for mypy to infer a variable from, if the call is what is assigned first to a variable that changes later."""
    target = _first_target(cast("TypeChecker", ctx.api).tree, ctx.context)
    proper = get_proper_type(type_)
    if target is None or not isinstance(proper, Instance):
        return type_
    wide = proper.copy_modified(args=[_widened(arg) for arg in proper.args])
    cast("TypeChecker", ctx.api).binder.assign_type(target, type_, wide)
    return wide


def _first_target(tree: MypyFile, rvalue: object) -> NameExpr | None:
    global _last  # noqa: PLW0603
    if _last is None or _last[0] is not tree:
        found = _Assignments()
        tree.accept(found)
        _last = (tree, found)
    assignments = _last[1]
    target = assignments.first.get(rvalue) if isinstance(rvalue, Expression) else None
    return target if target is not None and assignments.counts[target.node] > 1 else None
