"""The values that may be what is wrong in an error: those that it is about, and that have what clashes in it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

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
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    TupleType,
    Type,
    UnionType,
    get_proper_type,
)

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.conversion import array_element
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import DTYPE, RUN, SHAPE
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.dtypes import type_name
from typegrad.mypy_plugin.base.operands import ARRAY, VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.clash import (
    FUNCTION,
    KEY,
    MADE,
    NO_VALUE,
    OPERAND,
    Clash,
    counterparts,
    is_of_elements,
    is_of_one_kind,
)
from typegrad.mypy_plugin.mistakes.clashes import (
    clashes_of,
    differentiated_in,
    given_in,
    input_in,
    needs_of,
    of_array_in,
)
from typegrad.mypy_plugin.mistakes.consequences import line_of_body
from typegrad.mypy_plugin.mistakes.names import (
    Binding,
    Names,
    argument_of,
    class_name,
    in_lines,
    nodes_in,
    parameters_of,
    parts_of_error,
    sources_of,
    targets_of,
    type_of,
)
from typegrad.mypy_plugin.reports.wording import operands_in
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = [
    "FED",
    "Suspects",
    "called_by",
    "element_of",
    "function_of",
    "functions_around",
    "made_by",
    "read_by",
    "suspects_of",
]

FED: Final = "fed"
_USED: Final = "used"
_NEEDED: Final = "needed"
_SOURCE: Final = "source"
_STATED: Final = "stated"
"""What an error says is done with a placeholder, also where it is wrong whatever is beside it, where something is made
of it, and where it is to be declared otherwise."""
_FETCHING: Final = frozenset(("run", "value"))
_OF_STATED: Final = frozenset((codes.ARG_TYPE, codes.ASSIGNMENT, codes.RETURN_VALUE))
"""The codes of errors about what is not as it is declared."""
_PLACEHOLDER: Final = "typegrad.op.core.Placeholder"
_OF_OTHERS: Final = ("builtins.", "numpy.", "typegrad.", "typing.")
_CALLERS: Final = re.compile(r"; called in lines? ([\d, ]+)$")
"""The lines of the calls that lead to an error of the program."""
_DECLARED: Final = re.compile(
    r"^\w+: the (?:feed of|value for) (\S+) |"
    r"; (?:declare|create(?= \S+ as [^;]+, which line )) (\S+) as |"
    r"^the feed of '([^':]+)\S*' \("
)
"""What is said of a value that does not fit the declared shape or element type of an operand."""
_ANY: Final = "Any"
"""The name of an element type that is not known, as where it is one of several."""
_DOUBLE: Final = "float64"
_INDEXED: Final = re.compile(r" dimensions?, but (\d+) (?:is|are) indexed")
_USUAL: Final = frozenset(("float32", _DOUBLE))


_Accusation: TypeAlias = tuple[Clash, str | None]
"""What clashes for a value, and what is done with it."""


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
    own, known = set[Hashable](), set[Hashable]()
    declared = _declared(error)
    parts = _parts(checker, names, error, declared) if clashes else []
    direct = set(nodes_in(parts))
    direct |= set(nodes_in(_fetched(checker, names, direct)))
    bodies = set(in_lines(checker.tree, {line_of_body(error) or 0})) if clashes else set[Expression]()
    alike = set[Hashable](_in_place(checker, error))
    if error.code is codes.RETURN_VALUE:
        own.update((clash, function) for clash in clashes for function in functions_around(checker, error))
    differentiated = differentiated_in(error)
    read = list(names.read(parts))
    is_stated = any(statement is None and _is_stated(api, expr) for expr, statement in read)
    owners = set[Expression]()
    for expr, statement in read:
        if isinstance(expr, MemberExpr):
            owners.add(expr.expr)
        if differentiated not in (None, source_of(expr)):
            continue
        function = function_of(checker, expr)
        if declared is not None and function is not None:
            alike.add(function)
        makers = _makers(checker, function, is_body=bool(bodies))
        known.update((clash, each) for clash in clashes for each in makers)
        key = names.key(checker, expr, statement)
        if key is None or (expr in bodies and isinstance(expr, MemberExpr) and names.is_of_several(checker, expr)):
            continue
        role = _role(checker, expr, _fed(error), is_direct=expr in direct)
        others = [each for each in clashes if MADE not in each]
        if expr in owners:
            others = [each for each in others if not _is_of_class(checker, expr, each)]
        may_be, was = _accused(api, error, expr, role, others, is_direct=expr in direct, is_stated=is_stated)
        own.update((clash, key, each) for clash, each in may_be)
        if role is not None and f"; declare {declared} as " in error.message and source_of(expr) == declared:
            own.update((clash, key, _STATED) for clash, _ in may_be)
        known.update((clash, key, each) for clash, each in was)
    alike.update(_numbers(api, names, direct, clashes) if error.code in _OF_STATED else ())
    for unpacked, other in _unpacked(checker, names, error):
        own.add(unpacked)
        known.add(other)
    own.update((clash, each) for clash in clashes for each in alike)
    known.update((clash, each) for clash in clashes for each in alike)
    made = {(clash, key, None) for clash in clashes for key in made_by(checker, names, error)}
    return Suspects(own, known, made)


def _accused(
    api: CheckerPluginInterface,
    error: ErrorInfo,
    expr: Expression,
    role: str | None,
    clashes: Iterable[Clash],
    *,
    is_direct: bool,
    is_stated: bool,
) -> tuple[set[_Accusation], set[_Accusation]]:
    """With which clashes a value may be what is wrong, and with which another error about the same mistake says so.

    Where a parameter is declared as float64, one of float32 may be wrong.
    """
    own, known = set[_Accusation](), set[_Accusation]()
    of_array, given = of_array_in(error), given_in(error)
    for clash in clashes:
        if not is_direct and _is_right(checker_of(api), expr, clash, role):
            continue
        if _may_be_wrong(api, expr, clash, of_array or _wrong_in(clash, is_stated=is_stated) | (clash & given)):
            own.add((clash, role))
        if _may_be_wrong(api, expr, clash, of_array or clash):
            roles = list(_same_mistake(role, clash, has_both=_has_both(checker_of(api), expr, clash)))
            known.update((other, each) for each in roles for other in counterparts(clash))
    for clash, actual in needs_of(error).items() if role == _USED else ():
        if actual in (element_of(api, expr), f"rank {_rank(checker_of(api), expr)}"):
            own.add((clash, _NEEDED))
            known.update((clash, each) for each in (_NEEDED, _USED))
    return own, known


def _fetched(checker: TypeChecker, names: Names, read: Iterable[Node]) -> Iterator[Expression]:
    """What a run has returned the arrays for that an error is about: these have the same shapes."""
    statements = {names.statement(each) for each in read if isinstance(each, NameExpr)}
    for source in (source for each in statements if each is not None for source in sources_of(each)):
        fetches = fetches_of(checker, source, _FETCHING)
        if fetches is not None:
            yield fetches


def _makers(checker: TypeChecker, function: SymbolNode | None, *, is_body: bool) -> set[SymbolNode]:
    """The functions that may make a wrong value: one, and those that it calls, if the error is in its body."""
    makers, pending = set[SymbolNode](), [function]
    while pending:
        maker = pending.pop()
        if maker is not None and maker not in makers:
            makers.add(maker)
            called = nodes_in([maker]) if is_body and isinstance(maker, FuncDef) else ()
            pending += [function_of(checker, each) for each in called if isinstance(each, (MemberExpr, NameExpr))]
    return makers


def _unpacked(checker: TypeChecker, names: Names, error: ErrorInfo) -> Iterator[tuple[Hashable, Hashable]]:
    """The names in an error that one of two results of a call has, and the names of the other ones.

    Where both are used wrongly, and one is no array of the other's rank, they are in each other's place; also where the
    one that is no operand is used as one.
    """
    line = in_lines(checker.tree, {error.line}) if error.code is RUN else []  # which does not say where in it
    indexed = _INDEXED.search(error.message)
    for expr in _in_place(checker, error) if error.code in (DTYPE, SHAPE) else line:
        statement = names.statement(expr) if isinstance(expr, NameExpr) else None
        if isinstance(statement, AssignmentStmt) and isinstance(statement.rvalue, CallExpr):
            pair = {each.node: _rank(checker, each) for each in targets_of(statement) if isinstance(each, NameExpr)}
            if len(pair) == len({*pair.values()} - {None}) == 2 and isinstance(expr, NameExpr):
                other = next(each for each in pair if each is not expr.node)
                if indexed is None or (pair[other] or 0) >= int(indexed[1]):
                    yield (statement, expr.node), (statement, other)
            kinds = [_is_tensor(checker, each) for each in targets_of(statement)]
            if isinstance(expr, NameExpr) and _is_tensor(checker, expr) is False and len(kinds) == 2 and True in kinds:
                yield (statement, expr.node), (statement, expr.node)


def _rank(checker: TypeChecker, expr: Expression) -> int | None:
    """The number of dimensions of an operand or an array."""
    type_ = type_of(checker, expr)
    operand, array = (None, None) if type_ is None else (operand_of(type_), base_of(type_, ARRAY))
    if operand is not None:
        return operand.static.shape.rank
    return None if array is None else shape_of(array.args[0]).shape.rank


def _is_tensor(checker: TypeChecker, expr: Expression) -> bool | None:
    """Whether it is an operand or an array; None if its type is not known."""
    type_ = type_of(checker, expr)
    return None if type_ is None else operand_of(type_) is not None or base_of(type_, ARRAY) is not None


def made_by(checker: TypeChecker, names: Names, error: ErrorInfo) -> set[Hashable]:
    """What the statement of an error binds, and that of the body that it is about."""
    lines = {error.line, line_of_body(error)}
    statements = [each for line in lines if line is not None for each in names.around(line)]
    bound = ((each, statement) for statement in statements for each in targets_of(statement))
    grown = (pair for line in lines if line is not None for pair in names.grown(line))
    return {names.key(checker, each, statement) for each, statement in (*bound, *grown)} - {None}


def _in_place(checker: TypeChecker, error: ErrorInfo) -> list[Node]:
    """The parts of the expression that an error is about."""
    return [*nodes_in(parts_of_error(checker.tree, error))] if error.column > 0 else []


def functions_around(checker: TypeChecker, error: ErrorInfo) -> list[FuncDef]:
    """The functions around an error."""
    functions = (each for each in nodes_of(checker.tree) if isinstance(each, FuncDef))
    return [each for each in functions if each.line <= error.line <= (each.end_line or 0)]


def function_of(checker: TypeChecker, expr: Expression) -> SymbolNode | None:
    """The function of the program that a name or an attribute is, which may make wrong values; None for others."""
    signature = type_of(checker, expr)
    if not isinstance(signature, CallableType) or signature.is_type_obj() or signature.definition is None:
        return None
    return None if signature.definition.fullname.startswith(_OF_OTHERS) else signature.definition


def called_by(checker: TypeChecker, names: Names, call: CallExpr) -> set[Hashable]:
    """The object that a call calls, and what it is made of."""
    return {names.key(checker, expr, statement) for expr, statement in names.read([call.callee])} - {None}


def read_by(checker: TypeChecker, names: Names, error: ErrorInfo) -> set[Hashable]:
    """The values that an error is about, and what these are made of."""
    read = names.read(_parts(checker, names, error, _declared(error)))
    return {names.key(checker, expr, statement) for expr, statement in read} - {None}


def _declared(error: ErrorInfo) -> str | None:
    """The operand that is fed, as it is written, if an error is about its declaration."""
    found = _DECLARED.search(error.message)
    return None if found is None else found[1] or found[2] or found[3]


def _fed(error: ErrorInfo) -> str | None:
    """The operand whose feed an error is about; one about a use may say how to declare it, too."""
    found = _DECLARED.search(error.message)
    return None if found is None else found[1] or found[3]


def _parts(checker: TypeChecker, names: Names, error: ErrorInfo, declared: str | None) -> list[Node]:
    """The expressions that an error is about: its own, those of the body, of the callers and the operand of a feed.

    What a name is assigned next is also about what it was assigned first, which gives it its type.
    """
    callers = _CALLERS.search(error.message)
    lines = {line_of_body(error), *(map(int, callers[1].split(",")) if callers else ())} - {None}
    if error.column <= 0:  # of the program
        lines.add(error.line)
    own = _own_parts(checker, error) if error.column > 0 else []
    fed = [] if declared is None else _named(checker, declared, error.line)
    assigned = names.around(error.line) if error.code is codes.ASSIGNMENT else ()
    first = (names.first(target) for each in assigned for target in targets_of(each) if isinstance(target, NameExpr))
    stated = [source for each in first if each is not None for source in sources_of(each)]
    return [*own, *in_lines(checker.tree, {each for each in lines if each is not None}), *fed, *stated]


def _named(checker: TypeChecker, operand: str, line: int) -> list[Expression]:
    """The operand of a feed, in its line, or else above it: a function that a session makes gets it by position."""
    named = (each for each in nodes_of(checker.tree) if isinstance(each, (MemberExpr, NameExpr)))
    above = [each for each in named if each.line <= line and source_of(each) == operand]
    last = max((each.line for each in above), default=line)
    return [each for each in above if each.line == last]


def _own_parts(checker: TypeChecker, error: ErrorInfo) -> list[Node]:
    """The expression that an error is about, or the argument of a call if it is about that input alone."""
    parts, name = parts_of_error(checker.tree, error), input_in(error)
    call = parts[0] if parts else None
    if name is None or not isinstance(call, CallExpr) or line_of_body(error) is not None:
        return parts
    return [*argument_of(call, name, parameters_of(checker, call))] or parts


def _role(checker: TypeChecker, expr: Expression, fed: str | None, *, is_direct: bool) -> str | None:
    """What is done with a placeholder in an error: either alone says nothing against what it is declared as."""
    type_ = type_of(checker, expr)
    if type_ is None or base_of(type_, _PLACEHOLDER) is None:
        return None
    if fed is not None and source_of(expr) == fed:
        return FED
    return _USED if is_direct else _SOURCE


def _is_right(checker: TypeChecker, expr: Expression, clash: Clash, role: str | None) -> bool:
    """Whether it is a variable or a placeholder, which is right where an operand is made of it.

    The shape of a placeholder may be wrong all the same: that is so if its feed says the same.
    """
    if role == _SOURCE:
        return is_of_elements(clash)
    type_ = type_of(checker, expr)
    return type_ is not None and base_of(type_, VARIABLE) is not None


def _is_of_class(checker: TypeChecker, expr: Expression, clash: Clash) -> bool:
    """Whether the class of a value clashes, which is right where an attribute of it is read."""
    return class_name(checker, expr) in clash


def _numbers(
    api: CheckerPluginInterface, names: Names, read: Iterable[Node], clashes: Iterable[Clash]
) -> Iterator[Binding]:
    """What binds the names of numbers that are one of two sizes that clash."""
    for expr in read:
        type_, statement = type_of(checker_of(api), expr), names.statement(expr) if isinstance(expr, NameExpr) else None
        is_int = isinstance(type_, Instance) and type_.type.fullname == "builtins.int"
        if statement is not None and type_ is not None and is_int and isinstance(expr, NameExpr):
            value = evaluate(api, expr, type_)
            if isinstance(value, int) and any(str(value) in each for each in clashes):
                yield statement


def _has_both(checker: TypeChecker, expr: Expression, clash: Clash) -> bool:
    """Whether an operand has both of two named sizes that clash, which may be in each other's place."""
    type_ = type_of(checker, expr)
    operand = None if type_ is None else operand_of(type_)
    dims = None if operand is None else operand.static.shape.dims
    return clash <= {str(each) for each in dims or () if not isinstance(each, int)}


