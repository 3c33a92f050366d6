"""Conditional expressions, `match`, and branches in generators: what is certain in them is told, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = (
    UNSIZED + "import itertools\ntwo, three = np.zeros(2), np.zeros(3)\ndef show(array): feed(array, D, 3)\n"
)
WRONG: Final = {
    "a conditional expression": "value = two + three if unknown.flag else None  # E: broadcast",
    "its other part": "value = None if unknown.flag else two + three  # E: broadcast",
    "one in a function": """
def product(a, is_wide):
    return a @ np.zeros((3, 4)) if is_wide else a @ np.zeros((5, 4))  # E: 3 is not 5
product(np.zeros((2, 3)), unknown.flag)
""",
    "one in a loop": "for i in range(3): value = two + three if unknown.flag else i  # E: broadcast",
    "a case": """
match unknown.kind:
    case "a": show(three)
    case ["b", *rest] if rest: two + three  # E: broadcast
""",
    "a generator": """
def batches():
    for i in range(3):
        rows = np.zeros((4, 3))
        if unknown.flag: rows[i] = two  # E: broadcast
        yield rows
for rows in batches(): rows.sum()
""",
    "a loop in a generator": """
def batches(count):
    for _ in range(count):
        rows = np.zeros((4, 3))
        for i, kind in enumerate(rng.integers(0, 3, 4)):
            if kind == 0: rows[i] = two  # E: broadcast
        yield rows
for rows in batches(3): rows.sum()
""",
    "a generator that yields there": """
def batches():
    for i in range(3):
        if unknown.flag: yield two + three  # E: broadcast
        else: yield three
list(batches())
""",
    "a loop that returns": """
def find(rows):
    for row in rows:
        if unknown.flag: two + three  # E: broadcast
        if row > 9: return row
    return None
find([1, 2, 3])
""",
    "a size that the condition compares": """
def feed(value, dtype, *dims):
    placeholder = core.Placeholder.create(scope, dtype, dims)
    return session.run(placeholder, {placeholder: value})  # E: has shape [?, 3]
rows, size = np.zeros((50, 3)), 16
if unknown.count > size: feed(rows[rng.integers(0, unknown.count, size)], D, None)
""",
    "the items of `zip`": """
for i, row in zip(range(3), [np.zeros(3), np.ones(3), np.zeros(3)]):
    if unknown.flag: two + row  # E: broadcast
""",
    "the items of a dict": """
for name, row in {"a": np.zeros(3), "b": np.ones(3)}.items():
    if unknown.flag: two + row  # E: broadcast
""",
}
RIGHT: Final = {
    "a condition on the shape": """
def product(a):
    return a @ np.zeros((3, 4)) if a.shape[1] == unknown.n else a @ np.zeros((5, 4))
product(np.zeros((2, 3)))
""",
    "a part that needs another condition": """
def last(a, kind):
    if kind == "sum": return a.sum(1)
    if kind.startswith("last"): return a[:, -1] if kind.endswith("2") else a[:, :, -1]
    return a
last(np.zeros((2, 3)), unknown.kind)
""",
    "state": """
class Best:
    def __init__(self): self.value = None
    def see(self, a):
        better = a if self.value is None or unknown.flag else a + self.value
        self.value = a
        return better
best = Best()
for size in (1, 2, 3): best.see(np.zeros(size)) if size < 2 else setattr(best, "value", np.zeros(size))
""",
    "a single pass": """
size = 3
for i in range(3):
    value = show(np.zeros(size)) if unknown.flag else 3
    size = 4
""",
    "a lambda, and a comprehension": """
pick = lambda size: show(np.zeros(size)) if unknown.flag(size) else None
for size in (3, 4): pick(size)
[show(np.zeros(size)) if unknown.flag(size) else None for size in (3, 4)]
""",
    "a size that the condition tells": """
size = 16
class Sizes: size = 16
def look():
    global size
    if unknown.count == size: feed(np.zeros(size), D, None, 3)
    if unknown.count == Sizes.size: feed(np.zeros(Sizes.size), D, None, 3)
    size = Sizes.size = (3, 3)
look(), look()
count = 16
if unknown.count == count: feed(three[:count], D, 2), np.zeros(count) + three
""",
    "a chance of 0": "chance = 0.0\nvalue = two + three if rng.random() < chance else None",
    "names of scopes": """
