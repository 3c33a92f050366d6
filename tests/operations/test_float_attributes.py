"""Attributes of type float are float32, as in TensorFlow, also where operands are float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, nn


def _derivative(scope: tg.Scope) -> tg.Operand:
    variance = core.Constant.create(scope, ZEROS)
    op = nn.BatchNormWithGlobalNormalizationGrad.create(scope, ONES, ZEROS, variance, ZEROS, ONES, 1e-3, False)
    return tg.grad(scope, op.dx, variance)


ONES, ZEROS = np.ones((1, 1, 1, 1)), np.zeros(1)
CALLS: Final[dict[str, tuple[Callable[[tg.Scope], tg.Operand], float]]] = {
    "LeakyRelu": (lambda s: nn.LeakyRelu.create(s, -ONES, alpha=0.3), -float(np.float32(0.3))),
    "BatchNormWithGlobalNormalization": (
        lambda s: nn.BatchNormWithGlobalNormalization.create(s, ONES, ZEROS, ZEROS, ZEROS, ZEROS, 1e-3, False),
        1 / float(np.float32(1e-3)) ** 0.5,
    ),
    "BatchNormWithGlobalNormalizationGrad": (
        lambda s: nn.BatchNormWithGlobalNormalizationGrad.create(s, ONES, ZEROS, ZEROS, ZEROS, ONES, 1e-3, False).dx,
        1 / float(np.float32(1e-3)) ** 0.5,
    ),
    "the gradient of BatchNormWithGlobalNormalizationGrad": (_derivative, -(float(np.float32(1e-3)) ** -1.5) / 2),
    "Bucketize": (lambda s: core.Bucketize.create(s, np.array([0.1]), [0.1]), 0),
}


@pytest.mark.parametrize("name", CALLS)
def test_value(name: str) -> None:
    create, expected = CALLS[name]
    scope = tg.Scope(tg.Graph())
    with tg.Session(scope.graph) as session:
        assert session.run(create(scope)).item() == pytest.approx(expected, rel=1e-15)
