"""Cases of `ops/crops.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import ints, numpy_type, sample, values

NOISE: Final = "The noise is another one, as the entry says."
EMPTY: Final = "TensorFlow gives a window without pixels, with nan."


def glimpse(
    offsets: Any,
    size: Any = (2, 3),
    images: Array | None = None,
    *,
    fails: bool = False,
    differs: str = "",
    **attrs: Any,
) -> Case:
    """A window of each of two images."""
    options = {"uniform_noise": False, "noise": "zero", **attrs}
    x = sample("float", (2, 4, 5, 2)) if images is None else images
    inputs = x, ints(*size), np.asarray(offsets, np.float32)
    return Case("ExtractGlimpseV2", inputs, options, fails=fails, differs=differs)


def glimpses() -> Iterator[Case]:
    """Units of offsets, windows that reach out, noise, nothing, and what does not fit."""
    for centered in (True, False):
        for normalized in (True, False):
            flags: dict[str, Any] = {"centered": centered, "normalized": normalized}
            yield glimpse([[0.3, -0.4], [-0.9, 0.75]], **flags)
            yield glimpse([[1.5, 1.2], [-1.5, -2.0]], (5, 3), **flags)
    yield glimpse([[np.nan, 0], [0, 1e30]])
    yield glimpse([[-np.inf, 0], [-(2.0**31), 0]], normalized=False)
    yield glimpse([[0, 0], [0, 0]], (0, 3))
    yield glimpse(np.zeros((0, 2)), images=sample("float", (0, 4, 5, 2)))
    yield glimpse([[0, 0]], images=sample("float", (1, 0, 5, 2)))
    for noise in ({"noise": "gaussian"}, {"noise": ""}, {"noise": "uniform"}, {"noise": "", "uniform_noise": True}):
        yield glimpse([[0, 0], [1, 1]], **noise, differs=NOISE)
    for wrong in ([[0, 0]], [0, 0], [[0, 0, 0], [0, 0, 0]]):
        yield glimpse(wrong, fails=True)
    for size in ((2,), (2, 3, 2), (-1, 3)):
        yield glimpse([[0, 0], [0, 0]], size, fails=True)
    yield glimpse([[0, 0]], images=sample("float", (4, 5, 2)), fails=True)
    yield glimpse([[0, 0], [0, 0]], noise="other", fails=True)
    yield glimpse([[0, 0], [0, 0]], uniform_noise=True, fails=True)


BOX: Final[Array] = values("float", 0.1, 0.2, 0.5, 0.9).reshape(1, 1, 4)
BOXES: Final[Array] = values("float", (0.1, 0.2, 0.5, 0.9), (0.4, 0.5, 0.9, 0.6)).reshape(2, 1, 4)


def window(
    size: Any = (40, 50, 3),
    boxes: Array = BOX,
    share: Any = 0.1,
    seed: Any = (1, 2),
    *,
    dtype: str = "int32",
    **more: Any,
) -> Case:
    """A window that follows from a seed."""
    options = {name: more.pop(name) for name in ("fails", "differs") if name in more}
    inputs = np.asarray(size, numpy_type(dtype)), boxes.astype(np.float32), np.float32(share), np.asarray(seed)
    return Case("StatelessSampleDistortedBoundingBox", inputs, more, **options)


def windows() -> Iterator[Case]:
    """Types, shares, ranges, odd boxes, no boxes, and what does not fit."""
    for dtype in ("uint8", "int8", "int16", "int64"):
        yield window(dtype=dtype, seed=ints(-3, 4))
    for seed in range(6):
        yield window(seed=(seed, 7), share=0.7, boxes=BOXES)
        yield window((2, 9, 3), seed=(seed, 8), share=0, area_range=[0.01, 1.0])
        yield window((700, 31, 3), seed=(seed, 9), aspect_ratio_range=[0.1, 10.0], area_range=[0.001, 0.5])
    none = BOX[:, :0]
    yield window(boxes=none, use_image_if_no_bounding_boxes=True)
    yield window(boxes=BOX * 0)
    yield window(boxes=BOX[..., [2, 3, 0, 1]], share=0)
    yield window(boxes=BOX[..., [2, 1, 0, 3]], share=0)
    yield window((1, 1, 3))
    yield window(share=1.5)
    yield window(share=1, max_attempts=3)
    for areas in ([0.5, 0.1], [1.0, 1.0]):
        yield window(area_range=areas)
    for ratios in ([2.0, 1.0], [1.0, np.inf]):
        yield window(aspect_ratio_range=ratios)
    yield from refused_windows()


def refused_windows() -> Iterator[Case]:
    """What does not fit."""
    yield window((0, 5, 3), fails=True, differs=EMPTY)
    yield window((5, -1, 3), fails=True)
    for size in ((40, 50), (40, 50, 3, 1), [(40, 50, 3)]):
        yield window(size, fails=True)
    for share in (-0.1, np.nan, [0.1]):
        yield window(share=share, fails=True)
    for seed in ((1, 2, 3), 5):
        yield window(seed=seed, fails=True)
    for boxes in (BOX[:, :0], BOX[0], BOX[..., :3], BOX + 0.2, BOX - 0.2, BOX * np.nan):
        yield window(boxes=boxes, fails=True)
    for bounds in ([0.1], [0.0, 1.0], [-1.0, 1.0], [0.1, 0.2, 0.3]):
        yield window(area_range=bounds, fails=True)
        yield window(aspect_ratio_range=bounds, fails=True)
    yield window(area_range=[0.1, 1.5], fails=True)
    yield window(max_attempts=0, fails=True)


def of_session() -> Iterator[Case]:
    """The same operation with numbers of the session: types, and what does not fit."""
    name, share = "SampleDistortedBoundingBoxV2", np.float32(0.1)
    for dtype in ("uint8", "int32"):
        yield Case(name, (np.asarray((40, 50, 3), numpy_type(dtype)), BOX, share))
    yield Case(name, (ints(40, 50, 3), BOX[:, :0], share), {"use_image_if_no_bounding_boxes": True})
    yield Case(name, (ints(40, 50, 3), BOX[:, :0], share), fails=True)
    yield Case(name, (ints(40, 50), BOX, share), fails=True)


CASES: list[Case] = [*glimpses(), *windows(), *of_session()]
