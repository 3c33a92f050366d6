"""The values that may be what is wrong in an error: those that it is about, and that have what clashes in it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

from attrs import frozen
from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.conversion import array_element
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import DTYPE, SHAPE
from typegrad.mypy_plugin.base.dtypes import type_name
from typegrad.mypy_plugin.base.operands import ARRAY, VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.reports.clashes import (
    KEY,
    Clash,
    clashes_of,
    given_in,
    is_of_elements,
    is_of_one_kind,
    needs_of,
)
from typegrad.mypy_plugin.reports.consequences import line_of_body
from typegrad.mypy_plugin.reports.names import (
    Names,
    in_lines,
    nodes_in,
    parts_of_error,
    sources_of,
    targets_of,
    type_of,
)
from typegrad.mypy_plugin.reports.wording import operands_in

__all__ = ["FED", "Suspects", "element_of", "made_by", "read_by", "suspects_of"]

FED: Final = "fed"
_USED: Final = "used"
_NEEDED: Final = "needed"
"""What an error says is done with a placeholder, also where its element type is wrong whatever is beside it."""
_PLACEHOLDER: Final = "typegrad.op.core.Placeholder"
_OF_OTHERS: Final = ("builtins.", "numpy.", "typegrad.", "typing.")
_CALLERS: Final = re.compile(r"; called in lines? ([\d, ]+)$")
"""The lines of the calls that lead to an error of the program."""
_DECLARED: Final = re.compile(
    r"^\w+: the (?:feed of|value for) (\S+) |; declare (\S+) as |^the feed of '([^':]+)\S*' \("
)
"""What is said of a value that does not fit the declared shape or element type of an operand."""
_ANY: Final = "Any"
"""The name of an element type that is not known, as where it is one of several."""
_DOUBLE: Final = "float64"
_USUAL: Final = frozenset(("float32", _DOUBLE))


@frozen
class Suspects:
    """What an error accuses."""

    own: AbstractSet[Hashable]
    """What may be wrong, each with what clashes for it."""
    known: AbstractSet[Hashable]
    """What another error has accused if this one is about the same mistake."""
    made: AbstractSet[Hashable]
    """What the refused statement makes: errors that accuse it follow from this one."""


def suspects_of(api: CheckerPluginInterface, names: Names, error: ErrorInfo) -> Suspects:
    """What may be wrong in an error: values that it is about, and what the refused statement makes."""
    checker, clashes = checker_of(api), clashes_of(error)
    needs = needs_of(error)
    own, known = set[Hashable](), set[Hashable]()
    declared = _declared(error)
    parts = _parts(checker, names, error, declared) if clashes else []
    direct = set(nodes_in(parts))
    bodies = set(in_lines(checker.tree, {line_of_body(error) or 0})) if clashes else set[Expression]()
    alike = set[Hashable](_in_place(checker, error))
    if error.code is codes.RETURN_VALUE:
        own.update((clash, function) for clash in clashes for function in _around(checker, error))
    for expr, statement in names.read(parts):
        function = _function(checker, expr)
        if declared is not None and function is not None:
            alike.add(function)
        known.update((clash, function) for clash in clashes if function is not None)
        key = names.key(checker, expr, statement)
        if key is None or (expr in bodies and isinstance(expr, MemberExpr) and names.is_of_several(checker, expr)):
            continue
        for clash in clashes if expr in direct or not _is_stated(checker, expr) else ():
            role = _role(checker, expr, declared)
            if _may_be_wrong(api, expr, clash, _wrong_in(clash) | (clash & given_in(error))):
                own.add((clash, key, role))
            if _may_be_wrong(api, expr, clash, clash):
                known.update((clash, key, other) for other in _same_mistake(role, clash))
        if expr in direct and _role(checker, expr, declared) == _USED:
            of_type = [clash for clash, given in needs.items() if element_of(api, expr) == given]
            own.update((clash, key, _NEEDED) for clash in of_type)
            known.update((clash, key, role) for clash in of_type for role in (_NEEDED, _USED))
    for unpacked, other in _unpacked(checker, names, error):
        own.add(unpacked)
        known.add(other)
    own.update((clash, each) for clash in clashes for each in alike)
    known.update((clash, each) for clash in clashes for each in alike)
    made = {(clash, key, None) for clash in clashes for key in made_by(checker, names, error)}
    return Suspects(own, known, made)


def _unpacked(checker: TypeChecker, names: Names, error: ErrorInfo) -> Iterator[tuple[Hashable, Hashable]]:
    """The names in an error that one of two results of a call has, and the names of the other ones.

    Where both are used wrongly, and one is no array of the other's rank, they are in each other's place.
    """
    for expr in _in_place(checker, error) if error.code in (DTYPE, SHAPE) else ():
        statement = names.statement(expr) if isinstance(expr, NameExpr) else None
        if isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, CallExpr):
            pair = [each for each in targets_of(statement) if isinstance(each, NameExpr)]
            if len(pair) == len({_rank(checker, each) for each in pair} - {None}) == 2 and isinstance(expr, NameExpr):
                other = pair[pair[0].node is expr.node]
                yield (statement, expr.node), (statement, other.node)


def _rank(checker: TypeChecker, expr: Expression) -> int | None:
    type_ = type_of(checker, expr)
    operand = None if type_ is None else operand_of(type_)
    return None if operand is None else operand.static.shape.rank


def made_by(checker: TypeChecker, names: Names, error: ErrorInfo) -> set[Hashable]:
    """What the statement of an error binds, and that of the body that it is about."""
    lines = {error.line, line_of_body(error)}
    statements = [each for line in lines if line is not None for each in names.around(line)]
    bound = ((each, statement) for statement in statements for each in targets_of(statement))
    return {names.key(checker, each, statement) for each, statement in bound} - {None}


def _in_place(checker: TypeChecker, error: ErrorInfo) -> list[Node]:
    """The parts of the expression that an error is about."""
    return [*nodes_in(parts_of_error(checker.tree, error))] if error.column > 0 else []


def _around(checker: TypeChecker, error: ErrorInfo) -> list[FuncDef]:
    """The functions around an error."""
    functions = (each for each in nodes_of(checker.tree) if isinstance(each, FuncDef))
    return [each for each in functions if each.line <= error.line <= (each.end_line or 0)]


def _function(checker: TypeChecker, expr: Expression) -> SymbolNode | None:
    """The function of the program that a name or an attribute is, which may make wrong values; None for others."""
    signature = type_of(checker, expr)
    if not isinstance(signature, CallableType) or signature.is_type_obj() or signature.definition is None:
        return None
    return None if signature.definition.fullname.startswith(_OF_OTHERS) else signature.definition


def read_by(checker: TypeChecker, names: Names, error: ErrorInfo) -> set[Hashable]:
    """The values that an error is about, and what these are made of."""
    read = names.read(_parts(checker, names, error, _declared(error)))
    return {names.key(checker, expr, statement) for expr, statement in read} - {None}


def _declared(error: ErrorInfo) -> str | None:
    """The operand that is fed, as it is written, if an error is about its declaration."""
    found = _DECLARED.search(error.message)
    return None if found is None else found[1] or found[2] or found[3]


def _parts(checker: TypeChecker, names: Names, error: ErrorInfo, declared: str | None) -> list[Node]:
    """The expressions that an error is about: its own, those of the body, of the callers and the operand of a feed.

    What a name is assigned next is also about what it was assigned first, which gives it its type.
    """
    callers = _CALLERS.search(error.message)
    lines = {line_of_body(error), *(map(int, callers[1].split(",")) if callers else ())} - {None}
    if error.column <= 0:  # of the program
        lines.add(error.line)
    own = parts_of_error(checker.tree, error) if error.column > 0 else []
    operands = in_lines(checker.tree, {error.line}) if declared is not None else []
    fed = [each for each in operands if isinstance(each, (MemberExpr, NameExpr)) and source_of(each) == declared]
    assigned = names.around(error.line) if error.code is codes.ASSIGNMENT else ()
    first = (names.first(target) for each in assigned for target in targets_of(each) if isinstance(target, NameExpr))
    stated = [source for each in first if each is not None for source in sources_of(each)]
    return [*own, *in_lines(checker.tree, {each for each in lines if each is not None}), *fed, *stated]


def _role(checker: TypeChecker, expr: Expression, declared: str | None) -> str | None:
    """Whether a placeholder is used or fed in an error: either alone says nothing against what it is declared as."""
    type_ = type_of(checker, expr)
    if type_ is None or base_of(type_, _PLACEHOLDER) is None:
        return None
    return FED if declared is not None and source_of(expr) == declared else _USED


def _is_stated(checker: TypeChecker, expr: Expression) -> bool:
    """Whether it is a variable or a placeholder, which is right where an operand is made of it."""
    type_ = type_of(checker, expr)
    return type_ is not None and any(base_of(type_, each) is not None for each in (_PLACEHOLDER, VARIABLE))


def _same_mistake(role: str | None, clash: Clash) -> Iterator[str | None]:
    """The roles of a value in other errors about the same mistake.

    Feeds of another element type are several, as arrays have one of their own. So are uses beside operands of another
    size, or of another kind of numbers, as each may need a cast.
    """
    if role is None or (is_of_one_kind(clash) if role == _USED else not is_of_elements(clash)):
        yield role
    if role is not None:
        yield FED if role == _USED else _USED
        yield _NEEDED


def _wrong_in(clash: Clash) -> AbstractSet[str]:
    """Which of the two that clash may be the mistake."""
    return {_DOUBLE} if clash == _USUAL else clash


def _may_be_wrong(api: CheckerPluginInterface, expr: Expression, clash: Clash, wrong: AbstractSet[str]) -> bool:
    """Whether a value may have one of the two that clash, of which some may be `wrong`."""
    type_ = type_of(checker_of(api), expr)
    if type_ is None or KEY in clash:
        return True
    if is_of_elements(clash):
        element = element_of(api, expr)
        elements = {element, *(type_name(each.dtype) for each in operands_in(type_))}
        return not elements.isdisjoint({*wrong, _ANY})
    return _has(type_, clash)


def _has(type_: Type, clash: Clash) -> bool:
    """Whether a value of a type may have one of the two sizes, numbers of dimensions or classes."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return any(_has(each, clash) for each in proper.items)
    if isinstance(proper, NoneType):
        return "None" in clash
    instance = proper.partial_fallback if isinstance(proper, TupleType) else proper
    if isinstance(instance, Instance) and instance.type.name in clash:
        return True
    operands = list(operands_in(proper))
    if operands:
        return any(_has_dim(each.static.shape, clash) for each in operands)
    if not isinstance(proper, Instance):
        return isinstance(proper, AnyType)
    is_array = base_of(proper, ARRAY) is not None
    return is_array or _holds_operands(proper.type) or any(_has(each, clash) for each in proper.args)


def _has_dim(shape: Shape, clash: Clash) -> bool:
    if shape.dims is None:
        return True
    return f"rank {shape.rank}" in clash or any(str(each) in clash for each in shape.dims)


def _holds_operands(info: TypeInfo) -> bool:
    """Whether objects of a class of the program have operands or arrays."""
    if info.fullname.startswith(_OF_OTHERS):
        return False
    types = (each.node.type for each in info.names.values() if isinstance(each.node, Var))
    return any(each is not None and _is_of_operands(each) for each in types)


def _is_of_operands(type_: Type) -> bool:
    return any(True for _ in operands_in(type_)) or base_of(type_, ARRAY) is not None


def element_of(api: CheckerPluginInterface, expr: Node) -> str | None:
    """The name of the element type of an operand or an array; None for other values."""
    type_ = type_of(checker_of(api), expr)
    if type_ is None or not isinstance(expr, Expression):
        return None
    operand = operand_of(type_)
    if operand is not None:
        return type_name(operand.dtype)
    with checker_of(api).msg.filter_errors():
        element = array_element(api, expr, type_) if base_of(type_, ARRAY) is not None else None
    return None if element is None else type_name(element)
