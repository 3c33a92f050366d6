"""Static shapes of functions that build several operations, found by tracing.

The function is called on placeholders of the known element types and shapes, in a graph of its own.
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
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import Rest, shape_type, united_shapes
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of, leaves_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import StaticOperand
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.calls.ranks import Case, Ranked, remember_results
from typegrad.mypy_plugin.calls.variadic_shapes import Fill, at_all_ranks, filled
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.static_values import NotStatic, is_known

__all__ = ["option", "traced", "typed"]

_LIST: Final = "builtins.list"
_REDUCTION: Final = "typegrad.training.losses.reduction.Reduction"
_REWRITTEN: Final = (
    (re.compile(r"(?:\b(\w+) (?='\1:0'))?'(\w+):0' \(Placeholder, ([^()]*), created at [^()]*\)"), r"`\2` (\3)"),
    (re.compile(r"(?:\b(\w+) (?='\1:0'))?'(\w+):0'(?! \()"), r"`\2`"),
    (re.compile(r" '[^' ]+:\d+' \(\w+, ([^()]*), created at [^()]*\)"), r" (\1)"),
)
"""How operands are written in a message: inputs by the names of their parameters, others by element type and shape."""
_PLACE: Final = re.compile(r" '[^']*' \([^()]*:\d+\)")
"""The name of an operation and the place where it was created, after its type in a message."""

_Inputs: TypeAlias = tuple[tuple[str, Any, Shape], ...]
_Shapes: TypeAlias = Shape | tuple[Shape, ...]
_Result: TypeAlias = tuple[Shape, ...] | TypegradError
_results: Final = Memory[tuple[object, ...], _Result]()


def option(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    """The value of an argument that is not an operand; `NotStatic` if it is not known."""
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
    """The result type of `build` for a scope and `operands`; an error is reported.

    Calls with the same `key` must differ only in their operands, since results are cached.
    """
    result = _traced(ctx, key, operands, build)
    if isinstance(result, DTypeError) and not operands:
        return ctx.default_return_type  # mypy itself compares a stated element type with the signature
    if isinstance(result, TypegradError):
        code = (
            ATTRIBUTE if isinstance(result, AttributeValueError) else DTYPE if isinstance(result, DTypeError) else SHAPE
        )
        report(ctx.api, code, f"{name}: {_message(result).removeprefix(f'{name}: ')}", ctx.context)
        return ctx.default_return_type
    return typed(ctx, result, is_gradual=any(operand.static.is_gradual for operand in operands.values()))


def _traced(
    ctx: FunctionContext | MethodContext,
    key: tuple[object, ...],
    operands: Mapping[str, StaticOperand],
    build: Callable[..., Any],
) -> _Result:
    """The shapes of the results, for operands of any number of dimensions with rests."""
    leaves = {each: _leaf(operand) for each, operand in operands.items()}
    patterns = {each: operand.static.pattern or operand.static.shape for each, operand in operands.items()}
    rests = {dim for shape in patterns.values() for dim in shape.dims or () if isinstance(dim, Rest)}

    def shapes_of(shapes: Mapping[str, Shape]) -> _Result:
        inputs = tuple((each, leaf, shapes[each]) for each, leaf in leaves.items())
        if (*key, *inputs) not in _results:
            _results[(*key, *inputs)] = _built(build, inputs)
        return _results[(*key, *inputs)]

    def answer(case: Case, fill: Fill) -> _Result:
        return shapes_of({each: filled(pattern, case, fill) for each, pattern in patterns.items()})

    known, told = at_all_ranks(ctx.api, rests, answer) if rests else ({}, None)
    columns = zip(*known.values(), strict=True)
    remember_results(ctx.context, [Ranked(frozenset(rests), dict(zip(known, each, strict=True))) for each in columns])
    return shapes_of({each: operand.static.shape for each, operand in operands.items()}) if told is None else told


def typed(ctx: FunctionContext | MethodContext, shapes: _Shapes, *, is_gradual: bool) -> Type:
    """mypy's own result type with these shapes."""
    return _with_shapes(ctx.api, ctx.default_return_type, shapes, is_gradual=is_gradual)


def _with_shapes(api: CheckerPluginInterface, type_: Type, shapes: _Shapes, *, is_gradual: bool) -> Type:
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType) and isinstance(shapes, tuple) and len(shapes) == len(proper.items):
        pairs = zip(proper.items, shapes, strict=True)
        return proper.copy_modified(
            items=[_with_shapes(api, item, shape, is_gradual=is_gradual) for item, shape in pairs]
        )
    if isinstance(proper, Instance) and proper.type.fullname == _LIST and isinstance(shapes, tuple) and shapes:
        common = united_shapes(shapes)
        return proper.copy_modified(args=[_with_shapes(api, proper.args[0], common, is_gradual=is_gradual)])
    if isinstance(shapes, tuple) and len(shapes) == 1:
        (shapes,) = shapes
    if not isinstance(proper, Instance) or not isinstance(shapes, Shape) or not proper.args:
        return proper
    shape = shape_type(api, shapes, is_gradual=is_gradual)
    return proper if shape is None else proper.copy_modified(args=[*proper.args[:-1], shape])


def _message(error: TypegradError) -> str:
    """The message with the names of parameters, and without operations and places: the graph is not the user's."""
    text = str(error).splitlines()[0]
    for pattern, replacement in _REWRITTEN:
        text = pattern.sub(replacement, text)
    return _PLACE.sub("", text, count=1)


def _leaf(operand: StaticOperand) -> type[TType]:
    """The leaf type of an operand; one of them if there are several."""
    leaves = leaves_of(operand.dtype)
    if not leaves:
        raise NotStatic
    return TFloat32 if TFloat32 in leaves else min(leaves, key=lambda leaf: leaf.enum)


def _built(build: Callable[..., Any], inputs: _Inputs) -> _Result:
    """The result shapes of `build`, or its error; `NotStatic` if the error depends on unknown sizes.

    A loss checks whether the last dimension is 1. An error with an unknown size therefore counts only if size 1 is an
    error, too.
    """
    result = _shapes(build, inputs)
    if isinstance(result, TypegradError):
        if any(shape.dims is None for _, _, shape in inputs):
            raise NotStatic
        if not isinstance(_shapes(build, _with_ones(inputs)), TypegradError):
            raise NotStatic
    return result


def _with_ones(inputs: _Inputs) -> _Inputs:
    return tuple(
        (name, leaf, Shape(tuple(1 if dim is None else dim for dim in shape.known()))) for name, leaf, shape in inputs
    )


def _shapes(build: Callable[..., Any], inputs: _Inputs) -> _Result:
    from typegrad.graph.graph import Graph
    from typegrad.graph.scope import Scope
    from typegrad.op.core import Placeholder

    scope = Scope(Graph())
    placeholders = {name: Placeholder.create(scope.with_name(name), leaf, shape=shape) for name, leaf, shape in inputs}
    # Any other failure of the function is not reported: it is not an error of the program.
    with suppress(Exception):
        try:
            made = build(scope, **placeholders)
        except TypegradError as error:
            return error
        return (made.shape,) if isinstance(made, Operand) else tuple(each.shape for each in made)
    raise NotStatic
