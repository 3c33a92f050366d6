"""Values of conditions that are not known: a float or a float is a float, an array or one like it is such an array."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import functools, random
from dataclasses import dataclass
session = tg.Session(scope.graph)
column = core.Placeholder.create(scope, tg.TFloat32, (None, 1))
k = int(session.run(column, {column: [[1.0]]})[0, 0])
zeros, ones = np.zeros(3, np.float32), np.ones(3, np.float32)
def fed(value: Any) -> Any:
    return session.run(column, {column: np.array([value, value], np.float32)})
"""
FED: Final = """
session.run(column, {column: np.array([value, value], np.float32)})  # E: has shape [2
"""
VALUES: Final = {
    "a conditional expression": "value = 0.1 if k else -0.1",
    "equal numbers": "value = 3 if k else 3",
    "integers": "value = 1 if k else 2",
    "numbers of NumPy": "value = np.float32(1) if k else np.float32(2)",
    "a sum": "value = 1.0\nfor _ in range(3):\n    value += 0.1 if k else -0.1",
    "arrays": "value = np.zeros(3, np.float32) if k else np.ones(3, np.float32)",
    "named arrays": "value = zeros if k else ones",
    "drawn arrays": "rng = np.random.default_rng(0)\nvalue = rng.normal(size=3) if k else np.zeros(3)",
    "lists": "value = [0.1, 0.2] if k else [0.3, 0.4]",
    "tuples": "value, other = (0.1, 1) if k else (0.2, 2)",
    "nested conditions": "value = 0.1 if k else 0.2 if k > 3 else 0.3",
    "an `if` without `else`": "value = 0.1\nif k:\n    value = 0.2",
    "an `if` with `else`": "if k:\n    value = 0.1\nelse:\n    value = 0.2",
    "several conditions": "if k:\n    value = 0.1\nelif k > 3:\n    value: float = 0.2\nelse:\n    value = 0.3",
    "a number that grows": "value = 0.1\nif k:\n    value += 0.2",
    "several names": "value, other = 0.1, 1\nif k:\n    value = 0.2\n    other += 1\nvalue += other",
    "a list beside it": "value, rows = 0.1, []\nif k:\n    value = 0.2\n    rows.append(value)",
    "a list of floats": "value = [-0.1, 0.1][k]",
    "a tuple of arrays": "value = (zeros, ones)[k]",
    "a dict": "value = {0: 0.1, 1: 0.2}[k]",
    "the larger one": "value = max(0.0, 0.1 if k else -0.1)",
    "the smallest item": "value = min([0.1 if k else 0.2, 0.3])",
    "the truth of a float": "value = (0.1 if k else 0.0) or 1.0",
    "a converted number": "value = float(unknown.a)",
    "`np.where`": "value = np.where(k, 0.1, 0.2)",
    "`random.choice`": "value = random.choice([0.1, 0.2])",
    "`random.random`": "value = random.random()",
    "`random.Random`": "value = random.Random(3).uniform(0, 1) if k else 0.0",
    "two returns": "def get():\n    if k:\n        return 0.1\n    return 0.2\nvalue = get()",
    "a return in each branch": """
def get():
    if k:
        return 0.1
    else:
        return 0.2
value = get()""",
    "a quotient": """
try:
    value = 1 / k
except ZeroDivisionError:
    value = 0.0""",
    "a text that may be no number": """
value = 0.0
try:
    value = float(unknown.text)
except ValueError:
    pass""",
    "a property": """
class Reward:
    @property
    def size(self):
        if k:
            return 0.1
        return 0.2
value = Reward().size""",
    "three returns": """
def get():
    if k:
        return 0.1
    if k > 1:
        return 0.2
    return 0.3
value = get()""",
}
RIGHT: Final = {
    "numbers of two types": """
value = 1 if k else 0.5
x * (3 if k else 2)
fed([1 if k else 0.5])""",
    "arrays of two shapes": """
fed(np.zeros(1) if k else np.zeros((1, 1))[0])
x[:, :3] * (zeros if k else np.zeros(1, np.float32))""",
    "no array": """
value = zeros if k else None
assert value is None or len(value) == 3""",
    "no number": """
def get():
    if k:
        return [0.1]
    return [0.2]
session.run(column, {column: [get(), get()]})""",
    "nothing returned": """
def get():
    if k:
        return
    zeros[0] = 1.0
assert get() is None""",
    "a return in a loop": """
def get():
    for each in (0.1, 0.2):
        if each > k:
            return [each]
    return [1.0]
fed(get())""",
    "a return that only some passes reach": """
def get(items):
    for each in items:
        if each:
            return [each]
    return 0.0
fed([1.0] if not isinstance(get(session.run(column, {column: [[1.0]]})), float) else [2.0])""",
    "an array that is changed": """
value = zeros if k else ones
value[:] = 7
x[:, :3] + zeros
assert zeros[0] == 7 or ones[0] == 7
core.Reshape.create(scope, core.Constant.create(scope, np.zeros(7, np.float32)), [int(max(zeros[0], ones[0]))])""",
    "a list that is changed": """
a, b = [1], [2]
value = a if k else b
value.append(5)
assert len(a) + len(b) == 3
five(len(value) + 3)""",
    "a list that has two names": """
a, b = [1], [2]
if k:
    a = b
a.append(5)
five(len(b) + 3 if k else 5)
""",
    "lists whose names are exchanged": """
a, b = [1], [2]
for _ in range(k):
    a, b = b, a
a.append(5)
five(len(b) + 3 if len(b) == 2 else 5)
""",
    "a list of its own": """
rows = [[1], [2]] if k else [[3], [4]]
rows.append([5])
five(len(rows) + len(rows[0]) + 1)""",
    "a list that grows before it is read": """
rows = []
if k:
    rows.append(1)
    size = len(rows)
else:
    size = 1
five(size + 4)""",
    "a list that grows in a branch": """
if k:
    rows = []
    rows.append(1)
else:
    rows = [3]
five(len(rows) + 4)""",
    "a name by another name": """
size, more = 3, 1
if k:
    size = 4
    more = size - 3
else:
    more = 1
five(more + 4)""",
    "a name that a function changes": """
size = 5.0
def change():
    global size
    size = [5.0]
if k:
    size = 4.0
    change()
else:
    size = [3.0]
fed(size)""",
    "an item that is removed": """
rows = [1, 2]
last = rows.pop() if k else 1
five(len(rows) + 4 if len(rows) == 1 else 5)""",
    "an item that a generator gives": """
items = iter([5, 4])
first = next(items) if not k else 4
five(next(items) if k else 5)""",
    "an operation that is not made": """
y = core.Constant.create(scope.with_name('y'), 1.0) if not k else None
z = core.Constant.create(scope.with_name('y'), 1.0) if k else None""",
    "an error that is not raised": """
value = 1 / 0 if not k else [1][5] if k > 5 else 0.5
fed([value])""",
    "an error that is caught": """
try:
    value = [0.1][k]
except IndexError:
    value = [0.1]
fed(value)""",
    "a name that only a part of a `try` statement binds": """
try:
    value = float(unknown.text)
except ValueError:
    value = 0.5
else:
    value = [value]
fed(value)""",
    "a number that grows before an error": """
size = 3
try:
    size += 1
    other = float(unknown.text)
except ValueError:
    size += 1
five(size + 1 if size == 4 else 5)""",
    "an error behind a value": """
value = [0.5]
try:
    value = 1.0
    other = float(unknown.text)
    value = [other]
except ValueError:
    value = [0.7]
fed(value)""",
    "a quotient of an unknown number": """
try:
    value = 1 / (k - 1)
except ZeroDivisionError:
    value = [0.5]
fed(value)""",
    "a number that is no number": """
try:
    value = float(unknown.text)
except ValueError:
    value = [1.0]
fed(value)""",
    "a method with effects": """
class Counter:
    n = 4
    def more(self):
        self.n += 1
        return 0.5
c = Counter()
value = c.more() if k else 0.1
five(c.n)""",
    "a property with effects": """
class Counter:
    n = 4
    @property
    def more(self):
        self.n += 1
        return 0.5
c = Counter()
value = c.more if k else 0.1
five(c.n)""",
    "a sum in place": """
rows = [1]
more = rows
if k:
    rows += [2, 3, 4, 5]
five(len(more))""",
    "an array in place": """
a = np.zeros(2, np.int32)
if k:
    a += 5
five(a[0] if k else 5)""",
    "the same object": """
value = zeros if k else ones
five(5 if value is zeros or value is ones else 4)""",
    "stand-ins that are the same": """
a, b = session.run((column, column), {column: [[1.0]]})
value = a if k else b
five(5 if value is a or value is b else 4)""",
    "chosen texts": """
name = 'relu' if k else 'tanh'
five({'relu': 5, 'tanh': 5}[name])""",
    "a shuffled list": """
sizes = [5, 5]
random.shuffle(sizes)
five(sizes[0])""",
    "what is chosen": """
five(random.choice([5, 5]))
fed([random.choice([1, 2.0])])
fed(random.choice([[1.0], [2.0]]))""",
    "integers that are drawn": """
five(5 if random.randint(0, 3) == 7 else 5)
fed([random.choices([1.0, 2.0], k=1)[0]])""",
    "a size that is not known": """
n = 4 if k else 5
w = np.zeros((n, 3), np.float32)
x[:, :n] @ w""",
    "an operand": """
value = x if k else x * 2.0
five(5) + value[:, :2]""",
    "a layer": """
@dataclass
class Layer:
    rows: int
layer = Layer(5) if k else Layer(5)
five(layer.rows)""",
    "a name that is not bound": """
if k:
    value = [0.1]
else:
    other = 0.2
fed(value)""",
    "a truth": """
value = k and [0.5]
fed(value or [0.5])""",
    "a dict that gets an item": """
import collections
sizes = collections.defaultdict(int)
value = sizes['a'] if not k else 0
five(len(sizes) + 5)""",
    "an item of a dict with any number": """
import collections
rows = collections.defaultdict(list)
rows[k].append(1)
five(len(rows) + 4)""",
}
FIVE: Final = "def five(n):\n    return x[:, :5] @ np.zeros((n, 2), np.float32)\n"


@pytest.mark.parametrize("name", VALUES)
def test_its_type_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, f"{PRELUDE}{VALUES[name]}{FED}")


@pytest.mark.parametrize("name", RIGHT)
def test_right_programs(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, f"{PRELUDE}{FIVE}{RIGHT[name]}\n")
