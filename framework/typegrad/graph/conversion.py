"""Values in place of operands: a number, a list or an array becomes a constant with the type of the other operands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NewType, cast

from typegrad.base.brief import described
from typegrad.base.errors import DTypeError, ShapeError, TypegradError
from typegrad.base.handle import Handle
from typegrad.base.shape import Shape
from typegrad.base.size import Name, Size
from typegrad.base.types import TInt32, TIntegral, TNumber, TResource, TType, allowed_names, conversion
from typegrad.graph import later
from typegrad.graph.definition import InputDef, OpDef, resolve
from typegrad.graph.explain import origin
from typegrad.graph.operand import AnyOutput, Output
from typegrad.graph.operand_like import is_operand
from typegrad.graph.operator_table import instead, otherwise
from typegrad.graph.tensors import WHY_NONE, common_type, is_allowed, operand_value

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["constant", "make_constants", "not_allowed"]


_IN_A_RUN: Final = "core.Shape.create(scope, x)"


def constant(scope: Scope, value: Any, dtype: type[TType] | None = None) -> AnyOutput:
    """A `Const` node that holds `value`."""
    leaf: type[Any] | None = dtype
    return later.core.Constant.create(scope, value, leaf).as_output()


def make_constants(scope: Scope, definition: OpDef, groups: list[Any], attrs: Mapping[str, Any]) -> None:
    """Replace each value in `groups`, and each missing input, by a constant.

    A value takes the type fixed by an operand, an attribute or a variable's handle; otherwise its own, as in
    `core.Constant`. The constant is named after the input. Integers among which there are operands become a `Stack`. A
    shape is sizes, and a value only where an input takes a list of them.
    """
    for position, input_def in enumerate(definition.inputs):
        if input_def.integers == "ints" and isinstance(groups[position], Shape) and groups[position].is_static:
            groups[position] = groups[position].as_ints()
        if input_def.integers in ("ints", "indices") and _holds_operand(groups[position]):
            groups[position] = _packed(scope.for_input(definition, input_def.name), input_def, groups[position])
    types, operands = _element_types(definition, groups, attrs)
    for position, input_def in enumerate(definition.inputs):
        group = groups[position]
        if group is None:
            group = _default(scope, definition, input_def, groups[:position])
        dtype, beside = (
            (types.get(input_def.type), operands.get(input_def.type, ""))
            if isinstance(input_def.type, str)
            else (input_def.type, "")
        )
        if input_def.kind == "one":
            if dtype is None and isinstance(input_def.type, str) and type(group) is not Output:
                dtype = _own_type({input_def.name: group}, definition.types[input_def.type])
            groups[position] = _constant(scope, definition, input_def.name, group, dtype, beside)
        else:
            items = cast("tuple[Any, ...]", group)
            groups[position] = tuple(
                _constant(scope, definition, _place(input_def, index), item, dtype, beside)
                for index, item in enumerate(items)
            )


def _holds_operand(value: Any, *, is_row: bool = False) -> bool:
    """Whether a value is a list with operands in it, or of such rows: `[batch, -1]`, `[[0, missing], [0, 0]]`."""
    return type(value) in (list, tuple) and any(
        type(item) is not int and (is_operand(item) or (not is_row and _holds_operand(item, is_row=True)))
        for item in value
    )


def _packed(scope: Scope, input_def: InputDef, items: Sequence[Any]) -> AnyOutput:
    """Integers and operands as one operand."""
    fraction = next((item for item in items if isinstance(item, float)), None)
    if fraction is not None:
        what = f"input `{input_def.name}` holds the float {fraction}"
        raise DTypeError(f"{what}, but must hold integers; a quotient is one with //")
    for item in filter(is_operand, items):
        what = f"input `{input_def.name}` holds {origin(item)}"
        if not issubclass(item.dtype, TIntegral):
            raise DTypeError(f"{what}, but must hold integers; {conversion('it', [TInt32], [item.dtype])}")
        if item.rank and input_def.integers == "ints":
            raise ShapeError(f"{what}, but must hold scalars; core.Concat.create(scope, [...], 0) joins vectors")
    parts = [_packed(scope, input_def, item) if _holds_operand(item) else item for item in items]
    return later.core.Stack.create(scope, parts).as_output()


def _default(scope: Scope, definition: OpDef, input_def: InputDef, before: Sequence[Any]) -> Any:
    """The default of a missing input: a value, or an operand made from the inputs before it."""
    if input_def.default is None:
        raise DTypeError(f"input `{input_def.name}` is missing; give an operand or a value; {WHY_NONE}")
    if isinstance(input_def.default, str):
        return resolve(input_def.default)(scope.for_input(definition, input_def.name), before)
    return input_def.default


def _element_types(
    definition: OpDef, groups: Sequence[Any], attrs: Mapping[str, Any]
) -> tuple[dict[str, type[TType]], dict[str, str]]:
    """The element type of each type attribute, and the input whose operand fixes it."""
    operands: dict[str, str] = {}
    types = {name: attrs[name] for name in definition.types if name in attrs}
    values: dict[str, dict[str, Any]] = {}
    for input_def, place, item in _items(definition, groups):
        attribute = input_def.type
        if not isinstance(attribute, str) or input_def.kind == "mixed":
            continue
        if type(item) is not Output:
            values.setdefault(attribute, {})[place] = item
        elif attribute not in types:
            if item.dtype not in definition.types[attribute]:
                raise not_allowed(definition, input_def, item.dtype)
            types[attribute], operands[attribute] = item.dtype, f"`{input_def.name}`"
    held = None if definition.outputs else _held_type(groups)  # without outputs, the values go into the variable
    for attribute, items in values.items():
        if attribute not in types:
            allowed = definition.types[attribute]
            types[attribute] = held if held in allowed else _own_type(items, allowed)
    return types, operands


def not_allowed(definition: OpDef, input_def: InputDef, dtype: type[TType]) -> DTypeError:
    """The error for an operand of a type that the operation does not take."""
    assert isinstance(input_def.type, str)
    allowed = definition.types[input_def.type]
    remedy = instead(definition, [dtype], input_def.name) or conversion("it", allowed, [dtype])
    remedy += otherwise(definition, input_def.name) if issubclass(dtype, TNumber) else ""
    return DTypeError(f"input `{input_def.name}` is {dtype.name}, but must be {allowed_names(allowed)}; {remedy}")


def _own_type(values: Mapping[str, Any], allowed: Collection[type[TType]]) -> type[TType]:
    """The type of values that no operand fixes."""
    try:
        return common_type(list(values.values()), allowed)
    except TypegradError as error:
        wrong = {name: value for name, value in values.items() if not is_allowed(value, allowed)}
        if 0 < len(wrong) < len(values):
            return _own_type(wrong, allowed)
        names = " and ".join(f"`{name}`" for name in values)
        raise type(error)(
            f"input {names}: {next(filter(None, map(_of_size, values.values())), error)}"
        ) from error.__cause__


def _place(input_def: InputDef, index: int) -> str:
    """What an item of a list input is called in errors."""
    return f"{input_def.name}[{index}]"


def _items(definition: OpDef, groups: Sequence[Any]) -> Iterator[tuple[InputDef, str, Any]]:
    """Each operand or value with its input and its place; a function that makes a default is asked later."""
    for input_def, group in zip(definition.inputs, groups, strict=True):
        if input_def.kind != "one":
            yield from ((input_def, _place(input_def, index), item) for index, item in enumerate(group))
        elif group is not None:
            yield input_def, input_def.name, group
        elif not isinstance(input_def.default, str):
            yield input_def, input_def.name, input_def.default


def _held_type(groups: Sequence[Any]) -> type[TType] | None:
    """The element type of the variable whose handle is among the inputs."""
    for group in groups:
        if type(group) is Output and isinstance(group.static_value, Handle):
            return group.static_value.dtype
    return None


def _constant(
    scope: Scope, definition: OpDef, name: str, value: Any, dtype: type[TType] | None, beside: str
) -> AnyOutput:
    if type(value) is Output:
        return value
    if dtype is TResource:
        raise DTypeError(f"input `{name}` takes the handle of a variable, `variable.handle`, not {described(value)}")
    try:
        tensor, leaf = operand_value(value, dtype, beside)
    except TypegradError as error:
        raise type(error)(f"input `{name}`: {_of_size(value) or error}") from error.__cause__
    return constant(scope.for_input(definition, name.replace("[", "_").rstrip("]")), tensor, leaf)


def _of_size(value: Any, is_list: bool = False) -> str:
    """What is wrong with a value because it is a size or a shape, or a list that holds one; "" for any other."""
    if isinstance(value, (list, tuple)) and not is_list:
        return next(filter(None, (_of_size(item, is_list=True) for item in value)), "")
    if isinstance(value, Shape):
        return f"{value} is a shape; write x.shape.as_ints() for known sizes, {_IN_A_RUN} for those in a run"
    name = value.__name__ if isinstance(value, NewType) and value.__supertype__ is int else value
    if name is value and not isinstance(value, (Name, Size)):
        return ""
    return only_in_a_run(name)


def only_in_a_run(name: object) -> str:
    """What is wrong with a size that has no number before a run."""
    return f"only a run knows the size {name}; write {_IN_A_RUN}[0] for it, or -1 for one size of a new shape"
