"""What Python's operators and indices do with what runs return."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
session = tg.Session(scope.graph)
fed = {x: np.ones((3, 8), np.float32)}
states = x * 2.0, x * 3.0
best = math.ArgMax.create(scope, x, 1)
n = int(unknown.n)
"""
WRONG: Final = {
    "a tuple and a number": """
state, index = session.run([best, states], fed)
print(index + 1)  # E: can only concatenate tuple (not "int") to tuple
""",
    "a tuple and an unknown integer": 'session.run(states, fed) + n  # E: only concatenate tuple (not "int") to tuple',
    "a tuple and a list": 'session.run(states, fed) + [n]  # E: can only concatenate tuple (not "list") to tuple',
    "a number and a list": "float(n) - session.run([x], fed)  # E: for -: 'float' and 'list'",
    "a dict": "session.run({\"loss\": x}, fed) / 2  # E: unsupported operand type(s) for /: 'dict' and 'int'",
    "a list times a number": "session.run([x], fed) * float(n)  # E: multiply sequence by non-int of type 'float'",
    "a sum": """
total = 0.0
for _ in range(3):
    total += session.run([x], fed)  # E: unsupported operand type(s) for +: 'float' and 'list'
""",
    "an array as an index of a text": '"abc"[session.run(best, fed)]  # E: an array is no index',
    "arrays as indices of a text": """
indices = session.run(core.Reshape.create(scope, best, (3, 1)), fed)
"".join(["abc"[i] for i in indices])  # E: an array is no index
""",
    "an array as an index of a list": "[1, 2, 3][session.run(best, fed)[:1]]  # E: an array is no index",
    "an element that is not there": "session.run(core.Sum.create(scope, x), fed).item(3)  # E: out of bounds",
    "an array as a key": "{0: 1}[session.run(best, fed)]  # E: unhashable type: 'numpy.ndarray'",
}
RIGHT: Final = """
first, second = session.run(states, fed), session.run([x, x], fed)
first + first, second + second, n * first, first * 2, [1] * n
first + session.run(x, fed), second - session.run(best, fed)[:, np.newaxis], first - np.float32(1)
"%s %s" % first, "%d" % n, "%(a)d" % {"a": n}
session.run({"a": x}, fed) | {"b": n}
first == second, {n} - {1}
"abc"[session.run(best, fed)[0]], [1, 2, 3][n], {0: 1}[session.run(best, fed)[0]]
"".join(["abc"[i] for i in session.run(best, fed)])
session.run(core.Sum.create(scope, x), fed).item(0), session.run(x, fed).item(23), session.run(x, fed).item(2, 7)
try:
    first + 1
except TypeError:
    pass
class Vector(tuple):
    def __add__(self, other):
        return Vector(each + other for each in self)
Vector(first) + 1
"""


@pytest.mark.parametrize("name", WRONG)
def test_what_python_refuses(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + WRONG[name]) == []


def test_what_python_takes(tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT) == []
