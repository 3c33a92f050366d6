"""What a run returns for a record of fetches: an object of the same class whose fields are arrays.

mypy has no type for it, so it gets a subclass in which the fields are declared anew. The subclass is a name of the file
that is checked, so that mypy can keep it in its cache.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, TypeAlias

from mypy.expandtype import expand_type, expand_type_by_instance
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import (
    GDEF,
    MDEF,
    Block,
    ClassDef,
    Decorator,
    FuncDef,
    MypyFile,
    SymbolTable,
    SymbolTableNode,
    TypeInfo,
    Var,
)
from mypy.plugin import AttributeContext, CheckerPluginInterface
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import AnyType, CallableType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, union_items
from typegrad.mypy_plugin.values.declared_runs import is_declared_for_runs

__all__ = [
    "OF_RUN",
    "as_expected_record",
    "holds_operand",
    "holds_record",
    "is_declared_record",
    "record_of_values",
    "sets_field_hook",
    "whole_of",
]

_ValueOf: TypeAlias = Callable[[Type], "Type | None"]
"""The type of the value of a fetch; None if it is not known."""
OF_RUN: Final = "@run"
"""What is in the names of the subclasses, and in no other name."""
_ANY: Final = AnyType(TypeOfAny.special_form)
_OF_SELF: Final = ("_asdict", "_make", "_replace")
_MAKING: Final = ("__attrs_init__", "__init__", "__mypy-replace", "__new__", *_OF_SELF)
"""The methods that make a record of new values for its fields, or take one."""
_made: Final = Memory[tuple[MypyFile, Instance, tuple[Type, ...]], TypeInfo]()
_open: Final[list[TypeInfo]] = []
"""The classes of the records around the one that is asked for: a record may hold others of its class."""


def record_of_values(api: CheckerPluginInterface, fetches: Type, value_of: _ValueOf) -> Type | None:
    """The type of the values of a named tuple, a dataclass or an attrs class of fetches; None for any other type."""
    proper, whole = get_proper_type(fetches), whole_of(fetches)
    if not isinstance(whole, Instance) or whole.type in _open:
        return None
    fields = _fields(whole)
    if fields is None:
        return None
    _open.append(whole.type)
    try:
        values = {name: value_of(type_) or _ANY for name, type_ in fields.items()}
        arguments = [value_of(each) or each for each in whole.args]
    finally:
        _open.pop()
    known = whole.copy_modified(args=arguments)
    again = _fields(known) or {}
    if all(is_same_type(again[name], type_) for name, type_ in values.items()):
        return _with(known, proper, values)
    subclass = _subclass(api, whole, proper, values)
    # mypy compares the items of tuples, and would not take this one for the class that is declared.
    items = dict.fromkeys(values, _ANY) if is_declared_record(api, whole) else values
    return _with(Instance(subclass, []), proper, items)


def is_declared_record(api: CheckerPluginInterface, whole: Instance) -> bool:
    """Whether an object is a record whose class the program declares for what a run returned."""
    class_ = next((info for info in whole.type.mro if "@" not in info.name), whole.type)
    return _fields(whole) is not None and is_declared_for_runs(class_, checker_of(api).modules[class_.module_name].path)


def _with(instance: Instance, record: Type, values: Mapping[str, Type]) -> Type:
    """The type of a record with these values: of a named tuple, it has the types of its items, too."""
    return TupleType(list(values.values()), instance) if isinstance(record, TupleType) else instance


def sets_field_hook(ctx: AttributeContext) -> Type:
    """The type of a field of a record of values, which may be assigned anything."""
    return _ANY if ctx.is_lvalue else ctx.default_attr_type


def as_expected_record(expected: Type | None, made: Type) -> Type:
    """The expected type where that is a record with the same fields, which may be declared as something else."""
    proper = get_proper_type(expected)
    if proper is None or is_subtype(made, proper):
        return made
    names = list(_fields(whole_of(made)) or ())
    return next((each for each in union_items(proper) if names and list(_fields(whole_of(each)) or ()) == names), made)


def holds_operand(type_: Type, within: Collection[TypeInfo] = ()) -> bool:
    """Whether a value is an operand or has one in it, as a list, a tuple, a dict or a record has."""
    if base_of(type_, OPERAND) is not None:
        return True
    proper, whole = get_proper_type(type_), whole_of(type_)
    parts = [*proper.items] if isinstance(proper, (TupleType, UnionType)) else []
    if isinstance(whole, Instance) and whole.type not in within:
        parts += [*whole.args, *(_fields(whole) or {}).values()]
        within = {*within, whole.type}
    return any(holds_operand(each, within) for each in parts)


def holds_record(type_: Type) -> bool:
    """Whether a type is a record of values, or a list or a tuple with one."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return OF_RUN in proper.partial_fallback.type.fullname or any(map(holds_record, proper.items))
    return isinstance(proper, Instance) and (OF_RUN in proper.type.fullname or any(map(holds_record, proper.args)))


