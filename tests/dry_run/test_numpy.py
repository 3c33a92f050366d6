"""Programs that call NumPy: what is followed has the type and shape that NumPy returns."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from dry_run.following import HEADER
from typegrad.dry_run.program import Module, dry_run

PRELUDE: Final = """
import numpy as np
rng = np.random.default_rng(0)
hidden = rng.normal(size=(4, 5))
known = np.arange(20).reshape(4, 5)
"""
RESULTS: Final = {
    "sums of rows": "np.add.reduce(hidden, axis=1)",
    "products that are kept": "np.multiply.reduce(known, keepdims=True)",
    "the largest element": "np.fmax.reduce(hidden, axis=None)",
    "sums so far": "np.add.accumulate(known, 1)",
    "sums of parts": "np.add.reduceat(hidden, [0, 2, 3])",
    "differences of pairs": "np.subtract.outer(hidden, known[0])",
    "sums of many pairs": "np.add.outer(np.zeros((2000, 3), np.float32), np.zeros((1, 1000)))",
}


def followed(folder: Path, text: str) -> list[str]:
    """The type and shape of a constant, in a program that is followed."""
    path = folder / "program.py"
    path.write_text(f"{HEADER}{PRELUDE}core.Constant.create(scope, {text})", encoding="utf-8")
    result = dry_run(Module("program", str(path)), lambda _: None)
    assert not result.failures
    return [str(each) for each in result.values[max(result.values)]]


def returned(text: str) -> list[str]:
    """The same of what NumPy returns."""
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    result = np.asarray(eval(text, names))
    return [f"{result.dtype} {list(result.shape)}"]


@pytest.mark.parametrize("name", RESULTS)
def test_a_result(name: str, tmp_path: Path) -> None:
    assert followed(tmp_path, RESULTS[name]) == returned(RESULTS[name])
