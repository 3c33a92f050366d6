"""The programs among the files to check: one has no two modules of one name, such as `a/train.py` and `b/train.py`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from io import StringIO
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy.modulefinder import BuildSource

__all__ = ["programs_in"]

_ENDINGS: Final = (".py", ".pyi")
_PASSED_OVER: Final = ("__pycache__", "node_modules", "site-packages")
"""The folders that mypy does not look into."""


def programs_in(settings: Path, arguments: Sequence[str]) -> list[list[str]]:
    """The arguments of mypy for each program: those given, unless modules of one name are in several folders.

    Then the modules of each folder are a program, as they find each other when one of them is run.
    """
    files = list(takewhile(lambda each: not each.startswith("-"), arguments))
    alike = Counter(map(_name, _modules(files)))
    sources = _sources(settings, arguments) if max(alike.values(), default=0) > 1 else []
    names = Counter(each.module for each in sources)
    if max(names.values(), default=0) < 2 or not all(each.path and each.base_dir for each in sources):
        return [list(arguments)]
    paths: dict[str, list[str]] = {}
    for each in sources:
        paths.setdefault(str(each.base_dir), []).append(str(each.path))
    return [[*each, *arguments[len(files) :]] for each in paths.values()]


def _modules(files: Sequence[str]) -> Iterator[Path]:
    """The files of Python among these, and in the folders among them."""
    for file in files:
        if not Path(file).is_dir():
            yield Path(file)
        for folder, folders, names in os.walk(file):
            folders[:] = [each for each in folders if not each.startswith(".") and each not in _PASSED_OVER]
            yield from (Path(folder, each) for each in names if each.endswith(_ENDINGS))


def _name(file: Path) -> tuple[str, ...]:
    """The name of a module by the packages that it is in, unless settings say otherwise; a stub has another one."""
    own = () if file.stem == "__init__" else (file.name,)
    return *_package(file.resolve().parent), *own


@cache
def _package(folder: Path) -> tuple[str, ...]:
    is_package = any(Path(folder, f"__init__{each}").exists() for each in _ENDINGS)
    return (*_package(folder.parent), folder.name) if is_package else ()


def _sources(settings: Path, arguments: Sequence[str]) -> list[BuildSource]:
    """The modules that mypy would check; none if it would end with an error, which it tells then."""
    from mypy.main import process_options  # for few projects

    try:
        sources, _ = process_options(["--config-file", str(settings), *arguments], stdout=StringIO(), stderr=StringIO())
    except SystemExit:
        return []
    return sources
