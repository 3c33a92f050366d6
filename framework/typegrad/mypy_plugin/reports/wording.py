"""Types in the reader's names: "float32 [Batch, Time, 8]"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

from mypy.expandtype import expand_type_by_instance
from mypy.nodes import Decorator
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import names_of
from typegrad.dry_run.known.values import OperandValue, Value, common
from typegrad.mypy_plugin.base.classes import SCOPE
from typegrad.mypy_plugin.base.dims import StaticShape, is_variable
from typegrad.mypy_plugin.base.dtypes import leaf_of, type_name
from typegrad.mypy_plugin.base.operands import OP, StaticOperand, base_of, operand_of
from typegrad.mypy_plugin.calls.counts import LIST_OP
from typegrad.mypy_plugin.reports.differing import other_operand

__all__ = ["called", "described", "filled", "operands_in", "parameter_names", "parts_of", "shown"]

_HOLDERS: Final = {
    **{f"builtins.{name}": name for name in ("dict", "frozenset", "list", "set", "tuple")},
    **{f"collections.{name}": name for name in ("OrderedDict", "defaultdict", "deque")},
    **{
        f"typing.{name}": name
        for name in ("Collection", "Iterable", "Mapping", "MutableMapping", "MutableSequence", "Sequence")
    },
}
"""What holds values, with their type as the last type argument, by what it is called."""
_T = TypeVar("_T")


def called(fullname: str) -> str:
    """What a call names: `update`, `Critic.value`, or the class of an object that is called."""
    *owner, name = fullname.split(".")
    if name == "__call__":
        return owner[-1]
    return f"{owner[-1]}.{name}" if owner and owner[-1][:1].isupper() else name


def parameter_names(signature: CallableType) -> list[str]:
    """What to call the parameters; a decorator may have taken the name of the first one, a scope."""
    types = enumerate(signature.arg_types, 1)
    unnamed = ("`scope`" if base_of(type_, SCOPE) else f"argument {position}" for position, type_ in types)
    return [f"`{name}`" if name else other for name, other in zip(signature.arg_names, unnamed, strict=True)]


def described(type_: Type | None, made: Value | None = None) -> str | None:
    """The operands in the value of a type; None if there are none.

    Where the type leaves them open, and where it is wrong, they are what the program makes.
    """
    proper = _proper(type_)
    if proper is None or isinstance(proper, AnyType):
        return str(made) if isinstance(made, OperandValue) else None
    operand = operand_of(proper)
    if operand is not None:
        return shown(operand, made if isinstance(made, OperandValue) else None)
    if isinstance(proper, UnionType):
        return _optional([get_proper_type(item) for item in proper.items], made)
    if isinstance(proper, TupleType):
        return _tuple([described(item, each) for item, each in _pairs(proper.items, made)])
    return _container(proper, made) if isinstance(proper, Instance) else None


def _proper(type_: Type | None) -> ProperType | None:
    """A type without aliases; None for one that contains itself, which has no end."""
    is_endless = isinstance(type_, TypeAliasType) and type_.is_recursive
    return None if type_ is None or is_endless else get_proper_type(type_)


def shown(operand: StaticOperand, made: OperandValue | None = None) -> str:
    """An operand's element type and shape. Unknown parts are "?", an unknown number of dimensions is "..."."""
    if made is None:
        return f"{_dtype(operand.dtype)} {_shape(_stated(operand.static))}"
    if other_operand(operand, made) is not None:
        return str(made)
    dtype = made.dtype if leaf_of(operand.dtype) is None else _dtype(operand.dtype)
    return f"{dtype} {_shape(filled(operand.static, made.shape))}"


def filled(static: StaticShape, made: Shape) -> Shape:
    """A shape whose unknown sizes, and those that a type variable stands for, are the ones that the program makes."""
    if made.dims is None:
        return _stated(static)
    if static.shape.dims is None:
        return made
    pairs = zip(static.shape.dims, made.dims, strict=True)
    return Shape(tuple(stated if size is None or not _is_open(stated) else size for stated, size in pairs))