size = 4
def inner(size): return (lambda: show(np.zeros(size)) if unknown.flag else None)()
inner(3)
class Sizes:
    size = 3
    value = show(np.zeros(size)) if unknown.flag else None
value = show(np.zeros(size)) if (size := 3) == unknown.n else None
""",
    "a case of a shape": """
match three.shape, unknown.n:
    case (3,), 3: show(three)
    case (2,), 2: two + three
""",
    "names of patterns": """
size = 4
match unknown.n:
    case [size, 4]: show(np.zeros(size))
    case {"a": size}: show(np.zeros(size))
    case np.ndarray(shape=size): show(np.zeros(size))
    case [*size]: show(np.zeros(size))
    case {**size}: show(np.zeros(size))
    case size: show(np.zeros(size))
""",
    "a guard": """
match unknown.n:
    case "a" if three.shape == unknown.shape: three + two
    case "b" if len(three) == 2: three + two
""",
    "what is yielded is changed": """
def lists():
    rows = [np.zeros(3)]
    box = {"rows": rows}
    for _ in range(3):
        if unknown.flag: feed(np.stack(rows), D, 4, 3)
        yield box
for box in lists(): box["rows"].append(np.zeros(3))
""",
    "a generator's object is changed": """
class Rows:
    def __init__(self): self.rows = [np.zeros(3)]
    def each(self):
        for _ in range(3):
            if unknown.flag: feed(np.stack(self.rows), D, 4, 3)
            yield 1
rows = Rows()
for _ in rows.each(): rows.rows.append(np.zeros(3))
""",
    "a generator of each pass": """
def of_size(size):
    for _ in range(2):
        if unknown.flag(size): feed(np.zeros(size), D, 2)
        yield size
for _ in itertools.chain.from_iterable(of_size(size) for size in range(3)): pass
for each in [of_size(size) for size in range(3)]: list(each)
""",
    "values that are sent": """
def sizes():
    size = 1
    for _ in range(3):
        if unknown.flag: feed(np.zeros(size), D, 7)
        size = yield size
made = sizes()
next(made)
for size in (5, 7): made.send(size)
list(made)
""",
    "what a loop returns": """
def count(rows):
    size = 0
    for row in rows:
        if unknown.flag: show(three)
        size += 1
        if row > 9: return row
    return size
show(np.zeros(count([1, 2, 3])))
""",
    "a loop that yields items, or returns, any number of times": """
count = 0
def inner():
    global count
    for i in range(2):
        if unknown.flag: three + three
        count += 1
        yield i
    return 7
def outer():
    for i in range(2):
        if unknown.flag: three + three
        yield from inner()
    size = yield from inner()
    feed(np.zeros(size), D, 7)
feed(np.zeros(len(list(outer()))), D, 6)
feed(np.zeros(count), D, 6)
def ended():
    number = 0
    while number < 9:
        number += 1
        if unknown.flag: three + three
        if number == 5: return number
    return number
feed(np.zeros(ended()), D, 5)
""",
    "the defaults of a function": """
def size(value=3): return value
def change(function):
    for _ in range(n):
        if unknown.flag:
            function.__defaults__, function.kind = (2,), "other"
            return
change(size)
three + np.zeros(size())
""",
    "a list that a generator takes from, and its items' loop adds to": """
rows, count = [three], 0
def each():
    while rows:
        row = rows.pop()
        if unknown.flag: row + three
        yield row
for _ in each():
    count += 1
    if count < 4: rows.append(three)
feed(np.zeros(count), D, 4)
""",
    "generators that take turns": """
def upto(count):
    for i in range(count): yield i
first, second = upto(2), upto(5)
next(first), next(second), list(first)
feed(np.zeros(len(list(second))), D, 4)
""",
    "items that a loop changes": """
table = {"a": [np.zeros(3)]}
for _ in range(2):
    for name, rows in table.items():
        if unknown.flag: feed(np.stack(rows), D, 2, 3)
        rows.append(np.zeros(3))
""",
    "a name of a function around": """
def outer():
    rows = [np.zeros(3)]
    def look():
        if unknown.flag: feed(np.stack(rows), D, 2, 3)
    look(), rows.append(np.zeros(3)), look()
outer()
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_certain_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_else_is(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
