"""An operation takes operands and values: no None, no operations without exactly one output."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, math, nn


def operands(
    scope: tg.Scope,
    x: tg.Operand[tg.TFloat32],
    variable: tg.Variable[tg.TFloat32],
    operation: tg.Operation,
) -> None:
    math.Add.create(scope, x, None)  # E: arg-type / reportArgumentType
    math.Add.create(scope, x, {1.0})  # E: arg-type / reportArgumentType
    math.Add.create(scope, x, variable.handle.op)  # E: arg-type / reportArgumentType
    math.Neg.create(scope, operation)  # E: arg-type / reportArgumentType
    math.Neg.create(scope, core.NoOp.create(scope))  # E: arg-type / reportArgumentType
    math.Neg.create(scope, nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x))  # E: arg-type / reportArgumentType
    math.Neg.create(scope, core.Split.create(scope, 0, x, num_split=2))  # E: arg-type / reportArgumentType
    math.AddN.create(scope, x)  # E: arg-type / reportArgumentType
    math.AddN.create(scope, [x, None])  # E: list-item / reportArgumentType
    core.NoOp.create(scope).as_output()  # E: attr-defined / reportAttributeAccessIssue
    nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x).as_output()  # E: attr-defined / reportAttributeAccessIssue
    nn.SoftmaxCrossEntropyWithLogits.create(scope, x, x) + 1.0  # E: operator / reportOperatorIssue