def whole_of(type_: Type) -> Type:
    """The object of a class that a named tuple is; any other type itself."""
    proper = get_proper_type(type_)
    return proper.partial_fallback if isinstance(proper, TupleType) else proper


def _fields(whole: Type) -> Mapping[str, Type] | None:
    """The fields of a record with their types; None for any other type."""
    if not isinstance(whole, Instance):
        return None
    names = next((names for info in whole.type.mro if (names := _names(info)) is not None), None)
    if names is None:
        return None
    types = {name: _type_of(whole, name) for name in names}
    return {name: type_ for name, type_ in types.items() if type_ is not None}


def _names(info: TypeInfo) -> list[str] | None:
    metadata = info.metadata
    if "namedtuple" in metadata:
        return list(metadata["namedtuple"]["fields"])
    kind = next((metadata[kind] for kind in ("attrs", "dataclass") if kind in metadata), None)
    attributes = None if kind is None else kind["attributes"]
    return None if attributes is None else [each["name"] for each in attributes if not each.get("is_init_var")]


def _type_of(whole: Instance, name: str) -> Type | None:
    home = whole.type.get_containing_type_info(name)
    node = None if home is None else home.names[name].node
    type_ = node.type if isinstance(node, Var) else None
    if type_ is None or home is None:
        return None
    return expand_type_by_instance(type_, map_instance_to_supertype(whole, home))


def _subclass(api: CheckerPluginInterface, whole: Instance, record: Type, values: Mapping[str, Type]) -> TypeInfo:
    """The class of all records of a class with values of these types."""
    tree = checker_of(api).tree
    key = tree, whole, tuple(values.values())
    if key not in _made:
        name = next(each for each in _numbered(whole.type.name.partition("@")[0]) if each not in tree.names)
        definition = ClassDef(whole.type.name, Block([]))
        definition.fullname = f"{tree.fullname}.{name}"
        info = definition.info = TypeInfo(SymbolTable(), definition, tree.fullname)
        info.bases, info.mro, info.metaclass_type = [whole], [info, *whole.type.mro], whole.type.metaclass_type
        if isinstance(record, TupleType):  # first, since mypy takes the items that a loop goes through from there
            info.bases.insert(0, api.named_generic_type("builtins.tuple", [make_simplified_union([*values.values()])]))
        for field, type_ in values.items():
            variable = Var(field, type_)
            variable.info, variable.is_ready = info, True
            info.names[field] = SymbolTableNode(MDEF, variable, plugin_generated=True)
        for method in _makers(whole, _with(Instance(info, []), record, values), values):
            method.info = info
            info.names[method.name] = SymbolTableNode(MDEF, method, plugin_generated=True)
        tree.names[name] = SymbolTableNode(GDEF, info, plugin_generated=True)
        _made[key] = info
    return _made[key]


def _numbered(name: str) -> Iterator[str]:
    count = 0
    while True:
        count += 1
        yield f"{name}{OF_RUN}{count}"


def _makers(whole: Instance, made: Type, values: Mapping[str, Type]) -> Iterator[FuncDef]:
    """The methods that make a record, which take any values for the fields."""
    fields = {each.lstrip("_") for each in values}
    for name in _MAKING:
        symbol = whole.type.get(name)
        node = None if symbol is None else symbol.node
        function = node.func if isinstance(node, Decorator) else node
        type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
        if isinstance(function, FuncDef) and isinstance(type_, CallableType):
            names = [each and each.lstrip("_") for each in type_.arg_names]
            types = [_ANY if each in fields else kept for each, kept in zip(names, type_.arg_types, strict=True)]
            taking = type_.copy_modified(arg_types=types)
            method = FuncDef(name, [], Block([]), _of_self(taking, made) if name in _OF_SELF else taking)
            method.is_static, method.is_class = function.is_static, function.is_class
            method.arg_names, method.arg_kinds = function.arg_names, function.arg_kinds
            yield method


def _of_self(signature: CallableType, made: Type) -> CallableType:
    """The signature of a method of a named tuple, whose type variable is for the fetches."""
    types = expand_type(signature, {variable.id: made for variable in signature.variables})
    return types.copy_modified(variables=[])
