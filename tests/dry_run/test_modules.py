"""Values of another module of the program: of each kind of class with fields, and constants."""

from __future__ import annotations

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

    def counted(nodes: Nodes) -> State:
        looked_through.append(len(nodes.trees))
        return State(nodes)

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
