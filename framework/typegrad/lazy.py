"""Modules whose names are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy"]


def lazy(package: str, targets: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for module `package`, by PEP 562.

    `targets` says where each name comes from: "package.module:name", or "package.module" for a module. A name that was used
    once is an ordinary name of the module.
    """

    def __getattr__(name: str) -> Any:
        if name not in targets:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = targets[name].partition(":")
        found: Any = import_module(module)
        found = getattr(found, attribute) if attribute else found
        setattr(sys.modules[package], name, found)
        return found

    def __dir__() -> list[str]:
        return sorted(targets)

    return __getattr__, __dir__
