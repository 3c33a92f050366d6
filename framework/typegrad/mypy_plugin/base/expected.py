"""Errors that a program expects: in the blocks of `pytest.raises` and of handlers, in tests that are to fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RaiseStmt,
    RefExpr,
    Statement,
    SymbolNode,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WithStmt,
)
from mypy.types import CallableType, Instance, get_proper_type

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["is_caught", "is_expected"]

_FAILING: Final = ("expectedFailure", "xfail")
"""The decorators of tests that are to fail."""
_MANAGERS: Final = ("assertRaises", "assertRaisesRegex", "raises", "suppress")
_CLASSES: Final = (None, "exception", "expected_exception")
"""The names of their arguments that are classes; None where they are passed by position."""
_RAISED: Final = ("builtins.IndexError", "builtins.TypeError", "builtins.ValueError")
"""The built-in classes of errors of shapes, and of those that NumPy raises for arrays."""
_ABOVE: Final = ("builtins.BaseException", "builtins.Exception", "builtins.LookupError")
_OTHERS: Final = ("contextlib", "unittest.case")
"""The modules of managers that catch errors of any kind, or none, as they are told."""
_LIBRARIES: Final = ("numpy", "typegrad")
"""The libraries that raise subclasses of these."""
_BASE: Final = "typegrad.base.errors.TypegradError"

_blocks: Final = Memory[MypyFile, list[range]]()
"""The lines of such blocks."""
_caught: Final = Memory[MypyFile, list[range]]()
"""The lines of `try` blocks whose handlers catch such errors."""


def is_expected(tree: MypyFile, context: Context) -> bool:
    """Whether an error of shapes at a place of a file is what a test asks for, or a handler that names its class."""
    if tree not in _blocks:
        nodes = list(nodes_of(tree))
        managed = [each for each in nodes if isinstance(each, WithStmt)]
        blocks: list[Node] = [each for each in managed if any(_expects(one) or _swallows(one) for one in each.expr)]
        blocks += [each.body for each in nodes if isinstance(each, TryStmt) and _names_error(each)]
        tests = [each for each in nodes if isinstance(each, Decorator)]
        blocks += [each.func for each in tests if any(map(_fails, each.original_decorators))]
        _blocks[tree] = list(map(_lines, blocks))
    return any(context.line in lines for lines in _blocks[tree])


def is_caught(tree: MypyFile, context: Context) -> bool:
    """Whether a program goes on behind an error at a place of a file, in a handler."""
    if tree not in _caught:
        blocks = [each.body for each in nodes_of(tree) if isinstance(each, TryStmt) and _catches(each)]
        _caught[tree] = list(map(_lines, blocks))
    return any(context.line in lines for lines in _caught[tree])


def _lines(block: Node) -> range:
    return range(block.line, (block.end_line or block.line) + 1)


def _catches(statement: TryStmt) -> bool:
    return None in statement.types or _are_errors([each for each in statement.types if each is not None])


def _names_error(statement: TryStmt) -> bool:
    """Whether a handler is for errors of shapes, rather than for all errors, and the program goes on behind it."""
    return any(
        kind is not None and not _ends(handler.body[-1]) and _are_errors([kind], above=False)
        for kind, handler in zip(statement.types, statement.handlers, strict=True)
    )


def _ends(statement: Statement) -> bool:
    call = statement.expr if isinstance(statement, ExpressionStmt) else None
    callee = call.callee if isinstance(call, CallExpr) else None
    return isinstance(statement, RaiseStmt) or (isinstance(callee, RefExpr) and callee.fullname == "sys.exit")


def _fails(decorator: Expression) -> bool:
    decorator = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(decorator, (MemberExpr, NameExpr)) and decorator.name in _FAILING


def _expects(manager: Expression) -> bool:
    if not isinstance(manager, CallExpr) or not isinstance(manager.callee, (MemberExpr, NameExpr)):
        return False
    classes = [each for each, name in zip(manager.args, manager.arg_names, strict=True) if name in _CLASSES]
    return manager.callee.name in _MANAGERS and _are_errors(classes)


def _swallows(manager: Expression) -> bool:
    """Whether a manager is one of the program that says that it catches errors, or that has a handler for such."""
    callee = manager.callee if isinstance(manager, CallExpr) else manager
    node = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(node, Decorator):
        return any(isinstance(each, TryStmt) and _names_error(each) for each in nodes_of(node.func))
    method = node.get_method("__exit__") if isinstance(node, TypeInfo) and node.module_name not in _OTHERS else None
    kind = method.type if isinstance(method, FuncDef) else None
    result = get_proper_type(kind.ret_type) if isinstance(kind, CallableType) else None
    return isinstance(result, Instance) and result.type.fullname == "builtins.bool"


def _are_errors(classes: Sequence[Expression], *, above: bool = True) -> bool:
    """Whether one of some classes, or tuples of classes, may be of an error of shapes, or `above` such."""
    kinds = [kind for each in classes for kind in (each.items if isinstance(each, TupleExpr) else [each])]
    known = [each for each in kinds if isinstance(each, RefExpr) and (above or each.fullname not in _ABOVE)]
    return any(_is_error(each.node) for each in known)


def _is_error(node: SymbolNode | None) -> bool:
    """Whether an error of shapes may be of a class, or of one of those that a variable holds."""
    if not isinstance(node, TypeInfo):
        return isinstance(node, Var)
    if node.fullname in (*_RAISED, *_ABOVE, _BASE):
        return True
    return node.module_name.partition(".")[0] in _LIBRARIES and any(map(node.has_base, _RAISED))
