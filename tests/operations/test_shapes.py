"""Inferred shapes: exact where everything is known, never wrong where little is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
import pytest

import typegrad as tg
from support.building import Place, build, constant, place_all, placeholder, values
from support.case import Case
from support.recording import Array, as_array
from support.registry import by_op, definition, names
from support.reporting import check_all
from typegrad.base.bfloat16 import BFLOAT16
from typegrad.base.errors import TypegradError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.size import bind
from typegrad.graph.definition import resolve
from typegrad.graph.operation import Operation

DEPENDS_ON_VALUES: Final = {
    "Where": "as many rows as there are true elements",
    "ComputeAccidentalHits": "as many elements as there are hits",
    "CTCBeamSearchDecoder": "as many labels as are decoded",
    "CTCGreedyDecoder": "as many labels as are decoded",
    "ListDiff": "as many elements as are not in the other vector",
    **dict.fromkeys(
        ("DecodeAndCropJpeg", "DecodeBmp", "DecodeGif", "DecodeImage", "DecodeJpeg", "DecodePng", "DecodeWebP"),
        "as many pixels as the file has",
    ),
    "NonMaxSuppressionV5": "as many elements as are selected",
    "NonMaxSuppressionWithOverlaps": "as many elements as are selected",
    "UniqueV2": "as many slices as differ",
    "UniqueWithCountsV2": "as many slices as differ",
    "Placeholder": "any shape may be fed",
    "PlaceholderWithDefault": "any shape may be fed",
}
"""Operations whose output shape is not known even where the inputs are, and why."""


def test_shape_functions_are_described_one_by_one() -> None:
    # The page of an operation shows the docstring without the function before it.
    documented = {path: resolve(path).__doc__ or "The same" for path in {definition(name).shape for name in names()}}
    assert [path for path, text in documented.items() if text.startswith("The same")] == []


def _cases(name: str) -> list[Case]:
    return [case for _, case in by_op()[name] if not case.fails]


def _partly(shape: Callable[[Array], Shape], *, integers_known: bool) -> Place:
    """Placeholders with the part of the shape that `shape` tells; integers may be constants."""

    def place(scope: tg.Scope, index: int, value: Array) -> tg.Output[tg.TType]:
        if integers_known and value.dtype.kind in "iu":
            return constant(scope, index, value)
        return placeholder(scope, value, shape(value))

    return place


def _unknown(_: Array) -> Shape:
    return UNKNOWN


_SIZES: Final = {f"size{size}": size for size in range(2, 10_000)}


def _named(value: Array) -> Shape:
    return Shape(tuple(f"size{size}" if size > 1 else size for size in value.shape))


PARTLY: Final[dict[str, Place]] = {
    "shapes known": _partly(lambda value: Shape(value.shape), integers_known=False),
    "ranks and integers known": _partly(lambda value: Shape((None,) * value.ndim), integers_known=True),
    "first dimension unknown": _partly(
        lambda value: Shape((None, *value.shape[1:])[: value.ndim]), integers_known=True
    ),
    "last dimension unknown": _partly(
        lambda value: Shape((*value.shape[:-1], None) if value.ndim else ()), integers_known=True
    ),
    "ranks known": _partly(lambda value: Shape((None,) * value.ndim), integers_known=False),
    "integers known": _partly(_unknown, integers_known=True),
    "nothing known": _partly(_unknown, integers_known=False),
}


Sizes: TypeAlias = Sequence[tuple[int, ...] | None]
"""The shapes of the results; None for what has none."""


@pytest.mark.parametrize("name", sorted(by_op()))
def test_shapes_are_exact_where_all_is_known_and_never_wrong_where_little_is(name: str) -> None:
    check_all(_cases(name), _problem)


def _problem(case: Case) -> str | None:
    op, results = _run(case)
    return (
        _problem_where_all_is_known(case, op, results)
        or _problem_where_little_is_known(case, results)
        or _problem_with_names(case, results)
    )


def _problem_where_all_is_known(case: Case, op: Operation, results: Sizes) -> str | None:
    for index, (output, result) in enumerate(zip(op.outputs, results, strict=True)):
        if result is None:
            continue
        if (_is_exact(case) and output.shape != Shape(result)) or not output.shape.accepts(result):
            return f"output {index} is inferred as {output.shape}, but is {list(result)}"
    return None


def _is_exact(case: Case) -> bool:
    depends_on_floats = case.op == "Range" and as_array(case.inputs[0]).dtype == BFLOAT16
    return case.op not in DEPENDS_ON_VALUES and not depends_on_floats


def _problem_where_little_is_known(case: Case, results: Sizes) -> str | None:
    for label, place in PARTLY.items():
        try:
            op = _built(case, place)
        except TypegradError as error:
            return f"{label}: refuses what runs: {error}"
        for index, (output, result) in enumerate(zip(op.outputs, results, strict=True)):
            if result is not None and not output.shape.accepts(result):
                return f"{label}: output {index} is inferred as {output.shape}, but is {list(result)}"
    return None


def _problem_with_names(case: Case, results: Sizes) -> str | None:
    """Each size above 1 gets a name.

    An operation may refuse a name where it needs a size, but must not give it another meaning. Arithmetic with names is
    the same arithmetic with their sizes; where that is negative, a run is refused.
    """
    try:
        op = _built(case, _partly(_named, integers_known=True))
    except tg.ShapeError:
        return None
    for index, (output, result) in enumerate(zip(op.outputs, results, strict=True)):
        if result is None or output.shape.dims is None:
            continue
        if len(output.shape.dims) != len(result):
            return f"output {index} is inferred as {output.shape}, but is {list(result)}"
        for dim, size in zip(output.shape.dims, result, strict=True):
            bound = bind(dim, _SIZES)
            if bound is not None and bound != size and not (isinstance(bound, int) and bound < 0):
                return f"output {index} is inferred as {output.shape}, but is {list(result)}"
    return None


def _built(case: Case, place: Place) -> Operation:
    scope = tg.Scope(tg.Graph(seed=1))
    return build(scope, case, place_all(scope, case, place))


def _run(case: Case) -> tuple[Operation, Sizes]:
    """The operation on constants, and the shapes of its results."""
    op = _built(case, constant)
    with tg.Session(op.graph) as session:
        results = values(session, op)
    return op, [None if result is None else np.shape(result) for result in results]
