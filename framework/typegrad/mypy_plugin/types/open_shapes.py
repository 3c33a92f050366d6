"""Types of results that leave shapes open, `Operand[F]`, and what else tells their sizes."""

from __future__ import annotations

from typing import Final

from mypy.nodes import FuncItem, Node, TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.typeops import get_all_type_vars
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import rest_of, shape_of
from typegrad.mypy_plugin.base.memory import Memory, is_rechecking
from typegrad.mypy_plugin.base.operands import OPERAND, base_of

__all__ = ["in_generic_shape", "is_open", "other_shape", "with_shapes"]


def in_generic_shape(api: CheckerPluginInterface) -> bool:
    """Whether the code being checked is in a function or class with a type variable for a shape.

    An unknown shape must fit the type variable there, and `Any` alone does: `tuple[Any, ...]` does not.
    """
    return any(_is_generic(each) for each in checker_of(api).scope.stack[1:])


_generic: Final = Memory[Node, bool]()
"""Also while a body is checked again with other types, which have no variables."""


def _is_generic(scope: Node) -> bool:
    if scope not in _generic:
        type_ = scope.type if isinstance(scope, FuncItem) else None
        variables = scope.defn.type_vars if isinstance(scope, TypeInfo) else get_all_type_vars(type_) if type_ else []
        _generic[scope] = any(rest_of(each) is not None for each in variables)
    return _generic[scope]


def is_open(type_: Type) -> bool:
    """Whether a size of an operand in a type is not known."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return any(map(is_open, proper.items))
    if not isinstance(proper, Instance):
        return False
    operand = base_of(proper, OPERAND)
    if operand is not None:
        static = shape_of(operand.args[1])
        dims = static.shape.dims
        return static.pattern is None if dims is None else None in dims
    return any(map(is_open, proper.args))


def with_shapes(default: Type, found: Type) -> Type:
    """The type of a result with the shapes of another one, where it leaves them open."""
    proper, other = get_proper_type(default), get_proper_type(found)
    if isinstance(proper, TupleType) and isinstance(other, TupleType) and len(proper.items) == len(other.items):
        items = [with_shapes(item, each) for item, each in zip(proper.items, other.items, strict=True)]
        return proper.copy_modified(items=items)
    if not isinstance(proper, Instance) or not is_open(proper):
        return default
    made = base_of(other, proper.type.fullname)
    if made is None or len(made.args) != len(proper.args) or not made.args:
        return default
    if base_of(proper, OPERAND) is None:
        return proper.copy_modified(args=[with_shapes(*pair) for pair in zip(proper.args, made.args, strict=True)])
    has_rank = shape_of(proper.args[-1]).shape.dims is not None
    if has_rank and proper.type.fullname != OPERAND and not is_rechecking():
        return default  # a list or an attribute that holds several variables has what the signature says of their sizes
    narrow = proper.copy_modified(args=[*proper.args[:-1], _with_sizes(proper.args[-1], made.args[-1])])
    return narrow if is_subtype(narrow, proper) else default


def other_shape(declared: Type, found: Type) -> tuple[Shape, Shape] | None:
    """The shapes of an operand as it is declared and as it is made, if these are certain to differ."""
    stated, made = base_of(declared, OPERAND), base_of(found, OPERAND)
    if stated is None or made is None:
        return None
    shape, other = shape_of(stated.args[-1]).shape, shape_of(made.args[-1]).shape
    if shape.dims is None or other.dims is None:
        return None
    is_other = any(
        a != b and isinstance(a, int) and isinstance(b, int) for a, b in zip(shape.dims, other.dims, strict=False)
    )
    return (shape, other) if is_other or len(shape.dims) != len(other.dims) else None


def _with_sizes(stated: Type, found: Type) -> Type:
    """A shape with the sizes of another one, where it leaves them open: `Any` is not more exact than `int`."""
    whole, other = get_proper_type(stated), get_proper_type(found)
    if not isinstance(whole, TupleType):
        return found
    dims = shape_of(other).shape.dims
    if not isinstance(other, TupleType) or dims is None or len(whole.items) != len(dims):
        return stated
    pairs = zip(whole.items, other.items, dims, strict=True)
    return whole.copy_modified(items=[item if dim is None else each for item, each, dim in pairs])
