"""The files of a program: mypy checks a file again when one that its program is made of has changed.

mypy itself does so only when the types change that the file offers. What a dry run finds depends on all of its text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import typegrad

__all__ = ["asks_for_types", "files_of", "imported_by", "is_own", "text_of_file", "tree_of_file"]

_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b([^#\n]*)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_NAME: Final = re.compile(rb"[\w.]+")
_LIBRARY: Final = b"typegrad"
_ASKS: Final = b"reveal_type("
_OWN: Final = str(Path(typegrad.__file__).parent)
_FOREIGN: Final = (_OWN, "site-packages", "dist-packages", "typeshed")
_LARGEST: Final = 10**6
"""The size of a file up to which it is read."""
_LEVELS: Final = 4
"""In how many folders, from the file's own one upwards, a module is looked for."""
_MOST: Final = 100
"""How many files of a program are followed."""


def files_of(path: str) -> list[tuple[str, int, int]]:
    """The files that a file with typegrad in it imports, directly or not: path, time and size of each."""
    if not is_own(path) or _LIBRARY not in text_of_file(path):
        return []
    return sorted((each, stat.st_mtime_ns, stat.st_size) for each in imported_by(path) for stat in [Path(each).stat()])


def imported_by(path: str) -> Collection[str]:
    """The files that a file imports, directly or not."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting and len(found) < _MOST:
        file = waiting.pop()
        new = [each for each in _imports(file, _changed(file)) if each not in found and each != path and is_own(each)]
        found.update(dict.fromkeys(new))
        waiting += new
    return found


def asks_for_types(path: str, files: Iterable[tuple[str, int, int]]) -> bool:
    """Whether a file or one of those of its program has `reveal_type`: all programs that use the file answer that."""
    return (is_own(path) and _ASKS in text_of_file(path)) or any(_asks(file, changed) for file, changed, _ in files)


@cache
def _asks(path: str, changed: int) -> bool:
    del changed
    return _ASKS in text_of_file(path)


def is_own(path: str) -> bool:
    """Whether a file may be of a user's program."""
    return path.endswith(".py") and not any(part in path for part in _FOREIGN)


def text_of_file(path: str) -> bytes:
    """The text of a file; none of one that is very large or cannot be read."""
    try:
        return Path(path).read_bytes() if Path(path).stat().st_size < _LARGEST else b""
    except OSError:
        return b""


def tree_of_file(path: str) -> ast.Module | None:
    """The syntax tree of a file as it is on disk; None if it has none."""
    return _parsed(path, _changed(path))


def _changed(path: str) -> int:
    """When a file was changed, in nanoseconds; 0 for one that is in an editor alone."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=256)
def _parsed(path: str, changed: int) -> ast.Module | None:
    del changed
    try:
        return ast.parse(text_of_file(path))
    except (SyntaxError, ValueError):
        return None


@cache
def _imports(path: str, changed: int) -> list[str]:
    """The files that a file imports from its own folder, and from those above it."""
    del changed
    folders = list(Path(path).parents[:_LEVELS])
    result: list[str | None] = []
    for dots, module, names, modules in _IMPORT.findall(text_of_file(path)):
        places = folders[len(dots) - 1 : len(dots)] if dots else folders
        if dots or module:
            parts = [module, *(module + b"." + each for each in _NAME.findall(names))]
            result += [_file_of(places, each.decode().strip(".")) for each in parts]
        result += [_file_of(folders, each.decode()) for each in _NAME.findall(modules)]
    return [each for each in dict.fromkeys(result) if each is not None]


def _file_of(folders: list[Path], module: str) -> str | None:
    """The file of a module in the first of these folders that has it."""
    relative = module.replace(".", "/")
    files = ((folder / f"{relative}.py", folder / relative / "__init__.py") for folder in folders if relative)
    return next((str(file) for pair in files for file in pair if file.is_file()), None)
