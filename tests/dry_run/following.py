"""Follow programs, and compare their errors with the comments in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from typegrad.dry_run.program import Module, dry_run

__all__ = ["HEADER", "UNSIZED", "differences", "errors"]

HEADER: Final = """
from typing import Any, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (Batch, 8))
import unknown_library as unknown
"""
UNSIZED: Final = """
rng = np.random.default_rng(0)
session = tg.Session(scope.graph)
def feed(value: Any, dtype, *dims):
    placeholder = core.Placeholder.create(scope, dtype, dims)
    return session.run(placeholder, {placeholder: value})
mask = rng.random(10) < 0.5
a = rng.random((10, 3))
b = a[mask]
n = int(rng.integers(2, 6))
words = [rng.integers(0, 3, int(rng.integers(1, 4))).tolist() for _ in range(4)]
counts = rng.integers(0, 5, 30)
sizes = session.run(core.Shape.create(scope, x), {x: np.zeros((4, 8), np.float32)})
F, D, I, L, B = tg.TFloat32, tg.TFloat64, tg.TInt32, tg.TInt64, tg.TBool
"""
"""Arrays whose sizes values tell, and a function that feeds."""
_EXPECTED: Final = re.compile(r"(?P<code>.*?)  # E: (?P<text>.*)")


def errors(folder: Path, sources: Mapping[str, str], main: str = "program") -> list[tuple[str, int, str]]:
    """The errors of a program of several modules: file, line and text of each."""
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    modules = {name: Module(name, str(folder / f"{name}.py")) for name in sources}
    found = dry_run(modules[main], modules.get).failures
    return [(Path(each.frames[0].file).stem, each.frames[0].line, str(each.error)) for each in found]


def differences(folder: Path, text: str) -> list[str]:
    """Where the errors of a program differ from its comments `# E: a part of the error`."""
    source = HEADER + text
    lines = source.split("\n")
    expected = {n: match["text"] for n, line in enumerate(lines, 1) if (match := _EXPECTED.fullmatch(line))}
    actual = {line: said for _, line, said in errors(folder, {"program": source})}
    wrong = [f"{lines[n - 1]}: nothing" for n in expected.keys() - actual.keys()]
    return wrong + [
        f"{lines[n - 1]}: {said}" for n, said in actual.items() if expected.get(n) is None or expected[n] not in said
    ]
