"""What follows from each branch of a choice: an error behind it is told if no branch avoids it, and nothing else is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import sys
big, kind = len(sys.argv) > 1, sys.argv[-1]
def rows(n): return np.zeros((n, 2), np.float32)
p, q = (core.Placeholder.create(scope.with_name(name), tg.TFloat32, ()) for name in "pq")
product = p * q
session = tg.Session(scope.graph)
"""
_OF_N: Final = "a is [Batch, 8], b is [6, 2]; here n is 6 or 4, and no shape fits"
WRONG: Final = {
    "a conditional expression": f"n = 6 if big else 4\nx @ rows(n)  # E: {_OF_N}",
    "an if statement": f"if big:\n    n = 6\nelse:\n    n = 4\nx @ rows(n)  # E: {_OF_N}",
    "a value before": f"n = 4\nif big: n = 6\nx @ rows(n)  # E: {_OF_N}",
    "three branches": """
if kind == "a": n = 6
elif kind == "b": n = 4
else: n = 3
x @ rows(n)  # E: here n is 6, 4 or 3, and no shape fits
""",
    "match": """
match kind:
    case "a": n = 6
    case "b": n = 4
    case _: n = 3
x @ rows(n)  # E: here n is 6, 4 or 3, and no shape fits
""",
    "match without another case": """
n = 3
match kind:
    case "a": n = 6
x @ rows(n)  # E: here n is 6 or 3, and no shape fits
""",
    "an array": "w = rows(6) if big else rows(4)\nx @ w  # E: here w is [6, 2] or [4, 2], and no shape fits",
    "two names": """
if big: h, n = x[:, :6], 7
else: h, n = x[:, :5], 4
h @ rows(n)  # E: here h is [Batch, 6] or [Batch, 5] and n is 7 or 4, and no shape fits
""",
    "a variable": """
w = tg.Variable.create(scope, rows(6 if big else 4))
x @ w  # E: here w is [6, 2] or [4, 2], and no shape fits
""",
    "no name": "x @ (rows(6) if big else rows(4))  # E: b is [6, 2]; no shape of another branch fits, either",
    "an array of NumPy": "n = 6 if big else 4\nnp.zeros((3, 8)) @ rows(n)  # E: here n is 6 or 4, and no shape fits",
    "the same error": "n = 6 if big else 4\nx @ rows(n * 0)  # E: a is [Batch, 8], b is [0, 2]",
    "a function that nothing calls": f"""
def program(big: bool) -> None:
    n = 6 if big else 4
    x @ rows(n)  # E: {_OF_N}
""",
    "a function that is called": f"""
def dense(n):
    return x @ rows(n)  # E: {_OF_N}
n = 6 if big else 4
dense(n)
""",
    "an attribute": """
class Model:
    def __init__(self, big: bool) -> None:
        self.n = 6 if big else 4
        x @ rows(self.n)  # E: b is [6, 2]; no shape of another branch fits, either
""",
    "two choices": """
n = 6 if big else 4
k = 1 if kind == "a" else 3
x @ rows(n + k)  # E: and no shape fits
""",
    "a loop of unknown passes": """
for each in sys.argv:
    n = 6 if each else 4
    x @ rows(n)  # E: here n is 6 or 4, and no shape fits
""",
    "an entry of a dict": """
fetches = {"loss": product}
if big: fetches["sum"] = product + 1.0
session.run(fetches, {p: 1.0})  # E: 'q:0'
""",
    "the same error where there is an entry": """
fetches = {"loss": product}
if big: fetches["sum"] = x
session.run(fetches, {x: np.zeros((2, 8))})  # E: an array of float64 is not float32
""",
    "an entry by a method": """
fetches = {"loss": product}
if big: fetches.update(sum=product + 1.0)
result = session.run(fetches, {p: 1.0, q: 2.0})
result["losses"]  # E: there is no key 'losses'
""",
    "an item of a list": """
fetches = [product]
if big: fetches.append(product + 1.0)
session.run(fetches, {p: 1.0})  # E: 'Mul:0', 'AddV2:0' depend on it
""",
    "an entry of a dict of feeds": """
feeds = {p: 1.0}
if big: feeds[p] = 2.0
session.run(product, feeds)  # E: 'q:0'
""",
    "a key": """
k = "n" if big else "m"
{"k": 1}[k]  # E: there is no key 'n', but 'k'; another branch leads to an error here, too
""",
    "an entry of a dict that a function is given": """
def run(fetches: object, feeds: object, writer: object) -> object:
    if writer:
        fetches["sum"] = product + 1.0
    return session.run(fetches, feeds)  # E: 'q:0'
run({"loss": product}, {p: 1.0, q: 2.0}, big)
run({"loss": product}, {p: 1.0}, big)
""",
    "an entry of a dict that a function within one is given": """
def steps() -> object:
    def run(fetches: object, feeds: object, writer: object) -> object:
        if writer:
            fetches["sum"] = product + 1.0
        result = session.run(fetches, feeds)  # E: 'q:0'
        return result
    def train(feeds: object, writer: object) -> object:
        return run({"loss": product}, feeds, writer)
    return train
train = steps()
for each in sys.argv:
    train({p: 1.0, q: 1.0}, big)
    train({p: 2.0, q: 2.0}, big)
    train({p: 3.0, q: 3.0}, big)
    train({p: 4.0}, big)
""",
    "an entry of an attribute": """
class Model:
    def __init__(self) -> None:
        self.fetches = {"loss": product}
    def run(self, is_whole: bool) -> object:
        if is_whole: self.fetches["sum"] = product + 1.0
        return session.run(self.fetches, {p: 1.0})  # E: 'q:0'
Model().run(big)
""",
}
RIGHT: Final = {
    "one branch fits": "n = 8 if big else 4\nx @ rows(n)",
    "one of three fits": """
if kind == "a": n = 8
elif kind == "b": n = 4
else: n = 3
x @ rows(n)
""",
    "the same condition again": """
n = 6 if big else 4
if big: x[:, :6] @ rows(n)
else: x[:, :4] @ rows(n)
def dense(h, n): return h @ rows(n)
if big: dense(x[:, :6], n)
else: dense(x[:, :4], n)
""",
    "the condition of the first branch": """
if kind == "a": n = 8
elif kind == "b": n = 4
else: n = 3
if kind == "a": x @ rows(n)
""",
    "another value before": "n = 6 if big else 4\nif n != 8: n = 8\nx @ rows(n)",
    "a branch that ends": """
def program(big: bool) -> object:
    if big:
        n = 6
    else:
        return x
    n = 8
    return x @ rows(n)
""",
    "an error that is raised": """
n = 6 if big else 4
if n != 8: raise ValueError(n)
x @ rows(n)
""",
    "an error that is caught": """
try:
    n = 6 if big else 4
    x @ rows(n)
except ValueError: pass
try: k = 6 if big else 4
except NameError: pass
""",
    "an error that is caught behind it": """
n = 6 if big else 4
try: x @ rows(n)
except tg.ShapeError: n = 8
x @ rows(n)
""",
    "a function around": """
def outer(big: bool) -> object:
    n = 5
    def dense(): return x @ rows(n)
    n = 8 if big else 8
    return dense()
""",
    "a lambda": """
def outer(big: bool) -> object:
    n = 5
    dense = lambda h: h @ rows(n)
    if big: n = 8
    else: n = 8
    return dense(x)
""",
    "a name of the module": """
width = 5
def dense(): return x @ rows(width)
if big: width = 8
else: width = 8
dense()
""",
    "a name that is assigned behind it": """
late = 5
def dense(): return x @ rows(late)
n = 6 if big else 4
late = 8
dense(), rows(n)
""",
    "items": """
it = iter([8, 5])
n = next(it) if big else 8
m = next(it, 8)
lists = [8]
k = 6 if big else 4
lists.append(k), lists.pop()
x @ rows(lists[-1])
""",
    "what is called before": """
sizes = [5, 8]
w = (sizes.pop(), rows(6 if big else 4))
x @ rows(sizes[0] + 3)
""",
    "one pass of a loop": """
for n in range(6, 10):
    k = n if big else n
    if k == 8: x @ rows(k)
""",
    "an entry that one branch feeds": """
fetches, feeds = {"loss": p}, {p: 1.0}
if big: fetches["product"], feeds[q] = product, 2.0
result = session.run(fetches, feeds)
if big: result["product"]
""",
    "an entry that a branch adds": """
sizes = {"m": 8}
if big: sizes["n"] = 8
else: sizes["n"] = 8
x @ rows(sizes["n"])
""",
    "another state in a later call": """
class Model:
    n = 4
    def dense(self, kind: str) -> object:
        sizes: dict[str, int] = {}
        if kind == "none": return x
        if kind == "m": sizes["m"] = 1
        else: sizes["n"] = 1
        return x @ rows(self.n), sizes
model = Model()
def program(kind: str) -> object:
    return model.dense(kind)
model.dense("none"), program("none" if big else kind)
model.n = 8
program(kind)
""",
    "another state in a later pass": """
sizes, model = {}, {"n": 4}
for each in [*sys.argv, "last"]:
    if each == "last": model["n"] = 8
    if not big: continue
    if each: sizes["m"] = 1
    else: sizes["k"] = 1
    if each == "last": x @ rows(model["n"]), sizes
""",
    "another state in a branch": """
class Model:
    n = 4
    def dense(self, kind: str) -> object:
        sizes = {}
        if self.n > 4:
            if kind == "m": sizes["m"] = 1
            return x @ rows(self.n), sizes
model = Model()
if big: model.n = 8
model.dense(kind)
""",
    "no error": "n = 6 if big else 4\nh = x @ np.zeros((8, n), np.float32)\nh @ rows(n)",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_branch_avoids_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_else_is(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
