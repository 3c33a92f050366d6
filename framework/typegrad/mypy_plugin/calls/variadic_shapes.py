"""Shapes with any number of dimensions: `S`, or the `*Lead` of `tuple[*Lead, Literal[64]]`.

Shape functions take shapes of a known rank. So they are asked about several ranks, with names in place of the unknown
dimensions: where all answers are alike, so is every other, since a shape function treats all names alike. Where some
of the dimensions may be 1, it is asked about several choices of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Final, TypeAlias

from mypy.plugin import CheckerPluginInterface
from mypy.types import TypeVarTupleType, TypeVarType

from typegrad.base.errors import ShapeError, TypegradError
from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Name, ReducedRest, Rest, reduced, united_outputs
from typegrad.mypy_plugin.base.references import is_referred_to
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.calls.possible_calls import completed
from typegrad.mypy_plugin.calls.ranks import Case, Pattern, Ranked
from typegrad.mypy_plugin.values.static_values import as_value, nested_shape
from typegrad.shapes.view import OpView

__all__ = ["Fill", "at_all_ranks", "filled", "inferred_at_all_ranks", "inferred_with_rests"]

_RANKS: Final = range(5)
"""No shape function distinguishes higher ranks."""
_Shapes: TypeAlias = tuple[Shape, ...]
Fill: TypeAlias = Callable[[Rest, Case], Sequence[Dim]]
"""The dimensions in place of a rest."""
_SOME: Final = (slice(0, 0), slice(None), slice(-1, None), slice(1))
"""The choices of the dimensions of a `ReducedRest` that are 1; the first one is none of them."""


def inferred_with_rests(call: Call, shapes: _Shapes) -> _Shapes | TypegradError:
    """The shapes of the outputs, with rests where these reach an output; `shapes` where no more is known.

    An error if the inputs fit at no rank, whatever the unknown sizes are.
    """
    rests = {rest for group in call.patterns.values() for rest in _rests(group)}
    known, told = at_all_ranks(call.api, rests, partial(_shapes_in, call))
    if isinstance(told, TypegradError) and any(map(_has_ranked, call.patterns.values())):
        return shapes
    call.ranked = _ranked(call, rests, known) if known else None
    if told is None:
        return _misaligned(call, rests) or shapes
    return told


def inferred_at_all_ranks(call: Call, shapes: _Shapes) -> _Shapes:
    """The shapes of the outputs where defaults depend on the unknown rank of the first input: what all ranks make.

    A sum over all dimensions, however many they are, is a scalar.
    """
    first = next(each.name for each in call.definition.op.inputs if each.name in call.shapes)
    answers: list[_Shapes | TypegradError] = []
    for rank in _RANKS:
        ranked = copy(call)
        ranked.shapes = {**call.shapes, first: Shape((None,) * rank)}
        answers.append(_shapes_in(ranked, (rank, 0), _unknown))
    known = [each for each in answers if not isinstance(each, TypegradError)]
    return united_outputs(known) if known else shapes


def _misaligned(call: Call, rests: Collection[Rest]) -> ShapeError | None:
    """The error of operands of the same leading dimensions, and of different numbers of others: [*Lead, 6] and [*Lead].

    They fit by chance, where sizes are equal or 1, or where there are no leading dimensions. So it is none in a
    function that the file refers to: the arguments of calls tell more.
    """
    rest, *others = rests
    patterns = [each for each in call.patterns.values() if isinstance(each, Shape)]
    if others or not isinstance(rest.type, TypeVarTupleType) or len({len(each.dims or ()) for each in patterns}) < 2:
        return None
    if len(patterns) < len(call.shapes) or is_referred_to(checker_of(call.api)):
        return None
    errors = [_shapes_in(call, (rank, 0), _names) for rank in _RANKS[1:]]
    if not all(isinstance(each, ShapeError) for each in errors):
        return None
    told = str(errors[0]).replace(Name.__str__(Name(f"{str.__str__(rest)}#0", rest.type)), str(rest))
    rank = max(len(each.dims or ()) for each in patterns)
    return ShapeError(re.sub(r"\b(axis|axes|to) (\d)\b", lambda axis: f"{axis[1]} {int(axis[2]) - rank}", told))


def at_all_ranks(
    api: CheckerPluginInterface, rests: Collection[Rest], answer: Callable[[Case, Fill], _Shapes | TypegradError]
) -> tuple[Mapping[Case, _Shapes], _Shapes | TypegradError | None]:
    """What a function of shapes answers in each case, and the same with rests; None where no more is known.

    An error if its inputs fit at no rank, whatever the unknown sizes are.
    """
    choices = len(_SOME) if any(isinstance(rest, ReducedRest) for rest in rests) else 1
    answers = {(rank, ones): answer((rank, ones), _names) for rank in _RANKS for ones in range(choices)}
    known = {case: shapes for case, shapes in answers.items() if not isinstance(shapes, TypegradError)}
    failed = [answer(case, _unknown) for case in answers if case not in known]
    errors = [each for each in failed if isinstance(each, TypegradError)]
    if len(errors) < len(failed):
        return {}, None  # sizes that are equal or 1, which names are not, may fit and have another shape
    if not known:
        return {}, _told(errors[1], str([*answers.values()][1]), rests)
    if len({rank for rank, _ in known}) == 1:
        return known, None
    whole = sorted({rest.whole if isinstance(rest, ReducedRest) else rest for rest in rests})
    columns = zip(*known.values(), strict=True)
    results = [_common(api, whole, [*zip(known, column, strict=True)]) for column in columns]
    told = tuple(result for result in results if result is not None)
    return known, told if len(told) == len(results) else None


def _told(error: TypegradError, named: str, rests: Collection[Rest]) -> TypegradError:
    """The error for one unknown dimension in the place of each rest, with the rests themselves, as "[*Lead, 64]"."""
    told = unknown = named
    for rest in rests:
        whole = rest.whole if isinstance(rest, ReducedRest) else rest
        name = rf"\b{re.escape(Name.__str__(whole))}\b"
        told, unknown = re.sub(name, str(whole), told), re.sub(name, "?", unknown)
    is_same = type(error) is ShapeError and unknown == str(error)
    return ShapeError(told) if is_same else error


def _ranked(call: Call, rests: Collection[Rest], known: Mapping[Case, _Shapes]) -> Ranked | None:
    """The shapes of the only output; None if there are several outputs."""
    is_one = len(call.definition.op.outputs) == 1 and not call.definition.op.outputs[0].count
    return Ranked(frozenset(rests), {case: shapes[0] for case, shapes in known.items()}) if is_one else None


def _common(api: CheckerPluginInterface, rests: Sequence[Rest], shapes: Sequence[tuple[Case, Shape]]) -> Shape | None:
    """The shape with rests that is each of these shapes at its rank; None if there is none."""
    (deepest, _), last = max(shapes, key=lambda each: each[0][0])
    whole = _with_rests(last, rests, deepest)
    if all(shape == filled(whole, case, _names) for case, shape in shapes):
        return whole
    rest = rests[0]
    is_reduced = len(rests) == 1 and isinstance(rest.type, TypeVarType)
    return Shape((reduced(api, rest),)) if is_reduced and all(_fits(rest, *each) for each in shapes) else None


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


def _shapes_in(call: Call, case: Case, fill: Fill) -> _Shapes | TypegradError:
    """The shapes of the outputs, what they have in common if the number of operands or a flag is not known."""
    answers = [_answer(each, case, fill) for each in completed(call)]
    known = [answer for answer in answers if not isinstance(answer, TypegradError)]
    if len(known) == 1 or not known:
        return (known or answers)[0]
    return united_outputs(known)


def _answer(call: Call, case: Case, fill: Fill) -> _Shapes | TypegradError:
    shapes, values, attrs = dict(call.shapes), dict(call.values), call.attrs.copy()
    try:
        for name, group in call.patterns.items():
            if isinstance(group, tuple):
                shapes[name] = tuple(filled(each, case, fill) for each in group)
            elif name in shapes:
                shapes[name] = filled(group, case, fill)
            else:
                attrs[name] = filled(group, case, fill)
        for each in call.by_rank:
            values[each.name] = as_value(default := call.default_of(each, shapes))
            shapes[each.name] = nested_shape(default)
        return call.definition.op.infer_shapes(OpView(shapes, values, attrs))
    except TypegradError as error:
        return error


def filled(pattern: Pattern, case: Case, fill: Fill) -> Shape:
    """The shape in a case, with dimensions in place of each rest."""
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
