"""Conversion of static shapes to mypy's types and back: `tuple[Batch, Literal[10]]` is the shape [Batch, 10].

Arithmetic with names has a type of the form that users write, `Times[Batch, Time]`, in normal form: so equal sizes are
equal types, and mypy compares them without the plugin's help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self, TypeGuard

from attrs import frozen
from mypy.nodes import MypyFile, TypeInfo
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarLikeType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from typegrad.base.annotations import FORMS, Times
from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, shared
from typegrad.base.size import Expression, Kind, Size, bind, combined, expression, names_of
from typegrad.mypy_plugin.base.checker import checker_of

if TYPE_CHECKING:
    from mypy.plugin import CheckerPluginInterface

__all__ = [
    "ARITHMETIC",
    "Name",
    "ReducedRest",
    "Rest",
    "StaticShape",
    "any_rest",
    "arithmetic_type",
    "dim_of",
    "dim_type",
    "has_fetched",
    "in_array",
    "is_variable",
    "numbered",
    "reduced",
    "rest_of",
    "shape_of",
    "shape_type",
    "united",
    "united_outputs",
    "united_shapes",
]

_TUPLE: Final = "builtins.tuple"
_INT: Final = "builtins.int"
_MODULE: Final = Times.__module__
ARITHMETIC: Final[dict[str, Kind]] = {f"{_MODULE}.{form.__name__}": kind for form, kind in FORMS.items()}
"""The classes for arithmetic with sizes, by full name."""
_CLASSES: Final[dict[Kind, str]] = {kind: form.__name__ for form, kind in FORMS.items()}


class Name(str):
    """A named dimension. Two are equal if they are the same type; a name prints as the type's short name."""

    type: Type

    def __new__(cls, key: str, type_: Type) -> Self:
        """Create the name for `type_`; `key` is unique to it."""
        self = super().__new__(cls, key)
        self.type = type_
        return self

    def __str__(self) -> str:
        return self.rpartition(".")[2].partition("@")[0]

    __repr__ = __str__


class _Fetched(Name):
    """A name in the shape of an array: that of the operand which a run has fetched. The array has a number there."""


class Rest(Name):
    """Any number of dimensions: the `S` of `Operand[F, S]`, the `*Lead` of `tuple[*Lead, Literal[64]]`."""

    def __str__(self) -> str:
        return f"*{super().__str__()}" if isinstance(self.type, TypeVarLikeType) else "..."

    __repr__ = __str__


class ReducedRest(Rest):
    """The dimensions of a rest, some of them 1: what `Sum` of an operand of shape S with keep_dims has.

    Its type is `S | tuple[Literal[1], ...]`.
    """

    whole: Rest

    def __str__(self) -> str:
        return f"{self.whole} or 1"

    __repr__ = __str__


@frozen
class StaticShape:
    """A shape, and whether some of it is `Any`: unknown parts of results computed from it are then `Any`, too."""

    shape: Shape = UNKNOWN
    is_gradual: bool = True
    pattern: Shape | None = None
    """The shape with a `Rest`, where its rank is not known."""


def shape_of(type_: Type) -> StaticShape:
    """The shape of a tuple type; unknown rank for every other type."""
    proper = get_proper_type(type_)
    if isinstance(proper, TypeVarType):
        return StaticShape(shape_of(proper.upper_bound).shape, is_gradual=False, pattern=Shape((_rest(proper),)))
    if isinstance(proper, UnionType):
        whole = _reduced_of(proper)
        if whole is not None:
            return StaticShape(is_gradual=False, pattern=Shape((_reduced(whole, proper),)))
        return united([shape_of(item) for item in proper.items])
    if isinstance(proper, TupleType):
        items = [get_proper_type(item) for item in proper.items]
        if any(isinstance(item, UnpackType) for item in proper.items):
            return StaticShape(pattern=Shape(tuple(map(_dim_or_rest, items))))
        return StaticShape(Shape(tuple(map(_dim, items))), any(isinstance(item, AnyType) for item in items))
    if isinstance(proper, Instance) and proper.type.fullname == _TUPLE:
        return StaticShape(UNKNOWN, isinstance(get_proper_type(proper.args[0]), AnyType))
    return StaticShape()


