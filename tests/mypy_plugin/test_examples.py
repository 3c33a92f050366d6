"""The examples whose dimensions are stated: the plugin proves them, and finds a mistake in each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import Report, check

FOLDER: Final = Path(__file__).parents[2] / "docs" / "examples"
UNCHECKED: Final = re.compile(r"import matplotlib.pyplot as plt\n|from (?:command|sklearn.datasets) import (.*)\n")
"""Imports of what is not checked here, and takes mypy long to read."""

MISTAKES: Final = [
    ("gaussian_process", "self.y[:, None]", "self.y", "TriangularSolve: `rhs` must have rank 2 or more, but has shape"),
    (
        "stft_denoiser",
        "tg.Ops.create(scope).dtypes.complex(self.mask, 0.0)",
        "self.mask",
        "Mul: x is complex64 but y is float32; cast one with dtypes.Cast",
    ),
    (
        "residual_network",
        "zeros, trainable=False",
        "np.zeros(0, np.float32), trainable=False",
        "FusedBatchNorm: `mean` has 0 elements, but must have one for each of the 16 channels of `x` [Batch, 8, 8, 16]",
    ),
    (
        "ctc_speech",
        "CtcLoss.create(scope, logits,",
        "CtcLoss.create(scope, linalg.Transpose.create(scope, logits, (1, 0, 2)),",
        "CtcLoss: `sequence_length` has Batch elements, but `inputs` [Batch, Time, 7] is [time, batch, classes], with a",
    ),
    (
        "image_registration",
        "cos, dy, zero, zero]",
        "cos, dy]",
        'Incompatible return value type (got "Stack[TFloat32, tuple[Shots, Literal[6]]]", expected "Operand[TFloat32,',
    ),
    (
        "normalizing_flow",
        "turned @ linalg.Inv.create(scope, self.matrix)",
        "linalg.Inv.create(scope, self.matrix) @ turned",
        "MatMul: inner dimensions differ: a is [2, 2], b is [Batch, 2]; linalg.MatMul with transpose_b=True, or b times a would fit",
    ),
]
"""The program, what it says, what a wrong program says, and how mypy's message begins."""


def _source(path: Path) -> str:
    """The program, with `Any` in place of what is not checked here."""
    return UNCHECKED.sub(_as_any, path.read_text())


def _as_any(found: re.Match[str]) -> str:
    return "".join(f"{each}: Any = __import__({each!r})\n" for each in (found[1] or "plt").split(", "))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Answers for all programs, and for all programs with a mistake, in one run of mypy."""
    texts = {path.name: _source(path) for path in FOLDER.glob("*.py") if "typegrad.mypy_plugin" in path.read_text()}
    for name, old, new, _ in MISTAKES:
        assert old in texts[f"{name}.py"]
        texts[f"wrong_{name}.py"] = texts[f"{name}.py"].replace(old, new)
    assert len(texts) == 2 * len(MISTAKES)
    return check(tmp_path_factory.mktemp("examples"), texts)


def test_all_dimensions_are_proved(report: Report) -> None:
    assert not [each for each in report.errors() if not each.file.startswith("wrong_")]


@pytest.mark.parametrize(("name", "message"), [(name, message) for name, _, _, message in MISTAKES])
def test_a_mistake_is_found(name: str, message: str, report: Report) -> None:
    (text,) = {each.text for each in report.errors(f"wrong_{name}.py")}
    assert text.startswith(message)
