"""Packages whose names are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from typegrad.arguments.unknown import unknown_name

__all__ = ["lazy"]


def lazy(
    package: str, modules: Mapping[str, str], prepare: Callable[[Any], Any] = lambda found: found
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` for a package, by PEP 562.

    `modules` says which of the package's modules defines each name, or, by a path with dots, which module elsewhere. Where the name is
    itself a module, it is "", or its package with a dot behind it. A name that was used once is an ordinary name of the package.
    `prepare` makes what the package offers of what the module defines.
    """

    def __getattr__(name: str) -> Any:
        if name not in modules:
            unknown_name(package, name, modules, sys._getframe(1))
        home = modules[name]
        if not home or home.endswith("."):
            found = import_module(f"{home or package + '.'}{name}")
        else:
            found = prepare(getattr(import_module(home if "." in home else f"{package}.{home}"), name))
        setattr(sys.modules[package], name, found)
        return found

    def __dir__() -> list[str]:
        return sorted(modules)

    return __getattr__, __dir__
