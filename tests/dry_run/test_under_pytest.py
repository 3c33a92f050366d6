"""Tests of a program, as pytest calls them: with fixtures, and the values of `pytest.mark.parametrize`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import pytest
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