def rest_of(type_: Type) -> Rest | None:
    """The dimensions that a type variable bound to tuples represents; None for other types."""
    proper = get_proper_type(type_)
    bound = get_proper_type(proper.upper_bound) if isinstance(proper, TypeVarType) else None
    return _rest(proper) if isinstance(bound, Instance) and bound.type.fullname == _TUPLE else None


def _rest(type_: ProperType) -> Rest:
    name = f"{type_.fullname}@{type_.id.raw_id}" if isinstance(type_, TypeVarLikeType) else "..."
    return Rest(name, type_)


def reduced(api: CheckerPluginInterface, whole: Rest) -> ReducedRest:
    """The dimensions of a rest, some of them 1."""
    ones = api.named_generic_type(_TUPLE, [LiteralType(1, api.named_generic_type(_INT, []))])
    return _reduced(whole, UnionType([whole.type, ones]))


def _reduced(whole: Rest, type_: UnionType) -> ReducedRest:
    result = ReducedRest(f"{str.__str__(whole)} or 1", type_)
    result.whole = whole
    return result


def _reduced_of(union: UnionType) -> Rest | None:
    """The `S` of `S | tuple[Literal[1], ...]`; None for another union."""
    items = [get_proper_type(item) for item in union.items]
    variables = [item for item in items if isinstance(item, TypeVarType)]
    ones = [item for item in items if isinstance(item, Instance) and item.type.fullname == _TUPLE]
    is_reduced = len(items) == 2 and variables and ones and _dim(get_proper_type(ones[0].args[0])) == 1
    return _rest(variables[0]) if is_reduced else None


def any_rest(api: CheckerPluginInterface) -> Rest:
    """Any number of unknown dimensions."""
    return _rest(api.named_generic_type(_TUPLE, [AnyType(TypeOfAny.special_form)]))


def _dim_or_rest(type_: ProperType) -> Dim:
    return _rest(get_proper_type(type_.type)) if isinstance(type_, UnpackType) else _dim(type_)


def _dim(type_: ProperType) -> Dim:
    if isinstance(type_, LiteralType) and type(type_.value) is int:
        return type_.value if type_.value >= 0 else None
    return dim_of(type_)


def is_variable(dim: Dim) -> TypeGuard[Name]:
    """Whether a dimension is a type variable, for one size or for any number of them."""
    return isinstance(dim, Name) and isinstance(dim.type, TypeVarLikeType)


def dim_of(type_: Type) -> Name | Size | int | None:
    """The dimension that a type says: a `NewType` of int, arithmetic with sizes, or a type variable bound to int.

    The class itself will do, as in `shape=(Batch, 3)`.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, FunctionLike) and proper.is_type_obj():
        result = get_proper_type(proper.items[0].ret_type)
        is_size = proper.type_object().is_newtype or proper.type_object().fullname in ARITHMETIC
        return dim_of(result) if is_size else None
    if isinstance(proper, TypeVarType):
        bound = get_proper_type(proper.upper_bound)
        is_size = isinstance(bound, Instance) and bound.type.has_base(_INT)
        return Name(f"{proper.fullname}@{proper.id.raw_id}", proper) if is_size else None
    if isinstance(proper, Instance) and proper.type.is_newtype and proper.type.has_base(_INT):
        return Name(proper.type.fullname, proper)
    if isinstance(proper, Instance) and proper.type.fullname in ARITHMETIC:
        dims = [_dim(get_proper_type(argument)) for argument in proper.args]
        with suppress(ShapeError):  # an annotation that says no size is none
            size = combined(ARITHMETIC[proper.type.fullname], dims) if None not in dims and dims else None
            return size if isinstance(size, (Name, Size, int)) else None
    return None


def in_array(shape: Shape) -> Shape:
    """The shape that an array's type states, whose names are those of a run."""
    if shape.dims is None or all(dim is None or isinstance(dim, int) for dim in shape.dims):
        return shape
    return Shape(tuple(map(_in_array, shape.dims)))


