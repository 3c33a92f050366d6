"""Kernels that compute many elements in another way than few: beside NumPy, one element after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.building import placeholder
from support.recording import Array
from typegrad.kernels.activation import SELU_SCALE, SELU_SCALED_ALPHA
from typegrad.op import core, dtypes, linalg, math, nn, random

SPECIAL = np.array([0, -0.0, 1e-45, -1e-45, 1e-38, -1e-38, 1e-9, -1e-9, 88, -88, np.inf, -np.inf, np.nan], np.float32)


def run(create: Any, *inputs: Array, **attributes: object) -> Array:
    """An operation's result for what is fed."""
    scope = tg.Scope(tg.Graph())
    fed = [placeholder(scope, value) for value in inputs]
    result: Array = tg.Session(scope.graph).run(create(scope, *fed, **attributes), dict(zip(fed, inputs, strict=True)))
    return result


def bits(x: Array) -> Array:
    """The bits of floats; every nan has the same."""
    result: Array = np.where(np.isnan(x), np.nan, x).astype(x.dtype).view(f"u{x.itemsize}")
    return result


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int32, np.complex64])
@pytest.mark.parametrize("shape", [(9000,), (500, 30), (300, 5, 7)])
def test_sums_of_segments(dtype: Any, shape: tuple[int, ...]) -> None:
    """Rows are added one after the other, and those with a negative id are not."""
    rng = np.random.default_rng(1)
    data = (rng.integers(-50, 50, shape) / (1 if dtype == np.int32 else 8)).astype(dtype)
    ids = rng.integers(-2, 90, shape[0]).astype(np.int32)
    expected = np.zeros((100, *shape[1:]), dtype)
    np.add.at(expected, ids[ids >= 0], data[ids >= 0])
    result = run(math.UnsortedSegmentSum.create, data, ids, np.array(100, np.int32))
    assert np.array_equal(result, expected)
    order = np.argsort(ids[ids >= 0], kind="stable")
    result = run(math.SegmentSum.create, data[ids >= 0][order], ids[ids >= 0][order], np.array(100, np.int32))
    assert np.array_equal(result, expected)


