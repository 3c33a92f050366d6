"""Shapes with any number of dimensions: `S`, or the `*Lead` of `tuple[*Lead, Literal[64]]`.

Shape functions take shapes of a known rank. So they are asked about several ranks, with names in place of the unknown
dimensions: where all answers are alike, so is every other, since a shape function treats all names alike. Where some
of the dimensions may be 1, it is asked about several choices of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from mypy.types import TypeVarType

from typegrad.base.errors import ShapeError, TypegradError
from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.base.dims import Name, ReducedRest, Rest, reduced, united_outputs
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.calls.possible_calls import completed
from typegrad.mypy_plugin.calls.ranks import Case, Pattern, Ranked
from typegrad.mypy_plugin.values.static_values import as_value, nested_shape
from typegrad.shapes.view import OpView

__all__ = ["inferred_with_rests"]

_RANKS: Final = range(5)
"""No shape function distinguishes higher ranks."""
_Shapes: TypeAlias = tuple[Shape, ...]
_Fill: TypeAlias = Callable[[Rest, Case], Sequence[Dim]]
"""The dimensions in place of a rest."""
_SOME: Final = (slice(0, 0), slice(None), slice(-1, None), slice(1))
"""The choices of the dimensions of a `ReducedRest` that are 1; the first one is none of them."""


def inferred_with_rests(call: Call, shapes: _Shapes) -> _Shapes | TypegradError:
    """The shapes of the outputs, with rests where these reach an output; `shapes` where no more is known.

    An error if the inputs fit at no rank, whatever the unknown sizes are.
    """
    occurring = {rest for group in call.patterns.values() for rest in _rests(group)}
    choices = len(_SOME) if any(isinstance(rest, ReducedRest) for rest in occurring) else 1
    cases = [(rank, ones) for rank in _RANKS for ones in range(choices)]
    answers = [(case, _shapes_in(call, case, _names)) for case in cases]
    known = [(case, answer) for case, answer in answers if not isinstance(answer, TypegradError)]
    failed = [(case, _shapes_in(call, case, _unknown)) for case, answer in answers if isinstance(answer, TypegradError)]
    errors = [answer for _, answer in failed if isinstance(answer, TypegradError)]
    if not known:
        is_certain = len(errors) == len(failed) and not any(map(_has_ranked, call.patterns.values()))
        return _told(errors[1], answers[1][1], occurring) if is_certain else shapes
    if len(errors) < len(failed):
        return shapes  # sizes that are equal or 1, which names are not, may fit and have another shape
    call.ranked = _ranked(call, occurring, known)
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


def _told(error: TypegradError, named: _Shapes | TypegradError, rests: set[Rest]) -> TypegradError:
    """The error for one unknown dimension in the place of each rest, with the rests themselves, as "[*Lead, 64]"."""
    told = unknown = str(named)
    for rest in rests:
        whole = rest.whole if isinstance(rest, ReducedRest) else rest
        name = rf"\b{re.escape(Name.__str__(whole))}\b"
        told, unknown = re.sub(name, str(whole), told), re.sub(name, "?", unknown)
    is_same = type(error) is ShapeError and unknown == str(error)
    return ShapeError(told) if is_same else error


def _ranked(call: Call, rests: set[Rest], known: Sequence[tuple[Case, _Shapes]]) -> Ranked | None:
    """The shapes of the only output; None if there are several outputs."""
    is_one = len(known[0][1]) == 1 and not any(output.count for output in call.definition.op.outputs)
    return Ranked(frozenset(rests), {case: answer[0] for case, answer in known}) if is_one else None


def _common(call: Call, rests: Sequence[Rest], shapes: Sequence[tuple[Case, Shape]]) -> Shape | None:
    """The shape with rests that is each of these shapes at its rank; None if there is none."""
    (deepest, _), last = max(shapes, key=lambda each: each[0][0])
    whole = _with_rests(last, rests, deepest)
    if all(shape == _filled(whole, case, _names) for case, shape in shapes):
        return whole
    rest = rests[0]
    is_reduced = len(rests) == 1 and isinstance(rest.type, TypeVarType)
    return Shape((reduced(call.api, rest),)) if is_reduced and all(_fits(rest, *each) for each in shapes) else None


def _fits(rest: Rest, case: Case, shape: Shape) -> bool:
    """Whether a shape has the dimensions of a rest, some of them 1."""
    names = _names(rest, (case[0], 0))
    dims = shape.dims or ()
    return (
        shape.dims is not None
        and len(dims) == len(names)
        and all(dim in (1, name) for dim, name in zip(dims, names, strict=True))
    )


def _names(rest: Rest, case: Case) -> Sequence[Dim]:
    rank, ones = case
    whole = rest.whole if isinstance(rest, ReducedRest) else rest
    dims: list[Dim] = [Name(f"{str.__str__(whole)}#{axis}", whole.type) for axis in range(rank)]
    if isinstance(rest, ReducedRest):
        chosen = _SOME[ones]
        dims[chosen] = [1] * len(dims[chosen])
    return dims


def _unknown(rest: Rest, case: Case) -> Sequence[Dim]:
    del rest
    return [None] * case[0]


def _rests(group: Pattern | tuple[Pattern, ...]) -> Iterator[Rest]:
    if isinstance(group, tuple):
        for each in group:
            yield from _rests(each)
    elif isinstance(group, Ranked):
        yield from group.rests
    else:
        yield from (dim for dim in group.dims or () if isinstance(dim, Rest))


def _has_ranked(group: Pattern | tuple[Pattern, ...]) -> bool:
    return any(map(_has_ranked, group)) if isinstance(group, tuple) else isinstance(group, Ranked)


def _shapes_in(call: Call, case: Case, fill: _Fill) -> _Shapes | TypegradError:
    """The shapes of the outputs, what they have in common if the number of operands or a flag is not known."""
    answers = [_answer(each, case, fill) for each in completed(call)]
    known = [answer for answer in answers if not isinstance(answer, TypegradError)]
    if len(known) == 1 or not known:
        return (known or answers)[0]
    return united_outputs(known)


def _answer(call: Call, case: Case, fill: _Fill) -> _Shapes | TypegradError:
    shapes, values, attrs = dict(call.shapes), dict(call.values), call.attrs.copy()
    try:
        for name, group in call.patterns.items():
            if isinstance(group, tuple):
                shapes[name] = tuple(_filled(each, case, fill) for each in group)
            elif name in shapes:
                shapes[name] = _filled(group, case, fill)
            else:
                attrs[name] = _filled(group, case, fill)
        for each in call.by_rank:
            values[each.name] = as_value(default := call.default_of(each, shapes))
            shapes[each.name] = nested_shape(default)
        return call.definition.op.infer_shapes(OpView(shapes, values, attrs))
    except TypegradError as error:
        return error


def _filled(pattern: Pattern, case: Case, fill: _Fill) -> Shape:
    if isinstance(pattern, Ranked):
        shape = pattern.at(case)
        if shape is None:
            raise ShapeError("what makes the operand does not fit")
        return shape if fill is _names else _with_numbers(shape)
    if pattern.dims is None:
        return pattern
    return Shape(tuple(each for dim in pattern.dims for each in (fill(dim, case) if isinstance(dim, Rest) else (dim,))))


def _with_numbers(shape: Shape) -> Shape:
    """The shape with its numbers alone."""
    return shape if shape.dims is None else Shape(tuple(dim if isinstance(dim, int) else None for dim in shape.dims))


def _with_rests(shape: Shape, rests: Sequence[Rest], rank: int) -> Shape:
    """The shape with each rest in place of its names."""
    dims = shape.dims
    if dims is None:
        return shape
    for rest in rests:
        names = tuple(_names(rest, (rank, 0)))
        starts = [start for start in range(len(dims)) if dims[start : start + rank] == names]
        if starts:
            dims = (*dims[: starts[0]], rest, *dims[starts[0] + rank :])
    return Shape(dims)
