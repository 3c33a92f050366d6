"""Right programs that change something where it is not seen: where code may have run, by objects that are not followed.

`five(n)` is right for 5 alone. What `change` is given has 4 of something, and 5 behind the change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import argparse, ast, bisect, collections, contextlib, functools, heapq, itertools, json
import operator, os, sys, threading, types
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
flag = unknown.flag
class Model:
    def __init__(self):
        self.n, self.rows, self.sizes = 4, [1, 2, 3, 4], {}
    def grow(self, _=0):
        self.n = 5
        self.rows.append(5)
        return True
    def __lshift__(self, extra):
        self.n += extra
    def __getitem__(self, key):
        self.n = key
        return key
    def __iter__(self):
        self.n = 5
        return iter([1])
    def __str__(self):
        self.grow()
        return "model"
    @property
    def built(self):
        self.grow()
        return self.n
model, rows, table = Model(), [1, 2, 3, 4], {"n": 4}
"""
IN_BRANCHES: Final = {
    "a list of a heap": ("heap = [4]", "heapq.heappop(heap)\nheapq.heappush(heap, 5)", "heap[0]"),
    "a sorted list": ("", "bisect.insort(rows, 5)", "len(rows)"),
    "a method of the class of dicts": ("", "dict.update(table, n=5)", "table['n']"),
    "a method of the class of lists": ("made = [4]", "list.insert(made, 0, 5)", "made[0]"),
    "an item by a function": ("", "operator.setitem(table, 'n', 5)", "table['n']"),
    "an iterator": ("numbers = iter([4, 5])", "next(numbers)", "next(numbers)"),
    "the values of a dict": ("kept = table.values()", "table['n'] = 5", "[*kept][0]"),
    "the items of a dict": ("kept = table.items()", "table['n'] = 5", "[n for _, n in kept][0]"),
    "the keys of a dict": ("kept = table.keys()", "table['m'] = 5", "len([*kept]) + 3"),
    "the values of an ordered dict": (
        "ordered = collections.OrderedDict(n=4)\nkept = ordered.values()",
        "ordered['n'] = 5",
        "[*kept][0]",
    ),
    "an iterator of values": ("kept = iter(table.values())", "table['n'] = 5", "next(kept)"),
    "an iterator of a list": ("made = [4]\nkept = iter(made)", "made[0] = 5", "next(kept)"),
    "pairs of items": ("made = [4]\nkept = zip(made, made)", "made[0] = 5", "next(kept)[0]"),
    "numbered items": ("kept = enumerate(table.values())", "table['n'] = 5", "next(kept)[1]"),
    "what is made of items": ("kept = map(abs, table.values())", "table['n'] = 5", "next(kept)"),
    "a chain of items": ("made = [4]\nkept = itertools.chain(made)", "made[0] = 5", "next(kept)"),
    "an attribute by its name": ("", "setattr(model, 'n', 5)", "model.n"),
    "an attribute by the method of all objects": ("", "object.__setattr__(model, 'n', 5)", "model.n"),
    "an attribute by the method of an object": ("keep = model.__setattr__", "keep('n', 5)", "model.n"),
    "an attribute that a class keeps by itself": (
        """
class Module:
    n = 4
    def __setattr__(self, name, value):
        super().__setattr__(name, value)
module = Module()
module.n = 4
""",
        "module.n = 5",
        "module.n",
    ),
    "a dict of attributes": ("", "model.__dict__.update(n=5)", "model.n"),
    "a list of its own class": ("rows = collections.UserList(rows)", "rows.append(5)", "len(rows)"),
    "an array of bytes": ("rows = bytearray(4)", "rows.append(5)", "len(rows)"),
    "an operator": ("", "model << 1", "model.n"),
    "an item": ("", "print(model[5])", "model.n"),
    "a loop over an object": ("", "for _ in model:\n        pass", "model.n"),
    "a text of an object": ("", "print(f'{model}')", "model.n"),
    "a property": ("", "print(model.built)", "model.n"),
    "a dict that makes items": (
        """
class Made(dict):
    def __missing__(self, key):
        self[key] = key
        return key
made = Made.fromkeys(range(4))
""",
        "print(made[4])",
        "len(made)",
    ),
    "a decorator": (
        """
def register(name):
    def add(function):
        rows.append(name)
        return function
    return add
""",
        "@register('f')\n    def f(): ...",
        "len(rows)",
    ),
    "a decorator without arguments": (
        "def register(function):\n    rows.append(function)\n    return function",
        "@register\n    def f(): ...",
        "len(rows)",
    ),
    "a default value": ("", "def f(n=model.grow()): ...", "model.n"),
    "a class": (
        "class Base:\n    def __init_subclass__(cls):\n        rows.append(cls)",
        "class Derived(Base): ...",
        "len(rows)",
    ),
    "the body of a class": ("", "class Derived:\n        model.grow()", "model.n"),
    "a function for a library": ("", "functools.reduce(lambda n, m: model.grow(), [1, 2])", "model.n"),
    "a method by the class of its argument": (
        """
class Visitor:
    n = 4
    @functools.singledispatchmethod
    def visit(self, node): ...
    @visit.register
    def _(self, node: int):
        self.n += node
visitor = Visitor()
""",
        "visitor.visit(1)",
        "visitor.n",
    ),
}
"""What is there, what a branch may do, and what five is behind it."""
IN_FUNCTIONS: Final = {
    "a namespace": ("options = argparse.Namespace(n=4)", "options.n = 5", "options.n"),
    "a simple namespace": ("options = types.SimpleNamespace(n=4)", "options.n = 5", "options.n"),
    "a method by another name": ("add = rows.append", "add(5)", "len(rows)"),
    "a method with its argument": ("add = functools.partial(rows.append, 5)", "add()", "len(rows)"),
    "objects in a tuple": ("both = (model, 1)", "both[0].grow()", "model.n"),
    "a cached function": ("grow = functools.cache(model.grow)", "grow()", "model.n"),
    "an attribute of a class": ("class Config:\n    n = 4\nconfig = Config()", "Config.n = 5", "config.n"),
    "the shape of an array": ("a = np.zeros((5, 4))", "a.shape = (4, 5)", "a.shape[1]"),
    "the size of an array": ("a = np.zeros(4)", "a.resize(5, refcheck=False)", "len(a)"),
}
"""What is there, what a function does that may be called, and what five is behind it."""
RIGHT: Final = {
    "what may be left early by an error": """
def main():
    n = 4
    with contextlib.suppress(RuntimeError):
        if not flag:
            raise RuntimeError
        n = 3
    if not flag:
        five(n + 1)
main()
""",
    "managers of the program that may catch errors": """
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, kind, *error):
        return kind is RuntimeError
@contextlib.contextmanager
def quiet():
    try:
        yield model
    except RuntimeError:
        print("failed")
def main():
    n = m = 4
    with Quiet():
        if not flag:
            raise RuntimeError
        n = 3
    with quiet():
        unknown.fail()
        m = 3
    if flag:
        sys.exit()
    five(n + 1)
    five(m + 1)
main()
""",
    "what other functions have of a name": """
N = 4
def outer():
    m = 4
    def inner():
        nonlocal m
        if not flag:
            m = 5
            return
        m = 4
    inner()
    if flag:
        sys.exit()
    five(m)
def set_up():
    global N
    if not flag:
        N = 5
        return
    N = 4
set_up()
outer()
five(N)
""",
    "objects that belong to others": """
class Editor:
    def __init__(self, edited):
        self.edited = edited
    def edit(self):
        self.edited.grow()
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.edited.grow()
class Worker(threading.Thread):
    def __init__(self, edited):
        super().__init__()
        self.edited = edited
    def run(self):
        self.edited.grow()
others = {}
def edit(first, second, third, fourth):
    if flag:
        return
    Editor(first).edit()
    with Editor(second):
        print(second)
    others["third"] = third
    others["third"].grow()
    worker = Worker(fourth)
    worker.start()
    worker.join()
models = [Model() for _ in range(4)]
edit(*models)
if flag:
    sys.exit()
for each in models:
    five(each.n)
""",
    "items that are made one by one": """
names = unknown.names
first, second, third = Model(), Model(), Model()
if not any(first.grow(each) for each in names if each):
    sys.exit()
five(first.n)
def grown(edited):
    yield edited.grow()
    yield unknown.flag
def all_grown(edited):
    for each in grown(edited):
        if each:
            print(each)
all_grown(second)
five(second.n)
def grow_next(edited):
    items = grown(edited)
    if flag:
        return
    next(items)
grow_next(third)
if not flag:
    five(third.n)
""",
    "values that are sent": """
def totals(total):
    while True:
        total.n += yield
counter = totals(model)
next(counter)
counter.send(1)
five(model.n)
""",
    "methods that a library calls": """
class Worker(threading.Thread):
    def __init__(self):
        super().__init__()
        self.n = 4
    def run(self):
        self.n = 5
class Finder(ast.NodeVisitor):
    def __init__(self):
        self.names = []
    def visit_Name(self, node):
        self.names.append(node.id)
worker, finder = Worker(), Finder()
worker.start()
worker.join()
five(worker.n)
finder.visit(ast.parse("a + b + c + d + e"))
five(len(finder.names))
""",
}

