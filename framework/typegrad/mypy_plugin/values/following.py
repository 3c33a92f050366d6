"""The expression that a name or an attribute of the checked file means, where it is bound once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import evolve
from mypy.checker import TypeChecker
from mypy.constant_fold import constant_fold_expr
from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    ReturnStmt,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, TupleType, Type, TypeType, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import is_plain, last_line, statements_of
from typegrad.mypy_plugin.values.bindings import Bound, Growth, has_fields
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = [
    "bound_to",
    "bound_values",
    "called",
    "equal_to",
    "field_value",
    "growth_before",
    "is_of_scope",
    "iterated",
    "keeps_fields",
    "may_reshape",
    "named_value",
    "only_value",
    "returned",
]

_LONGEST: Final = 10
"""How many names lead from a name to its value."""


def only_value(api: CheckerPluginInterface, expr: Expression | None) -> Expression | None:
    """The expression that a name or attribute is bound to, if it is bound once; any other expression itself.

    None if mypy has not checked that expression yet.
    """
    path: tuple[int, ...] = ()
    for _ in range(_LONGEST):
        bound = bound_to(api, expr) if isinstance(expr, (NameExpr, MemberExpr, IndexExpr)) else None
        if isinstance(expr, (NameExpr, MemberExpr)) and (bound is None or not checker_of(api).has_type(bound.expr)):
            return None
        if bound is not None:
            expr, path = bound.expr, (*bound.path, *path)
        elif path:  # of `first, second = layers`
            expr, path = _item_at(expr, path[0]), path[1:]
        else:
            return expr
    return None


def _item_at(display: Expression | None, position: int) -> Expression | None:
    return display.items[position] if is_plain(display) and position < len(display.items) else None


def named_value(api: CheckerPluginInterface, expr: Expression | None) -> Expression | None:
    """What a name is bound to, if it is bound once, also by `:=`; any other expression itself.

    Only for what stays as it is, since an object that `:=` names is also the value of an expression.
    """
    variable = expr.node if isinstance(expr, NameExpr) else None
    named = bindings_of(checker_of(api).tree, expr).named_once(variable) if isinstance(variable, Var) and expr else None
    return only_value(api, expr) if named is None else named


def called(api: CheckerPluginInterface, call: CallExpr) -> Expression:
    """The function or method that is called, also by a name that is bound to it once: `normal = rng.normal`."""
    variable = call.callee.node if isinstance(call.callee, NameExpr) else None
    bound = bound_to(api, call.callee) if isinstance(variable, Var) else None
    is_method = bound is not None and not bound.path and isinstance(bound.expr, MemberExpr)
    return bound.expr if bound is not None and is_method else call.callee


def bound_values(api: CheckerPluginInterface, expr: Expression) -> Sequence[Bound | None]:
    """All that a name or attribute of this file is bound to; None for an unknown value."""
    variable = expr.node if isinstance(expr, NameExpr) else _attribute(api, expr)[1]
    bindings = bindings_of(checker_of(api).tree, expr)
    return bindings.stores.get(variable, []) if isinstance(variable, Var) else []


def equal_to(api: CheckerPluginInterface, expr: Expression) -> Expression | None:
    """What a condition tells that a name equals here: 4, behind `if size != 4: raise ValueError`."""
    variable = expr.node if isinstance(expr, NameExpr) else None
    return bindings_of(checker_of(api).tree, expr).equal_at(variable, expr.line) if isinstance(variable, Var) else None


def iterated(api: CheckerPluginInterface, expr: Expression) -> Expression | None:
    """What the loop takes its items from that binds a name; None if none does."""
    variable = expr.node if isinstance(expr, NameExpr) else None
    loop = bindings_of(checker_of(api).tree, expr).loops.get(variable) if isinstance(variable, Var) else None
    return None if loop is None else loop.expr


def growth_before(api: CheckerPluginInterface, expr: Expression) -> Growth | None:
    """How a list or dict has grown up to an expression behind the statement that makes it."""
    checker = checker_of(api)
    if not isinstance(expr, NameExpr) or not isinstance(expr.node, Var):
        return None
    if not is_of_scope(checker, expr.node):  # a function may run later
        return None
    growth = bindings_of(checker.tree, expr).growth(expr.node)
    if growth is None or growth.made is None or not growth.made.line < expr.line <= last_line(growth.block):
        return None
    begun = [each for each in growth.added if each.statement.line < expr.line]
    is_past = all((each.statement.end_line or expr.line) < expr.line for each in begun)
    return evolve(growth, added=begun) if is_past else None


def is_of_scope(checker: TypeChecker, variable: Var) -> bool:
    """Whether a variable is of the function that is checked, or of the module outside of all functions."""
    functions = sum(isinstance(each, FuncItem) for each in checker.scope.stack)
    return functions == (0 if "." in variable.fullname else 1)


def may_reshape(api: CheckerPluginInterface) -> bool:
    """Whether a statement of this file changes the shape or the dtype of some array in place."""
    return bindings_of(checker_of(api).tree).may_reshape


def bound_to(api: CheckerPluginInterface, expr: Expression) -> Bound | None:
    """What a name or attribute is bound to, if it is bound once."""
    bindings = bindings_of(checker_of(api).tree, expr)
    if isinstance(expr, NameExpr):
        return bindings.only(expr.node) if isinstance(expr.node, Var) else None
    if isinstance(expr, IndexExpr):
        return _item(api, expr)
    if not isinstance(expr, MemberExpr):
        return None
    info, variable = _attribute(api, expr)
    if info is None or variable is None:
        return bindings.only(expr.node) if isinstance(expr.node, Var) and not expr.node.info else None
    if has_fields(info) and not variable.is_classvar:
        value = field_value(api, expr.expr, info, variable)
        return None if value is None else Bound(value)
    is_class = isinstance(expr.expr, RefExpr) and expr.expr.node is info
    return bindings.attribute(info, variable, is_class=is_class)


def _item(api: CheckerPluginInterface, expr: IndexExpr) -> Bound | None:
    """The item of a display: `weights[0]` for `weights = [a, b]`, `layers["in"]` for `layers = {"in": a, "out": b}`."""
    display = only_value(api, expr.base)
    index = constant_fold_expr(expr.index, checker_of(api).tree.fullname)
    if isinstance(display, DictExpr):
        items: dict[object, Expression] = {
            key.value: value for key, value in display.items if isinstance(key, (IntExpr, StrExpr))
        }
        return Bound(items[index]) if len(items) == len(display.items) and index in items else None
    if display is None or not is_plain(display) or not isinstance(index, int):
        return None
    return Bound(display.items[index]) if -len(display.items) <= index < len(display.items) else None


def returned(api: CheckerPluginInterface, call: Expression) -> Expression | None:
    """The expression that a function of this file returns, if it has a single `return`."""
    callee = call.callee if isinstance(call, CallExpr) else None
    function = callee.node if isinstance(callee, NameExpr) else None
    return _only_return(api, function) if isinstance(function, FuncDef) else None


def _only_return(api: CheckerPluginInterface, function: FuncDef) -> Expression | None:
    if function.is_generator or function.is_coroutine:
        return None
    module = function.info.module_name if function.info else function.fullname.rpartition(".")[0]
    if module not in ("", checker_of(api).tree.fullname):
        return None
    if function not in _returns:
        _returns[function] = [each.expr for each in statements_of(function) if isinstance(each, ReturnStmt)]
    exprs = _returns[function]
    return exprs[0] if len(exprs) == 1 else None


_returns: Final = Memory[FuncDef, list[Expression | None]]()


def field_value(api: CheckerPluginInterface, owner: Expression, info: TypeInfo, variable: Var) -> Expression | None:
    """The value of a field of an object that is made once: `config.width` for `config = Config(width=64)`."""
    bindings = bindings_of(checker_of(api).tree, owner)
    made, class_ = _construction(api, only_value(api, owner)) or (None, None)
    if made is None or class_ is not info or not keeps_fields(api, owner, info):
        return None
    return bindings.value_of_field(info, variable, made)


def _construction(api: CheckerPluginInterface, made: Expression | None) -> tuple[CallExpr, TypeInfo] | None:
    """The call of a class that makes an object, with the class: `Config(64)`, or what `Config.small()` returns."""
    callee = made.callee if isinstance(made, CallExpr) else None
    if isinstance(made, CallExpr) and isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo):
        return made, callee.node
    owner = callee.expr.node if isinstance(callee, MemberExpr) and isinstance(callee.expr, RefExpr) else None
    symbol = owner.names.get(callee.name) if isinstance(owner, TypeInfo) and isinstance(callee, MemberExpr) else None
    method = symbol.node.func if symbol is not None and isinstance(symbol.node, Decorator) else None
    if not isinstance(owner, TypeInfo) or method is None or not method.is_class:
        return None
    result = _only_return(api, method)
    name = result.callee.node if isinstance(result, CallExpr) and isinstance(result.callee, NameExpr) else None
    is_own = name is owner or name is method.arguments[0].variable
    return (result, owner) if isinstance(result, CallExpr) and is_own else None


def keeps_fields(api: CheckerPluginInterface, owner: Expression, info: TypeInfo) -> bool:
    """Whether nothing can assign the fields of an object."""
    variable = owner.node if isinstance(owner, NameExpr) else None
    bindings = bindings_of(checker_of(api).tree, owner)
    is_frozen = info.is_named_tuple or any(each.get("frozen") for each in info.metadata.values())
    is_made_here = isinstance(owner, CallExpr)
    return is_frozen or is_made_here or (isinstance(variable, Var) and bindings.keeps_fields(variable))


def _attribute(api: CheckerPluginInterface, expr: Expression) -> tuple[TypeInfo | None, Var | None]:
    """The class of an object and the variable of its attribute."""
    info = _class_of(api, expr.expr) if isinstance(expr, MemberExpr) else None
    symbol = info.get(expr.name) if info is not None and isinstance(expr, MemberExpr) else None
    return info, symbol.node if symbol is not None and isinstance(symbol.node, Var) else None


def _class_of(api: CheckerPluginInterface, expr: Expression) -> TypeInfo | None:
    """The class of an object, or the class that an expression is."""
    checker = checker_of(api)
    if isinstance(expr, RefExpr) and isinstance(expr.node, TypeInfo):
        return expr.node
    return _info(checker.lookup_type(expr)) if checker.has_type(expr) else None


def _info(type_: Type) -> TypeInfo | None:
    proper = get_proper_type(type_)
    if isinstance(proper, CallableType) and proper.is_type_obj():
        return proper.type_object()
    if isinstance(proper, TypeType):
        return _info(proper.item)
    if isinstance(proper, TupleType):
        return proper.partial_fallback.type
    return proper.type if isinstance(proper, Instance) else None
