"""An operation takes operands: no Python values, no variables, no operations without exactly one output."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn


def operands(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat32],
    variable: tg.Variable[tg.TFloat32],
    operation: tg.Operation,
) -> None:
    math.Add.create(scope, x, 1.0)  # E: - / reportArgumentType
    math.Add.create(scope, x, [1.0, 2.0])  # E: - / reportArgumentType
    math.Add.create(scope, x, np.ones(2, np.float32))  # E: - / reportArgumentType
    math.Add.create(scope, x, None)  # E: - / reportArgumentType
    math.Add.create(scope, x, variable)  # E: - / reportArgumentType
    math.Neg.create(scope, operation)  # E: - / reportArgumentType
    math.Neg.create(scope, core.NoOp.create(scope))  # E: - / reportArgumentType
    math.Neg.create(scope, nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x))  # E: - / reportArgumentType
    math.Neg.create(scope, core.Split.create(scope, 0, x, num_split=2))  # E: - / reportArgumentType
    math.AddN.create(scope, x)  # E: - / reportArgumentType
    math.AddN.create(scope, [1.0, 2.0])  # E: - / reportArgumentType
    core.NoOp.create(scope).as_output()  # E: - / reportAttributeAccessIssue
    nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x).as_output()  # E: - / reportAttributeAccessIssue
    nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x) + 1.0  # E: - / reportOperatorIssue
