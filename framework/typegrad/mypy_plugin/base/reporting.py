# mypy has no public way to say what counts as an error while it tries an alternative.
"""Errors that the plugin reports, or does not, as mypy or a call may report the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator
from contextlib import contextmanager

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import Block, Context
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import REFUSALS, SHAPE

__all__ = [
    "accept_operator",
    "drop",
    "errors_in",
    "errors_of",
    "errors_once",
    "found_in",
    "is_refused",
    "is_reported",
    "is_silent",
    "of_operator",
    "report",
    "report_anyway",
    "report_raised",
    "told",
]


def report_anyway(api: CheckerPluginInterface, code: ErrorCode, message: str, context: Context) -> None:
    """Report an error even while mypy tries an alternative, though not in code that is never reached.

    For `array * x`, mypy tries the array's own method first, then the operand's reflected one. If both fail, mypy
    reports the error of the first, a page of NumPy's overloads.
    """
    errors = checker_of(api).errors
    watchers, errors._watchers = errors._watchers, errors._watchers[:-1]
    try:
        report(api, code, message, context)
    finally:
        errors._watchers = watchers


def accept_operator(api: CheckerPluginInterface) -> None:
    """Have mypy accept an operator although there are errors in one of its sides.

    mypy has reported them before it tries the operator's methods. If they counted again, no method would fit, and the
    result would be `Any`, which mypy would report as well where a function returns it.
    """
    watchers = checker_of(api).errors._watchers
    is_overload = bool(watchers) and watchers[-1]._filtered is None
    for watcher in watchers[-2:] if is_overload else watchers[-1:]:
        watcher._has_new_errors = False
        if watcher._filtered:
            watcher._filtered.clear()


@contextmanager
def of_operator(api: CheckerPluginInterface, *, is_for_all: bool = False) -> Generator[None]:
    """Report the errors of an operator for all of its overloads: mypy would try the others, and then infer `Any`.

    If they are for all types that a side may have, too, mypy does not try each, and then note what these are.
    """
    errors = checker_of(api).errors
    watchers = errors._watchers
    is_overload = bool(watchers) and watchers[-1]._filtered is None
    errors._watchers = watchers[: len(watchers) - is_overload - is_for_all]
    try:
        yield
    finally:
        errors._watchers = watchers


def drop(errors: list[ErrorInfo], dropped: Collection[ErrorInfo]) -> None:
    """Take errors back, and the notes on them, also those of which mypy tells only where they are."""
    kept = [each for each in errors if each not in dropped and each.parent_error not in dropped]
    alone = {_place(each) for each in dropped} - {_place(each) for each in kept if each.severity == "error"}
    errors[:] = [each for each in kept if each.severity == "error" or _place(each) not in alone]


def _place(error: ErrorInfo) -> tuple[int, int, ErrorCode | None]:
    return error.line, error.column, error.code


def is_silent(api: CheckerPluginInterface) -> bool:
    """Whether mypy reports no error of the file, as for installed packages."""
    checker = checker_of(api)
    return checker.path in checker.errors.ignored_files


def is_refused(api: CheckerPluginInterface, part: Context) -> bool:
    """Whether there is an error in the lines of a part of the file."""
    lines = range(part.line, (part.end_line or part.line) + 1)
    errors = [each for several in told(checker_of(api)) for each in several]
    return any(each.severity == "error" and each.line in lines for each in errors)


def told(checker: TypeChecker) -> list[list[ErrorInfo]]:
    """The lists of the file's errors: of those reported, and of those that mypy adds if it keeps what it tries."""
    return [errors_of(checker), *(each._filtered for each in checker.errors._watchers if each._filtered is not None)]


def report(api: CheckerPluginInterface, code: ErrorCode, message: str, context: Context) -> None:
    """Report an error in the user's source, unless it is reported at a call of the body that it is in.

    An error of shapes is not certain in a branch whose operands another pass of a loop may have made, nor in a loop
    whose first pass has failed, nor for one item of a union; and a test may expect it.
    """
    # A run without errors does not need these.
    from typegrad.mypy_plugin.base.passes import is_of_a_later_pass, may_follow
    from typegrad.mypy_plugin.base.unions import may_fit

    checker = checker_of(api)
    is_doubtful = code is SHAPE and (
        is_of_a_later_pass(checker.tree, context)
        or _is_wrong(checker, context)
        or may_follow(checker, context)
        or may_fit(checker, message, context)
    )
    if not is_doubtful:
        report_raised(api, code, message, context)


def report_raised(api: CheckerPluginInterface, code: ErrorCode, message: str, context: Context) -> None:
    """Report an error that the program certainly raises, unless a test expects it or it is reported at a call."""
    from typegrad.mypy_plugin.base.expected import is_expected

    checker = checker_of(api)
    is_known = code is SHAPE and is_expected(checker.tree, context)
    if not is_known and not _is_told_by_call(checker, message, context.line):
        api.fail(message, context, code=code)


def _is_wrong(checker: TypeChecker, context: Context) -> bool:
    """Whether an error of shapes is reported at this place: mypy checks loops repeatedly, with less exact shapes."""
    place = context.line, context.column, SHAPE
    return any((each.line, each.column, each.code) == place for each in errors_of(checker))


def _is_told_by_call(checker: TypeChecker, message: str, line: int) -> bool:
    """Whether the error of a line in a body is reported at a call of the function, which mypy has checked before."""
    at_call = re.compile(rf"{re.escape(message)}; in \S+, line {line}")
    return any(at_call.fullmatch(each.message) for each in errors_of(checker))


def is_reported(api: CheckerPluginInterface, message: str, line: int | None = None) -> bool:
    """Whether the file has an error that ends with these words, in a line if one is given."""
    errors = (each for several in told(checker_of(api)) for each in several)
    return any(each.message.endswith(message) and line in (None, each.line) for each in errors)


def errors_of(checker: TypeChecker) -> list[ErrorInfo]:
    """The errors of the checked file, and the notes on them."""
    return checker.errors.error_info_map.get(checker.path, [])


def errors_once(checker: TypeChecker) -> list[ErrorInfo]:
    """The errors of the checked file by their lines, each once: mypy may have one twice."""
    errors = {id(each): each for each in errors_of(checker) if each.severity == "error"}
    return sorted(errors.values(), key=lambda each: each.line)


def errors_in(checker: TypeChecker, block: Block) -> list[ErrorInfo]:
    """The errors of operations that mypy finds in a block, which it checks once more; none is reported."""
    return [each for each in found_in(checker, block) if each.code in REFUSALS]


def found_in(checker: TypeChecker, block: Block) -> list[ErrorInfo]:
    """All that mypy finds in a block, which it checks once more; nothing is reported."""
    # Where an operator is tried, `report_anyway` takes one of the two away.
    with (
        checker.msg.filter_errors(save_filtered_errors=True, filter_revealed_type=True) as outer,
        checker.msg.filter_errors(save_filtered_errors=True, filter_revealed_type=True) as inner,
    ):
        checker.accept(block)
    return [*outer.filtered_errors(), *inner.filtered_errors()]
