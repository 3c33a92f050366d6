"""Errors about a value that another error is about already: one cause is told once, at the first place.

A cause is found by the names that an expression reads, and by what these are bound to above it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from pathlib import Path
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    CastExpr,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Overloaded, UnionType

from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, DTYPE, REFUSALS, RUN, SHAPE
from typegrad.mypy_plugin.base.dims import dim_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, VARIABLE, base_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, errors_once
from typegrad.mypy_plugin.mistakes.clashes import SWAPPED, is_of_shapes
from typegrad.mypy_plugin.mistakes.consequences import line_of_body
from typegrad.mypy_plugin.mistakes.misused import exchanged_names, misuses_of, name_unfetched, unfetched_in
from typegrad.mypy_plugin.mistakes.names import (
    Binding,
    Names,
    class_name,
    end_of,
    in_lines,
    nodes_in,
    parts_of_error,
    sources_of,
    targets_of,
    type_of,
)
from typegrad.mypy_plugin.mistakes.spoilt_calls import errors_by_call
from typegrad.mypy_plugin.mistakes.suspects import (
    FED,
    called_by,
    element_of,
    function_of,
    functions_around,
    made_by,
    read_by,
    suspects_of,
)
from typegrad.mypy_plugin.values.program_files import files_of
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["drop_fetched", "drop_made", "drop_repeated", "is_repeated", "note_repeated"]

_WITHOUT_VALUE: Final = (
    CALL, codes.ARG_TYPE, codes.ATTR_DEFINED, codes.CALL_OVERLOAD, codes.INDEX, codes.TYPE_VAR, codes.UNION_ATTR,
)  # fmt: skip
"""The codes of errors for expressions whose type is unknown then, or one of several, or that are not what is taken."""
_OF_NO_KIND: Final = (CALL, RUN, codes.TYPE_VAR)
"""The codes of errors for expressions whose results may be of another class than mypy takes them for."""
_OF_VALUES: Final = (DTYPE, SHAPE, codes.ARG_TYPE, codes.CALL_OVERLOAD, codes.INDEX)
_CODES: Final = (CALL, DTYPE, SHAPE, codes.ARG_TYPE)
_ARRAY: Final = "ndarray"
_OPERAND: Final = "Operand["
_CONSTANT: Final = "typegrad.op.core.Constant"
_OF_RESULT: Final = "returns an operand of shape ["
_RESULT: Final = re.compile(
    r"^(.* \(line \d+\)) returns an operand of shape \[(.*?)\], but is declared to return \[(.*?)\]"
)
_USUAL: Final = "float32"
_DEFAULT: Final = "float64"
"""The element type that is the mistake where both meet: NumPy makes it where none is stated."""
_FED: Final = re.compile(r"the feed of \S+ is an array of (\w+), but must be (\w+);")
_REFUSED: Final = re.compile(r" is (\w+), but must be (.+?);")
"""What is said of an operand whose element type an operation does not take."""
_CAST: Final = "cast one with dtypes.Cast"
_WHOLE: Final = re.compile(r" is (u?int\d+), but must be .*\bfloat32\b.*; cast it with dtypes.Cast$")
"""What is said of integers where floating-point numbers are taken."""
_DECLARE: Final = re.compile("; (?:create|declare) ")
"""What is said where another element type should be declared, so that all others are right."""
_PAIR: Final = re.compile(r" is (\w+) but \S+ is (\w+);")
_ARGUMENT: Final = re.compile(r'has incompatible type "(.+)"; expected "(.+)"$')
_ELEMENT: Final = re.compile(r"dtype\[([\w.\[]+)|\w\[(T[A-Z]\w+)[],]")
"""The element type in the type of an array or an operand, as mypy writes it."""
_FIELD: Final = re.compile(r'Argument "(\w+)" to "(\w+)"')
_OF_ARRAYS: Final = re.compile(r"\S+ of (?:an array of shape|arrays of shapes) \[")

_accused: Final = Memory[MypyFile, set[Hashable]]()
"""What the errors of each file accuse that are reported."""
_dropped: Final = Memory[str, set[int]]()
"""The lines of each file with errors about what others of it are about."""


def drop_repeated(api: CheckerPluginInterface, lines: Sequence[int] = ()) -> None:
    """Keep the first error about a value: about its element type or its sizes, or about what a function returns.

    Args:
        api: mypy's checker.
        lines: The lines that are running where the program fails, the innermost one first: what is there comes first.

    """
    checker = checker_of(api)
    errors = errors_of(checker)
    found = errors_once(checker)
    drop(errors, [each for each in found if _is_of_another_file(checker, each)])
    if found:
        again = _again(api, sorted(found, key=partial(_order, lines)))
        _dropped.setdefault(checker.path, set()).update(each.line for each in again)
        drop(errors, again)
    for each in found:
        _name_odd(api, each)


def is_repeated(path: str, line: int) -> bool:
    """Whether a line of a file that was checked has an error about what another one of the file is about."""
    return line in _dropped.get(path, ())


def note_repeated(path: str, line: int) -> None:
    """Note a line of a file with an error about what one of another file is about, for the modules that import both."""
    _dropped.setdefault(path, set()).add(line)


def _again(api: CheckerPluginInterface, errors: Sequence[ErrorInfo]) -> list[ErrorInfo]:
    """The errors about a mistake of which another one tells: one above, or one where the wrong value is made."""
    checker = checker_of(api)
    names, made, sized, again = Names(checker.tree), set[Hashable](), set[Hashable](), list[ErrorInfo]()
    told, accused = set(_accused_elsewhere(checker)), dict[Hashable, ErrorInfo]()
    own: list[tuple[ErrorInfo, AbstractSet[Hashable]]] = []
    refused, exchanged = dict(_refused(checker, names, errors)), _exchanged(checker, names, errors)
    calls = {id(each): call for call, several in errors_by_call(checker, errors).items() for each in several}
    misused = {id(each): set(misuses_of(checker, names, each)) for each in errors}
    misuses = set[Hashable]().union(*misused.values())
    for each in errors:
        suspects = suspects_of(api, names, each)
        causes = set(_causes(api, names, each, parts_of_error(checker.tree, each))) if each.code in _CODES else set()
        causes |= {*misused[id(each)], *exchanged.get(id(each), ())}
        bound, call = made_by(checker, names, each), calls.get(id(each))
        called = set[Hashable]() if call is None else sized & called_by(checker, names, call)
        follows = is_of_shapes(each) and bool(called or made & read_by(checker, names, each) - bound)
        follows |= not misuses.isdisjoint(unfetched_in(checker, names, each))
        is_of_refused = _is_around(checker, each, refused) or _takes_refused(checker, names, each, refused)
        follow = [accused[key] for key in suspects.made & accused.keys()]
        is_told = not told.isdisjoint(causes | suspects.known) and not (follow and each.code is codes.ASSIGNMENT)
        again += [each] if follows or is_of_refused or is_told else follow
        accused.update(dict.fromkeys(suspects.own, each))
        own.append((each, suspects.own))
        told |= causes | suspects.own | suspects.made
        is_sized = _is_of_sizes(checker, names, each)
        sized |= bound if is_sized else set[Hashable]()
        made |= bound if is_sized or is_of_shapes(each) else set[Hashable]()
    name_unfetched(misused, errors)
    again += _of_any_results(checker, names, [each for each in errors if each not in again])
    _accused[checker.tree] = {key for each, keys in own if each not in again for key in keys}
    return again


def _of_any_results(checker: TypeChecker, names: Names, errors: Iterable[ErrorInfo]) -> list[ErrorInfo]:
    """What mypy says of functions that return what it does not know, where another error is about such a result."""
    unknown = {each: functions_around(checker, each) for each in errors if each.code is codes.NO_ANY_RETURN}
    others = [each for each in errors if each not in unknown] if unknown else []
    parts = [part for each in others if each.column > 0 for part in parts_of_error(checker.tree, each)]
    parts += in_lines(checker.tree, {each.line for each in others if each.column <= 0})  # of the program
    read = (expr for expr, _ in names.read(parts))
    called = {function_of(checker, each) for each in read}
    return [each for each, functions in unknown.items() if not called.isdisjoint(functions)]


def _exchanged(checker: TypeChecker, names: Names, errors: Sequence[ErrorInfo]) -> dict[int, list[Hashable]]:
    """The statements that bind names to each other's values by the errors about these, of which the first says so."""
    found = defaultdict[int, list[Hashable]](list)
    for statement, several in exchanged_names(checker, names, errors):
        first, second, *_ = (each.name for each in targets_of(statement) if isinstance(each, NameExpr))
        cause = min(several, key=errors.index)
        cause.message = f"{cause.message}; {first} and {second} of line {statement.line} are in each other's place"
        for each in several:
            found[id(each)].append(statement)
    return found


