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
from typing import Final, TypeAlias

from attrs import frozen

__all__ = ["Definitions", "Function", "definitions", "find", "find_function", "places"]

_Binding: TypeAlias = ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom | ast.expr
"""What gives a name its meaning; the value, if it is assigned."""

_OF_TYPES: Final = ("__future__", "collections.abc", "typing", "typing_extensions")
"""Modules whose names denote types, though some are written as functions."""


@frozen
class Function:
    """A function's import path, and its definition where this is a `def`, and no decorator may have changed it."""

    path: str
    definition: ast.FunctionDef | None


@frozen
class Definitions:
    """A function's overloads and its definition, with their module."""

    module: str
    nodes: tuple[ast.FunctionDef, ...]

    def home(self, name: str) -> str | None:
        """The module that the function's module imports `name` from; None where it is defined there, or a built-in."""
        bound = _top_level(self.module).get(name)
        return _absolute(self.module, bound) if isinstance(bound, ast.ImportFrom) else None


def definitions(path: str) -> Definitions:
    """Every `def` of the function at `path`, "module:function" or "module:Class.function"; imports are followed."""
    module, _, name = path.partition(":")
    first, _, rest = name.partition(".")
    bound = _bound(f"{module}:{first}")
    if isinstance(bound, ast.ImportFrom):
        return definitions(f"{_absolute(module, bound)}:{name}")
    file = _source(module)
    body = [] if file is None else ast.parse(file.read_bytes(), str(file)).body
    if rest:
        body = bound.body if isinstance(bound, ast.ClassDef) else []
    nodes = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == (rest or first)]
    return Definitions(module, tuple(nodes))


def places(name: str, kind: str, stem: str, root: str) -> list[str]:
    """The import paths at which function `name` of an entry in file `stem` may be, first choice first.

    `kind` is "kernels", "shapes", "rules" or "defaults"; `root` is the package that holds the modules of these kinds.
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


def find(paths: Iterable[str]) -> str | None:
    """The first of these names that a module defines. A `SyntaxError` if a module in a path is not valid Python."""
    return next((path for path in paths if _bound(path) is not None), None)


def find_function(paths: Iterable[str]) -> Function | None:
    """The first of these names that is a function, as far as the source tells. Raises the errors of `find`."""
    for path in paths:
        if _may_be_function(path, frozenset()):
            bound = _bound(path)
            return Function(path, bound if isinstance(bound, ast.FunctionDef) and not bound.decorator_list else None)
    return None


def _bound(path: str) -> _Binding | None:
    module, _, name = path.partition(":")
    return _top_level(module).get(name)


def _may_be_function(path: str, seen: frozenset[str]) -> bool:
    """Whether a name is a function or may be one: a `def`, an imported or assigned one, or an unknown value."""
    module, _, name = path.partition(":")
    bound = _bound(path)
    if path in seen:
        return False
    if isinstance(bound, ast.Name):
        return _may_be_function(f"{module}:{bound.id}", seen | {path})
    if isinstance(bound, ast.ImportFrom):
        home = _absolute(module, bound)
        original = next(alias.name for alias in bound.names if (alias.asname or alias.name) == name)
        if home in _OF_TYPES:
            return False
        if original in _top_level(home):
            return _may_be_function(f"{home}:{original}", seen | {path})
        is_unread = _source(home) is None or "*" in _top_level(home)
        return is_unread and _source(f"{home}.{original}") is None
    return isinstance(bound, (ast.FunctionDef, ast.Lambda, ast.Attribute)) or (
        isinstance(bound, ast.Call) and not ast.unparse(bound.func).endswith(("NewType", "ParamSpec", "TypeVar"))
    )


def _absolute(module: str, statement: ast.ImportFrom) -> str:
    """The module that a statement in `module` imports from."""
    file = _source(module)
    package = module if file is not None and file.name == "__init__.py" else module.rpartition(".")[0]
    above = package.split(".")[: max(0, len(package.split(".")) + 1 - statement.level)] if statement.level else []
    return ".".join([*above, *filter(None, [statement.module])])


@cache
def _top_level(module: str) -> dict[str, _Binding]:
    """The names that a module's source defines."""
    file = _source(module)
    return {} if file is None else dict(_definitions(ast.parse(file.read_bytes(), str(file)).body))


def _definitions(body: list[ast.stmt]) -> Iterator[tuple[str, _Binding]]:
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield statement.name, statement
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from ((alias.asname or alias.name, statement) for alias in statement.names)
        elif isinstance(statement, ast.Assign):
            names = (node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name))
            yield from ((name, statement.value) for name in names)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
            yield statement.target.id, statement.value
        elif isinstance(statement, (ast.If, ast.Try)):
            yield from _definitions([*statement.body, *statement.orelse])


def _source(module: str) -> Path | None:
    """The source file of a module, located as `import` does, but without running the packages above it."""
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
