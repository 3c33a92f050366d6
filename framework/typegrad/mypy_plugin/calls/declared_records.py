"""Records of operands where a program declares one for what a run returned: `now: Losses = session.run(losses)`.

Its fields are the arrays of the run where that is certain, and anything where the object may also be the one that was
fetched, such as a parameter.
"""

from __future__ import annotations

from mypy.literals import literal_hash
from mypy.nodes import AssignmentStmt, CallExpr, Expression, MemberExpr, NameExpr, RefExpr, TypeInfo, Var
from mypy.plugin import AttributeContext, CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, TypeOfAny

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import union_items
from typegrad.mypy_plugin.base.syntax import is_self
from typegrad.mypy_plugin.calls.records import OF_RUN, holds_operand, is_declared_record, whole_of
from typegrad.mypy_plugin.calls.runs import value_of
from typegrad.mypy_plugin.values.following import only_value, returned
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["field_of_run", "narrow_declared_record"]


def field_of_run(ctx: AttributeContext) -> Type | None:
    """The type of a field of an object that a run may have returned; None for any other attribute."""
    expr, wholes = ctx.context, map(whole_of, union_items(ctx.type))  # of all that the object may be
    if ctx.is_lvalue or not isinstance(expr, MemberExpr):
        return None
    fetched = (each for each in wholes if isinstance(each, Instance) and OF_RUN not in each.type.fullname)
    if not any(is_declared_record(ctx.api, each) for each in fetched):
        return None
    results = checker_of(ctx.api).return_types
    if is_self(expr.expr) and results and holds_operand(results[-1]):
        return None  # of a method that makes operands
    made_by = _origin(ctx.api, expr.expr)
    if not holds_operand(ctx.default_attr_type) or _makes_object(made_by):
        return None
    is_run = fetches_of(checker_of(ctx.api), made_by) is not None
    value = value_of(ctx.api, ctx.default_attr_type, is_field=True) if is_run else None
    return value or AnyType(TypeOfAny.special_form)


def narrow_declared_record(api: CheckerPluginInterface, statement: AssignmentStmt) -> None:
    """Let a name that is declared as a record, and assigned once, be the record of arrays that a run returns."""
    checker, target, value = checker_of(api), statement.lvalues[0], statement.rvalue
    variable = target.node if isinstance(target, NameExpr) else None
    if not isinstance(variable, Var) or variable.type is None or fetches_of(checker, only_value(api, target)) is None:
        return
    whole, key = whole_of(variable.type), literal_hash(target)
    if key is not None and isinstance(whole, Instance) and is_declared_record(api, whole):
        made = checker.lookup_type(value)
        variable.type = checker.binder.declarations[key] = made
        checker.binder.put(target, made)


def _origin(api: CheckerPluginInterface, owner: Expression) -> Expression | None:
    """The expression that makes an object, in the function that returns it, if it is a single one."""
    value = only_value(api, owner)
    result = None if value is None else returned(api, value)
    return value if result is None else only_value(api, result)


def _makes_object(value: Expression | None) -> bool:
    """Whether a value is an object that the program itself makes."""
    return isinstance(value, CallExpr) and isinstance(value.callee, RefExpr) and isinstance(value.callee.node, TypeInfo)
