"""The operations of neural networks that are measured one by one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from contenders.inputs import Array
from contenders.kernel import LENIENT, Kernel, Samples, measured, sizes

__all__ = ["LAYERS"]


def _nn() -> list[Kernel]:
    ones, twos, ones3, twos3 = (1, 1, 1, 1), (1, 2, 2, 1), (1, 1, 1, 1, 1), (1, 2, 2, 2, 1)
    conv: dict[str, Any] = {"strides": ones, "padding": "SAME"}
    conv3: dict[str, Any] = {"strides": ones3, "padding": "SAME", "aim": LENIENT}
    pool: dict[str, Any] = {"padding": "VALID", "aim": LENIENT}
    fixed: dict[str, Any] = {"ksize": twos, "strides": twos, **pool}
    pool3: dict[str, Any] = {"ksize": twos3, "strides": twos3, **pool}

    fractional: dict[str, Any] = {"pooling_ratio": (1.0, 1.5, 1.5, 1.0), "aim": LENIENT, "look": sizes}

    def maps(r: Samples, n: int) -> Array:
        return r.normal(8, n, n, 32)

    def volume(r: Samples, n: int) -> Array:
        return r.normal(2, n, n, n, 16)

    def pooled(x: Array) -> Array:
        batch, rows, columns, channels = x.shape
        return np.asarray(x.reshape(batch, rows // 2, 2, columns // 2, 2, channels).max((2, 4)))

    def pooled3(x: Array) -> Array:
        batch, a, b, c, channels = x.shape
        return np.asarray(x.reshape(batch, a // 2, 2, b // 2, 2, c // 2, 2, channels).max((2, 4, 6)))

    def pool_grad(r: Samples, x: Array, y: Array) -> tuple[Array, ...]:
        return x, y, r.normal(*y.shape)

    def alternating(r: Samples, n: int) -> tuple[Any, ...]:
        """Log-likelihoods of [50, n, 32], and labels for n examples."""
        rows = np.repeat(np.arange(n), 10)
        indices = np.stack([rows, np.tile(np.arange(10), n)], 1).astype(np.int64)
        labels = r.integers(30, n * 10)
        return r.normal(50, n, 32), indices, labels, np.full(n, 50, np.int32)

    return [
        measured("Conv2D", "8x32x32x32", lambda r, n: (maps(r, n), r.weights(3, 3, 32, 64)), 32, 4, **conv),
        measured("Conv2D", "1x1", lambda r, n: (maps(r, n), r.weights(1, 1, 32, 64)), 32, 4, **conv),
        measured(
            "Conv2DBackpropInput",
            "8x32x32x32",
            lambda r, n: ((8, n, n, 32), r.weights(3, 3, 32, 64), r.normal(8, n, n, 64)),
            32,
            4,
            **conv,
        ),
        measured(
            "Conv2DBackpropFilter",
            "8x32x32x32",
            lambda r, n: (maps(r, n), (3, 3, 32, 64), r.normal(8, n, n, 64)),
            32,
            4,
            **conv,
        ),
        measured("DepthwiseConv2dNative", "3x3", lambda r, n: (maps(r, n), r.weights(3, 3, 32, 1)), 32, 4, **conv),
        measured(
            "DepthwiseConv2dNativeBackpropInput",
            "3x3",
            lambda r, n: ((8, n, n, 32), r.weights(3, 3, 32, 1), maps(r, n)),
            32,
            4,
            **conv,
        ),
        measured(
            "DepthwiseConv2dNativeBackpropFilter",
            "3x3",
            lambda r, n: (maps(r, n), (3, 3, 32, 1), maps(r, n)),
            32,
            4,
            **conv,
        ),
        measured("Conv3D", "2x16x16x16x16", lambda r, n: (volume(r, n), r.weights(3, 3, 3, 16, 32)), 16, 4, **conv3),
        measured(
            "Conv3DBackpropInputV2",
            "2x16x16x16x16",
            lambda r, n: ((2, n, n, n, 16), r.weights(3, 3, 3, 16, 32), r.normal(2, n, n, n, 32)),
            16,
            4,
            **conv3,
        ),
        measured(
            "Conv3DBackpropFilterV2",
            "2x16x16x16x16",
            lambda r, n: (volume(r, n), (3, 3, 3, 16, 32), r.normal(2, n, n, n, 32)),
            16,
            4,
            **conv3,
        ),
        measured("MaxPoolV2", "8x64x64x32", lambda r, n: (maps(r, n), twos, twos), 64, 4, **pool),
        measured(
            "MaxPoolGradV2",
            "8x64x64x32",
            lambda r, n: (*pool_grad(r, x := maps(r, n), pooled(x)), twos, twos),
            64,
            4,
            **pool,
        ),
        measured("MaxPoolWithArgmax", "8x64x64x32", lambda r, n: (maps(r, n),), 64, 4, **fixed),
        measured("AvgPool", "8x64x64x32", lambda r, n: (maps(r, n),), 64, 4, **fixed),
        measured("AvgPool", "3x3", lambda r, n: (maps(r, n),), 64, 4, ksize=(1, 3, 3, 1), aim=LENIENT, **conv),
        *(
            measured(f"Fractional{name}Pool", "8x64x64x32", lambda r, n: (maps(r, n),), 64, 4, **fractional)
            for name in ("Max", "Avg")
        ),
        measured("AvgPoolGrad", "8x64x64x32", lambda r, n: ((8, 2 * n, 2 * n, 32), maps(r, n)), 32, 4, **fixed),
        measured("MaxPool3D", "2x32x32x32x16", lambda r, n: (volume(r, n),), 32, 4, **pool3),
        measured("AvgPool3D", "2x32x32x32x16", lambda r, n: (volume(r, n),), 32, 4, **pool3),
        measured(
            "MaxPool3DGrad",
            "2x32x32x32x16",
            lambda r, n: pool_grad(r, x := r.distinct(2, n, n, n, 16), pooled3(x)),
            32,
            4,
            **pool3,
        ),
        measured("AvgPool3DGrad", "2x32x32x32x16", lambda r, n: ((2, *3 * (2 * n,), 16), volume(r, n)), 16, 4, **pool3),
        measured(
            "Dilation2D",
            "8x32x32x32",
            lambda r, n: (maps(r, n), r.normal(3, 3, 32)),
            32,
            4,
            strides=ones,
            rates=ones,
            padding="SAME",
        ),
        measured(
            "FusedBatchNormV3",
            "8x32x32x32",
            lambda r, n: (maps(r, n), r.normal(32), r.normal(32), r.normal(0), r.normal(0)),
            32,
            4,
        ),
        measured("LRN", "8x32x32x32", lambda r, n: (maps(r, n),), 32, 4),
        measured("BiasAdd", "8x64x64x32", lambda r, n: (maps(r, n), r.normal(32)), 64, 4),
        measured("BiasAddGrad", "8x64x64x32", lambda r, n: (maps(r, n),), 64, 4),
        measured("Softmax", "512x1000", lambda r, n: (r.normal(512, n),), 1000, 4),
        measured("LogSoftmax", "512x1000", lambda r, n: (r.normal(512, n),), 1000, 4),
        measured(
            "SparseSoftmaxCrossEntropyWithLogits",
            "512x1000",
            lambda r, n: (r.normal(512, n), r.integers(n, 512)),
            1000,
            4,
        ),
        measured("CTCLoss", "50x16x32", alternating, 16, 2),
        measured("CTCGreedyDecoder", "50x16x32", lambda r, n: (r.normal(50, n, 32), np.full(n, 50, np.int32)), 16, 2),
        measured(
            "CTCBeamSearchDecoder",
            "50x16x32",
            lambda r, n: (r.normal(50, n, 32), np.full(n, 50, np.int32)),
            16,
            2,
            beam_width=10,
            top_paths=1,
        ),
        measured(
            "LSTMBlockCell",
            "64x128",
            lambda r, n: (
                r.normal(64, 64),
                r.normal(64, n),
                r.normal(64, n),
                r.weights(64 + n, 4 * n),
                *(r.normal(n) for _ in range(3)),
                r.normal(4 * n),
            ),
            128,
            4,
        ),
    ]


LAYERS: Final = _nn()
