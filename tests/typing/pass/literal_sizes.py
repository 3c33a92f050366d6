"""Sizes that an annotation states are accepted where NumPy or a number states them as int."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, NewType

import numpy as np

import typegrad as tg
from typegrad.op import core

Batch = NewType("Batch", int)
ROWS: Final = 4
WIDTH = 3
scope = tg.Scope(tg.Graph())


class Layer(NamedTuple):
    bias: tg.Variable[tg.TFloat32, tuple[Literal[4]]]


def three(y: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> None: ...


def square(y: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]) -> None: ...


def rows(y: tg.Operand[tg.TFloat32, tuple[Literal[4], Literal[3]]]) -> None: ...


layer = Layer(tg.Variable.create(scope, np.zeros(4, np.float32)))
square(core.Constant.create(scope, np.eye(3, dtype=np.float32)))
three(core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, WIDTH)))
placeholder = core.Placeholder.create(scope, tg.TFloat32, shape=(ROWS, 3))
rows(placeholder)
