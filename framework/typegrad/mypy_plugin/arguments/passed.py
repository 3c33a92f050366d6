"""An argument that a call passes, with what its parameter takes, and what the checks of arguments ask of it."""

from __future__ import annotations

from typing import Final, TypeGuard

from attrs import evolve, frozen
from mypy.nodes import Expression, ListExpr, MemberExpr, NameExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of
from typegrad.mypy_plugin.types.not_operands import is_no_operand
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.callees import Callee
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = [
    "NUMBERS",
    "Passed",
    "class_name",
    "is_display",
    "is_number",
    "is_text_or_number",
    "is_variable",
    "item_types",
    "may_be_any",
    "type_of_argument",
]

NUMBERS: Final = ("builtins.int", "builtins.float", "builtins.complex", "numpy.generic")


@frozen
class Passed:
    """An argument of a call, and its parameter."""

    api: CheckerPluginInterface
    callee: Callee
    called: str
    """What is called, as in errors."""
    name: str
    expr: Expression
    annotation: str
    """That of the parameter, as it is written; "" if it is not known."""

    @property
    def text(self) -> str:
        """The beginning of an error message about it."""
        return f"{self.called}(): `{self.name}`"

    @property
    def type(self) -> Type:
        """The type of the argument."""
        return type_of_argument(self.api, self.expr)

    def type_of(self, expr: Expression) -> Type:
        """The type of a part of the argument."""
        return type_of_argument(self.api, expr)

    def item(self, position: int, expr: Expression) -> Passed:
        """An item of the argument."""
        return evolve(self, name=f"{self.name}[{position}]", expr=expr)

    def is_named_operand(self) -> bool:
        """Whether it is the name of an operand, or an attribute that is one."""
        return isinstance(self.expr, (NameExpr, MemberExpr)) and base_of(self.type, OPERAND) is not None

    def is_value(self) -> bool:
        """Whether it is a number, an array, or a list of such."""
        if is_display(self.expr):
            return bool(self.expr.items) and all(evolve(self, expr=item).is_value() for item in self.expr.items)
        return is_no_operand(self.api, self.expr)


def type_of_argument(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of an argument before mypy has checked the call."""
    checker = checker_of(api)
    if checker.has_type(expr):
        return get_proper_type(checker.lookup_type(expr))
    with checker.msg.filter_errors():
        return get_proper_type(expression_type(api, expr))


def is_display(expr: Expression) -> TypeGuard[ListExpr | TupleExpr]:
    """Whether an expression is a list or a tuple in brackets."""
    return isinstance(expr, (ListExpr, TupleExpr))


def is_number(type_: Type) -> bool:
    """Whether values of a type are numbers, or scalars of NumPy."""
    return isinstance(type_, Instance) and any(type_.type.has_base(name) for name in NUMBERS)


def is_text_or_number(type_: Type) -> bool:
    """Whether values of a type are strings or numbers, and so no operands and no arrays."""
    return is_number(type_) or base_of(type_, "builtins.str") is not None


def is_variable(type_: Type) -> bool:
    """Whether values of a type are variables."""
    return base_of(type_, VARIABLE) is not None


def item_types(type_: Type) -> list[Type]:
    """The types of what an iterable holds."""
    if isinstance(type_, TupleType):
        return list(map(get_proper_type, type_.items))
    iterable = base_of(type_, "typing.Iterable")
    return [] if iterable is None else [get_proper_type(iterable.args[0])]


def may_be_any(type_: Instance) -> bool:
    """Whether a class has a base class that mypy does not know."""
    return type_.type.fallback_to_any


def class_name(type_: Type) -> str:
    """The class of a type, in the words of an error."""
    return "a tuple" if isinstance(type_, TupleType) else short_name(type_).partition("[")[0]
