"""What is generated for one small entry, and its signatures."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from typegrad_codegen.load import load
from typegrad_codegen.render import render

__all__ = ["functions", "rendered", "returned", "signatures"]

_HEAD: Final = "One:\n  group: demo\n  summary: Do one thing.\n"
_TAIL: Final = "  examples:\n    - doc: None.\n"


def rendered(folder: Path, body: str) -> dict[str, str]:
    """The generated files for one operation with this entry."""
    (folder / "ops").mkdir()
    (folder / "ops" / "demo.yaml").write_text(_HEAD + body + ("" if "examples:" in body else _TAIL))
    return render(load(folder / "ops", package="lib.op"), "lib.op")


def functions(text: str) -> list[ast.FunctionDef]:
    """Every function and method of a module."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]


def returned(function: ast.FunctionDef) -> str:
    """What a function returns, as source."""
    last = function.body[-1]
    return ast.unparse(last.value) if isinstance(last, ast.Return) and last.value is not None else ""


def signatures(text: str, name: str) -> list[str]:
    """The forms of a function: its overloads, or else the function itself."""
    matches = [node for node in functions(text) if node.name == name]
    overloads = [node for node in matches if "overload" in map(ast.unparse, node.decorator_list)]
    return [f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns or node)}" for node in overloads or matches]
