"""Calls of losses: functions, and objects that are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from mypy.nodes import CallExpr, RefExpr
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.operands import StaticOperand, operand_of
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.calls.tracing import option, traced
from typegrad.mypy_plugin.values.arguments import arguments
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["LOSSES", "loss_function_hook", "loss_object_hook"]

LOSSES: Final = "typegrad.training.losses."
"""The package of the functions and classes."""
_INPUTS: Final = frozenset({"y_true", "y_pred", "sample_weight"})


def loss_function_hook(ctx: FunctionContext, fullname: str) -> Type:
    """The result type of a function of `typegrad.training.losses`."""
    module, _, name = fullname.rpartition(".")
    args = arguments(ctx)
    options = {
        key: option(ctx.api, each.expr, each.type) for key, each in args.items() if key not in {*_INPUTS, "scope"}
    }
    build = _with(getattr(import_module(module), name), options)
    return traced(ctx, name, (fullname, *options.items()), _operands(ctx), build)


def loss_object_hook(ctx: MethodContext) -> Type:
    """The result type of calling an object of `typegrad.training.losses`, if its constructor call is known."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    made = only_value(ctx.api, callee)
    owner = get_proper_type(ctx.type)
    if not is_plain_call(made) or not isinstance(made.callee, RefExpr) or not isinstance(owner, Instance):
        raise NotStatic
    if made.callee.node is not owner.type:
        raise NotStatic
    name = owner.type.name
    values = [option(ctx.api, expr, expression_type(ctx.api, expr)) for expr in made.args]
    options = tuple(zip(made.arg_names, values, strict=True))
    positional = [value for key, value in options if key is None]
    named = {key: value for key, value in options if key is not None}
    loss = None
    with suppress(Exception):  # mypy itself reports an option of a wrong type
        loss = getattr(import_module(owner.type.module_name), name)(*positional, **named)
    if loss is None:
        raise NotStatic
    return traced(ctx, name, (owner.type.fullname, *options), _operands(ctx), loss)


def _with(function: Callable[..., object], options: Mapping[str, Any]) -> Callable[..., object]:
    return lambda scope, **inputs: function(scope, **inputs, **options)


def _operands(ctx: FunctionContext | MethodContext) -> dict[str, StaticOperand]:
    result: dict[str, StaticOperand] = {}
    for name, argument in arguments(ctx).items():
        operand = operand_of(argument.type) if name in _INPUTS else None
        if operand is not None:
            if operand.static.shape.dims is None and operand.static.pattern is None:
                raise NotStatic
            result[name] = operand
        elif name in _INPUTS and name != "sample_weight":
            raise NotStatic
    return result
