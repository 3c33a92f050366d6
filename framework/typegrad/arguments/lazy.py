"""Packages whose names are imported when they are first used."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from typegrad.arguments.unknown import UncallableModule, unknown_name
from typegrad.base.location import frame

__all__ = ["lazy"]


def lazy(
    package: str,
    modules: Mapping[str, str],
    prepare: Callable[[Any], Any] = lambda member: member,
    import_others: Callable[[], None] = lambda: None,
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make `__getattr__` and `__dir__` for a package, by PEP 562.

    `modules` says which of the package's modules defines each name, or, by a path with dots, which module elsewhere.
    Where the name is itself a module, it is "", or its package with a dot behind it. A name that was used once is an
    ordinary name of the package. `prepare` makes what the package offers of what the module defines.
    `import_others` is called for a name that is not in `modules`; it may make it one of the package.
    """

    def __getattr__(name: str) -> Any:
        if name == "__all__":  # for `from package import *`, which leaves Python's `print` alone
            offered = {*dir(sys.modules[package]), *modules}  # as type checkers take them
            return [each for each in offered if not each.startswith("_") and each not in vars(builtins)]
        if name not in modules:
            import_others()
            if name in vars(sys.modules[package]):
                return vars(sys.modules[package])[name]
            unknown_name(package, name, modules, frame(1))
        home = modules[name]
        is_module = not home or home.endswith(".")
        path = f"{home or package + '.'}{name}" if is_module else home
        module = import_module(path if "." in path else f"{package}.{path}")
        if module.__name__.startswith(f"{package}."):
            UncallableModule.claim(module, modules)
        value = module if is_module else prepare(getattr(module, name))
        setattr(sys.modules[package], name, value)
        return value

    def __dir__() -> list[str]:
        return sorted(modules)

    return __getattr__, __dir__
