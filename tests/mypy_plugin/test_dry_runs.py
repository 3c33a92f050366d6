"""What mypy says of a program that is followed: where types know too little, and only if they have told of no mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import Message, Report, check

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
class Dense:
    def __call__(self, h: tg.Operand[tg.TFloat32], rows: int) -> tg.Operand[tg.TFloat32]:
        return h @ tg.Variable.create(tg.Scope(h.graph), shape=(rows, 3), dtype=tg.TFloat32)
def dense(h: tg.Operand[tg.TFloat32], rows: int) -> tg.Operand[tg.TFloat32]:
    return Dense()(h, rows)
"""
WRONG: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core
def halves(scope: tg.Scope, n: int) -> object:
    return core.Split.create(scope, 0, core.Placeholder.create(scope, tg.TFloat32, (7,)), 2)
def made(scope: tg.Scope, sizes: list[int]) -> dict[int, tg.Variable[tg.TFloat32]]:
    made: dict[int, tg.Variable[tg.TFloat32]] = {n: tg.Variable.create(scope, np.zeros(n)) for n in sizes}
    return made
def rows(h: tg.Operand[tg.TFloat32], n: int) -> tg.Operand[tg.TFloat32]:
    return h @ tg.Variable.create(tg.Scope(h.graph), shape=(n, 3), dtype=tg.TFloat32)
class Dropout:
    def __call__(self, h: tg.Operand[tg.TFloat32], *, training: bool) -> tg.Operand[tg.TFloat32]:
        if not training:
            return h
