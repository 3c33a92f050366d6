"""By which names a program may reach a list that it changes: those are its state, and no others."""

from __future__ import annotations

import ast
from typing import Final

import pytest

from typegrad.dry_run.source.state import State
from typegrad.dry_run.source.trees import Nodes

CHANGED: Final = {
    "a list, and what it is assigned to": ("a = [b]\na.append(1)\nc = a", "a c"),
    "what is in it": ("a = [b]\na[0].append(1)\nfor d in a: print(d)", "a b d"),
    "an attribute by another name": ("def f(self):\n h = self.rows\n h.append(1)\n self.other = []", "h rows"),
    "a parameter": ("def f(x, rows, *rest): rows.append(x)\nf(a, b)\nf(a, rows=c)\nf(*d)", "a b c d rest rows x"),
    "one of several parameters": ("def f(x, rows, n=1): rows.append(x)\nf(a, b, c)", "b rows"),
    "a default": ("def f(x, rows=a): rows.append(x)", "a rows"),
    "what functions return": ("def f():\n return a\nb = f()\nb.append(1)\nc = g()", "a b"),
    "what methods and properties return": (
        "class A:\n def f(self): return self.a\n @property\n def b(self): return self.c\nA().f().append(1); x.b.sort()",
        "a b c",
    ),
    "what objects return where they are called": (
        (
            "class A:\n def __call__(self, n): return self.a\n def __getitem__(self, n): return self.b\n"
            "x = make()\nc = x(1)\nc.append(1)\nd = x[0]\nd.clear()"
        ),
        "a b c d x",
    ),
    "what objects are made of": (
        (
            "class A:\n def __init__(self, a): self.a = a\n@dataclass\nclass B(C):\n b: list\n"
            "class D(A): pass\nA(p), B(q), D(r)\nx.a.append(1), x.b.append(1)"
        ),
        "a b p q r",
    ),
    "a base class that makes it": (
        (
            "class A:\n def __init__(self, a): self.a = a\nclass B(A):\n def __init__(self, b): A.__init__(self, b)\n"
            "B(p)\nx.a.append(1)"
        ),
        "a b p",
    ),
    "functions of Python": ("b, c, d = list(a), max(a, key=g), [*a]\nb[0].append(1)", "a b c d g"),
    "a function that is an argument": ("def f(row): row.append(1)\nlist(map(f, rows))\ng = f\ng(a)", "a f g row rows"),
    "lambdas": ("f = lambda row, n: row.append(n)\nf(a, b)", "a b n row"),
    "what a dict has": ("a = {'x': b, **c}\nfor k, v in a.items(): v.append(1)\na.get(1, d)", "a b c k v"),
    "one of several": ("a = b if x else c or d\na.append(1)", "a b c d"),
    "sums": ("a = b + c\na[0].append(1)\nb += e", "a b c e"),
    "unpacked": ("a, *b = c\nb[0].append(1)\n(d, e), f = (g, h), k\nd.append(1)", "a b c d g"),
    "what is put into a list": ("a.append(b)\na.extend(c)\na[0].append(1)", "a b c"),
    "generators": ("def f():\n yield a\nfor b in f(): b.append(1)\nwith f() as c: pass", "a b c"),
    "patterns": ("match a:\n case [b, *c]: c.append(1)", "a b c"),
    "an attribute that is named": ("getattr(x, 'a').append(1)", "a"),
    "imported as": ("from own import a as b\nb.append(1)", "a b"),
}
ANY: Final = {
    "an attribute whose name is not known": "getattr(x, name).append(1)",
    "a class of lists": "class A(list):\n def push(self, x): self.append(x)",
    "a method of a base": "class A(dict):\n def push(self, x): super().update(x)",
}
NONE: Final = {
    "arrays and numbers": "a = b\na[:, 0] = 1\nn = 0\nn += 1\nn += len(b)",
    "where an object is made": "class A:\n def __init__(self):\n  self.a = []\n  self.a.append(1)",
    "what libraries make of lists": "import numpy as np\nb = np.array(a)\nb.sort",
    "numbers of Python": "a = len(b)",
    "a method of the program": "class A:\n def update(self): pass\n def f(self): self.update()",
}


def _changed(text: str) -> set[str]:
    return {each for each in State(Nodes([ast.parse(text)])).containers if each.isidentifier()}


@pytest.mark.parametrize("case", CHANGED)
def test_the_names_of_a_list_that_is_changed(case: str) -> None:
    text, names = CHANGED[case]
    assert _changed(text) == set(names.split())


@pytest.mark.parametrize("case", ANY)
def test_any_list_may_be_changed(case: str) -> None:
    assert State(Nodes([ast.parse(ANY[case])])).may_change("a")


@pytest.mark.parametrize("case", NONE)
def test_no_list_is_changed(case: str) -> None:
    assert not State(Nodes([ast.parse(NONE[case])])).may_change("a")
