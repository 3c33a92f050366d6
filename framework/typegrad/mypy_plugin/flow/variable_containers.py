"""Containers of variables: whether other operands come into one, as its assignments are written.

A list of variables that is assigned again is one of operands where a layer replaces its items, but it is what a model
collects to train where it is joined with the variables of other layers. mypy has not checked the later assignments yet.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Hashable, Iterable

from attrs import frozen
from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SetComprehension,
    SetExpr,
    StarExpr,
    TupleExpr,
)
from mypy.types import CallableType, Instance, NoneType, Type, UnionType, get_proper_type

from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of
from typegrad.mypy_plugin.flow.stated_types import choices_of, copied_by

__all__ = ["Holders", "is_declared_variable", "takes_other_keys", "takes_others"]


@frozen
class Holders:
    """The names and attributes that hold nothing but variables, and those that hold nothing but containers of such."""

    variables: Container[Hashable]
    containers: Container[Hashable]
    keys_of: Callable[[NameExpr | MemberExpr], Collection[Hashable]]
    """What a name or an attribute may be, by the keys of both."""

    def is_variable(self, expr: Expression | None) -> bool:
        """Whether a value is a variable."""
        if isinstance(expr, ConditionalExpr):
            return self.is_variable(expr.if_expr) and self.is_variable(expr.else_expr)
        if isinstance(expr, (NameExpr, MemberExpr)):
            return self._is_among(expr, self.variables)
        choices = choices_of(expr)
        if choices:
            return self.is_container(choices[0]) if len(choices) == 1 else all(map(self.is_variable, choices))
        return _makes_variable(expr) or (isinstance(expr, IndexExpr) and self.is_container(expr.base))

    def is_container(self, expr: Expression | None) -> bool:
        """Whether a value is a list, tuple, set or dict of variables."""
        if isinstance(expr, (ListExpr, SetExpr, TupleExpr)):
            return bool(expr.items) and all(map(self.is_variable, expr.items))
        if isinstance(expr, DictExpr):
            return bool(expr.items) and all(key and self.is_variable(value) for key, value in expr.items)
        if isinstance(expr, (ListComprehension, SetComprehension)):
            return self.is_variable(expr.generator.left_expr)
        if isinstance(expr, DictionaryComprehension):
            return self.is_variable(expr.value)
        copied = copied_by(expr)
        if copied is not None:
            return self.is_container(copied)
        return isinstance(expr, (NameExpr, MemberExpr)) and self._is_among(expr, self.containers)

    def _is_among(self, expr: NameExpr | MemberExpr, known: Container[Hashable]) -> bool:
        keys = self.keys_of(expr)
        return bool(keys) and all(key in known for key in keys)


def is_declared_variable(type_: Type) -> bool:
    """Whether a declared type is a variable, or a variable or None."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        items = [item for item in map(get_proper_type, proper.items) if not isinstance(item, NoneType)]
        return all(map(is_declared_variable, items))
    return base_of(proper, VARIABLE) is not None


def _makes_variable(expr: Expression | None) -> bool:
    """Whether a value is the result of `Variable.create`, or of a function that states that it returns a variable."""
    callee = expr.callee if isinstance(expr, CallExpr) else None
    if isinstance(callee, MemberExpr) and callee.name == "create" and isinstance(callee.expr, RefExpr):
        return callee.expr.fullname == VARIABLE
    result = _stated_result(callee)
    return result is not None and base_of(result, VARIABLE) is not None


def takes_others(expr: Expression | None, variables: Container[object]) -> bool:
    """Whether a container may come to hold operands that are no variables; `variables` are the names of such."""
    if isinstance(expr, (ListExpr, SetExpr, TupleExpr)):
        return any(_takes_item(each, variables) for each in expr.items)
    if isinstance(expr, DictExpr):
        return any((_may_be_other if key else takes_others)(value, variables) for key, value in expr.items)
    if isinstance(expr, (ListComprehension, SetComprehension)):
        return takes_others(expr.generator, variables)
    if isinstance(expr, GeneratorExpr):
        return _takes_items(expr.left_expr, expr, variables)
    if isinstance(expr, DictionaryComprehension):
        return _takes_items(expr.value, expr, variables)
    if isinstance(expr, CallExpr):
        result = _stated_result(expr.callee)
        return _take_others(expr.args, variables) if result is None else _holds_others(result)
    if isinstance(expr, (OpExpr, ConditionalExpr)):
        parts = (expr.left, expr.right) if isinstance(expr, OpExpr) else (expr.if_expr, expr.else_expr)
        return _take_others(parts, variables)
    return False


def takes_other_keys(expr: Expression | None, variables: Container[object]) -> bool:
    """The same for the keys of a dict: `{v: 0.5 * value for v, value in values.items()}`."""
    if isinstance(expr, DictExpr):
        return any(
            _may_be_other(key, variables) if key else takes_other_keys(value, variables) for key, value in expr.items
        )
    key = expr.key if isinstance(expr, DictionaryComprehension) else None
    return isinstance(expr, DictionaryComprehension) and key is not None and _takes_items(key, expr, variables)


def _take_others(exprs: Iterable[Expression], variables: Container[object]) -> bool:
    return any(takes_others(each, variables) for each in exprs)


def _takes_item(item: Expression, variables: Container[object]) -> bool:
    return takes_others(item.expr, variables) if isinstance(item, StarExpr) else _may_be_other(item, variables)


def _takes_items(
    item: Expression, comprehension: GeneratorExpr | DictionaryComprehension, variables: Container[object]
) -> bool:
    """The same for the items of a comprehension: those that it takes as they are belong to another container."""
    names = {name.node for index in comprehension.indices for name in _names(index)}
    parts = item.items if isinstance(item, TupleExpr) else [item]
    is_taken = any(isinstance(each, NameExpr) and each.node in names for each in parts)
    return _take_others(comprehension.sequences, variables) if is_taken else _may_be_other(item, variables)


def _names(target: Expression) -> list[NameExpr]:
    if isinstance(target, (ListExpr, TupleExpr)):
        return [name for item in target.items for name in _names(item)]
    return [target] if isinstance(target, NameExpr) else []


def _may_be_other(item: Expression, variables: Container[object]) -> bool:
    """Whether an item may be an operand that is no variable; an attribute is a variable of a layer.

    In pairs of gradients and variables, one of both is a variable.
    """
    if isinstance(item, TupleExpr):
        return all(_may_be_other(each, variables) for each in item.items)
    is_name = isinstance(item, NameExpr) and item.node in variables
    return not (is_name or isinstance(item, MemberExpr) or _makes_variable(item))


def _stated_result(callee: Expression | None) -> Type | None:
    """The type that a function states for its result."""
    function = callee.node if isinstance(callee, RefExpr) else None
    type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    return type_.ret_type if isinstance(type_, CallableType) else None


def _holds_others(type_: Type) -> bool:
    """Whether a container of this type holds operands, and not only variables."""
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance):
        return False
    if base_of(proper, OPERAND) is not None:
        return base_of(proper, VARIABLE) is None
    return any(map(_holds_others, proper.args))
