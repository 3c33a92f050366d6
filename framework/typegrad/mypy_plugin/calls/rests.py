"""Shapes with any number of dimensions: `S`, or the `*Lead` of `tuple[*Lead, Literal[64]]`.

Shape functions take shapes of a known rank. So they are asked about several ranks, with names in place of the unknown
dimensions: where all answers are alike, so is every other, since a shape function treats all names alike. Where some
of the dimensions may be 1, it is asked about several choices of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from mypy.types import TypeVarType

from typegrad.base.errors import TypegradError
from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.base.dims import Name, ReducedRest, Rest, reduced
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.values.evaluation import as_value, nested_shape
from typegrad.shapes.view import OpView

__all__ = ["inferred_with_rests"]

_RANKS: Final = range(5)
"""No shape function distinguishes higher ranks."""
_Group: TypeAlias = Shape | tuple[Shape, ...]
_Shapes: TypeAlias = tuple[Shape, ...]
_Case: TypeAlias = tuple[int, slice]
"""A rank, and the dimensions of a `ReducedRest` that are 1."""
_Fill: TypeAlias = Callable[[Rest, _Case], Sequence[Dim]]
"""The dimensions in place of a rest."""
_NONE: Final = slice(0, 0)
_SOME: Final = (_NONE, slice(None), slice(-1, None), slice(1))


def inferred_with_rests(call: Call, shapes: _Shapes) -> _Shapes | TypegradError:
    """The shapes of the outputs, with rests where these reach an output; `shapes` where no more is known.

    An error if the inputs fit at no rank, whatever the unknown sizes are.
    """
    occurring = {rest for group in call.patterns.values() for rest in _rests(group)}
    choices = _SOME if any(isinstance(rest, ReducedRest) for rest in occurring) else (_NONE,)
    cases = [(rank, ones) for rank in _RANKS for ones in choices]
    answers = [(case, _asked(call, case, _names)) for case in cases]
    known = [(case, answer) for case, answer in answers if not isinstance(answer, TypegradError)]
    if not known:
        unknown = [_asked(call, (rank, _NONE), _unknown) for rank in _RANKS]
        errors = [answer for answer in unknown if isinstance(answer, TypegradError)]
        return errors[1] if len(errors) == len(_RANKS) else shapes
    if len({rank for (rank, _), _ in known}) == 1:
        return shapes
    rests = sorted({rest.whole if isinstance(rest, ReducedRest) else rest for rest in occurring})
    columns = zip(*(answer for _, answer in known), strict=True)
    results = [
        _common(call, rests, [(case, shape) for (case, _), shape in zip(known, column, strict=True)])
        for column in columns
    ]
    told = tuple(result for result in results if result is not None)
    return told if len(told) == len(results) else shapes


def _common(call: Call, rests: Sequence[Rest], shapes: Sequence[tuple[_Case, Shape]]) -> Shape | None:
    """The shape with rests that is each of these shapes at its rank; None if there is none."""
    (deepest, _), last = max(shapes, key=lambda each: each[0][0])
    whole = _with_rests(last, rests, deepest)
    if all(shape == _filled(whole, case, _names) for case, shape in shapes):
        return whole
    rest = rests[0]
    is_reduced = len(rests) == 1 and isinstance(rest.type, TypeVarType)
    return Shape((reduced(call.api, rest),)) if is_reduced and all(_fits(rest, *each) for each in shapes) else None


def _fits(rest: Rest, case: _Case, shape: Shape) -> bool:
    """Whether a shape has the dimensions of a rest, some of them 1."""
    names = _names(rest, (case[0], _NONE))
    dims = shape.dims or ()
    return (
        shape.dims is not None
        and len(dims) == len(names)
        and all(dim in (1, name) for dim, name in zip(dims, names, strict=True))
    )


def _names(rest: Rest, case: _Case) -> Sequence[Dim]:
    rank, ones = case
    whole = rest.whole if isinstance(rest, ReducedRest) else rest
    dims: list[Dim] = [Name(f"{str.__str__(whole)}#{axis}", whole.type) for axis in range(rank)]
    if isinstance(rest, ReducedRest):
        dims[ones] = [1] * len(dims[ones])
    return dims


def _unknown(rest: Rest, case: _Case) -> Sequence[Dim]:
    del rest
    return [None] * case[0]


def _rests(group: _Group) -> Iterator[Rest]:
    for shape in group if isinstance(group, tuple) else (group,):
        yield from (dim for dim in shape.dims or () if isinstance(dim, Rest))


def _asked(call: Call, case: _Case, fill: _Fill) -> _Shapes | TypegradError:
    shapes, values = dict(call.shapes), dict(call.values)
    for name, group in call.patterns.items():
        if isinstance(group, tuple):
            shapes[name] = tuple(_filled(each, case, fill) for each in group)
        else:
            shapes[name] = _filled(group, case, fill)
    for each in call.by_rank:
        values[each.name] = as_value(default := call.default_of(each, shapes))
        shapes[each.name] = nested_shape(default)
    try:
        return call.definition.op.infer_shapes(OpView(shapes, values, call.attrs))
    except TypegradError as error:
        return error


def _filled(shape: Shape, case: _Case, fill: _Fill) -> Shape:
    if shape.dims is None:
        return shape
    return Shape(tuple(each for dim in shape.dims for each in (fill(dim, case) if isinstance(dim, Rest) else (dim,))))


def _with_rests(shape: Shape, rests: Sequence[Rest], rank: int) -> Shape:
    """The shape with each rest in place of its names."""
    dims = shape.dims
    if dims is None:
        return shape
    for rest in rests:
        names = tuple(_names(rest, (rank, _NONE)))
        starts = [start for start in range(len(dims)) if dims[start : start + rank] == names]
        if starts:
            dims = (*dims[: starts[0]], rest, *dims[starts[0] + rank :])
    return Shape(dims)
