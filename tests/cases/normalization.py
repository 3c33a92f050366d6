"""Cases of `ops/normalization.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import numpy_type, sample, values

Sizes = tuple[int, ...]

OUTPUTS: Final = "TensorFlow's gradient ignores the statistics, and `mean` and `variance` have none."
PARTIAL: Final = "TensorFlow's gradient of the batch contains the gradients of its statistics."
ONE_FORMAT: Final = "TensorFlow's kernel for the CPU has no gradient of inference with the channels second."
UNCHECKED: Final = "TensorFlow's kernel does not check the rank against the data format."
NONE: Final = np.zeros(0, np.float32)


def vectors(count: int) -> tuple[Array, ...]:
    """Scale, offset, mean and a positive variance."""
    scale, offset, mean = (sample("float", (count,), -2, 2, gap=0.5, seed=seed) for seed in range(3))
    return scale, offset, mean, sample("float", (count,), 0.5, 2)


def formatted(x: Array, data_format: str) -> Array:
    """[..., channels] in a data format."""
    return np.ascontiguousarray(np.moveaxis(x, -1, 1)) if data_format.startswith("NC") else x


def norms(shape: Sizes, attrs: dict[str, Any], dtype: str = "float", **options: Any) -> Iterator[Case]:
    """FusedBatchNormV3 and its gradient, for a batch [..., channels]."""
    data_format = attrs.get("data_format", "NHWC")
    x, grad = (formatted(sample(dtype, shape, seed=seed), data_format) for seed in (3, 4))
    scale, offset, mean, variance = vectors(shape[-1])
    norm = (x, scale, offset, mean, variance)
    yield Case("FusedBatchNormV3", norm, attrs, gradient_differs=OUTPUTS, **options)
    rest = {name: value for name, value in attrs.items() if name != "exponential_avg_factor"}
    back = (grad, x, scale, mean, variance, NONE)
    differs = ONE_FORMAT if data_format.startswith("NC") and not attrs.get("is_training", True) else ""
    yield Case("FusedBatchNormGradV3", back, rest, differs=differs, gradient_differs=PARTIAL, **options)


def batches() -> Iterator[Case]:
    """Data formats, training and inference, types, empty batches, a channel of one element."""
    for is_training in (True, False):
        for shape, data_format in (
            ((2, 2, 3, 2), "NHWC"),
            ((2, 2, 3, 2), "NCHW"),
            ((2, 1, 2, 2, 3), "NDHWC"),
            ((2, 1, 2, 2, 3), "NCDHW"),
        ):
            yield from norms(shape, {"data_format": data_format, "is_training": is_training, "epsilon": 0.01})
        for dtype in ("half", "bfloat16"):
            yield from norms((2, 3, 2, 2), {"is_training": is_training}, dtype, smooth=False)
        yield from norms((0, 2, 3, 2), {"is_training": is_training}, smooth=False)
        yield from norms((2, 2, 3, 0), {"is_training": is_training})
    yield from norms((1, 1, 1, 2), {"epsilon": 1.0})
    yield from norms((2, 2, 3, 2), {"exponential_avg_factor": 0.25, "epsilon": 0.1})
    x, (scale, offset, mean, variance) = sample("float", (2, 2, 3, 2)), vectors(2)
    for statistics in ((NONE, NONE), (mean[:1], NONE)):
        yield Case("FusedBatchNormV3", (x, scale, offset, *statistics), gradient_differs=OUTPUTS)
    narrow = tuple(each.astype(values("bfloat16", 0).dtype) for each in (scale, offset, mean, variance))
    yield Case("FusedBatchNormV3", (x, *narrow), gradient_differs=OUTPUTS, smooth=False)
    yield Case("FusedBatchNormGradV3", (x, x, scale, mean, variance, np.float32(1)), gradient_differs=PARTIAL)


def refused() -> Iterator[Case]:
    """Ranks and numbers of channels that do not fit."""
    x, (scale, offset, mean, variance) = sample("float", (2, 2, 3, 2)), vectors(2)
    good = (x, scale, offset, mean, variance)
    old, inference = {"exponential_avg_factor": 0.5}, {"is_training": False}
    other = formatted(sample("float", (2, 2, 2, 3)), "NCHW")
    for inputs, attrs in (
        ((x[0], *good[1:]), {}),
        ((x[None], *good[1:]), {}),
        ((x, scale[:1], *good[2:]), {}),
        ((x, scale, offset[:1], mean, variance), {}),
        ((x, scale[None], *good[2:]), {}),
        ((*good[:3], mean[None], variance), {}),
        ((*good[:3], NONE, NONE), old),
        ((*good[:3], mean[:1], variance), inference),
        ((*good[:3], mean, NONE), inference),
        ((other, *good[1:]), {"data_format": "NCHW"}),
    ):
        yield Case("FusedBatchNormV3", inputs, attrs, fails=True)
    yield Case("FusedBatchNormV3", good, {"data_format": "NDHWC"}, fails=True, differs=UNCHECKED)
    for back in (
        (x[:1], x, scale, mean, variance),
        (x, x, scale[:1], mean, variance),
        (x, x, scale, NONE, variance),
        (x[0], x[0], scale, mean, variance),
    ):
        yield Case("FusedBatchNormGradV3", (*back, NONE), fails=True)


CASES: list[Case] = [*batches(), *refused()]


def global_norms() -> Iterator[Case]:
    """Normalization by given statistics: with and without a factor, every type, nothing, and what does not fit."""
    op = "BatchNormWithGlobalNormalization"
    gamma, beta, mean, variance = (each.astype(np.float64) for each in vectors(3))
    t, grad = sample("double", (2, 1, 2, 3)), sample("double", (2, 1, 2, 3), seed=1)
    good = (t, mean, variance, beta, gamma)
    scaled: dict[str, Any] = {"variance_epsilon": 0.25, "scale_after_normalization": True}
    attrs = {**scaled, "scale_after_normalization": False}
    for some in (scaled, attrs):
        yield Case(op, good, some)
        yield Case(op + "Grad", (t, mean, variance, gamma, grad), some)
    for dtype in ("half", "float", "bfloat16", "int32", "complex128"):
        x, m, v, g = (each.astype(numpy_type(dtype)) for each in (t, mean, variance + 1, gamma))
        yield Case(op, (x, m, v, m, g), attrs, smooth=dtype != "complex128")
        yield Case(op + "Grad", (x, m, v, g, x), attrs, smooth=dtype != "complex128")
    yield Case(op, (t[:0], *good[1:]), attrs)
    yield Case(op + "Grad", (t[:0], mean, variance, gamma, t[:0]), attrs, differs="TensorFlow sums into no array.")
    for inputs in ((t[0], *good[1:]), (t, mean[:2], *good[2:]), (t, *good[1:4], gamma[None]), (t[..., :2], *good[1:])):
        yield Case(op, inputs, attrs, fails=True)
    yield Case(op + "Grad", (t, mean, variance, gamma, grad[:1]), attrs, fails=True)
    yield Case(op + "Grad", (t, mean, variance[:1], gamma, grad), attrs, fails=True)


def neighbours() -> Iterator[Case]:
    """Every type, radii from none to more than there are channels, numbers that are not finite, what does not fit."""
    shape = (1, 2, 1, 5)
    for dtype in ("half", "bfloat16", "float"):
        x, grad = sample(dtype, shape, -2, 2), sample(dtype, shape, -2, 2, seed=1)
        for attrs in (
            {},
            {"depth_radius": 1, "bias": 2.0, "alpha": 0.5, "beta": 0.75},
            {"depth_radius": 0, "beta": 1.0},
        ):
            yield Case("LRN", (x,), attrs)
            narrow = "TensorFlow computes it without float32." if dtype != "float" else ""
            yield Case("LRNGrad", (grad, x, sample(dtype, shape, seed=2)), attrs, differs=narrow)
    x = sample("float", shape)
    yield Case("LRN", (x,), {"bias": 0.0, "alpha": 0.0}, smooth=False)
    one_nan = np.where(x == x[0, 0, 0, 0], np.float32(np.nan), x)
    yield Case("LRN", (one_nan,), {"depth_radius": 1}, smooth=False)
    yield Case("LRNGrad", (x, one_nan, x), {"depth_radius": 1}, smooth=False)
    one_infinite = np.where(x == x[0, 0, 0, 0], np.float32(np.inf), x)
    yield Case("LRNGrad", (one_infinite, x, x), {}, smooth=False, differs="TensorFlow's own element is infinite.")
    some = np.where(x > 0, x, 0).astype(np.float32)
    yield Case("LRNGrad", (some, x, x), {"bias": -100.0, "beta": 0.75, "depth_radius": 1}, smooth=False)
    for beta in (2.0, 1.0, 0.0):
        yield Case("LRN", (x,), {"bias": -100.0, "beta": beta}, smooth=False)
    for some in (x[:0], x[..., :0]):
        yield Case("LRN", (some,))
        yield Case("LRNGrad", (some, some, some))
    yield Case("LRN", (x[0],), fails=True)
    yield Case("LRN", (x,), {"depth_radius": -1}, fails=True)
    yield Case("LRN", (x,), {"depth_radius": 2**31}, fails=True)
    for images in ((x[0], x[0], x[0]), (x, x[:, :1], x), (x[..., :2], x, x), (x, x, x[:0])):
        yield Case("LRNGrad", images, fails=True)


CASES.extend((*global_norms(), *neighbours()))
