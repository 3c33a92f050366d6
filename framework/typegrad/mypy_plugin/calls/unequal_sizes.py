"""The sizes of arguments, beside those that the parameters of a user's function have as type variables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

from mypy.subtypes import is_same_type
from mypy.types import Type, TypeVarType, UnionType, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.base.size_ranges import differ
from typegrad.graph.input_order import swap
from typegrad.mypy_plugin.base.dims import Rest, is_variable
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.calls.stated_sizes import Stated

__all__ = ["Sized", "dims_of", "exchanged_for_square", "matched", "wrong_sizes"]

Sized: TypeAlias = tuple[str, Shape, Type]
"""A parameter, the shape that it has, and the type of the argument."""


def wrong_sizes(parts: Sequence[Sized], values: Stated) -> str:
    """What is wrong with the sizes of operands, each with its parameter and the shape that this has.

    `values` gets the value of each type variable.
    """
    for parameter, shape, type_ in parts:
        pairs = matched(shape.known(), dims_of(type_))
        not_square = _not_square(shape, pairs)
        if not_square:
            return f"{parameter} is {not_square}"
        for variable, value in pairs:
            if not is_variable(variable):
                continue
            first, before = values.setdefault(variable, (parameter, value))
            if _disagree(before, value):
                odd = _misnamed(parts, (first, parameter))
                if odd:
                    return odd
                shown = [str(each) if isinstance(variable, Rest) else str(each)[1:-1] for each in (before, value)]
                where = f"{first} of the object" if first == parameter else first
                return f"{str(variable).removeprefix('*')} is {shown[0]} in {where}, but {shown[1]} in {parameter}"
    return ""


def exchanged_for_square(parts: Sequence[Sized], stated: Stated) -> str:
    """What to swap where an argument is not square, as its parameter says, but another one is, so that all fits."""
    sizes = {parameter: dims_of(type_) for parameter, _, type_ in parts}
    for (name, declared, type_), (other, other_declared, other_type) in permutations(parts, 2):
        if not _not_square(declared, matched(declared.known(), sizes[name])):
            continue
        if _of_one_element_type(type_, other_type):
            pair = {name: (name, declared, other_type), other: (other, other_declared, type_)}
            exchanged = [pair.get(each[0], each) for each in parts]
            if all(map(_is_certain, pair.values())) and not wrong_sizes(exchanged, dict(stated)):
                first, second = [each for each in sizes if each in pair]
                return swap((first, second), lambda each: f"`{each}` has shape {Shape(sizes[each])}")
    return ""


def _not_square(declared: Shape, pairs: Sequence[tuple[Dim, Shape]]) -> str:
    """What is wrong with a single argument, of whose sizes several are of one type variable."""
    for variable in dict.fromkeys(dim for dim, _ in pairs if is_variable(dim)):
        first, *others = [value for dim, value in pairs if dim == variable]
        other = next((each for each in others if _disagree(first, each)), None)
        if other is not None:
            actual = Shape(tuple(dim for _, value in pairs for dim in value.known()))
            if declared == (variable, variable):
                return f"{actual}, but both sizes are {variable}: it must be square"
            return f"{actual}, whose sizes {str(first)[1:-1]} and {str(other)[1:-1]} must be equal: both are {variable}"
    return ""


def _of_one_element_type(type_: Type, other: Type) -> bool:
    first, second = operand_of(type_), operand_of(other)
    return first is not None and second is not None and is_same_type(first.dtype, second.dtype)


def _is_certain(part: Sized) -> bool:
    """Whether an argument has the sizes that its parameter says, none of which is unknown."""
    _, declared, type_ = part
    pairs = matched(declared.known(), dims_of(type_))
    fits = all(is_variable(dim) or value.known() == (dim,) for dim, value in pairs)
    return bool(pairs) and fits and all(None not in value.known() for _, value in pairs)


def _misnamed(parts: Sequence[Sized], names: Collection[str]) -> str:
    """What is wrong with sizes that are type variables, as in a class method that makes an object of its class.

    Said of one of two arguments whose type variables are others than those of its parameter, where the other's are not.
    """
    are_named: dict[bool, str] = {}
    for parameter, declared, type_ in parts:
        dims = dims_of(type_)
        if parameter in names and dims is not None and any(map(is_variable, dims)):
            is_same = list(map(str, dims)) == list(map(str, declared.known()))
            are_named[is_same] = f"{parameter} is {Shape(dims)}, but is declared as {declared}"
    return are_named[False] if len(are_named) == 2 else ""


def dims_of(type_: Type) -> tuple[Dim, ...] | None:
    """The dimensions of an argument, of which `*Lead` is one; None for the `S` of `Operand[F, S]`."""
    operand = operand_of(type_)
    if operand is None:
        return None
    pattern = operand.static.pattern
    rests = [get_proper_type(dim.type) for dim in pattern.known() if isinstance(dim, Rest)] if pattern else []
    is_whole = any(isinstance(rest, (TypeVarType, UnionType)) for rest in rests)
    return operand.static.shape.dims if pattern is None or is_whole else pattern.dims


def matched(parameter: Sequence[Dim], dims: tuple[Dim, ...] | None) -> list[tuple[Dim, Shape]]:
    """Each dimension of a parameter, with the dimensions of the argument in its place.

    There is none where `*Lead` of an argument would be one dimension of the parameter.
    """
    pairs = list(_in_order(parameter, dims))
    are_sizes = (isinstance(dim, Rest) or not _has_rest(shape) for dim, shape in pairs)
    return pairs if all(are_sizes) else []


def _has_rest(shape: Shape) -> bool:
    return any(isinstance(dim, Rest) for dim in shape.known())


def _in_order(parameter: Sequence[Dim], dims: tuple[Dim, ...] | None) -> Iterator[tuple[Dim, Shape]]:
    rests = [axis for axis, dim in enumerate(parameter) if isinstance(dim, Rest)]
    more = 0 if dims is None else len(dims) - len(parameter)
    if dims is None or more < -len(rests) or (more and not rests):
        return
    start = 0
    for dim in parameter:
        stop = start + (1 + more if isinstance(dim, Rest) else 1)
        yield dim, Shape(dims[start:stop])
        start = stop


def _disagree(first: Shape, second: Shape) -> bool:
    if _has_rest(first) or _has_rest(second):
        return False  # `*Lead` may be any sizes
    pairs = zip(first.known(), second.known(), strict=False)
    return first.rank != second.rank or any(None not in (a, b) and differ(a, b) for a, b in pairs)
