"""What single statements, calls and functions do with the names in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.literals import literal_hash
from mypy.nodes import (
    ARG_POS,
    ARG_STAR,
    AssignmentStmt,
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    GlobalDecl,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    NonlocalDecl,
    ReturnStmt,
    StarExpr,
    Statement,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
)

from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of, statements_of
from typegrad.mypy_plugin.values.bindings import Bound, has_fields, holds_mutable

__all__ = ["appended", "handed_out", "is_field", "is_last", "is_set_later", "parts_of", "passed_arguments"]

_DEFAULTS: Final = frozenset({"default", "default_factory", "factory"})
"""The arguments of `field` that give each new object a value."""


def is_field(info: TypeInfo, statement: AssignmentStmt) -> bool:
    """Whether a statement in the body of a class declares a field, for which the constructor has a parameter."""
    return statement.unanalyzed_type is not None and has_fields(info)


def is_set_later(default: Expression) -> bool:
    """Whether the constructor neither takes a value for a field nor gives it one: `field(init=False)`."""
    options = dict(zip(default.arg_names, default.args, strict=True)) if isinstance(default, CallExpr) else {}
    init = options.get("init")
    return isinstance(init, NameExpr) and init.fullname == "builtins.False" and options.keys().isdisjoint(_DEFAULTS)


def parts_of(target: TupleExpr | ListExpr, bound: Bound | None) -> list[Bound | None]:
    """The part of a value for each target: `c, h = zeros, ones` is two assignments."""
    if bound is None or any(isinstance(item, StarExpr) for item in target.items):
        return [None] * len(target.items)
    value = bound.expr
    if not bound.path and is_plain(value) and len(value.items) == len(target.items):
        return [Bound(item) for item in value.items]
    return [Bound(value, (*bound.path, position)) for position in range(len(target.items))]


def passed_arguments(call: CallExpr) -> Iterator[tuple[Expression, Var]]:
    """The arguments that a call of a function by its name passes to single parameters."""
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not isinstance(function, FuncDef) or ARG_STAR in call.arg_kinds:
        return
    arguments = getattr(function, "arguments", ())  # mypy's cache holds none
    by_name = {each.variable.name: each.variable for each in arguments if not each.kind.is_star()}
    by_position = [each.variable for each in arguments if each.kind.is_positional()]
    for position, (expr, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        if name is not None and name in by_name:
            yield expr, by_name[name]
        elif call.arg_kinds[position] is ARG_POS and position < len(by_position):
            yield expr, by_position[position]


def handed_out(function: FuncDef) -> Iterator[Var]:
    """The lists that a function makes and returns, by their names, which no function inside it uses."""
    statements = list(statements_of(function))
    exprs = [each.expr for each in statements if isinstance(each, ReturnStmt)]
    results = [each.node for each in exprs if isinstance(each, NameExpr)]
    made = {
        target.node
        for each in statements
        if results and isinstance(each, AssignmentStmt) and holds_mutable(each.rvalue)
        for target in each.lvalues
        if isinstance(target, NameExpr)
    }
    if made.isdisjoint(results):
        return
    foreign = {name for each in statements if isinstance(each, (GlobalDecl, NonlocalDecl)) for name in each.names}
    inner = [each for each in nodes_of(function.body) if isinstance(each, FuncItem)]
    used = {name.node for each in inner for name in nodes_of(each) if isinstance(name, NameExpr)}
    for each in results:
        if isinstance(each, Var) and each in made - used and each.name not in foreign:
            yield each


def appended(statement: Statement) -> Iterator[tuple[Expression, Expression]]:
    """The list that a statement appends to, and the item."""
    call = statement.expr if isinstance(statement, ExpressionStmt) else None
    callee = call.callee if isinstance(call, CallExpr) else None
    if isinstance(call, CallExpr) and isinstance(callee, MemberExpr) and callee.name == "append":
        yield from ((callee.expr, item) for item in call.args[: len(call.args) == 1])


def is_last(item: IndexExpr, owner: Expression) -> bool:
    """Whether an expression is the last item of a list."""
    index, same = item.index, literal_hash(item.base)
    number = index.expr if isinstance(index, UnaryExpr) and index.op == "-" else None
    return isinstance(number, IntExpr) and number.value == 1 and same is not None and same == literal_hash(owner)