def _is_of_sizes(checker: TypeChecker, names: Names, error: ErrorInfo) -> bool:
    """Whether an error is about the arguments of which a statement makes an object with sizes, such as a layer."""
    made = (type_of(checker, source) for each in names.around(error.line) for source in sources_of(each))
    variables = (each.type.defn.type_vars for each in made if isinstance(each, Instance))
    return error.code in (CALL, codes.ARG_TYPE) and any(dim_of(one) is not None for each in variables for one in each)


def _refused(checker: TypeChecker, names: Names, errors: Iterable[ErrorInfo]) -> Iterator[tuple[Node, ErrorCode]]:
    """The expressions that have no value, as an error says, and its code; those of its line for one of the program."""
    for each in errors:
        if each.code is RUN:
            yield from ((source, RUN) for statement in names.around(each.line) for source in sources_of(statement))
        elif each.code in (*REFUSALS, *_WITHOUT_VALUE, codes.OPERATOR):
            yield from ((part, each.code) for part in parts_of_error(checker.tree, each)[:1])


def _is_around(checker: TypeChecker, error: ErrorInfo, refused: Mapping[Node, ErrorCode]) -> bool:
    """Whether an error is about what a refused expression results in: an operator of it, or a call that takes it."""
    parts = parts_of_error(checker.tree, error)
    if error.code is codes.OPERATOR:
        called = (each for each in nodes_in(parts) if isinstance(each, CallExpr))
        overloaded = (each for each in called if isinstance(type_of(checker, each.callee), Overloaded))
        is_unknown = any(refused.get(arg) is codes.ARG_TYPE for each in overloaded for arg in each.args)
        return is_unknown or any(refused.get(each) in REFUSALS for each in nodes_in(parts))
    whole = parts[0] if parts and error.code in REFUSALS else None
    return isinstance(whole, CallExpr) and any(refused.get(each) in _WITHOUT_VALUE for each in whole.args)


