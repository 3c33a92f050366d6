# mypy has no public way to check a function once more.
"""When a file is checked as a whole: once mypy has checked all of it, at the last of the added statements."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mypy.checker import DeferredNode, TypeChecker
from mypy.nodes import (
    Block,
    CallExpr,
    Decorator,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    MypyFile,
    OverloadedFuncDef,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, NoneType
from mypy.util import decode_python_encoding

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.values.program_files import file_read

__all__ = ["is_whole", "schedule", "text_of", "written_functions"]

_functions: Final = Memory[MypyFile, FuncDef]()


def schedule(api: CheckerPluginInterface, mark: CallExpr | None) -> None:
    """Have `mark` checked once more after all functions, if an operation is in one.

    mypy defers functions that it cannot check yet, and checks those in another pass, so that is where an added function
    goes, as the last one. Newer versions check all functions in such a pass.
    """
    checker = checker_of(api)
    deferred = checker.deferred_nodes
    if mark is None or (deferred and deferred[-1].node is _functions.get(checker.tree)):
        return
    around = [each for each in checker.scope.stack if isinstance(each, FuncItem)]
    if checker.tree not in _functions:
        _functions[checker.tree] = _function(api, mark)
    if around and _functions[checker.tree] not in around:
        _defer(checker)


def _defer(checker: TypeChecker) -> None:
    """Make the added function the last one of the next pass."""
    added, deferred = _functions[checker.tree], checker.deferred_nodes
    if not deferred or deferred[-1].node is not added:
        _forgo(checker)
        deferred.append(DeferredNode(added, None))


def _forgo(checker: TypeChecker) -> None:
    deferred = checker.deferred_nodes
    deferred[:] = [each for each in deferred if each.node is not _functions.get(checker.tree)]


def is_whole(checker: TypeChecker) -> bool:
    """Whether no function of the file is left to check."""
    if _leaves_functions(checker):
        return False
    added = _functions.get(checker.tree)
    if any(each.node is not added for each in checker.deferred_nodes):
        _defer(checker)
        return False
    _forgo(checker)
    return True


def _leaves_functions(checker: TypeChecker) -> bool:
    """Whether mypy checks the bodies of functions later, as newer versions do, in each of which a mark asks again."""
    if getattr(checker, "recurse_into_functions", True):
        return False
    is_asked = checker.options.check_untyped_defs
    later = [each for each in written_functions(checker.tree) if not getattr(each, "def_or_infer_vars", False)]
    return any(is_asked or not each.is_dynamic() for each in later)


def written_functions(tree: MypyFile) -> Iterator[FuncDef]:
    """The functions of a file that have a body, without what mypy's own plugins add to classes."""
    for _, symbol, _ in tree.local_definitions():
        node = symbol.node.impl if isinstance(symbol.node, OverloadedFuncDef) else symbol.node
        function = node.func if isinstance(node, Decorator) else node
        is_written = isinstance(function, FuncDef) and not symbol.plugin_generated
        if isinstance(function, FuncDef) and is_written and function.body.body and not function.is_trivial_body:
            yield function


def _function(api: CheckerPluginInterface, mark: CallExpr) -> FuncDef:
    """A function with the added statement in it."""
    statement = ExpressionStmt(mark)
    type_ = CallableType([], [], [], NoneType(), api.named_generic_type("builtins.function", []))
    function = FuncDef("", [], Block([statement]), type_)
    for node in (statement, function.body, function):
        node.set_line(mark)
    return function


def text_of(checker: TypeChecker, path: str | None = None) -> str:
    """The text of a file as mypy reads it, by default of the checked one."""
    return decode_python_encoding(Path(file_read(path or checker.path)).read_bytes())