ASKED: Final = {
    "the text of an item": "print([Asked()], 1)",
    "the text of an item of a dict": "print({'a': [Asked()]})",
    "the text of an unknown number of items": "print([Asked() for _ in unknown.items])",
    "an array": "np.asarray(Asked())",
    "an array of an item": "np.stack([Asked(), np.ones(2)])",
}
"""What asks an object for its text or an array."""


@pytest.mark.parametrize("name", IN_BRANCHES)
def test_what_a_branch_may_change_is_unknown(name: str, tmp_path: Path) -> None:
    before, change, after = IN_BRANCHES[name]
    assert not differences(
        tmp_path, f"{PRELUDE}{before}\nif not flag:\n    {change}\nif flag:\n    sys.exit()\nfive({after})"
    )


@pytest.mark.parametrize("name", IN_FUNCTIONS)
def test_what_a_function_may_change_is_unknown(name: str, tmp_path: Path) -> None:
    before, change, after = IN_FUNCTIONS[name]
    changing = f"{before}\ndef change():\n    {change}\ndef maybe(f):\n    if not flag:\n        f()\nmaybe(change)"
    assert not differences(tmp_path, f"{PRELUDE}{changing}\nif flag:\n    sys.exit()\nfive({after})")


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_changed_otherwise_is_unknown(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])


@pytest.mark.parametrize("name", ASKED)
def test_what_an_object_changes_that_is_asked(name: str, tmp_path: Path) -> None:
    asked = "    def __repr__(self):\n        model.grow()\n        return 'asked'\n"
    asked += "    def __array__(self, dtype=None, copy=None):\n        model.grow()\n        return np.ones(2)\n"
    program = f"{PRELUDE}class Asked:\n{asked}{ASKED[name]}\n"
    assert not differences(tmp_path, f"{program}five(model.n)")
    assert not differences(tmp_path, f"{program}x @ np.zeros((7, 2), np.float32)  # E: b is [7, 2]")
