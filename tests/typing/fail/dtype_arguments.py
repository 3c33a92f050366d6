"""An element type is given as a class of typegrad, one that the operation allows."""

from __future__ import annotations

import numpy as np

import typegrad as tg
from typegrad.op import core, dtypes, math, random


def dtypes_given(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> None:
    core.Placeholder.create(scope, np.float32)  # E: type-var / reportArgumentType
    core.Placeholder.create(scope, "float32")  # E: call-overload / reportArgumentType
    core.Placeholder.create(scope, float)  # E: type-var / reportArgumentType
    core.Placeholder.create(scope, tg.TFloat32())  # E: call-overload / reportArgumentType
    core.Placeholder.create(scope, tg.TResource)  # E: type-var / reportArgumentType
    core.Constant.create(scope, 1.0, np.float32)  # E: type-var / reportArgumentType, reportCallIssue
    core.Shape.create(scope, x, out_type=tg.TInt8)  # E: type-var / reportArgumentType
    dtypes.Cast.create(scope, x, np.int32)  # E: type-var / reportArgumentType
    math.ArgMax.create(scope, x, 0, output_type=tg.TFloat32)  # E: type-var / reportArgumentType
    random.RandomUniform.create(scope, (2, 3), np.float32)  # E: type-var / reportArgumentType
