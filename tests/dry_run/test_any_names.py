"""Seeds and names that are not known: what they are given to has the same shapes, but its name is unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from typegrad import functions
from typegrad.op import random
from typegrad.training import initializers
n = unknown.number
graph = tg.Graph(seed=n)
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (None, 3))
"""
MADE: Final = {
    "a graph": "np.ones((4, 2), np.float32)",
    "a scope": "functions.normal(scope.with_seed(n), (4, 2))",
    "an operation": "random.RandomStandardNormal.create(scope, (4, 2), tg.TFloat32, seed=n)",
    "an operation of a facade": "tg.Ops.create(scope).random.random_standard_normal((4, 2), tg.TFloat32, seed=n)",
    "a generator": "tg.random.Generator.from_seed(scope, n).normal(scope, (4, 2))",
    "an initializer": "initializers.GlorotUniform(seed=n)(scope, (4, 2), tg.TFloat32)",
    "a name": "core.Placeholder.create(scope.with_name(f'w{n}'), tg.TFloat32, (4, 2))",
    "the name of a facade": "tg.Ops.create(scope).with_name(n).placeholder(tg.TFloat32, (4, 2))",
    "a scope inside": "functions.normal(scope.with_sub_scope(name='layer_%d' % n), (4, 2))",
}
RIGHT: Final = {
    "a seed that is read": "x @ np.ones((3 if graph.seed == 1 else 4, 2), np.float32)",
    "an operand in the place of a seed": "core.RandomIndexShuffle.create(scope, 1, seed=unknown.seed, max_index=5)",
    "a scope that is read": """
with scope.with_sub_scope(f"layer{n}") as inner:
    x @ np.ones((3 if inner.path.startswith("layer") else 4, 2), np.float32)
""",
    "variables that are chosen by their names": """
for i in range(2):
    tg.Variable.create(scope.with_sub_scope(f"{unknown.text}{i}").with_name("w"), np.ones(3, np.float32))
found = [each for each in graph.variables if each.name.startswith("layer1")]
found[0]
w = tg.Variable.create(scope.with_name(n), np.ones(3, np.float32))
x @ np.ones((3 if w.name == "w" else 4, 2), np.float32)
""",
    "operations that are found by their names": """
y = core.Identity.create(scope.with_name(f"y{n}"), x)
graph.operation("y1")
with tg.Session(graph) as session:
    session.run("y1:0", {"x:0": np.ones((1, 3), np.float32)})
""",
}


@pytest.mark.parametrize("what", MADE)
def test_the_shape_is_known(what: str, tmp_path: Path) -> None:
    program = f"def product():\n    return x @ {MADE[what]}  # E: inner dimensions differ: a is [?, 3], b is [4, 2]\n"
    assert differences(tmp_path, f"{PRELUDE}{program}product()") == []


@pytest.mark.parametrize("what", RIGHT)
def test_nothing_is_told_of_a_right_program(what: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT[what]) == []


def test_a_name_that_is_not_known_is_left_out(tmp_path: Path) -> None:
    program = """
feed = core.Placeholder.create(scope.with_sub_scope(f"in{n}").with_name("a"), tg.TFloat32, (None, 3))
with tg.Session(graph) as session:
    session.run(feed * 2.0, {feed: np.ones((2, 4), np.float32)})  # E: the feed of '.../a:0' (Placeholder
"""
    assert differences(tmp_path, PRELUDE + program) == []
