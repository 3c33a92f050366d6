"""The type of an operation: its wrapper class with element types and shapes filled in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.types import (
    AnyType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.base.shape import UNKNOWN, Shape
from typegrad.mypy_plugin.base.dims import shape_type, united_shapes
from typegrad.mypy_plugin.base.dtypes import leaves_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.registry import Definition
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.types.declared import forms
from typegrad.mypy_plugin.types.open_shapes import in_generic_shape
from typegrad.mypy_plugin.types.symbols import any_tuple, class_info, element_type

__all__ = ["result_type", "unknown_type"]


def result_type(call: Call, result: ProperType, shapes: tuple[Shape, ...]) -> Type:
    """`result` with the known element types and shapes; `shapes` has an item for each output, or is empty."""
    definition = call.definition
    names = definition.output_types
    if not isinstance(result, Instance) or len(result.args) != len(names) + len(definition.shaped_outputs):
        return result
    args = list(result.args)
    if call.is_untyped:  # all overloads fit: mypy keeps the element type if they agree about the shape
        args[-1] = AnyType(TypeOfAny.special_form) if in_generic_shape(call.api) else any_tuple(call.api)
    for position, name in enumerate(names):
        if name in definition.fixed_types:
            args[position] = _element_type(call, name, args[position])
        elif call.element is not None and name not in call.attrs:
            args[position] = call.element
    for position, shape in enumerate(_shapes(definition, shapes), start=len(names)):
        is_open = _may_be_any(args[position]) and not _passes_shape(call)
        static = shape_type(call.api, shape, is_gradual=call.is_gradual or is_open)
        if static is not None:
            args[position] = static
    if call.ranked is not None and call.ranked.has_other_rank and isinstance(get_proper_type(args[-1]), AnyType):
        args[-1] = any_tuple(call.api)  # no S of a generic function
    return result.copy_modified(args=args)


def unknown_type(call: Call, result: ProperType, *, has_types: bool) -> Type:
    """`result` of a wrong operation, with its element types if these are right: what uses it is not wrong as well."""
    known = get_proper_type(result_type(call, result, ()) if has_types else result)
    names, shapes = call.definition.output_types, call.definition.shaped_outputs
    if not isinstance(known, Instance) or len(known.args) != len(names) + len(shapes):
        return known
    anything = AnyType(TypeOfAny.special_form)
    types = known.args[: len(names)] if has_types else [anything] * len(names)
    return known.copy_modified(args=[*types, *([any_tuple(call.api)] * len(shapes))])


_passing: Final = Memory[str, bool]()


def _passes_shape(call: Call) -> bool:
    """Whether the signature of `create` has a type variable for the result's shape, which is an input's."""
    fullname = call.definition.fullname
    if fullname not in _passing:
        symbol = class_info(call.api, fullname).names["create"]
        results = [get_proper_type(form.ret_type) for form in forms(symbol.type)]
        shapes = [get_proper_type(each.args[-1]) for each in results if isinstance(each, Instance) and each.args]
        _passing[fullname] = any(isinstance(shape, TypeVarType) and not leaves_of(shape) for shape in shapes)
    return _passing[fullname]


def _may_be_any(shape: Type) -> bool:
    """Whether mypy's own result leaves sizes open: those that are not known fit every size, as without the plugin."""
    proper = get_proper_type(shape)
    if isinstance(proper, TupleType | UnionType):
        return any(map(_may_be_any, proper.items))
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.tuple":
        return _may_be_any(proper.args[0])
    return isinstance(proper, AnyType)


def _element_type(call: Call, name: str, default: Type) -> Type:
    """The element type of a type attribute, from operands or values; `default` where it is not known."""
    dtypes = [each.dtype for each in call.input_types if each.declared == name]
    known = [each for each in dtypes if not isinstance(get_proper_type(each), AnyType)]
    if dtypes:
        return known[0] if known else AnyType(TypeOfAny.special_form)
    leaf = call.attrs.get(name)
    return default if leaf is None else element_type(call.api, leaf)


def _shapes(definition: Definition, shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """The shape of each output that has a shape parameter; for a list of outputs, what their shapes have in common."""
    outputs = definition.op.outputs
    if not shapes or not definition.shaped_outputs:
        return
    if len(shapes) == len(outputs) == 1:
        yield shapes[0]
        return
    lists = [output.count for output in outputs if output.count]
    if len(set(lists)) > 1:
        return
    start = 0
    for position, output in enumerate(outputs):
        count = (len(shapes) - len(outputs) + len(lists)) // len(lists) if output.count else 1
        group = shapes[start : start + count]
        start += count
        if position in definition.shaped_outputs:
            yield united_shapes(group) if group else UNKNOWN
