"""Shapes with any number of dimensions: `S`, or the `*Lead` of `tuple[*Lead, Literal[64]]`.

Shape functions take shapes of a known rank. So they are asked about several ranks, with names in place of the unknown
dimensions: where all answers are alike, so is every other, since a shape function treats all names alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from typegrad.base.errors import TypegradError
from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.calls import Call
from typegrad.mypy_plugin.dims import Name, Rest
from typegrad.shapes.view import OpView

__all__ = ["inferred_with_rests"]

_RANKS: Final = range(5)
"""No shape function distinguishes higher ranks."""
_Group: TypeAlias = Shape | tuple[Shape, ...]
_Shapes: TypeAlias = tuple[Shape, ...]
_Fill: TypeAlias = Callable[[Rest, int], Sequence[Dim]]
"""The dimensions in place of a rest, for a rank."""


def inferred_with_rests(call: Call, shapes: _Shapes) -> _Shapes | TypegradError:
    """The shapes of the outputs, with rests where these reach an output; `shapes` where no more is known.

    An error if the inputs fit at no rank, whatever the unknown sizes are.
    """
    answers = {rank: _asked(call, rank, _names) for rank in _RANKS}
    known = {rank: answer for rank, answer in answers.items() if not isinstance(answer, TypegradError)}
    if not known:
        answers = {rank: _asked(call, rank, _unknown) for rank in _RANKS}
        errors = [answer for answer in answers.values() if isinstance(answer, TypegradError)]
        return errors[1] if len(errors) == len(_RANKS) else shapes
    if len(known) == 1:
        return shapes
    rests = sorted({rest for group in call.patterns.values() for rest in _rests(group)})
    deepest = max(known)
    results = tuple(_with_rests(shape, rests, deepest) for shape in known[deepest])
    for rank, answer in known.items():
        if answer != tuple(_filled(result, rank, _names) for result in results):
            return shapes
    return results


def _names(rest: Rest, rank: int) -> Sequence[Dim]:
    return [Name(f"{str.__str__(rest)}#{axis}", rest.type) for axis in range(rank)]


def _unknown(rest: Rest, rank: int) -> Sequence[Dim]:
    del rest
    return [None] * rank


def _rests(group: _Group) -> Iterator[Rest]:
    for shape in group if isinstance(group, tuple) else (group,):
        yield from (dim for dim in shape.dims or () if isinstance(dim, Rest))


def _asked(call: Call, rank: int, fill: _Fill) -> _Shapes | TypegradError:
    shapes = dict(call.shapes)
    for name, group in call.patterns.items():
        if isinstance(group, tuple):
            shapes[name] = tuple(_filled(each, rank, fill) for each in group)
        else:
            shapes[name] = _filled(group, rank, fill)
    try:
        return call.definition.op.infer_shapes(OpView(shapes, call.values, call.attrs))
    except TypegradError as error:
        return error


def _filled(shape: Shape, rank: int, fill: _Fill) -> Shape:
    if shape.dims is None:
        return shape
    return Shape(tuple(each for dim in shape.dims for each in (fill(dim, rank) if isinstance(dim, Rest) else (dim,))))


def _with_rests(shape: Shape, rests: Sequence[Rest], rank: int) -> Shape:
    """The shape with each rest in place of its names."""
    dims = shape.dims
    if dims is None:
        return shape
    for rest in rests:
        names = tuple(_names(rest, rank))
        starts = [start for start in range(len(dims)) if dims[start : start + rank] == names]
        if starts:
            dims = (*dims[: starts[0]], rest, *dims[starts[0] + rank :])
    return Shape(dims)
