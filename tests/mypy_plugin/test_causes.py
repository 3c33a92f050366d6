"""Several errors about one value are one mistake, told at the first place; two mistakes are told both."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check, disagreements

HEADER: Final = """\
from typing import Literal
from attrs import frozen
import numpy as np
from numpy.typing import NDArray
import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.training import fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import Adam
graph = tg.Graph()
scope = tg.Scope(graph)
rng = np.random.default_rng(0)
session = tg.Session(graph)
x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
ids = core.Placeholder.create(scope, tg.TInt32, (None,))
"""
FLOAT: Final = "is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]"
LONG: Final = "an array of int64, but must be int32; convert it with astype(np.int32)  [typegrad-dtype]"
MIXED: Final = (
    "MatMul: a is float32 but b is float64; cast one with dtypes.Cast, or create {} from an array.astype(np.float32)"
    "  [typegrad-dtype]"
)
INNER: Final = "MatMul: inner dimensions differ: a is [?, 4], b is [8, 2]  [typegrad-shape]"
LONGS: Final = (
    '"ndarray[tuple[Any, ...], dtype[signedinteger[_64Bit]]]"; expected "ndarray[tuple[Any, ...], '
    'dtype[signedinteger[_32Bit]]]"  [arg-type]'
)
PROGRAMS: Final = {
    "parts of an array": f"""
def count(labels: NDArray[np.int32]) -> int:
    return int(labels.sum())
data, labels = rng.random((8, 4)), rng.integers(0, 3, 8)
session.run(x, {{x: data[:4]}})  # E: run: the feed of x {FLOAT}
later = data[4:] * 2.0
session.run(x * 2.0, {{x: later}})
session.run(x, {{x: rng.random((8, 4))}})  # E: run: the feed of x {FLOAT}
session.run(ids, {{ids: labels[:3]}})  # E: run: the feed of ids is {LONG}
count(labels[3:])
count(rng.integers(0, 3, 8))  # E: Argument 1 to "count" has incompatible type {LONGS}
""",
    "a field": f"""
@frozen
class Data:
    x: NDArray[np.float32]
    ids: NDArray[np.int32]
def made() -> Data:
    rows, other = rng.random((8, 4)).astype(np.float32), rng.integers(0, 3, 8)
    return Data(x=rows, ids=other)  # E: Argument "ids" to "Data" has incompatible type {LONGS}
data = made()
session.run(ids, {{ids: data.ids}})
more = rng.integers(0, 3, 8)
session.run(ids, {{ids: more}})  # E: run: the feed of ids is {LONG}
""",
    "the odd one of variables": """
from typegrad.op import math
x64 = core.Placeholder.create(scope, tg.TFloat64, (None, 4))
p64 = core.Placeholder.create(scope, tg.TFloat64, (None, 4))
q64 = core.Placeholder.create(scope, tg.TFloat64, (None, 4))
class Model:
    def __init__(self) -> None:
        self.w = tg.Variable.create(scope, np.ones((4, 2)))
        self.b = tg.Variable.create(scope, np.zeros(2, np.float32))
    def of_float64(self) -> None:
        math.Tanh.create(scope, x64 @ self.w) + self.b  # E: AddV2: x is float64 but y is float32; cast one with dtypes.Cast, or create self.b with dtype=tg.TFloat64  [typegrad-dtype]
class Model32:
    def __init__(self) -> None:
        self.w = tg.Variable.create(scope, np.ones((4, 2), np.float32))
        self.b = tg.Variable.create(scope, np.zeros(2))
    def of_float32(self) -> None:
        math.Add.create(scope, x @ self.w, self.b)  # E: Add: x is float32 but y is float64; cast one with dtypes.Cast, or create self.b from an array.astype(np.float32)  [typegrad-dtype]
