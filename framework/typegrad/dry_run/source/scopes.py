"""Which names are of one function alone, so that others of the same name are not bound to the same."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from typegrad.dry_run.source.trees import children

__all__ = ["FUNCTIONS", "OWN", "captured", "local_names", "plain"]

FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
OWN: Final = ("cls", "mcs", "self")
"""What methods call their object."""
_SCOPES: Final = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
_SIGN: Final = "@"
"""What is between a name and the number of the function that it is of."""
_Names: TypeAlias = Mapping[str, str]
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def local_names(trees: Iterable[ast.AST]) -> dict[int, str]:
    """What tells the local names and parameters of functions apart, by the identity of each node with such a name."""
    found: dict[int, str] = {}
    count = 0
    waiting: list[tuple[ast.AST, _Names, _Names]] = [(each, {}, {}) for each in trees]
    while waiting:
        node, names, around = waiting.pop()  # the names that it may read, and those that a function in it may
        if isinstance(node, (ast.Name, ast.arg)):
            name = node.id if isinstance(node, ast.Name) else node.arg
            found.update({id(node): names[name]} if name in names else {})
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            count += 1
            outer = {name for each in _in_scope(_body(node)) if isinstance(each, ast.Global) for name in each.names}
            inner = {name: own for name, own in around.items() if name not in outer}
            inner |= {each: f"{each}{_SIGN}{count}" for each in _own_names(node)}
            waiting += [(each, names, around) for each in _outside(node)]
            waiting += [(each, inner, inner) for each in _inside(node)]
        elif isinstance(node, ast.ClassDef):
            attributes = _assigned(_in_scope(node.body))
            inner = {name: own for name, own in names.items() if name not in attributes}
            waiting += [(each, inner, around) for each in children(node)]
        else:
            waiting += [(each, names, around) for each in children(node)]
    return found


def plain(name: str) -> str:
    """A name as it is written."""
    return name.partition(_SIGN)[0]


def captured(node: ast.Match) -> Sequence[str]:
    """The names that the patterns of a statement bind."""
    patterns = [part for case in node.cases for part in ast.walk(case.pattern)]
    names = [each.name for each in patterns if isinstance(each, (ast.MatchAs, ast.MatchStar))]
    names += [each.rest for each in patterns if isinstance(each, ast.MatchMapping)]
    return [each for each in names if each is not None]


def _own_names(function: _Function) -> set[str]:
    """The parameters of a function, and the names that nothing but assignments in it binds."""
    body = [*_in_scope(_body(function))]
    names = {each.arg for each in _parameters(function)} | _assigned(body)
    return names.difference(OWN, (name for each in body for name in _bound_otherwise(each)))


def _body(function: _Function) -> Sequence[ast.AST]:
    return [function.body] if isinstance(function, ast.Lambda) else function.body


def _parameters(function: _Function) -> list[ast.arg]:
    return [each for each in children(function.args) if isinstance(each, ast.arg)]


def _inside(function: _Function) -> list[ast.AST]:
    return [*_parameters(function), *_body(function)]


def _outside(function: _Function) -> list[ast.AST]:
    """What is evaluated where a function is defined."""
    defaults = [each for each in children(function.args) if not isinstance(each, ast.arg)]
    return [*defaults, *getattr(function, "decorator_list", ())]


def _in_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Some nodes and those in them, without what is in functions and classes."""
    waiting = [*nodes]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [] if isinstance(node, _SCOPES) else children(node)


def _assigned(nodes: Iterable[ast.AST]) -> set[str]:
    return {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}


def _bound_otherwise(node: ast.AST) -> Iterator[str]:
    """The names that a node binds by other means than an assignment, or that are not the function's own."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ExceptHandler)):
        yield from filter(None, [node.name])
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from ((each.asname or each.name).partition(".")[0] for each in node.names)
    elif isinstance(node, ast.Match):
        yield from captured(node)
