"""Operands and arrays of one of several shapes: refused is what fits none of them, as a program may ask which it is."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from typing import NewType
import numpy as np
import typegrad as tg
from typegrad.op import core
Batch = NewType("Batch", int)
F = tg.TFloat32
scope = tg.Scope(tg.Graph())
"""
INDEXED: Final = "StridedSlice: 4 dimensions are indexed, but `input` has shape [3, 4, 1]  [typegrad-shape]"
PROGRAMS: Final = {
    "of an expression": f"""
def f(flag: bool) -> None:
    x = core.Placeholder.create(scope, F, (3, 4)) if flag else core.Placeholder.create(scope, F, (3, 4, 1))
    if x.shape.rank == 3:
        x = x[:, :, 0]
    y = core.Placeholder.create(scope, F, (3, 4)) if flag else core.Placeholder.create(scope, F, (3, 4, 1))
    if not flag:
        z = y[:, :, 0]
    y[0, 0, 0, 0]  # E: {INDEXED}
""",
    "of a parameter": """
def g(x: tg.Operand[F, tuple[Batch, int]] | tg.Operand[F, tuple[Batch, int, int]]) -> None:
    if x.shape.rank == 3:
        x[:, :, 0]
        x @ np.zeros((3, 3, 4), np.float32)
    x[:, :, :, 0]  # E: StridedSlice: 4 dimensions are indexed, but `input` has shape [Batch, ?, ?]  [typegrad-shape]
""",
    "of arrays": """
def f(flag: bool) -> None:
    data = np.zeros((3, 4), np.float32) if flag else np.zeros((3, 4, 1), np.float32)
    if data.ndim == 3:
        data = data[:, :, 0]
    rows = np.zeros((3, 4), np.float32)
    if flag:
        rows = np.zeros((3, 4, 1), np.float32)
    if rows.ndim == 3:
        rows = rows[:, :, 0]
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
