"""`functools.reduce` of operands: mypy takes the result for the operation that made the first of them."""

from __future__ import annotations

from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.expandtype import expand_type
from mypy.plugin import FunctionSigContext
from mypy.subtypes import is_subtype
from mypy.types import CallableType, Type, TypeVarId

from typegrad.mypy_plugin.evaluation import expression_type
from typegrad.mypy_plugin.operands import base_of
from typegrad.mypy_plugin.widening import holds_operands, joined, widened

__all__ = ["REDUCE", "reduce_signature"]

REDUCE: Final = "functools.reduce"


def reduce_signature(ctx: FunctionSigContext) -> CallableType:
    """The signature for operands of one element type: of one shape if the function keeps it, else of any."""
    signature, checker = ctx.default_signature, cast("TypeChecker", ctx.api)
    if len(ctx.args) < 2 or not ctx.args[0] or not ctx.args[1]:
        return signature
    with checker.msg.filter_errors():
        items = base_of(expression_type(ctx.api, ctx.args[1][0]), "typing.Iterable")
        initial = [expression_type(ctx.api, expr) for exprs in ctx.args[2:] for expr in exprs]
    common = None if items is None else joined(ctx.api, [items.args[0], *initial])
    if common is None or not holds_operands(common):
        return signature
    for state in (common, widened(common)):
        known: dict[TypeVarId, Type] = {variable.id: state for variable in signature.variables}
        types: list[Type] = [expand_type(type_, known) for type_ in signature.arg_types]
        with checker.msg.filter_errors() as errors:
            function = checker.expr_checker.accept(ctx.args[0][0], type_context=types[0])
        if not errors.has_new_errors() and is_subtype(function, types[0]):
            return signature.copy_modified(
                arg_types=types, ret_type=expand_type(signature.ret_type, known), variables=[]
            )
    return signature
