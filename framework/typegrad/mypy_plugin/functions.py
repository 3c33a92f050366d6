"""Functions of `typegrad.functions` and derivatives, called as such or as methods of the facade, those of users' registries included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import unwrap
from typing import Final, TypeAlias

from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Type

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.calls import Argument, arguments
from typegrad.mypy_plugin.literals import NotStatic, evaluate, shape_value
from typegrad.mypy_plugin.operands import StaticOperand, operand_of
from typegrad.mypy_plugin.tracing import option, traced, typed

__all__ = ["FUNCTIONS", "function_hook"]

FUNCTIONS: Final = ("typegrad.functions.", "typegrad.differentiation.derivatives.")
"""Where the functions are."""

_Given: TypeAlias = Mapping[str, Argument]


def function_hook(ctx: FunctionContext | MethodContext, path: str) -> Type:
    """The type of what the function at `path`, "module:name", returns."""
    module, _, name = path.partition(":")
    given = {key: each for key, each in arguments(ctx).items() if key != "scope"}
    if name in _STATED:
        shape, is_gradual = _STATED[name](ctx.api, given)
        return typed(ctx, shape, is_gradual=is_gradual)
    found = {key: operand_of(each.type) for key, each in given.items()}
    operands = {key: operand for key, operand in found.items() if operand is not None}
    options = {key: option(ctx.api, each.expr, each.type) for key, each in given.items() if key not in operands}
    # mypy itself checks of what kind the arguments are.
    function = unwrap(getattr(import_module(module), name))
    return traced(
        ctx, name, (path, *options.items()), operands, lambda scope, **inputs: function(scope, **inputs, **options)
    )


def _filled(api: CheckerPluginInterface, given: _Given) -> tuple[Shape, bool]:
    """The shape that is written out, in which names may stand, too."""
    stated = given["shape"]
    return shape_value(api, evaluate(api, stated.expr, stated.type)), False


def _derivative(of: str, by: str) -> Callable[[CheckerPluginInterface, _Given], tuple[Shape, bool]]:
    def shape(api: CheckerPluginInterface, given: _Given) -> tuple[Shape, bool]:
        first, second = (_operand(given[name]) for name in (of, by))
        if first.static.shape.dims is None or second.static.shape.dims is None:
            raise NotStatic
        is_gradual = first.static.is_gradual or second.static.is_gradual
        return Shape((*first.static.shape.dims, *second.static.shape.dims)), is_gradual

    return shape


def _operand(argument: Argument) -> StaticOperand:
    found = operand_of(argument.type)
    if found is None:
        raise NotStatic
    return found


_STATED: Final[Mapping[str, Callable[[CheckerPluginInterface, _Given], tuple[Shape, bool]]]] = {
    **dict.fromkeys(("normal", "ones", "truncated_normal", "uniform", "zeros"), _filled),
    "jacobian": _derivative("y", "x"),
    "hessian": _derivative("x", "x"),
}
"""Functions whose shapes are those of their arguments."""
