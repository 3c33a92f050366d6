"""Adding one operation to a graph: convert the inputs, infer the types, check the attributes, infer the shapes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from typegrad.base.brief import described, shortened
from typegrad.base.errors import DTypeError, GraphError, ShapeError, TypegradError
from typegrad.base.location import Place, show
from typegrad.base.shape import Shape
from typegrad.base.types import TType, conversion, conversion_to_agree
from typegrad.graph.attributes import check_attributes, check_counts
from typegrad.graph.conversion import make_constants, not_allowed
from typegrad.graph.definition import InputDef, OpDef
from typegrad.graph.explain import input_lines, origin
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.operand_like import is_operand
from typegrad.graph.operation import Operation
from typegrad.graph.wrapper import Op, OperandOp, outputs_of
from typegrad.shapes.view import OpView, Value

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["add_operation"]

_Group: TypeAlias = "AnyOutput | tuple[AnyOutput, ...]"


def add_operation(
    scope: Scope, proposed_name: str, place: Place, definition: OpDef, inputs: Sequence[object], attrs: dict[str, Any]
) -> Operation:
    """Check everything about one operation, then add it to the scope's graph. `place` is the user's call."""
    graph = scope.graph
    before = len(graph)
    groups: list[Any] = []
    try:
        has_values = _take_inputs(scope, definition, inputs, groups)
        checked = check_attributes(definition, attrs)
        if has_values:
            make_constants(scope, definition, groups, checked)
        _infer_types(definition, groups, checked)
        if definition.counts:
            check_counts(definition, checked)
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
