"""What follows from the operands and the attributes of an operation: its type attributes, shapes and static values.

It is kept, because graphs have the same operation on the same shapes again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Shape
from typegrad.base.types import TIntegral, TType, conversion, conversion_to_agree
from typegrad.graph.attributes import check_counts
from typegrad.graph.conversion import not_allowed
from typegrad.graph.definition import InputDef, OpDef
from typegrad.graph.operand import AnyOutput, Known, Output
from typegrad.graph.operator_table import instead, otherwise
from typegrad.shapes.view import OpView, Value

__all__ = ["Inferred", "inferred"]


class Inferred(NamedTuple):
    """What follows."""

    attrs: Mapping[str, Any]
    """The attributes, with the element types and list lengths that the operands fix; read-only."""
    outputs: tuple[tuple[Known, Shape], ...]
    """What is known of each output."""


def inferred(
    definition: OpDef, groups: Sequence[AnyOutput | tuple[AnyOutput, ...]], attrs: Mapping[str, Any]
) -> Inferred:
    """Infer what follows from operands, a group for each input, and from attributes that are checked.

    Raises:
        DTypeError: The types of the operands do not fit.
        ShapeError: Their shapes or values do not fit.
        AttributeValueError: There would be too many outputs.
    """
    known = tuple([each.known if type(each) is Output else tuple([item.known for item in each]) for each in groups])
    infer = _infer if definition.has_exact_attrs else _infer.__wrapped__
    return infer(definition, known, tuple(attrs.items()))


@lru_cache(maxsize=4096)
def _infer(
    definition: OpDef, known: tuple[Known | tuple[Known, ...], ...], items: tuple[tuple[str, Any], ...]
) -> Inferred:
    attrs = dict(items)
    shapes: dict[str, Shape | tuple[Shape, ...]] = {}
    values: dict[str, Value] = {}
    for input_def, group in zip(definition.inputs, known, strict=True):
        operands = cast("tuple[Known, ...]", (group,) if input_def.kind == "one" else group)
        _infer_types(definition, input_def, [dtype for dtype, _, _ in operands], attrs)
        if input_def.kind == "one":
            ((_, dims, value),) = operands
            shapes[input_def.name] = Shape(dims)
            if value is not None:
                values[input_def.name] = value
        else:
            shapes[input_def.name] = tuple(Shape(dims) for _, dims, _ in operands)
            values[input_def.name] = tuple(value for _, _, value in operands)
    if definition.counts:
        check_counts(definition, attrs)
    view = OpView(shapes, values, attrs)
    return Inferred(MappingProxyType(attrs), _outputs(definition, view))


def _outputs(definition: OpDef, view: OpView) -> tuple[tuple[Known, Shape], ...]:
    shapes = definition.infer_shapes(view)
    values = definition.infer_values(view) or (None,) * len(shapes)
    dtypes: list[type[TType]] = []
    for output_def in definition.outputs:
        dtype = view.attr(output_def.type) if isinstance(output_def.type, str) else output_def.type
        count = view.attr(output_def.count) if output_def.count else 1
        dtypes.extend(dtype if isinstance(dtype, tuple) else (dtype,) * count)
    return tuple(
        ((dtype, shape.dims, value), shape) for dtype, shape, value in zip(dtypes, shapes, values, strict=True)
    )


def _infer_types(definition: OpDef, input_def: InputDef, dtypes: Sequence[type[TType]], attrs: dict[str, Any]) -> None:
    """Check the types of an input's operands and write the type attributes that they fix into `attrs`."""
    if input_def.kind == "mixed":
        assert isinstance(input_def.type, str)
        attrs[input_def.type] = tuple(dtypes)
        return
    if input_def.kind == "many":
        attrs["N"] = len(dtypes)
        if not dtypes:
            raise ShapeError(f"input `{input_def.name}` is an empty list; it takes at least one operand")
    for dtype in dtypes:
        if not isinstance(input_def.type, str):
            if dtype is not input_def.type:
                remedy = instead(definition, [dtype], input_def.name) or conversion("it", [input_def.type], [dtype])
                raise DTypeError(
                    f"input `{input_def.name}` must be {input_def.type.name}, but is {dtype.name}; {remedy}"
                )
            continue
        known = attrs.get(input_def.type)
        if known is None:
            if dtype not in definition.types[input_def.type]:
                raise not_allowed(definition, input_def, dtype)
            attrs[input_def.type] = dtype
        elif known is not dtype:
            raise DTypeError(_disagreement(definition, input_def, dtype, known))


def _disagreement(definition: OpDef, input_def: InputDef, dtype: type[TType], known: type[TType]) -> str:
    remedy = conversion_to_agree((known, dtype))
    first = next((other.name for other in definition.inputs if other.type == input_def.type), input_def.name)
    if first == input_def.name and input_def.kind == "many":
        return f"input `{input_def.name}` holds {known.name} and {dtype.name}; {remedy}"
    if first == input_def.name:
        remedy = conversion("it", [known], [dtype])
        return f"input `{input_def.name}` is {dtype.name}, but {known.name} is requested; {remedy}"
    remedy += otherwise(definition, input_def.name) if issubclass(dtype, TIntegral) else ""
    return f"input `{first}` is {known.name}, but `{input_def.name}` is {dtype.name}; {remedy}"
