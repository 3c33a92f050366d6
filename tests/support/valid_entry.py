"""A valid registry entry for tests to break, and the problems of a registry."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from typegrad_codegen.load import load
from typegrad_codegen.problems import RegistryError

__all__ = ["VALID", "errors", "mistakes"]

VALID: Final = """\
Blend:
  group: demo
  summary: Mix two arrays.
  types:
    T: [floating, int32]
  inputs:
    a: {type: T, doc: The first array.}
    b: {type: T, doc: The second array.}
  attrs:
    mode: {type: string, default: linear, allowed: [linear, cubic], doc: How to mix.}
    order: {type: int, default: 1, minimum: 0, doc: How smooth the mixture is.}
  outputs:
    mixed: {type: T, doc: The mixture.}
  shape: broadcast(a, b)
  gradient: {a: rule, b: stop}
  examples:
    - inputs: {a: 1.0, b: 2.0}
      outputs: {mixed: 1.5}
"""


def errors(folder: Path, **files: str) -> list[str]:
    """The problems of a registry with these files."""
    ops = folder / "ops"
    ops.mkdir()
    for name, text in files.items():
        (ops / f"{name}.yaml").write_text(text)
    try:
        load(ops, package="lib.op")
    except RegistryError as error:
        return str(error).splitlines()
    return []


def mistakes(folder: Path, library: Path, old: str, new: str) -> list[str]:
    """The errors of the valid entry in which `new` replaces `old`; {library} in them is the folder of the functions."""
    assert VALID.count(old) == 1
    lines = errors(folder, demo=VALID.replace(old, new))
    return [line.removeprefix("ops/").replace(str(library), "{library}") for line in lines]
