"""The errors of a program beside those of types: which are told, and which of types they refute or lead to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Context, Decorator, FuncDef, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import WARNING
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report_raised
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.causes import drop_made, is_repeated, note_repeated
from typegrad.mypy_plugin.mistakes.consequences import (
    is_mistake,
    is_serious,
    line_of_body,
)
from typegrad.mypy_plugin.mistakes.definitions import is_of_header
from typegrad.mypy_plugin.mistakes.isolated import without_isolated
from typegrad.mypy_plugin.mistakes.names import in_lines
from typegrad.mypy_plugin.mistakes.once import join_declarations, keep_first, settle_types
from typegrad.mypy_plugin.mistakes.unpacked import drop_missing, drop_undetermined
from typegrad.mypy_plugin.programs.failures import SHAPE_IN_TEXT, code_of, explain, is_later, lines_in, message_of
from typegrad.mypy_plugin.programs.followed import followed_before, importing
from typegrad.mypy_plugin.programs.former_passes import may_follow_below
from typegrad.mypy_plugin.programs.told_once import report_failure

if TYPE_CHECKING:
    from typegrad.dry_run.program import DryRun
    from typegrad.dry_run.tracking.core import Failure, Frame

__all__ = ["keep_told", "report_program", "report_warnings"]

_OWN: Final = "typegrad-"
_MODULE: Final = "<module>"
"""What Python calls the code of a module that is in no function."""
_OF_METHOD: Final = re.compile(r'Argument \S+ to "\w+" of "')
"""What mypy says of an argument of a method."""
_OPERATION: Final = re.compile(r"([A-Z]\w+): shapes ")
_OPERATION_RAISED: Final = re.compile(r"([A-Z]\w+) '[^']*' \(.*?\): shapes ")
"""What a type checker and a run say of operations whose operands do not broadcast."""
_RETURNS: Final = " returns an operand of shape ["
_MISFIT: Final = re.compile(r"^run: the feed of .* which does not fit (\[.*?\])(?:;|$)")


def report_program(api: CheckerPluginInterface, found: DryRun, contradicting: Iterable[Failure]) -> None:
    """Report the errors of a program, unless they may be consequences of mistakes of which types have told.

    Errors in the bodies of functions for the arguments of a call are not among these. They are taken back if the body
    is wrong for all arguments, which is reported there, or if the call raises none in the program. `contradicting` are
    the errors of values that do not fit their declarations.
    """
    checker = checker_of(api)
    settle_types(api)
    join_declarations(api, _first_lines(checker, found))
    mistakes = without_isolated(checker.tree, [each for each in errors_of(checker) if is_mistake(each)])
    if mistakes:
        _report_above(api, [*found.failures, *_failures_elsewhere(checker, mistakes)], mistakes)
    else:
        _report(api, found, contradicting)


def keep_told(api: CheckerPluginInterface, found: DryRun) -> None:
    """Keep one error of each mistake, once all are told."""
    drop_undetermined(checker_of(api))  # again, as the program may fail at an unpacking
    drop_missing(checker_of(api))
    keep_first(api, _first_lines(checker_of(api), found))


def _first_lines(checker: TypeChecker, found: DryRun) -> list[int]:
    """The lines that are running where the program fails; none if a method may fail before, of an argument.

    The arguments of functions that nothing calls are not known, and so their methods are not followed.
    """
    first = next(iter(found.failures), None)
    lines = [] if first is None else lines_in(checker.path, first)
    above = (each for each in errors_of(checker) if each.line < min(lines, default=0))
    is_uncalled = first is not None and first.frames[-1].function != _MODULE
    return [] if is_uncalled and any(_OF_METHOD.match(each.message) for each in above) else lines


def _failures_elsewhere(checker: TypeChecker, mistakes: Sequence[ErrorInfo]) -> Iterator[Failure]:
    """The errors of programs that call functions of the file, above mistakes in these, which may follow from them.

    Not in mypy's daemon, which does not see when another file changes.
    """
    if checker.options.fine_grained_incremental:
        return
    functions = [each for each in nodes_of(checker.tree) if isinstance(each, FuncDef)]
    wrong = {_around(functions, each.line): each.line for each in reversed(mistakes)}
    for tree in importing(checker) if wrong.keys() - {None} else ():
        for failure in followed_before(checker, tree).failures:
            frame = failure.frames[0]
            if frame.file == checker.path and frame.line < wrong.get(_around(functions, frame.line), 0):
                yield failure


def _report(api: CheckerPluginInterface, found: DryRun, contradicting: Iterable[Failure]) -> None:
    """Report the errors of a program, and take back those of types that it refutes.

    If what the program makes is not what it declares, errors may follow from that, so this alone is reported.
    """
    checker = checker_of(api)
    errors = errors_of(checker)
    wrong_types = [each for each in _first(contradicting) if not _is_ignored(checker, each, of_it=False)]
    causes = [each for each in wrong_types if not _is_ignored(checker, each, of_it=True)]
    of_calls = [each for each in errors if line_of_body(each) is not None]
    failing: set[int] = set()
    told: set[int] = set()
    passed: list[ErrorInfo] = []
    may_follow = _may_follow(checker, found.ran)
    for failure in (*wrong_types, *(() if causes else found.failures)):
        lines = lines_in(checker.path, failure)
        failing.update(lines)
        if lines and not may_follow and not _is_told_by_types(checker, failure, lines):
            report_failure(api, failure, lines)
            told.add(lines[0])
            passed += [each for each in of_calls if each.line in lines and is_later(each, lines)]
        for each in of_calls if lines else ():
            explain(each, failure, checker.path, lines)
    called = {place[:2] for place in found.calls}
    left = [each for each in of_calls if each.line not in failing]
    right = [each for each in left if (each.line, each.column) in called]
    again = [each for each in of_calls if line_of_body(each) in told]
    later = [each for each in left if any(_is_alike(each, failure) for failure in found.failures)]
    dropped = {id(each) for each in (*right, *again, *later, *passed)}
    errors[:] = [each for each in errors if id(each) not in dropped]


def report_warnings(api: CheckerPluginInterface, found: DryRun) -> None:
    """Report what typegrad warns of in a program, once for each line, though loops come there again."""
    path = checker_of(api).path
    first: dict[int, Failure] = {}
    for each in found.warnings:
        for line in lines_in(path, each)[:1]:
            first.setdefault(line, each)
    for line, each in first.items():
        report_raised(api, WARNING, message_of(each, path, lines_in(path, each)), Context(line, 0))


def _first(contradicting: Iterable[Failure]) -> list[Failure]:
    """The errors about declarations, without those that are about what a function returns that is refused itself."""
    kept: list[Failure] = []
    returned: list[set[str]] = []
    for each in contradicting:
        text = str(each.error)
        shapes = set(SHAPE_IN_TEXT.findall(text))
        if _RETURNS in text:
            returned.append(shapes)
        elif shapes and shapes in returned:
            continue
        kept.append(each)
    return kept


def _is_alike(error: ErrorInfo, failure: Failure) -> bool:
    """Whether a feed of a later call does not fit an operand of a shape that an error of the program is about."""
    shape = _MISFIT.search(error.message)
    return shape is not None and shape[1] in str(failure.error)


def _report_above(api: CheckerPluginInterface, failures: Iterable[Failure], mistakes: Sequence[ErrorInfo]) -> None:
    """Report the errors of programs that come before all mistakes of which types have told, and drop what follows."""
    checker = checker_of(api)
    functions = [each for each in nodes_of(checker.tree) if isinstance(each, FuncDef)]
    for failure in failures:
        lines, errors = lines_in(checker.path, failure), errors_of(checker)
        outer = [each for each in mistakes if _is_outer(each, failure, checker.path)]
        if lines and is_of_header(checker.tree, lines[0], mistakes):
            continue
        if any(may_follow_below(checker, failure, each) for each in mistakes):
            continue
        if lines and all(_is_above(functions, lines, each.line) for each in mistakes if each not in outer):
            drop(errors, outer)
            if _is_told_by_types(checker, failure, lines):
                continue
            drop_made(api, lines)
            drop(errors, [each for each in errors if _is_alike(each, failure)])
            report_failure(api, failure, lines)


def _is_outer(error: ErrorInfo, failure: Failure, path: str) -> bool:
    """Whether types tell of an operation in the line that fails, but the program fails at another one, before it."""
    frame, told = failure.frames[0], _OPERATION.match(error.message)
    raised = _OPERATION_RAISED.match(str(failure.error))
    is_same_line = frame.file == path and frame.line == error.line
    return is_same_line and told is not None and raised is not None and told[1] != raised[1]


def _is_above(functions: Sequence[FuncDef], lines: Sequence[int], line: int) -> bool:
    """Whether an error with some lines comes before another line: as a whole, or in the function that it is in."""
    around = _around(functions, line)
    is_inside = around is not None and any(each < line and _around(functions, each) is around for each in lines)
    return is_inside or max(lines, default=line) < line


def _around(functions: Sequence[FuncDef], line: int) -> FuncDef | None:
    """The innermost function around a line."""
    around = [each for each in functions if each.line <= line <= (each.end_line or each.line)]
    return max(around, key=lambda each: each.line, default=None)


def _is_ignored(checker: TypeChecker, failure: Failure, *, of_it: bool) -> bool:
    """Whether the line of an error has a comment to ignore errors of its code, or else only those of other codes."""
    line = next((frame.line for frame in failure.frames if frame.file == checker.path), 0)
    codes_ = checker.errors.ignored_lines.get(checker.path, {}).get(line)
    return codes_ is not None and (not codes_ or code_of(failure.error).code in codes_) is of_it


def _is_told_by_types(checker: TypeChecker, failure: Failure, lines: Sequence[int]) -> bool:
    """Whether types have told of a mistake in a line that leads to this error, here or in another module.

    What a comment ignores was told. mypy does not say which errors of a module its cache has: of such a module, the
    error is told here, too.
    """
    ignored = checker.errors.used_ignored_lines.get(checker.path, {})
    if any(is_repeated(frame.file, frame.line) for frame in failure.frames if frame.file != checker.path):
        return True
    if _calls_refused(checker, failure.frames[0]):
        note_repeated(checker.path, failure.frames[0].line)
        return True
    running = (line for frame in failure.frames if frame.file == checker.path for line in frame.lines)
    return any(code.startswith(_OWN) for line in running for code in ignored.get(line, ())) or any(
        is_serious(each) and each.line in frame.lines and not is_later(each, lines_in(frame.file, failure))
        for frame in failure.frames
        for each in checker.errors.error_info_map.get(frame.file, ())
    )


def _calls_refused(checker: TypeChecker, frame: Frame) -> bool:
    """Whether a line of the file calls a function of another one that has a mistake, which the error follows from."""
    if frame.file != checker.path:
        return False
    told = (each for path, errors in checker.errors.error_info_map.items() if path != frame.file for each in errors)
    refused = {each.target for each in told if is_mistake(each)}
    called = (each.callee for each in in_lines(checker.tree, {frame.line}) if isinstance(each, CallExpr))
    return any(isinstance(each, RefExpr) and each.fullname and each.fullname in refused for each in called)


def _may_follow(checker: TypeChecker, ran: Collection[tuple[str, str]]) -> bool:
    """Whether an error of the program may follow from a mistake in another module, in code that ran."""
    return any(
        is_mistake(each) and (path, _function(checker, each)) in ran
        for path, errors in checker.errors.error_info_map.items()
        if path != checker.path and (path, "") in ran
        for each in errors
    )


def _function(checker: TypeChecker, error: ErrorInfo) -> str:
    """The name of the function that an error is in; "" at the level of a module, and in what no call names.

    Such are a method that makes an object, and a property.
    """
    owner, _, name = (error.target or "").removeprefix(error.module or "").rpartition(".")
    tree = checker.modules.get(error.module or "")
    symbol = None if tree is None else tree.names.get(owner.rpartition(".")[2])
    method = symbol.node.names.get(name) if symbol is not None and isinstance(symbol.node, TypeInfo) else None
    is_property = method is not None and isinstance(method.node, Decorator) and method.node.var.is_property
    return "" if name == "__init__" or is_property else name
