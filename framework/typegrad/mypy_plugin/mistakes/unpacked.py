"""What follows from values that are unpacked into another number of names: these have no types, and some are missed."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    DictionaryComprehension,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    Node,
    SetComprehension,
    Var,
)
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.codes import CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.reporting import drop, errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.clashes import SWAPPED, clashes_of
from typegrad.mypy_plugin.mistakes.names import Names, class_name, nodes_in, parts_of_error, targets_of

__all__ = ["drop_missing", "drop_undetermined", "missing_behind"]

_UNPACKED: Final = re.compile(r" to unpack\b| unpacked into | object is not iterable$|^Unpacking a string is ")
_TOO_MANY: Final = (
    re.compile(r"[Tt]oo many values to unpack \((?P<names>\d+) expected, (?P<values>\d+) provided"),
    re.compile(r"[Tt]oo many values to unpack \(expected (?P<names>\d+)(?:, got (?P<values>\d+))?\)"),
    re.compile(r"\b(?P<values>\d+) fetches are unpacked into (?P<names>\d+) names?"),
    re.compile(r" unpacked into (?P<names>\d+) names?, but there are (?P<values>\d+) outputs"),
    re.compile(r" (?P<values>\d+) sizes?, but is unpacked into (?P<names>\d+) names?"),
)
"""What mypy, the run and typegrad say of more values than names."""
_NAME: Final = re.compile(r'"(\w+)"')
_ATTRIBUTE: Final = re.compile(r'"(?P<owner>\w+)(?:\[.*\])?" has no attribute "(?P<name>\w+)"')
_UNKNOWN: Final = (codes.ATTR_DEFINED, codes.HAS_TYPE, codes.NAME_DEFINED)
"""The codes of errors about names and attributes that do not exist, or not yet."""
_OF_VALUES: Final = (
    DTYPE, SHAPE, codes.ARG_TYPE, codes.ASSIGNMENT, codes.CALL_OVERLOAD, codes.INDEX, codes.NO_ANY_RETURN,
    codes.OPERATOR, codes.RETURN_VALUE, codes.TYPE_VAR,
)  # fmt: skip
"""The codes of errors that may be there only as the type of a value is not known."""
_COMPREHENSIONS: Final = (DictionaryComprehension, GeneratorExpr, ListComprehension, SetComprehension)


def drop_undetermined(checker: TypeChecker) -> None:
    """Drop what is said of names that have no type, as the values do not fit that are unpacked into them."""
    errors = errors_of(checker)
    refused = [each for each in errors if each.severity == "error" and _UNPACKED.search(each.message)]
    if not refused:
        return
    names = Names(checker.tree)
    undetermined = {key for each in refused for key in _bound_in(checker, each)}
    undetermined |= {(each.line, each.column) for each in _missing(checker, errors)}
    drop(errors, [each for each in errors if _follows(checker, names, each, undetermined - {None})])


def _bound_in(checker: TypeChecker, error: ErrorInfo) -> Iterator[Hashable]:
    """What the statement of an error binds."""
    for node in nodes_of(checker.tree):
        if (
            isinstance(node, (DictionaryComprehension, ForStmt, GeneratorExpr, AssignmentStmt))
            and node.line == error.line
        ):
            yield from (_key(checker, each) for each in targets_of(node))


def _key(checker: TypeChecker, expr: Node) -> Hashable:
    """What a name or an attribute is; the place of a name that does not exist, and None for other expressions."""
    if isinstance(expr, NameExpr):
        return expr.node or (expr.line, expr.column)
    owner = _owner(checker, expr) if isinstance(expr, MemberExpr) else ""
    return (owner, expr.name) if owner and isinstance(expr, MemberExpr) else None


def _owner(checker: TypeChecker, attribute: MemberExpr) -> str:
    """The class that an attribute is of, also where mypy does not look at it, as the values do not fit."""
    node = attribute.expr.node if isinstance(attribute.expr, NameExpr) else None
    type_ = get_proper_type(node.type) if isinstance(node, Var) and node.is_self else None
    return type_.type.name if isinstance(type_, Instance) else class_name(checker, attribute.expr)


def _follows(checker: TypeChecker, names: Names, error: ErrorInfo, undetermined: AbstractSet[Hashable]) -> bool:
    """Whether an error is about a name without a type, or about what is made of it, of which no types clash."""
    is_of_value = error.code in _OF_VALUES and _UNPACKED.search(error.message) is None
    is_of_value |= error.code is CALL and SWAPPED in error.message
    if error.severity != "error" or not (is_of_value or error.code is codes.HAS_TYPE):
        return False
    parts = parts_of_error(checker.tree, error)
    read: Iterable[Node] = nodes_in(parts)
    if is_of_value and not clashes_of(error):
        read = (each for each, _ in names.read(parts))
    return any(_key(checker, each) in undetermined for each in read)


def drop_missing(checker: TypeChecker) -> None:
    """Drop what is said of names that do not exist yet, as many as a statement lacks for the values that it unpacks."""
    errors = errors_of(checker)
    missing = list(_missing(checker, errors))
    drop(errors, missing)
    ignored = checker.errors.ignored_lines.setdefault(checker.path, {})
    for each in missing or ():  # once a file is checked, mypy looks for names that are read too early
        if each.code is codes.HAS_TYPE:
            ignored.setdefault(each.line, [codes.USED_BEFORE_DEF.code, codes.UNUSED_IGNORE.code])


def _missing(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What is said of names that do not exist, or not yet, where those that a statement lacks would be known."""
    for each in errors if any(each.code in _UNKNOWN for each in errors) else ():
        yield from missing_behind(checker, each, _lacking(checker, each), errors)