t = tg.Variable.create(scope, 1.0)
z = tg.Variable.create(scope, np.zeros(3))
(t - 1.0) * (z - 2.0)  # E: Mul: x is float32 but y is float64; cast one with dtypes.Cast  [typegrad-dtype]
i = tg.Variable.create(scope, np.ones(3, np.int32))
math.Sigmoid.create(scope, i)  # E: Sigmoid: x is int32, but must be bfloat16, float16, float32, float64, complex64 or complex128; cast it with dtypes.Cast, or create i with dtype=tg.TFloat32  [typegrad-dtype]
j = tg.Variable.create(scope, np.ones(3, np.int32))
math.Sigmoid.create(scope, j + 1)  # E: Sigmoid: x is int32, but must be bfloat16, float16, float32, float64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
single, double = tg.Variable.create(scope, np.ones(3, np.float32)), tg.Variable.create(scope, np.ones(3))
single * double  # E: Mul: x is float32 but y is float64; cast one with dtypes.Cast, or create double and single of one dtype  [typegrad-dtype]
v = tg.Variable.create(scope, np.ones((4, 2), np.float32))
p64 @ v  # E: MatMul: a is float64 but b is float32; cast one with dtypes.Cast  [typegrad-dtype]
w = tg.Variable.create(scope, np.ones((4, 4)))
q64 @ w + x  # E: AddV2: x is float64 but y is float32; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "a variable": f"""
w = tg.Variable.create(scope, rng.random((4, 2)))
v = tg.Variable.create(scope, rng.random((4, 2)))
x @ w  # E: {MIXED.format("w")}
x @ (w * 2.0)
x @ v  # E: {MIXED.format("v")}
narrow = tg.Variable.create(scope, np.zeros((8, 2), np.float32))
other = tg.Variable.create(scope, np.zeros((8, 2), np.float32))
x @ narrow  # E: {INNER}
(x * 2.0) @ narrow
x @ other  # E: {INNER}
""",
    "a constant": """
c = core.Constant.create(scope, rng.random(4))
x * c  # E: Mul: x is float32 but y is float64; cast one with dtypes.Cast  [typegrad-dtype]
x - math.Log.create(scope, c)
""",
    "labels that each need a cast": """
x * ids  # E: Mul: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
x + ids  # E: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "arrays of a run whose graph is refused": """
w = tg.Variable.create(scope, np.zeros((2, 4), np.float32))
y = math.Exp.create(scope, w @ np.zeros((3, 1), np.float32))  # E: MatMul: inner dimensions differ: a is [2, 4], b is [3, 1]  [typegrad-shape]
table, value = session.run((w, y))
table = table * 2.0
table - np.ones((2, 3), np.float32)
session.run(w) - np.ones((2, 3), np.float32)  # E: - of arrays of shapes [2, 4] and [2, 3]: the sizes do not fit each other  [typegrad-shape]
""",
    "two arrays of a run, in each other's place": """
w = tg.Variable.create(scope, np.zeros((2, 4), np.float32))
table, value = session.run((math.Mean.create(scope, w), w))
table.sum(axis=1)  # E: AxisError: axis 1 is out of bounds for array of dimension 0  [typegrad-run]
float(value)
""",
    "an array in the place of an operand, told where the run fails": """
