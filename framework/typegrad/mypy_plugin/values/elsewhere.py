"""The names of a module that other files of the program assign: `config.WIDTH = 4`, `setattr(config, name, value)`.

mypy may have read these files from its cache, which holds no statements, so their texts are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from mypy.nodes import MypyFile

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.values.program_files import changed, imported_by, is_own, text_of_file

__all__ = ["ANY", "assigned_elsewhere", "read_from", "reading"]

ANY: Final = "*"
"""Any name."""
_ASSIGNMENT: Final = re.compile(
    rb"""^[ \t]*((?:[\w.,\[\]'" \t]+?(?::[^=\n]+)?(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)[ \t]*)+)""", re.MULTILINE
)
"""The targets of an assignment."""
_TARGET: Final = re.compile(rb"(?<![\w.])(?!self\.|cls\.)\w[\w.]*\.(\w+)")
_CALL: Final = re.compile(rb"\b(?:setattr|delattr|patch(?:\.object|\.multiple)?)\(\s*((?:[^()]|\([^()]*\))*)\)")
"""What assigns attributes by their names."""
_TEXT: Final = re.compile(rb"""["'](?:[\w.]*\.)?(\w+)["']""")
_NAMESPACE: Final = re.compile(rb"(?:\bvars\(\s*|(?=[\w.]+\.__dict__))([\w.]+?)(?:\s*\)|\.__dict__)")
_OWNER: Final = re.compile(rb"(?!(?:self|cls)\b)[\w.]+")

_modules: list[Callable[[], Mapping[str, MypyFile]]] = []
_assigned: Final = Memory[str, frozenset[str]]()
_imported: Final = Memory[str, set[Path]]()
"""The files that each file imports, directly or not."""


def read_from(modules: Callable[[], Mapping[str, MypyFile]]) -> None:
    """Tell which modules mypy has read."""
    _modules[:] = [modules]


def assigned_elsewhere(module: str) -> frozenset[str]:
    """The names of a module, and of its classes, that other files may assign; `ANY` among them for all names."""
    if module not in _assigned:
        own = module.rpartition(".")[2]
        pairs = [pair for path in reading(module) for pair in _pairs(path)]
        # Of an object that is not the module, such as a configuration, nothing is known.
        _assigned[module] = frozenset(owner if name == ANY and owner != own else name for owner, name in pairs)
    return _assigned[module]


def reading(module: str) -> Iterator[str]:
    """The files of the program that import a module, directly or not."""
    files = {name: each.path for read in _modules for name, each in read().items() if is_own(each.path)}
    home = Path(files.get(module, "")).resolve()
    return (path for path in files.values() if home in _imported_by(path))


def _imported_by(path: str) -> set[Path]:
    if path not in _imported:
        _imported[path] = {Path(each).resolve() for each in imported_by(path)}
    return _imported[path]


def _pairs(path: str) -> frozenset[tuple[str, str]]:
    return _pairs_in(path, changed(path))


@lru_cache(maxsize=1024)
def _pairs_in(path: str, when: int) -> frozenset[tuple[str, str]]:
    """The attributes that a file assigns, with the last name of the module that they are of; "" for any owner."""
    del when
    text = text_of_file(path)
    names = {name for targets in _ASSIGNMENT.findall(text) for name in _TARGET.findall(targets)}
    owners = set(_NAMESPACE.findall(text))
    for arguments in _CALL.findall(text):
        given = _TEXT.findall(arguments)
        names.update(given)
        owners.update([] if given else [arguments.partition(b",")[0].strip()])
    opened = {_called(text, each) for each in owners if _OWNER.fullmatch(each)}
    return frozenset({("", each.decode()) for each in names} | {(each.decode(), ANY) for each in opened})


def _called(text: bytes, owner: bytes) -> bytes:
    """The last name of a module, also of `import config as cfg`."""
    name = owner.rpartition(b".")[2]
    found = re.search(rb"(\w+)\s+as\s+" + re.escape(name) + rb"\b", text)
    return name if found is None else found[1]
