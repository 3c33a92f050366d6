"""Losses: functions and objects that are made of operations.

Their shapes are found by doing what the program will do: the loss is built in a graph of its own, out of placeholders with the shapes
that mypy knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, Expression, NameExpr, RefExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Instance, LiteralType, Type, get_proper_type

from typegrad.errors import AttributeValueError, TypegradError
from typegrad.mypy_plugin.assignments import assigned, only_value
from typegrad.mypy_plugin.calls import arguments
from typegrad.mypy_plugin.dims import shape_type
from typegrad.mypy_plugin.dtypes import leaf_of
from typegrad.mypy_plugin.errors import ATTRIBUTE, SHAPE, report
from typegrad.mypy_plugin.literals import NotStatic, evaluate, expression_type, is_known
from typegrad.mypy_plugin.memory import Memory
from typegrad.mypy_plugin.operands import StaticOperand, operand_of
from typegrad.shape import Shape
from typegrad.types import TType

__all__ = ["LOSSES", "loss_function_hook", "loss_object_hook"]

LOSSES: Final = "typegrad.losses."
"""The package that the functions and classes are in."""
_REDUCTION: Final = f"{LOSSES}reduction.Reduction"
_INPUTS: Final = frozenset({"y_true", "y_pred", "sample_weight"})

_PLACE: Final = re.compile(r" '[^']*' \([^()]*:\d+\)")
"""What follows an operation's type: its name, and where it was created."""

_Given = tuple[tuple[str, Any, Shape], ...]
_results: Final = Memory[tuple[object, ...], "Shape | TypegradError"]()


def loss_function_hook(ctx: FunctionContext, fullname: str) -> Type:
    """The type of what a function of `typegrad.losses` returns."""
    module, _, name = fullname.rpartition(".")
    given = arguments(ctx)
    options = {
        key: _option(ctx.api, each.expr, each.type) for key, each in given.items() if key not in {*_INPUTS, "scope"}
    }
    return _typed(ctx, name, (fullname, *options.items()), _with(getattr(import_module(module), name), options))


def loss_object_hook(ctx: MethodContext) -> Type:
    """The type of what an object of `typegrad.losses` returns when called, if it is known how the object was made."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    made = only_value(ctx.api, callee) if isinstance(callee, NameExpr) else callee
    owner = get_proper_type(ctx.type)
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or not isinstance(owner, Instance):
        raise NotStatic
    name = owner.type.name
    if made.callee.node is not owner.type or any(kind not in (ARG_POS, ARG_NAMED) for kind in made.arg_kinds):
        raise NotStatic
    values = [_option(ctx.api, expr, expression_type(ctx.api, expr)) for expr in made.args]
    options = tuple(zip(made.arg_names, values, strict=True))
    positional = [value for key, value in options if key is None]
    named = {key: value for key, value in options if key is not None}
    loss = None
    with suppress(Exception):  # an option of a wrong type: mypy says so
        loss = getattr(import_module(owner.type.module_name), name)(*positional, **named)
    if loss is None:
        raise NotStatic
    return _typed(ctx, name, (owner.type.fullname, *options), loss)


def _option(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    proper = get_proper_type(type_)
    literal = proper.last_known_value if isinstance(proper, Instance) else proper
    if isinstance(literal, LiteralType) and literal.fallback.type.fullname == _REDUCTION:
        from typegrad.losses.reduction import Reduction

        return Reduction[str(literal.value)]
    value = evaluate(api, expr, type_)
    if not is_known(value):
        raise NotStatic
    return value


def _with(function: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    return lambda scope, **inputs: function(scope, **inputs, **options)


def _typed(ctx: FunctionContext | MethodContext, name: str, key: tuple[object, ...], build: Callable[..., Any]) -> Type:
    """The type of the loss, or an error."""
    operands = _operands(ctx)
    given = tuple((each, _leaf(operand), operand.static.shape) for each, operand in operands.items())
    key = (*key, *given)
    if key not in _results:
        _results[key] = _built(build, given)
    found = _results[key]
    result = get_proper_type(ctx.default_return_type)
    if isinstance(found, TypegradError):
        code = ATTRIBUTE if isinstance(found, AttributeValueError) else SHAPE
        report(ctx.api, code, f"{name}: {_told(found)}", ctx.context)
        return result
    is_gradual = any(operand.static.is_gradual for operand in operands.values())
    shape = shape_type(ctx.api, found, is_gradual=is_gradual)
    if shape is None or not isinstance(result, Instance):
        return result
    return assigned(ctx, result.copy_modified(args=[result.args[0], shape]))


def _told(error: TypegradError) -> str:
    """The message without the place in the graph: that graph is none of the user's."""
    return _PLACE.sub("", str(error).splitlines()[0], count=1)


def _operands(ctx: FunctionContext | MethodContext) -> dict[str, StaticOperand]:
    found: dict[str, StaticOperand] = {}
    for name, argument in arguments(ctx).items():
        operand = operand_of(argument.type) if name in _INPUTS else None
        if operand is not None:
            found[name] = operand
        elif name in _INPUTS and name != "sample_weight":
            raise NotStatic
    return found


def _leaf(operand: StaticOperand) -> type[TType]:
    leaf = leaf_of(operand.dtype)
    if leaf is None or operand.static.shape.dims is None:
        raise NotStatic
    return leaf


def _built(build: Callable[..., Any], given: _Given) -> Shape | TypegradError:
    """The shape of the loss of such inputs, or why there is none; `NotStatic` if that depends on unknown sizes.

    A loss wants to know whether a last dimension is 1. So an error with an unknown size counts if it is one with 1, too.
    """
    found = _shape(build, given)
    if isinstance(found, TypegradError) and not isinstance(_shape(build, _with_ones(given)), TypegradError):
        raise NotStatic
    return found


def _with_ones(given: _Given) -> _Given:
    return tuple(
        (name, leaf, Shape(tuple(1 if dim is None else dim for dim in shape.known()))) for name, leaf, shape in given
    )


def _shape(build: Callable[..., Any], given: _Given) -> Shape | TypegradError:
    from typegrad.graph import Graph
    from typegrad.op.core import Placeholder
    from typegrad.scope import Scope

    scope = Scope(Graph())
    inputs = {name: Placeholder.create(scope.with_name(name), leaf, shape=shape) for name, leaf, shape in given}
    # A loss that cannot cope with its options for other reasons than those that it states says nothing.
    with suppress(Exception):
        try:
            found: Shape = build(scope, **inputs).shape
        except TypegradError as error:
            return error
        return found
    raise NotStatic
