"""The types that a program states for its expressions: by annotations, before mypy has inferred any.

Statements are added to a file before mypy checks it, so that only such types tell what a name is assigned later.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Final

from mypy.expandtype import expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    ForStmt,
    FuncDef,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    OverloadedFuncDef,
    RefExpr,
    Statement,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.subtypes import is_same_type
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeVarType,
    get_proper_type,
)
from mypy.typevars import fill_typevars

from typegrad.mypy_plugin.base.operands import base_of
from typegrad.mypy_plugin.base.syntax import expressions_of, is_plain, is_plain_call, nodes_of

__all__ = ["choices_of", "copied_by", "declared_type", "parameters_of", "stated_type", "stated_type_of_target"]

_CHOOSING: Final = frozenset({"builtins.max", "builtins.min"})
_COPYING: Final = frozenset({"builtins.list", "builtins.set", "builtins.sorted", "builtins.tuple"})


def parameters_of(function: FuncDef) -> Mapping[SymbolNode, Type]:
    """The declared types of the parameters of a function."""
    type_ = get_proper_type(function.type)
    types = type_.arg_types if isinstance(type_, CallableType) else []
    return {argument.variable: each for argument, each in zip(function.arguments, types, strict=False)}


def stated_type(expr: Expression | None, parameters: Mapping[SymbolNode, Type]) -> ProperType | None:
    """The type of a name, an attribute, an item or a call, given the types of parameters; None if it is inferred."""
    if isinstance(expr, IndexExpr):
        position = expr.index.value if isinstance(expr.index, IntExpr) else None
        return _item(stated_type(expr.base, parameters), position)
    choices = choices_of(expr)
    if choices:
        types = [stated_type(each, parameters) for each in choices]
        return _iterated(types[0]) if len(types) == 1 else types[0] if _are_same(types) else None
    copied = copied_by(expr)
    if copied is not None:
        whole = stated_type(copied, parameters)
        return None if whole is None or base_of(whole, "typing.Mapping") is not None else whole
    callee = expr.callee if isinstance(expr, CallExpr) else expr
    if isinstance(callee, MemberExpr) and callee.node is None:
        owner, node = _attribute(callee, parameters)
    else:
        owner, node = None, callee.node if isinstance(callee, RefExpr) else None
    type_ = None if node is None else get_proper_type(parameters.get(node) or declared_type(node))
    if isinstance(expr, CallExpr):
        is_bound = owner is not None and not _is_static(node)
        called = _signature(type_, len(expr.args) + is_bound) if isinstance(type_, FunctionLike) else None
        type_ = None if called is None else get_proper_type(called.ret_type)
    return _unless_open(type_ if type_ is None or owner is None else expand_type_by_instance(type_, owner))


def choices_of(expr: Expression | None) -> Sequence[Expression]:
    """What `max` or `min` chooses from: values, or the single one that has them; nothing for any other expression."""
    return () if not isinstance(expr, CallExpr) or "default" in expr.arg_names else _passed_to(expr, _CHOOSING)


def copied_by(expr: Expression | None) -> Expression | None:
    """The container whose items a list, a tuple or a set has: `vs` of `sorted(vs)`; None for any other expression."""
    return next(iter(_passed_to(expr, _COPYING)), None)


def _passed_to(expr: Expression | None, functions: Container[str]) -> Sequence[Expression]:
    """The positional arguments of a call of one of these functions."""
    if not is_plain_call(expr) or not isinstance(expr.callee, RefExpr) or expr.callee.fullname not in functions:
        return ()
    return expr.args[: expr.arg_names.count(None)]


def _are_same(types: Sequence[ProperType | None]) -> bool:
    known = [each for each in types if each is not None]
    return len(known) == len(types) and all(is_same_type(each, known[0]) for each in known)


def stated_type_of_target(
    statement: Statement, target: Expression, parameters: Mapping[SymbolNode, Type]
) -> ProperType | None:
    """The type of what a statement assigns to one of its targets: each of `a, b = pair`, or of `for a, b in pairs`."""
    if isinstance(statement, ForStmt):
        return _part(statement.index, target, _iterated(stated_type(statement.expr, parameters)))
    if isinstance(statement, AssignmentStmt):
        whole = stated_type(statement.rvalue, parameters)
        return next((part for each in statement.lvalues if (part := _part(each, target, whole)) is not None), None)
    inner = (node for expr in expressions_of(statement) for node in nodes_of(expr))
    values = (each.value for each in inner if isinstance(each, AssignmentExpr) and each.target is target)
    return stated_type(next(values, None), parameters)


def _part(lvalue: Expression, target: Expression, whole: ProperType | None) -> ProperType | None:
    if lvalue is target:
        return whole
    if not isinstance(lvalue, (ListExpr, TupleExpr)) or not is_plain(lvalue) or target not in lvalue.items:
        return None
    return whole and (_item(whole, lvalue.items.index(target)) if isinstance(whole, TupleType) else _iterated(whole))


def _attribute(
    expr: MemberExpr, parameters: Mapping[SymbolNode, Type]
) -> tuple[Instance, SymbolNode] | tuple[None, None]:
    """What an attribute is of an object or a class, and the class that defines it, with its type arguments."""
    class_ = expr.expr.node if isinstance(expr.expr, RefExpr) else None
    whole = (
        get_proper_type(fill_typevars(class_)) if isinstance(class_, TypeInfo) else stated_type(expr.expr, parameters)
    )
    instance = whole.partial_fallback if isinstance(whole, TupleType) else whole
    home = instance.type.get_containing_type_info(expr.name) if isinstance(instance, Instance) else None
    node = None if home is None else home.names[expr.name].node
    if home is None or node is None or not isinstance(instance, Instance):
        return None, None
    return map_instance_to_supertype(instance, home), node


def _is_static(node: SymbolNode | None) -> bool:
    """Whether a function takes neither `self` nor its class."""
    if isinstance(node, (Decorator, OverloadedFuncDef)):
        return (node.func if isinstance(node, Decorator) else node).is_static
    return isinstance(node, Var)


def declared_type(node: SymbolNode) -> Type | None:
    """The type that a declaration gives a variable, a property or a function."""
    if isinstance(node, Var):
        return node.type if node.explicit_self_type or not node.is_inferred else None
    if isinstance(node, Decorator):
        type_ = None if node.decorators else get_proper_type(node.func.type)
        return type_.ret_type if isinstance(type_, CallableType) and node.func.is_property else type_
    if isinstance(node, OverloadedFuncDef) and node.is_property:
        first = node.items[0]
        return declared_type(first) if isinstance(first, Decorator) else None
    return node.type if isinstance(node, (FuncDef, OverloadedFuncDef)) else None


def _signature(function: FunctionLike, count: int) -> CallableType | None:
    """The first overload that takes so many arguments."""
    return next((each for each in function.items if each.min_args <= count <= len(each.arg_types)), None)


def _item(whole: ProperType | None, position: int | None) -> ProperType | None:
    if isinstance(whole, TupleType) and position is not None:
        return _unless_open(whole.items[position]) if -len(whole.items) <= position < len(whole.items) else None
    mapping = None if whole is None else base_of(whole, "typing.Mapping")
    if mapping is not None:
        return _unless_open(mapping.args[1])
    sequence = None if whole is None else base_of(whole, "typing.Sequence")
    return None if sequence is None else _unless_open(sequence.args[0])


def _iterated(whole: ProperType | None) -> ProperType | None:
    iterable = None if whole is None else base_of(whole, "typing.Iterable")
    return None if iterable is None else _unless_open(iterable.args[0])


def _unless_open(type_: Type | None) -> ProperType | None:
    proper = get_proper_type(type_)
    return None if isinstance(proper, (AnyType, TypeVarType)) else proper
