"""Names that modules and operands of typegrad lack: `math.Relu`, `x.reshape`; and modules that are called.

The messages are those at run time, which say what was meant. mypy alone says "Module has no attribute".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Final

from mypy.errors import ErrorInfo
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    Var,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, NoneType, Type, TypeType, get_proper_type

from typegrad.arguments.elsewhere import remedy
from typegrad.arguments.fixed import NO_OTHER_RATE
from typegrad.arguments.unknown import UnknownNameError, is_for_class
from typegrad.graph.graph import NOT_ENTERED
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.mypy_plugin.arguments.equalities import is_equality, told_equality
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import GRAPH, OPTIMIZER
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import base_of, union_items
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.base.syntax import is_self, nodes_of
from typegrad.mypy_plugin.expressions.refusals import type_of
from typegrad.mypy_plugin.values.expression_types import expression_type, has_types

__all__ = [
    "is_called_module",
    "may_be_graph",
    "may_lack",
    "refuse_attribute",
    "refuse_graph",
    "refuse_module_call",
    "told_attribute",
]

_OF_SCOPES: Final = "with_"
"""How methods begin that make another scope."""
_HASATTR: Final = "builtins.hasattr"
_PACKAGE: Final = "typegrad"
_SHAPE: Final = "shape"
_RATE: Final = "learning_rate"
_LACKS: Final = re.compile(r'(?:Module|"[^"]+") has no attribute "(?P<name>\w+)"(?:; maybe .*)?$')
"""What mypy says of an attribute."""


def may_lack(member: MemberExpr) -> bool:
    """Whether an attribute may be one that a module or an object of typegrad lacks."""
    if member.node is not None:
        return False
    if is_equality(member.expr):
        return member.name in _OF_OPERANDS
    module = _module(member.expr)
    if module is not None:
        return member.name not in module.names
    if isinstance(member.expr, CallExpr):  # of an object that is made in place: `Adam(graph).minimise(loss)`
        callee = member.expr.callee
        if isinstance(callee, MemberExpr) and callee.name == "create":
            class_ = callee.expr.node if isinstance(callee.expr, RefExpr) else None
            return member.name not in _COMMON and not (isinstance(class_, TypeInfo) and class_.get(member.name))
        made = callee.node if isinstance(callee, RefExpr) else None
        if made is None or not made.fullname.startswith(f"{_PACKAGE}."):
            return False
        return made.get(member.name) is None if isinstance(made, TypeInfo) else member.name not in _COMMON
    if isinstance(member.expr, OpExpr):
        return member.name not in _COMMON
    class_ = _class(member.expr)
    if class_ is not None:
        return class_.get(member.name) is None
    if isinstance(member.expr, MemberExpr) and member.expr.name == _SHAPE:
        return member.name not in _COMMON
    owner = member.expr.expr if isinstance(member.expr, MemberExpr) else member.expr
    is_variable = isinstance(owner, NameExpr) and isinstance(owner.node, Var)
    is_own = owner is member.expr and is_variable and is_self(owner)
    return is_variable and not is_own and member.name not in _COMMON


def refuse_attribute(api: CheckerPluginInterface, member: MemberExpr) -> None:
    """Report an attribute that does not exist, with what was meant."""
    if isinstance(member.expr, ComparisonExpr):
        text = told_equality(api, member.expr)
        if text:
            report(api, CALL, text, member)
            member.expr = cast_to(member.expr)
        return
    if _is_of_rate(api, member):
        report(api, CALL, NO_OTHER_RATE, member)
        member.expr = cast_to(member.expr)
        return
    if member.name.startswith(_OF_SCOPES) and hasattr(Scope, member.name):
        return  # mypy tells it, and so whether a scope is meant wherever the name is used
    error = _lacking(api, member, type_of)
    if error is not None and error.remedy and not _is_asked_for(api, member.name):
        report(api, CALL, str(error), member)
        member.expr = cast_to(member.expr)


def told_attribute(api: CheckerPluginInterface, error: ErrorInfo) -> str:
    """What the run says of an attribute that mypy has looked for, as in a decorator or a default; "" of others.

    `refuse_attribute` is asked before mypy is, but only about the expressions of statements.
    """
    found = _LACKS.match(error.message)
    place = None if found is None else (error.line, error.column, found["name"])
    for node in () if place is None else nodes_of(checker_of(api).tree):
        if isinstance(node, MemberExpr) and (node.line, node.column, node.name) == place:
            told = _lacking(api, node, expression_type)
            return str(told) if told is not None and told.remedy else ""
    return ""


def _is_of_rate(api: CheckerPluginInterface, member: MemberExpr) -> bool:
    """Whether an expression is a method that only a variable has, of the learning rate of an optimizer."""
    rate = member.expr if member.name.startswith("assign") and isinstance(member.expr, MemberExpr) else None
    is_rate = rate is not None and rate.name == _RATE
    return rate is not None and is_rate and base_of(type_of(api, rate.expr), OPTIMIZER) is not None


def _is_asked_for(api: CheckerPluginInterface, name: str) -> bool:
    """Whether the file asks `hasattr(tg, name)`, after which mypy knows whether there is one."""
    calls = (each for each in nodes_of(checker_of(api).tree) if isinstance(each, CallExpr))
    asked = (call.args[1] for call in calls if _is_hasattr(call))
    return any(isinstance(each, StrExpr) and each.value == name for each in asked)


def _is_hasattr(call: CallExpr) -> bool:
    return isinstance(call.callee, RefExpr) and call.callee.fullname == _HASATTR and len(call.args) == 2


def is_called_module(call: CallExpr) -> bool:
    """Whether what is called is a module of typegrad."""
    return _module(call.callee) is not None


def refuse_module_call(api: CheckerPluginInterface, call: CallExpr) -> None:
    """Report a module that is called in the place of a class, `tg.session(graph)`; of others, mypy says enough."""
    module = _module(call.callee)
    package, _, name = ("" if module is None else module.fullname).rpartition(".")
    home = checker_of(api).modules.get(package)
    if module is not None and home is not None and is_for_class(module.fullname, home.names):
        report(api, CALL, f"module {module.fullname!r} is not a function{remedy(package, name)}", call)
        call.callee = cast_to(call.callee)


def may_be_graph(statement: WithStmt) -> bool:
    """Whether a `with` statement may enter a graph."""
    made = [each.callee if isinstance(each, CallExpr) else each for each in statement.expr]
    return any(isinstance(each, NameExpr) or (isinstance(each, RefExpr) and each.fullname == GRAPH) for each in made)


def refuse_graph(api: CheckerPluginInterface, statement: WithStmt) -> None:
    """Report a graph that is entered, as in TensorFlow."""
    for position, expr in enumerate(statement.expr):
        if not has_types(expr):
            return  # it uses the name of an item before it, which has no type yet
        if base_of(type_of(api, expr), GRAPH) is not None:
            report(api, CALL, NOT_ENTERED, expr)
            statement.expr[position] = cast_to(expr)
            return


def _lacking(
    api: CheckerPluginInterface, member: MemberExpr, type_at: Callable[[CheckerPluginInterface, Expression], Type]
) -> UnknownNameError | None:
    """The error of an attribute that a module, a class or an object of typegrad lacks.

    Of `nn.relu.create`, it is `nn`: that there is a module of an operation is not for users.
    """
    module = _module(member.expr)
    if module is not None:
        package, _, name = module.fullname.rpartition(".")
        of_operation = "DEF" in module.names
        lacking = (package, name, ()) if of_operation else (module.fullname, member.name, module.names)
        return UnknownNameError(*lacking)
    class_ = _class(member.expr)
    type_ = get_proper_type(type_at(api, member.expr)) if class_ is None else None
    of_class = type_ is None or isinstance(type_, TypeType)
    whole = type_.item if isinstance(type_, TypeType) else _present(type_)  # `x.dtype` is of the type `type[TFloat32]`
    class_ = whole.type if isinstance(whole, Instance) else class_
    if class_ is None or not class_.fullname.startswith(f"{_PACKAGE}.") or class_.fallback_to_any:
        return None
    if class_.get(member.name) is not None or (of_class and hasattr(type, member.name)):
        return None
    return UnknownNameError(getattr(import_module(class_.module_name), class_.name), member.name, of_class=of_class)


def _present(type_: Type | None) -> Type | None:
    """The one type of a value that may be None; any other type itself."""
    present = [item for item in union_items(type_) if not isinstance(item, NoneType)] if type_ is not None else []
    return present[0] if len(present) == 1 else type_


def _class(expr: Expression) -> TypeInfo | None:
    """The class of typegrad that an expression means."""
    node = expr.node if isinstance(expr, RefExpr) else None
    return node if isinstance(node, TypeInfo) and node.fullname.startswith(f"{_PACKAGE}.") else None


def _module(expr: Expression) -> MypyFile | None:
    """The module of typegrad that an expression means."""
    node = expr.node if isinstance(expr, RefExpr) else None
    is_own = isinstance(node, MypyFile) and f"{node.fullname}.".startswith(f"{_PACKAGE}.")
    return node if isinstance(node, MypyFile) and is_own else None


_COMMON: Final = frozenset(name for class_ in (Operand, dict, list, str) for name in dir(class_))
"""The attributes of operands, and of built-in classes, which most programs use."""
_OF_OPERANDS: Final = frozenset(dir(Operand)) - frozenset(dir(bool))
