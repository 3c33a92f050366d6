"""The attributes of an operation: converted to what the registry says of each, or refused."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from typegrad.base.brief import brief, counted, is_text
from typegrad.base.errors import AttributeValueError, DTypeError, TypegradError
from typegrad.base.shape import as_shape
from typegrad.base.types import allowed_names, as_element_type
from typegrad.graph.definition import AttrDef, OpDef
from typegrad.graph.tensors import as_tensor

__all__ = ["check_attributes", "check_counts", "check_minimum"]

_INT64: Final = range(-(2**63), 2**63)
_MOST: Final = 2**20
"""A list from a range has fewer elements: a larger one would take all memory."""
_MOST_OUTPUTS: Final = 2**16


def check_attributes(definition: OpDef, attrs: dict[str, Any]) -> dict[str, Any]:
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
                f"attribute `{attr_def.name}` must have at least {counted(attr_def.minimum, 'element')}, "
                f"but has {len(value)}"
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


def check_counts(definition: OpDef, attrs: dict[str, Any]) -> None:
    """Refuse to make more outputs than any graph could use."""
    for name in definition.counts:
        if isinstance(attrs[name], int) and attrs[name] > _MOST_OUTPUTS:
            raise AttributeValueError(
                f"attribute `{name}` is {attrs[name]}, but an operation has at most {_MOST_OUTPUTS} outputs"
            )
