"""What mypy says of a program that is followed: where types know too little, and only if they have told of no mistake."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import Report, check

HEADER: Final = """\
from typing import Any, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, math
Batch = NewType("Batch", int)
scope: tg.Scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, 8))
def arrays(*sizes: int) -> list[Any]:
    return [np.ones(pair, np.float32) for pair in zip(sizes, sizes[1:])]
def dense(h: tg.Operand[tg.TFloat32], weights: Any) -> tg.Operand[tg.TFloat32]:
    return h @ weights
"""
LAYERS: Final = """
import typegrad as tg
def narrow(h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return h[:, :4]
"""
PROGRAMS: Final = {
    "shapes": "h = x\nfor w in arrays(8, 4, 2):\n    h = dense(h, w)\ndense(h, arrays(4, 1)[0])\n",
    "keys": "params = dict(zip('ab', arrays(8, 4, 2)))\nparams['c']\n",
    "python": "first, second = arrays(8, 4)\n",
    "feeds": "session = tg.Session(scope.graph)\nsession.run(x, {x: arrays(3, 7)[0]})\n",
    "losses": "from typegrad.training.optimizers import Adam\nAdam(scope.graph, 0.1).minimize(math.Mean.create(scope, x))\n",
    "modules": "from layers import narrow\nnarrow(x) @ arrays(8, 2)[0]\n",
    "beside_mistakes": "wrong: int = ''\ndense(x, arrays(4, 1)[0])\n",
    "beside_annotations": "def f(a): return a\ndense(x, arrays(4, 1)[0])\n",
    "ignored": "dense(x, arrays(4, 1)[0])\n",
    "disabled": "# mypy: disable-error-code=typegrad-run\ndense(x, arrays(4, 1)[0])\n",
    "caught": "try:\n    dense(x, arrays(4, 1)[0])\nexcept tg.ShapeError:\n    pass\n",
}
DIFFER: Final = "MatMul: inner dimensions differ: a is [Batch, 8], b is [4, 1]"
EXPECTED: Final = {
    "shapes": (
        "MatMul: inner dimensions differ: a is [Batch, 2], b is [4, 1]; b is from line 11; called in line 15"
        " [typegrad-run]"
    ),
    "keys": "KeyError: there is no key 'c', but 'a', 'b' [typegrad-run]",
    "python": "ValueError: 2 names for 1 value [typegrad-run]",
    "feeds": (
        "the feed of 'x:0' (Placeholder, float32 [Batch, 8], line 7) has shape [3, 7], which does not fit [Batch, 8]"
        " [typegrad-run]"
    ),
    "losses": "",
    "modules": "",
    "beside_mistakes": "",
    "beside_annotations": "",
    "ignored": "",
    "disabled": "",
    "caught": "",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    sources = {f"{name}.py": f"{HEADER}{program}" for name, program in PROGRAMS.items()}
    sources["ignored.py"] = sources["ignored.py"].replace("h @ weights", "h @ weights  # type: ignore[typegrad-run]")
    return check(tmp_path_factory.mktemp("programs"), {**sources, "layers.py": LAYERS})


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, report: Report) -> None:
    print([f"{each.line}: {each.text} [{each.code}]" for each in report.errors(f"{name}.py")])
    assert 0
