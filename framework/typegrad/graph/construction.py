"""Adding one operation to a graph: convert the inputs, infer the types, check the attributes, infer the shapes."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from typegrad.base.brief import brief, described, is_text, shortened
from typegrad.base.errors import AttributeValueError, DTypeError, GraphError, ShapeError, TypegradError
from typegrad.base.location import Place, show
from typegrad.base.shape import Shape, as_shape
from typegrad.base.types import TType, allowed_names, as_element_type, conversion, conversion_to_agree
from typegrad.graph.conversion import make_constants, not_allowed
from typegrad.graph.definition import AttrDef, InputDef, OpDef
from typegrad.graph.explain import input_lines, origin
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.operand_like import is_operand
from typegrad.graph.operation import Operation
from typegrad.graph.tensors import as_tensor
from typegrad.graph.wrapper import Op, OperandOp, outputs_of
from typegrad.shapes.view import OpView, Value

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["add_operation", "check_minimum"]

_Group: TypeAlias = "AnyOutput | tuple[AnyOutput, ...]"

_INT64: Final = range(-(2**63), 2**63)
_MOST: Final = 2**20
"""A list from a range has fewer elements: a larger one would take all memory."""
_MOST_OUTPUTS: Final = 2**16


def add_operation(
    scope: Scope, proposed_name: str, place: Place, definition: OpDef, inputs: Sequence[object], attrs: dict[str, Any]
) -> Operation:
    """Check everything about one operation, then add it to the scope's graph. `place` is the user's call."""
    graph = scope.graph
    before = len(graph)
    groups: list[Any] = []
    try:
        has_values = _take_inputs(scope, definition, inputs, groups)
        checked = _check_attributes(definition, attrs)
        if has_values:
            make_constants(scope, definition, groups, checked)
        _infer_types(definition, groups, checked)
        if definition.counts:
            _check_counts(definition, checked)
        view = _view(definition, groups, checked)
        shapes = definition.infer_shapes(view)
        values = definition.infer_values(view) if definition.value else None
    except TypegradError as error:
        node, lines = f"'{shortened(proposed_name, 100)}' ({show(place)})", _input_lines(definition, groups)
        graph.withdraw(before)
        raise type(error)(f"{definition.name} {node}: {error}{lines}") from error.__cause__
    name = graph.unique_name(proposed_name)
    if scope.seed is not None and definition.effect == "random":
        _add_seeds(checked, scope.seed, name)
    flat, counts = _flatten(definition, groups)
    operation = Operation(
        graph,
        definition,
        name,
        flat,
        counts,
        checked,
        scope.control_inputs,
        scope.device,
        place,
        shapes,
        values,
    )
    graph.append(
        operation,
        is_initializer=scope.is_init and definition.effect == "write",
        is_gradient=scope.is_gradient,
    )
    return operation


# Inputs


def _take_inputs(scope: Scope, definition: OpDef, inputs: Sequence[object], groups: list[Any]) -> bool:
    """Append each input to `groups`, operands as outputs; return whether any is a value or missing."""
    has_values = False
    for input_def, argument in zip(definition.inputs, inputs, strict=True):
        if input_def.kind == "one":
            group = _output(scope, input_def, argument)
            if type(group) is not Output:
                has_values = True
        else:
            group = tuple([_output(scope, input_def, item) for item in _items(input_def, argument)])
            has_values = has_values or any(type(item) is not Output for item in group)
        groups.append(group)
    return has_values


def _items(input_def: InputDef, argument: object) -> Sequence[object]:
    if is_operand(argument) or isinstance(argument, (str, bytes)) or not isinstance(argument, Sequence):
        raise DTypeError(f"input `{input_def.name}` takes a list of operands, not {described(argument)}")
    return argument


def _output(scope: Scope, input_def: InputDef, argument: Any) -> Any:
    """Convert an operand to its output; return anything else unchanged."""
    if isinstance(argument, OperandOp):
        argument = argument.op.outputs[0]
    elif type(argument) is not Output:
        if not is_operand(argument):
            return _value(input_def, argument)
        if argument.graph is not scope.graph:
            raise _foreign(input_def, argument)
        argument = argument.output_in(scope)
    if argument.op.graph is not scope.graph:
        raise _foreign(input_def, argument)
    return argument


def _foreign(input_def: InputDef, argument: AnyOperand) -> GraphError:
    return GraphError(
        f"input `{input_def.name}` is {origin(argument)}, which belongs to another graph; build both on one graph"
    )


def _value(input_def: InputDef, argument: object) -> object:
    """Return a value that may become a constant; refuse an operation that does not have exactly one output."""
    if isinstance(argument, Op | Operation):
        raise DTypeError(
            f"input `{input_def.name}` must be an operand or a value, not {described(argument)}; {outputs_of(argument)}"
        )
    return argument


# Types


def _infer_types(definition: OpDef, groups: Sequence[_Group], attrs: dict[str, Any]) -> None:
    """Check each input's type and write the type attributes that the inputs fix into `attrs`."""
    for input_def, group in zip(definition.inputs, groups, strict=True):
        if input_def.kind == "mixed":
            assert isinstance(input_def.type, str) and isinstance(group, tuple)
            attrs[input_def.type] = tuple(output.dtype for output in group)
            continue
        if input_def.kind == "many":
            assert isinstance(group, tuple)
            attrs["N"] = len(group)
            if not group:
                raise ShapeError(f"input `{input_def.name}` is an empty list; it takes at least one operand")
        for output in group if isinstance(group, tuple) else (group,):
            dtype = output.dtype
            if not isinstance(input_def.type, str):
                if dtype is not input_def.type:
                    raise DTypeError(
                        f"input `{input_def.name}` must be {input_def.type.name}, but is {dtype.name}; "
                        f"{conversion('it', [input_def.type])}"
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
        remedy = conversion("it", [known])
        return f"input `{input_def.name}` is {dtype.name}, but {known.name} is requested; {remedy}"
    return f"input `{first}` is {known.name}, but `{input_def.name}` is {dtype.name}; {remedy}"


# Attributes


def _check_attributes(definition: OpDef, attrs: dict[str, Any]) -> dict[str, Any]:
    """Convert the attributes: a shape to a `Shape`, a list to a tuple, a tensor to an array."""
    checked: dict[str, Any] = {}
    for attr_def in definition.attrs:
        if attr_def.kind == "tensor":
            tensor, dtype = _named(attr_def, as_tensor, attrs[attr_def.name], attrs.get("dtype"))
            checked[attr_def.name], checked["dtype"] = tensor, dtype
        else:
            checked[attr_def.name] = _check_attribute(definition, attr_def, attrs[attr_def.name])
    for name, allowed in definition.types.items():
        if name in attrs and name not in checked:
            leaf = as_element_type(attrs[name], name)
            if leaf not in allowed:
                raise DTypeError(f"attribute `{name}` is {leaf.name}, but must be {allowed_names(allowed)}")
            checked[name] = leaf
    return checked


def _check_attribute(definition: OpDef, attr_def: AttrDef, value: Any) -> Any:
    if attr_def.kind.startswith("list("):
        kind = attr_def.kind[5:-1]
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            is_one = isinstance(value, int) and attr_def.minimum in (0, 1)
            hint = f"; write {brief([value])}" if is_one else f". {definition.doc_of(attr_def.name)}"
            raise AttributeValueError(
                f"attribute `{attr_def.name}` must be a list of {kind}, but is {brief(value)}{hint}".rstrip(" .")
            )
        if isinstance(value, range) and len(value[:_MOST]) == _MOST:
            raise AttributeValueError(
                f"attribute `{attr_def.name}` must have fewer than {_MOST} elements, but is {brief(value)}"
            )
        check_minimum(attr_def, value)
        return tuple(_check_scalar(attr_def, kind, element) for element in value)
    value = _check_scalar(attr_def, attr_def.kind, value)
    check_minimum(attr_def, value)
    return value


def check_minimum(attr_def: AttrDef, value: Any) -> None:
    """Refuse a number that is too small, or a list that is too short. The mypy plugin asks this, too."""
    if attr_def.minimum is None:
        return
    if attr_def.kind.startswith("list("):
        if len(value) < attr_def.minimum:
            raise AttributeValueError(
                f"attribute `{attr_def.name}` must have at least {attr_def.minimum} elements, but has {len(value)}"
            )
    elif value < attr_def.minimum:
        raise AttributeValueError(
            f"attribute `{attr_def.name}` must be at least {attr_def.minimum}, but is {brief(value)}"
        )


def _check_scalar(attr_def: AttrDef, kind: str, value: Any) -> Any:
    if kind == "bool":
        if isinstance(value, bool):
            return value
    elif kind == "int":
        if not isinstance(value, bool):
            with suppress(TypeError):  # an array may have __index__ and refuse it
                return _in_range(attr_def, operator.index(value))
    elif kind == "float":
        if not isinstance(value, bool) and isinstance(value, (int, float)):
            with suppress(OverflowError):
                return float(value)
    elif kind == "string":
        if is_text(value):
            if attr_def.allowed and value not in attr_def.allowed:
                choices = ", ".join(map(repr, attr_def.allowed))
                raise AttributeValueError(f"attribute `{attr_def.name}` is {brief(value)}; allowed are {choices}")
            return value
    elif kind == "shape":
        return _named(attr_def, as_shape, value)
    raise AttributeValueError(f"attribute `{attr_def.name}` must be of type {kind}, but is {brief(value)}")


def _named(attr_def: AttrDef, convert: Callable[..., object], *value: Any) -> Any:
    """Convert a value; an error names the attribute."""
    try:
        return convert(*value)
    except TypegradError as error:
        raise type(error)(f"attribute `{attr_def.name}`: {error}") from error.__cause__


def _in_range(attr_def: AttrDef, value: int) -> int:
    if value not in _INT64:
        raise AttributeValueError(f"attribute `{attr_def.name}` must be an integer of 64 bits, but is {brief(value)}")
    return value


def _check_counts(definition: OpDef, attrs: dict[str, Any]) -> None:
    """Refuse to make more outputs than any graph could use."""
    for name in definition.counts:
        if isinstance(attrs[name], int) and attrs[name] > _MOST_OUTPUTS:
            raise AttributeValueError(
                f"attribute `{name}` is {attrs[name]}, but an operation has at most {_MOST_OUTPUTS} outputs"
            )


def _add_seeds(attrs: dict[str, Any], seed: int, name: str) -> None:
    """Where an operation's seeds are not set, add the scope's seed, and another that is derived from the name."""
    if "seed" in attrs and attrs["seed"] == attrs["seed2"] == 0:
        digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
        attrs["seed"], attrs["seed2"] = seed, int.from_bytes(digest, "little") >> 1 or 1


# Shapes


def _view(definition: OpDef, groups: Sequence[_Group], attrs: dict[str, Any]) -> OpView:
    shapes: dict[str, Shape | tuple[Shape, ...]] = {}
    values: dict[str, Value] = {}
    for input_def, group in zip(definition.inputs, groups, strict=True):
        if isinstance(group, tuple):
            shapes[input_def.name] = tuple(output.shape for output in group)
            values[input_def.name] = tuple(output.static_value for output in group)
        else:
            shapes[input_def.name] = group.shape
            if group.static_value is not None:
                values[input_def.name] = group.static_value
    return OpView(shapes, values, attrs)


def _flatten(definition: OpDef, groups: Sequence[_Group]) -> tuple[tuple[AnyOutput, ...], tuple[int, ...] | None]:
    flat: list[AnyOutput] = []
    for group in groups:
        if isinstance(group, tuple):
            flat.extend(group)
        else:
            flat.append(group)
    if not definition.has_list_inputs:
        return tuple(flat), None
    return tuple(flat), tuple(len(group) if isinstance(group, tuple) else 1 for group in groups)


# Errors


def _input_lines(definition: OpDef, groups: Sequence[_Group]) -> str:
    """A line for each input that is an operand."""
    named: list[tuple[str, AnyOutput, None]] = []
    for input_def, group in zip(definition.inputs, groups, strict=False):
        if isinstance(group, Output):
            named.append((input_def.name, group, None))
        elif input_def.kind != "one":
            named.extend((f"{input_def.name}[{i}]", output, None) for i, output in enumerate(group))
    return input_lines(each for each in named if type(each[1]) is Output)
