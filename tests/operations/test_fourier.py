"""Fourier transforms: over any axes as NumPy computes them, what shapes are known, and what is refused."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, signal

Sizes = tuple[Any, ...]

AXES: Final = (((3, 2), (2, 0)), ((2,), (-2,)), ((2, 3, 4), (0, 1, 2)), ((2, 2), (0, 1)))
TRANSFORMS: Final[dict[str, tuple[Any, Any]]] = {
    "fftn": (signal.FftNd, np.fft.fftn),
    "ifftn": (signal.IfftNd, np.fft.ifftn),
    "rfftn": (signal.RfftNd, np.fft.rfftn),
    "irfftn": (signal.IrfftNd, np.fft.irfftn),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize(("lengths", "axes"), AXES)
def test_axes_are_transformed_as_by_numpy(name: str, lengths: Sizes, axes: Sizes) -> None:
    wrapper, function = TRANSFORMS[name]
    x = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
    x = x if name == "rfftn" else x + 1j * x[::-1]
    scope = tg.Scope(tg.Graph())
    y = wrapper.create(scope, core.Constant.create(scope, x), lengths, axes)
    with tg.Session(scope.graph) as session:
        result = session.run(y)
    np.testing.assert_allclose(result, function(x, lengths, axes), rtol=1e-5, atol=1e-5)


SHAPES: Final[list[tuple[Any, Any, Sizes, tuple[Any, ...], str]]] = [
    (signal.Fft2d, tg.TComplex64, ("Batch", "Rows", 4), (), "[Batch, Rows, 4]"),
    (signal.Rfft, tg.TFloat32, ("Batch", 9), ([8],), "[Batch, 5]"),
    (signal.Rfft2d, tg.TFloat32, ("Batch", None, None), ([4, 7],), "[Batch, 4, 4]"),
    (signal.Irfft3d, tg.TComplex64, (None, 4, 4, "n"), ([4, 4, 6],), "[?, 4, 4, 6]"),
    (signal.FftNd, tg.TComplex64, ("Batch", 5, "n"), ([4], [-2]), "[Batch, 4, n]"),
    (signal.RfftNd, tg.TFloat32, (5, "n", 6), ([4, 4], [2, 0]), "[3, n, 4]"),
]


@pytest.mark.parametrize(("wrapper", "dtype", "shape", "rest", "expected"), SHAPES)
def test_shapes_are_known(wrapper: Any, dtype: Any, shape: Sizes, rest: tuple[Any, ...], expected: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, dtype, shape=shape)
    assert str(wrapper.create(scope, x, *rest).as_output().shape) == expected


def test_half_of_a_named_length_is_named() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=("Batch", "n"))
    length = core.Shape.create(scope, x)[1:]
    assert str(signal.Rfft.create(scope, x, length).as_output().shape) == "[Batch, n//2 + 1]"


REFUSED: Final[list[tuple[Any, Any, Sizes, tuple[Any, ...], str]]] = [
    (signal.Fft, tg.TComplex64, (), (), "`input` must have rank 1 or more, but has shape []"),
    (signal.Rfft, tg.TFloat32, (2, 4), ([2, 4],), "`fft_length` must have 1 element, but has 2"),
    (signal.Rfft, tg.TFloat32, (2, 4), ([0],), "`fft_length` must have numbers from 1 up, but is [0]"),
    (
        signal.Irfft2d,
        tg.TComplex64,
        (2, 4, 3),
        ([4, 6],),
        "`input` [2, 4, 3] must have at least 4 elements along dimension 2, but has 3; shorten",
    ),
    (signal.Rfft, tg.TFloat64, (4,), ([4],), "`treal` is float64, so `tcomplex` must be complex128, but is complex64"),
    (signal.FftNd, tg.TComplex64, (4, 4), ([4], [2]), "`axes` is 2, but must be in [-2, 2)"),
    (signal.FftNd, tg.TComplex64, (4, 4), ([4, 4], [1, -1]), "`axes` must be different dimensions, but is [1, 1]"),
    (
        signal.FftNd,
        tg.TComplex64,
        (4, 4),
        ([4, 4], [1]),
        "`fft_length` has 2 elements, but `axes` has 1; expected as many",
    ),
    (
        signal.RfftNd,
        tg.TFloat32,
        (4, 4),
        ([], []),
        "`axes` is empty; expected at least the dimension whose frequencies are halved",
    ),
]


@pytest.mark.parametrize(("wrapper", "dtype", "shape", "rest", "message"), REFUSED)
def test_what_does_not_fit_is_refused(
    wrapper: Any, dtype: Any, shape: Sizes, rest: tuple[Any, ...], message: str
) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, dtype, shape=shape)
    with pytest.raises((tg.ShapeError, tg.DTypeError)) as caught:
        wrapper.create(scope, x, *rest)
    assert message in str(caught.value)
