"""Symbolic sizes: their arithmetic agrees with their values' arithmetic, and equal values have equal forms."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, Final, Literal, NewType, TypeAlias, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import typegrad as tg
from typegrad.base.shape import as_shape, broadcast, merge_dim
from typegrad.base.size import Dim, Kind, Size, bind, combined, exact_quotient, floored, plus, times
from typegrad.base.size_ranges import differ

NAMES: Final[tuple[str, ...]] = ("Batch", "Time", "Maps")
Batch = NewType("Batch", int)
Time = NewType("Time", int)
B, T = "Batch", "Time"

Tree: TypeAlias = "int | str | tuple[Kind, Tree, Tree]"


def _trees(depth: int = 3) -> st.SearchStrategy[Any]:
    leaves: st.SearchStrategy[Any] = st.integers(0, 4) | st.sampled_from(NAMES)
    if not depth:
        return leaves
    below = _trees(depth - 1)
    halves: st.SearchStrategy[Any] = st.tuples(st.just("//"), below, st.integers(1, 4))
    return leaves | st.tuples(st.sampled_from(["+", "-", "*"]), below, below) | halves


def _symbolic(tree: Tree) -> Dim:
    return combined(tree[0], [_symbolic(tree[1]), _symbolic(tree[2])]) if isinstance(tree, tuple) else tree


def _value(tree: Tree, sizes: Mapping[str, int]) -> int:
    if isinstance(tree, str):
        return sizes[tree]
    if isinstance(tree, int):
        return tree
    left, right = _value(tree[1], sizes), _value(tree[2], sizes)
    return {"+": left + right, "-": left - right, "*": left * right}[tree[0]] if tree[0] != "//" else left // right


_SIZES: Final = st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES})


@given(_trees(), _SIZES)
def test_a_form_has_the_value_of_the_arithmetic(tree: Tree, sizes: dict[str, int]) -> None:
    assert bind(_symbolic(tree), sizes) == _value(tree, sizes)


@given(_trees(), st.sampled_from(NAMES), _SIZES)
def test_names_may_get_their_sizes_one_by_one(tree: Tree, first: str, sizes: dict[str, int]) -> None:
    partly = bind(_symbolic(tree), {first: sizes[first]})
    assert bind(partly, sizes) == _value(tree, sizes)


@given(_trees(2), _trees(2), _trees(2))
def test_forms_are_normal(a: Tree, b: Tree, c: Tree) -> None:
    x, y, z = map(_symbolic, (a, b, c))
    assert plus((x, y)) == plus((y, x)) and times((x, y)) == times((y, x))
    assert hash(plus((x, y))) == hash(plus((y, x)))
    assert times((x, plus((y, z)))) == plus((times((x, y)), times((x, z))))
    assert plus((plus((x, y)), times((-1, y)))) == x


@given(_trees(2), st.sampled_from([1, 2, 3, "Batch", "Maps"]))
def test_a_product_divides_by_its_factors(a: Tree, factor: int | str) -> None:
    x = _symbolic(a)
    assert exact_quotient(times((x, factor)), factor) == x


_GRID: Final = [dict[str, int](zip(NAMES, sizes, strict=True)) for sizes in product((0, 1, 4, 5, 7), repeat=3)]


@given(_trees(2), _trees(2))
def test_what_is_equal_for_all_sizes_does_not_differ(a: Tree, b: Tree) -> None:
    if differ(_symbolic(a), _symbolic(b)):
        assert any(_value(a, sizes) != _value(b, sizes) for sizes in _GRID)


@given(_trees(2), st.integers(2, 4))
def test_a_quotient_may_be_exact(tree: Tree, divisor: int) -> None:
    x = _symbolic(tree)
    rounded = times((divisor, floored(plus((x, divisor - 1)), divisor)))
    assert isinstance(x, int) or not differ(rounded, x)
    assert differ(plus((x, 1)), x)


def test_what_never_is_equal_differs() -> None:
    halves = times((2, floored(plus((T, 1)), 2)))
    assert differ(plus((halves, 2)), T) and not differ(plus((halves, -1)), T) and differ(floored(T, 2), T)
    assert differ(B, T) and differ(B, 3) and differ(times((2, B)), B)


@pytest.mark.parametrize(
    ("dim", "text"),
    [
        (plus((B, B)), "2*Batch"),
        (times((T, B)), "Batch*Time"),
        (plus((T, -1)), "Time - 1"),
        (plus((3, times((-1, T)))), "3 - Time"),
        (plus((B, times((-1, T)), -1)), "Batch - Time - 1"),
        (floored(plus((T, -1)), 2), "(Time - 1)//2"),
        (plus((floored(plus((T, -2)), 2), 1)), "Time//2"),
        (floored(plus((floored(T, 2), 1)), 3), "(Time + 2)//6"),
        (times((floored(T, 2), B)), "Batch*(Time//2)"),
        (times((plus((T, 1)), B)), "Batch*Time + Batch"),
        (exact_quotient(times((20, B)), 8), "5*Batch/2"),
        (times((exact_quotient(times((20, B)), 8), 4)), "10*Batch"),
        (exact_quotient(times((B, T)), "Rows"), "Batch*Time/Rows"),
        (exact_quotient(plus((times((B, T)), times((-1, B)))), plus((T, -1))), "Batch"),
        (exact_quotient(plus((B, 1)), 2), "(Batch + 1)/2"),
    ],
)
def test_a_size_prints_as_one_writes_it(dim: Dim, text: str) -> None:
    assert str(dim) == text


def test_a_form_that_is_an_int_or_a_name_is_one() -> None:
    assert type(plus((T, 3, times((-1, T))))) is int
    assert type(exact_quotient(times((B, 8)), 8)) is str
    assert plus((B, None)) is None and times((B, None)) is None and times((0, None)) == 0
    assert floored(B, T) is None and exact_quotient(B, 0) is None and exact_quotient(B, plus((T, 1))) is None


def test_sizes_have_operators() -> None:
    double = plus((B, B))
    assert isinstance(double, Size)
    assert [str(each) for each in (double + 1, 1 + double, double - 1, 1 - double, double * T, T * double)] == [
        "2*Batch + 1", "2*Batch + 1", "2*Batch - 1", "1 - 2*Batch", "2*Batch*Time", "2*Batch*Time",
    ]  # fmt: skip
    assert double // 2 == B and str(double // 4) == "Batch//2"


def test_named_dimensions_have_operators() -> None:
    dims: Any = as_shape((tg.Plus[Batch, Literal[0]], Batch, "Time", 8))
    same, batch, time, eight = dims
    assert batch == same == "Batch"
    assert [str(each) for each in (batch + 1, 1 + batch, batch - 1, 8 - time, batch * time, 2 * time, time // 2)] == [
        "Batch + 1", "Batch + 1", "Batch - 1", "8 - Time", "Batch*Time", "2*Time", "Time//2",
    ]  # fmt: skip
    assert "of " + batch == "of Batch"
    assert batch + batch == batch * 2 == plus((B, B)) and batch * eight == times((B, 8)) and batch + None is None


def test_text_is_added_to_no_size() -> None:
    sizes: Any = as_shape((Batch, tg.Plus[Batch, Literal[1]]))
    for size in sizes:
        with pytest.raises(TypeError, match=re.escape(f"{size} is a size, and ' rows' a string; write f\"{{x.shape")):
            size + " rows"


def test_a_size_that_only_a_run_knows_is_no_number() -> None:
    uses: list[Callable[[Any], object]] = [
        int, float, range, lambda size: np.zeros((size, 3)), lambda size: size < 3,
        lambda size: size >= 3, lambda size: size * 1.5, lambda size: size / 2, lambda size: 1 / size,
    ]  # fmt: skip
    for size in as_shape((Batch, tg.Plus[Batch, Literal[1]])):
        for use in uses:
            with pytest.raises(TypeError, match=re.escape(f"only a run knows the size {size}; core.Shape.create")):
                use(size)
    shapes: list[Any] = [as_shape((Batch, 3)), as_shape((2, 3))]  # NumPy's types take no shapes
    with pytest.raises(tg.ShapeError, match=r"every dimension of \[Batch, 3\] must be known here"):
        np.prod(shapes[0])
    assert np.prod(shapes[1]) == 6
    assert sorted([*as_shape(("b", "a"))]) == ["a", "b"]


def test_a_quotient_that_never_is_an_integer_is_refused() -> None:
    with pytest.raises(tg.ShapeError, match=r"2\*Batch \+ 1 is never a multiple of 2"):
        exact_quotient(plus((times((2, B)), 1)), 2)


def test_annotations_are_sizes() -> None:
    dims = (tg.Times[Batch, Time, Literal[2]], tg.Plus[Time, Literal[1]], tg.Minus[Time, Literal[1]])
    assert str(as_shape((*dims, tg.Over[Batch, Literal[2]], tg.FloorDiv[Time, Literal[2]], 8))) == (
        "[2*Batch*Time, Time + 1, Time - 1, Batch/2, Time//2, 8]"
    )
    assert as_shape((tg.Times[Time, Batch],)) == as_shape((tg.Times[Batch, Time],))
    with pytest.raises(tg.ShapeError, match="a dimension is an int from 0 up"):
        as_shape((tg.Minus[Literal[1], Literal[2]],))
    with pytest.raises(tg.ShapeError, match="a dimension is an int from 0 up"):
        as_shape([cast("Any", list[int])])


def test_forms_meet() -> None:
    double, halves = plus((B, B)), times((2, floored(plus((T, 1)), 2)))
    assert merge_dim(double, None) == double == merge_dim(None, double)
    assert merge_dim(halves, T) == T == merge_dim(T, halves)
    for other in (B, 3, plus((double, 1))):
        with pytest.raises(tg.ShapeError, match=r"dimensions 2\*Batch and .* differ"):
            merge_dim(double, other)
    assert broadcast(as_shape((double, 1)), as_shape((T,))) == (double, T)
    with pytest.raises(tg.ShapeError, match=r"2\*Batch and Time are neither equal nor 1"):
        broadcast(as_shape((double,)), as_shape((T,)))
