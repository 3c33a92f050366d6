"""From mypy's symbols to the definitions of operations, also of users' own registries."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final, cast

from attrs import frozen
from mypy.checker import TypeChecker
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from typegrad.graph.definition import OpDef

__all__ = ["MARK", "Definition", "definition_of", "functions_of"]

MARK: Final = "__typegrad_generated__"
"""The name that every generated module defines."""


@frozen(slots=False, eq=False)
class Definition:
    """An operation's definition and the defaults of the arguments of `create`."""

    op: OpDef
    defaults: Mapping[str, Any]

    @cached_property
    def fixed_types(self) -> frozenset[str]:
        """The type attributes that inputs fix."""
        return frozenset(spec.type for spec in self.op.inputs if isinstance(spec.type, str))

    @cached_property
    def _mixed_types(self) -> frozenset[str]:
        """The type attributes that stand for a list of types, which no type parameter can."""
        return frozenset(spec.type for spec in self.op.inputs if spec.kind == "mixed" and isinstance(spec.type, str))

    @cached_property
    def output_types(self) -> tuple[str, ...]:
        """The type attributes that are parameters of the wrapper class."""
        used = {output.type for output in self.op.outputs} - self._mixed_types
        return tuple(name for name in self.op.types if name in used)

    @cached_property
    def shaped_outputs(self) -> tuple[int, ...]:
        """The outputs whose shape is a parameter of the wrapper class, after the types."""
        outputs = enumerate(self.op.outputs)
        return tuple(position for position, output in outputs if output.type not in self._mixed_types)


def definition_of(api: CheckerPluginInterface, result: Type) -> Definition | None:
    """The definition behind the wrapper class that a call returns, or None if it is no wrapper class."""
    proper = get_proper_type(result)
    if not isinstance(proper, Instance):
        return None
    module = proper.type.module_name
    tree = cast("TypeChecker", api).modules.get(module)
    if tree is None or MARK not in tree.names or "DEF" not in tree.names:
        return None
    return _load(module, proper.type.name, tree.path)


@cache
def _load(module: str, class_name: str, path: str) -> Definition | None:
    # A registry of the user's own may fail to import for any reason; then its operations have the shapes mypy gives them.
    with suppress(Exception):
        imported = _imported(module, path)
        definition = imported.DEF
        if isinstance(definition, OpDef) and definition.class_name == class_name:
            parameters = inspect.signature(getattr(imported, class_name).create).parameters.values()
            return Definition(definition, {each.name: each.default for each in parameters})
    return None


@cache
def functions_of(module: str, path: str) -> Mapping[str, str]:
    """What a module of the facade calls, by method, where that is no operation: import paths of functions."""
    with suppress(Exception):  # as for operations
        found: Mapping[str, str] = _imported(module, path)._FUNCTIONS
        return found
    return {}


def _imported(module: str, path: str) -> Any:
    """Import a module that mypy has found, with its source root on the path if Python does not find it itself."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        root = str(Path(path).resolve().parents[module.count(".")])
        sys.path.append(root)
        try:
            return import_module(module)
        finally:
            sys.path.remove(root)
