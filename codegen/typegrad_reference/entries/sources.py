"""Where functions are defined, and the pages that show source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, final

from attrs import frozen

from typegrad_codegen.bundled import project_file
from typegrad_codegen.schema import Entry

__all__ = ["Place", "Sources", "in_registry"]

_ROOTS: Final = {"typegrad": "framework", "typegrad_codegen": "codegen", "typegrad_reference": "codegen"}
"""The source roots of the project's packages."""
_LANGUAGES: Final = {".py": "python", ".yaml": "yaml"}


@frozen
class Place:
    """Lines of a file."""

    file: str
    """The path in the project: "framework/typegrad/kernels/matmul.py"."""
    name: str
    """As it is shown: "typegrad/kernels/matmul.py"."""
    first: int
    last: int

    @property
    def label(self) -> str:
        """File and line."""
        return f"{self.name}:{self.first}"


@final
class Sources:
    """The source files that pages link to. Each that is asked for gets a page."""

    def __init__(self) -> None:
        self._files: dict[str, Path] = {}

    def page(self, file: str) -> str:
        """The address of the page that shows a file of the project."""
        self._files.setdefault(file, project_file(file))
        return f"source/{file}.html"

    def has(self, file: str) -> bool:
        """Whether there is a file that can be shown."""
        path = project_file(file)
        return path.is_file() and path.suffix in _LANGUAGES

    def linked(self) -> dict[str, Path]:
        """The files that pages link to, by their paths in the project."""
        return dict(sorted(self._files.items()))

    def entry(self, op: Entry, last: int) -> Place:
        """An entry, down to line `last` of its file."""
        file = in_registry(op, op.path.name)
        self._files.setdefault(file, op.path)
        return Place(file, file, op.line, last)

    def function(self, path: str) -> Place:
        """Where a function, class or constant is defined: "typegrad.kernels.matmul:mat_mul"."""
        module, _, name = path.partition(":")
        lines = _definitions(module).get(name)
        if isinstance(lines, str):
            return self.function(lines)
        if lines is None:
            raise LookupError(f"{path} is nowhere in the source of {module}")
        return self._place(module, *lines)

    def text(self, place: Place) -> str:
        """The lines of a place."""
        rows = self._files[place.file].read_text(encoding="utf-8").splitlines()
        return "\n".join(rows[place.first - 1 : place.last]) + "\n"

    def _place(self, module: str, first: int, last: int) -> Place:
        path = _file(module)
        package = module.partition(".")[0]
        name = module.replace(".", "/") + ("/__init__.py" if path.name == "__init__.py" else ".py")
        file = f"{_ROOTS[package]}/{name}" if package in _ROOTS else name
        self._files.setdefault(file, path)
        return Place(file, name, first, last)


def in_registry(op: Entry, file: str) -> str:
    """The name of a registry file: "ops/matmul.yaml", or for another package "acme/registry/matmul.yaml"."""
    return f"ops/{file}" if op.is_typegrad else f"{op.package.partition('.')[0]}/{op.path.parent.name}/{file}"


@cache
def _file(module: str) -> Path:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {module}")
    return Path(spec.origin)


@cache
def _definitions(module: str) -> dict[str, tuple[int, int] | str]:
    """The lines of each name that a module defines; for one that it imports, where from."""
    definitions: dict[str, tuple[int, int] | str] = {}
    for node in _statements(ast.parse(_file(module).read_text(encoding="utf-8")).body):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            # Overloads precede the implementation: the place starts at the first of them.
            before = definitions.get(node.name)
            start = before[0] if isinstance(before, tuple) else first
            definitions[node.name] = (start, node.end_lineno or node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {alias.asname or alias.name: alias.name for alias in node.names}
            if "*" in names:
                names = {name: name for name in _definitions(node.module)}
            definitions.update({name: f"{node.module}:{original}" for name, original in names.items()})
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            lines = (node.lineno, node.end_lineno or node.lineno)
            definitions.update({target.id: lines for target in targets if isinstance(target, ast.Name)})
    return definitions


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those in branches included."""
    for node in body:
        if isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])
        else:
            yield node
