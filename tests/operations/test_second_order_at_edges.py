"""Derivatives where a plain formula would overflow before its finite result, or lose its digits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import ml_dtypes
import numpy as np
import pytest

import typegrad as tg
from support.building import constant
from typegrad.op import core, linalg, math, nn

LARGEST: Final = float(np.finfo(np.float64).max)
Build: TypeAlias = Callable[..., Any]

EDGES: Final[list[tuple[str, Build, tuple[complex, ...], int, int, complex]]] = [
    ("Asinh", math.Asinh.create, (LARGEST,), 0, 0, 0),
    ("Asinh", math.Asinh.create, (-LARGEST,), 0, 0, 0),
    ("Acosh", math.Acosh.create, (LARGEST,), 0, 0, 0),
    ("Xdivy", math.Xdivy.create, (1, LARGEST), 1, 1, 0),
    ("Xdivy", math.Xdivy.create, (0, LARGEST), 1, 1, 0),
    ("Xdivy", math.Xdivy.create, (3, 2), 1, 1, 0.75),
    ("Xdivy", math.Xdivy.create, (3, 2), 0, 1, -0.25),
    ("Xdivy", math.Xdivy.create, (3, 2), 1, 0, -0.25),
    ("Xdivy", math.Xdivy.create, (0, 0), 1, 0, 0),
    ("Xdivy", math.Xdivy.create, (0j, complex(LARGEST, LARGEST)), 1, 1, 0),
    ("Pow", math.Pow.create, (1e-307, 0), 0, 1, 1e307),
    ("SoftplusGrad", math.SoftplusGrad.create, (LARGEST, 0), 1, 1, 0),
]


@pytest.mark.parametrize(("name", "build", "at", "first", "second", "expected"), EDGES)
def test_second_derivative(
    name: str, build: Build, at: tuple[complex, ...], first: int, second: int, expected: complex
) -> None:
    scope = tg.Scope(tg.Graph())
    dtype = np.complex128 if isinstance(at[0], complex) else np.float64
    xs = [constant(scope, i, np.asarray(x, dtype)) for i, x in enumerate(at)]
    y: Any = build(scope, *xs)
    one = constant(scope, 0, np.asarray(1, dtype))
    (derivative,) = tg.gradients(scope, [y], [xs[first]], grad_ys=[one])
    assert derivative is not None, name
    (result,) = tg.gradients(scope, [derivative], [xs[second]], grad_ys=[one])
    assert result is not None, name
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(result), expected, rtol=1e-12)


@pytest.mark.parametrize("x", [1e-300, -1e-20, 1e-9])
@pytest.mark.parametrize(
    ("build", "expected"), [(math.BesselI1.create, 0), (math.BesselI1e.create, -1), (math.BesselJ1.create, 0)]
)
def test_near_zero_the_second_derivative_keeps_its_digits(build: Build, expected: float, x: float) -> None:
    """Although y / x, whose derivatives are differences of large numbers, is a term of the first one."""
    scope = tg.Scope(tg.Graph())
    at = constant(scope, 0, np.asarray(x))
    second = tg.grad(scope, tg.grad(scope, build(scope, at), at), at)
    with tg.Session(scope.graph) as session:
        assert session.run(second) == pytest.approx(expected * np.sign(x), abs=1e-8)


def test_the_slope_of_dawsons_integral_is_finite_at_the_largest_number() -> None:
    scope = tg.Scope(tg.Graph())
    x = constant(scope, 0, np.asarray(LARGEST))
    slope = tg.grad(scope, math.Dawsn.create(scope, x), x)
    with tg.Session(scope.graph) as session:
        assert session.run(slope) == pytest.approx(0)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("build", [nn.Elu.create, nn.Selu.create])
@pytest.mark.parametrize(
    "dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64], ids=lambda dtype: dtype.__name__
)
def test_a_unit_that_is_constant_has_the_slope_zero(build: Build, dtype: Any, order: int) -> None:
    scope = tg.Scope(tg.Graph())
    x = constant(scope, 0, np.asarray(-800, dtype))
    slope: Any = build(scope, x)
    for _ in range(order):
        slope = tg.grad(scope, slope, x)
    with tg.Session(scope.graph) as session:
        assert session.run(slope) == 0


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_the_norm_of_no_elements_has_zeros_in_the_second_order(dtype: Any) -> None:
    scope = tg.Scope(tg.Graph())
    x, dy, weights = (constant(scope, i, np.ones(size, dtype)) for i, size in enumerate(((2, 0), (2,), (2, 0))))
    norms = linalg.EuclideanNorm.create(scope, x, 1).as_output()
    (first,) = tg.gradients(scope, [norms], [x], grad_ys=[dy])
    assert first is not None
    (second,) = tg.gradients(scope, [first], [dy], grad_ys=[weights])
    assert second is not None
    with tg.Session(scope.graph) as session:
        assert session.run(second).tolist() == [0, 0]


def test_no_rows_without_elements_are_counted_by_their_indices() -> None:
    """Their number does not follow from their elements."""
    scope = tg.Scope(tg.Graph())
    table, places = constant(scope, 0, np.ones((3, 0))), core.Placeholder.create(scope, tg.TInt32)
    taken = [core.Gather.create(scope, table, each, 0).as_output() for each in (places, 1)]
    (gradient,) = tg.gradients(
        scope, taken, [table], grad_ys=[core.OnesLike.create(scope, each).as_output() for each in taken]
    )
    assert gradient is not None
    with tg.Session(scope.graph) as session:
        for shape in ((), (1, 0), (2, 1)):
            assert session.run(gradient, {places: np.zeros(shape, np.int32)}).shape == (3, 0)
