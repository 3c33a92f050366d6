"""Clipping: by value, by norm and by global norm, dense and sparse, in any floating-point type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions, optimizers
from typegrad.op import core

A = np.array([3.0, -4.0])
B = np.array([[12.0, 0.0]])


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def clipped(scope: tg.Scope, clip: optimizers.Clip, *arrays: Any) -> list[Any]:
    clipped = clip(scope, [core.Constant.create(scope, array) for array in arrays])
    with tg.Session(scope.graph) as session:
        return [session.run(operand) for operand in clipped]


def test_by_value(scope: tg.Scope) -> None:
    a, b = clipped(scope, optimizers.ClipByValue(3.5), A, B.astype(np.float32))
    assert a.tolist() == [3, -3.5] and b.tolist() == [[3.5, 0]] and b.dtype == np.float32


def test_by_norm(scope: tg.Scope) -> None:
    a, b, c = clipped(scope, optimizers.ClipByNorm(6.0), A, B, np.zeros(2))
    np.testing.assert_allclose(a, A, rtol=1e-15)
    np.testing.assert_allclose(b, B / 2, rtol=1e-15)
    assert c.tolist() == [0, 0]


def test_by_global_norm(scope: tg.Scope) -> None:
    a, b = clipped(scope, optimizers.ClipByGlobalNorm(6.5), A, B)
    np.testing.assert_allclose(a, A / 2, rtol=1e-15)
    np.testing.assert_allclose(b, B / 2, rtol=1e-15)
    a, b = clipped(scope, optimizers.ClipByGlobalNorm(13.5), A, B)
    np.testing.assert_allclose(b, B, rtol=1e-15)


@pytest.mark.parametrize("clip", [optimizers.ClipByNorm(1.0), optimizers.ClipByGlobalNorm(1.0)])
def test_types_may_differ_and_be_narrow(scope: tg.Scope, clip: optimizers.Clip) -> None:
    wide = np.array([300.0, 400.0], np.float16)
    a, b = clipped(scope, clip, wide, np.zeros(2))
    assert (a.dtype, b.dtype) == (np.float16, np.float64)
    np.testing.assert_allclose(a.astype(float), [0.6, 0.8], rtol=1e-3)


def test_an_infinite_norm_is_not_hidden(scope: tg.Scope) -> None:
    a, b = clipped(scope, optimizers.ClipByGlobalNorm(1.0), np.array([np.inf, 1.0]), A)
    assert np.isnan(a).all() and np.isnan(b).all()


@pytest.mark.parametrize(
    ("clip", "expected"),
    [
        (optimizers.ClipByValue(1.5), [[0, 0], [1.5, -1.5], [0, 0], [1, 0]]),
        (optimizers.ClipByNorm(2.5), [[0, 0], [1.5, -2.0], [0, 0], [0.5, 0.0]]),
        (optimizers.ClipByGlobalNorm(2.5), [[0, 0], [1.5, -2.0], [0, 0], [0.5, 0.0]]),
    ],
)
def test_rows_that_occur_again_are_summed_first_and_stay_rows(scope: tg.Scope, clip: Any, expected: Any) -> None:
    values = np.array([[1.0, -2.0], [1.0, 0.0], [2.0, -2.0]])
    factor = 1.0 if isinstance(clip, optimizers.ClipByValue) else np.sqrt(26.0) / 5.0
    slices = tg.IndexedSlices(
        scope, core.Constant.create(scope, values), core.Constant.create(scope, [1, 3, 1]), 4, tg.Shape.of(4, 2)
    )
    (clipped,) = clip(scope, [slices])
    assert isinstance(clipped, tg.IndexedSlices)
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(clipped) * factor, expected, rtol=1e-14)
        assert session.run(clipped.indices).tolist() == [1, 3]


def test_the_global_norm(scope: tg.Scope) -> None:
    norm = functions.global_norm(scope, [core.Constant.create(scope, A), core.Constant.create(scope, B)])
    assert norm.dtype is tg.TFloat64 and tg.Session(scope.graph).run(norm) == 13.0
    with pytest.raises(tg.GradientError, match="there are no operands to take the norm of"):
        functions.global_norm(scope, [])


@pytest.mark.parametrize("clip", [optimizers.ClipByValue, optimizers.ClipByNorm, optimizers.ClipByGlobalNorm])
def test_a_limit_must_be_positive(clip: Any) -> None:
    with pytest.raises(tg.AttributeValueError, match="(limit|norm) must be positive, but is 0.0"):
        clip(0.0)


def test_a_clip_of_your_own(scope: tg.Scope) -> None:
    def halve(scope: tg.Scope, grads: Any) -> Any:
        return [grad * 0.5 for grad in grads]

    w = tg.Variable.create(scope, np.zeros(2))
    loss = core.Sum.create(scope, w.read(scope))
    train = optimizers.GradientDescent(scope.graph, 1.0, clip=halve).minimize(loss)
    with tg.Session(scope.graph) as session:
        session.run(train)
        assert session.value(w).tolist() == [-0.5, -0.5]
    lossy = optimizers.GradientDescent(scope.graph, 1.0, clip=lambda *_: [])
    with pytest.raises(tg.GradientError, match="clip got 1 gradient and returned 0"):
        lossy.minimize(loss)
