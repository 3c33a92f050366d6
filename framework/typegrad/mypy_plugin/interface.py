"""The plugin class, by which mypy asks for hooks.

Where every file is in mypy's cache, as for most runs in an editor, mypy asks for none, and the hooks are not imported.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.plugin import Plugin

import typegrad
from typegrad.mypy_plugin.values.program_files import asks_for_types, files_of, is_checked_always, read_in_place
from typegrad.mypy_plugin.values.sources import constants_of

if TYPE_CHECKING:
    from mypy.nodes import MypyFile
    from mypy.options import Options
    from mypy.plugin import (
        AnalyzeTypeContext,
        AttributeContext,
        FunctionContext,
        FunctionSigContext,
        MethodContext,
        MethodSigContext,
        ReportConfigContext,
    )
    from mypy.types import CallableType, Type

    from typegrad.mypy_plugin.hooks import Hooks

__all__ = ["TypegradPlugin"]

import_module("typegrad.mypy_plugin.base.codes")  # states the error codes, by which mypy repeats what its cache holds


_PREFIX: Final = "typegrad."
_YOUNG: Final = 2_000_000
"""How many new objects there are before Python looks for cycles among them: ten times as many as mypy sets.

NumPy, typegrad and a program of some thousand lines stay below that, and a search among so many takes a second.
"""


class TypegradPlugin(Plugin):
    """Static shapes and element types for the operations of typegrad and of users' registries."""

    def __init__(self, options: Options) -> None:
        """Read the files that mypy reads, with its option `shadow_file`."""
        super().__init__(options)
        read_in_place((path, shadow) for path, shadow in options.shadow_file or ())

    @cached_property
    def _hooks(self) -> Hooks:
        gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])  # nearly all objects of mypy and the plugin live to the end
        from typegrad.mypy_plugin.hooks import Hooks

        return Hooks(self.lookup_fully_qualified, lambda: self._modules or {})

    def report_config_data(self, ctx: ReportConfigContext) -> str | None:
        """A value that invalidates mypy's cache when the plugin changes, a constant, or a file of the same program."""
        if ctx.path.endswith(".pyi"):
            return None
        constants, files = sorted(constants_of(ctx.path).items()), files_of(ctx.path)
        is_open = asks_for_types(ctx.path, files) or (is_checked_always(ctx.path) and not ctx.is_check)
        always = f"checked {ctx.is_check}" if is_open else ""  # so that it never is what the cache has
        return " ".join([_state_of_sources(), *(str(each) for each in (constants, files, always) if each)])

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Return no dependencies, but let the hooks forget what they know, since `file` was read again.

        This is where a notebook's names that are defined anew can still get names of their own.
        """
        self._hooks.forget()
        self._hooks.separate(file)
        return []

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """The hook for an annotation."""
        return self._hooks.of_type(fullname) if fullname.startswith(_PREFIX) else None  # it is asked of each name

    def get_function_signature_hook(self, fullname: str) -> Callable[[FunctionSigContext], CallableType] | None:
        """The hook for the signature of a function or class."""
        return self._hooks.of_function_signature(fullname)

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """The hook for the result of a function or class."""
        return self._hooks.of_function(fullname)

    def get_method_signature_hook(self, fullname: str) -> Callable[[MethodSigContext], CallableType] | None:
        """The hook for the signature of a method."""
        return self._hooks.of_method_signature(fullname)

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """The hook for the result of a method."""
        return self._hooks.of_method(fullname)

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """The hook for an attribute."""
        return self._hooks.of_attribute(fullname)


@cache
def _state_of_sources() -> str:
    """A digest of the package's files."""
    files = sorted(_files_below(str(Path(typegrad.__file__).parent)))
    return sha256(repr(files).encode()).hexdigest()


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    """The path, the size and the time of each Python file in a folder; faster than `Path.rglob`."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                stat = entry.stat()
                yield entry.path, stat.st_size, stat.st_mtime_ns
            elif entry.is_dir():
                yield from _files_below(entry.path)
