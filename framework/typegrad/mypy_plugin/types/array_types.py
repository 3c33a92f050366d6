"""NumPy's array types: the dtype of each element type, and comparison of dtypes."""

from __future__ import annotations

from typing import Final

from mypy.maptype import map_instance_to_supertype
from mypy.nodes import TypeInfo, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, UnionType, get_proper_type

from typegrad.base.array import DType
from typegrad.base.types import ALL_TYPES, TInt64, TType
from typegrad.mypy_plugin.base.classes import ELEMENT_TYPE
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, union_items
from typegrad.mypy_plugin.types.symbols import class_info

__all__ = ["array_type", "dtype_of", "dtypes", "scalars", "type_of_dtype"]

_DTYPE: Final = "numpy.dtype"
_SIZED: Final = frozenset({"numpy.floating", "numpy.signedinteger", "numpy.unsignedinteger", "numpy.complexfloating"})
"""The scalar classes whose type argument is the number of bits."""
_BITS: Final = (8, 16, 32, 64, 128)
_BELOW: Final = {
    "numpy.integer": ("signedinteger", "unsignedinteger"),
    "numpy.inexact": ("floating", "complexfloating"),
    "numpy.number": ("signedinteger", "unsignedinteger", "floating", "complexfloating"),
}
"""The scalar classes that have no size, each with the classes below it that do."""
_ANY: Final = "numpy.generic"


_dtypes: Final = Memory[TypeInfo, "dict[type[TType], Type]"]()


def dtypes(api: CheckerPluginInterface) -> dict[type[TType], Type]:
    """The NumPy dtype of each element type, read from their classes."""
    info = class_info(api, ELEMENT_TYPE)
    if info not in _dtypes:
        declared = {leaf: class_info(api, f"{leaf.__module__}.{leaf.__qualname__}").get("numpy") for leaf in ALL_TYPES}
        _dtypes[info] = {
            leaf: symbol.node.type
            for leaf, symbol in declared.items()
            if symbol is not None and isinstance(symbol.node, Var) and symbol.node.type is not None
        }
    return _dtypes[info]


def dtype_of(api: CheckerPluginInterface, dtype: Type) -> DType | None:
    """The dtype that a type `np.dtype[...]` or a scalar class is; None if it may be several."""
    proper = get_proper_type(dtype)
    names = scalars(dtype) if isinstance(proper, Instance) and proper.type.fullname == _DTYPE else _scalar_names(dtype)
    return None if names is None else _by_scalars(api).get(names)


def type_of_dtype(api: CheckerPluginInterface, dtype: DType) -> Type | None:
    """The type `np.dtype[...]` of a dtype; None if no element type has it."""
    return next((type_ for leaf, type_ in dtypes(api).items() if leaf.numpy == dtype), None)


_INDICES: Final = frozenset(f"numpy.signedinteger:_{bits}Bit" for bits in (32, 64))
"""The scalar types that indices have in NumPy's stubs, as of `np.argsort`: int64 on a processor of 64 bits."""
_by_names: Final = Memory[TypeInfo, dict[frozenset[str], "DType"]]()


def _by_scalars(api: CheckerPluginInterface) -> dict[frozenset[str], DType]:
    info = class_info(api, ELEMENT_TYPE)
    if info not in _by_names:
        known = {scalars(dtype): leaf.numpy for leaf, dtype in dtypes(api).items()}
        _by_names[info] = {names: dtype for names, dtype in known.items() if names is not None}
        _by_names[info][_INDICES] = TInt64.numpy
    return _by_names[info]


def array_type(api: CheckerPluginInterface, dtype: Type, shape: Type) -> Type:
    """The array type of a fetched operand."""
    leaf = leaf_of(dtype)
    known = dtypes(api).get(leaf) if leaf is not None else None
    anything = AnyType(TypeOfAny.special_form)
    sizes = get_proper_type(shape)
    if isinstance(sizes, TupleType):  # an array has a number, where an operand may have any size
        number = api.named_generic_type("builtins.int", [])
        shape = sizes.copy_modified(
            items=[number if isinstance(get_proper_type(item), AnyType) else item for item in sizes.items]
        )
    return api.named_generic_type(ARRAY, [shape, known or api.named_generic_type(_DTYPE, [anything])])


def scalars(dtype: Type) -> frozenset[str] | None:
    """The comparable names of the scalar types of an `np.dtype[...]`; None if it may be any."""
    proper = get_proper_type(dtype)
    if not isinstance(proper, Instance) or proper.type.fullname != _DTYPE:
        return None
    return _scalar_names(proper.args[0])


def _scalar_names(scalar: Type) -> frozenset[str] | None:
    """The comparable names of a scalar class or a union of them; None if it may be any."""
    proper = get_proper_type(scalar)
    if isinstance(proper, UnionType):
        parts = [_scalar_names(item) for item in proper.items]
        return None if None in parts else frozenset().union(*(part for part in parts if part is not None))
    if not isinstance(proper, Instance) or proper.type.fullname == _ANY:
        return None
    below = _BELOW.get(proper.type.fullname)
    if below is not None:
        return frozenset(f"numpy.{name}:_{bits}Bit" for name in below for bits in _BITS)
    if not proper.args:
        # `float64` is a class of its own in NumPy's stubs, but is a `floating[_64Bit]`, as `float32` is a
        # `floating[_32Bit]`.
        base = next((info for info in proper.type.mro[1:] if info.fullname in _SIZED), None)
        if base is None:
            return frozenset([proper.type.fullname])
        proper = map_instance_to_supertype(proper, base)
    if proper.type.fullname not in _SIZED:
        return frozenset([proper.type.fullname])
    names = union_items(proper.args[0])
    known = [item.type.name for item in names if isinstance(item, Instance)]
    return frozenset(f"{proper.type.fullname}:{name}" for name in known) if len(known) == len(names) else None
