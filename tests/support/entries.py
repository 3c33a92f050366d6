"""The entries of the registry, read by the code generator."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from typegrad_codegen.load import parsed, with_functions
from typegrad_codegen.schema import Entry

OPS: Final = Path(__file__).parents[2] / "ops"


@cache
def entries() -> dict[str, Entry]:
    """Every entry by the operation's name."""
    return {op.name: with_functions(op) for op in parsed(OPS)}