def test_sums_of_segments_that_are_not_finite() -> None:
    """Each element has an effect on its own sum alone. Sums begin with 0, so none is -0."""
    data = np.ones((900, 13), np.float32)
    data[:13] = SPECIAL
    ids = (np.arange(900) // 2).astype(np.int32)
    expected = 0 + data[0::2] + data[1::2]
    result = run(math.SegmentSum.create, data, ids, np.array(450, np.int32))
    assert np.array_equal(bits(result), bits(expected))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exponential_linear_units(dtype: Any) -> None:
    """Without branches they are what they are by the definition, the sign of 0 included."""
    random = np.random.default_rng(1).normal(size=200_000) * 5
    x = np.concatenate([SPECIAL, random, -np.logspace(-44, 2, 5000)]).astype(dtype)
    scale, alpha = dtype(SELU_SCALE), dtype(SELU_SCALED_ALPHA)
    with np.errstate(all="ignore"):
        power = np.expm1(x)
        assert np.array_equal(bits(run(nn.Elu.create, x)), bits(np.where(x < 0, power, x)))
        assert np.array_equal(bits(run(nn.Selu.create, x)), bits(np.where(x < 0, power * alpha, x * scale)))


@pytest.mark.parametrize("count", [63, 64, 1000, 1024, 1025, 5000])
@pytest.mark.parametrize("is_transposed", [False, True])
def test_norms_of_long_rows(count: int, is_transposed: bool) -> None:
    """They are exact to rounding, also where elements are repeated or not in order."""
    x = np.random.default_rng(1).normal(size=(7, count)).astype(np.float32)
    expected = np.sqrt(np.square(x, dtype=np.float64).sum(axis=1))
    if is_transposed:
        scope = tg.Scope(tg.Graph())
        fed = placeholder(scope, x.T)
        norm = linalg.EuclideanNorm.create(scope, linalg.Transpose.create(scope, fed, (1, 0)), 1)
        result = tg.Session(scope.graph).run(norm, {fed: np.ascontiguousarray(x.T)})
    else:
        result = run(linalg.EuclideanNorm.create, x, np.array(1, np.int32))
    assert np.allclose(result, expected, rtol=3e-7)


@pytest.mark.parametrize("shape", [(3, 5), (2, 3, 1), (4,), (2, 0), (0, 2)])
@pytest.mark.parametrize("keep_dims", [False, True])
def test_truth_along_rows(shape: tuple[int, ...], keep_dims: bool) -> None:
    """A row has one element that decides; one without elements has none."""
    for seed in range(5):
        x: Any = np.random.default_rng(seed).random(shape) < 0.7
        axis = np.array(-1, np.int32)
        assert np.array_equal(run(core.All.create, x, axis, keep_dims=keep_dims), x.all(-1, keepdims=keep_dims))
        assert np.array_equal(run(core.Any.create, ~x, axis, keep_dims=keep_dims), (~x).any(-1, keepdims=keep_dims))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
@pytest.mark.parametrize(
    ("low", "high"), [(-1, 1), (0, 1), (-1, -0.0), (2, 1), (-np.inf, np.inf), (np.nan, 1), (-1, np.nan)]
)
def test_clipping(dtype: Any, low: float, high: float) -> None:
    """A bound that equals a number, or is nan, leaves it as it is, the sign of 0 included."""
    with np.errstate(all="ignore"):
        x = np.concatenate([SPECIAL, np.random.default_rng(1).normal(size=70_000)]).astype(dtype)
    bounds = np.array(low, dtype), np.array(high, dtype)
    below = np.where(x > bounds[1], bounds[1], x)
    expected = np.where(below < bounds[0], bounds[0], below)
    assert np.array_equal(bits(run(core.ClipByValue.create, x, *bounds)), bits(expected))


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8, np.uint64])
def test_casts_to_integers(dtype: Any) -> None:
    """Numbers outside the range change none of their neighbours."""
    x = np.random.default_rng(1).normal(size=140_000).astype(np.float32) * 100
    expected = x.astype(np.int64).astype(dtype)
    x[[5, 70_000]] = np.nan, 1e30
    scope = tg.Scope(tg.Graph())
    fed = placeholder(scope, x)
    target = {np.int32: tg.TInt32, np.int64: tg.TInt64, np.uint8: tg.TUint8, np.uint64: tg.TUint64}[dtype]
    result = tg.Session(scope.graph).run(dtypes.Cast.create(scope, fed, target), {fed: x})
    lowest = np.array(np.iinfo(np.int32 if dtype in (np.int32, np.uint8) else np.int64).min).astype(dtype)
    expected[[5, 70_000]] = lowest
    assert np.array_equal(result, expected)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", [np.float32, np.complex128, np.bool_, np.float16])
def test_joining(axis: int, dtype: Any) -> None:
    """Rows of any length side by side, in any order in memory."""
    rng = np.random.default_rng(1)
    scope = tg.Scope(tg.Graph())
    parts = [rng.integers(0, 100, (40, 30, 20)).astype(dtype) for _ in range(3)]
    fed = [placeholder(scope, part) for part in parts]
    turned = [linalg.Transpose.create(scope, each, (0, 1, 2)) for each in fed]
    backwards = core.Reverse.create(scope, fed[0], (0, 1))
    session, feeds = tg.Session(scope.graph), dict(zip(fed, parts, strict=True))
    expected = np.concatenate(parts, axis)
    assert np.array_equal(session.run(core.Concat.create(scope, turned, axis), feeds), expected)
    expected = np.concatenate([parts[0][::-1, ::-1], *parts], axis)
    assert np.array_equal(session.run(core.Concat.create(scope, [backwards, *fed], axis), feeds), expected)


@pytest.mark.parametrize("length", [65, 128, 200])
def test_fingerprints_of_many_rows(length: int) -> None:
    """The fingerprint of a row does not depend on the other ones."""
    rows = np.random.default_rng(1).integers(0, 256, (9000, length)).astype(np.uint8)
    method = np.array(b"farmhash64", object)
    result = run(core.Fingerprint.create, rows, method)
    chosen = [0, 1, 8191, 8192, 8999]
    assert np.array_equal(
        result[chosen], np.concatenate([run(core.Fingerprint.create, rows[[i]], method) for i in chosen])
    )


