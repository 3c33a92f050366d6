"""What is made of several operations: its shapes are found by doing what the program will do.

The function is called in a graph of its own, on placeholders with the types and shapes that mypy knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Instance, LiteralType, TupleType, Type, get_proper_type

from typegrad.base.errors import AttributeValueError, DTypeError, TypegradError
from typegrad.base.shape import Shape
from typegrad.base.types import TFloat32, TType
from typegrad.graph.operand import Operand
from typegrad.mypy_plugin.assignments import assigned
from typegrad.mypy_plugin.dims import shape_type
from typegrad.mypy_plugin.dtypes import class_argument, leaf_of, leaves_of
from typegrad.mypy_plugin.errors import ATTRIBUTE, DTYPE, SHAPE, report
from typegrad.mypy_plugin.literals import NotStatic, evaluate, is_known
from typegrad.mypy_plugin.memory import Memory
from typegrad.mypy_plugin.operands import StaticOperand

__all__ = ["option", "traced", "typed"]

_REDUCTION: Final = "typegrad.training.losses.reduction.Reduction"
_PLACE: Final = re.compile(r" '[^']*' \([^()]*:\d+\)")
"""What follows an operation's type: its name, and where it was created."""

_Given: TypeAlias = tuple[tuple[str, Any, Shape], ...]
Shapes: TypeAlias = Shape | tuple[Shape, ...]
_results: Final = Memory[tuple[object, ...], "Shapes | TypegradError"]()


def option(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    """The value of an argument that is no operand; `NotStatic` if it is not known."""
    proper = get_proper_type(type_)
    literal = proper.last_known_value if isinstance(proper, Instance) else proper
    if isinstance(literal, LiteralType) and literal.fallback.type.fullname == _REDUCTION:
        from typegrad.training.losses.reduction import Reduction

        return Reduction[str(literal.value)]
    stated = class_argument(type_)
    leaf = None if stated is None else leaf_of(stated)
    value = evaluate(api, expr, type_) if leaf is None else leaf
    if not is_known(value):
        raise NotStatic
    return value


def traced(
    ctx: FunctionContext | MethodContext,
    name: str,
    key: tuple[object, ...],
    operands: Mapping[str, StaticOperand],
    build: Callable[..., Any],
) -> Type:
    """The type of what `build` makes of a scope and `operands`, or an error. Calls with one `key` differ in their operands alone."""
    given = tuple((each, _leaf(operand), operand.static.shape) for each, operand in operands.items())
    key = (*key, *given)
    if key not in _results:
        _results[key] = _built(build, given)
    found = _results[key]
    if isinstance(found, TypegradError):
        code = (
            ATTRIBUTE if isinstance(found, AttributeValueError) else DTYPE if isinstance(found, DTypeError) else SHAPE
        )
        report(ctx.api, code, f"{name}: {_told(found).removeprefix(f'{name}: ')}", ctx.context)
        return ctx.default_return_type
    return typed(ctx, found, is_gradual=any(operand.static.is_gradual for operand in operands.values()))


def typed(ctx: FunctionContext | MethodContext, found: Shapes, *, is_gradual: bool) -> Type:
    """The type that mypy has for the result, with these shapes."""
    return assigned(ctx, _with_shapes(ctx.api, ctx.default_return_type, found, is_gradual=is_gradual))


def _with_shapes(api: CheckerPluginInterface, type_: Type, found: Shapes, *, is_gradual: bool) -> Type:
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType) and isinstance(found, tuple) and len(found) == len(proper.items):
        pairs = zip(proper.items, found, strict=True)
        return proper.copy_modified(
            items=[_with_shapes(api, item, shape, is_gradual=is_gradual) for item, shape in pairs]
        )
    if not isinstance(proper, Instance) or not isinstance(found, Shape) or not proper.args:
        return proper
    shape = shape_type(api, found, is_gradual=is_gradual)
    return proper if shape is None else proper.copy_modified(args=[*proper.args[:-1], shape])


def _told(error: TypegradError) -> str:
    """The message without the place in the graph: that graph is none of the user's."""
    return _PLACE.sub("", str(error).splitlines()[0], count=1)


def _leaf(operand: StaticOperand) -> type[TType]:
    """The element type; of several that it may be, one."""
    leaves = leaves_of(operand.dtype)
    if not leaves:
        raise NotStatic
    return TFloat32 if TFloat32 in leaves else min(leaves, key=lambda leaf: leaf.enum)


def _built(build: Callable[..., Any], given: _Given) -> Shapes | TypegradError:
    """The shapes of what is built of such inputs, or why there are none; `NotStatic` if that depends on unknown sizes.

    A loss wants to know whether a last dimension is 1. So an error with an unknown size counts if it is one with 1, too.
    """
    found = _shapes(build, given)
    if isinstance(found, TypegradError):
        if any(shape.dims is None for _, _, shape in given):
            raise NotStatic
        if not isinstance(_shapes(build, _with_ones(given)), TypegradError):
            raise NotStatic
    return found


def _with_ones(given: _Given) -> _Given:
    return tuple(
        (name, leaf, Shape(tuple(1 if dim is None else dim for dim in shape.known()))) for name, leaf, shape in given
    )


def _shapes(build: Callable[..., Any], given: _Given) -> Shapes | TypegradError:
    from typegrad.graph.graph import Graph
    from typegrad.graph.scope import Scope
    from typegrad.op.core import Placeholder

    scope = Scope(Graph())
    inputs = {name: Placeholder.create(scope.with_name(name), leaf, shape=shape) for name, leaf, shape in given}
    # What cannot cope with its options for other reasons than those that it states says nothing.
    with suppress(Exception):
        try:
            made = build(scope, **inputs)
        except TypegradError as error:
            return error
        return made.shape if isinstance(made, Operand) else tuple(each.shape for each in made)
    raise NotStatic
