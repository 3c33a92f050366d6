"""Values of a kind that no use of them takes: the mistake is where they are made, and is one error."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, TypeGuard

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SymbolNode,
    TupleExpr,
    WithStmt,
)

from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, CALL, DTYPE, SHAPE, TRUTH
from typegrad.mypy_plugin.base.operands import OPERAND, SESSION, base_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.names import (
    Binding,
    Names,
    argument_of,
    class_name,
    nodes_in,
    parameters_of,
    parts_of_error,
    targets_of,
    type_of,
)

__all__ = ["exchanged_names", "misuses_of", "name_unfetched", "unfetched_in"]

_OF_ATTRIBUTE: Final = re.compile(r"^\w+: `(\w+)` ((?:must|is) .*)")
_OF_ARGUMENT: Final = re.compile(r": argument `(\w+)` must be an? (\w+), not (\w+); it is called as [\w.]+\((.*)\)$")
_OF_TYPES: Final = re.compile(r' has incompatible type ".*"; expected ".*"$')
_SWAPPED: Final = re.compile(r"^run: the feeds of \S+ and \S+ are swapped$")
_NOT_ENTERED: Final = re.compile(r'^"(\w+)" has no attribute "__enter__"')
_BESIDE: Final = re.compile(r"^\S+ takes an (operand), .* beside an operand, not (\w+)$")
_PASSED: Final = re.compile(r' has incompatible type "(\w+)(?:\[.*\])?"; expected "(\w+)(?:\[.*\])?"$')
_CALLED: Final = re.compile(r": argument `(\w+)` must be an? (\w+), not (\w+);")
_OPERAND: Final = "operand"
_UNFETCHED: Final = "no value before the run"
"""What is said of operands in the place of what a run returns for them."""
_OF_OPERAND: Final = re.compile(r" has no truth value while |^\S+ has no length; |^'\w+' object has no attribute ")
"""What is said of operands that also tells it where these have other names."""
_OPERANDS: Final = re.compile(r'^Unsupported operand types for \S+ \("(\w+)" and "(\w+)"\)$')


def misuses_of(checker: TypeChecker, names: Names, error: ErrorInfo) -> Iterator[Hashable]:
    """What tells that errors are about the same value: it, and what is said of it."""
    if error.code not in (ATTRIBUTE, CALL, codes.ATTR_DEFINED, codes.ARG_TYPE, codes.OPERATOR, DTYPE, SHAPE, TRUTH):
        return
    parts = [each for each in parts_of_error(checker.tree, error) if isinstance(each, Expression)]
    for whole in parts[:1]:
        for value, told in _values(checker, names, error, whole):
            keys = (
                (each, names.key(checker, each, _statement(names, each))) for each in reversed(_origins(names, value))
            )
            origin, key = next((each for each in keys if each[1] is not None), (value, None))
            if key is not None:
                yield key, told
                yield from ((each, told) for each in _made_together(checker, origin) if isinstance(told, frozenset))
        yield from _unfetched(checker, names, error, whole)
        yield from _swapped(checker, names, error, whole)
        yield from _made_alike(names, error, whole)


def unfetched_in(checker: TypeChecker, names: Names, error: ErrorInfo) -> Iterator[Hashable]:
    """What tells that operands without a truth value are those in the place of what a run returns."""
    for expr in nodes_in(parts_of_error(checker.tree, error)) if error.code is TRUTH else ():
        if isinstance(expr, NameExpr):
            yield from ((each, _UNFETCHED) for each in _bound_together(names, expr))


def name_unfetched(misuses: Mapping[int, Iterable[Hashable]], errors: Iterable[ErrorInfo]) -> None:
    """Say in the first error about operands that are bound together, and of which others tell, what they lack."""
    told = defaultdict[AssignmentStmt, list[ErrorInfo]](list)
    for error in errors:
        for each in misuses[id(error)]:
            match each:
                case AssignmentStmt() as statement, str(kind) if kind == _OPERAND:
                    told[statement].append(error)
    for statement, several in told.items():
        if len(several) > 1:
            first = several[0]
            first.message = f"{first.message}; session.run gives the values of what line {statement.line} binds"


def _unfetched(checker: TypeChecker, names: Names, error: ErrorInfo, whole: Expression) -> Iterator[Hashable]:
    """What tells that operands are in the place of what a run returns for them.

    They are bound to names together, and have no value, or have other names already: then, all that they lack tells it,
    as it does for one that gets another name in the block of a session.
    """
    lacks_value = error.code is CALL and _UNFETCHED in error.message
    for name in nodes_of(whole) if lacks_value or _OF_OPERAND.search(error.message) else ():
        if isinstance(name, NameExpr) and (not lacks_value or f" {name.name} has {_UNFETCHED}" in f" {error.message}"):
            for statement in _bound_together(names, name):
                made = statement.rvalue.items if isinstance(statement.rvalue, (ListExpr, TupleExpr)) else []
                if lacks_value or (made and all(map(_is_named, made))):
                    yield statement, _UNFETCHED if lacks_value else _OPERAND
            if _is_named(_source(names, name)) and _is_in_session(checker, own := _statement(names, name)):
                yield own, _OPERAND


def _is_in_session(checker: TypeChecker, statement: Binding | None) -> bool:
    """Whether a statement is in the block of a session."""
    blocks = (each for each in nodes_of(checker.tree) if isinstance(each, WithStmt))
    entered = (block for block in blocks if any(_is_session(checker, each) for each in block.expr))
    return any(statement is each for block in entered for each in nodes_of(block.body))


def _is_session(checker: TypeChecker, expr: Expression) -> bool:
    type_ = type_of(checker, expr)
    return type_ is not None and base_of(type_, SESSION) is not None


def _bound_together(names: Names, expr: Expression) -> Iterator[AssignmentStmt]:
    """The statement that binds a name, and others."""
    statement = _statement(names, expr)
    if isinstance(statement, AssignmentStmt) and len(list(targets_of(statement))) > 1:
        yield statement


def exchanged_names(
    checker: TypeChecker, names: Names, errors: Sequence[ErrorInfo]
) -> Iterator[tuple[AssignmentStmt, list[ErrorInfo]]]:
    """The statements that bind two names to each other's values, and the errors about these.

    One of the values is of the class that is expected in the place of the other one, and the other way around.
    """
    found = defaultdict[AssignmentStmt, dict[tuple[str, str, SymbolNode | None], list[ErrorInfo]]](dict)
    for error in errors:
        for expr, given, needed in _mistaken(checker, error):
            for statement in _bound_together(names, expr):
                if isinstance(statement.rvalue, TupleExpr) and isinstance(expr, NameExpr):
                    found[statement].setdefault((given, needed, expr.node), []).append(error)
    for statement, told in found.items():
        pairs = [
            (told[one], told[other])
            for one, other in combinations(told, 2)
            if one[:2] == other[1::-1] and one[2] is not other[2]
        ]
        if pairs:
            yield statement, [each for pair in pairs for several in pair for each in several]


def _mistaken(checker: TypeChecker, error: ErrorInfo) -> Iterator[tuple[Expression, str, str]]:
    """The values in an error that are of one class, and not of another."""
    whole = next((each for each in parts_of_error(checker.tree, error) if isinstance(each, Expression)), None)
    if whole is None:
        return
    if passed := _PASSED.search(error.message) if error.code is codes.ARG_TYPE else None:
        yield whole, _kind_of(checker, whole), _alike(passed[2])
    called, beside = _CALLED.search(error.message), _BESIDE.match(error.message)
    if called is not None and isinstance(whole, CallExpr):
        by_position = [each.partition("=")[0] for each in error.message.rpartition("(")[2].rstrip(")").split(", ")]
        values = argument_of(whole, called[1], by_position)
        yield from ((each, _kind_of(checker, each), _alike(called[2])) for each in values)
    if beside is not None:
        sums = (each for each in nodes_of(whole) if isinstance(each, OpExpr))
        sides = ((each, _kind_of(checker, each)) for sum_ in sums for each in (sum_.left, sum_.right))
        yield from ((each, kind, _OPERAND) for each, kind in sides if kind == beside[2])


def _kind_of(checker: TypeChecker, expr: Expression) -> str:
    type_ = type_of(checker, expr)
    return _OPERAND if type_ is not None and base_of(type_, OPERAND) is not None else class_name(checker, expr)


def _alike(name: str) -> str:
    return _OPERAND if name == "Operand" else name


def _values(
    checker: TypeChecker, names: Names, error: ErrorInfo, whole: Expression
) -> Iterator[tuple[Expression, Hashable]]:
    """The value that an error is about, and what is said of it: its class and the expected one, or the words."""
    attribute = _OF_ATTRIBUTE.match(error.message) if error.code is ATTRIBUTE else None
    argument = _OF_ARGUMENT.search(error.message) if error.code is CALL else None
    operands = _OPERANDS.match(error.message)
    if attribute is not None and isinstance(whole, CallExpr):
        yield from ((each, attribute[2]) for each in argument_of(whole, attribute[1], parameters_of(checker, whole)))
    elif argument is not None and isinstance(whole, CallExpr):
        by_position = [each.partition("=")[0] for each in argument[4].split(", ")]
        for each in argument_of(whole, argument[1], by_position):
            if any(argument[1] == origin.name for origin in _origins(names, each) if _is_named(origin)):
                yield each, frozenset((argument[2], argument[3]))
    elif entered := _NOT_ENTERED.match(error.message):
        yield whole, frozenset(("Scope", entered[1]))
    elif operands is not None:
        sides = (each for each in nodes_of(checker.tree) if isinstance(each, OpExpr) and whole in (each, each.right))
        yield from ((side, frozenset(operands.groups())) for each in sides for side in (each.left, each.right))


def _statement(names: Names, expr: Expression) -> Binding | None:
    return names.statement(expr) if isinstance(expr, NameExpr) else None


def _is_named(expr: Expression | None) -> TypeGuard[MemberExpr | NameExpr]:
    return isinstance(expr, (MemberExpr, NameExpr))


def _origins(names: Names, expr: Expression) -> list[Expression]:
    """An expression, and the names and attributes to which it is bound, one after the other."""
    origins = [expr]
    while isinstance(expr, NameExpr):
        source = _source(names, expr)
        if not _is_named(source) or source in origins:
            break
        origins.append(expr := source)
    return origins


def _source(names: Names, name: NameExpr) -> Expression | None:
    """What a name is bound to; None if that is not one expression."""
    statement = names.statement(name)
    if not isinstance(statement, AssignmentStmt) or len(statement.lvalues) != 1:
        return None
    target, source = statement.lvalues[0], statement.rvalue
    if isinstance(target, TupleExpr):
        items = source.items if isinstance(source, TupleExpr) else []
        pairs = zip(target.items, items, strict=True) if len(items) == len(target.items) else ()
        return next((item for each, item in pairs if isinstance(each, NameExpr) and each.node is name.node), None)
    return source


def _made_together(checker: TypeChecker, expr: Expression) -> Iterator[AssignmentStmt]:
    """The statements that bind an attribute of an object with others."""
    key = (class_name(checker, expr.expr), expr.name) if isinstance(expr, MemberExpr) else None
    statements = (each for each in nodes_of(checker.tree) if isinstance(each, AssignmentStmt))
    for statement in statements if key is not None else ():
        targets = list(targets_of(statement))
        bound = [(class_name(checker, each.expr), each.name) for each in targets if isinstance(each, MemberExpr)]
        if len(targets) > 1 and key in bound:
            yield statement


def _made_alike(names: Names, error: ErrorInfo, value: Expression) -> Iterator[Hashable]:
    """The statement that binds several arguments of one call, of which the same is said."""
    statement, told = _statement(names, value), _OF_TYPES.search(error.message)
    if error.code is not codes.ARG_TYPE or not isinstance(statement, AssignmentStmt) or told is None:
        return
    if not isinstance(statement.rvalue, TupleExpr) and len(list(targets_of(statement))) > 1:
        yield statement, error.line, told[0]


def _swapped(checker: TypeChecker, names: Names, error: ErrorInfo, value: Expression) -> Iterator[Hashable]:
    """The statement that binds two values which are fed in each other's place: it is wrong then."""
    if _SWAPPED.match(error.message) is None:
        return
    for feeds in nodes_of(checker.tree):
        if isinstance(feeds, DictExpr) and any(value is each for _, each in feeds.items):
            fed = {source_of(key): each for key, each in feeds.items if key is not None}
            bound = {_statement(names, each) for name, each in fed.items() if name in error.message.split()}
            for each in bound if len(bound) == 1 else ():
                if isinstance(each, AssignmentStmt) and isinstance(each.rvalue, CallExpr):
                    yield each, error.message
