"""Arrays without values have the shapes and types that NumPy's own have."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from typegrad.dry_run.computing.numpy_calls import numpy_result
from typegrad.dry_run.known.arrays import StandIn, bare, integer, is_integer, stand_in
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, UnknownFloat

ONE: Final[dict[str, Callable[..., Any]]] = {
    "sum": lambda a: (np.sum, (a,), {"axis": 0}),
    "mean": lambda a: (np.mean, (a,), {"axis": -1, "keepdims": True}),
    "all of them": lambda a: (np.max, (a,), {}),
    "arg": lambda a: (np.argsort, (a,), {"axis": 0}),
    "expanded": lambda a: (np.expand_dims, (a, 1), {}),
    "transposed": lambda a: (np.swapaxes, (a, 0, -1), {}),
    "flat": lambda a: (np.reshape, (a, -1), {}),
    "concatenated": lambda a: (np.concatenate, ([a, a],), {"axis": -1}),
    "stacked": lambda a: (np.stack, ([a, a, a],), {"axis": 1}),
    "padded": lambda a: (np.pad, (a, 1), {}),
    "cumulative": lambda a: (np.cumsum, (a,), {"axis": 0}),
    "item": lambda a: (operator.getitem, (a, (slice(None, None, 2), ..., None)), {}),
    "rows": lambda a: (operator.getitem, (a, [0, 0]), {}),
    "exponential": lambda a: (np.exp, (a,), {}),
    "truth": lambda a: (np.isnan, (a,), {}),
    "clipped": lambda a: (np.clip, (a, 0, 1), {}),
    "type": lambda a: (a.astype, (np.float32,), {}),
    "copy": lambda a: (a.copy, (), {}),
    "tiled": lambda a: (np.tile, (a, 2), {}),
    "outer": lambda a: (np.outer, (a, a), {}),
    "some elements": lambda a: (np.add, (a[0], 1), {"where": a > 0, "out": None}),
    "several results": lambda a: (
        lambda x, **options: np.modf(x, **options)[0],
        (a,),
        {"where": a > 0, "out": (None, None)},
    ),
    "bytes": lambda a: (a.view, (np.uint8,), {}),
}
"""A call for an array of one dimension or more."""
TWO: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "sum": operator.add, "quotient": operator.truediv, "floor": operator.floordiv, "power": operator.pow,
    "comparison": operator.lt, "maximum": np.maximum,
}  # fmt: skip
SHAPES: Final = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
DTYPES: Final = st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.uint8])


def kinds(value: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return np.shape(value), np.asarray(value).dtype


@pytest.mark.parametrize("name", ONE)
@given(shape=SHAPES, dtype=DTYPES)
def test_a_function_of_an_array(name: str, shape: tuple[int, ...], dtype: Any) -> None:
    function, args, kwargs = ONE[name](np.ones(shape, dtype))
    hidden, hidden_args, _ = ONE[name](stand_in(shape, dtype))
    result = numpy_result(hidden, hidden_args, kwargs)
    expected = function(*args, **kwargs)
    assert isinstance(result, StandIn) or np.array_equal(result, expected)  # where the only element is
    assert (result.shape, result.dtype) == kinds(expected)


@pytest.mark.parametrize("name", TWO)
@given(shape=SHAPES, dtype=DTYPES, other=DTYPES, is_number=st.booleans())
def test_an_operator(name: str, shape: tuple[int, ...], dtype: Any, other: Any, is_number: bool) -> None:
    right, hidden_right = (2, 2) if is_number else (np.ones((1, *shape), other), stand_in((1, *shape), other))
    result = numpy_result(TWO[name], (stand_in(shape, dtype), hidden_right), {})
    expected = TWO[name](np.ones(shape, dtype), right)
    assert (result.shape, result.dtype) == kinds(expected)


@given(shape=SHAPES)
def test_random_numbers(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    calls: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] = [
        (rng.normal, (0.0, 1.0, shape), {}),
        (rng.integers, (0, 5), {"size": shape, "dtype": np.int32}),
        (rng.random, (shape, np.float32), {}),
        (rng.permutation, (np.ones(shape),), {}),
        (rng.choice, ([1.5, 2.5],), {"size": shape}),
        (rng.choice, (np.arange(15.0).reshape(3, 5), 2), {"axis": 1}),
        (rng.multivariate_normal, (np.zeros(2), np.eye(2)), {"size": shape}),
        (np.random.randn, shape, {}),
    ]
    for function, args, kwargs in calls:
        result = numpy_result(function, args, kwargs)
        assert isinstance(result, StandIn)
        assert (result.shape, result.dtype) == kinds(function(*args, **kwargs))


MATRICES: Final[tuple[Callable[[Any], Any], ...]] = (
    np.linalg.svd, np.linalg.eigh, np.linalg.qr, np.linalg.inv, np.linalg.cholesky, np.linalg.slogdet, np.linalg.det,
)  # fmt: skip


@pytest.mark.parametrize("function", MATRICES, ids=lambda function: function.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_decompositions(function: Callable[[Any], Any], dtype: Any) -> None:
    results = numpy_result(function, (stand_in((2, 3, 3), dtype),), {})
    expected = function(np.broadcast_to(np.eye(3, dtype=dtype), (2, 3, 3)))
    pairs = zip(results, expected, strict=True) if isinstance(expected, tuple) else [(results, expected)]
    for result, known in pairs:
        assert isinstance(result, StandIn) and (result.shape, result.dtype) == kinds(known)


def test_what_depends_on_values_is_unknown() -> None:
    eigenvalues = numpy_result(np.linalg.eigvals, (stand_in((3, 3), np.float32),), {})
    assert (eigenvalues.shape, eigenvalues.dtype) == ((3,), UNKNOWN)  # real or complex
    for use in (bool, int, range, hash, str):
        with pytest.raises(UncertainError):
            use(stand_in((), np.int64))


@pytest.mark.parametrize(("function", "count"), [(np.outer, 2), (np.kron, 2), (np.meshgrid, 2), (np.diag, 1)])
def test_what_would_take_much_memory_is_not_computed(function: Callable[..., Any], count: int) -> None:
    large = stand_in((50_000,), np.float64)
    assert numpy_result(function, (large,) * count, {}) is UNKNOWN


def test_numbers_without_values() -> None:
    number = UnknownFloat(1)
    for each in (number + 1, 2 * number, -number, number**2, sum([number, number])):
        assert isinstance(each, UnknownFloat)
    for compare in (lambda: number < 1, lambda: number == 1.0, lambda: sorted([number, number]), lambda: {number}):
        with pytest.raises(UncertainError):
            compare()


def test_integers_without_values_take_the_type_of_what_they_are_combined_with() -> None:
    n = integer()
    assert numpy_result(operator.mul, (stand_in((3,), np.float32), n), {}).dtype == np.float32
    assert numpy_result(np.array, ([n, 3],), {}).dtype == np.int64
    assert numpy_result(np.array, ([n, 1.5],), {}).dtype == np.float64
    for each in (n + 1, 2 * n, -n, n // 2, n % 3, sum([n, n]), numpy_result(stand_in((1,), np.uint8).item, (), {})):
        assert is_integer(each) and bare(each) == 1
    for each in (n / 2, n * 1.5, 1.5 - n):
        assert isinstance(each, UnknownFloat)
    assert numpy_result(operator.pow, (2, n), {}) is UNKNOWN


def test_mistakes_in_shapes_are_errors() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        numpy_result(operator.add, (stand_in((3,), np.float32), stand_in((4,), np.float32)), {})
    with pytest.raises(ValueError, match="dimension"):
        numpy_result(np.concatenate, ([stand_in((3,), np.float32), stand_in((4, 1), np.float32)],), {})