def _takes_refused(checker: TypeChecker, names: Names, error: ErrorInfo, refused: Mapping[Node, ErrorCode]) -> bool:
    """Whether an error is about a name that is bound to what a refused expression results in, which is of no kind.

    Not if its own expression is what is bound, as in a loop, or if it says which arguments of the call to exchange.
    """
    whole = next(iter(parts_of_error(checker.tree, error)), None)
    if error.message.endswith(SWAPPED):
        return False
    values: list[Node | None] = []
    if error.code is CALL and isinstance(whole, CallExpr):
        values += [whole.callee, *whole.args]
    elif error.code in (codes.ARG_TYPE, codes.ATTR_DEFINED):
        values.append(whole.expr if isinstance(whole, MemberExpr) else whole)
    causes = _OF_NO_KIND if error.code is CALL else (*_OF_NO_KIND, DTYPE)
    read = (each.expr if isinstance(each, CastExpr) else each for each in values)
    bound = (names.statement(each) for each in read if isinstance(each, NameExpr))
    sources = (source for each in bound if each is not None for source in sources_of(each))
    made = [each.expr if isinstance(each, UnaryExpr) else each for each in sources]
    is_of_operator = any(refused.get(each) is codes.OPERATOR for each in nodes_in(made))
    return (is_of_operator and error.code is codes.ARG_TYPE) or any(
        refused.get(each) in causes for each in made if each is not whole
    )


def _accused_elsewhere(checker: TypeChecker) -> Iterator[Hashable]:
    """What errors accuse in the modules of the program: attributes of their classes, which this one reads, too."""
    files = _imported_files(checker) if _accused else ()
    for tree, accused in _accused.items():
        if tree is not checker.tree and Path(tree.path).resolve() in files:
            yield from (each for each in accused if _is_own_attribute(checker, tree, each))


def _imported_files(checker: TypeChecker) -> Collection[Path]:
    """The files of the program that the checked one imports, directly or not."""
    return {Path(file).resolve() for file, *_ in files_of(checker.path)}


def _is_own_attribute(checker: TypeChecker, tree: MypyFile, accused: Hashable) -> bool:
    """Whether it is an attribute of a class of another module, and more than a feed, of which this one has its own."""
    match accused:
        case (_, (str(owner), str()), role):
            symbol, own = tree.names.get(owner), checker.tree.names.get(owner)
            node = None if symbol is None else symbol.node
            is_meant = own is None or own.node is node
            return is_meant and role != FED and isinstance(node, TypeInfo) and node.module_name == tree.fullname
    return False


