"""Objects whose attributes are known from their constructor, and dicts whose items are known from a display.

Each has a class of its own, a subclass whose name is the name of the original one with a number. It occurs only while
mypy checks the body of a function or of a loop again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from mypy.nodes import MDEF, Block, ClassDef, SymbolTable, SymbolTableNode, TypeInfo, Var
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.memory import Memory

__all__ = [
    "Types",
    "attributes_in",
    "is_container",
    "items_in",
    "original",
    "original_name",
    "with_attributes",
    "with_items",
]

Types: TypeAlias = Mapping[str, Type]
"""Types by the names of parameters or attributes; the name of a field is behind the object's: `config.width`."""
_MARK: Final = "@"
_attributes: Final = Memory[TypeInfo, Types]()
_items: Final = Memory[TypeInfo, Types]()
_made: Final = Memory[tuple[Instance, tuple[tuple[str, Type], ...]], TypeInfo]()


def with_attributes(whole: Instance, attributes: Types) -> Instance:
    """The type of an object with these types of its attributes."""
    made = _subclass(whole, attributes)
    for name, type_ in attributes.items():
        if "." in name:
            continue
        variable = Var(name, type_)
        variable.info, variable.is_ready = made, True
        made.names[name] = SymbolTableNode(MDEF, variable)
    _attributes[made] = attributes
    return Instance(made, [])


def attributes_in(type_: Type) -> Types | None:
    """The attributes of an object of such a class; None for any other type."""
    return _of(_attributes, type_)


def with_items(whole: Instance, items: Types) -> Instance:
    """The type of a dict with these types of its values, by the keys."""
    made = _subclass(whole, items)
    _items[made] = items
    return Instance(made, [])


def items_in(type_: Type) -> Types | None:
    """The values of a dict of such a class, by the keys; None for any other type."""
    return _of(_items, type_)


def is_container(type_: Type) -> bool:
    """Whether values of a type are lists or dicts, with the type of each item."""
    proper = get_proper_type(type_)
    is_list = isinstance(proper, TupleType) and proper.partial_fallback.type.fullname == "builtins.list"
    return is_list or items_in(type_) is not None


def _of(known: Mapping[TypeInfo, Types], type_: Type) -> Types | None:
    proper = get_proper_type(type_)
    return known.get(proper.type) if isinstance(proper, Instance) else None


def _subclass(whole: Instance, parts: Types) -> TypeInfo:
    """The class of all objects with these types of their parts."""
    key = whole, tuple(sorted(parts.items(), key=_name))
    if key not in _made:
        definition = ClassDef(whole.type.name, Block([]))
        definition.fullname = f"{whole.type.fullname}{_MARK}{len(_made)}"
        made = definition.info = TypeInfo(SymbolTable(), definition, whole.type.module_name)
        made.bases, made.mro, made.metaclass_type = [whole], [made, *whole.type.mro], whole.type.metaclass_type
        _made[key] = made
    return _made[key]


def original(type_: Type) -> TypeInfo | None:
    """The class of which an object of a numbered class is; None for any other type."""
    proper = get_proper_type(type_)
    known = isinstance(proper, Instance) and (proper.type in _attributes or proper.type in _items)
    return proper.type.bases[0].type if known and isinstance(proper, Instance) else None


def original_name(fullname: str) -> str:
    """The name of a method in the original class."""
    class_, mark, rest = fullname.partition(_MARK)
    return class_ + rest.lstrip("0123456789") if mark else fullname


def _name(item: tuple[str, Type]) -> str:
    return item[0]
