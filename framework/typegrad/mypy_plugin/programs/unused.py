"""Statements that make an operand and use it nowhere: a `return`, an `=` or an operation around it was forgotten.

An operation with effects may be meant to run by its name, and so may one that is named. The last expression of a
notebook's cell is shown. Where an error is expected, the operation need not have a use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    ExpressionStmt,
    IndexExpr,
    MemberExpr,
    OpExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance

from typegrad.mypy_plugin.base.cells import cells_of
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.expected import is_caught, is_expected
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.programs.coverage import Reader

__all__ = ["unused"]

_OPERATORS: Final = (ComparisonExpr, IndexExpr, OpExpr, UnaryExpr)
_CONVERSION: Final = "as_output"
_NAMING: Final = "with_name"
_BY_NAME: Final = "; if it is to be fetched by its own name, state that: scope.with_name"
_WITHOUT_EFFECT: Final = ("", "random", "read")


def unused(api: CheckerPluginInterface, reader: Reader) -> Iterator[tuple[Context, str]]:
    """The operands that are made by a statement alone, each with the message."""
    shown = _shown(reader)
    for node in reader.nodes:
        if not isinstance(node, ExpressionStmt) or node in shown or not _is_unused(api, reader, node.expr):
            continue
        if not (is_expected(reader.tree, node) or is_caught(reader.tree, node)):
            is_named = isinstance(node.expr, CallExpr) and not _is_conversion(reader, node.expr)
            told = f"the result of {reader.source(node.expr)} is not used; return it, or assign it to a name"
            yield node.expr, told + _BY_NAME * is_named


def _shown(reader: Reader) -> set[ExpressionStmt]:
    """The last statements of a notebook's cells."""
    cells = cells_of(reader.text)
    last = {cell: each for each in reader.tree.defs if (cell := sum(line <= each.line for line in cells))}
    return {each for each in last.values() if isinstance(each, ExpressionStmt)}


def _is_unused(api: CheckerPluginInterface, reader: Reader, expr: Expression) -> bool:
    """Whether an expression makes an operand, and does nothing else."""
    type_ = reader.type_of(expr)
    if type_ is None or isinstance(type_, AnyType):
        return False
    if isinstance(expr, _OPERATORS):
        return base_of(type_, OPERAND) is not None
    if not isinstance(expr, CallExpr) or not isinstance(expr.callee, MemberExpr):
        return False
    if _is_conversion(reader, expr):
        return True
    definition = definition_of(api, type_) if _is_of_library(reader, expr.callee) else None
    names = (each.name for arg in expr.args for each in nodes_of(arg) if isinstance(each, MemberExpr))
    if definition is None or _NAMING in names:
        return False
    return bool(definition.op.outputs) and definition.op.effect in _WITHOUT_EFFECT


def _is_conversion(reader: Reader, call: CallExpr) -> bool:
    """Whether a call is `y.as_output()`, which makes no operation at all."""
    callee = call.callee
    owner = reader.type_of(callee.expr) if isinstance(callee, MemberExpr) and callee.name == _CONVERSION else None
    return owner is not None and not isinstance(owner, AnyType) and base_of(owner, OPERAND) is not None


def _is_of_library(reader: Reader, callee: MemberExpr) -> bool:
    """Whether a method is `create` of an operation or one of a facade, rather than a function of the program."""
    owner = reader.type_of(callee.expr)
    return callee.name == "create" or (isinstance(owner, Instance) and owner.type.fullname.startswith(OWN))
