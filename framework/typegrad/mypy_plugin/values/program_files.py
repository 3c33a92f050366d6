"""The files of a program: mypy checks a file again when one that its program is made of has changed.

mypy itself does so only when the types change that the file offers. What a dry run finds depends on all of its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

__all__ = ["files_of"]

_IMPORT: Final = re.compile(
    rb"^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b([^#\n]*)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_NAME: Final = re.compile(rb"[\w.]+")
_OWN: Final = b"typegrad"
_LARGEST: Final = 10**6
"""The size of a file up to which it is read."""
_FOREIGN: Final = ("site-packages", "dist-packages", "typeshed")


def files_of(path: str) -> list[tuple[str, int, int]]:
    """The files that a file with typegrad in it imports, directly or not: path, time and size of each."""
    if not path.endswith(".py") or any(part in path for part in _FOREIGN) or _OWN not in _text(path):
        return []
    found: dict[str, None] = {}
    waiting = [path]
    while waiting:
        for each in _imports(waiting.pop()):
            if each not in found and each != path:
                found[each] = None
                waiting.append(each)
    return sorted((each, stat.st_mtime_ns, stat.st_size) for each in found for stat in [Path(each).stat()])


def _text(path: str) -> bytes:
    try:
        stat = Path(path).stat()
        return _read(path, stat.st_mtime_ns) if stat.st_size < _LARGEST else b""
    except OSError:
        return b""


@lru_cache(maxsize=1024)
def _read(path: str, changed: int) -> bytes:
    del changed
    return Path(path).read_bytes()


def _imports(path: str) -> Iterator[str]:
    """The files that a file imports from its own folder, and from those above it."""
    folders = [each.parent for each in (Path(path), *Path(path).parents[:-1])]
    for dots, module, names, modules in _IMPORT.findall(_text(path)):
        places = folders[len(dots) - 1 : len(dots)] if dots else folders
        for name in [module, *(module + b"." + each for each in _NAME.findall(names))] if dots or module else []:
            yield from _found(places, name.decode().strip("."))
        for name in _NAME.findall(modules):
            yield from _found(folders, name.decode())


def _found(folders: list[Path], module: str) -> Iterator[str]:
    """The file of a module in the first of these folders that has it."""
    relative = module.replace(".", "/")
    for folder in folders if relative else ():
        for file in (folder / f"{relative}.py", folder / relative / "__init__.py"):
            if file.is_file():
                yield str(file)
                return
