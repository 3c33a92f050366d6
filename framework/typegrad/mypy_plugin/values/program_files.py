"""The files of a program: mypy checks a file again when one that its program is made of has changed.

mypy itself does so only when the types change that the file offers. What a dry run finds depends on all of its text.

An editor may hold another text than the one on disk, and a notebook is no program as it is on disk: mypy reads other
files in their place, and so does the plugin.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from zlib import crc32

import typegrad

__all__ = [
    "asks_for_types", "changed", "check_always", "file_read", "files_of", "imported_by", "is_checked_always", "is_own",
    "read_in_place", "text_of_file", "tree_of_file", "uses_library",
]  # fmt: skip

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

_shadows: Final[dict[str, str]] = {}
"""The files that are read in the place of others."""

_checked_always: Final = set[str]()


def read_in_place(shadows: Iterable[tuple[str, str]]) -> None:
    """Tell which files are read in the place of others, which need not exist."""
    _shadows.clear()
    _shadows.update({os.path.realpath(path): shadow for path, shadow in shadows})


def file_read(path: str) -> str:
    """The file that has the text of a file."""
    return _shadows.get(os.path.realpath(path), path) if _shadows else path


def files_of(path: str) -> list[tuple[str, int, int]]:
    """The files that a file imports, directly or not: path, `changed` and size of each; none if it has no typegrad."""
    if not uses_library(path):
        return []
    return sorted((each, changed(each), Path(file_read(each)).stat().st_size) for each in imported_by(path))


def uses_library(path: str) -> bool:
    """Whether a file of a user's program, or one that it imports, names typegrad."""
    if not is_own(path):
        return False
    return _LIBRARY in text_of_file(path) or any(_has_library(each, changed(each)) for each in imported_by(path))


def imported_by(path: str) -> Collection[str]:
    """The files that a file imports, directly or not."""
    found: dict[str, None] = {}
    waiting = [path]
    while waiting and len(found) < _MOST:
        file = waiting.pop()
        new = [each for each in _imports(file, changed(file)) if each not in found and each != path and is_own(each)]
        found.update(dict.fromkeys(new))
        waiting += new
    return found


def asks_for_types(path: str, files: Iterable[tuple[str, int, int]]) -> bool:
    """Whether a file or one of those of its program has `reveal_type`: all programs that use the file answer that."""
    return (is_own(path) and _ASKS in text_of_file(path)) or any(_asks(file, when) for file, when, _ in files)


def check_always(path: str, *, is_needed: bool) -> None:
    """Have mypy check a file in its next run, too, if what is told in it depends on files that it does not import."""
    _checked_always.discard(path)
    if is_needed:
        _checked_always.add(path)


def is_checked_always(path: str) -> bool:
    """Whether mypy is to check a file that has not changed."""
    return path in _checked_always


@cache
def _has_library(path: str, when: int) -> bool:
    del when
    return _LIBRARY in text_of_file(path)


@cache
def _asks(path: str, when: int) -> bool:
    del when
    return _ASKS in text_of_file(path)


def is_own(path: str) -> bool:
    """Whether a file may be of a user's program. One whose text is elsewhere may have any name."""
    is_python = path.endswith(".py") or file_read(path) != path
    return is_python and not any(part in path for part in _FOREIGN)


def text_of_file(path: str) -> bytes:
    """The text of a file; none of one that is very large or cannot be read."""
    file = Path(file_read(path))
    try:
        return file.read_bytes() if file.stat().st_size < _LARGEST else b""
    except OSError:
        return b""


def tree_of_file(path: str) -> ast.Module | None:
    """The syntax tree of a file; None if it has none."""
    return _parsed(path, changed(path))


def changed(path: str) -> int:
    """A number that is another one when the text of a file is: its time, if that is not read in another place."""
    if file_read(path) != path:  # a file that is as old as this check
        return crc32(text_of_file(path))
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=256)
def _parsed(path: str, when: int) -> ast.Module | None:
    del when
    try:
        return ast.parse(text_of_file(path))
    except (SyntaxError, ValueError):
        return None


@cache
def _imports(path: str, when: int) -> list[str]:
    """The files that a file imports from its own folder, and from those above it."""
    del when
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
    return next((str(file) for pair in files for file in pair if _exists(file)), None)


def _exists(file: Path) -> bool:
    return file.is_file() or file_read(str(file)) != str(file)
