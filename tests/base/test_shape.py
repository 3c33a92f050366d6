"""A shape of known rank is used as a tuple; one of unknown rank refuses what needs its dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, NewType

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core

Batch = NewType("Batch", int)
Time = NewType("Time", int)
DIMS: Final = (3, None, "Batch", 3)


def matched(shape: Any) -> Any:
    match shape:
        case ():
            return "scalar"
        case (3, *rest):
            return rest
        case (_, columns):
            return columns
        case _:
            return "other"


USES: Final[dict[str, Callable[[Any], Any]]] = {
    "match": matched,
    "index": lambda dims: (dims.index(3), dims.index(3, 1), dims.index("Batch", 1, 3)),
    "count": lambda dims: (dims.count(3), dims.count(None), dims.count(5)),
    "in": lambda dims: ("Batch" in dims, None in dims, 4 in dims),
    "reversed": lambda dims: list(reversed(dims)),
    "len": len,
    "is a sequence": lambda dims: isinstance(dims, Sequence),
}
NEEDS_DIMENSIONS: Final = USES.keys() - {"is a sequence"}


@pytest.mark.parametrize("use", USES)
def test_a_shape_is_used_as_a_tuple(use: str) -> None:
    assert USES[use](tg.Shape.of(*DIMS)) == USES[use](DIMS)


@pytest.mark.parametrize("use", sorted(NEEDS_DIMENSIONS))
def test_the_rank_must_be_known(use: str) -> None:
    with pytest.raises(tg.ShapeError, match="the rank must be known here"):
        USES[use](tg.Shape(None))


@pytest.mark.parametrize(
    ("dims", "expected"), {(): "scalar", (None, 5): 5, ("Batch", None): None, (5,): "other", (3, 4): [4]}.items()
)
def test_patterns_match_the_dimensions(dims: tuple[Any, ...], expected: Any) -> None:
    assert matched(tg.Shape.of(*dims)) == expected


def test_the_dimensions_are_those_of_a_tuple() -> None:
    assert str(tg.Shape.of(Batch, np.int32(6), -1, None)) == "[Batch, 6, ?, ?]"


@pytest.mark.parametrize(
    ("listed", "is_equal"),
    [
        ((Batch, 6, None, tg.Times[Batch, Literal[2]]), True),
        (["Batch", np.int32(6), -1, tg.Plus[Batch, Batch]], True),
        ((Time, 6, None, tg.Times[Batch, Literal[2]]), False),
        ((Batch, 6, None, tg.Times[Time, Literal[2]]), False),
        ((Batch, 6, None), False),
        ((Batch, 6, None, "2 * Batch"), False),
        ((Batch, 6, 1.5, None), False),
    ],
)
def test_it_is_equal_to_what_makes_it(listed: Any, is_equal: bool) -> None:
    shape = tg.Shape.of(Batch, 6, None, tg.Times[Batch, Literal[2]])
    assert (shape == listed, listed == shape, shape != listed) == (is_equal, is_equal, not is_equal)
    assert tg.Shape(None) != listed


def test_a_name_is_equal_to_the_type_of_that_name() -> None:
    shape = tg.Shape.of(4, Batch)
    assert shape[1] == Batch
    assert shape[1] != Time
    assert (Batch in shape, Time in shape, shape.index(Batch), shape.count(Batch)) == (True, False, 1, 1)
    assert {shape[1]: 3} == {"Batch": 3}


def test_a_size_that_is_not_there_is_refused_as_by_a_tuple() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        tg.Shape.of(*DIMS).index(7)


NOT_A_LIST: Final[dict[str, tuple[Callable[[tg.Scope, Any], object], str]]] = {
    "a fetch": (
        lambda scope, shape: tg.Session(scope.graph).run(shape),
        "mapping or dataclass of fetches, not Shape([2, 3])",
    ),
    "operands": (
        core.Stack.create,
        "takes a list of operands, not Shape([2, 3]); write list(...)",
    ),
    "ys": (lambda scope, shape: tg.gradients(scope, shape, []), "`ys` must be an Operand or a list of Operands, not"),
    "xs": (lambda scope, shape: tg.gradients(scope, [], shape), "xs is a list or tuple, not Shape; write list(...)"),
}


@pytest.mark.parametrize("use", NOT_A_LIST)
def test_a_shape_is_no_list_of_fetches_or_operands(scope: tg.Scope, use: str) -> None:
    function, message = NOT_A_LIST[use]
    with pytest.raises(tg.TypegradError) as caught:
        function(scope, tg.Shape.of(2, 3))
    assert message in str(caught.value)
