"""Values in place of operands: a number, a list or an array becomes a constant of the type that the other operands have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from typegrad.base.brief import described
from typegrad.base.errors import DTypeError, TypegradError
from typegrad.base.types import TResource, TType, allowed_names
from typegrad.graph.definition import InputDef, OpDef, resolve
from typegrad.graph.operand import Output
from typegrad.graph.tensors import as_literal, common_type, constant

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["make_constants", "not_allowed"]


def make_constants(scope: Scope, definition: OpDef, groups: list[Any], attrs: Mapping[str, Any]) -> None:
    """Put a constant in the place of each value in `groups`, and of each input that was left out.

    A value takes the type that an operand, an attribute or a variable's handle fixes; without one, its own, as `core.Constant` does.
    The constant is named after the input.
    """
    types, operands = _element_types(definition, groups, attrs)
    for position, spec in enumerate(definition.inputs):
        group = groups[position]
        if group is None:
            group = _default(scope, definition, spec, groups[:position])
        dtype, beside = (
            (types.get(spec.type), operands.get(spec.type, "")) if isinstance(spec.type, str) else (spec.type, "")
        )
        if spec.kind == "one":
            if dtype is None and isinstance(spec.type, str) and type(group) is not Output:
                dtype = _own_type({spec.name: group}, definition.types[spec.type])
            groups[position] = _constant(scope, definition, spec.name, group, dtype, beside)
        else:
            items = cast("tuple[Any, ...]", group)
            groups[position] = tuple(
                _constant(scope, definition, f"{spec.name}_{index}", item, dtype, beside)
                for index, item in enumerate(items)
            )


def _default(scope: Scope, definition: OpDef, spec: InputDef, before: Sequence[Any]) -> Any:
    """What an input is that was left out: a value, or an operand made from the inputs before it."""
    if spec.default is None:
        raise DTypeError(f"input `{spec.name}` is missing; give an operand or a value")
    if isinstance(spec.default, str):
        return resolve(spec.default)(scope.for_input(definition, spec.name), before)
    return spec.default


def _element_types(
    definition: OpDef, groups: Sequence[Any], attrs: Mapping[str, Any]
) -> tuple[dict[str, type[TType]], dict[str, str]]:
    """The type of each type attribute that a value must take, and the input whose operand fixes it."""
    operands: dict[str, str] = {}
    known = {name: attrs[name] for name in definition.types if name in attrs}
    values: dict[str, dict[str, Any]] = {}
    for spec, item in _items(definition, groups):
        if isinstance(spec.type, str) and spec.kind != "mixed":
            if type(item) is Output:
                if spec.type not in known:
                    if item._dtype not in definition.types[spec.type]:
                        raise not_allowed(definition, spec, item._dtype)
                    known[spec.type], operands[spec.type] = item._dtype, f"`{spec.name}`"
            else:
                values.setdefault(spec.type, {})[spec.name] = item
    held = _held_type(groups)
    for name, items in values.items():
        if name not in known:
            allowed = definition.types[name]
            known[name] = held if held in allowed else _own_type(items, allowed)
    return known, operands


def not_allowed(definition: OpDef, spec: InputDef, dtype: type[TType]) -> DTypeError:
    """The error for an operand of a type that the operation does not take."""
    assert isinstance(spec.type, str)
    allowed = allowed_names(definition.types[spec.type])
    return DTypeError(f"input `{spec.name}` is {dtype.name}, but must be {allowed}; cast it with dtypes.Cast")


def _own_type(values: Mapping[str, Any], allowed: Collection[type[TType]]) -> type[TType]:
    """The type of values that no operand fixes."""
    try:
        return common_type(list(values.values()), allowed)
    except TypegradError as error:
        names = " and ".join(f"`{name}`" for name in values)
        raise type(error)(f"input {names}: {error}") from None


def _items(definition: OpDef, groups: Sequence[Any]) -> Iterator[tuple[InputDef, Any]]:
    """Each operand or value with its input's definition; a function that makes a default is asked later."""
    for spec, group in zip(definition.inputs, groups, strict=True):
        if spec.kind != "one":
            yield from ((spec, item) for item in group)
        elif group is not None:
            yield spec, group
        elif not isinstance(spec.default, str):
            yield spec, spec.default


def _held_type(groups: Sequence[Any]) -> type[TType] | None:
    """The element type of the variable whose handle is among the inputs."""
    for group in groups:
        if type(group) is Output and group._dtype is TResource and group._value is not None:
            leaf: type[TType] | None = group._value[1]
            return leaf
    return None


def _constant(
    scope: Scope, definition: OpDef, name: str, value: Any, dtype: type[TType] | None, beside: str
) -> Output[Any, Any]:
    if type(value) is Output:
        return value
    if dtype is TResource:
        raise DTypeError(f"input `{name}` takes the handle of a variable, `variable.handle`, not {described(value)}")
    try:
        tensor, leaf = as_literal(value, dtype, beside)
    except TypegradError as error:
        raise type(error)(f"input `{name}`: {error}") from None
    return constant(scope.for_input(definition, name), tensor, leaf)
