"""What a name of an imported module is bound to: the value of `BATCH` in `from config import BATCH`."""

from __future__ import annotations

from typing import Any

from mypy.nodes import Expression, Import, ImportFrom, MypyFile, RefExpr, Var
from mypy.plugin import CheckerPluginInterface
from mypy.util import correct_relative_import

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.values.elsewhere import ANY, assigned_elsewhere
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.sources import constants_of

__all__ = ["imported_constant"]


def imported_constant(api: CheckerPluginInterface, expr: Expression | None) -> Any:
    """The number, string or tuple that a name of an imported module is bound to; None if it is not known."""
    checker = checker_of(api)
    variable = expr.node if isinstance(expr, RefExpr) else None
    # The daemon compares the types of a module with those that it had, and does not ask the plugin.
    if checker.options.fine_grained_incremental:
        return None
    if not isinstance(variable, Var) or variable.info:
        return None
    module, _, name = variable.fullname.rpartition(".")
    other = checker.modules.get(module)
    if other is None or module == checker.tree.fullname or module not in _imported(checker.tree):
        return None
    if bindings_of(checker.tree).stores.get(variable) or not assigned_elsewhere(module).isdisjoint((ANY, name)):
        return None  # `config.BATCH = 64`
    return constants_of(other.path).get(name)


def _imported(tree: MypyFile) -> set[str]:
    """The modules that a file imports itself, so that mypy checks it again when one of them changes."""
    modules: set[str] = set()
    for each in tree.imports:
        if isinstance(each, Import):
            modules.update(name for name, _ in each.ids)
        elif isinstance(each, ImportFrom):
            module, _ = correct_relative_import(tree.fullname, each.relative, each.id, tree.is_package_init_file())
            modules.update((module, *(f"{module}.{name}" for name, _ in each.names)))
    return modules
