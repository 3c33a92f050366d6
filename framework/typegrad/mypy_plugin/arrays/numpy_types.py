"""Where NumPy's types are wrong: of transposed arrays they state the array's shape, of some functions another dtype."""

from __future__ import annotations

from typing import Final

from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import AnyType, Instance, LiteralType, ProperType, TupleType, Type, TypeOfAny, get_proper_type

from typegrad.mypy_plugin.base.operands import ARRAY, base_of

__all__ = [
    "REORDERING",
    "SHAPE",
    "has_wrong_dtype",
    "reordered_attribute_hook",
    "reordered_hook",
    "reorders",
    "shape_attribute_hook",
]

REORDERING: Final = (f"{ARRAY}.transpose", f"{ARRAY}.swapaxes")
"""The methods of arrays whose results have other sizes."""
SHAPE: Final = f"{ARRAY}.shape"
_FUNCTIONS: Final = frozenset({"T", "diff", "insert", "mT", "moveaxis", "rollaxis", "rot90", "swapaxes", "trapezoid"})
_OTHER_DTYPES: Final = frozenset({"average", "bincount", "nanpercentile", "nanquantile", "percentile", "quantile"})


def reorders(name: str) -> bool:
    """Whether it is a function of NumPy or an attribute of arrays with other sizes than NumPy's types say."""
    return name.startswith("numpy.") and name.rpartition(".")[2] in _FUNCTIONS


def has_wrong_dtype(function: str) -> bool:
    """Whether it is a function of NumPy whose result may have another dtype than NumPy's types say."""
    return function.startswith(("numpy.fft.", "numpy.linalg.")) or function.rpartition(".")[2] in _OTHER_DTYPES


def reordered_attribute_hook(ctx: AttributeContext) -> Type:
    """The type of an array, with as many dimensions, but of unknown sizes."""
    return _of_unknown_sizes(get_proper_type(ctx.default_attr_type))


def shape_attribute_hook(ctx: AttributeContext) -> Type:
    """The type of `array.shape`, without the values of the sizes: mypy would refuse to compare them with others."""
    sizes = get_proper_type(ctx.default_attr_type)
    if not isinstance(sizes, TupleType):
        return sizes
    return sizes.copy_modified(items=[_without_value(get_proper_type(each)) for each in sizes.items])


def _without_value(size: ProperType) -> Type:
    return size.fallback if isinstance(size, LiteralType) else size


def reordered_hook(ctx: FunctionContext | MethodContext) -> Type:
    """The same for what a function or a method returns."""
    return _of_unknown_sizes(get_proper_type(ctx.default_return_type))


def _of_unknown_sizes(type_: ProperType) -> Type:
    if base_of(type_, "numpy.generic") is not None:  # an integral is a number only for an array of one dimension
        return AnyType(TypeOfAny.special_form)
    array = base_of(type_, ARRAY)
    sizes = None if array is None else get_proper_type(array.args[0])
    if not isinstance(type_, Instance) or type_.type.fullname != ARRAY or not isinstance(sizes, TupleType):
        return type_
    unknown: list[Type] = [AnyType(TypeOfAny.special_form)] * len(sizes.items)
    return type_.copy_modified(args=[sizes.copy_modified(items=unknown), type_.args[1]])
