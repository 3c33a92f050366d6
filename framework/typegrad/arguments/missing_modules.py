"""Modules that do not exist: what the error of `import typegrad.optimizers` says to write instead.

A finder behind all others is asked for what none of them has found.
"""

from __future__ import annotations

import sys
from pkgutil import iter_modules
from types import FrameType, ModuleType
from typing import Final

from typegrad.base.location import frame
from typegrad.base.misspelt import nearest

__all__ = ["explain_missing_modules", "module_remedy"]

_OF_IMPORTS: Final = "_find_and_load_unlocked"
"""The function of Python's import system that looks for a module in order to import it."""
_SAME: Final = 0.8
"""How alike names are of which one is the other's plural, such as `ops` and `op`."""


def explain_missing_modules(package: str) -> None:
    """Let a failing import of a module below `package` say what to write instead."""
    sys.meta_path.append(_Finder(package))


class _Finder:
    """Finds nothing, and raises where Python would say no more than that there is no such module."""

    def __init__(self, package: str) -> None:
        self._inside = f"{package}."

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Refuse to import a module of this name; `importlib.util.find_spec` still gets None, as it only asks."""
        if name.startswith(self._inside) and _is_import(frame(2)):
            raise ModuleNotFoundError(f"No module named {name!r}{module_remedy(name)}", name=name)


def _is_import(asking: FrameType) -> bool:
    return asking.f_code.co_name == _OF_IMPORTS


def module_remedy(name: str) -> str:
    """What to write instead of the import of a module, whose package is imported, after a punctuation mark.

    It is empty where nothing is like the name.
    """
    package, _dot, last = name.rpartition(".")
    if last.startswith("_"):
        return ""
    offered = getattr(sys.modules[package], last, None)
    if offered is None:
        from typegrad.arguments.elsewhere import remedy

        modules = [module.name for module in iter_modules(sys.modules[package].__path__)]
        module = None if "." in package else nearest(last, modules, _SAME)
        return f"; did you mean `{package}.{module}`?" if module else remedy(package, last, modules)
    if not isinstance(offered, ModuleType):
        return f"; it is no module: write `from {package} import {last}`"
    return f"; write `from {offered.__name__} import ...`, or `from {package} import {last}`"
