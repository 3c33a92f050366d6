"""In a layer of any leading dimensions, what a reduction has lost is told where no call in the file tells more."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from typing import Literal, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core, math
from typing_extensions import TypeVarTuple, Unpack
Lead = TypeVarTuple("Lead")
Other = TypeVarTuple("Other")
N = TypeVar("N", bound=int)
scope = tg.Scope(tg.Graph())
Rows = tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[6]]]
Each = tg.Operand[tg.TFloat32, tuple[Unpack[Lead]]]
Whole = tg.Operand[tg.TFloat32]
"""
_KEPT: Final = (
    "[*Lead, 1] would fit: keep_dims=True in a reduction over axis -1 gives it, or core.ExpandDims with axis -1"
    "  [typegrad-shape]"
)
_MISFIT: Final = f"shapes [*Lead, 6] and [*Lead] do not broadcast: 6 and *Lead are neither equal nor 1; {_KEPT}"
PROGRAMS: Final = {
    "functions that nothing calls": f"""
def centered(v: Rows[Unpack[Lead]]) -> Rows[Unpack[Lead]]:
    mean = math.Mean.create(scope, v, -1)
    return v - mean  # E: Sub: {_MISFIT}
def softmax(v: Rows[Unpack[Lead]]) -> Rows[Unpack[Lead]]:
    e = math.Exp.create(scope, v)
    return math.Div.create(scope, e, core.Sum.create(scope, e, -1))  # E: Div: {_MISFIT}
def masked(v: Rows[Unpack[Lead]], mask: Each[Unpack[Lead]]) -> Rows[Unpack[Lead]]:
    return v * mask  # E: Mul: {_MISFIT}
def of_any_width(v: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], N]]) -> Whole:
    return v - math.Mean.create(scope, v, -1)  # E: Sub: shapes [*Lead, N] and [*Lead] do not broadcast: N and *Lead are neither equal nor 1; {_KEPT}
def of_two(v: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[4], Literal[6]]]) -> Whole:
    return v - math.Mean.create(scope, v, (-1, -2))  # E: Sub: shapes [*Lead, 4, 6] and [*Lead] do not broadcast: 6 and *Lead are neither equal nor 1; [*Lead, 1, 1] would fit: keep_dims=True in a reduction over axes -2 to -1 gives it, or core.Reshape  [typegrad-shape]
""",
    "methods": f"""
class Norm:
    def __call__(self, v: Rows[Unpack[Lead]]) -> Rows[Unpack[Lead]]:
        return v - math.Mean.create(scope, v, -1)  # E: Sub: {_MISFIT}
    def scaled(self, v: Rows[Unpack[Lead]]) -> Rows[Unpack[Lead]]:
        return v / core.Sum.create(scope, v, -1)  # E: RealDiv: {_MISFIT}
""",
    "what calls tell": """
def of_vectors(v: Rows[Unpack[Lead]]) -> Whole:
    return v - math.Mean.create(scope, v, -1)
def of_squares(v: Rows[Unpack[Lead]]) -> Whole:
    return v - math.Mean.create(scope, v, -1)
class Norm:
    def __call__(self, v: Rows[Unpack[Lead]]) -> Whole:
        return v - math.Mean.create(scope, v, -1)
of_vectors(core.Placeholder.create(scope, tg.TFloat32, (6,)))
of_squares(core.Placeholder.create(scope, tg.TFloat32, (6, 6)))
Norm()(core.Placeholder.create(scope, tg.TFloat32, (6,)))
""",
    "what fits": """
def f(
    v: Rows[Unpack[Lead]], w: Rows[Unpack[Lead]], other: Rows[Unpack[Other]], each: tg.Operand[tg.TFloat32, tuple[Unpack[Other]]],
    bias: tg.Variable[tg.TFloat32, tuple[Literal[6]]], scale: tg.Operand[tg.TFloat32, tuple[()]],
    one: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[1]]], ahead: tg.Operand[tg.TFloat32, tuple[Literal[4], Unpack[Lead]]],
) -> None:
    mean = math.Mean.create(scope, v, -1)
    v - math.Mean.create(scope, v, -1, keep_dims=True)
    v - core.ExpandDims.create(scope, mean, -1)
    v - math.Mean.create(scope, v)
    v - math.Mean.create(scope, v, 0)
    v * scale + bias
    v + np.zeros(6, np.float32)
    v + np.zeros((5, 6), np.float32)
    v * 2.0 + 1
    v + w
    v + other
    v + each
    v - v[..., :1]
    v[..., 0] - mean
    mean * core.Sum.create(scope, v, -1)
    one - math.Mean.create(scope, one, -1)
    ahead - math.Mean.create(scope, ahead, 0)
    (v @ np.zeros((6, 3), np.float32)) + np.zeros(3, np.float32)
    core.Concat.create(scope, [v, v], -1)
    math.SquaredDifference.create(scope, v, bias)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
