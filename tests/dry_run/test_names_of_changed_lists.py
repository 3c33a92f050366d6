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


OF_OTHERS: Final = {
    "a function's own list": "def f():\n a = []\n a.append(1)",
    "a parameter": "def f(a): a.append(1)\nf(b)",
    "a name of a comprehension in a function": "def f(): return [a.append(1) for a in b]",
    "one that a lambda has alone": "f = lambda a: a.append(1)",
    "items of a name that is not used": "for _ in a: pass\n_, b = c\nb.append(1)",
    "numbers": "b = [n - len(a)] * (n + 2 - a)\nb.append(1)\nc = a * len(b)\nc.sort()",
    "what methods of libraries are given": "b.run(a)\nc = b.run(d)\nclass E:\n def __call__(self, c): c.append(1)",
    "what a library is given": "import numpy as np\nb = np.f(a)\nb.append(1)",
    "an operator's other operand": "class A:\n def __add__(self, b): return self.c[b]\nx.d.append(1)\nb = A() + a",
}


@pytest.mark.parametrize("case", OF_OTHERS)
def test_no_list_of_this_name_is_changed_that_others_have(case: str) -> None:
    assert not State(Nodes([ast.parse(OF_OTHERS[case])])).may_change("a", is_local=False)


GIVEN: Final = {
    "an outer name": "def f():\n global a\n a.append(1)",
    "a name of a class": "def f(b):\n class C:\n  b = a\n  b.append(1)",
    "a closure's list": "def f():\n b = a\n def g(): b.append(1)\n g()",
    "a default": "def f(b=a): b.append(1)",
    "an argument by its name": "def f(b): b.append(1)\nf(b=a)",
    "by the class": "list.append(a, 1)",
    "an operator": "class A:\n def __add__(self, b): b.append(1)\nA() + a",
    "a method of any name": "def f(b): b.append(1)\nsetattr(x, n, f)\nx.g(a)",
    "an object that is called": "class A:\n def __call__(self, b): b.append(1)\nx.g = A()\nx.g(a)",
    "all attributes": "for b in x.__dict__.values(): b.append(1)",
    "an attribute of a namespace": "vars(x)[n].append(1)",
    "an attribute that is assigned by its name": "setattr(x, 'b', a)\ny.b.append(1)",
    "an attribute that is assigned by any name": "setattr(x, n, a)\ngetattr(x, m).append(1)",
}


@pytest.mark.parametrize("case", GIVEN)
def test_a_list_of_this_name_is_changed_that_others_have(case: str) -> None:
    assert State(Nodes([ast.parse(GIVEN[case])])).may_change("a", is_local=False)
