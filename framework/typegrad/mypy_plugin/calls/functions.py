"""Calls of `typegrad.functions` and of derivatives, as functions or as methods of a facade, also a user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature, unwrap
from typing import Final, TypeAlias

from mypy.nodes import ARG_POS
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, Type, get_proper_type

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Shape, broadcast
from typegrad.base.types import TComplex, TFloat32
from typegrad.graph.operand import AnyOperand
from typegrad.graph.scope import Scope
from typegrad.mypy_plugin.base.codes import SHAPE
from typegrad.mypy_plugin.base.dtypes import class_argument
from typegrad.mypy_plugin.base.operands import StaticOperand, operand_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.calls.tracing import option, traced, typed
from typegrad.mypy_plugin.types.symbols import any_tuple, element_type
from typegrad.mypy_plugin.values.arguments import Argument, arguments
from typegrad.mypy_plugin.values.constants import value_of, with_operands
from typegrad.mypy_plugin.values.evaluation import evaluate, shape_value
from typegrad.mypy_plugin.values.scalars import is_scalar
from typegrad.mypy_plugin.values.static_values import NotStatic
from typegrad.shapes.view import OpView

__all__ = ["DRAWS", "FUNCTIONS", "draw_hook", "function_hook"]

FUNCTIONS: Final = ("typegrad.functions.", "typegrad.differentiation.derivatives.")
"""The packages of the functions."""

DRAWS: Final = {
    f"typegrad.functions.random.Generator.{name}": name
    for name in ("binomial", "normal", "truncated_normal", "uniform", "uniform_full_int")
}
"""The methods that draw numbers."""

_Arguments: TypeAlias = Mapping[str, Argument]
_Rule: TypeAlias = Callable[[CheckerPluginInterface, _Arguments], tuple[Shape, bool]]


def function_hook(ctx: FunctionContext | MethodContext, path: str) -> Type:
    """The result type of the function at `path`, "module:name"."""
    module, _, name = path.partition(":")
    function = unwrap(getattr(import_module(module), name))
    star = next((key for key, each in signature(function).parameters.items() if each.kind is each.VAR_POSITIONAL), None)
    many = {} if star is None else _many(ctx, star)
    args = {key: each for key, each in arguments(ctx, without=[star] if star else ()).items() if key != "scope"}
    if name in _OF_DEFAULT_TYPE:
        return _drawn_type(ctx, name, args)
    if name in _RULES:
        return _by_rule(ctx, _RULES[name], name, args)
    all_operands = {key: operand_of(each.type) for key, each in args.items()}
    operands = {key: operand for key, operand in all_operands.items() if operand is not None}
    options = {key: option(ctx.api, each.expr, each.type) for key, each in args.items() if key not in operands}

    def build(scope: Scope, **inputs: AnyOperand) -> object:
        first = [inputs.pop(each) for each in many]
        if name == "hvp" and {"y", "xs"} <= inputs.keys():
            inputs = _connected(**inputs)
        return function(scope, *first, **inputs, **options)  # mypy itself checks the kinds of the arguments

    return traced(ctx, name, (path, *options.items()), many | operands, build)


def _connected(*, y: AnyOperand, xs: AnyOperand, **others: AnyOperand) -> dict[str, AnyOperand]:
    """The operands with a y that depends on x, which placeholders do not: x itself."""
    return {"y": y if issubclass(y.dtype, TComplex) else xs, "xs": xs, **others}


def draw_hook(ctx: MethodContext, name: str) -> Type:
    """The result type of a method that draws numbers."""
    args = arguments(ctx)
    return _drawn_type(ctx, name, args) if name in _OF_DEFAULT_TYPE else _by_rule(ctx, _drawn, name, args)


def _drawn_type(ctx: FunctionContext | MethodContext, name: str, args: _Arguments) -> Type:
    """The same for every overload that fits beside an argument that is Any, so that mypy knows which type it is."""
    is_open = False
    try:
        result = get_proper_type(_by_rule(ctx, _drawn, name, args))
    except NotStatic:
        result, is_open = get_proper_type(ctx.default_return_type), True
    unknown = {key: each for key, each in args.items() if isinstance(get_proper_type(each.type), AnyType)}
    if unknown.keys().isdisjoint(_MOVING | {"shape"}) or not isinstance(result, Instance):
        return result
    is_open |= not all(is_scalar(ctx.api, unknown[key].expr) for key in _MOVING & unknown.keys())
    element, shape = result.args
    stated = class_argument(args["dtype"].type) if "dtype" in args else element_type(ctx.api, TFloat32)
    return result.copy_modified(args=[stated or element, any_tuple(ctx.api) if is_open else shape])


def _by_rule(ctx: FunctionContext | MethodContext, rule: _Rule, name: str, args: _Arguments) -> Type:
    try:
        shape, is_gradual = rule(ctx.api, args)
    except ShapeError as error:
        report(ctx.api, SHAPE, f"{name}: {error}", ctx.context)
        return ctx.default_return_type
    return typed(ctx, shape, is_gradual=is_gradual)


def _many(ctx: FunctionContext | MethodContext, star: str) -> dict[str, StaticOperand]:
    """The operands that a parameter like `*vectors` takes."""
    at = ctx.callee_arg_names.index(star)
    operands = {f"{star}_{position}": operand_of(each) for position, each in enumerate(ctx.arg_types[at])}
    known = {key: operand for key, operand in operands.items() if operand is not None}
    if len(known) < len(operands) or any(kind is not ARG_POS for kind in ctx.arg_kinds[at]):
        raise NotStatic
    return known


def _filled(api: CheckerPluginInterface, args: _Arguments) -> tuple[Shape, bool]:
    """The shape in the argument `shape`, which may contain names. As an operand, it is a vector."""
    stated = args["shape"]
    operand = operand_of(stated.type)
    if operand is not None:
        OpView({"shape": operand.static.shape}, {}, {}).rank("shape", 1)
    known = value_of(api, stated.expr)
    if known is not None and not isinstance(known, tuple):  # of a scalar, where the type says no shape
        raise NotStatic
    value = with_operands(api, stated.expr, evaluate(api, stated.expr, stated.type)) if known is None else known
    return shape_value(api, value), True  # as in mypy's own result, an unknown size fits every size


def _drawn(api: CheckerPluginInterface, args: _Arguments) -> tuple[Shape, bool]:
    """The same, and the shapes of the operands that move and scale the numbers, broadcast."""
    shape, is_gradual = _filled(api, args)
    for name in _MOVING & args.keys():
        operand = operand_of(args[name].type)
        is_number = operand is not None and is_scalar(api, args[name].expr)
        if operand is not None and not is_number:
            shape = broadcast(shape, operand.static.shape)
    return shape, is_gradual


def _derivative(of: str) -> _Rule:
    """Those of an operand, and then of x, by which it is differentiated."""

    def shape(api: CheckerPluginInterface, args: _Arguments) -> tuple[Shape, bool]:
        first, second = (_operand(args[name]) for name in (of, "x"))
        if first.static.shape.dims is None or second.static.shape.dims is None:
            raise NotStatic
        is_gradual = first.static.is_gradual or second.static.is_gradual
        return Shape((*first.static.shape.dims, *second.static.shape.dims)), is_gradual

    return shape


def _operand(argument: Argument) -> StaticOperand:
    operand = operand_of(argument.type)
    if operand is None:
        raise NotStatic
    return operand


_MOVING: Final = frozenset({"mean", "stddev", "minval", "maxval"})
_OF_DEFAULT_TYPE: Final = frozenset({"normal", "truncated_normal", "uniform"})
"""The functions whose element type is float32 if none is stated."""
_RULES: Final[Mapping[str, _Rule]] = {
    **dict.fromkeys(("ones", "zeros"), _filled),
    "jacobian": _derivative("y"),
    "hessian": _derivative("x"),
}
"""The functions whose result shapes follow from their arguments without building a graph."""
