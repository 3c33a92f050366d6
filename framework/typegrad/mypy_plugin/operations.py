"""Calls that make operations: `create`, the methods of the facade. Types of the results, and errors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from mypy.plugin import MethodContext
from mypy.types import Instance, Type, get_proper_type

from typegrad.errors import DTypeError, ShapeError
from typegrad.mypy_plugin.calls import Call, arguments
from typegrad.mypy_plugin.dtypes import find_problem
from typegrad.mypy_plugin.errors import DTYPE, SHAPE, report
from typegrad.mypy_plugin.literals import NotStatic
from typegrad.mypy_plugin.registry import definition_of
from typegrad.shape import Shape

__all__ = ["finish", "operation_hook"]


def operation_hook(ctx: MethodContext) -> Type:
    """The type of the operation that a call makes, with its static shapes."""
    definition = definition_of(ctx.api, ctx.default_return_type)
    if definition is None:
        return ctx.default_return_type
    call = Call(definition, ctx.api)
    with suppress(NotStatic):
        call.take(arguments(ctx))
    return finish(call, ctx)


def finish(call: Call, ctx: MethodContext) -> Type:
    """Check an operation whose arguments were read; report what is wrong, and give the type of the result."""
    definition = call.definition.op
    problem = find_problem(definition, call.held)
    if problem:
        report(ctx.api, DTYPE, f"{definition.class_name}: {problem}", ctx.context)
    shapes: tuple[Shape, ...] = ()
    try:
        shapes = _inferred(call)
    except ShapeError as error:
        if not problem:
            report(ctx.api, SHAPE, f"{definition.class_name}: {error}", ctx.context)
    except DTypeError as error:
        if not problem:
            report(ctx.api, DTYPE, f"{definition.class_name}: {error}", ctx.context)
    return _result(call, ctx, shapes)


def _inferred(call: Call) -> tuple[Shape, ...]:
    """The shapes of all outputs, by the function that the runtime uses; none if too little is known."""
    definition = call.definition.op
    found: Any = ()
    # A shape function that cannot cope with what is known before the run (or fails for any other reason) says nothing.
    with suppress(NotStatic):
        view = call.view()
        try:
            found = definition.shape_function(view, *definition.shape_args)
        except (ShapeError, DTypeError):
            raise
        except Exception as error:
            raise NotStatic from error
    return (found,) if isinstance(found, Shape) else tuple(found)


def _result(call: Call, ctx: MethodContext, shapes: tuple[Shape, ...]) -> Type:
    """The wrapper class with its element types and shapes filled in."""
    result = get_proper_type(ctx.default_return_type)
    if not isinstance(result, Instance):
        return result
    definition = call.definition.op
    names = [name for name in definition.types if any(output.type == name for output in definition.outputs)]
    return result
