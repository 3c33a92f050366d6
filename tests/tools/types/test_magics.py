"""What IPython reads in its own way, as Python."""

from __future__ import annotations

import ast
from typing import Final

import pytest

from typegrad.tools.types.magics import ANYTHING as MODULE
from typegrad.tools.types.magics import given_names, of_python

VALUE: Final = "__import__('json').loads(input())"
ANYTHING: Final = "eval('None')"
CELLS: Final = {
    "%matplotlib inline\n!ls\n?x\nx?\nx.y??\n%time?\n!!ls": "pass\npass\npass\npass\npass\npass\npass",
    "x = %who\nfiles = !ls *.py\na, b = !ls": f"x = {VALUE}\nfiles = {VALUE}\na, b = {VALUE}",
    "%time y = x @ w\n%timeit -n 10 -r3 f(x)": "pass; y = x @ w\npass;             f(x)",
    "%time for x in y: print(x)": "pass",
    "if a:\n    !ls\n  \nelse:\n\t%cd ..": "if a:\n    pass\n  \nelse:\n\tpass",
    "print('%d'\n%each)\n!ls": "print('%d'\n%each)\npass",
    "y = a \\\n%b\n!ls": "y = a \\\n%b\npass",
    "text = '''\n!no command\n%d\n'''\n!ls": "text = '''\n!no command\n%d\n'''\npass",
    "!pip install \\\n  typegrad\nx = 1": "pass\n\nx = 1",
    "%%time\nx = 1": "pass\nx = 1",
    "%%capture --no-stderr out\nx = 1": f"out = {VALUE}\nx = 1",
    "%%capture\nx = 1": "pass\nx = 1",
    "%%bash\nls -l": "\n",
    "%%bash --out listed\nls -l": f"{ANYTHING}\n",
    "%%sql found <<\nselect": f"{ANYTHING}\n",
    "%run other.py": ANYTHING,
    "await f()": "await f()",
    "": "",
    "y = 1 %2": "y = 1 %2",
    "x = (": "x = (",
    "  if a:\n    b\nc": "if a:\n  b\nc",
    "\tx = 1\n\t!ls": "x = 1\npass",
}


@pytest.mark.parametrize(("cell", "expected"), CELLS.items())
def test_a_cell_as_python(cell: str, expected: str) -> None:
    lines, may_bind = of_python(cell)
    assert "\n".join(lines) == expected
    assert may_bind == (ANYTHING in expected)
    assert len(lines) == max(cell.count("\n") + 1, 1)


@pytest.mark.parametrize(
    ("text", "given", "with_any"),
    [
        ("display(x, Out[1], In, _, _1, _i, __, get_ipython())", "In Out _ _1 __ _i display get_ipython", "x"),
        ("from IPython.display import display\ndisplay(y)", "", "y"),
        ("import a.b, c as d\na, d, np.pi, len(e)", "", "e np"),
        ("def f(x, *y, z): return x, y, z, w, f\nclass C: ...\nC, [q for q in r], (lambda n: n)", "", "r w"),
        ("try: pass\nexcept E as e: e\nmatch m:\n case [1, *o] as p: o, p\n case {'a': 1, **s}: s", "", "E m"),
        ("for _ in x: _", "", "x"),
        ("x = (", "", ""),
        ("x = 1", "", ""),
    ],
)
def test_names_that_a_program_does_not_bind(text: str, given: str, with_any: str) -> None:
    own = " = ".join([*given.split(), VALUE]) if given else ""
    assert given_names(text, any_names=False) == own
    others = f"from {MODULE} import {', '.join(with_any.split())}" if with_any else ""
    line = given_names(text, any_names=True)
    assert line == "; ".join(filter(None, [own, others]))
    ast.parse(line)
