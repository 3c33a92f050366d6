"""Which classes a program declares for what its runs return: `now: Losses = session.run(losses)`.

The fields of such a class are operands where it is made, and arrays where a run returned it. mypy comes to a use before
it comes to the run, or has read that file from its cache, so the texts of all files tell. They tell by names, of local
variables and of functions, attributes and global variables of the whole program.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from attrs import field, frozen
from mypy.nodes import TypeInfo

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.values.elsewhere import reading
from typegrad.mypy_plugin.values.program_files import tree_of_file

__all__ = ["is_declared_for_runs"]

_RUNNING: Final = frozenset({"callable", "run", "value"})
"""The methods of a session that run, or make a function that does."""
_ITEMS_OF: Final = ("enumerate", "iter", "list", "max", "min", "next", "reversed", "sorted", "tuple", "zip")
_PASSING_ON: Final = frozenset({*_ITEMS_OF, "copy", "deepcopy", "evolve", "replace"})
"""The functions that return what they are given, or have it among their items."""
_KEEPING: Final = frozenset(
    ["add", "append", "appendleft", "extend", "insert", "put", "put_nowait", "setdefault", "update"]
)
"""The methods whose objects keep what they are given."""
_LONGEST: Final = 5
"""How many names lead from a run to a declaration."""
_FUNCTION: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_Name: TypeAlias = tuple[int, str]
"""A name, and the identity of the function whose local variable it is; 0 for any other name."""


@frozen
class _Program:
    """What the files of a program do with values, by names."""

    assigned: list[tuple[Sequence[_Name], ast.expr, _Scope]] = field(factory=list)
    """What gets a value: names, functions that return it, and lists that something is appended to."""
    passed: list[tuple[str, ast.expr, _Scope]] = field(factory=list)
    """The names of functions and classes that are called, with an argument."""
    declared: list[tuple[_Name, ast.expr]] = field(factory=list)
    """The declared types of variables, fields and results."""
    parameters: list[tuple[str, ast.expr]] = field(factory=list)
    """Those of parameters and fields, with what has to be called to pass them."""


@frozen
class _Scope:
    """The function that a node is in, and the functions and the class around it."""

    around: tuple[tuple[int, Collection[str]], ...] = ()
    class_: str = ""

    def name(self, text: str) -> _Name:
        """The variable that a name means."""
        return next(((place, text) for place, names in self.around if text in names), (0, text))


def is_declared_for_runs(class_: TypeInfo, path: str) -> bool:
    """Whether a class of a file is in the declared type of something that may hold what a run returned."""
    if path not in _declared:
        trees = [tree for each in (path, *reading(class_.module_name)) if (tree := tree_of_file(each)) is not None]
        _declared[path] = frozenset(_declared_in(trees)) if any(map(_runs, trees)) else frozenset()
    return class_.name in _declared[path]


_declared: Final = Memory[str, frozenset[str]]()


def _runs(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in _RUNNING for node in ast.walk(tree))


def _declared_in(trees: Iterable[ast.Module]) -> Iterator[str]:
    """The names in the declarations of all that holds what a run returned."""
    program = _Program()
    for tree in trees:
        _read(program, tree, _Scope())
    holding: set[_Name] = set()
    for _ in range(_LONGEST):
        for names, value, scope in program.assigned:
            if _is_of_run(value, scope, holding):
                holding.update(names)
    called = {name for name, value, scope in program.passed if _is_of_run(value, scope, holding)}
    declared = [type_ for name, type_ in program.declared if name in holding]
    declared += [type_ for name, type_ in program.parameters if name in called]
    for type_ in declared:
        yield from _names_of(type_)


def _is_of_run(node: ast.AST, scope: _Scope, holding: Collection[_Name]) -> bool:
    """Whether an expression may have in it what a run returned."""
    if isinstance(node, ast.Call):
        name = _last_name(node.func)
        if isinstance(node.func, ast.Attribute) and name in _RUNNING:
            return True
        if name not in _PASSING_ON:
            return _is_of_run(node.func, scope, holding)
    named = _named(node, scope)
    return (named is not None and named in holding) or any(
        _is_of_run(each, scope, holding) for each in ast.iter_child_nodes(node)
    )


def _read(program: _Program, node: ast.AST, scope: _Scope) -> None:
    """Note what a node and all in it do."""
    if isinstance(node, ast.ClassDef):
        scope = _Scope(scope.around, node.name)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        own = _Scope(((id(node), _locals(node)), *scope.around), scope.class_)
        _read_function(program, node, own)
        scope = own
    elif isinstance(node, (ast.Assign, ast.AugAssign, ast.NamedExpr)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        program.assigned.append(([*_targets(targets, scope)], node.value, scope))
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        program.assigned.append(([*_targets([node.target], scope)], node.iter, scope))
    elif isinstance(node, ast.AnnAssign):
        _read_declaration(program, node, scope)
    elif isinstance(node, ast.Call):
        _read_call(program, node, scope)
    for each in ast.iter_child_nodes(node):
        _read(program, each, scope)


def _read_function(program: _Program, function: ast.FunctionDef | ast.AsyncFunctionDef, scope: _Scope) -> None:
    if function.returns is not None:
        program.declared.append(((0, function.name), function.returns))
    for node in _inside(function):
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) and node.value is not None:
            program.assigned.append(([(0, function.name)], node.value, scope))
    called = scope.class_ if function.name == "__init__" else function.name
    for each in ast.walk(function.args):
        if isinstance(each, ast.arg) and each.annotation is not None:
            program.parameters.append((called, each.annotation))


def _read_declaration(program: _Program, statement: ast.AnnAssign, scope: _Scope) -> None:
    names = [*_targets([statement.target], scope)]
    program.declared.extend((name, statement.annotation) for name in names)
    program.parameters.append((scope.class_, statement.annotation))
    if statement.value is not None:
        program.assigned.append((names, statement.value, scope))


def _read_call(program: _Program, call: ast.Call, scope: _Scope) -> None:
    """Note the arguments, which are passed, and which a list keeps that they are appended to."""
    values = [*call.args, *(each.value for each in call.keywords)]
    program.passed.extend((_last_name(call.func), value, scope) for value in values)
    if isinstance(call.func, ast.Attribute) and call.func.attr in _KEEPING:
        named = [*_targets([call.func.value], scope)]
        program.assigned.extend((named, value, scope) for value in values)


def _targets(targets: Iterable[ast.AST], scope: _Scope) -> Iterator[_Name]:
    """The names that are assigned, also by an item: `history` of `history[0] = x`."""
    for target in targets:
        if isinstance(target, (ast.List, ast.Starred, ast.Tuple)):
            yield from _targets(ast.iter_child_nodes(target), scope)
        elif isinstance(target, ast.Subscript):
            yield from _targets([target.value], scope)
        else:
            named = _named(target, scope)
            if named is not None:
                yield named


def _named(node: ast.AST, scope: _Scope) -> _Name | None:
    if isinstance(node, ast.Attribute):
        return 0, node.attr
    return scope.name(node.id) if isinstance(node, ast.Name) else None


def _last_name(function: ast.expr) -> str:
    named = _named(function, _Scope())
    return "" if named is None else named[1]


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Collection[str]:
    """The parameters and the names that a function assigns."""
    names = {each.id for each in _inside(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    outer = {name for each in _inside(function) if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names}
    return (names | {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}) - outer


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function but those of functions in it."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, _FUNCTION):
            yield each
            yield from _inside(each)


def _names_of(annotation: ast.expr) -> Iterator[str]:
    """The names in a type, also in one that is written as a text."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\w+", node.value)
