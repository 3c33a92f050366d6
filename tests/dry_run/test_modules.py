"""Values of another module of the program: of each kind of class with fields, and constants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER, errors
from typegrad.dry_run.source.state import State
from typegrad.dry_run.source.trees import Nodes
from typegrad.dry_run.tracking import core

CONFIG: Final = """
from __future__ import annotations
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, TypedDict
import attrs
@dataclass(frozen=True)
class Config:
    kinds: ClassVar[int] = 7
    hidden: int = 8
@dataclass(frozen=True)
class Model:
    config: Config = field(default_factory=Config)
    layers: tuple[int, ...] = (8, 7)
class Sizes(NamedTuple):
    hidden: int = 7
class Keys(TypedDict):
    hidden: int
@attrs.frozen
class Slots:
    hidden: int = 7
class Constants:
    HIDDEN = 7
KEYS: Keys = {"hidden": 7}
SMALL = replace(Model(), config=Config(hidden=7))
"""
WRONG: Final = {
    "a dataclass": "config.Config(hidden=7).hidden",
    "a class variable": "config.Config.kinds",
    "a dataclass in another one": "config.SMALL.config.hidden",
    "a tuple": "config.Model().layers[1]",
    "a named tuple": "config.Sizes().hidden",
    "a class of attrs": "config.Slots().hidden",
    "a dict": "config.KEYS['hidden']",
    "a constant of a class": "config.Constants.HIDDEN",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_size_of_another_module(name: str, tmp_path: Path) -> None:
    sources = {"program": f"{HEADER}import config\nx @ np.zeros(({WRONG[name]}, 2), np.float32)", "config": CONFIG}
    (error,) = errors(tmp_path, sources)
    assert "a is [Batch, 8], b is [7, 2]" in error[2]


def test_modules_are_not_looked_through_each_time_that_one_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That would take longer than all else."""
    looked_through: list[int] = []

    def counted(nodes: Nodes, is_own: Callable[[str], bool]) -> State:
        looked_through.append(len(nodes.trees))
        return State(nodes, is_own)

    monkeypatch.setattr(core, "State", counted)
    sources = {f"part_{n}": f"import part_{n + 1}\nwidth = part_{n + 1}.width" for n in range(5)}
    program = f"{HEADER}import part_0\ndef uncalled() -> None:\n    x @ np.zeros((part_0.width, 2), np.float32)"
    (error,) = errors(tmp_path, {"program": program, **sources, "part_5": "width = 7"})
    assert "a is [Batch, 8], b is [7, 2]" in error[2]
    assert looked_through == [7]


def test_a_right_size_of_another_module(tmp_path: Path) -> None:
    program = f"{HEADER}import config\nx @ np.zeros((config.Model().config.hidden, 2), np.float32)"
    assert errors(tmp_path, {"program": program, "config": CONFIG}) == []


@pytest.mark.parametrize("names", ["", "__all__ = ['WIDTH']\n"])
def test_all_names_of_another_module(names: str, tmp_path: Path) -> None:
    text = HEADER + "from sizes import *\nlinalg.MatMul.create(scope, x, np.zeros((WIDTH, 2), np.float32))\n"
    found = errors(tmp_path, {"program": text, "sizes": f"{names}WIDTH, _width = 7, 8\n"})
    assert ["inner dimensions differ" in error for *_, error in found] == [True]


REGISTRY: Final = """
SIZES, NAMED = {"seven": 7}, {}
LAST = 7
class Sizes:
    all = []
    def __init__(self):
        self.sizes = [7]
    def add(self, size):
        self.sizes.append(size)
    def __init_subclass__(cls):
        Sizes.all.append(cls.size)
sizes = Sizes()
def register(name, size):
    global LAST
    LAST = SIZES[name] = size
    sizes.add(size)
"""
PLUGIN: Final = """
from registry import Sizes, register
register("eight", 8)
class Eight(Sizes):
    size = 8
"""
IMPORTS: Final = {
    "a name that is not known": "importlib.import_module(unknown.name)",
    "a name that is known": "importlib.import_module('plugin')",
    "one in a package": "importlib.import_module(f'.{unknown.name}', 'plugins')",
    "one that is not found": "importlib.import_module('other')",
    "by keyword": "importlib.import_module(name=unknown.name)",
    "by Python's own function": "__import__('plugin')",
    "one of several": "for each in unknown.modules:\n    importlib.import_module(each.name)",
    "a file": "runpy.run_path('plugin.py')",
    "a module that is run": "runpy.run_module(unknown.name)",
    "a file by its loader": "spec = importlib.util.find_spec(unknown.name)\nspec.loader.exec_module(unknown.module)",
    "a branch": "if unknown.flag:\n    importlib.import_module('plugin')",
    "a branch with a statement": "if unknown.flag:\n    import plugin",
    "a branch with another statement": "if unknown.flag:\n    from plugin import Eight",
    "a function that may be called": """
def load(name):
    importlib.import_module(name)
if unknown.flag:
    load('plugin')
""",
    "behind a choice": "n = 1 if unknown.flag else 2\nimport plugin",
    "behind a branch": "def load():\n    import plugin\nif unknown.flag:\n    load()\nload()",
}


@pytest.mark.parametrize("name", IMPORTS)
@pytest.mark.parametrize(
    "size", ["SIZES['eight']", "registry.LAST", "registry.sizes.sizes[1]", "Sizes.all[0]", "[*SIZES.values()][-1]"]
)
def test_what_an_imported_module_may_have_registered(name: str, size: str, tmp_path: Path) -> None:
    begun = f"{HEADER}import importlib, importlib.util, runpy\nimport registry\nfrom registry import SIZES, Sizes\n"
    program = f"{begun}{IMPORTS[name]}\nif unknown.flag:\n    raise SystemExit\nx @ np.zeros(({size}, 2), np.float32)"
    assert errors(tmp_path, {"program": program, "registry": REGISTRY, "plugin": PLUGIN}) == []


@pytest.mark.parametrize(
    "imported",
    [
        "importlib.import_module('plugin')",
        "__import__('plugin')",
        "n = 1 if unknown.flag else 2\nimport plugin",
        "importlib.import_module('zlib')\nimport plugin",
        "if unknown.flag:\n    import other\nimport plugin",
    ],
)
def test_what_an_imported_module_has_registered_is_known(imported: str, tmp_path: Path) -> None:
    program = f"{HEADER}import importlib\nfrom registry import SIZES\n{imported}\n"
    sources = {"registry": REGISTRY, "plugin": PLUGIN}
    (error,) = errors(tmp_path, {"program": f"{program}x @ np.zeros((SIZES['seven'], 2), np.float32)", **sources})
    assert "b is [7, 2]" in error[2]
    assert errors(tmp_path, {"program": f"{program}x @ np.zeros((SIZES['eight'], 2), np.float32)", **sources}) == []


def test_constants_of_a_module_are_known_whatever_is_imported(tmp_path: Path) -> None:
    program = f"{HEADER}import importlib, config\nimportlib.import_module(unknown.name)\n"
    sources = {"program": f"{program}x @ np.zeros((config.Constants.HIDDEN, 2), np.float32)", "config": CONFIG}
    (error,) = errors(tmp_path, sources)
    assert "b is [7, 2]" in error[2]