def _order(lines: Sequence[int], error: ErrorInfo) -> tuple[bool | int, ...]:
    """What tells which of two errors comes first: where the program fails, then the line, and what is computed first.

    The parts of an expression are computed before the whole, which ends with the last of them.
    """
    end = error.end_line or error.line, error.end_column or error.column
    return error.line not in lines, line_of_body(error) not in lines, error.line, *end, -error.column


def drop_fetched(api: CheckerPluginInterface) -> None:
    """Drop what is said of arrays of a run, if its graph, the run or another one of its arrays is refused above."""
    checker = checker_of(api)
    errors = errors_of(checker)
    fetched = [each for each in errors if _is_of_arrays(each)]
    mistakes = [each for each in errors if each.severity == "error" and each.code in (DTYPE, RUN, SHAPE)]
    if not fetched or len(mistakes) + len(fetched) < 2:
        return
    names = Names(checker.tree)
    drop(errors, [each for each in fetched if _follows(checker, names, each, mistakes)])


def drop_made(api: CheckerPluginInterface, lines: Sequence[int]) -> None:
    """Drop what is said of the values that statements in some lines bind: an error of the program is told there."""
    checker = checker_of(api)
    errors = errors_of(checker)
    about_values = [each for each in errors if each.severity == "error" and each.code in _OF_VALUES]
    names = Names(checker.tree)
    drop(errors, [each for each in about_values if _is_made(names, parts_of_error(checker.tree, each), lines)])


def _is_made(names: Names, parts: Iterable[Node], lines: Sequence[int]) -> bool:
    made = (statement for _, statement in names.read(parts) if isinstance(statement, AssignmentStmt))
    return any(line in range(each.line, end_of(each) + 1) for each in made for line in lines)


# The element type of a value


def _causes(api: CheckerPluginInterface, names: Names, error: ErrorInfo, parts: Sequence[Node]) -> Iterator[Hashable]:
    """The names and fields that an error is about."""
    checker, wrong = checker_of(api), _wrong(api, error, parts)
    field = _FIELD.match(error.message) if error.code is codes.ARG_TYPE else None
    if wrong is not None and field is not None:
        yield field.groups()
    if (line := line_of_body(error)) is not None:
        yield error.line, line
    if _OF_RESULT in error.message:
        yield error.message
    result = _RESULT.match(error.message)
    if result is not None and result[2].count(",") != result[3].count(","):  # whatever the arguments are
        yield result[1]
    is_pair = _PAIR.search(error.message) is not None
    for expr, statement in names.read(parts) if wrong is not None else ():
        if wrong not in (element_of(api, expr), _kind(checker, expr)) or (is_pair and not _is_kept(checker, expr)):
            continue
        if isinstance(expr, NameExpr):
            yield expr.node, statement
        elif isinstance(expr, MemberExpr):
            yield expr.name, class_name(checker, expr.expr)


def _name_odd(api: CheckerPluginInterface, error: ErrorInfo) -> None:
    """Say of variables of float64, NumPy's own type, beside operands of float32 how they are made of float32.

    One of float32 is the odd one where it meets what is made of a variable of float64, as `b` does in `x @ w + b`, and
    one of integers where these are not taken.
    """
    _name_whole(api, error)
    pair = _PAIR.search(error.message) if error.code is DTYPE and not _DECLARE.search(error.message) else None
    if pair is None or {*pair.groups()} != {_DEFAULT, _USUAL}:
        return
    checker = checker_of(api)
    parts = parts_of_error(checker.tree, error)
    singles, doubles = _variables(api, _operands(parts))
    if singles and not _variables(api, nodes_in(parts))[1]:
        return
    if singles or doubles:
        alone = "with dtype=tg.TFloat64" if singles else "from an array.astype(np.float32)"
        how = "of one dtype" if singles and doubles else alone
        made = f"{_CAST}, or create {' and '.join(sorted(singles | doubles))} {how}"
        error.message = error.message.replace(_CAST, made)


def _name_whole(api: CheckerPluginInterface, error: ErrorInfo) -> None:
    """Say of a variable of integers that an operation does not take how it is made of float32."""
    found = _WHOLE.search(error.message) if error.code is DTYPE else None
    if found is None:
        return
    checker = checker_of(api)
    operands = [each for each in _operands(parts_of_error(checker.tree, error)) if isinstance(each, Expression)]
    variables = {
        source_of(each) for each in operands if _is_variable(checker, each) and element_of(api, each) == found[1]
    }
    if len(variables) == 1:
        error.message += f", or create {variables.pop()} with dtype=tg.TFloat32"


