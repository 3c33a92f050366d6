"""Tests of a program, as pytest calls them: with fixtures, and the values of `pytest.mark.parametrize`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import pytest
from typing import Literal
def sized(n):
    return x @ np.zeros((n, 1), np.float32)
"""
PROGRAMS: Final = {
    "one parameter": """
@pytest.mark.parametrize("n", [8, 7])
def test_n(n):
    x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
""",
    "several": """
@pytest.mark.parametrize("n, k", [(8, 7)])
@pytest.mark.parametrize(["m"], [(8,)], ids=str)
def test_all(n, m, k):
    sized(n)
    x @ np.zeros((k, 1), np.float32)  # E: inner dimensions
""",
    "values for fixtures": """
@pytest.fixture
def n(request):
    return request.param + 7
@pytest.mark.parametrize("n", [1, 0], indirect=True)
def test_n(n):
    sized(n)
@pytest.mark.parametrize("n, k", [(1, 7)], indirect=["n"])
def test_k(n, k):
    sized(n)
    x @ np.zeros((k, 1), np.float32)  # E: inner dimensions
""",
    "an error that is expected": """
@pytest.mark.parametrize("n", [7])
def test_raises(n):
    with pytest.raises(tg.ShapeError):
        sized(n)
@pytest.mark.parametrize("n", [7])
@pytest.mark.xfail
def test_fails(n):
    sized(n)
@pytest.mark.xfail
@pytest.mark.parametrize("n", [7])
def test_fails_too(n):
    sized(n)
""",
    "values that are unknown": """
@pytest.mark.parametrize("n", unknown.sizes)
def test_n(n):
    sized(7)
@pytest.mark.parametrize("n", [unknown.size, pytest.param(7, marks=pytest.mark.xfail)])
def test_case(n):
    sized(n)
""",
    "a fixture": """
@pytest.fixture
def n():
    return 7
def test_n(n):
    x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
""",
    "fixtures of fixtures, made once for a test": """
@pytest.fixture(scope="module", name="shared")
def _shared():
    yield tg.Scope(tg.Graph())
@pytest.fixture
def a(shared):
    return core.Placeholder.create(shared, tg.TFloat32, (2, 3))
@pytest.fixture
def b(shared):
    return core.Placeholder.create(shared, tg.TFloat32, (2, 3))
def test_one_graph(a, b, tmp_path):
    print(a + b)
    a @ b  # E: inner dimensions
""",
    "a fixture that ends after the test": """
@pytest.fixture
def session():
    with tg.Session(scope.graph) as session:
        yield session
def test_run(session):
    session.run(x, {x: np.zeros((2, 8), np.float32)})
    session.run(x, {x: np.zeros((2, 7), np.float32)})  # E: has shape [2, 7]
""",
    "a fixture for all tests": """
n = 7
@pytest.fixture(autouse=True)
def _sizes():
    global n
    n = 8
def test_n(shared):
    sized(n)
    x @ np.zeros((n - 1, 1), np.float32)  # E: inner dimensions
""",
    "a program that runs its tests": """
@pytest.fixture
def n():
    return 7
def test_n(n):
    x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
raise SystemExit(pytest.main([__file__, "-q"], plugins=[]))
""",
    "tests in a class": """
class TestSizes:
    def setup_method(self):
        self.size = 8
    @pytest.fixture
    def of_class(self):
        return 7
    def test_right(self):
        sized(self.size)
        self.size = 7
    def test_wrong(self, tmp_path):
        sized(self.size)
        x @ np.zeros((self.size - 1, 1), np.float32)  # E: inner dimensions
    def test_of_class(self, of_class):
        x @ np.zeros((of_class, 1), np.float32)  # E: inner dimensions
class TestCases:
    @pytest.mark.parametrize("n", [8, 7])
    def test_each(self, n):
        x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
@pytest.mark.parametrize("n", [7])
class TestMarked:
    def test_one(self, n):
        sized(n)
class TestWithState:
    def __init__(self):
        self.size = 7
    def test_size(self):
        sized(self.size)
class Sizes:
    def test_size(self):
        sized(7)
""",
    "fixtures of a class, which are taken before those of the module": """
@pytest.fixture
def n():
    return 7
@pytest.fixture
def m():
    return 8
class TestOwn:
    def setup_method(self):
        self.size = 8
    @pytest.fixture
    def n(self):
        return self.size
    @pytest.fixture(name="k")
    def _made(self, n, m):
        return n + m - 8
    def test_right(self, n, k):
        sized(n)
        sized(k)
    def test_wrong(self, n):
        x @ np.zeros((n - 2, 1), np.float32)  # E: b is [6, 1]
class Base:
    @pytest.fixture
    def n(self):
        return 8
    @pytest.fixture
    def m(self):
        return 6
class TestDerived(Base):
    @pytest.fixture
    def m(self, m):
        return m
    def test_right(self, n, m):
        sized(n)
        sized(m)
    @pytest.mark.parametrize("n", [8])
    def test_case(this, n):
        sized(n)
class TestAll:
    n = 7
    @pytest.fixture(autouse=True)
    def set_up(self):
        self.n = 8
    def test_right(self):
        sized(self.n)
def test_of_module(n):
    x @ np.zeros((n, 1), np.float32)  # E: b is [7, 1]
""",
    "fixtures of another file, of one graph": """
class Dense:
    def __init__(self, scope: tg.Scope, m: int) -> None:
        self.w = tg.Variable.create(scope, np.ones((m, 2), np.float32))
@pytest.fixture
def placeholder(scope: tg.Scope):
    return core.Placeholder.create(scope, tg.TFloat32, (2, 3))
@pytest.mark.parametrize("m", [3, 4])
def test_layer(scope: tg.Scope, m: int) -> None:
    core.Constant.create(scope, np.ones((2, 3), np.float32)) @ Dense(scope, m).w  # E: b is [4, 2]
def test_fixture_of_the_file(placeholder, scope: tg.Scope) -> None:
    print(placeholder @ Dense(scope, 3).w)
    placeholder @ Dense(scope, 4).w  # E: b is [4, 2]
def test_graph(graph: "tg.Graph") -> None:
    made = core.Placeholder.create(tg.Scope(graph), tg.TFloat32, (2, 3))
    made @ made  # E: inner dimensions
def test_operand(row: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> None:
    row @ np.ones((4, 2), np.float32)  # E: a is [?, 3], b is [4, 2]
def test_session(session: tg.Session, scope: tg.Scope) -> None:
    made = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
    session.run(made, {made: np.ones((2, 4), np.float32)})  # E: has shape [2, 4]
def test_facade(tf: tg.Ops, row: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> None:
    with tf.with_name("layer") as layer:
        made = layer.nn.relu(row)
    with tg.Session(tf.graph) as session:
        session.run(made[:, 3])  # E: out of range
class TestDense:
    def test_layer(self, scope: tg.Scope, tmp_path) -> None:
        Dense(scope, 3).w @ Dense(scope, 3).w  # E: inner dimensions
""",
    "errors of Python and NumPy": """
w = tg.Variable.create(scope, np.ones((2, 3), np.float32))
group = core.Group.create(scope.with_name("group"), w) if hasattr(core, "Group") else core.NoOp.create(scope)
session = tg.Session(scope.graph)
def test_index():
    session.runner().add_target(group.op).run()[0]  # E: list index out of range
def test_float():
    float(session.run(w))  # E: only
def test_numpy(tmp_path):
    a, b = np.ones((2, 3)), np.ones((4, 3))
    a += b  # E: shapes
def test_unpacked():
    a, b, c = session.run(w)  # E: expected 3
@pytest.mark.parametrize("n", [0, 5])
def test_case(n):
    np.ones(3)[n]  # E: out of bounds
class TestOwn:
    def test_key(self):
        {"a": 1}["b"]  # E: there is no key
def uncalled():
    np.ones((2, 3)) @ np.ones((2, 3))  # E: do not fit
""",
    "errors of Python and NumPy that others may prevent": """
RESULTS, MODEL, CASES = [], None, {"a": [1]}
def fill():
    global MODEL
    RESULTS.append(3)
    MODEL = CASES["b"] = [1, 2]
def test_list():
    RESULTS[0]
def test_none():
    len(MODEL)
def test_dict():
    CASES["b"]
def test_expected():
    with pytest.raises(IndexError):
        np.ones(3)[5]
    with pytest.raises(ValueError):
        np.ones((2, 3)) + np.ones((4, 3))
    try:
        [1][2]
    except LookupError:
        print("failed")
@pytest.mark.xfail
def test_fails():
    np.ones(3)[5]
def test_raises():
    raise ValueError("not yet")
def test_asserted():
    assert [1][0] == 2
@pytest.fixture
def made():
    return [1]
def test_made(made):
    made.append(2)
    made[1]
""",
    "right tests with fixtures of another file": """
def test_of_two_graphs(scope: tg.Scope, graph: tg.Graph, session: tg.Session) -> None:
    made = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
    print(made + core.Placeholder.create(tg.Scope(graph), tg.TFloat32, (2, 3)))
    session.run(made, {made: np.ones((2, 3), np.float32)})
def test_what_the_graph_has(graph: tg.Graph, scope: tg.Scope) -> None:
    print(graph.operation("w"), graph.variables[0].shape, core.NoOp.create(scope).op.name.index("_1"))
    assert graph.operations[0].name == "w"
def test_operations(tf: tg.Ops, graph: tg.Graph, session: tg.Session) -> None:
    made = tf.placeholder(tg.TFloat32, (2, 3))
    print(session.run(tf.linalg.mat_mul(made, made, transpose_b=True), {made: np.ones((2, 3), np.float32)}))
    print(tf.graph.operation("w"), tf.math.add(made, core.Placeholder.create(tg.Scope(graph), tg.TFloat32, (2, 3))))
def test_a_variable_that_has_a_value(session: tg.Session, scope: tg.Scope) -> None:
    session.run(tg.Variable.create(scope, shape=(2,), dtype=tg.TFloat32))
def test_expected(scope: tg.Scope) -> None:
    made = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
    with pytest.raises(tg.ShapeError):
        made @ made
def test_any_shape(a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32, tuple[int, int]], c: Any) -> None:
    print(a @ b, b @ np.ones((4, 2), np.float32), c @ c)
def test_without_annotations(scope, n: int) -> None:
    made = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
    made @ made
def test_sizes(row: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]], n: int) -> None:
    print(row @ np.ones((n, 2), np.float32), row @ np.ones((3, n), np.float32))
@pytest.mark.xfail
def test_that_fails(scope: tg.Scope) -> None:
    made = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
    made @ made
""",
    "generators of random numbers": """
import random
from numpy.random import Generator
def weights(rng: Generator, *shape: int) -> np.ndarray:
    return rng.normal(0.0, 1.0, shape).astype(np.float32)
def test_numpy(rng: Generator) -> None:
    x @ weights(rng, 8, 2) @ weights(rng, 3, 2)  # E: inner dimensions
def test_older(rng: "np.random.RandomState") -> None:
    x @ rng.rand(7, 2).astype(np.float32)  # E: inner dimensions
def test_python(rng: random.Random) -> None:
    [1, 2][rng.randrange(2, 4)]  # E: list index out of range
def uncalled(rng: Generator) -> None:
    x @ weights(rng, 9, 2)  # E: inner dimensions
def test_right(rng: Generator, other: np.random.RandomState, third: random.Random) -> None:
    if rng.random() < 0.5 or other.rand() < 0.5 or third.random() < 0.5:
        x @ weights(rng, int(rng.integers(7, 9)), 2)
    else:
        sized(third.randint(7, 9))
    [1, 2][rng.integers(2)]
def test_of_its_own_graph(rng: Generator, scope: tg.Scope) -> None:
    made = core.Placeholder.create(scope, tg.TFloat32, (None, 8))
    made @ weights(rng, 8, 2) @ weights(rng, 3, 2)  # E: inner dimensions
def test_of_two_graphs(rng: Generator) -> None:
    made = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, (None, 8))
    x + made  # E: another graph
""",
    "fixtures that are unknown": """
def test_n(n, capsys):
    sized(n)
    x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
@pytest.fixture(params=[7])
def one(request):
    return request.param
def test_one(one):
    sized(one)
def test_default(one, n=7):
    x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
""",
    "what is no test, or changes others": """
def of(n):
    sized(7)
def test_patched(monkeypatch):
    monkeypatch.setattr("numpy.zeros", np.ones)
    sized(7)
@pytest.fixture
def patched(monkeypatch):
    monkeypatch.setattr("numpy.zeros", np.ones)
def test_by_a_fixture(patched):
    sized(7)
def test_skipped(n):
    pytest.skip("later")
    sized(7)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_test(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