def _stated(static: StaticShape) -> Shape:
    return static.shape if static.pattern is None else static.pattern


def _is_open(dim: Dim) -> bool:
    return dim is None or any(map(is_variable, names_of(dim)))


def _pairs(types: Sequence[_T], made: Value | None) -> Iterator[tuple[_T, Value | None]]:
    """The types of several values, each with what the program makes of it, if it makes as many."""
    parts: Sequence[Value | None] = () if made is None or isinstance(made, OperandValue) else made
    return zip(types, parts if len(parts) == len(types) else [None] * len(types), strict=True)


def operands_in(type_: Type | None) -> Iterator[StaticOperand]:
    """The operands in the value of a type; all outputs of an operation with several."""
    proper = _proper(type_)
    if proper is None or isinstance(proper, AnyType):
        return
    operand = operand_of(proper)
    if operand is not None:
        yield operand
    else:
        for part in parts_of(proper):
            yield from operands_in(part)


def parts_of(type_: ProperType) -> Iterator[Type]:
    """The types of what a container holds, of the items of a tuple or a union, and of the outputs of an operation."""
    if isinstance(type_, (TupleType, UnionType)):
        yield from type_.items
    elif isinstance(type_, Instance):
        yield from _items(type_)


def _items(type_: Instance) -> Iterator[Type]:
    if type_.type.fullname in _HOLDERS:
        yield type_.args[-1]
    elif (outputs := base_of(type_, LIST_OP)) is not None:
        yield outputs.args[0]
    elif type_.type.has_base(OP):
        yield from (item for _, item in _outputs(type_))


def _dtype(type_: Type) -> str:
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return " | ".join(map(_dtype, proper.items))
    return "?" if isinstance(proper, AnyType) else type_name(proper)


def _shape(shape: Shape) -> str:
    return "[...]" if shape.dims is None else str(shape)


def _optional(items: Sequence[Type], made: Value | None) -> str | None:
    others = [item for item in items if not isinstance(item, NoneType)]
    if isinstance(made, OperandValue):
        return described(others[0], made) if len(others) == 1 else str(made)
    texts = list(map(described, others))
    known = list(dict.fromkeys(text for text in texts if text is not None))
    if not known or len(known) < len(set(texts)):
        return None
    return " | ".join([*known, *(["None"] if len(texts) < len(items) else [])])


def _tuple(items: Sequence[str | None]) -> str | None:
    if not any(items):
        return None
    return f"({', '.join(item or '_' for item in items)}{',' if len(items) == 1 else ''})"


def _container(type_: Instance, made: Value | None) -> str | None:
    name = _HOLDERS.get(type_.type.fullname)
    if name is None and base_of(type_, LIST_OP) is None:
        outputs = _outputs(type_) if type_.type.has_base(OP) else ()
        return ", ".join(f"{name} {described(item, each)}" for (name, item), each in _pairs(outputs, made)) or None
    parts = () if made is None or isinstance(made, OperandValue) else made
    inside = [described(item, common(parts) if parts else None) for item in _items(type_)]
    return f"{name or 'list'} of {inside[0]}" if inside and inside[0] else None


def _outputs(type_: Instance) -> list[tuple[str, Type]]:
    """The outputs of an operation, by name: its properties that are operands or lists of operands."""
    result: list[tuple[int, str, Type]] = []
    for name, symbol in type_.type.names.items():
        node = symbol.node
        if isinstance(node, Decorator) and node.var.is_property and isinstance(node.func.type, CallableType):
            declared = node.func.type.ret_type
            item = expand_type_by_instance(declared, type_)
            if described(item) is not None:
                result.append((_last_parameter(declared), name, item))
    return [(name, item) for _, name, item in sorted(result, key=lambda each: each[:2])]


def _last_parameter(type_: Type) -> int:
    """The position of the last type parameter in a type; the parameters for shapes are in the order of the outputs."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeVarType):
        return proper.id.raw_id
    return max(map(_last_parameter, proper.args), default=0) if isinstance(proper, Instance) else 0
