"""Names and attributes that a program assigns by `setattr` and the like, or in another file, have no known value."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check, disagreements

HEADER: Final = """\
import sys
from typing import Any
from unittest import mock
import numpy as np
import typegrad as tg
from typegrad.op import core
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, 8))
class Model:
    width = 7
class Reading:
    width = 7
    def __getattribute__(self, name: str) -> Any:
        return 8 if name == "width" else object.__getattribute__(self, name)
WIDTH = 7
"""
ATTRIBUTE: Final = "x @ np.zeros((Model().width, 2), np.float32)"
DRAWN: Final = "x @ np.random.rand(7, 2).astype(np.float32)"
NAME: Final = "x @ np.zeros((WIDTH, 2), np.float32)"
WRONG: Final = "  # E: MatMul: inner dimensions differ: a is [4, 8], b is [7, 2]  [typegrad-shape]"
PROGRAMS: Final = {
    "an attribute": ('setattr(Model, "width", 8)', ATTRIBUTE),
    "an attribute of any name": ("for name in sys.argv:\n    setattr(Model, name, 8)", ATTRIBUTE),
    "a class that is patched": ('mock.patch.object(Model, "width", 8).start()', ATTRIBUTE),
    "a patch of several": ("mock.patch.multiple(Model, width=8).start()", ATTRIBUTE),
    "a patch by its name": ('mock.patch("__main__.Model.width", 8).start()', ATTRIBUTE),
    "pytest": ('def test(monkeypatch: Any) -> None:\n    monkeypatch.setattr(Model, "width", 8)', f"    {ATTRIBUTE}"),
    "a name of the module": ('setattr(sys.modules[__name__], "WIDTH", 8)', NAME),
    "a name that is patched": ('mock.patch("__main__.WIDTH", 8).start()', NAME),
    "any name of what may be the module": (
        "def change(owner: Any, name: str) -> None:\n    setattr(owner, name, 8)\nchange(sys.modules[__name__], 'WIDTH')",
        NAME,
    ),
    "a class that reads attributes itself": ("", ATTRIBUTE.replace("Model", "Reading")),
    "a shape": (
        'a = np.zeros((2, 16), np.float32)\nsetattr(a, "shape", (4, 8))',
        "with tg.Session(scope.graph) as s:\n    s.run(x, {x: a})",
    ),
    "a function of NumPy by its name": ('mock.patch("numpy.random.rand").start()', DRAWN),
    "a function of NumPy": ('mock.patch.object(np.random, "rand").start()', DRAWN),
    "a function of NumPy by a statement": ("fake: Any = np.zeros\nnp.random.rand = fake", DRAWN),
    "what makes a generator": (
        'mock.patch("numpy.random.default_rng").start()',
        "x @ np.random.default_rng(0).random((7, 2)).astype(np.float32)",
    ),
    "a method of a session": (
        'mock.patch.object(tg.Session, "run").start()',
        "tg.Session(scope.graph).run(x, {x: np.zeros((2, 8), np.float32)})",
    ),
}
"""What assigns, and what is right behind it."""
TOLD: Final = {
    "a name": f"{NAME}{WRONG}",
    "an attribute": f"{ATTRIBUTE}{WRONG}",
    "another attribute": f'setattr(Model, "height", 8)\n{NAME}{WRONG}',
    "another function of NumPy": f'mock.patch("numpy.random.randn").start()\n{DRAWN}{WRONG}',
    "an attribute of its own object": (
        f"class Own:\n    def __init__(self, name: str) -> None:\n        setattr(self, name, 8)\n{NAME}{WRONG}"
    ),
    "any attribute of an object": (f"for name in sys.argv:\n    setattr(Model, name, 8)\n{NAME}{WRONG}"),
}
CONFIG: Final = """
WIDTH = HEIGHT = 7
DEPTH = 7
class Model:
    width = 7
model = Model()
"""
LIBRARY: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core
import config
SIZE = 7
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, 8))
def run() -> object:
    return x @ np.zeros(({}, 2), np.float32)
"""
ELSEWHERE: Final = {
    "an imported name": ("config.DEPTH", "config.DEPTH = 8"),
    "an imported name, of several": ("config.DEPTH", "library.SIZE, config.DEPTH = 8, 8"),
    "a name": ("SIZE", "library.SIZE = 8"),
    "a name, after others": ("SIZE", "config.DEPTH = library.SIZE = 8"),
    "a name that is increased": ("SIZE", "library.SIZE += 1"),
    "an attribute": ("config.Model.width", "config.Model.width = 8"),
    "an attribute of an object": ("config.model.width", "config.model.width = 8"),
    "an attribute of an imported object": ("config.model.width", "from config import model\nmodel.width = 8"),
    "any attribute of an object": ("config.model.width", "from config import model\nsetattr(model, name, 8)"),
    "names that are not known": ("config.DEPTH", "setattr(config, name, 8)"),
    "names of another name of the module": ("config.DEPTH", "import config as cfg\nsetattr(cfg, name, 8)"),
    "the namespace": ("config.DEPTH", "vars(config)[name] = 8"),
    "the dict": ("config.DEPTH", "config.__dict__.update({name: 8})"),
    "a patch": ("SIZE", 'from unittest import mock\nmock.patch("library.SIZE", 8).start()'),
}
"""What a function reads, and what another file assigns that calls it."""


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    right = {name: "\n".join(parts) for name, parts in PROGRAMS.items()}
    return disagreements(tmp_path_factory.mktemp("assigned"), right | TOLD, HEADER)


@pytest.mark.parametrize("name", [*PROGRAMS, *TOLD])
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


@pytest.mark.parametrize("name", ELSEWHERE)
def test_another_file_assigns_it(name: str, tmp_path: Path) -> None:
    read, assigning = ELSEWHERE[name]
    main = f"import sys, config, library\nname = sys.argv[1]\n{assigning}\nlibrary.run()\n"
    sources = {"config.py": CONFIG, "library.py": LIBRARY.format(read), "main.py": main}
    assert not check(tmp_path, sources).errors()


def test_a_file_that_does_not_import_it_assigns_the_name(tmp_path: Path) -> None:
    other = "from typing import Any\ndef change(owner: Any) -> None:\n    owner.SIZE = 8\n"
    report = check(tmp_path, {"config.py": CONFIG, "library.py": LIBRARY.format("SIZE"), "other.py": other})
    assert [(each.file, each.line) for each in report.errors()] == [("library.py", 10)]
