"""Attributes have names, types, and sometimes a closed set of values."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, linalg, math, nn


def attributes(scope: tg.Scope, x: tg.Operand[tg.TFloat32], bias: tg.Operand[tg.TFloat32], layout: str) -> None:
    linalg.MatMul.create(scope, x, x, transpose_c=True)  # E: call-arg / reportCallIssue
    linalg.MatMul.create(scope, x, x, True)  # E: call-arg / reportCallIssue
    linalg.MatMul.create(scope, x, x, transpose_a="yes")  # E: arg-type / reportArgumentType
    nn.BiasAdd.create(scope, x, bias, data_format="NWHC")  # E: arg-type / reportArgumentType
    nn.BiasAdd.create(scope, x, bias, data_format=layout)  # E: arg-type / reportArgumentType
    nn.LeakyRelu.create(scope, x, alpha="0.2")  # E: arg-type / reportArgumentType
    core.Squeeze.create(scope, x, axis=0)  # E: arg-type / reportArgumentType
    math.Cumsum.create(scope, x, 0, exclusive=None)  # E: arg-type / reportArgumentType
