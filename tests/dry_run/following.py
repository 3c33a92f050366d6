"""Follow programs, and compare their errors with the comments in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from typegrad.dry_run.program import Module, dry_run

__all__ = ["HEADER", "differences", "errors"]

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
    lines = source.splitlines()
    expected = {n: match["text"] for n, line in enumerate(lines, 1) if (match := _EXPECTED.fullmatch(line))}
    actual = {line: said for _, line, said in errors(folder, {"program": source})}
    wrong = [f"{lines[n - 1]}: nothing" for n in expected.keys() - actual.keys()]
    return wrong + [
        f"{lines[n - 1]}: {said}" for n, said in actual.items() if expected.get(n) is None or expected[n] not in said
    ]
