"""Finding the functions that entries name, without running any code.

Modules are parsed, not imported: a gradient function's module imports the very wrappers that are about to be generated.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from attrs import frozen

__all__ = ["Found", "find", "places"]


@frozen
class Found:
    """A function's import path, and its definition where it is written as a `def`."""

    path: str
    definition: ast.FunctionDef | None


def places(name: str, kind: str, stem: str, root: str) -> list[str]:
    """The import paths at which function `name` of an entry in file `stem` may be, first choice first.

    `kind` is "kernels", "shapes", "gradients" or "defaults"; `root` is the package that holds the modules of these kinds.
    """
    module, _, function = name.rpartition(":")
    if "." in module:
        return [name]
    above = f"{root}.{kind}" if root else kind
    own = [above] if kind == "defaults" else [f"{above}.{module or stem}"]
    shared = {"shapes": "typegrad.shapes.common", "defaults": "typegrad.defaults"}
    if not module and kind in shared:
        own.append(shared[kind])
    if module:
        own.append(module)
    return list(dict.fromkeys(f"{place}:{function}" for place in own))


def find(paths: Iterable[str]) -> Found | None:
    """The first of these functions that exists. A `SyntaxError` if a module on the way is not valid Python."""
    for path in paths:
        module, _, name = path.partition(":")
        names = _top_level(module)
        if name in names:
            return Found(path, names[name])
    return None


@cache
def _top_level(module: str) -> dict[str, ast.FunctionDef | None]:
    """The names that a module's source defines."""
    file = _source(module)
    if file is None:
        return {}
    return dict(_definitions(ast.parse(file.read_text(encoding="utf-8"), str(file)).body))


def _definitions(body: list[ast.stmt]) -> Iterator[tuple[str, ast.FunctionDef | None]]:
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name, statement
        elif isinstance(statement, ast.ClassDef):
            yield statement.name, None
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from (((alias.asname or alias.name), None) for alias in statement.names)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            names = (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
            yield from ((name, None) for name in names)
        elif isinstance(statement, (ast.If, ast.Try)):
            yield from _definitions([*statement.body, *statement.orelse])


def _source(module: str) -> Path | None:
    """The source file of a module, found as `import` would, but without running the packages above it."""
    path: list[str] | None = None
    spec: ModuleSpec | None = None
    parts = module.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    for depth in range(len(parts)):
        spec = _spec(".".join(parts[: depth + 1]), path)
        if spec is None:
            return None
        path = list(spec.submodule_search_locations or ())
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def _spec(name: str, path: list[str] | None) -> ModuleSpec | None:
    for finder in sys.meta_path:
        spec = finder.find_spec(name, path)
        if spec is not None:
            return spec
    # A console script has no current folder on its path, but a user's own registry names functions beside it.
    return PathFinder.find_spec(name, [str(Path.cwd())]) if path is None else None
