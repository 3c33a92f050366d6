"""Calls that make operations: `create`, the methods of the facade. Types of the results, and errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, ProperType, Type, TypeOfAny, get_proper_type

from typegrad.errors import DTypeError, ShapeError, TypegradError
from typegrad.mypy_plugin.assignments import assigned
from typegrad.mypy_plugin.calls import Call, arguments
from typegrad.mypy_plugin.dims import StaticShape, shape_type, united
from typegrad.mypy_plugin.dtypes import find_problem
from typegrad.mypy_plugin.errors import ATTRIBUTE, DTYPE, SHAPE, report
from typegrad.mypy_plugin.registry import definition_of
from typegrad.opdef import OpDef
from typegrad.shape import UNKNOWN, Shape

__all__ = ["finish", "operation_hook"]


def operation_hook(ctx: MethodContext) -> Type:
    """The type of the operation that a call makes, with its static shapes."""
    definition = definition_of(ctx.api, ctx.default_return_type)
    if definition is None:
        return ctx.default_return_type
    call = Call(definition, ctx.api)
    call.take(arguments(ctx))
    return finish(call, ctx, get_proper_type(ctx.default_return_type))


def finish(call: Call, ctx: MethodContext, result: ProperType) -> Type:
    """Check an operation whose arguments were read; report what is wrong, and fill in the shapes in the type of the result."""
    definition = call.definition.op
    problem = find_problem(definition, call.held)
    found = _inferred(call)
    if problem:
        report(ctx.api, DTYPE, f"{definition.class_name}: {problem}", ctx.context)
    elif isinstance(found, TypegradError):
        code = SHAPE if isinstance(found, ShapeError) else DTYPE if isinstance(found, DTypeError) else ATTRIBUTE
        report(ctx.api, code, f"{definition.class_name}: {found}", ctx.context)
    shapes = found if isinstance(found, tuple) else ()
    return assigned(ctx, _result(call, result, shapes))


def _inferred(call: Call) -> tuple[Shape, ...] | TypegradError:
    """The shapes of all outputs, by the function that the runtime uses; none if too little is known."""
    definition = call.definition.op
    # A shape function that cannot cope with what is known before the run says nothing, however it fails.
    with suppress(Exception):
        view = call.view()
        try:
            found = definition.shape_function(view, *definition.shape_args)
        except TypegradError as error:
            return error
        return (found,) if isinstance(found, Shape) else tuple(found)
    return ()


def _result(call: Call, result: ProperType, shapes: tuple[Shape, ...]) -> Type:
    """The wrapper class with its element types and shapes filled in."""
    if not isinstance(result, Instance):
        return result
    definition = call.definition.op
    args = list(result.args)
    places = _shape_places(definition, shapes)
    names = [name for name in definition.types if any(output.type == name for output in definition.outputs)]
    types = [name for name in names if not _is_mixed(definition, name)]
    if len(args) != len(types) + len(_shaped_outputs(definition)):
        return result
    fixed = {spec.type for spec in definition.inputs}
    for position, name in enumerate(types):
        if name in fixed:
            args[position] = _element_type(call, name, args[position])
    for position, shape in enumerate(places, start=len(types)):
        found = shape_type(call.api, shape, is_gradual=call.is_gradual)
        if found is not None:
            args[position] = found
    return result.copy_modified(args=args)


def _is_mixed(definition: OpDef, name: str) -> bool:
    return any(spec.kind == "mixed" and spec.type == name for spec in definition.inputs)


def _element_type(call: Call, name: str, default: Type) -> Type:
    """The element type that the inputs fix; the default where Python integers stand for all of them."""
    held = [each.dtype for each in call.held if each.spec == name]
    known = [each for each in held if not isinstance(get_proper_type(each), AnyType)]
    if held:
        return known[0] if known else AnyType(TypeOfAny.special_form)
    return default


def _shaped_outputs(definition: OpDef) -> list[int]:
    """The outputs whose shape is a parameter of the wrapper class."""
    return [
        position
        for position, output in enumerate(definition.outputs)
        if not (isinstance(output.type, str) and _is_mixed(definition, output.type))
    ]


def _shape_places(definition: OpDef, shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """For each output with a shape parameter its shape; what the shapes have in common for a list of outputs."""
    lists = [position for position, output in enumerate(definition.outputs) if output.count]
    singles = len(definition.outputs) - len(lists)
    if not shapes or len(lists) > 1:
        return
    length = len(shapes) - singles
    start = 0
    for position, output in enumerate(definition.outputs):
        count = length if output.count else 1
        group = shapes[start : start + count]
        start += count
        if position in _shaped_outputs(definition):
            yield united([StaticShape(shape) for shape in group]).shape if group else UNKNOWN
