"""Counts of floating-point operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math, nn, train
from typegrad.session.flops import flops
from typegrad.session.steps import Step

SAME = (1, 1, 1, 1)


def zeros(scope: tg.Scope, *shape: int) -> tg.Operand[tg.TFloat32, Any]:
    return core.Constant.create(scope, np.zeros(shape, np.float32))


COUNTS: dict[str, tuple[Callable[[tg.Scope], Any], int | None]] = {
    "elementwise": (lambda s: zeros(s, 3, 4) * zeros(s, 3, 4), 12),
    "broadcasting": (lambda s: zeros(s, 3, 1) + zeros(s, 4), 12),
    "a sum of three": (lambda s: math.AddN.create(s, [zeros(s, 5)] * 3), 10),
    "exp": (lambda s: math.Exp.create(s, zeros(s, 7)), 7),
    "a sum": (lambda s: core.Sum.create(s, zeros(s, 3, 4), 0), 12),
    "softmax": (lambda s: nn.Softmax.create(s, zeros(s, 3, 4)), 60),
    "half a sum of squares": (lambda s: nn.L2Loss.create(s, zeros(s, 6)), 12),
    "a product": (lambda s: linalg.MatMul.create(s, zeros(s, 2, 3), zeros(s, 3, 5)), 60),
    "a transposed product": (lambda s: linalg.MatMul.create(s, zeros(s, 3, 2), zeros(s, 3, 5), transpose_a=True), 60),
    "a batch": (lambda s: train.BatchMatMul.create(s, zeros(s, 7, 2, 3), zeros(s, 7, 3, 5), tg.TFloat32), 420),
    "einsum": (lambda s: linalg.Einsum.create(s, [zeros(s, 7, 2, 3), zeros(s, 3, 5)], equation="bij,jk->bik"), 420),
    "an einsum of one": (lambda s: linalg.Einsum.create(s, [zeros(s, 4, 4)], equation="ii->"), 4),
    "an ellipsis": (lambda s: linalg.Einsum.create(s, [zeros(s, 2, 3)], equation="...j->..."), None),
    "a convolution": (
        lambda s: nn.Conv2d.create(s, zeros(s, 2, 6, 6, 3), zeros(s, 5, 5, 3, 4), SAME, "VALID"),
        2 * (2 * 2 * 2 * 4) * (5 * 5 * 3),
    ),
    "its gradient at the input": (
        lambda s: nn.Conv2dBackpropInput.create(
            s, (2, 6, 6, 3), zeros(s, 5, 5, 3, 4), zeros(s, 2, 2, 2, 4), SAME, "VALID"
        ),
        2 * (2 * 2 * 2 * 4) * (5 * 5 * 3),
    ),
    "its gradient at the filters": (
        lambda s: nn.Conv2dBackpropFilter.create(
            s, zeros(s, 2, 6, 6, 3), (5, 5, 3, 4), zeros(s, 2, 2, 2, 4), SAME, "VALID"
        ),
        2 * (2 * 2 * 2 * 4) * (5 * 5 * 3),
    ),
    "a depthwise convolution": (
        lambda s: nn.DepthwiseConv2dNative.create(s, zeros(s, 1, 4, 4, 3), zeros(s, 2, 2, 3, 2), SAME, "VALID"),
        2 * (3 * 3 * 6) * (2 * 2),
    ),
    "a cross product": (lambda s: linalg.Cross.create(s, zeros(s, 3), zeros(s, 3)), 9),
    "moving data": (lambda s: core.Reshape.create(s, zeros(s, 3, 4), (12,)), None),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(scope: tg.Scope, name: str) -> None:
    build, expected = COUNTS[name]
    step = Step(build(scope).op)
    shapes = [[each.shape.as_ints() for each in group] for group in (step.inputs, step.outputs)]
    assert flops(step, *shapes) == expected


def test_a_kernel_of_the_user_has_no_count(scope: tg.Scope) -> None:
    """Whatever its module is called."""
    exp = math.Exp.create(scope, zeros(scope, 3)).op
    own = scope.add(replace(exp.definition, kernel="acme.matmul:exp"), (exp.outputs[0],), {})
    assert flops(Step(own), [(3,)], [(3,)]) is None


def test_operations_that_are_computed_together_count_together(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (100_000,))
    y = math.Tanh.create(scope, math.Exp.create(scope, x))
    (step,) = tg.Session(scope.graph).explain(y, [x]).steps
    assert (step.operations, step.flops) == (("Exp", "Tanh"), 200_000)
