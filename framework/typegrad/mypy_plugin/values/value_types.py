"""The types of values that are known: `Literal[3]` of 3, and a tuple of such of a tuple."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, LiteralType, TupleType, Type, TypeOfAny, get_proper_type

from typegrad.base.size import Size
from typegrad.mypy_plugin.base.dims import Name, dim_type

__all__ = ["ANY", "text_of", "tuple_of", "value_type"]

ANY: Final = AnyType(TypeOfAny.special_form)


def value_type(api: CheckerPluginInterface, value: Any) -> Type | None:
    """The type of a value, as exact as it can be; None if there is no such type."""
    if isinstance(value, (bool, int, str)) and not isinstance(value, Name):
        return LiteralType(value, api.named_generic_type(f"builtins.{type(value).__name__}", []))
    if isinstance(value, (Name, Size)):
        return dim_type(api, value, is_gradual=False)
    if not isinstance(value, tuple):
        return None
    items = [value_type(api, item) for item in value]
    known = [item for item in items if item is not None]
    return tuple_of(api, known) if len(known) == len(items) else None


def tuple_of(api: CheckerPluginInterface, items: Sequence[Type]) -> TupleType:
    """The type of a tuple with items of these types."""
    return TupleType(list(items), api.named_generic_type("builtins.tuple", [ANY]))


def text_of(type_: Type) -> str | None:
    """The string whose type it is; None for any other type."""
    proper = get_proper_type(type_)
    return proper.value if isinstance(proper, LiteralType) and isinstance(proper.value, str) else None
