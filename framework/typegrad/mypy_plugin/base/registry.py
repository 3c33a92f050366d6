"""The definitions of operations for mypy's symbols, a user's own registry included."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from attrs import frozen
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from typegrad.base.types import TType
from typegrad.graph.definition import OpDef
from typegrad.graph.operators import operation_of
from typegrad.mypy_plugin.base.checker import checker_of

__all__ = ["MARK", "Definition", "definition_in", "definition_of", "functions_of", "made_by"]

MARK: Final = "__typegrad_generated__"
"""The name that every generated module defines."""


@frozen(slots=False, eq=False)
class Definition:
    """An operation's definition and the defaults of the arguments of `create`."""

    op: OpDef
    defaults: Mapping[str, Any]

    @property
    def fullname(self) -> str:
        """The name of the wrapper class for type checkers, who see it in its group."""
        return f"{self.op.module.rpartition('.')[0]}.{self.op.class_name}"

    @cached_property
    def fixed_types(self) -> frozenset[str]:
        """The type attributes that inputs fix."""
        return frozenset(item.type for item in self.op.inputs if isinstance(item.type, str))

    @cached_property
    def _mixed_types(self) -> frozenset[str]:
        """The type attributes that hold a list of types, which a type parameter cannot."""
        return frozenset(item.type for item in self.op.inputs if item.kind == "mixed" and isinstance(item.type, str))

    @cached_property
    def output_types(self) -> tuple[str, ...]:
        """The type attributes that are parameters of the wrapper class."""
        used = {output.type for output in self.op.outputs} - self._mixed_types
        return tuple(name for name in self.op.types if name in used)

    @cached_property
    def shaped_outputs(self) -> tuple[int, ...]:
        """The positions of the outputs whose shape is a type parameter of the wrapper class."""
        outputs = enumerate(self.op.outputs)
        return tuple(position for position, output in outputs if output.type not in self._mixed_types)


def definition_of(api: CheckerPluginInterface, result: Type) -> Definition | None:
    """The definition of the wrapper class that a call returns; None for any other type."""
    proper = get_proper_type(result)
    if not isinstance(proper, Instance):
        return None
    module = proper.type.module_name
    tree = checker_of(api).modules.get(module)
    if tree is None or MARK not in tree.names:
        return None
    return _load(module, proper.type.name, tree.path)


def definition_in(operation: type[Any]) -> Definition:
    """The definition of one of typegrad's own wrapper classes."""
    definition = _load(operation.__module__, operation.__name__, "")
    assert definition is not None, operation
    return definition


def made_by(method: str, dtype: type[TType]) -> Definition:
    """The definition of the operation that an operator makes of operands of a type, by `__add__` or `__radd__`."""
    return definition_in(operation_of(method.strip("_").removeprefix("r"), dtype))


@cache
def _load(module: str, class_name: str, path: str) -> Definition | None:
    # A user's registry may fail to import for any reason; its operations then keep mypy's own types.
    with suppress(Exception):
        operation = getattr(_imported(module, path), class_name)
        definition = sys.modules[operation.__module__].DEF
        if isinstance(definition, OpDef) and definition.class_name == class_name:
            parameters = inspect.signature(operation.create).parameters.values()
            return Definition(definition, {each.name: each.default for each in parameters})
    return None


@cache
def functions_of(module: str, path: str) -> Mapping[str, str]:
    """The import paths of the functions that a module of the facade calls, by method; without operations."""
    with suppress(Exception):  # as for operations
        functions: Mapping[str, str] = _imported(module, path)._FUNCTIONS
        return functions
    return {}


def _imported(module: str, path: str) -> Any:
    """Import a module of mypy's build, with its source root on the path if Python cannot import it otherwise."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        root = str(Path(path).resolve().parents[module.count(".")])
        sys.path.append(root)
        try:
            return import_module(module)
        finally:
            sys.path.remove(root)