def missing_behind(
    checker: TypeChecker, unpacked: ErrorInfo | AssignmentStmt, lacking: int, errors: Iterable[ErrorInfo]
) -> Iterator[ErrorInfo]:
    """What is said of names and attributes that a statement lacks, as many as these are."""
    unknown = [each for each in errors if each.code in _UNKNOWN] if lacking else []
    unknown.sort(key=lambda each: each.line)
    known = [each for each in unknown if _is_known(checker, unpacked, each)]
    names = list(dict.fromkeys(map(_name, known)))[:lacking]
    yield from (each for each in known if _name(each) in names)


def _name(error: ErrorInfo) -> str:
    """The name that does not exist, before the one that is suggested."""
    attribute, found = _ATTRIBUTE.match(error.message), _NAME.search(error.message)
    return attribute["name"] if attribute else "" if found is None else found[1]


def _lacking(checker: TypeChecker, error: ErrorInfo) -> int:
    """How many names an unpacking lacks, for the items of values that are tuples, too: one, if that is not told."""
    found = next(filter(None, (each.search(error.message) for each in _TOO_MANY)), None)
    if found is None:
        return 0
    count = max(int(found["values"]) - int(found["names"]), 0) if found["values"] else 1
    loops = (each for each in nodes_of(checker.tree) if isinstance(each, ForStmt) and each.line == error.line)
    item = next((get_proper_type(each.inferred_item_type) for each in loops if each.inferred_item_type), None)
    sizes = sorted(map(_leaves, item.items)) if isinstance(item, TupleType) else []
    return max(count, sum(sizes[len(sizes) - count :]))


def _leaves(type_: Type) -> int:
    """How many names there may be for a value."""
    proper = get_proper_type(type_)
    return sum(map(_leaves, proper.items)) if isinstance(proper, TupleType) else 1


def _is_known(checker: TypeChecker, unpacked: ErrorInfo | AssignmentStmt, error: ErrorInfo) -> bool:
    """Whether a name of one statement is known in another place: in its comprehension, or below it in its functions.

    An attribute is known wherever there is an object of its class.
    """
    nodes = list(nodes_of(checker.tree))
    attribute = _ATTRIBUTE.match(error.message)
    if attribute is not None:
        statements = (each for each in nodes if isinstance(each, AssignmentStmt) and each.line == unpacked.line)
        bound = (each for statement in statements for each in targets_of(statement) if isinstance(each, MemberExpr))
        return any(_owner(checker, each) == attribute["owner"] for each in bound)
    comprehensions = (each for each in nodes if isinstance(each, _COMPREHENSIONS))
    own = [each for each in comprehensions if (each.line, each.column) == (unpacked.line, unpacked.column)]
    if own:
        return any(each.line <= error.line <= (each.end_line or each.line) for each in own)
    functions = (each for each in nodes if isinstance(each, FuncDef))
    around = (each for each in functions if each.line <= unpacked.line <= (each.end_line or each.line))
    return unpacked.line < error.line and all(error.line <= (each.end_line or each.line) for each in around)
