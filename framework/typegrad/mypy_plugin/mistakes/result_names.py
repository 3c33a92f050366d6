"""The results of a function that get each other's names: `parts, loss = build()`, where `build` returns loss, parts.

A program may exchange what it gets, so this is told only where the uses of the names are refused, in place of these.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import permutations

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    NameExpr,
    Node,
    RefExpr,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_same_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report_raised
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.consequences import is_serious
from typegrad.mypy_plugin.mistakes.names import Names, nodes_in, parts_of_error
from typegrad.mypy_plugin.values.program_files import is_own, tree_of_file

__all__ = ["name_exchanged_results"]


def name_exchanged_results(api: CheckerPluginInterface) -> None:
    """Replace errors about names that results have in another order by one, where the results get them."""
    checker = checker_of(api)
    errors = [each for each in errors_of(checker) if is_serious(each)]
    if not errors:
        return
    names = Names(checker.tree)
    for statement, told in _exchanged(checker):
        parts = [(each, parts_of_error(checker.tree, each)) for each in errors]
        about = [each for each, inside in parts if any(made is statement for _, made in names.read(inside))]
        if any(_reads(names, inside, statement) for _, inside in parts):
            drop(errors_of(checker), about)
            report_raised(api, CALL, told, statement)


def _exchanged(checker: TypeChecker) -> Iterator[tuple[AssignmentStmt, str]]:
    """The statements that give the name of a result to another one of another type, and what is said of them."""
    for node in nodes_of(checker.tree):
        callee = node.rvalue.callee if isinstance(node, AssignmentStmt) and isinstance(node.rvalue, CallExpr) else None
        function = callee.node if isinstance(callee, RefExpr) else None
        if isinstance(node, AssignmentStmt) and isinstance(function, FuncDef):
            returned = _returned(checker, function)
            moved = next(_moved(checker, _items(node.lvalues[0]), returned), None)
            if moved is not None:
                name, other = moved
                place = f"result {returned.index(name) + 1} of {function.name}"
                yield node, f"{place} is {name}, but is named {other} here; swap the names"


def _moved(checker: TypeChecker, targets: Sequence[Expression], returned: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The names of results that are given to other ones, with the names that these results get."""
    pairs = permutations(zip(targets, returned, strict=True), 2) if len(targets) == len(returned) else ()
    for (target, name), (other, _) in pairs:
        is_moved = isinstance(target, NameExpr) and isinstance(other, NameExpr) and other.name == name
        if isinstance(target, NameExpr) and is_moved and not _are_alike(checker, target, other):
            yield name, target.name


def _are_alike(checker: TypeChecker, first: Expression, other: Expression) -> bool:
    """Whether two targets have the same type, so that no use of them tells one from the other."""
    types = [checker.lookup_type(each) for each in (first, other) if checker.has_type(each)]
    return len(types) < 2 or is_same_type(types[0], types[1])


def _returned(checker: TypeChecker, function: FuncDef) -> Sequence[str]:
    """The names of the results in all `return` statements of a function; "" for another expression.

    mypy keeps no bodies of functions of other files.
    """
    home = checker.modules.get(function.fullname.rpartition(".")[0])
    tree = None if home is None or not is_own(home.path) else tree_of_file(home.path)
    definitions = [] if tree is None else [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    found = next((each for each in definitions if each.name == function.name), None)
    results = [] if found is None else [_written(each) for each in ast.walk(found) if isinstance(each, ast.Return)]
    return results[0] if results and all(each == results[0] for each in results) else ()


def _written(statement: ast.Return) -> Sequence[str]:
    items = statement.value.elts if isinstance(statement.value, ast.Tuple) else ()
    return [each.id if isinstance(each, ast.Name) else "" for each in items]


def _items(expr: Expression | None) -> Sequence[Expression]:
    return expr.items if isinstance(expr, TupleExpr) else ()


def _reads(names: Names, parts: Sequence[Node], statement: AssignmentStmt) -> bool:
    """Whether the expressions of an error have a name in them that a statement binds."""
    return any(isinstance(each, NameExpr) and names.statement(each) is statement for each in nodes_in(parts))
