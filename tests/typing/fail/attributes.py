"""Attributes have names, types, and sometimes a closed set of values."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math, nn


def attributes(scope: tg.Scope, x: tg.Operand[tg.TFloat32], bias: tg.Operand[tg.TFloat32], layout: str) -> None:
    linalg.MatMul.create(scope, x, x, transpose_c=True)  # E: - / reportCallIssue
    linalg.MatMul.create(scope, x, x, True)  # E: - / reportCallIssue
    linalg.MatMul.create(scope, x, x, transpose_a="yes")  # E: - / reportArgumentType
    nn.BiasAdd.create(scope, x, bias, data_format="NWHC")  # E: - / reportArgumentType
    nn.BiasAdd.create(scope, x, bias, data_format=layout)  # E: - / reportArgumentType
    nn.LeakyRelu.create(scope, x, alpha="0.2")  # E: - / reportArgumentType
    core.Squeeze.create(scope, x, squeeze_dims=0)  # E: - / reportArgumentType
    math.Cumsum.create(scope, x, 0, exclusive=None)  # E: - / reportArgumentType