def _in_array(dim: Dim) -> Dim:
    names: dict[str, Dim] = {
        name: _Fetched(str.__str__(name), name.type) for name in names_of(dim) if isinstance(name, Name)
    }
    return bind(dim, names) if names else dim


def has_fetched(value: object) -> bool:
    """Whether a size, or one in a tuple or a shape, is made of the names of a run."""
    if isinstance(value, (tuple, Shape)):
        return any(map(has_fetched, value if isinstance(value, tuple) else value.dims or ()))
    return isinstance(value, (str, Size)) and any(isinstance(name, _Fetched) for name in names_of(value))


def numbered(shape: Shape) -> Shape:
    """The shape of the operand that an array becomes: unknown sizes where the array has numbers, but a run names."""
    dims = shape.dims
    return Shape(tuple(None if has_fetched(dim) else dim for dim in dims)) if dims and has_fetched(dims) else shape


def united(shapes: Sequence[StaticShape]) -> StaticShape:
    """What several shapes have in common."""
    is_gradual = any(each.is_gradual for each in shapes)
    return StaticShape(united_shapes([each.shape for each in shapes]), is_gradual)


def united_shapes(shapes: Sequence[Shape]) -> Shape:
    """What several shapes have in common, nothing if one has any number of dimensions that the others have not."""
    if all(each == shapes[0] for each in shapes):
        return shapes[0]
    has_rest = any(isinstance(dim, Rest) for each in shapes for dim in each.dims or ())
    return UNKNOWN if has_rest else shared(shapes)


def united_outputs(answers: Sequence[tuple[Shape, ...]]) -> tuple[Shape, ...]:
    """What several answers have in common, each the shapes of as many outputs."""
    return tuple(map(united_shapes, zip(*answers, strict=True)))


def shape_type(api: CheckerPluginInterface, shape: Shape, *, is_gradual: bool) -> Type | None:
    """The tuple type of a shape; None if the rank is unknown."""
    if shape.dims is None:
        return None
    rests = [dim.type for dim in shape.dims if isinstance(dim, Rest)]
    if any(isinstance(rest, (TypeVarType, UnionType)) for rest in rests):
        return rests[0] if len(shape.dims) == 1 else None
    if len(rests) > 1:
        return None
    items = [dim_type(api, dim, is_gradual=is_gradual) for dim in shape.dims]
    return TupleType(items, api.named_generic_type(_TUPLE, [AnyType(TypeOfAny.special_form)]))


def dim_type(api: CheckerPluginInterface, dim: Dim, *, is_gradual: bool) -> Type:
    """The type of one dimension, or of a `Rest`."""
    if isinstance(dim, Rest):
        return UnpackType(dim.type)
    if isinstance(dim, Name):
        return dim.type
    if isinstance(dim, int):
        return LiteralType(dim, api.named_generic_type(_INT, []))
    if isinstance(dim, Size) and all(isinstance(name, Name) for name in names_of(dim)):
        return arithmetic_type(checker_of(api).modules, dim)
    return AnyType(TypeOfAny.special_form) if is_gradual else api.named_generic_type(_INT, [])


def arithmetic_type(modules: Mapping[str, MypyFile], dim: int | Name | Size) -> Type:
    """The type of arithmetic with names."""
    return _written(modules, expression(dim))


def _written(modules: Mapping[str, MypyFile], part: int | str | Expression) -> Type:
    if isinstance(part, Name):
        return part.type
    if isinstance(part, Expression):
        return _instance(modules, _MODULE, _CLASSES[part.kind], [_written(modules, each) for each in part.parts])
    assert isinstance(part, int)
    return LiteralType(part, _instance(modules, "builtins", "int", []))


def _instance(modules: Mapping[str, MypyFile], module: str, name: str, args: Sequence[Type]) -> Instance:
    info = modules[module].names[name].node
    assert isinstance(info, TypeInfo)
    return Instance(info, args)
