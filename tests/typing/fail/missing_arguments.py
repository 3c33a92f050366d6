"""What has no default must be given."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, dtypes, linalg, random


def missing(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    linalg.MatMul.create(scope, x)  # E: call-arg / reportCallIssue
    linalg.MatMul.create(x, x)  # E: arg-type, call-arg / reportCallIssue
    linalg.Einsum.create(scope, [x, x])  # E: call-arg / reportCallIssue
    core.EnsureShape.create(scope, x)  # E: call-arg / reportCallIssue
    core.Unstack.create(scope, x)  # E: call-arg / reportCallIssue
    core.Placeholder.create(scope)  # E: call-overload / reportCallIssue
    core.Constant.create(scope)  # E: call-overload / reportCallIssue
    dtypes.Cast.create(scope, x)  # E: call-arg / reportCallIssue
    random.RandomUniform.create(scope, (2, 3))  # E: call-arg / reportCallIssue
