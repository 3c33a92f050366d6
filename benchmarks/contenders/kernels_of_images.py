"""The operations on images that are measured one by one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from contenders.inputs import Array
from contenders.kernel import LENIENT, Kernel, Make, Samples, measured

__all__ = ["IMAGES"]


def _image(r: Samples, n: int) -> Array:
    return r.uniform(4, n, n, 3)


def _to(size: int) -> Make:
    return lambda r, n: (_image(r, n), (n * size // 256,) * 2)


def _images() -> list[Kernel]:
    resized: dict[str, Any] = {"aim": LENIENT, "half_pixel_centers": True}
    return [
        *(
            measured(name, f"4x256-{size}", _to(size), 256, 8, **resized)
            for name in ("ResizeBilinear", "ResizeNearestNeighbor", "ResizeBicubic")
            for size in (128, 512)
        ),
        measured("ResizeArea", "4x256-96", lambda r, n: (_image(r, n), (n * 3 // 8,) * 2), 256, 8, aim=LENIENT),
        measured("ResizeBilinearGrad", "4x512-256", lambda r, n: (_image(r, 2 * n), _image(r, n)), 256, 8, **resized),
        measured("ResizeNearestNeighborGrad", "4x512-256", lambda r, n: (_image(r, 2 * n), (n, n)), 256, 8, **resized),
        measured("ResizeBicubicGrad", "4x512-256", lambda r, n: (_image(r, 2 * n), _image(r, n)), 256, 8, aim=LENIENT),
        measured(
            "ScaleAndTranslate",
            "4x256-384",
            lambda r, n: (_image(r, n), (n * 3 // 2,) * 2, np.full(2, 1.5, np.float32), np.zeros(2, np.float32)),
            256,
            8,
            aim=LENIENT,
        ),
        measured(
            "CropAndResize",
            "4x256",
            lambda r, n: (_image(r, n), r.boxes(32), r.integers(4, 32), (64, 64)),
            256,
            8,
            aim=LENIENT,
        ),
        measured(
            "ImageProjectiveTransformV3",
            "4x256",
            lambda r, n: (
                _image(r, n),
                np.array([[1.1, 0.1, 2, -0.1, 0.9, 3, 0, 0]], np.float32),
                (n, n),
                np.float32(0),
            ),
            256,
            8,
            interpolation="BILINEAR",
        ),
        measured("RGBToHSV", "4x256x256", lambda r, n: (_image(r, n),), 256, 8),
        measured("HSVToRGB", "4x256x256", lambda r, n: (_image(r, n),), 256, 8),
        measured("AdjustHue", "4x256x256", lambda r, n: (_image(r, n), np.float32(0.2)), 256, 8),
        measured("AdjustSaturation", "4x256x256", lambda r, n: (_image(r, n), np.float32(0.7)), 256, 8),
        measured("AdjustContrastv2", "4x256x256", lambda r, n: (_image(r, n), np.float32(0.7)), 256, 8),
        measured(
            "ExtractImagePatches",
            "4x256x256",
            lambda r, n: (_image(r, n),),
            256,
            8,
            ksizes=(1, 3, 3, 1),
            strides=(1, 1, 1, 1),
            rates=(1, 1, 1, 1),
            padding="VALID",
        ),
        measured(
            "NonMaxSuppressionV5",
            "2000",
            lambda r, n: (r.boxes(n), r.uniform(n), 100, np.float32(0.5), np.float32(0), np.float32(0)),
            2000,
            20,
        ),
        measured(
            "NonMaxSuppressionV5",
            "soft-2000",
            lambda r, n: (r.boxes(n), r.uniform(n), 100, np.float32(1), np.float32(0), np.float32(0.5)),
            2000,
            20,
        ),
        measured(
            "CombinedNonMaxSuppression",
            "2x1000x8",
            lambda r, n: (
                r.boxes(2 * n).reshape(2, n, 1, 4),
                r.uniform(2, n, 8),
                50,
                100,
                np.float32(0.5),
                np.float32(0.3),
            ),
            1000,
            20,
        ),
        measured(
            "EncodePng", "256x256", lambda _, n: (np.full((n, n, 3), 7, np.uint8),), 256, 8, look=lambda _: np.zeros(0)
        ),
    ]


IMAGES: Final = _images()
