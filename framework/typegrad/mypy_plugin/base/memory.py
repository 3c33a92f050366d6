# mypy has no public way to forget the types of expressions.
"""What the hooks know, valid until a file changes, and what mypy knows of expressions."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeAlias, TypeVar

from mypy.checker import TypeChecker
from mypy.nodes import Context, Expression, Node, SymbolNode
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.types import Type

from typegrad.mypy_plugin.base.syntax import nodes_of

__all__ = ["Memory", "OncePerCall", "forget", "forget_types", "is_rechecking", "rechecking", "restore_types"]

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

_memories: Final[list[Memory[Any, Any]]] = []
_per_recheck: Final[list[Memory[Any, Any]]] = []
_rechecks: Final[list[int]] = []

_Types: TypeAlias = list[tuple[dict[Expression, Type], Expression, Type]]
"""Types of expressions, each with mypy's map that has it."""


class Memory(dict[_Key, _Value]):
    """A dictionary of facts about nodes of the source or about types, which `forget` clears."""

    def __init__(self, *, per_recheck: bool = False) -> None:
        """Create an empty cache, to be cleared by `forget`; `per_recheck` if facts depend on types of parameters."""
        super().__init__()
        _memories.append(self)
        if per_recheck:
            _per_recheck.append(self)


class OncePerCall(Generic[_Value]):
    """A fact about calls that is the same for all overloads of what is called.

    mypy asks for the signature of one overload after the other. The fact is computed for the first one; when mypy
    checks the call again, as in a loop, the first one asks again.
    """

    def __init__(self) -> None:
        """Create an empty cache, to be cleared by `forget`."""
        self._known = Memory[Context, tuple[_Value, set[SymbolNode]]]()

    def get(self, ctx: MethodSigContext | FunctionSigContext, compute: Callable[[], _Value]) -> _Value:
        """The fact about the call of `ctx`, by `compute` unless another overload has asked."""
        overload = ctx.default_signature.definition
        known = self._known.get(ctx.context)
        if known is None or overload is None or overload in known[1]:
            known = self._known[ctx.context] = compute(), set()
        if overload is not None:
            known[1].add(overload)
        return known[0]


def forget() -> None:
    """Clear all caches. A file was read again, so earlier nodes and types may be out of date."""
    for memory in _memories:
        memory.clear()


def forget_types(checker: TypeChecker, node: Node) -> _Types:
    """Forget the types of the expressions in a node, and return them."""
    exprs = [each for each in nodes_of(node) if isinstance(each, Expression)]
    return [(types, expr, types.pop(expr)) for types in checker._type_maps for expr in exprs if expr in types]


def restore_types(forgotten: _Types) -> None:
    """Undo `forget_types`."""
    for types, expr, type_ in forgotten:
        types[expr] = type_


def is_rechecking() -> bool:
    """Whether mypy checks a body again with other types of its parameters."""
    return bool(_rechecks)


@contextmanager
def rechecking() -> Generator[None]:
    """Keep what is known of expressions apart from what a check with other types of parameters finds."""
    before = [dict(memory) for memory in _per_recheck]
    _rechecks.append(len(_rechecks))
    for memory in _per_recheck:
        memory.clear()
    try:
        yield
    finally:
        _rechecks.pop()
        for memory, known in zip(_per_recheck, before, strict=True):
            memory.clear()
            memory.update(known)
