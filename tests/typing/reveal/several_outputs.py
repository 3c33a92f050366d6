"""Several outputs, and lists of outputs."""

from __future__ import annotations

from typing import reveal_type

import typegrad as tg
from typegrad.op import core, nn


def several(scope: tg.Scope, x: tg.Operand[tg.TFloat16], labels: tg.Operand[tg.TInt64]) -> None:
    entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, labels)
    reveal_type(entropy.loss)  # R: Output[TFloat16, tuple[Any, ...]]
    reveal_type(entropy.inputs.features)  # R: Output[TFloat16, tuple[Any, ...]]
    reveal_type(core.Split.create(scope, 0, x, num_split=2).output)  # R: list[Output[TFloat16, tuple[Any, ...]]]
    reveal_type(core.Unstack.create(scope, x, num=2).output)  # R: list[Output[TFloat16, tuple[Any, ...]]]
    reveal_type(core.IdentityN.create(scope, [x, labels]).output)  # R: list[Output[Any, tuple[Any, ...]]]
    reveal_type(core.ShapeN.create(scope, [x, x]).output)  # R: list[Output[TInt32, tuple[Any, ...]]]
    reveal_type(core.Split.create(scope, 0, x, num_split=2)[0])  # R: Operand[TFloat16, tuple[Any, ...]]
    for each in core.Unstack.create(scope, labels, num=2):
        reveal_type(each)  # R: Operand[TInt64, tuple[Any, ...]]
