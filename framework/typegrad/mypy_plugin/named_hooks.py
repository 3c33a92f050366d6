"""The functions and methods that have a hook of their own, by their full names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.errorcodes import SYNTAX
from mypy.nodes import DictExpr, NameExpr, StrExpr
from mypy.plugin import FunctionContext, MethodContext, MethodSigContext
from mypy.types import CallableType, Type

from typegrad.mypy_plugin.arrays.data_sets import FIT, fit_hook
from typegrad.mypy_plugin.arrays.feeds import feed_hook, prepared_hook, session_assign_hook
from typegrad.mypy_plugin.arrays.indexing import ARRAY_ITEM, array_item_hook
from typegrad.mypy_plugin.arrays.numpy_types import REORDERING, reordered_hook
from typegrad.mypy_plugin.base.operands import VARIABLE
from typegrad.mypy_plugin.calls.counts import LIST_ITEM
from typegrad.mypy_plugin.calls.functions import DRAWS, draw_hook
from typegrad.mypy_plugin.calls.gradients import GRAD, GRADIENTS, grad_hook, gradients_hook
from typegrad.mypy_plugin.calls.narrowing import expect_hook, expect_signature
from typegrad.mypy_plugin.calls.operators import index_hook
from typegrad.mypy_plugin.calls.runs import callable_hook, run_hook, run_signature
from typegrad.mypy_plugin.calls.shape_items import SHAPE_ITEM, size_hook
from typegrad.mypy_plugin.calls.signatures import index_signature
from typegrad.mypy_plugin.calls.variables import (
    ASSIGNMENTS,
    assign_hook,
    assign_signature,
    create_hook,
    create_signature,
    gather_hook,
    gather_signature,
)
from typegrad.mypy_plugin.expressions.displays import PARTIAL
from typegrad.mypy_plugin.expressions.formats import FORMAT, FORMAT_METHOD, format_hook
from typegrad.mypy_plugin.expressions.reducing import SUM, sum_hook
from typegrad.mypy_plugin.flow.aliases import PARTIAL_CALL, made_partial_hook, partial_hook
from typegrad.mypy_plugin.flow.containers import DICT_ITEM, GROWING, growing_signature, item_type_hook, list_item_hook
from typegrad.mypy_plugin.flow.rebinding import REBOUND, rebound_hook

__all__ = [
    "FUNCTION_HOOKS",
    "METHOD_HOOKS",
    "OPERAND_METHOD_HOOKS",
    "OPERAND_SIGNATURE_HOOKS",
    "SIGNATURE_HOOKS",
    "unchanged_hook",
]

_RUN: Final = "typegrad.session.session.Session.run"
_VALUE: Final = "typegrad.session.session.Session.value"
_CALLABLE: Final = "typegrad.session.session.Session.callable"


def unchanged_hook(ctx: FunctionContext | MethodContext) -> Type:
    """The type that mypy has. That there is a hook prepares the file, also if it makes nothing but a graph."""
    return ctx.default_return_type


def _unread_hook(ctx: FunctionContext) -> Type:
    """Report that a cell of a notebook cannot be read: its text has `eval('None', {'why': None})` in its place."""
    given = [each for argument in ctx.args[1:2] for each in argument]
    for name, value in given[0].items if given and isinstance(given[0], DictExpr) else ():
        if isinstance(name, StrExpr) and isinstance(value, NameExpr) and value.name == "None":
            ctx.api.fail(name.value, ctx.context, code=SYNTAX)
    return ctx.default_return_type


SIGNATURE_HOOKS: Final[dict[str, Callable[[MethodSigContext], CallableType]]] = {
    **{name: partial(growing_signature, position=position) for name, position in GROWING.items()},
    _RUN: run_signature,
    f"{VARIABLE}.create": create_signature,
    f"{VARIABLE}.gather": gather_signature,
    **{f"{VARIABLE}.{name}": assign_signature for name in ASSIGNMENTS},
}

FUNCTION_HOOKS: Final[dict[str, Callable[[FunctionContext], Type]]] = {
    "typegrad.graph.graph.Graph": unchanged_hook,
    "builtins.eval": _unread_hook,
    GRAD: grad_hook,
    GRADIENTS: gradients_hook,
    PARTIAL: made_partial_hook,
    FORMAT: format_hook,
    SUM: sum_hook,
    FIT: fit_hook,
}
METHOD_HOOKS: Final[dict[str, Callable[[MethodContext], Type]]] = {
    ARRAY_ITEM: array_item_hook,
    **{path: partial(draw_hook, name=name) for path, name in DRAWS.items()},
    **dict.fromkeys(REORDERING, reordered_hook),
    DICT_ITEM: item_type_hook,
    FORMAT_METHOD: format_hook,
    LIST_ITEM: list_item_hook,
    PARTIAL_CALL: partial_hook,
    REBOUND: rebound_hook,
    SHAPE_ITEM: size_hook,
    _RUN: run_hook,
    _VALUE: run_hook,
    _CALLABLE: callable_hook,
    "typegrad.session.run_types.PreparedCall.__call__": prepared_hook,
    "typegrad.session.runner.Runner.feed": feed_hook,
    "typegrad.session.session.Session.assign": session_assign_hook,
    "typegrad.training.data.dataset.Dataset.from_arrays": lambda ctx: ctx.default_return_type,  # for the dry run alone
    f"{VARIABLE}.create": create_hook,
    f"{VARIABLE}.gather": gather_hook,
    **{f"{VARIABLE}.{name}": partial(assign_hook, operation=operation) for name, operation in ASSIGNMENTS.items()},
}

OPERAND_SIGNATURE_HOOKS: Final[dict[str, Callable[[MethodSigContext], CallableType]]] = {
    "__getitem__": index_signature,
    "expect": expect_signature,
}
OPERAND_METHOD_HOOKS: Final[dict[str, Callable[[MethodContext], Type]]] = {
    "__getitem__": index_hook,
    "expect": expect_hook,
}
