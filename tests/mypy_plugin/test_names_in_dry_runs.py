"""What mypy says of a program that is followed is in the words of the program: its names, its classes, its lines."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import Report, check

HEADER: Final = """\
from typing import Any
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (3,))
v = tg.Variable.create(scope, np.zeros(3, np.float32))
named = core.Placeholder.create(scope.with_name("speed"), tg.TFloat32, (3,))
def layers() -> list[Any]:
    return [core.Placeholder.create(scope, tg.TFloat32, (rows, 3)) for rows in (2, 3)]
"""
OTHER: Final = """
import typegrad as tg
from typegrad.op import core
def sized(scope: tg.Scope) -> tg.Operand[tg.TFloat32]:
    return core.Placeholder.create(scope, tg.TFloat32, (3,))
class Elsewhere:
    def __init__(self, scope: tg.Scope) -> None:
        self.size = sized(scope)
"""
RUN: Final = "tg.Session(scope.graph).run"
ADAM: Final = "from typegrad.training.optimizers import Adam\n"
PROGRAMS: Final = {
    "a_variable": f"loss = core.Sum.create(scope, x * v)\n{RUN}(loss)\n",
    "a_name_in_the_graph": f"loss = core.Sum.create(scope, named)\n{RUN}(loss)\n",
    "an_attribute": "class Net:\n    __slots__ = ('x', 'y')\n    def __init__(self) -> None:\n"
    "        self.y = core.Placeholder.create(scope, tg.TFloat32, (3,))\n"
    f"net = Net()\n{RUN}(net.y * 2.0)\n",
    "an_attribute_of_a_part": "class Net:\n    def __init__(self) -> None:\n"
    "        self.y = core.Placeholder.create(scope, tg.TFloat32, (3,))\n"
    "def made() -> tuple[Net, int]:\n    return Net(), 1\n"
    f"net, count = made()\n{RUN}(net.y)\n",
    "another_module": f"from other import Elsewhere\nelse_ = Elsewhere(scope)\n{RUN}(else_.size)\n",
    "no_name_in_another_module": f"from other import sized\nloss = core.Sum.create(scope, sized(scope))\n{RUN}(loss)\n",
    "a_part": f"(first,), rows = [x * v], 2\n{RUN}(first)\n",
    "a_target_of_a_loop": "frames: Any = core.Unstack.create(scope, np.ones((2, 3, 4), np.float32), 2).output\n"
    "for t, frame in enumerate(frames):\n    frame @ np.zeros((3, t + 1), np.float32)\n",
    "what_is_fetched": f"{RUN}(x)\n",
    "a_step_of_an_optimizer": f"{ADAM}def rate(_: Any, step: Any) -> Any:\n    return step / 2.0\n"
    "Adam(scope.graph, rate).minimize(core.Sum.create(scope, v * v))\n",
    "a_direction": "y = core.Sum.create(scope, v * v)\ntg.hvp(scope, y, [v], [np.zeros(4, np.float32)])\n",
    "values_of_a_direction": "y = core.Sum.create(scope, v * v)\ntg.hvp(scope, y, v, np.ones(3, np.float64))\n",
    "no_name": "tg.grad(scope, core.Sum.create(scope, x), layers()[1])\n",
    "a_parameter": "def square(h: tg.Operand[tg.TFloat32], of: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:\n"
    "    return tg.grad(scope, h, of)\nsquare(x * 2.0, v)\n",
    "two_of_a_line": f"x, y = [core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ()) for _ in 'ab']\n{RUN}(y)\n",
    "a_cut": "y = core.StopGradient.create(scope, x)\ntg.grad(scope, core.Sum.create(scope, y), x)\n",
    "cuts_of_one_line": "def stopped(h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:\n"
    "    return core.StopGradient.create(scope, h)\n"
    "tg.grad(scope, core.Sum.create(scope, stopped(x) * stopped(x + 1.0)), x)\n",
    "a_loss_of_no_variable": f"{ADAM}loss = core.Sum.create(scope, x)\nAdam(scope.graph).minimize(loss)\n",
    "a_loss_that_is_cut": f"{ADAM}w = tg.Variable.create(scope.with_name('w'), 1.0)\n"
    "loss = core.StopGradient.create(scope, w * named)\nAdam(scope.graph).minimize(loss, [w, v])\n",
    "a_loss_of_integers": f"{ADAM}w = tg.Variable.create(scope.with_name('w'), 1.0)\n"
    "Adam(scope.graph).minimize(math.ArgMax.create(scope, v * w, 0))\n",
    "inputs": "def scores(q: Any, k: Any) -> Any:\n    return q @ k\n"
    "rows = [(h, core.Identity.create(scope, h)) for h in layers()]\nscores(*rows[0])\n",
    "inputs_of_one_line": "def scores(q: Any, k: Any) -> Any:\n    return k @ q\nscores(*layers())\n",
    "names_of_a_scope": "net = scope.with_name('net')\n"
    "def made(size: Any) -> Any:\n    kernel = tg.Variable.create(net, np.zeros((size, 2), np.float32))\n    return kernel\n"
    "def scores(h: Any) -> Any:\n    kernel = made(5)\n    return h @ kernel\n"
    "def doubled(h: Any) -> Any:\n    return math.Mul.create(net, h, 2.0)\nscores(doubled(layers()[0]))\n",
    "a_name_of_one": "h: Any = math.Mul.create(scope.with_name('net'), layers()[0], 2.0)\nh @ np.zeros((2, 2), np.float32)\n",
    "variables_of_two_types": "def product(a: Any, b: Any) -> Any:\n    return a @ b\n"
    "w = {'W': tg.Variable.create(scope.with_name('W'), np.zeros((2, 2), np.float32))}\n"
    "chain = tg.Variable.create(scope.with_name('chain'), np.zeros((3, 2)))\n"
    "product(chain, w['W'])\n",
    "a_class": "core.Stack.create(scope, layers())\n",
    "another_class": "image = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, (2, 5, 5, 1))\n"
    "nn.Conv2d.create(scope, image, np.zeros((3, 3, 1, 2), np.float32), [1, 1, 1, 1], 'SAME')\n",
}
DEPENDS: Final = "on it; pass its value with the feeds"
CUT: Final = "no path of values leads from it to what is differentiated"
FOREIGN: Final = "which belongs to another graph"
EXPECTED: Final = {
    "a_variable": f"'x' (Placeholder, float32 [3], line 6) must be fed, because 'loss' depends {DEPENDS}",
    "a_name_in_the_graph": f"'speed:0' (Placeholder, float32 [3], line 8) must be fed, because 'loss' depends {DEPENDS}",
    "an_attribute": "'net.y' (Placeholder, float32 [3], line 14) must be fed, because the Mul from line 16 depends "
    f"{DEPENDS}",
    "an_attribute_of_a_part": "'net.y' (Placeholder, float32 [3], line 13) must be fed: it is fetched; pass its value with "
    "the feeds",
    "another_module": "'else_.size' (Placeholder, float32 [3], line 5 of other.py) must be fed: it is fetched; pass its "
    "value with the feeds",
    "no_name_in_another_module": "the Placeholder from line 5 of other.py (float32 [3]) must be fed, because 'loss' "
    f"depends {DEPENDS}",
    "a_part": f"'x' (Placeholder, float32 [3], line 6) must be fed, because 'first' depends {DEPENDS}",
    "a_target_of_a_loop": "MatMul: inner dimensions differ: a is [3, 4], b is [3, 1]; linalg.MatMul with transpose_a=True would "
    "fit; a is 'frame' from line 11",
    "what_is_fetched": "'x' (Placeholder, float32 [3], line 6) must be fed: it is fetched; pass its value with the feeds",
    "a_step_of_an_optimizer": "/ divides floating-point and complex numbers, not 'step' (Variable, int64 [], line 14): "
    "cast it with dtypes.Cast; called in line 14",
    "a_direction": "hvp: `vs` has float32 [4] for 'v' (Variable, float32 [3], line 7), but must have its type and shape",
    "values_of_a_direction": "hvp: the vector in `vs` for 'v' (Variable, float32 [3], line 7): an array of float64 is not float32; "
    "convert it with astype(np.float32)",
    "no_name": f"no gradient flows from the Sum from line 11 (float32 []) to the Placeholder from line 10 "
    f"(float32 [3, 3]): {CUT}",
    "a_parameter": "no gradient flows from 'h' (Mul, float32 [3], line 13) to 'of' (Variable, float32 [3], line 7): "
    f"{CUT}; called in line 13",
    "two_of_a_line": "the Placeholder from line 11 belongs to another graph than this session; open one with tg.Session(operand.graph)",
    "a_cut": "no gradient flows from the Sum from line 12 (float32 []) to 'x' (Placeholder, float32 [3], line 6): "
    "the path is cut at 'y' (StopGradient, line 11), input `input`",
    "cuts_of_one_line": "no gradient flows from the Sum from line 13 (float32 []) to 'x' (Placeholder, float32 [3], line 6): "
    "the path is cut at the StopGradient from line 12, input `input`",
    "a_loss_of_no_variable": f"the loss 'loss' (Sum, float32 [], line 12) trains no variable: 'v': {CUT}",
    "a_loss_that_is_cut": "the loss 'loss' (StopGradient, float32 [3], line 13) trains no variable: 'w': the path is cut at "
    f"'loss' (StopGradient, line 13), input `input`; 'v': {CUT}",
    "a_loss_of_integers": "the loss (the ArgMax from line 13, int64 []) trains no variable: no gradient reaches 'v', "
    "'w': the ArgMax from line 13 is int64, and only floats and complex numbers have gradients",
    "inputs": "MatMul: inner dimensions differ: a is [2, 3], b is [2, 3]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit; "
    "a is 'q' from line 10, b is 'k' from line 13; called in line 14",
    "inputs_of_one_line": "MatMul: inner dimensions differ: a is [3, 3], b is [2, 3]; linalg.MatMul with transpose_b=True, or b times a would fit; "
    "a is 'k' and b is 'q' from line 10; called in line 13",
    "names_of_a_scope": "MatMul: inner dimensions differ: a is [2, 3], b is [5, 2]; b times a would fit; a is 'h' from line 19, b is 'kernel' from line 13; called in line 20",
    "a_name_of_one": "MatMul: inner dimensions differ: a is [2, 3], b is [2, 2]; linalg.MatMul with transpose_a=True, or b times a would fit; a is 'net' from line 11",
    "variables_of_two_types": "MatMul: input `a` is float64, but `b` is float32; cast one with dtypes.Cast, or create "
    "variable 'chain' and variable 'W' of one dtype; 'chain' is from line 14, 'W' is from line 13; called in line 15",
    "a_class": "Stack: `values` must have one shape: shapes [2, 3] and [3, 3] differ; values[0], values[1] are from line 10",
    "another_class": f"Conv2d: input `input` is 'image' (Placeholder, float32 [2, 5, 5, 1], line 11), {FOREIGN}; "
    "build both on one graph",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    sources = {f"{name}.py": f"{HEADER}{program}" for name, program in PROGRAMS.items()}
    return check(tmp_path_factory.mktemp("programs"), {**sources, "other.py": OTHER})


@pytest.mark.parametrize("name", PROGRAMS)
def test_operands_have_the_names_of_the_program(name: str, report: Report) -> None:
    assert [each.text for each in report.errors(f"{name}.py")] == [EXPECTED[name]]
