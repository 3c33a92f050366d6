"""Numbers that a condition tells of a name: by a guard, an assertion, or in the branch of the condition."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """
import sys
from typing import NewType
import numpy as np
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
CLASSES = 3
scope: tg.Scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
"""
PROGRAMS: Final = {
    "behind guards": """
def build(size: int, classes: int, other: int) -> None:
    if size != 4:
        raise ValueError(size)
    assert classes == CLASSES and 5 == other
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size, classes, other)))  # R: Placeholder[TFloat32, tuple[Literal[4], Literal[3], Literal[5]]]
def returning(size: int, other: int) -> None:
    if not size == 4:
        return
    if other != 2 or other < 0:
        sys.exit(1)
    def inner() -> None:
        reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size, other)))  # R: Placeholder[TFloat32, tuple[Literal[4], Literal[2]]]
    inner()
def wrong(size: int) -> None:
    assert size == 5
    x @ np.zeros((size, 2), np.float32)  # E: MatMul: inner dimensions differ: a is [Batch, 4], b is [5, 2]  [typegrad-shape]
""",
    "in branches": """
def build(size: int) -> None:
    if size == 7:
        reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size, size + 1)))  # R: Placeholder[TFloat32, tuple[Literal[7], Literal[8]]]
    else:
        reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size,)))  # R: Placeholder[TFloat32, tuple[Any]]
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size,)))  # R: Placeholder[TFloat32, tuple[Any]]
""",
    "of what data tell": """
def load(path: str) -> None:
    classes = len(np.unique(np.load(path)))
    if classes != 3:
        raise ValueError(classes)
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (classes,)))  # R: Placeholder[TFloat32, tuple[Literal[3]]]
""",
    "that do not tell": """
def build(size: int, other: int, ratio: float, third: int) -> None:
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size,)))  # R: Placeholder[TFloat32, tuple[Any]]
    if size != 4:
        raise ValueError(size)
    if size == 5:
        print("never")
    size = other
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size,)))  # R: Placeholder[TFloat32, tuple[Any]]
    if other != 3:
        print("another")
    assert third != 3 or third == 4
    if other != 3 and third != 2:
        return
    for each in range(3):
        if third != 2:
            continue
        reveal_type(core.Placeholder.create(scope, tg.TFloat32, (third,)))  # R: Placeholder[TFloat32, tuple[Any]]
    if third == 2 or other == 3:
        reveal_type(core.Placeholder.create(scope, tg.TFloat32, (other, third)))  # R: Placeholder[TFloat32, tuple[Any, Any]]
    assert ratio == 2
    reveal_type(core.Constant.create(scope, ratio))  # R: Constant[TFloat32, tuple[()]]
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (other, third)))  # R: Placeholder[TFloat32, tuple[Any, Any]]
def called(size: int) -> None:
    assert size == 4
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (size,)))  # R: Placeholder[TFloat32, tuple[Literal[4]]]
    x @ np.zeros((size, 2), np.float32)
called(4)
called(int(input()))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
