"""Kernels whose parts threads share: the results are the same, whoever computes them, and however large parts are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pytest

from typegrad.base import workers
from typegrad.kernels import (
    binning,
    fractional_pooling,
    normalization,
    polynomials,
    pooling,
    softmax_and_losses,
    special,
)
from typegrad.kernels.namespace import NUMPY

Kernel: TypeAlias = Callable[[], Any]

RANDOM: Final = np.random.default_rng(1)
X: Final = RANDOM.standard_normal((6, 9, 8, 5)).astype(np.float32)
ROWS: Final = RANDOM.standard_normal((40, 30)).astype(np.float32)
LABELS: Final = RANDOM.integers(0, 30, 40)
POOL: Final[dict[str, Any]] = {"ksize": (1, 3, 2, 1), "strides": (1, 2, 2, 1), "padding": "SAME"}
V2: Final = (np.array(POOL["ksize"]), np.array(POOL["strides"]))
NHWC: Final[dict[str, Any]] = {"padding": "SAME", "data_format": "NHWC"}
CHANNELS: Final = RANDOM.random((4, 5)).astype(np.float32)

KERNELS: Final[dict[str, Kernel]] = {
    "MaxPoolV2": lambda: pooling.max_pool_v2(NUMPY, X, *V2, **NHWC),
    "MaxPoolGradV2": lambda: pooling.max_pool_grad_v2(NUMPY, X, X[:, ::2, ::2], X[:, ::-2, ::-2], *V2, **NHWC),
    "MaxPoolWithArgmax": lambda: pooling.max_pool_with_argmax(
        NUMPY, X, include_batch_in_index=True, targmax=np.dtype(np.int64), **POOL
    ),
    "AvgPool": lambda: pooling.avg_pool(NUMPY, X, data_format="NHWC", **POOL),
    "AvgPoolGrad": lambda: pooling.avg_pool_grad(NUMPY, np.array(X.shape), X[:, ::2, ::2], data_format="NHWC", **POOL),
    "FractionalMaxPool": lambda: fractional_pooling.fractional_max_pool(
        NUMPY, X, pooling_ratio=(1.0, 1.5, 1.4, 1.0), pseudo_random=True, overlapping=False, deterministic=True, seed=1,
        seed2=2,
        rng=np.random.default_rng(1),
    ),
    "Softmax": lambda: softmax_and_losses.softmax(NUMPY, ROWS),
    "LogSoftmax": lambda: softmax_and_losses.log_softmax(NUMPY, ROWS),
    "SoftmaxCrossEntropyWithLogits": lambda: softmax_and_losses.softmax_cross_entropy_with_logits(
        NUMPY, ROWS, np.abs(ROWS)
    ),
    "SparseSoftmaxCrossEntropyWithLogits": lambda: softmax_and_losses.sparse_softmax_cross_entropy_with_logits(
        NUMPY, ROWS, LABELS
    ),
    "FusedBatchNormV3": lambda: normalization.fused_batch_norm_v3(
        NUMPY, X, *CHANNELS, epsilon=0.1, exponential_avg_factor=1.0, data_format="NHWC", is_training=False
    ),
    "UpperBound": lambda: binning.upper_bound(NUMPY, np.sort(ROWS), -ROWS, out_type=np.dtype(np.int32)),
    "Zeta": lambda: special.zeta(NUMPY, np.abs(ROWS) + 1, np.abs(ROWS)),
}  # fmt: skip


def _bytes(result: Any) -> list[bytes]:
    return [each.tobytes() for each in (result if isinstance(result, tuple) else (result,))]


@pytest.mark.parametrize("name", KERNELS)
def test_threads_change_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, constant, few in (
        (pooling, "PART", 800), (fractional_pooling, "PART", 800), (softmax_and_losses, "PART", 200),
        (normalization, "PART", 300), (binning, "AT_ONCE", 100), (polynomials, "SLOW_PART", 64),
    ):  # fmt: skip
        monkeypatch.setattr(module, constant, few)
    items: list[int] = []
    share = workers.share

    def counting(each: Sequence[Any], work: Callable[..., None]) -> None:
        items.append(len(each))
        share(each, work)

    monkeypatch.setattr(workers, "share", counting)
    results: list[list[bytes]] = []
    for threads in (1, 4):
        monkeypatch.setattr(workers, "sharing", lambda threads=threads: threads)
        results.append(_bytes(KERNELS[name]()))
    assert results[0] == results[1] and max(items) > 1
