"""A dry run writes nothing, starts nothing, and comes to an end."""

from __future__ import annotations

import os
import sys
import tracemalloc
from pathlib import Path
from typing import Final

import attrs
import numpy as np
import pytest

from dry_run.following import HEADER, errors

EFFECTS: Final = {
    "files of Python": 'open(PATH, "w").write("x")',
    "files by pathlib": 'from pathlib import Path\nPath(PATH).write_text("x")',
    "files of NumPy": "np.save(PATH, np.zeros(3))\nnp.zeros(3).tofile(PATH)\nnp.ndarray.tofile(np.zeros(3), PATH)",
    "other files of NumPy": 'np.lib.format.open_memmap(PATH, mode="w+", shape=(2, 3))',
    "code in a text for NumPy": "np.testing.measure('print(5)')\nnp.testing.runstring('print(5)', {})",
    "what NumPy prints": "np.info(np.sum)",
    "functions passed on": "list(map(np.save, [PATH], [np.zeros(3)]))\nsorted([PATH], key=np.zeros(3).tofile)",
    "functions found in modules": 'import typing\ngetattr(typing, "sys").modules["os"].mkdir(PATH)\ntyping.sys.modules',
    "functions found in objects": 'x.__class__.__init__.__globals__["__builtins__"]["open"](PATH, "w")',
    "operators that read attributes": 'import operator\noperator.attrgetter("tofile")(np.zeros(3))(PATH)',
    "files of typegrad": "tg.Session(scope.graph).save(PATH)\nscope.graph.show(PATH)\ntg.Saver(PATH)",
    "files of argparse": 'import argparse\nargparse.FileType("w")(PATH)',
    "processes": 'import os, subprocess\nos.system("touch " + PATH)\nsubprocess.run(["touch", PATH])',
    "code in a text": "exec(\"open(PATH, 'w')\")\neval(\"open(PATH, 'w')\")",
    "imports by name": '__import__("os").mkdir(PATH)\nimport importlib\nimportlib.import_module("os").mkdir(PATH)',
    "the end of the process": "import os, sys\nsys.exit(1)\nos._exit(1)\nexit()",
    "types that are revealed": "from typing import reveal_type\nreveal_type(x)",
    "attributes of libraries": "np.pi = 4\ntg.Shape = None\nx.shape = None\nnp.zeros.__name__ = 'no'",
    "settings of libraries": "import attr, attrs\nattr.set_run_validators(False)\nattrs.validators.set_disabled(True)",
    "attributes of libraries by their names": "setattr(np, 'pi', 4)\nsetattr(tg, 'Shape', None)",
}

ENDLESS: Final = {
    "a loop": "while True:\n    pass",
    "a loop of calls": "while True:\n    x + 1.0",
    "numbers": "import itertools\nfor n in itertools.count():\n    x * n",
    "a list of them": "import itertools\nlist(itertools.count())",
    "a search in them": "import itertools\n5.5 in itertools.count()",
    "arguments of them": "import itertools\nmax(*itertools.cycle('ab'))",
    "a list that they are added to": "import itertools\n[0].extend(itertools.count())",
    "a list that grows": "import itertools\nnumbers = [0]\nnumbers += itertools.count()",
    "an array of them": "import itertools\nnp.fromiter(itertools.count(), int)",
    "a wide text": "'%0*d' % (10**10, 5)",
    "a generator": "def numbers():\n    while True:\n        yield 1\nsum(numbers())\n[*numbers()]\nnext(numbers())",
    "a comprehension": "import itertools\n[n for n in itertools.count()]\n{n: 0 for n in itertools.cycle([1, 2])}",
    "an iterator with a sentinel": "list(iter(int, 1))",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "two calls each": "def f(n):\n    return f(n - 1) + f(n - 1) if n else 1\nf(100)",
    "powers": "10 ** 10 ** 10\n2 << 10 ** 12\npow(3, 10 ** 9)",
    "long lists": "[0] * 10 ** 12\nlist(range(10 ** 12))\nlist(zip(range(10 ** 12), range(10 ** 12)))\n'a' * 10 ** 12",
    "long texts": "s = 'a'\nfor _ in range(100):\n    s += s\nb = [1]\nfor _ in range(100):\n    b += b",
    "large arrays": "np.zeros((10**6, 10**6))\nnp.arange(10 ** 12)\nnp.eye(10**6)\nnp.tile(np.zeros(9), 10**9)",
    "large products": "a = np.ones((4000, 1))\nb = a\nfor _ in range(9):\n    b = np.kron(b, a)\nnp.add.outer(b, b)",
    "random numbers": "np.random.default_rng(0).normal(size=(10 ** 6, 10 ** 5))\nnp.random.rand(10 ** 6, 10 ** 5)",
}


@pytest.mark.parametrize("name", EFFECTS)
def test_nothing_outside_is_touched(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "made"
    errors(tmp_path, {"program": f"PATH = {str(path)!r}\n{HEADER}\nprint('text')\n{EFFECTS[name]}\n"})
    assert {each.name for each in tmp_path.iterdir()} == {"program.py"}
    assert capfd.readouterr() == ("", "")
    assert np.pi < 4 and attrs.validators.get_disabled() is False


def test_the_random_numbers_of_numpy_stay(tmp_path: Path) -> None:
    np.random.seed(5)
    program = f"{HEADER}\nnp.random.seed(3)\nnp.random.sample()\nnp.random.ranf()\nnp.random.rand(3)\n"
    assert not errors(tmp_path, {"program": program})
    drawn = np.random.random_sample()
    np.random.seed(5)
    assert drawn == np.random.random_sample()


@pytest.mark.parametrize(
    "made",
    [
        "np.ones((5_000_000, 7))",
        "np.zeros(shape=(5_000_000, 7))",
        "np.full([5_000_000, 7], np.nan)",
        "np.empty((5_000_000, 7), np.float64)",
    ],
)
def test_large_arrays_take_no_memory(made: str, tmp_path: Path) -> None:
    fed = f"y = core.Placeholder.create(scope, tg.TFloat64, (Batch, 8))\ntg.Session(scope.graph).run(y, {{y: {made}}})"
    tracemalloc.start()
    (error,) = errors(tmp_path, {"program": f"{HEADER}\n{fed}"})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "has shape [5000000" in error[2] and peak < 2**25


@pytest.mark.parametrize("name", ENDLESS)
def test_a_program_without_an_end_is_left(name: str, tmp_path: Path) -> None:
    assert not errors(tmp_path, {"program": f"{HEADER}\n{ENDLESS[name]}\n"})


def test_the_modules_of_a_program_are_not_imported(tmp_path: Path) -> None:
    sources = {
        "program": "import helper_of_a_dry_run\nhelper_of_a_dry_run.f()\n",
        "helper_of_a_dry_run": "def f(): pass",
    }
    errors(tmp_path, sources)
    assert "helper_of_a_dry_run" not in sys.modules and not os.environ.get("HELPER")
