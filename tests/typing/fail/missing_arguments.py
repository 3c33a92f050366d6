"""What has no default must be given."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, dtypes, linalg, random


def missing(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    linalg.MatMul.create(scope, x)  # E: - / reportCallIssue
    linalg.MatMul.create(x, x)  # E: - / reportCallIssue
    linalg.Einsum.create(scope, [x, x])  # E: - / reportCallIssue
    core.EnsureShape.create(scope, x)  # E: - / reportCallIssue
    core.Unpack.create(scope, x)  # E: - / reportCallIssue
    core.Placeholder.create(scope)  # E: - / reportCallIssue
    core.Constant.create(scope)  # E: - / reportCallIssue
    dtypes.Cast.create(scope, x)  # E: - / reportCallIssue
    random.RandomUniform.create(scope, (2, 3))  # E: - / reportCallIssue