def residual(h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return h + Dropout()(h, training=True)
"""
ROWS: Final = """\
def of_rows(rows: int) -> tg.Operand[tg.TFloat32]:
    return x @ tg.Variable.create(scope, np.zeros((rows, 3), np.float32))
"""
PROGRAMS: Final = {
    "shapes": "h = x\nfor w in arrays(8, 4, 2):\n    h = dense(h, w)\ndense(h, arrays(4, 1)[0])\n",
    "origins": "ys = [x @ arrays(8, size)[0] for size in (4, 3)]\n"
    "def add(n: int) -> Any:\n    return add(n - 1) if n else math.AddN.create(scope, ys)\nadd(2)\n",
    "keys": "params = dict(zip('ab', arrays(8, 4, 2)))\nparams['c']\n",
    "attributes": "import argparse\nargparse.Namespace(hidden=3).hiden\n",
    "no_attribute_of_this_length": "import argparse\nargparse.Namespace(swapcase=3).shape\n",
    "of_arrays": "rows = arrays(8, 4)[0] - arrays(5, 4)[0]\n",
    "python": "first, second = arrays(8, 4)\n",
    "feeds": "session = tg.Session(scope.graph)\nsession.run(x, {x: arrays(3, 7)[0]})\n",
    "losses": "from typegrad.training.optimizers import Adam\nAdam(scope.graph, 0.1).minimize(math.Mean.create(scope, x))\n",
    "modules": "from layers import narrow\nnarrow(x) @ arrays(8, 2)[0]\n",
    "in_a_module": "from layers import dense as layer\nlayer(x, 7)\n",
    "told_in_a_module": "from wrong import halves\nhalves(scope, 7)\n",
    "told_in_a_function_of_a_module": "from wrong import made\nmade(scope, [7])\n",
    "behind_what_is_told_in_a_module": "from wrong import made\nmade(scope, [7])\nx @ arrays(4, 1)[0]\n",
    "told_in_an_object_of_a_module": "from wrong import residual\nresidual(x)\n",
    "beside_what_is_told_in_a_module": "from wrong import rows\nrows(x, 7)\n",
    "of_a_run": "v = tg.Variable.create(scope, shape=(2,), dtype=tg.TFloat32)\ntg.Session(scope.graph).run(v * 2.0)\n",
    "of_a_gradient": "v = tg.Variable.create(scope, np.load('v.npy'), tg.TFloat32)\n"
    "tg.grad(scope, math.Mean.create(scope, x), v)\n",
    "of_an_item": "words = open('words.txt').read().split()\nprint([word for word in words if dense(x, arrays(4, 1)[0]).rank])\n",
    "of_a_member": "class Layer:\n    @property\n    def weights(self) -> Any:\n        return dense(x, arrays(4, 1)[0])\n",
    "of_rows_of_a_variable": "v = tg.Variable.create(scope, [[1.0], [2.0]])\nids = [1, 2]\nv.gather(scope, ids)\n",
    "of_large_constants": "y = core.Gather.create(scope, x, np.arange(80), 1)\nsession = tg.Session(scope.graph)\n"
    "session.run(y, {x: np.ones((2, 8), np.float32)})\n",
    "beside_mistakes": "wrong: int = ''\ndense(x, arrays(4, 1)[0])\n",
    "beside_annotations": "def f(a): return a\ndense(x, arrays(4, 1)[0])\n",
    "beside_opinions": "print((2, 3) == ())\ndense(x, arrays(4, 1)[0])\n",
    "ignored": "dense(x, arrays(4, 1)[0])\n",
    "of_a_disabled_kind": "# mypy: disable-error-code=typegrad-shape\ndense(x, arrays(4, 1)[0])\n",
    "disabled": "# mypy: disable-error-code=typegrad-run\ndense(x, arrays(4, 1)[0])\n",
    "right_by_an_alias": f"{ROWS}rows = [[0]] * 3\nrows[0].append(1)\nof_rows(len(rows[2]) + 6)\n",
    "caught_in_a_body": f"{ROWS}try:\n    of_rows(7)\nexcept tg.ShapeError:\n    pass\n",
    "fields": "from collections import namedtuple\nLosses = namedtuple('Losses', 'mse cross')\nparts: Any = Losses(1, 2)\nprint(parts.mae)\n",
    "in_a_body": f"{ROWS}of_rows(8)\nof_rows(7)\nof_rows(6)\n",
    "not_known_in_a_body": f"{ROWS}import somewhere  # type: ignore\nif somewhere.flag:\n    of_rows(7)\n",
    "caught": "try:\n    dense(x, arrays(4, 1)[0])\nexcept tg.ShapeError:\n    pass\n",
}
SCRIPT: Final = """\
import typegrad as tg
from typegrad.op import core
def main():
    core.Sum.create(tg.Scope(tg.Graph()), [1.0], 5)
class Trainer:
    def __init__(self):
        self.steps = 1
    def run(self):
        main()
class Runner:
    def run(self):
        main()
"""
FAILS: Final = "MatMul: inner dimensions differ: a is [Batch, 8], b is [4, 1]; a is 'x' from line 7; called in line 13"
OF_ROWS: Final = "MatMul: inner dimensions differ: a is [Batch, 8], b is [{}, 3]; in of_rows, line 13"
EXPECTED: Final = {
    "shapes": ["11: MatMul: inner dimensions differ: a is [Batch, 2], b is [4, 1]; called in line 15"],
    "origins": [
        "14: AddN: `inputs` must have one shape: shapes [Batch, 4] and [Batch, 3] differ; inputs[0], inputs[1] are from line 12; called in line 15"
    ],
    "attributes": ["13: AttributeError: 'Namespace' object has no attribute 'hiden'; did you mean .hidden?"],
    "fields": ["15: AttributeError: 'Losses' object has no attribute 'mae'; did you mean .mse?"],
    "keys": ["13: KeyError: there is no key 'c', but 'a', 'b'"],
    "no_attribute_of_this_length": ["13: AttributeError: 'Namespace' object has no attribute 'shape'"],
    "of_arrays": ["12: ValueError: operands could not be broadcast together with shapes (8,4) (5,4)"],
    "python": ["12: ValueError: not enough values to unpack (expected 2, got 1)"],
    "feeds": [
        "13: the feed of 'x:0' (Placeholder, float32 [Batch, 8], line 7) has shape [3, 7], which does not fit [Batch, 8]"
    ],
    "losses": ["13: there are no variables to train: make one with tg.Variable.create, or pass `var_list`"],
    "modules": ["13: MatMul: inner dimensions differ: a is [Batch, 4], b is [8, 2]"],
    "in_a_module": [
        "13: MatMul: inner dimensions differ: a is [Batch, 8], b is [7, 3]; a is 'x' from line 7; in Dense.__call__, line 7 of layers.py"
    ],
    "of_a_run": ["13: variable 'v' has no value yet; call session.assign; the variable is from line 12"],
    "of_a_gradient": [
        "13: no gradient flows from the Mean from line 13 (float32 []) to 'v' (Variable, float32 <unknown>, line 12): no path of values leads from it to what is differentiated"
    ],
    "of_an_item": [f"11: {FAILS}"],
    "of_a_member": [f"11: {FAILS.replace('13', '15')}"],
    "of_rows_of_a_variable": [
        "14: Variable.gather: `indices[1]` is 2, but must be in [0, 2), the size of axis 0 of the variable"
    ],
    "of_large_constants": [
        "14: 'y' (Gather, line 12): with these feeds, `indices[8]` is 8, but must be in [0, 8), the size of axis 1 of `params`; params is 'x' from line 7"
    ],
    "in_a_body": [f"15: {OF_ROWS.format(7)}", f"16: {OF_ROWS.format(6)}"],
    "not_known_in_a_body": [f"16: {OF_ROWS.format(7)}"],
    "beside_annotations": [f"11: {FAILS}"],
    "beside_opinions": [f"11: {FAILS}"],
    "beside_what_is_told_in_a_module": [
        "13: MatMul: inner dimensions differ: a is [Batch, 8], b is [7, 3]; a is 'x' from line 7; in rows, line 11 of wrong.py"
    ],
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    sources = {f"{name}.py": f"{HEADER}{program}" for name, program in PROGRAMS.items()}
    sources["ignored.py"] = sources["ignored.py"].replace("h @ weights", "h @ weights  # type: ignore[typegrad-shape]")
    return check(tmp_path_factory.mktemp("programs"), {**sources, "layers.py": LAYERS, "wrong.py": WRONG})


def test_a_mistake_in_a_module_is_told_there(report: Report) -> None:
    told = [(error.line, error.code) for error in report.errors("wrong.py")]
    assert told == [(6, "typegrad-shape"), (8, "misc"), (13, "return")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_first_error_is_told_where_the_program_fails(name: str, report: Report) -> None:
    told = [f"{each.line}: {each.text}" for each in report.errors(f"{name}.py") if each.code.startswith("typegrad")]
    assert told == EXPECTED.get(name, [])


def test_data_alone_is_followed(tmp_path: Path) -> None:
    program = "import numpy as np\nfrom typegrad.training.data import Dataset\n"
    data = "Dataset.from_arrays(np.zeros((6, 4)), np.zeros(5))\n"
    (error,) = check(tmp_path, {"program.py": program + data}).errors()
    assert error.text.endswith("takes arrays of one size in the first dimension; these have shapes [6, 4], [5]")


UNCHECKED: Final = """\
import numpy as np
import typegrad as tg
def train():
    scope = tg.Scope(tg.Graph())
    w = tg.Variable.create(scope, np.ones(3, np.float32))
    with tg.Session(scope.graph) as session:
        session.run(w)
    return session.value(w)
class Trainer:
    def __init__(self):
        self.train = train
class Model:
    def fit(self):
        return train()
"""


def of_typegrad(report: Report) -> list[Message]:
    return [each for each in report.errors() if each.code.startswith("typegrad")]


@pytest.mark.parametrize(
    "call", ["train()", "if __name__ == '__main__':\n    train()", "Model().fit()", "Trainer().train()"]
)
def test_functions_without_annotations_alone_are_followed(call: str, tmp_path: Path) -> None:
    (error,) = of_typegrad(check(tmp_path, {"program.py": f"{UNCHECKED}{call}\n"}))
    assert (error.line, error.text.partition(";")[0]) == (8, "this session is closed")


def test_a_file_is_checked_again_when_another_one_of_the_program_changes(tmp_path: Path) -> None:
    program = f"{HEADER}{PROGRAMS['modules']}".replace("arrays(8, 2)", "arrays(4, 2)")
    assert not check(tmp_path, {"program.py": program, "layers.py": LAYERS}).errors()
    (tmp_path / "layers.py").write_text(LAYERS.replace(":4]", ":40 - 35]"))
    (error,) = check(tmp_path, {"program.py": program}).errors()
    assert error.text == "MatMul: inner dimensions differ: a is [Batch, 5], b is [4, 2]"


@pytest.mark.parametrize("call", ["main()", "print(main())", "Trainer().run()", "Runner().run()"])
def test_a_script_of_functions_without_annotations(call: str, tmp_path: Path) -> None:
    report = check(tmp_path, {"script.py": SCRIPT + call})
    told = [f"{each.line}: {each.text}" for each in report.errors("script.py") if each.code.startswith("typegrad-")]
    assert [each.partition("; called in line")[0] for each in told] == ["4: Sum: `axis` is 5, but must be in [-1, 1)"]


UNTYPED: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core
def build(n):
    x = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, (None, n))
    return x @ np.zeros((3, n), np.float32)
class Net:
    def __init__(self, n):
        self.y = build(n)
"""


@pytest.mark.parametrize("call", ["build(4)", "Net(4)", "def main():\n    build(4)\nmain()"])
def test_a_program_that_only_calls_functions_of_its_package_is_followed(call: str, tmp_path: Path) -> None:
    name = "Net" if "Net" in call else "build"
    sources = {"untyped.py": UNTYPED, "program.py": f"from untyped import {name}\n{call}\n"}
    (error,) = (each for each in check(tmp_path, sources).errors("program.py") if each.code.startswith("typegrad"))
    assert error.text.startswith("MatMul: inner dimensions differ: a is [?, 4], b is [3, 4]")
