"""A user's registry with its package: `solids`, which can cube a number."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from typegrad.graph.definition import resolve
from typegrad_codegen.cli import main as codegen

__all__ = ["ENTRY", "Make", "own_registry"]

ENTRY: Final = """\
Cube:
  group: demo
  summary: Multiply a number by itself, twice.
  types:
    T: [float32, float64]
  inputs:
    x: {type: T, doc: The number.}
  outputs:
    y: {type: T, doc: "The cube, of the shape of `x`."}
  shape: same_as(x)
  kernel: solids.functions:cube
  gradient: {x: rule}
  gradient_function: solids.functions:cube_gradient
  examples:
    - inputs: {x: [1.0, -2.0]}
      outputs: {y: [1.0, -8.0]}
      gradients: {x: [3.0, 12.0]}
    - doc: Integers become numbers of double precision.
      inputs: {x: 3.0}
      outputs: {y: 27.0}
"""
FUNCTIONS: Final = """\
from typing import Any

import typegrad as tg


def cube(xp: Any, x: Any) -> Any:
    return x * x * x


def cube_gradient(scope: Any, op: Any, grad: Any) -> Any:
    x = op.inputs.x
    return 3 * x * x * grad
"""

Make: TypeAlias = Callable[..., None]


@pytest.fixture
def own_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """Call it to write the registry and the package into the working folder, a text replaced by another, and to
    generate the classes.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "registry").mkdir()
    (tmp_path / "solids").mkdir()
    (tmp_path / "solids" / "__init__.py").touch()

    def make(old: str = "", new: str = "") -> None:
        assert old in ENTRY + FUNCTIONS
        (tmp_path / "registry" / "demo.yaml").write_text(ENTRY.replace(old, new) if old else ENTRY)
        (tmp_path / "solids" / "functions.py").write_text(FUNCTIONS.replace(old, new) if old else FUNCTIONS)
        assert codegen(["--registry", "registry", "--out", "solids/op", "--package", "solids.op"]) == 0

    yield make
    resolve.cache_clear()  # the functions of the next test have the same names
    for name in [name for name in sys.modules if name.partition(".")[0] == "solids"]:
        del sys.modules[name]
