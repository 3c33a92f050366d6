"""Adding one operation to a graph: convert the inputs, infer the types, check the attributes, infer the shapes."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from typegrad.base.brief import brief, described, is_text, shortened
from typegrad.base.errors import AttributeValueError, DTypeError, GraphError, ShapeError, TypegradError
from typegrad.base.location import caller, show
from typegrad.base.shape import as_shape
from typegrad.base.types import TType, as_element_type
from typegrad.graph.conversion import make_constants
from typegrad.graph.definition import AttrDef, InputDef, OpDef
from typegrad.graph.explain import input_lines, origin
from typegrad.graph.operand import Output
from typegrad.graph.operation import Operation
from typegrad.graph.tensors import as_tensor
from typegrad.graph.wrapper import OperandOp
from typegrad.shapes.view import OpView

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["add_operation", "check_minimum"]

_Output: TypeAlias = Output[Any, Any]
_Group: TypeAlias = "_Output | tuple[_Output, ...]"

_INT64: Final = range(-(2**63), 2**63)
_MOST_OUTPUTS: Final = 2**16


def add_operation(
    scope: Scope, proposed_name: str, definition: OpDef, inputs: Sequence[Any], attrs: dict[str, Any]
) -> Operation:
    """Check everything about one operation, then add it to the scope's graph."""
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
        shapes = definition.shape_function(view, *definition.shape_args)
        value = None if definition.value_function is None else definition.value_function(view)
    except TypegradError as error:
        place, lines = f"'{shortened(proposed_name, 100)}' ({show(caller())})", _input_lines(definition, groups)
        graph.withdraw(before)
        raise type(error)(f"{definition.name} {place}: {error}{lines}") from None
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
        caller(),
        shapes,
        value,
    )
    graph.append(
        operation,
        is_initializer=scope.is_init and definition.effect == "write",
        is_gradient=scope.is_gradient,
    )
    return operation


# Inputs


def _take_inputs(scope: Scope, definition: OpDef, inputs: Sequence[Any], groups: list[Any]) -> bool:
    """Put each input into `groups`, as an output if it is an operand; whether some are values, or were left out."""
    has_values = False
    for spec, given in zip(definition.inputs, inputs, strict=True):
        if spec.kind == "one":
            group = _output(scope, spec, given)
            if type(group) is not Output:
                has_values = True
        else:
            group = tuple([_output(scope, spec, item) for item in _items(spec, given)])
            has_values = has_values or any(type(item) is not Output for item in group)
        groups.append(group)
    return has_values


def _items(spec: InputDef, given: Any) -> Sequence[Any]:
    if hasattr(type(given), "as_output") or isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise DTypeError(f"input `{spec.name}` takes a list of operands, not {described(given)}")
    return given


def _output(scope: Scope, spec: InputDef, given: Any) -> Any:
    """The output that an operand stands for; anything else as it is."""
    if isinstance(given, OperandOp):
        given = given.op.outputs[0]
    elif type(given) is not Output:
        if not hasattr(type(given), "as_output"):
            return _value(spec, given)
        given = given.output_in(scope) if given.graph is scope.graph else given.as_output()
    if given._op.graph is not scope.graph:
        raise GraphError(
            f"input `{spec.name}` is {origin(given)}, which belongs to another graph; build both on one graph"
        )
    return given


def _value(spec: InputDef, given: Any) -> Any:
    """What may become a constant; an operation without exactly one output is a mistake."""
    if hasattr(given, "op") or isinstance(given, Operation):
        raise DTypeError(
            f"input `{spec.name}` must be an operand or a value, not {described(given)}; take one of the operation's outputs"
        )
    return given


# Types


def _infer_types(definition: OpDef, groups: Sequence[_Group], attrs: dict[str, Any]) -> None:
    """Check each input's type and write the type attributes that the inputs fix into `attrs`."""
    for spec, group in zip(definition.inputs, groups, strict=True):
        if spec.kind == "mixed":
            assert isinstance(spec.type, str) and isinstance(group, tuple)
            attrs[spec.type] = tuple(output._dtype for output in group)
            continue
        if spec.kind == "many":
            assert isinstance(group, tuple)
            attrs["N"] = len(group)
            if not group:
                raise ShapeError(f"input `{spec.name}` is an empty list; it takes at least one operand")
        for output in group if isinstance(group, tuple) else (group,):
            dtype = output._dtype
            if not isinstance(spec.type, str):
                if dtype is not spec.type:
                    raise DTypeError(
                        f"input `{spec.name}` must be {spec.type.name}, but is {dtype.name}; cast it with dtypes.Cast"
                    )
                continue
            known = attrs.get(spec.type)
            if known is None:
                if dtype not in definition.types[spec.type]:
                    raise DTypeError(
                        f"input `{spec.name}` is {dtype.name}; allowed are {_names(definition, spec.type)}"
                    )
                attrs[spec.type] = dtype
            elif known is not dtype:
                raise DTypeError(_disagreement(definition, spec, dtype, known))


def _disagreement(definition: OpDef, spec: InputDef, dtype: type[TType], known: type[TType]) -> str:
    first = next((other.name for other in definition.inputs if other.type == spec.type), spec.name)
    if first == spec.name:
        return f"input `{spec.name}` is {dtype.name}, but {known.name} is asked for; cast it with dtypes.Cast"
    return f"input `{first}` is {known.name}, but `{spec.name}` is {dtype.name}; cast one with dtypes.Cast"


