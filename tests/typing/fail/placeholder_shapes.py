"""The shape of a placeholder is known to the checker when it is a tuple of ints."""

from __future__ import annotations

from typing import Literal

import typegrad as tg
from typegrad.op import core


def placeholders(scope: tg.Scope, shape: tuple[int, int]) -> None:
    # mypy, seeing that the annotation rules out the exact form, takes the form for shapes of unknown dimensions.
    cube: tg.Operand[tg.TFloat32, tuple[int, int, int]] = core.Placeholder.create(scope, tg.TFloat32, shape=shape)  # E: - / reportAssignmentType
    size: tg.Operand[tg.TFloat32, tuple[Literal[4], int]] = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 5))  # E: - / reportAssignmentType
    kind: tg.Operand[tg.TInt32, tuple[int, int]] = core.Placeholder.create(scope, tg.TFloat32, shape=shape)  # E: arg-type / reportAssignmentType
    core.Placeholder.create(scope, tg.TFloat32, shape=5)  # E: call-overload / reportArgumentType, reportCallIssue
    core.Placeholder.create(scope, tg.TFloat32, shape=(2.0, 3.0))  # E: type-var / reportArgumentType, reportCallIssue
    print(cube, size, kind)
