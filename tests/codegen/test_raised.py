"""The errors that the docstring of `create` lists: those that say something of the operation."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.entries import entries
from typegrad_codegen.load import load
from typegrad_codegen.raised import raises

CASES: Final[dict[str, dict[str, str]]] = {
    "Exp": {},
    "Add": {
        "DTypeError": "`x` and `y` differ in element type.",
        "ShapeError": "The shapes of `x` and `y` do not broadcast.",
    },
    "MatMul": {
        "DTypeError": "`a` and `b` differ in element type.",
        "ShapeError": "`a` or `b` does not have rank 2, or the shapes of `a` and `b` are incompatible.",
    },
    "Softmax": {"ShapeError": "`logits` does not have rank 1 or more."},
    "Sum": {"ShapeError": "`axis` does not have rank 1 or less."},
    "AddN": {
        "DTypeError": "The operands in `inputs` differ in element type.",
        "ShapeError": "The shapes of `inputs` differ.",
    },
    "Const": {"DTypeError": "`value` does not fit the stated element type."},
    "Split": {"AttributeValueError": "`num_split` is less than 1."},
}


@pytest.mark.parametrize("name", CASES)
def test_errors(name: str) -> None:
    assert dict(raises(entries()[name])) == CASES[name]


def test_lists_and_choices(tmp_path: Path, library: Path) -> None:
    (tmp_path / "demo.yaml").write_text("""\
One:
  group: demo
  summary: Do one thing.
  attrs:
    mode: {type: string, allowed: [up, down, left], doc: Mode.}
    steps: {type: list(int), minimum: 2, doc: Steps.}
    axes: {type: list(int), minimum: 0, doc: Axes.}
  outputs: {y: {type: float32, doc: Y.}}
  shape: unknown
  kernel: nothing
  examples: [{attrs: {mode: up, steps: [1, 2], axes: []}}]
""")
    (op,) = load(tmp_path, package="lib.op").operations
    text = "`mode` is not `up`, `down` or `left`, or `steps` has fewer than 2 elements."
    assert raises(op) == [("AttributeValueError", text)]
