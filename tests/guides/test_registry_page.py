"""The page on the registry: its entry is a sound one, and its gradient function has the types that it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import yaml

from mypy_plugin.checking import check
from typegrad_codegen.load import load

ROOT: Final = Path(__file__).parents[2]
BLOCKS: Final = re.findall(
    r"^```(\w+)\n(.*?)^```\n", (ROOT / "ops" / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)

IMPORTS: Final = """
from typegrad.op.math import Atan, Cos, Mul, Sin
from typegrad.rules.common import Gradients, N, conj
from typegrad.graph.operand import Output
from typegrad.graph.scope import Scope
"""


def test_the_page_shows_an_entry_and_a_gradient_function() -> None:
    assert [language for language, _ in BLOCKS] == ["yaml", "python"]


def test_the_entry_is_sound_and_agrees_with_the_registry(tmp_path: Path) -> None:
    text = BLOCKS[0][1]
    (tmp_path / "matmul.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "types.yaml").write_bytes((ROOT / "ops" / "types.yaml").read_bytes())
    (loaded,) = load(tmp_path).operations
    shown = yaml.safe_load(text)["MatMul"]
    real = yaml.safe_load((ROOT / "ops" / "matmul.yaml").read_text(encoding="utf-8"))["MatMul"]
    assert loaded.name == "MatMul"
    for key in ("types", "shape"):
        assert shown[key] == real[key]
    assert shown["inputs"].keys() == real["inputs"].keys() and shown["outputs"].keys() == real["outputs"].keys()


def test_the_gradient_function_type_checks(tmp_path: Path) -> None:
    program = IMPORTS + BLOCKS[1][1]
    assert check(tmp_path, {"page.py": program}).output == ""
