"""Sizes that Python's functions and library, and NumPy's iterators, tell."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import collections, math, typing
rng = np.random.default_rng(0)
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
"""
DIFFER: Final = "inner dimensions differ"
WRONG: Final = {
    "a named tuple": f"""
Sizes = collections.namedtuple("Sizes", "rows columns", defaults=[7])
sizes = Sizes(5)._replace(rows=6)
x @ np.zeros((sizes.columns, 2), np.float32)  # E: {DIFFER}
""",
    "a named tuple with types": f"""
Sizes = typing.NamedTuple("Sizes", [("rows", int)])
x @ np.zeros((Sizes(7)._asdict()["rows"], 2), np.float32)  # E: {DIFFER}
""",
    "a named tuple of an unknown value": """
Sizes = collections.namedtuple("Sizes", "rows columns")
Sizes(unknown.rows)  # E: missing 1 required positional argument: 'columns'
""",
    "a named tuple of unknown values": """
Sizes = collections.namedtuple("Sizes", "rows columns")
Sizes(*unknown.sizes).row  # E: 'Sizes' object has no attribute 'row'
""",
    "an object of unknown values": """
class Layer:
    def __init__(self, n, /, m=5, *, k=6):
        self.n, self.m, self.k = n, m, k
five(Layer(1, **unknown.options).m)
Layer(*unknown.sizes).w  # E: 'Layer' object has no attribute 'w'
""",
    "a number of choices": f"""
x @ np.zeros((math.comb(7, 1), 2), np.float32)  # E: {DIFFER}
""",
    "indices": f"""
count = 0
for row, column in np.ndindex(2, 3):
    count += column
x @ np.zeros((count + 1, 2), np.float32)  # E: {DIFFER}
""",
    "elements with their indices": f"""
count = 0
for (row, column), element in np.ndenumerate(np.full((2, 3), 1)):
    count += element
x @ np.zeros((count + 1, 2), np.float32)  # E: {DIFFER}
""",
    "a literal that is evaluated": f"""
[rows, columns] = map(eval, ["4", "(7, 2)"])
x @ np.zeros(columns, np.float32)  # E: {DIFFER}
""",
    "a store by the identity of a graph": f"""
store = {{}}
def variable(scope, name, n):
    key = id(scope.graph), name
    if key not in store:
        store[key] = tg.Variable.create(scope.with_name(name), np.zeros((n, 2), np.float32))
    return store[key]
variable(scope, "w", 8), variable(scope, "v", 7), variable(tg.Scope(tg.Graph()), "w", 7)
x @ variable(scope, "w", 7)
x @ variable(scope, "v", 8)  # E: {DIFFER}
""",
    "the identity of an object": f"""
class Layer:
    def __init__(self, n):
        self.n = n
layers = [Layer(5), Layer(7)]
by_id = {{id(each): each for each in layers}}
if id(layers[1]) in by_id and id(layers[0]) != id(layers[1]) and type(id(five)) is int:
    x @ np.zeros((by_id[id(layers[1])].n, 2), np.float32)  # E: {DIFFER}
""",
    "streams of random numbers": f"""
streams = rng.spawn(4)
x[:, :5] @ np.stack([each.normal(size=5) for each in streams]).astype(np.float32)  # E: {DIFFER}
""",
}
RIGHT: Final = {
    "what is unknown": """
five(len(rng.spawn(unknown.count)))
five(len(rng.spawn(int(rng.integers(5, 6)))))
five(len(rng.spawn(10_000)) and 5)
Sizes = collections.namedtuple("Sizes", "rows")
five(Sizes(unknown.rows).rows)
five(math.comb(10**9, 10**8) and 5)
five(math.perm(10**9, 10**8) and 5)
five(math.prod(range(1, 10**7)) and 5)
five(rng.permutation(10**8)[0] and 5)
""",
    "identities": """
five(5 if id(five) % 2 else 4)
five(5 if id(five) < id(scope) else 4)
five(5 if id(five) == unknown.id else 4)
five(5 if id([]) == id([]) else 4)
five(len(f"{id(five)}"))
""",
    "code that is evaluated": """
eval(unknown.code)
five(4)
""",
    "code that is evaluated in other names": """
eval("5", {"n": 5})
five(4)
""",
    "objects of unknown values": """
import enum
class Mode(enum.Enum):
    FAST = 1
class Sized(dict):
    pass
class Derived(unknown.Base):
    def __init__(self, n):
        self.n = n
class Rest:
    def __init__(self, *sizes):
        self.sizes = sizes
class Layer:
    def __init__(self, n, m=4):
        self.n, self.m = n, m
for kind in (Mode, Sized, Rest):
    kind(*unknown.values)
Derived(*unknown.values).w
five(Rest(*unknown.values).sizes[0])
five(Layer(*unknown.values).m)
five(Layer(4, **unknown.options).n)
sizes = [4]
Layer(sizes, *unknown.values).n.append(5)
five(sizes[-1])
""",
    "elements that are changed": """
sizes = np.full(3, 4)
for (place,), size in np.ndenumerate(sizes):
    if place > 0:
        five(size)
    sizes[1:] = rng.integers(5, 6)
for _, size in np.ndenumerate(rng.integers(5, 6, 3)):
    five(size)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_size_that_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
