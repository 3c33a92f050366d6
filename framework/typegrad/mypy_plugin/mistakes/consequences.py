"""Errors that follow from another one of the same file, so that a mistake is one error."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.messages import MessageBuilder
from mypy.nodes import FuncDef, ListExpr
from mypy.partially_defined import PossiblyUndefinedVariableVisitor

from typegrad.mypy_plugin.arguments.sizes import UNKNOWN_SIZE
from typegrad.mypy_plugin.base.cells import is_of_definitions
from typegrad.mypy_plugin.base.codes import BROADCAST, CALL, LOSS, REFUSALS, SHAPE, TRUTH, UNKNOWN
from typegrad.mypy_plugin.base.reporting import drop, errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.definitions import of_definitions
from typegrad.mypy_plugin.mistakes.names import Names, end_of, sources_of
from typegrad.mypy_plugin.mistakes.spoilt_calls import of_spoilt_calls

__all__ = ["drop_consequences", "drop_of_early", "is_mistake", "is_serious", "line_of_body"]

_HARMLESS: Final = frozenset((
    BROADCAST, LOSS, UNKNOWN, codes.COMPARISON_OVERLAP, codes.DEPRECATED, codes.EXPLICIT_ANY,
    codes.EXPLICIT_OVERRIDE_REQUIRED, codes.IMPORT, codes.IMPORT_NOT_FOUND, codes.IMPORT_UNTYPED, codes.NO_ANY_RETURN,
    codes.NO_ANY_UNIMPORTED, codes.NO_UNTYPED_CALL, codes.NO_UNTYPED_DEF, codes.REDUNDANT_CAST, codes.REDUNDANT_EXPR,
    codes.TYPE_ARG, codes.UNREACHABLE, codes.UNTYPED_DECORATOR, codes.UNUSED_IGNORE, codes.VAR_ANNOTATED,
))  # fmt: skip
"""The codes of errors that a program may have and be right."""
_OF_CALL: Final = re.compile(r"; in \S+, line (\d+)(?:, called in lines? [\d, ]+)?$")
"""The end of what types tell of a call from the body of its function."""
_OF_RESULT: Final = re.compile(r" \(line (\d+)\) returns an operand of shape \[")
"""What types tell of a call whose function returns another shape than it declares."""
_OF_OPEN: Final = re.compile(
    r'(?:got|(?:incompatible|expression has) type) "(?:[^"]* \| )?\w+\[(\w+), tuple\[Any, \.\.\.\]\]"'
    r'[,;] (?:expected|variable has type) "\w+\[\1, (?!tuple\[Any, \.\.\.\])'
)
"""What mypy says of an operand of unknown shape, and of the right element type."""
_NOT_INFERRED: Final = re.compile(r'Cannot infer value of type parameter "\w+" of ')
_OF_NOTHING: Final = re.compile(r'\((?:got|expression has type) "\w+\[Any, tuple\[Any, \.\.\.\]\]"')
"""What mypy says of the result of an operation that is refused."""
_KEYWORD: Final = "Unexpected keyword argument"
_OF_SIZES: Final = re.compile(r"\S+: \S+ is .+ in .+, but .+")
"""What is said of a call whose arguments disagree about a type variable."""
_OF_SIZED_CALL: Final = frozenset((codes.ARG_TYPE, codes.ASSIGNMENT, codes.RETURN_VALUE))
"""What mypy may say of the same argument, and of the result."""
_OF_FUNCTION: Final = re.compile(
    r'(?:Argument \S+ to .* has incompatible|Incompatible types in assignment \(expression has) type "Callable\['
)
"""What mypy says of a lambda whose result it refuses, too."""
_OF_METHOD: Final = re.compile(r'Argument \S+ to "(\w+)"')
_CALLED: Final = re.compile(r"(?:\w+\.)?(\w+)\(\): ")
"""What the plugin says of a call; mypy refuses the same argument."""
_NO_CALL: Final = '"None" not callable'
"""What mypy says of what it takes for code that never runs, behind an operand in the place of a truth value."""
_OF_MORE: Final = re.compile(r"Too many (?:positional )?arguments for (.+)$")
_OF_ARGUMENT: Final = re.compile(r"Argument \S+ to (.+?) has incompatible type")
"""What mypy says of a call with another number of arguments, of which those that are there fit no parameter, either."""
_OF_UNKNOWN: Final = re.compile(r'Expression is of type "[^"]*\bAny\b[^"]*", not ')
"""What mypy says where `assert_type` gets what is not known."""

_OF_ITEM: Final = re.compile(r'List item \d+ has incompatible type "(\w+).*"; expected "(.*)"$')
_OF_EMPTY: Final = " (hint: "
"""What mypy says of a name that is bound to a list, a set or a dict without items."""
_OF_FEED: Final = re.compile(r"run: the feeds? of ")
_OF_ARRAYS: Final = re.compile(r"\S+ of (an array of shape|arrays of shapes) \[")
"""What is said of the arrays of a run that do not fit others."""


def is_serious(error: ErrorInfo) -> bool:
    """Whether an error is about more than annotations."""
    return error.severity == "error" and error.code not in _HARMLESS


def is_mistake(error: ErrorInfo) -> bool:
    """Whether an error is serious, and certain; one for the arguments of one call may not be."""
    return is_serious(error) and line_of_body(error) is None


def line_of_body(error: ErrorInfo) -> int | None:
    """The line of an error in the body of a function for the arguments of a call; None for other errors."""
    found = _OF_CALL.search(error.message)
    return None if found is None else int(found[1])


def drop_consequences(checker: TypeChecker) -> None:
    """Drop errors of calls whose function is wrong for all arguments, and errors about what another one has spoilt."""
    errors = errors_of(checker)
    drop(errors, [*of_spoilt_calls(checker, errors)])  # first, as none of them counts as a mistake
    again = _of_later_passes(errors)
    mistakes = {(each.line, each.code) for each in errors if is_mistake(each)}
    results = {line for line, code in mistakes if code is codes.RETURN_VALUE}
    wrong_lines = _lines_of_functions(checker, results) if any(map(_line_of_function, errors)) else set[int]()
    refused = [each for each in errors if is_mistake(each) and each.code in REFUSALS]
    called = {(each.line, found[1]) for each in refused if each.code is CALL and (found := _CALLED.match(each.message))}
    sized = {each.line for each in refused if each.code is SHAPE and _OF_SIZES.match(each.message)}
    too_many = {(each.line, found[1]) for each in errors if (found := _OF_MORE.match(each.message))}
    arguments = [each for each in errors if each.code is codes.ARG_TYPE and each.severity == "error"]
    spoilt = (
        each
        for each in errors
        if _is_spoilt(each, mistakes)
        or _is_open(each, refused)
        or _is_fetched(each, refused)
        or _is_asserted(each, refused)
        or _is_of_argument(each, refused)
        or (each.line in sized and each.code in _OF_SIZED_CALL)
        or ((found := _OF_ARGUMENT.match(each.message)) and (each.line, found[1]) in too_many)
        or _is_of_refused_argument(each, arguments)
        or ((found := _OF_METHOD.match(each.message)) and (each.line, found[1]) in called)
    )
    of_cells = (each for each in errors if is_of_definitions(checker.tree, each))
    of_functions = (each for each in errors if _line_of_function(each) in wrong_lines)
    again += [*_of_attributes(errors), *_of_items(checker, errors), *_of_untyped(checker, errors)]
    again += of_definitions(checker, errors)
    drop(errors, [*again, *_of_keywords(errors), *_of_one_place(errors), *spoilt, *of_cells, *of_functions])


def drop_of_early(checker: TypeChecker) -> None:
    """Drop that names have no type yet where mypy says, once a file is checked, that these are read too early."""
    errors = errors_of(checker)
    untyped = [each for each in errors if each.code is codes.HAS_TYPE]
    if not untyped:
        return
    messages = MessageBuilder(checker.errors, checker.modules)
    with messages.filter_errors(save_filtered_errors=True) as found:
        names = checker.tree.names
        checker.tree.accept(PossiblyUndefinedVariableVisitor(messages, checker._type_maps[0], checker.options, names))
    early = {_place(each) for each in found.filtered_errors() if each.code is codes.USED_BEFORE_DEF}
    drop(errors, [each for each in untyped if _place(each) in early])


def _of_later_passes(errors: Sequence[ErrorInfo]) -> list[ErrorInfo]:
    """What mypy says again of an argument in a loop, whose type another pass has changed."""
    first: dict[tuple[int, int], ErrorInfo] = {}
    of_arguments = [each for each in errors if each.code is codes.ARG_TYPE and each.severity == "error"]
    return [each for each in of_arguments if first.setdefault((each.line, each.column), each) is not each]


def _of_attributes(errors: Sequence[ErrorInfo]) -> list[ErrorInfo]:
    """What mypy says again of an attribute that the objects of a class do not have."""
    first: dict[str, ErrorInfo] = {}
    missing = (each for each in errors if each.code is codes.ATTR_DEFINED and each.severity == "error")
    return [each for each in missing if first.setdefault(each.message, each) is not each]


def _of_items(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What mypy says of all items of a list, of the same class where others are expected, but of the first one."""
    items = [each for each in errors if each.code is codes.LIST_ITEM and each.severity == "error"]
    displays = (each for each in nodes_of(checker.tree) if isinstance(each, ListExpr)) if len(items) > 1 else ()
    for display in displays:
        places = {(each.line, each.column) for each in display.items}
        own = [each for each in items if (each.line, each.column) in places]
        told = {found.groups() for each in own if (found := _OF_ITEM.match(each.message))}
        if len(own) == len(places) and len(told) == 1:
            yield from own[1:]