def _names(definition: OpDef, attribute: str) -> str:
    return ", ".join(leaf.name for leaf in sorted(definition.types[attribute], key=lambda leaf: leaf.enum))


# Attributes


def _check_attributes(definition: OpDef, given: dict[str, Any]) -> dict[str, Any]:
    """The attributes in their canonical form: a `Shape` for a shape, a tuple for a list, an array for a tensor."""
    checked: dict[str, Any] = {}
    for spec in definition.attrs:
        if spec.kind == "tensor":
            tensor, dtype = _named(spec, as_tensor, given[spec.name], given.get("dtype"))
            checked[spec.name], checked["dtype"] = tensor, dtype
        else:
            checked[spec.name] = _check_attribute(spec, given[spec.name])
    for name, allowed in definition.types.items():
        if name in given and name not in checked:
            leaf = as_element_type(given[name], name)
            if leaf not in allowed:
                raise DTypeError(f"attribute `{name}` is {leaf.name}; allowed are {_names(definition, name)}")
            checked[name] = leaf
    return checked


def _check_attribute(spec: AttrDef, value: Any) -> Any:
    if spec.kind.startswith("list("):
        kind = spec.kind[5:-1]
        if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
            raise AttributeValueError(f"attribute `{spec.name}` must be a list of {kind}, but is {brief(value)}")
        check_minimum(spec, value)
        return tuple(_check_scalar(spec, kind, element) for element in value)
    value = _check_scalar(spec, spec.kind, value)
    check_minimum(spec, value)
    return value


def check_minimum(spec: AttrDef, value: Any) -> None:
    """Refuse a number that is too small, or a list that is too short. The mypy plugin asks this, too."""
    if spec.minimum is None:
        return
    if spec.kind.startswith("list("):
        if len(value) < spec.minimum:
            raise AttributeValueError(
                f"attribute `{spec.name}` must have at least {spec.minimum} elements, but has {len(value)}"
            )
    elif value < spec.minimum:
        raise AttributeValueError(f"attribute `{spec.name}` must be at least {spec.minimum}, but is {brief(value)}")


def _check_scalar(spec: AttrDef, kind: str, value: Any) -> Any:
    if kind == "bool":
        if isinstance(value, bool):
            return value
    elif kind == "int":
        if not isinstance(value, bool):
            with suppress(TypeError):  # an array may have __index__ and refuse it
                return _in_range(spec, operator.index(value))
    elif kind == "float":
        if not isinstance(value, bool) and isinstance(value, (int, float)):
            with suppress(OverflowError):
                return float(value)
    elif kind == "string":
        if is_text(value):
            if spec.allowed and value not in spec.allowed:
                choices = ", ".join(map(repr, spec.allowed))
                raise AttributeValueError(f"attribute `{spec.name}` is {brief(value)}; allowed are {choices}")
            return value
    elif kind == "shape":
        return _named(spec, as_shape, value)
    raise AttributeValueError(f"attribute `{spec.name}` must be of type {kind}, but is {brief(value)}")


def _named(spec: AttrDef, convert: Callable[..., Any], *value: Any) -> Any:
    """A converted value; an error says which attribute it is about."""
    try:
        return convert(*value)
    except TypegradError as error:
        raise type(error)(f"attribute `{spec.name}`: {error}") from None


def _in_range(spec: AttrDef, value: int) -> int:
    if value not in _INT64:
        raise AttributeValueError(f"attribute `{spec.name}` must be an integer of 64 bits, but is {brief(value)}")
    return value


def _check_counts(definition: OpDef, attrs: dict[str, Any]) -> None:
    """Refuse to make more outputs than any graph could use."""
    for name in definition.counts:
        if isinstance(attrs[name], int) and attrs[name] > _MOST_OUTPUTS:
            raise AttributeValueError(
                f"attribute `{name}` is {attrs[name]}, but an operation has at most {_MOST_OUTPUTS} outputs"
            )


def _add_seeds(attrs: dict[str, Any], seed: int, name: str) -> None:
    """Where an operation has no seeds of its own, add the scope's seed, and another that is derived from the name."""
    if attrs["seed"] == attrs["seed2"] == 0:
        digest = hashlib.blake2b(name.encode(), digest_size=8).digest()
        attrs["seed"], attrs["seed2"] = seed, int.from_bytes(digest, "little") >> 1 or 1


# Shapes


def _view(definition: OpDef, groups: Sequence[_Group], attrs: dict[str, Any]) -> OpView:
    shapes: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for spec, group in zip(definition.inputs, groups, strict=True):
        if isinstance(group, tuple):
            shapes[spec.name] = tuple(output._shape for output in group)
            values[spec.name] = tuple(output._value for output in group)
        else:
            shapes[spec.name] = group._shape
            if group._value is not None:
                values[spec.name] = group._value
    return OpView(shapes, values, attrs)


def _flatten(definition: OpDef, groups: Sequence[_Group]) -> tuple[tuple[_Output, ...], tuple[int, ...] | None]:
    flat: list[_Output] = []
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
    named: list[tuple[str, _Output, None]] = []
    for spec, group in zip(definition.inputs, groups, strict=False):
        if isinstance(group, Output):
            named.append((spec.name, group, None))
        elif spec.kind != "one":
            named.extend((f"{spec.name}[{i}]", output, None) for i, output in enumerate(group))
    return input_lines(each for each in named if type(each[1]) is Output)
