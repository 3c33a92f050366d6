"""Data of thousands of numbers and sums of thousands of terms cost little more than mypy alone takes for them."""

from __future__ import annotations

from typing import Final

import pytest
from mypy.nodes import Expression, NameExpr, OpExpr

from typegrad.mypy_plugin.expressions.sites import Sites

HEADER: Final = """\
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (3, 5))
w = core.Placeholder.create(scope, tg.TFloat32, (4, 5))
"""
MANY: Final = 600
PROGRAMS: Final = {
    "data": f"""
data = core.Constant.create(scope, [{", ".join(["1.0"] * MANY)}])
reveal_type(data)  # R: Constant[TFloat32, tuple[Literal[{MANY}]]]
mixed = core.Constant.create(scope, [*[1.0, 2], 3, *(4.0, 5.5)])
reveal_type(mixed)  # R: Constant[TFloat32, tuple[Literal[5]]]
""",
    "a sum of operands": f"""
with scope:
    total = {" + ".join(["x"] * MANY)}
    reveal_type(total)  # R: Operand[TFloat32, tuple[Literal[3], Literal[5]]]
    wrong = total + w  # E: AddV2: shapes [3, 5] and [4, 5] do not broadcast: 3 and 4 are neither equal nor 1  [typegrad-shape]
""",
    "a sum of numbers": f"""
count = {" + ".join(["1"] * MANY)}
reveal_type(tg.functions.zeros(scope, (count, 2)))  # R: Operand[TFloat32, tuple[Literal[{MANY}], Literal[2]]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


@pytest.mark.parametrize("terms", [10, 100, 500])
def test_how_much_of_a_sum_is_looked_at(terms: int) -> None:
    total: Expression = NameExpr("x")
    for _ in range(terms):
        total = OpExpr("+", total, NameExpr("x"))
    sites = Sites()
    sites.read(total)
    assert len(sites.arithmetic) == min(terms, 199)
