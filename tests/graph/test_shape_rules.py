"""What shapes may be written, and what two shapes become together: unknown, a name, an int."""

from __future__ import annotations

from typing import Any

import pytest

import typegrad as tg
from typegrad.base.shape import UNKNOWN, as_shape, broadcast, merge, shared

LONG = (1,) * 254


@pytest.mark.parametrize("dims", [(0,), LONG, ("n",), (None,)])
def test_what_is_a_shape(dims: Any) -> None:
    assert as_shape(dims) == dims


DIMENSION = "a dimension is an int from 0 up, a name, or None (-1 also means unknown); got "


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        ((*LONG, 1), "a shape has at most 254 dimensions; got (1, 1, 1, 1, 1, 1, ...)"),
        ((True,), f"{DIMENSION}True"),
        (("",), f"{DIMENSION}''"),
        ((-2,), f"{DIMENSION}-2"),
        ("n", "a shape is a tuple of dimensions, such as (3, 5) or (None, 5); got 'n'"),
    ],
)
def test_what_is_no_shape(dims: Any, message: str) -> None:
    with pytest.raises(tg.ShapeError) as raised:
        as_shape(dims)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        (None, (2,), (2,)), ((2,), None, (2,)), ((None,), (2,), (2,)), (("n",), (None,), ("n",)),
        ((2,), ("n",), "differ"),
        (("m",), ("n",), "differ"), ((1,), (1, 1), "differ in rank"),
    ],
)  # fmt: skip
def test_the_shape_that_is_both(a: Any, b: Any, both: Any) -> None:
    if isinstance(both, str):
        with pytest.raises(tg.ShapeError, match=both):
            merge(as_shape(a), as_shape(b))
    else:
        assert merge(as_shape(a), as_shape(b)) == both


@pytest.mark.parametrize(
    ("shapes", "result"),
    [
        ([(2, "n")], (2, "n")), ([(2, 3), (2, 4)], (2, None)), ([("n", 3), (4, 3), ("n", 3)], (None, 3)),
        ([(None, 3), (2, 3)], (None, 3)), ([(), ()], ()), ([(2,), (2, 3)], None), ([(2,), None], None),
    ],
)  # fmt: skip
def test_what_shapes_have_in_common(shapes: Any, result: Any) -> None:
    assert shared([as_shape(each) for each in shapes]).dims == result


@pytest.mark.parametrize(
    ("a", "b", "result"),
    [
        ((1,), (3,), (3,)), ((1,), ("n",), ("n",)), ((1,), (None,), (None,)), ((None,), (3,), (3,)),
        ((None,), ("n",), (None,)), ((2, 3), (3,), (2, 3)), ((2, 1), (1, 3), (2, 3)),
    ],
)  # fmt: skip
def test_shapes_broadcast_either_way(a: Any, b: Any, result: Any) -> None:
    assert broadcast(as_shape(a), as_shape(b)) == broadcast(as_shape(b), as_shape(a)) == result


def test_an_unknown_rank_stays_unknown() -> None:
    assert broadcast(UNKNOWN, as_shape((3,))) == broadcast(as_shape((3,)), UNKNOWN) == UNKNOWN
