"""The code in docstrings runs: each indented block of a docstring is found and executed, after what its reader is taken
to have.
"""

from __future__ import annotations

import ast
import configparser
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]

MODEL: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import GradientDescent
graph = tg.Graph(seed=0)
scope = tg.Scope(graph)
images_in = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
labels_in = core.Placeholder.create(scope, tg.TInt32, shape=(None,))
images, labels = np.zeros((64, 2), np.float32), np.zeros(64, np.int32)
w1, w2 = (tg.Variable.create(scope, np.ones((2, 3), np.float32)) for _ in range(2))
logits = linalg.MatMul.create(scope, images_in, w1.read(scope) * w2.read(scope))
loss = math.Mean.create(scope, logits)
session = tg.Session(graph)
"""
"""A small model in a session of its own."""

BEFORE: Final = {
    "typegrad.files.checkpoint.saver.Saver": MODEL + "loss, range = 0.5, lambda start, stop: (start,)",
    "typegrad.training.data.dataset.Dataset": MODEL
    + "from typegrad.training.data import Dataset\nstep = GradientDescent(graph, 0.1).minimize(loss)",
    "typegrad.graph.graph.Graph.to_text": MODEL,
    "typegrad.training.metrics": MODEL.replace("(None,)", "(None, 1)")
    + "from typegrad import metrics\nlabels = core.Constant.create(scope, [0, 1])\n"
    + "logits = core.Constant.create(scope, [[1.0, 0.0], [0.0, 1.0]])",
    "typegrad.training.optimizers.averaging.ExponentialMovingAverage": MODEL
    + "from typegrad.training.optimizers import ExponentialMovingAverage\noptimizer = GradientDescent(graph, 0.1)",
    "typegrad.graph.scope.Scope": MODEL + "from typegrad.op import nn\nx, w, b = images_in, w1, 0.0",
    "typegrad.files.tensorboard": MODEL
    + "from typegrad.files.tensorboard import EventWriter\nloss, step = math.Mean.create(scope, w1.read(scope)), 0",
}
"""What the code of a docstring takes for granted."""


def documented(folder: Path, without: str = "") -> Iterator[tuple[str, str]]:
    """The full name and the docstring of everything that has one, outside of the folder `without`."""
    for file in sorted(each for each in folder.rglob("*.py") if without not in each.relative_to(folder).parts):
        parts = file.relative_to(folder.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield from _inside(ast.parse(file.read_text(encoding="utf-8")), name)


def _inside(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        if text := ast.get_docstring(node):
            yield name, text
        for child in node.body:
            yield from _inside(
                child, f"{name}.{child.name}" if isinstance(child, (ast.ClassDef, ast.FunctionDef)) else name
            )


def blocks(text: str) -> Iterator[str]:
    """The blocks of code in a docstring: paragraphs that are indented, and are not lists."""
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.splitlines()
        if lines and all(line.startswith("    ") for line in lines) and not lines[0].lstrip().startswith("- "):
            yield textwrap.dedent(paragraph) + "\n"


EXAMPLES: Final = [
    (name, code)
    for package in (
        "framework/typegrad",
        "codegen/typegrad_codegen",
        "codegen/typegrad_reference",
        "codegen/typegrad_checking",
    )
    for name, text in documented(ROOT / package, without="op")  # which is generated, and has no code
    for code in blocks(text)
]


@pytest.mark.parametrize(("name", "code"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_the_code_of_a_docstring_runs(
    name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if code.startswith("[mypy]"):
        parser = configparser.ConfigParser()
        parser.read_string(code)
        assert parser["mypy"]["plugins"] == "typegrad.mypy_plugin"
        return
    if name == "typegrad.files.tensorboard":
        pytest.importorskip("tensorboard")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "docstring"}
    exec(compile(BEFORE.get(name, ""), f"before {name}", "exec", dont_inherit=True), namespace)
    exec(compile(code, name, "exec", dont_inherit=True), namespace)
    assert ("print(" in code) == bool(capsys.readouterr().out)


def test_what_is_said_to_come_before_belongs_to_a_docstring() -> None:
    assert BEFORE.keys() <= {name for name, _ in EXAMPLES}


def test_docstrings_have_code_in_no_other_form() -> None:
    """Neither fenced nor with prompts: both would escape the test above."""
    everything = [*documented(ROOT / "framework" / "typegrad"), *documented(ROOT / "codegen" / "typegrad_codegen")]
    assert len(everything) > 1000
    assert not [name for name, text in everything if re.search(r"^\s*(```|>>> |\.\. code)", text, re.MULTILINE)]


def test_blocks_are_told_from_lists_and_sections() -> None:
    text = (
        "Summary.\n\n    x = 1\n    y = 2\n\nArgs:\n    x: What it is,\n        at length.\n\n    - a "
        "list\n\n    - `b`\n"
    )
    assert list(blocks(text)) == ["x = 1\ny = 2\n"]