def doubled(h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return h * 2.0
c = np.zeros(3)
doubled(c)
session.run([x, c])  # E: Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not ndarray; pass the operand that was run, not the value that session.run returned  [typegrad-call]
""",
    "arrays in each other's place": """
def update(rows: NDArray[np.float32], labels: NDArray[np.int32]) -> None: ...
rows, labels = np.zeros((8, 4), np.float32), np.zeros(8, np.int32)
update(labels, rows)  # E: update(): `rows` is an array of int32 and `labels` is an array of float32; swap them  [typegrad-call]
update(labels, labels)  # E: Argument 1 to "update" has incompatible type "ndarray[tuple[int], dtype[signedinteger[_32Bit]]]"; expected "ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]"  [arg-type]
""",
    "the number of arguments, and their types": """
def update(rows: NDArray[np.float32], labels: NDArray[np.int32]) -> None: ...
update((np.zeros((8, 4), np.float32), np.zeros(8, np.int32)))  # E: Missing positional argument "labels" in call to "update"  [call-arg]
""",
    "a keyword of no overload": """
rng.normal(0.0, 1.0, (2, 3), dtype=np.float32)  # E: Unexpected keyword argument "dtype" for overloaded function "normal" of "Generator"  [call-overload]
""",
    "a line of a method, for several calls": """
class Model:
    def __init__(self) -> None:
        self.w = tg.Variable.create(scope, np.zeros((5, 2), np.float32))
    def f(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return v @ self.w
    def g(self, v: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32, tuple[int, Literal[2]]]:
        return v * 2.0
model = Model()
y = core.Placeholder.create(scope, tg.TFloat32, (8, 4))
model.f(x) - model.f(y)  # E: MatMul: inner dimensions differ: a is [?, 4], b is [5, 2]; in Model.f, line 21  [typegrad-shape]
model.f(y[:2])
model.g(x)  # E: Model.g (line 22) returns an operand of shape [?, 4], but is declared to return [?, 2]  [typegrad-shape]
model.g(x)
""",
    "a call that fails before the line of which types tell": """
class Layer:
    def __init__(self, n: int, m: int) -> None:
        sizes = dict(zip(("n", "m"), (n, m)))
        self.w = tg.Variable.create(scope.with_name("w"), np.zeros((sizes["n"], sizes["m"]), np.float32))
    def __call__(self, h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return h @ self.w  # E: MatMul: inner dimensions differ: a is [?, 4], b is [5, 3]; a is 'h' from line 14, b is 'w' from line 20; called in lines 25, 27  [typegrad-shape]
class Model:
    def loss(self, h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        y = Layer(5, 3)(h)
        return y + h * np.zeros(6, np.float32)
Model().loss(x)
""",
    "what a function makes before a mistake in it": """
def run() -> None:
    sizes = dict([("n", 5)])
    w = tg.Variable.create(scope, np.zeros((sizes["n"], 3), np.float32))
    y = x @ w  # E: MatMul: inner dimensions differ: a is [?, 4], b is [5, 3]; a is 'x' from line 14, b is 'w' from line 19; called in line 24  [typegrad-shape]
    y.expect(tg.TFloat32, (None, 2))
    x * np.zeros(6, np.float32)  # E: Mul: shapes [?, 4] and [6] do not broadcast: 4 and 6 are neither equal nor 1  [typegrad-shape]
    session.run(y, {x: np.zeros((2, 5), np.float32)})
run()
""",
    "a method for several feeds": """
class Model:
    def __init__(self, inputs: int) -> None:
        self.x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (None, inputs))
    def fit(self, rows: NDArray[np.float32]) -> None:
        for batch in Dataset.from_arrays(rows).batch(2):
            session.run(self.x, {self.x: batch})  # E: the feed of 'x:0' (Placeholder, float32 [?, 5], line 19) has shape [2, 4], which does not fit [?, 5]; called in line 26  [typegrad-run]
    def predict(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        return session.run(self.x, {self.x: rows})
model = Model(5)
model.fit(rng.random((8, 4)).astype(np.float32))
model.predict(np.zeros((2, 4), np.float32))
""",
}

MODEL: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
table = tg.Variable.create(scope, np.zeros((5, 2), np.float32))
x = core.Placeholder.create(scope, tg.TFloat32, (None,))
def rows() -> tg.Operand[tg.TFloat32]:
    return table.gather(scope, x)
"""
MAIN: Final = """
import numpy as np
import typegrad as tg
from model import rows, scope, x
session = tg.Session(scope.graph)
session.run(rows(), {x: np.zeros(3, np.int32)})
session.run(x, {x: np.zeros(3, np.int64)})
session.run(x, {x: np.zeros(3)})
"""


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


def test_a_feed_that_an_operation_of_another_module_takes_is_not_refused(tmp_path: Path) -> None:
    report = check(tmp_path, {"model.py": MODEL, "main.py": MAIN})
    assert {(each.file, each.line) for each in report.errors()} == {("main.py", 8), ("model.py", 9)}, report.output


LABELLER: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core, math
class Layer:
    def __init__(self, scope: tg.Scope, inputs: int, units: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((inputs, units), np.float32))
    def __call__(self, h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return h @ self.w
def scores(h: tg.Operand[tg.TFloat32], labels: tg.Operand[tg.TInt32]) -> None: ...
class Labeller:
    def __init__(self, scope: tg.Scope) -> None:
        self.x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
        self.labels = core.Placeholder.create(scope, tg.TInt32, (None,))
        self.y = Layer(scope, 4, 3)(self.x)
        self.guess = math.ArgMax.create(scope, self.y, 1, tg.TInt32)
        scores(self.y, self.labels)
        self.hits = math.Equal.create(scope, self.guess, self.labels)
"""
TRAINER: Final = """
import numpy as np
import typegrad as tg
from model import Labeller
scope = tg.Scope(tg.Graph())
model = Labeller(scope)
rows, labels = np.zeros((2, 4), np.float32), np.zeros(2, np.int32)
tg.Session(scope.graph).run(model.hits, {model.x: rows, model.labels: labels})
"""
CHANGES: Final = {
    "none": ("", "", []),
    "a size that a method refuses": ("Layer(scope, 4, 3)", "Layer(scope, 5, 3)", [15]),
    "labels of another size of integers": ("tg.TInt32, (None,)", "tg.TInt64, (None,)", [18]),
    "labels that are no integers": ("tg.TInt32, (None,)", "tg.TFloat32, (None,)", [18]),
    "the class of another result": ("1, tg.TInt32", "1, tg.TInt64", [18]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_mistake_in_a_module_is_not_told_in_one_that_imports_it(name: str, tmp_path: Path) -> None:
    before, after, lines = CHANGES[name]
    report = check(tmp_path, {"model.py": LABELLER.replace(before, after), "main.py": TRAINER})
    assert [(each.file, each.line) for each in report.errors()] == [("model.py", line) for line in lines], report.output


def test_a_mistake_in_a_module_and_another_one_in_its_importer_are_told(tmp_path: Path) -> None:
    model = LABELLER.replace("Layer(scope, 4, 3)", "Layer(scope, 5, 3)")
    trainer = TRAINER.replace("np.zeros(2, np.int32)", "np.zeros(2, np.int64)")
    report = check(tmp_path, {"model.py": model, "main.py": trainer})
    assert {(each.file, each.line) for each in report.errors()} == {("model.py", 15), ("main.py", 8)}, report.output


def test_what_follows_from_the_result_of_a_function_of_another_module_is_not_told(tmp_path: Path) -> None:
    layers = """
import typegrad as tg
from typegrad.op import core
@tg.custom_gradient
def reverse(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], tg.GradientFunction]:
    return core.Identity.create(scope, x)
"""
    model = """
import typegrad as tg
from layers import reverse
from typegrad.op import core
def build(scope: tg.Scope) -> tg.Operand[tg.TFloat32]:
    x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
    return reverse(scope, x)
"""
    main = "import typegrad as tg\nfrom model import build\nbuild(tg.Scope(tg.Graph()))\n"
    report = check(tmp_path, {"layers.py": layers, "model.py": model, "main.py": main})
    assert [(each.file, each.line) for each in report.errors()] == [("layers.py", 6)], report.output


CELL: Final = """
import numpy as np
import numpy.typing as npt
import typegrad as tg
from typegrad.op import core
class Cell:
    def __init__(self, scope: tg.Scope) -> None:
        self.scope = scope
        self.gate = tg.Variable.create(scope, np.zeros((7, 4), np.float32))
    def step(self, x: tg.Operand[tg.TFloat32, tuple[int, int]], extra: npt.NDArray[np.float32]) -> tg.Operand[tg.TFloat32]:
        y = core.Concat.create(self.scope, [x, extra], 1)
        gate = y @ self.gate
        return gate * np.ones(4, np.float32)
    def other(self) -> tg.Operand[tg.TFloat32]:
        return self.gate * np.ones(4, np.float32)
"""
STEPS: Final = """
import numpy as np
import typegrad as tg
from cell import Cell
from typegrad.op import core
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
Cell(scope).step(x[:2], np.ones((2, 3), np.float32))
"""
SWAPPED_SIZES: Final = (
    "12: MatMul: inner dimensions differ: a is [2, 7], b is [4, 7]; linalg.MatMul with transpose_b=True would fit; "
    "a is 'y' from line 11, b is 'self.gate' from line 9"
)
BEHIND: Final = "13: Mul: shapes [?, 4] and [5] do not broadcast: 4 and 5 are neither equal nor 1"
BESIDE: Final = "15: Mul: shapes [7, 4] and [5] do not broadcast: 4 and 5 are neither equal nor 1"
FIRST: Final = {
    "nothing": ("", "", []),
    "what a program makes of an operand that does not fit there": ("(7, 4)", "(4, 7)", [SWAPPED_SIZES]),
    "what is wrong whatever the program does": ("return gate * np.ones(4", "return gate * np.ones(5", [BEHIND]),
    "a mistake in a function that is not called": ("self.gate * np.ones(4", "self.gate * np.ones(5", [BESIDE]),
}


@pytest.mark.parametrize("name", FIRST)
def test_a_module_tells_where_a_program_fails_first(name: str, tmp_path: Path) -> None:
    before, after, errors = FIRST[name]
    report = check(tmp_path, {"cell.py": CELL.replace(before, after), "main.py": STEPS})
    assert [f"{each.line}: {each.text}" for each in report.errors()] == errors, report.output


def test_what_follows_from_a_property_of_another_module_is_not_told(tmp_path: Path) -> None:
    model = """
import numpy as np
import typegrad as tg
from typegrad.op import core
class Model:
    def __init__(self, scope: tg.Scope) -> None:
        self.weights = [tg.Variable.create(scope, np.zeros(3, np.float32))]
        self.loss = core.Sum.create(scope, self.weights[0])
    @property
    def variables(self) -> list[tg.Variable[tg.TFloat32]]:
        return [self.weights]
"""
    main = """
import typegrad as tg
from model import Model
from typegrad.training.optimizers import Adam
graph = tg.Graph()
model = Model(tg.Scope(graph))
Adam(graph).minimize(model.loss, var_list=[*model.variables])
"""
    report = check(tmp_path, {"model.py": model, "main.py": main})
    assert [(each.file, each.line) for each in report.errors()] == [("model.py", 11)], report.output


def test_what_several_modules_feed_is_told_in_each(tmp_path: Path) -> None:
    trainer = TRAINER.replace("np.int32", "np.int64")
    report = check(tmp_path, {"model.py": LABELLER, "main.py": trainer, "other.py": trainer})
    assert {(each.file, each.line) for each in report.errors()} == {("main.py", 8), ("other.py", 8)}, report.output


def test_classes_of_one_name_in_files_that_do_not_import_each_other_are_told_apart(tmp_path: Path) -> None:
    model = LABELLER.replace("tg.TInt32, (None,)", "tg.TInt64, (None,)")
    trainer = TRAINER.replace("from model import Labeller", model).replace("np.int32)", "np.int64)")
    report = check(tmp_path, {"model.py": model, "other.py": model, "trainer.py": trainer})
    assert {each.file for each in report.errors()} == {"model.py", "other.py", "trainer.py"}, report.output


def test_a_wrong_feed_is_told_beside_a_file_that_it_has_nothing_to_do_with(tmp_path: Path) -> None:
    feeding = """
import numpy as np
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
ids = core.Placeholder.create(scope, tg.TInt32, (None,))
tg.Session(scope.graph).run(ids, {ids: np.zeros(3)})
"""
    refusing = """
import typegrad as tg
from typegrad.op import core, math
ids = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TInt32, (None,))
math.Sqrt.create(tg.Scope(ids.graph), ids)
"""
    report = check(tmp_path, {"feeding.py": feeding, "refusing.py": refusing})
    assert {(each.file, each.line) for each in report.errors()} == {("feeding.py", 7), ("refusing.py", 5)}, (
        report.output
    )
