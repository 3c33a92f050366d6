"""No float is accepted as an index, an axis, a size or a permutation."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math, nn


def integers(scope: tg.Scope, x: tg.Operand[tg.TFloat32], labels: tg.Operand[tg.TFloat64]) -> None:
    core.Gather.create(scope, x, x)  # E: arg-type / reportArgumentType
    core.Gather.create(scope, x, 1.0)  # E: arg-type / reportArgumentType
    core.Gather.create(scope, x, [0.0, 1.0])  # E: list-item / reportArgumentType
    core.OneHot.create(scope, x, 3, x, x)  # E: type-var / reportArgumentType
    core.Sum.create(scope, x, 1.0)  # E: arg-type / reportArgumentType
    core.Sum.create(scope, x, x)  # E: arg-type / reportArgumentType
    core.Reshape.create(scope, x, (2.0, 3.0))  # E: arg-type / reportArgumentType
    core.Slice.create(scope, x, [0.5], [1])  # E: list-item / reportArgumentType
    linalg.Transpose.create(scope, x, (1.0, 0.0))  # E: arg-type / reportArgumentType
    math.InvertPermutation.create(scope, x)  # E: type-var / reportArgumentType, reportCallIssue
    math.UnsortedSegmentSum.create(scope, x, x, 3)  # E: arg-type / reportArgumentType
    nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, labels)  # E: type-var / reportArgumentType
