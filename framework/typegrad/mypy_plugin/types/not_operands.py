"""Expressions that are certainly operands or certainly not, by their syntax and the types of their names.

mypy has not checked these expressions yet, and NumPy's overloads make it slow to ask for their types twice.
"""

from __future__ import annotations

from typing import Final

from mypy.literals import literal_hash
from mypy.nodes import (
    BytesExpr,
    CallExpr,
    ComparisonExpr,
    ComplexExpr,
    Decorator,
    Expression,
    FloatExpr,
    FuncDef,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    OverloadedFuncDef,
    RefExpr,
    StrExpr,
    SymbolNode,
    TypeInfo,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.types.declared import forms

__all__ = ["is_no_operand", "is_operand", "returns_operand"]

_NUMBERS: Final = (IntExpr, FloatExpr, ComplexExpr, StrExpr, BytesExpr)
_PLAIN: Final = frozenset(f"builtins.{name}" for name in ("bool", "complex", "float", "int", "str"))
"""Python's classes whose items, attributes and methods have to do with no operand."""
_NUMPY: Final = "numpy."
_FUNCTIONS: Final = ("numpy.", "math.")
"""The modules whose functions return no operand."""


def is_no_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a number or an array, or is computed from such alone."""
    if isinstance(expr, NameExpr):
        return isinstance(expr.node, Var) and _is_plain(api, expr, expr.node)
    if isinstance(expr, MemberExpr):
        return expr.fullname.startswith(_FUNCTIONS) or (not expr.fullname and is_no_operand(api, expr.expr))
    if isinstance(expr, CallExpr):
        callee = expr.callee
        return is_no_operand(api, callee) or (isinstance(callee, RefExpr) and callee.fullname in _PLAIN)
    if isinstance(expr, IndexExpr):
        return is_no_operand(api, expr.base)
    if isinstance(expr, UnaryExpr):
        return is_no_operand(api, expr.expr)
    if isinstance(expr, OpExpr):
        return is_no_operand(api, expr.left) and is_no_operand(api, expr.right)
    if isinstance(expr, ComparisonExpr):
        return all(is_no_operand(api, operand) for operand in expr.operands)
    return isinstance(expr, _NUMBERS)


def is_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is the name of an operand, or an attribute that is one."""
    type_ = _type_here(api, expr)
    return type_ is not None and base_of(type_, OPERAND) is not None


def _type_here(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The type that a name or an attribute has here; None if that is not known at once."""
    if not isinstance(expr, (MemberExpr, NameExpr)) or literal_hash(expr) is None:
        return None
    known = checker_of(api).binder.get(expr)
    if known is not None or isinstance(expr, NameExpr):
        return known or (expr.node.type if isinstance(expr.node, Var) else None)
    owner = get_proper_type(_type_here(api, expr.expr))
    symbol = owner.type.get(expr.name) if isinstance(owner, Instance) else None
    return symbol.node.type if symbol is not None and isinstance(symbol.node, Var) else None


def returns_operand(expr: Expression) -> bool:
    """Whether an expression calls a function, a class method or an object that returns an operand in all its forms."""
    function = _function(expr.callee) if isinstance(expr, CallExpr) else None
    if not isinstance(function, (Decorator, FuncDef, OverloadedFuncDef)):
        return False
    if function not in _returning:
        types = [form.ret_type for form in forms(function.type)]
        _returning[function] = bool(types) and all(base_of(type_, OPERAND) is not None for type_ in types)
    return _returning[function]


def _function(callee: Expression) -> SymbolNode | None:
    """What is called: a function, `Relu.create`, or the method `__call__` of an object of a known class."""
    info, name = None, "__call__"
    if isinstance(callee, MemberExpr) and isinstance(callee.expr, RefExpr) and isinstance(callee.expr.node, TypeInfo):
        info, name = callee.expr.node, callee.name
    elif isinstance(callee, CallExpr) and isinstance(callee.callee, RefExpr):
        info = callee.callee.node if isinstance(callee.callee.node, TypeInfo) else None
    elif isinstance(callee, RefExpr) and isinstance(callee.node, Var):
        type_ = get_proper_type(callee.node.type)
        info = type_.type if isinstance(type_, Instance) else None
    elif isinstance(callee, RefExpr):
        return callee.node
    symbol = None if info is None else info.get(name)
    return None if symbol is None else symbol.node


_returning: Final = Memory[SymbolNode, bool]()


def _is_plain(api: CheckerPluginInterface, name: NameExpr, variable: Var) -> bool:
    type_ = get_proper_type(checker_of(api).binder.get(name) or variable.type)
    if not isinstance(type_, Instance):
        return False
    return type_.type.fullname in _PLAIN or type_.type.fullname.startswith(_NUMPY)