def _variables(api: CheckerPluginInterface, parts: Iterable[Node]) -> tuple[set[str], set[str]]:
    """The variables of float32 among some expressions, and those of float64."""
    checker = checker_of(api)
    read = [each for each in parts if isinstance(each, (MemberExpr, NameExpr)) and _is_variable(checker, each)]
    singles, doubles = (
        {source_of(each) for each in read if element_of(api, each) == leaf} for leaf in (_USUAL, _DEFAULT)
    )
    return singles, doubles


def _operands(parts: Sequence[Node]) -> Iterator[Node]:
    """The sides of an operator, or the arguments of a call."""
    for each in parts:
        if isinstance(each, OpExpr):
            yield from (each.left, each.right)
        elif isinstance(each, CallExpr):
            yield from each.args


def _is_variable(checker: TypeChecker, expr: Expression) -> bool:
    type_ = type_of(checker, expr)
    return type_ is not None and base_of(type_, VARIABLE) is not None


def _wrong(api: CheckerPluginInterface, error: ErrorInfo, parts: Sequence[Node]) -> str | None:
    """The element type that is wrong, or the class; None if an error is about something else, or does not tell."""
    if error.code is CALL:
        return _ARRAY if error.message.partition(";")[0].endswith(f", not {_ARRAY}") else None
    if error.code is codes.ARG_TYPE:
        found = _ARGUMENT.search(error.message)
        if found is None or not parts:
            return None
        if found[1].startswith(_ARRAY) and found[2].startswith(_OPERAND):
            return _ARRAY
        actual, expected = map(_ELEMENT.search, found.groups())
        is_wrong = actual is not None and expected is not None and actual[0] != expected[0]
        return element_of(api, parts[0]) if is_wrong else None
    fed, pair = _FED.search(error.message), _PAIR.search(error.message)
    if fed is not None:
        return fed[1]
    return _DEFAULT if pair is not None and {*pair.groups()} == {_DEFAULT, _USUAL} else None


def _kind(checker: TypeChecker, expr: Node) -> str | None:
    """What an array is called in messages; None for other values."""
    type_ = type_of(checker, expr)
    kinds = type_.items if isinstance(type_, UnionType) else [] if type_ is None else [type_]
    return _ARRAY if any(base_of(each, ARRAY) is not None for each in kinds) else None


def _is_kept(checker: TypeChecker, expr: Expression) -> bool:
    """Whether it is an operand that is made of an array: a variable, or a constant."""
    type_ = type_of(checker, expr)
    return type_ is not None and (base_of(type_, VARIABLE) is not None or base_of(type_, _CONSTANT) is not None)


def _is_of_another_file(checker: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an operand is fed what an operation in another module takes, which refuses the operand."""
    fed = _FED.search(error.message) if error.code is DTYPE else None
    if fed is None:
        return False
    files = _imported_files(checker)
    told = checker.errors.error_info_map.items()
    others = (each for path, errors in told if Path(path).resolve() in files for each in errors)
    refused = (_REFUSED.search(each.message) for each in others if each.code is DTYPE)
    return any(each is not None and each[1] == fed[2] and fed[1] in each[2].split() for each in refused)


# Arrays of a run


def _is_of_arrays(error: ErrorInfo) -> bool:
    is_argument = error.code is codes.ARG_TYPE and 'incompatible type "ndarray[' in error.message
    return is_argument or (error.code is SHAPE and _OF_ARRAYS.match(error.message) is not None)


def _follows(checker: TypeChecker, names: Names, error: ErrorInfo, mistakes: Iterable[ErrorInfo]) -> bool:
    """Whether an array is made of what a run returns that is refused, or whose graph is, or whose other arrays are."""
    parts = parts_of_error(checker.tree, error)
    made = {statement for _, statement in names.read(parts) if statement is not None}
    runs = {each for each in made if any(fetches_of(checker, node) is not None for node in nodes_in(sources_of(each)))}
    above = [each for each in mistakes if each.line < error.line] if runs else []
    lines = {line for each in made for line in range(each.line, end_of(each) + 1)}
    own = _bound_by(names, parts, runs)
    return any(
        each.line in lines or (own and _bound_by(names, parts_of_error(checker.tree, each), runs) - own)
        for each in above
    )


def _bound_by(names: Names, parts: Iterable[Node], statements: AbstractSet[Binding]) -> set[object]:
    """The names in expressions that are bound by some statements."""
    read = (each for each in nodes_in(parts) if isinstance(each, NameExpr))
    return {each.node for each in read if names.statement(each) in statements}
