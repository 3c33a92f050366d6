"""What functions return: something new, or what others may change that get it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from typegrad.dry_run.source.aliases import Aliases, last_name
from typegrad.dry_run.source.scopes import OWN
from typegrad.dry_run.source.trees import children, nodes_of

__all__ = ["Function", "returns_new"]

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_NEW: Final = (ast.BinOp, ast.Compare, ast.Constant, ast.JoinedStr, ast.UnaryOp)
"""The expressions that make something."""
_OF_NUMBERS: Final = ("abs", "all", "any", "bool", "float", "int", "isinstance", "len", "print", "round", "str")
_TAKING: Final = ("copy", "get", "items", "pop", "popitem", "popleft", "setdefault", "values")
"""The methods of lists and dicts that return what is in them."""


def returns_new(function: Function, aliases: Aliases) -> bool:
    """Whether a function returns numbers, arrays and operands that it makes, or what it is given, and nothing else."""
    return _Returned(function, aliases).is_new()


class _Returned:
    """What a function returns."""

    def __init__(self, function: Function, aliases: Aliases) -> None:
        self._aliases = aliases
        self._nodes = nodes_of(function)
        self._returned = [*_returned(function)]
        given, count = [*function.args.posonlyargs, *function.args.args], len(function.args.defaults)
        self._given = {each.arg for each in given[: len(given) - count]}.difference(OWN)
        """The names of what others pass that call it."""

    def is_new(self) -> bool:
        """Whether all of it is made there."""
        is_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in self._nodes)
        return not is_generator and all(self._is_new(each) for each in self._returned)

    def _is_new(self, node: ast.expr, seen: frozenset[str] = frozenset()) -> bool:
        if isinstance(node, ast.Tuple) or (isinstance(node, ast.List) and not seen):  # else something may be appended
            return all(self._is_new(each, seen) for each in node.elts)
        if isinstance(node, ast.Subscript):
            return self._is_new(node.value, seen)
        if isinstance(node, ast.Call):
            return self._makes(node.func)
        if isinstance(node, ast.Name) and node.id not in seen:
            values, count = [*self._assigned(node.id)], sum(_binds(each, node.id) for each in self._nodes)
            is_bound = node.id in self._given or count > 0
            return is_bound and len(values) == count and all(self._is_new(v, seen | {node.id}) for v in values)
        return isinstance(node, _NEW)

    def _makes(self, function: ast.expr) -> bool:
        """Whether a function is a library's, or a method of what a library has made."""
        if isinstance(function, ast.Name):
            return function.id in _OF_NUMBERS or self._aliases.is_of_library(function)
        if not isinstance(function, ast.Attribute) or last_name(function.value) in OWN:
            return False
        return function.attr not in _TAKING and not self._aliases.defines(function.attr)

    def _assigned(self, name: str) -> Iterator[ast.expr]:
        """What is assigned to a name, or to several of which it is one."""
        for node in self._nodes:
            if isinstance(node, ast.Assign):
                groups = [each.elts if isinstance(each, (ast.List, ast.Tuple)) else [each] for each in node.targets]
                yield from (node.value for each in groups if any(_binds(part, name) for part in each))
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and _binds(node.target, name):
                yield node.value or ast.Constant(None)


def _binds(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)


def _returned(function: Function) -> Iterator[ast.expr]:
    """What a function returns, and not what functions inside return."""
    waiting: list[ast.AST] = [] if isinstance(function, ast.Lambda) else [*function.body]
    if isinstance(function, ast.Lambda):
        yield function.body
    for node in waiting:
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        waiting += [] if isinstance(node, _SCOPES) else children(node)
