"""What does not change is not written, and what has no hash is no key."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
v = tg.Variable.create(scope, [1.0, 2.0])
array, drawn, table = np.ones(3), np.random.default_rng(0).normal(size=3), {}
class Layer(tg.Graph):
    pass
class Plain:
    pass
"""
WRONG: Final = {
    "an item of an operand": "x[0] = 1.0  # E: is not written by index; core.Select makes a new value of two",
    "an item of a variable": "v[0] += 1.0  # E: is not written by index",
    "an attribute of a variable": "v.trainable = False  # E: cannot be set; write Variable.create(scope, value, train",
    "an attribute of an operand": "x.size = 3  # E: 'Placeholder' object has no attribute 'size'",
    "an attribute of a scope": "scope.name = 'a'  # E: 'Scope' object has no attribute 'name'",
    "an attribute of an array": "array.size_ = 3  # E: 'numpy.ndarray' object has no attribute 'size_'",
    "an attribute of an array without values": "drawn.size_ = 3  # E: 'numpy.ndarray' object has no attribute 'size_'",
    "an array as a key": "{array: 1}  # E: unhashable type: 'numpy.ndarray'",
    "an array without values as a key": "tg.Session(scope.graph).run(v, {drawn: x})  # E: unhashable type: 'numpy.n",
    "arrays in a set": "{array, 1}  # E: unhashable type: 'numpy.ndarray'",
    "a list as a key": "table[[1]]  # E: unhashable type: 'list'",
}
RIGHT: Final = {
    "what is written": (
        "array[0] = 1.0\narray.shape = (3, 1)\ndrawn[0] += 1.0\nLayer().size = 3\nPlain().size = 3\nunknown.x.size = 3"
    ),
    "keys": "{x: 1, v: 2, array.shape: 4, unknown.a: 5, drawn[0]: 6, array[0]: 7, ('a', 1): 8}, {x, drawn[0]}",
    "what is caught": (
        "try:\n    v.trainable = False\nexcept AttributeError:\n    pass\n"
        "try:\n    {array: x[0]}\nexcept TypeError:\n    pass\n"
        "try:\n    x[0] = 1.0\nexcept TypeError:\n    pass\nx + v[:1]"
    ),
}


@pytest.mark.parametrize("program", [*WRONG.values(), *RIGHT.values()], ids=[*WRONG, *RIGHT])
def test_what_is_written(program: str, tmp_path: Path) -> None:
    lines = "".join(f"    {each}\n" for each in program.split("\n"))
    assert not differences(tmp_path, f"{PRELUDE}def write():\n{lines}write()\n")