def _of_untyped(checker: TypeChecker, errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What mypy says of a name whose type it does not know, as the value is made of what another error is about."""
    of_names = (each for each in errors if each.code is codes.VAR_ANNOTATED and each.severity == "error")
    untyped = [each for each in of_names if _OF_EMPTY not in each.message]
    if not untyped:
        return
    names, wrong = Names(checker.tree), {each.line for each in errors if is_mistake(each)}
    for each in untyped:
        own = list(names.around(each.line))
        read = (statement for _, statement in names.read(source for one in own for source in sources_of(one)))
        if any(not wrong.isdisjoint(range(one.line, end_of(one) + 1)) for one in (*own, *read) if one is not None):
            yield each


def _of_one_place(errors: Sequence[ErrorInfo]) -> Iterator[ErrorInfo]:
    """What mypy says of an expression of which the plugin tells, or of which it has said something before."""
    first: dict[tuple[int, ...], ErrorInfo] = {}
    of_plugin = {_place(each) for each in errors if is_serious(each) and each.code in REFUSALS}
    for each in errors:
        is_of_mypy = is_mistake(each) and each.code not in REFUSALS
        if is_of_mypy and (_place(each) in of_plugin or first.setdefault(_place(each), each) is not each):
            yield each


def _place(error: ErrorInfo) -> tuple[int, ...]:
    return error.line, error.column, error.end_line or 0, error.end_column or 0


def _of_keywords(errors: Sequence[ErrorInfo]) -> list[ErrorInfo]:
    """What mypy says of all overloads of a call, for a keyword that none of them has, of which it tells, too."""
    of_overloads = [each for each in errors if each.code is codes.CALL_OVERLOAD and each.severity == "error"]
    unknown = {(each.line, each.column) for each in of_overloads if each.message.startswith(_KEYWORD)}
    return [
        each for each in of_overloads if (each.line, each.column) in unknown and not each.message.startswith(_KEYWORD)
    ]


def _is_open(error: ErrorInfo, refused: Iterable[ErrorInfo]) -> bool:
    """Whether mypy misses a shape that may follow from a refused call above, in the same function."""
    if error.target == error.module or _OF_OPEN.search(error.message) is None:
        return False
    return any(each.target == error.target and each.line <= error.line for each in refused)


def _is_asserted(error: ErrorInfo, refused: Iterable[ErrorInfo]) -> bool:
    """Whether `assert_type` gets a shape that may be unknown for a refused call above, in the same function."""
    if error.code is not codes.ASSERT_TYPE or _OF_UNKNOWN.match(error.message) is None:
        return False
    return any(each.target == error.target and each.line <= error.line for each in refused)


def _is_of_refused_argument(error: ErrorInfo, refused: Iterable[ErrorInfo]) -> bool:
    """Whether an error in the body of a function is of a call of which mypy refuses an argument."""
    if line_of_body(error) is None:
        return False
    line, column, end_line, end_column = _place(error)
    own = (line, column), (end_line, end_column)
    starts_in = ((each, (each.line, each.column), (each.end_line or 0, each.end_column or 0)) for each in refused)
    return any(own[0] < start and end < own[1] and line_of_body(each) is None for each, start, end in starts_in)


def _is_of_argument(error: ErrorInfo, refused: Iterable[ErrorInfo]) -> bool:
    """Whether a size in arithmetic is refused as a part of an argument, too."""
    told = f": {UNKNOWN_SIZE}"
    return error.message == UNKNOWN_SIZE and any(
        each.line == error.line and each.message.endswith(told) for each in refused
    )


def _is_fetched(error: ErrorInfo, refused: Iterable[ErrorInfo]) -> bool:
    """Whether arrays do not fit that a run may return for other feeds than a run above, in the same function."""
    if error.code is not SHAPE or _OF_ARRAYS.match(error.message) is None:
        return False
    fed = (each for each in refused if each.code is SHAPE and _OF_FEED.match(each.message))
    return any(each.target == error.target and each.line < error.line for each in fed)


def _line_of_function(error: ErrorInfo) -> int | None:
    found = _OF_RESULT.search(error.message)
    return None if found is None else int(found[1])


def _lines_of_functions(checker: TypeChecker, results: Iterable[int]) -> set[int]:
    """The lines of the functions whose results mypy has refused."""
    functions = [each for each in nodes_of(checker.tree) if isinstance(each, FuncDef)]
    return {each.line for each in functions for line in results if each.line <= line <= (each.end_line or 0)}


def _is_spoilt(error: ErrorInfo, mistakes: Collection[tuple[int, ErrorCode | None]]) -> bool:
    """Whether an error is of a line with another one, or in the body of a function for a call, in such a line."""
    line = line_of_body(error)
    if line is not None:
        return any(each == line for each, _ in mistakes)
    if _OF_FUNCTION.match(error.message) and (error.line, codes.RETURN_VALUE) in mistakes:
        return True
    if error.message == _NO_CALL:
        return (error.line, TRUTH) in mistakes
    if error.code is codes.ARG_TYPE:  # of a call with another number of arguments
        return (error.line, codes.CALL_ARG) in mistakes
    if error.code is codes.LIST_ITEM or _NOT_INFERRED.match(error.message):  # of a call that is refused as a whole
        return any(each == error.line and code in REFUSALS for each, code in mistakes)
    if error.code is codes.NO_ANY_RETURN or _OF_NOTHING.search(error.message):
        return any(each == error.line and code is not error.code for each, code in mistakes)
    return False