@pytest.mark.parametrize("size", [64, 65, 150, 300])
def test_gradients_of_cholesky_factors(size: int) -> None:
    """Murray, Differentiation of the Cholesky decomposition, 2016. What is above the diagonal is not read."""
    rng = np.random.default_rng(1)
    factor, grad = np.tril(rng.uniform(-1, 1, (size, size)) / size) + np.eye(size), rng.normal(size=(size, size))
    inverse, half = np.linalg.inv(factor), np.tril(factor.T @ np.tril(grad))
    half[np.diag_indices(size)] /= 2
    expected = inverse.T @ (half + half.T) @ inverse / 2
    above = np.triu(np.full((size, size), np.nan), 1)
    result = run(linalg.CholeskyGrad.create, factor + above, grad + above)
    np.testing.assert_allclose(result, expected, rtol=1e-11, atol=1e-12)
    assert np.array_equal(result, result.T)


def test_shuffles_keep_the_bits_of_elements() -> None:
    """A vector of four bytes per element, which is shuffled in place, and rows, of which the numbers are shuffled."""
    bits_of_nans = (0x7F800001 + np.arange(50_000)).astype(np.uint32)
    rest = np.array([7], np.uint64), np.array([1, 2], np.uint64), np.array(1, np.int32)
    expected = run(random.StatelessShuffle.create, bits_of_nans.astype(np.uint64), *rest)
    for vector in (bits_of_nans, bits_of_nans.view(np.float32), bits_of_nans.view(np.int32)):
        assert np.array_equal(run(random.StatelessShuffle.create, vector, *rest).view(np.uint32), expected)
    assert np.array_equal(run(random.StatelessShuffle.create, bits_of_nans[:, None], *rest)[:, 0], expected)
    assert np.array_equal(np.sort(expected), bits_of_nans) and not np.array_equal(expected, bits_of_nans)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.int32])
@pytest.mark.parametrize(("shape", "axes"), [((90, 70), [1]), ((7, 90, 11), [2, 1]), ((9000,), [0]), ((9000, 1), [-1])])
@pytest.mark.parametrize("keep_dims", [False, True])
def test_extremes_along_the_last_axes(dtype: Any, shape: tuple[int, ...], axes: list[int], keep_dims: bool) -> None:
    """A nan is the extreme of its row alone."""
    x: Any = (np.random.default_rng(1).normal(size=shape) * 50).astype(dtype)
    if dtype != np.int32:
        x.reshape(-1)[[0, 71, 143]] = np.nan, -np.inf, np.inf
    for create, extreme in ((core.Max.create, x.max), (core.Min.create, x.min)):
        result = run(create, x, np.array(axes, np.int32), keep_dims=keep_dims)
        expected = extreme(axis=tuple(axes), keepdims=keep_dims)
        assert result.shape == expected.shape
        assert np.array_equal(result, expected, equal_nan=dtype != np.int32)


@pytest.mark.parametrize("lengths", [[10] * 100, [*range(100, 0, -1)], [*range(1, 101)], [0, 20, 0, 30] * 25])
def test_extremes_and_products_of_segments(lengths: list[int]) -> None:
    """Of sorted segments as long as each other, of those in any order of lengths, and of none."""
    ids = np.repeat(np.arange(len(lengths)), lengths).astype(np.int32)
    data = np.random.default_rng(1).normal(size=(len(ids), 13)).astype(np.float32)
    for create, ufunc, empty in (
        (math.SegmentMax.create, np.maximum, np.finfo(np.float32).min),
        (math.SegmentMin.create, np.minimum, np.finfo(np.float32).max),
        (math.SegmentProd.create, np.multiply, 1),
    ):
        expected = np.full((len(lengths), 13), empty, np.float32)
        ufunc.at(expected, ids, data)
        assert np.array_equal(run(create, data, ids, np.array(len(lengths), np.int32)), expected)
