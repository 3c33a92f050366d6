"""Operations with several outputs, or a list of them, give each by name."""

from __future__ import annotations

from typing import assert_type

import numpy as np

import typegrad as tg
from typegrad.op import core, nn

scope = tg.Scope(tg.Graph())
logits = core.Constant.create(scope, np.zeros((2, 4), np.float32))
labels = core.Constant.create(scope, np.full((2, 4), 0.25, np.float32))

entropy = nn.SoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
assert_type(entropy, nn.SoftmaxCrossEntropyWithLogits[tg.TFloat32])
assert_type(entropy.loss, tg.Output[tg.TFloat32])
assert_type(entropy.backprop, tg.Output[tg.TFloat32])
assert_type(entropy.inputs.features, tg.Output[tg.TFloat32])

left, right = core.Split.create(scope, 1, logits, num_split=2).output
assert_type(left, tg.Output[tg.TFloat32])
for row in core.Unstack.create(scope, labels, num=2).output:
    assert_type(row, tg.Output[tg.TFloat32])

with tg.Session(scope.graph) as session:
    loss, half = session.run([entropy.loss, right])
assert np.allclose(loss, np.log(4))
assert half.shape == (2, 2)
