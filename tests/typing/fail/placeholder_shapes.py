"""The shape of a placeholder is known to the checker when it is a tuple: its rank, and to mypy its names."""

from __future__ import annotations

from typing import Literal, NewType

import typegrad as tg
from typegrad.op import core

Batch = NewType("Batch", int)
Time = NewType("Time", int)


def images(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]]) -> None: ...


def placeholders(scope: tg.Scope, shape: tuple[int, int]) -> None:
    cube: tg.Operand[tg.TFloat32, tuple[int, int, int]] = core.Placeholder.create(scope, tg.TFloat32, shape=shape)  # E: assignment / reportAssignmentType
    kind: tg.Operand[tg.TInt32, tuple[int, int]] = core.Placeholder.create(scope, tg.TFloat32, shape=shape)  # E: arg-type, assignment / reportAssignmentType
    vector = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch,))
    images(vector)  # E: arg-type / reportArgumentType
    series = core.Placeholder.create(scope, tg.TFloat32, shape=(Time, 784))
    images(series)  # E: arg-type / -
    core.Placeholder.create(scope, tg.TFloat32, shape=5)  # E: call-overload / reportArgumentType, reportCallIssue
    core.Placeholder.create(scope, tg.TFloat32, shape=(2.0, 3.0))  # E: arg-type / reportArgumentType, reportCallIssue
    print(cube, kind)