def _same_mistake(role: str | None, clash: Clash, *, has_both: bool) -> Iterator[str | None]:
    """The roles of a value in other errors about the same mistake.

    Feeds of another element type are several, as arrays have one of their own. So are uses beside operands of another
    size, unless it has that size in another place, or of another kind of numbers, as each may need a cast.
    """
    if role is not None:
        yield _STATED
    if role == _SOURCE:
        yield FED
        return
    if role is None or has_both or (is_of_one_kind(clash) if role == _USED else not is_of_elements(clash)):
        yield role
    if role is not None:
        yield FED if role == _USED else _USED
        yield _SOURCE
        yield _NEEDED


def _wrong_in(clash: Clash, *, is_stated: bool) -> AbstractSet[str]:
    """Which of the two that clash may be the mistake."""
    return {_DOUBLE} if clash == _USUAL and not is_stated else clash


def _is_stated(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether it is a parameter that is declared as float64."""
    node = expr.node if isinstance(expr, NameExpr) else None
    type_ = None if not isinstance(node, Var) or node.type is None else get_proper_type(node.type)
    return type_ is not None and operand_of(type_) is not None and element_of(api, expr) == _DOUBLE


def _may_be_wrong(api: CheckerPluginInterface, expr: Expression, clash: Clash, wrong: AbstractSet[str]) -> bool:
    """Whether a value may have one of the two that clash, of which some may be `wrong`."""
    type_ = type_of(checker_of(api), expr)
    if type_ is None or KEY in clash:
        return True
    if FUNCTION in clash:  # the mistake is the name that is bound to it
        return isinstance(type_, CallableType) and isinstance(expr, NameExpr) and isinstance(expr.node, Var)
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
    if clash == NO_VALUE:
        items = proper.items if isinstance(proper, TupleType) else proper.args if isinstance(proper, Instance) else ()
        return isinstance(proper, AnyType) or any(isinstance(get_proper_type(each), NoneType) for each in items)
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
        return OPERAND not in clash
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
