"""Lists that code of the program reads which is not followed: what no code changes stays known."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER, differences, errors

PRELUDE: Final = """
import collections, copy, functools, heapq, operator, queue, threading
from types import SimpleNamespace
SIZES = [4]
ROWS = [[4]]
class Model:
    def __init__(self):
        self.sizes, self.layers, self.n = [4], {"first": x}, 0
    def size(self):
        return self.sizes[0] + len(self.layers)
    def count(self):
        self.n += 1
class Writer:
    def __init__(self):
        self.out = unknown.Writer()
    def write(self, items):
        out = self.out
        out.write(items)
model = Model()
def product(n):
    return x[:, :4] @ np.zeros((n, 2), np.float32)
"""
KEPT: Final = {
    "a list of the module": "def change():\n    return SIZES[0]",
    "a list that is passed": "def change():\n    first(SIZES)\ndef first(items):\n    return items[0] + len(ROWS)",
    "a list of which methods read": "def change():\n    return SIZES.index(4), SIZES.copy(), sorted(SIZES)",
    "a list of lists": "def change():\n    return [len(row) for row in ROWS]\nSIZES = ROWS[0]",
    "what has the name of another function's list": (
        "def change():\n    items = []\n    items.append(SIZES[0])\n    return items\n"
        "def other(items):\n    return items[0]\nother(SIZES)"
    ),
    "numbers of it": "def change():\n    n = SIZES[0] - len(ROWS)\n    out = [0] * n + [1]\n    out.append(2)",
    "what libraries are given": (
        "def change():\n    np.zeros(SIZES), '{}'.format(SIZES), session.run(x, {x: np.zeros((2, 8), np.float32)})\n"
        "session = tg.Session(scope.graph)"
    ),
    "a part that is not used": (
        "def parts():\n    return 0, []\ndef change():\n    _, out = parts()\n"
        "    for _ in ROWS:\n        out.append(1)\nSIZES = ROWS[0]"
    ),
    "lists in a tuple": "PAIR = SIZES, ROWS\ndef change():\n    return PAIR[0][0]",
}
KEPT_BY_OBJECTS: Final = {
    "a method in a loop": "while unknown.flag:\n    model.size()",
    "an object that is passed": "def f(some):\n    return some.size()\nwhile unknown.flag:\n    f(model)",
    "one of several": "models = [model, Model()]\nfor each in models:\n    while unknown.flag:\n        each.count()",
}
CHANGED: Final = {
    "by another name": "def change():\n    items = SIZES\n    items.append(1)",
    "by a parameter": "def change():\n    f(SIZES)\ndef f(items):\n    items.append(1)",
    "by any number of parameters": "def change():\n    f(*[SIZES])\ndef f(*items):\n    items[0].append(1)",
    "by a default": "def change(items=SIZES):\n    items.append(1)",
    "by names": "def change():\n    f(n=SIZES)\ndef f(**items):\n    items['n'].append(1)",
    "in a nested function": "def change():\n    items = SIZES\n    def f():\n        items.append(1)\n    f()",
    "by a name of the module": "def change():\n    global SIZES\n    SIZES.append(1)",
    "by a method": "def change():\n    f(SIZES.append)\ndef f(add):\n    add(1)",
    "by the method of a class": "def change():\n    list.append(SIZES, 1)",
    "by an argument of a function of Python": "def change():\n    heapq.heappush(SIZES, 1)",
    "by an iterator": "def change():\n    list(map(SIZES.append, [1]))",
    "by an object that is called": (
        "class Call:\n    def __call__(self, items):\n        items.append(1)\ndef change():\n"
        "    call(SIZES)\ncall = Call()"
    ),
    "by an attribute that is called": (
        "class Call:\n    def __call__(self, items):\n        items.append(1)\ndef change():\n    holder.call(SIZES)\n"
        "holder = Model()\nholder.call = Call()"
    ),
    "by an attribute of any name": (
        "def f(items):\n    items.append(1)\ndef change():\n    model.call(SIZES)\nsetattr(model, 'c' + 'all', f)"
    ),
    "by a key": "def f(items):\n    items.append(1)\nfs = {'f': f}\ndef change():\n    fs['f'](SIZES)",
    "by an attribute of Python's objects": (
        "space = SimpleNamespace(items=SIZES)\ndef change():\n    space.items.append(1)"
    ),
    "by an operator": (
        "class Sum:\n    def __add__(self, items):\n        items.append(1)\ndef change():\n    Sum() + SIZES"
    ),
    "by a statement": (
        "class Keys:\n    def __contains__(self, items):\n        items.append(1)\n        return True\n"
        "def change():\n    return SIZES in Keys()"
    ),
    "by a setter": (
        "class Set:\n    @property\n    def p(self): return 1\n    @p.setter\n    def p(self, items):\n"
        "        items.append(1)\n"
        "def change():\n    Set().p = SIZES"
    ),
    "by a thread": (
        "def f(items):\n    items.append(1)\ndef change():\n    threading.Thread(target=f, args=(SIZES,)).start()"
    ),
    "by a part": "def change():\n    functools.partial(f, SIZES)()\ndef f(items):\n    items.append(1)",
    "through a queue": (
        "def change():\n    jobs.append(SIZES)\n    jobs.popleft().append(1)\njobs = collections.deque()"
    ),
    "in a tuple": "pair = SIZES, ROWS\ndef change():\n    pair[0].append(1)",
    "of two that are swapped": "def change():\n    a, b = ROWS, SIZES\n    a, b = b, a\n    a.append(1)",
    "by a library": "def change():\n    unknown.change(SIZES)",
    "by an object of a library": "def change():\n    Writer().write(SIZES)",
    "by what a library has": "def change():\n    for out in unknown.outputs:\n        out.write(SIZES)",
    "by a base of a library": (
        "class Own(unknown.Base):\n    def f(self):\n        self.write(SIZES)\ndef change():\n    Own().f()"
    ),
    "by a name that is a text": "def change():\n    globals()['SIZES'].append(1)",
}
CHANGED_IN_OBJECTS: Final = {
    "by a method": "def change():\n    model.sizes.append(1)",
    "by its attributes": "def change():\n    vars(model)['sizes'].append(1)",
    "by all attributes": "def change():\n    for value in model.__dict__.values():\n        value.clear()",
    "by another list": "def change():\n    model.sizes = [4, 4]",
}
LOOP: Final = "\nwhile unknown.flag:\n    change()\n"


@pytest.mark.parametrize("case", KEPT)
def test_a_list_that_is_only_read(case: str, tmp_path: Path) -> None:
    text = f"{PRELUDE}{KEPT[case]}{LOOP}x @ np.zeros((SIZES[0], 2), np.float32)  # E: b is [4, 2]"
    assert not differences(tmp_path, text)


@pytest.mark.parametrize("case", KEPT_BY_OBJECTS)
def test_a_list_of_an_object(case: str, tmp_path: Path) -> None:
    text = f"{PRELUDE}{KEPT_BY_OBJECTS[case]}\nx @ np.zeros((model.size(), 2), np.float32)  # E: b is [5, 2]"
    assert not differences(tmp_path, text)


@pytest.mark.parametrize("case", CHANGED)
def test_a_list_that_may_be_changed(case: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, f"{PRELUDE}{CHANGED[case]}{LOOP}product(len(SIZES) + 2)")


@pytest.mark.parametrize("case", CHANGED_IN_OBJECTS)
def test_a_list_of_an_object_that_may_be_changed(case: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, f"{PRELUDE}{CHANGED_IN_OBJECTS[case]}{LOOP}product(len(model.sizes) + 2)")


def test_a_list_that_another_module_reads(tmp_path: Path) -> None:
    data = "SIZES = [4, 6]\nROWS = {'first': [4]}\ndef batch():\n    return SIZES[0] + len(ROWS['first'])"
    program = "import data\nwhile unknown.flag:\n    data.batch()\nx @ np.zeros((data.SIZES[0], 2), np.float32)"
    (error,) = errors(tmp_path, {"program": f"{HEADER}{program}", "data": data})
    assert "b is [4, 2]" in error[2]


def test_a_list_of_another_module_that_is_changed(tmp_path: Path) -> None:
    data = "SIZES = [4]\nROWS = {'first': SIZES}\ndef batch():\n    ROWS.get('first').append(4)"
    program = (
        "import data\nwhile unknown.flag:\n    data.batch()\nx[:, :4] @ np.zeros((len(data.SIZES) + 2, 2), np.float32)"
    )
    assert not errors(tmp_path, {"program": f"{HEADER}{program}", "data": data})
