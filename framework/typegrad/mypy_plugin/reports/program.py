"""What goes wrong in a file when its program builds graphs: `dry_run` follows it, beside the types that mypy knows.

Types tell what is true of all calls of a function, a dry run what happens in this program: the sizes in a dict of
layers, the arrays that a function makes, the fields of an object.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Context, Decorator, FuncDef, MypyFile, RefExpr, TypeInfo
from mypy.plugin import CheckerPluginInterface

from typegrad.base.brief import without_addresses
from typegrad.base.errors import AttributeValueError, DTypeError, OptionError, ShapeError, TypegradError
from typegrad.base.misspelt import nearest
from typegrad.dry_run.known.values import Value, common
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, BROADCAST, CALL, DTYPE, RUN, SHAPE, WARNING
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.reporting import drop, errors_of, is_silent, report_raised
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.reports.causes import drop_fetched, drop_made, drop_repeated, is_repeated, note_repeated
from typegrad.mypy_plugin.reports.consequences import (
    drop_consequences,
    drop_of_early,
    is_mistake,
    is_serious,
    line_of_body,
)
from typegrad.mypy_plugin.reports.contradictions import contradictions
from typegrad.mypy_plugin.reports.declarations import join_misdeclared
from typegrad.mypy_plugin.reports.definitions import is_of_header
from typegrad.mypy_plugin.reports.exchanged import name_exchanged
from typegrad.mypy_plugin.reports.fetched_again import refuse_fetched_again
from typegrad.mypy_plugin.reports.isolated import without_isolated
from typegrad.mypy_plugin.reports.misannotated import join_misannotated
from typegrad.mypy_plugin.reports.names import in_lines
from typegrad.mypy_plugin.reports.not_run import refuse_not_run
from typegrad.mypy_plugin.reports.result_names import name_exchanged_results
from typegrad.mypy_plugin.reports.revealed import has_revealed, reveal
from typegrad.mypy_plugin.reports.unpacked import drop_missing, drop_undetermined
from typegrad.mypy_plugin.reports.whole_file import text_of
from typegrad.mypy_plugin.values.elsewhere import assigned_elsewhere
from typegrad.mypy_plugin.values.program_files import files_of, is_own

if TYPE_CHECKING:
    from typegrad.dry_run.program import DryRun
    from typegrad.dry_run.source.places import Place
    from typegrad.dry_run.tracking.core import Failure, Frame

__all__ = ["always_made_at", "follow", "made_at"]

_CODES: Final[Mapping[type[Exception], ErrorCode]] = {
    ShapeError: SHAPE, DTypeError: DTYPE, AttributeValueError: ATTRIBUTE, OptionError: CALL,
}  # fmt: skip
_OWN: Final = "typegrad-"
_OWN_WORDS: Final = (TypegradError, UserWarning)
"""What typegrad itself raises and warns of."""
_INPUT: Final = re.compile(r"^ *([\w\[\]]+) = '([^']*)' \((\w+), .*, created at (.*):(\d+)\)$", re.MULTILINE)
"""An input of the node, the operand, of which type it is, and where it was made."""
_NODE: Final = re.compile(r"^\w+ '[^']*' \(created at (.*):(\d+)\)")
"""The node, if it is in the graph, and where it was made."""

_MODULE: Final = "<module>"
"""What Python calls the code of a module that is in no function."""
_OF_METHOD: Final = re.compile(r'Argument \S+ to "\w+" of "')
"""What mypy says of an argument of a method."""
_OPERATION: Final = re.compile(r"([A-Z]\w+): shapes ")
_OPERATION_RAISED: Final = re.compile(r"([A-Z]\w+) '[^']*' \(.*?\): shapes ")
"""What a type checker and a run say of operations whose operands do not broadcast."""
_CALLED: Final = "called in line"
_RETURNS: Final = " returns an operand of shape ["
_SHAPE: Final = re.compile(r"\[.*?\]")
_MISFIT: Final = re.compile(r"^run: the feed of .* which does not fit (\[.*?\])(?:;|$)")

_followed: Final = Memory[MypyFile, bool]()
_runs: Final = Memory[MypyFile, "DryRun"]()
"""What is known of programs that were followed before they are checked themselves."""
_values: Final[Memory[tuple[str, Place], list[Value | None]]] = Memory()
"""The results of operations, by file and place, in all programs that were followed."""


def made_at(tree: MypyFile, operation: Context) -> Value | None:
    """What an operation makes, as far as it is the same in all programs that were followed; None if nothing is."""
    values = _made_at(tree, operation)
    return common(values) if values else None


def always_made_at(tree: MypyFile, operation: Context) -> Value | None:
    """What an operation makes, if that is the same each time; None otherwise."""
    values = _made_at(tree, operation)
    return values[0] if values and all(each == values[0] for each in values) else None


def _made_at(tree: MypyFile, operation: Context) -> Sequence[Value | None]:
    place = operation.line, operation.column, operation.end_line or 0, operation.end_column or 0
    return _values.get((tree.path, place), ())


def follow(api: CheckerPluginInterface) -> None:
    """Report the errors of a file's program, unless they may be consequences of mistakes of which types have told.

    Errors in the bodies of functions for the arguments of a call are not among these. They are taken back if the body
    is wrong for all arguments, which is reported there, or if the call raises none in the program.
    """
    checker = checker_of(api)
    name_exchanged(api)
    name_exchanged_results(api)
    drop_consequences(checker)
    drop_undetermined(checker)
    is_off = is_silent(api) or RUN in checker.options.disabled_error_codes
    if checker.tree in _followed or is_off:
        join_misannotated(api)
        join_misdeclared(api)
        drop_of_early(checker)
        drop_repeated(api)
        return
    _followed[checker.tree] = True
    found = _runs.pop(checker.tree, None) or _dry_run(checker, checker.tree)
    join_misannotated(api, _first_lines(checker, found))
    join_misdeclared(api)
    is_revealed = has_revealed(api)
    if _notes_names(checker) or is_revealed:
        _keep(found)
    for tree in _importing(checker) if is_revealed else ():
        _keep(_followed_before(checker, tree))
    errors = errors_of(checker)
    mistakes = without_isolated(checker.tree, [each for each in errors if is_mistake(each)])
    if mistakes:
        _report_above(api, [*found.failures, *_failures_elsewhere(checker, mistakes)], mistakes)
    else:
        _report(api, found)
    if WARNING in checker.options.enabled_error_codes:
        _report_warnings(api, found)
    refuse_fetched_again(api, found.ran)
    refuse_not_run(api)
    drop_missing(checker)
    drop_of_early(checker)
    drop_repeated(api, _first_lines(checker, found))
    drop_fetched(api)
    if is_revealed:
        reveal(api, partial(made_at, checker.tree))


def _first_lines(checker: TypeChecker, found: DryRun) -> list[int]:
    """The lines that are running where the program fails; none if a method may fail before, of an argument.

    The arguments of functions that nothing calls are not known, and so their methods are not followed.
    """
    first = next(iter(found.failures), None)
    lines = [] if first is None else _lines_in(checker.path, first)
    above = (each for each in errors_of(checker) if each.line < min(lines, default=0))
    is_uncalled = first is not None and first.frames[-1].function != _MODULE
    return [] if is_uncalled and any(_OF_METHOD.match(each.message) for each in above) else lines


def _keep(found: DryRun) -> None:
    """Keep what the operations of a program make, for `made_at`."""
    for path, results in found.results.items():
        for place, values in results.items():
            _values.setdefault((path, place), []).extend(values)


def _importing(checker: TypeChecker) -> Iterator[MypyFile]:
    """The other files that mypy has read whose programs may call functions of the checked one."""
    own = Path(checker.path).resolve()
    for tree in checker.modules.values():
        if any(Path(file).resolve() == own for file, *_ in files_of(tree.path)):
            yield tree


def _failures_elsewhere(checker: TypeChecker, mistakes: Sequence[ErrorInfo]) -> Iterator[Failure]:
    """The errors of programs that call functions of the file, above mistakes in these, which may follow from them.

    Not in mypy's daemon, which does not see when another file changes.
    """
    if checker.options.fine_grained_incremental:
        return
    functions = [each for each in nodes_of(checker.tree) if isinstance(each, FuncDef)]
    wrong = {_around(functions, each.line): each.line for each in reversed(mistakes)}
    for tree in _importing(checker) if wrong.keys() - {None} else ():
        for failure in _followed_before(checker, tree).failures:
            frame = failure.frames[0]
            if frame.file == checker.path and frame.line < wrong.get(_around(functions, frame.line), 0):
                yield failure


def _followed_before(checker: TypeChecker, tree: MypyFile) -> DryRun:
    """What is known of the program of a file that is checked later."""
    if tree not in _runs:
        _runs[tree] = _dry_run(checker, tree)
    return _runs[tree]


def _dry_run(checker: TypeChecker, tree: MypyFile) -> DryRun:
    """What is known of the program of a file."""
    from typegrad.dry_run.program import Module, dry_run  # with the parts of typegrad that build graphs

    files = [] if tree is checker.tree else [file for file, *_ in files_of(tree.path)]

    def find(name: str) -> Module | None:
        path = _path(checker, name) or _file_of(name, files)
        return None if path is None else Module(name, path, text_of(checker, path))

    program = Module(tree.fullname, tree.path, text_of(checker, tree.path))
    return dry_run(program, find, assigned=assigned_elsewhere, notes_names=_notes_names(checker))


def _notes_names(checker: TypeChecker) -> bool:
    """Whether somebody asks for what names hold: who shows types, and the lint of broadcasts."""
    return checker.options.export_types or BROADCAST in checker.options.enabled_error_codes


def _report(api: CheckerPluginInterface, found: DryRun) -> None:
    """Report the errors of a program, and take back those of types that it refutes.

    If what the program makes is not what it declares, errors may follow from that, so this alone is reported.
    """
    checker = checker_of(api)
    errors = errors_of(checker)
    wrong_types = [
        each for each in _first(contradictions(checker, found.declared)) if not _is_ignored(checker, each, of_it=False)
    ]
    causes = [each for each in wrong_types if not _is_ignored(checker, each, of_it=True)]
    of_calls = [each for each in errors if line_of_body(each) is not None]
    failing: set[int] = set()
    told: set[int] = set()
    passed: list[ErrorInfo] = []
    may_follow = _may_follow(checker, found.ran)
    for failure in (*wrong_types, *(() if causes else found.failures)):
        lines = _lines_in(checker.path, failure)
        failing.update(lines)
        if lines and not may_follow and not _is_told_by_types(checker, failure, lines):
            report_raised(api, _code(failure.error), _told(failure, checker.path, lines), Context(lines[0], 0))
            told.add(lines[0])
            passed += [each for each in of_calls if each.line in lines and _is_later(each, lines)]
        for each in of_calls if lines else ():
            _explain(each, failure, checker.path, lines)
    called = {place[:2] for place in found.calls}
    left = [each for each in of_calls if each.line not in failing]
    right = [each for each in left if (each.line, each.column) in called]
    again = [each for each in of_calls if line_of_body(each) in told]
    later = [each for each in left if any(_is_alike(each, failure) for failure in found.failures)]
    dropped = {id(each) for each in (*right, *again, *later, *passed)}
    errors[:] = [each for each in errors if id(each) not in dropped]


def _report_warnings(api: CheckerPluginInterface, found: DryRun) -> None:
    """Report what typegrad warns of in a program, once for each line, though loops come there again."""
    path = checker_of(api).path
    first: dict[int, Failure] = {}
    for each in found.warnings:
        for line in _lines_in(path, each)[:1]:
            first.setdefault(line, each)
    for line, each in first.items():
        report_raised(api, WARNING, _told(each, path, _lines_in(path, each)), Context(line, 0))


def _first(contradicting: Iterable[Failure]) -> list[Failure]:
    """The errors about declarations, without those that are about what a function returns that is refused itself."""
    kept: list[Failure] = []
    returned: list[set[str]] = []
    for each in contradicting:
        text = str(each.error)
        shapes = set(_SHAPE.findall(text))
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
        lines, errors = _lines_in(checker.path, failure), errors_of(checker)
        outer = [each for each in mistakes if _is_outer(each, failure, checker.path)]
        if lines and is_of_header(checker.tree, lines[0], mistakes):
            continue
        if lines and all(_is_above(functions, lines, each.line) for each in mistakes if each not in outer):
            drop(errors, outer)
            if _is_told_by_types(checker, failure, lines):
                continue
            drop_made(api, lines)
            drop(errors, [each for each in errors if _is_alike(each, failure)])
            report_raised(api, _code(failure.error), _told(failure, checker.path, lines), Context(lines[0], 0))


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


def _code(error: Exception) -> ErrorCode:
    """The code that mypy gives an error where types tell it."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), RUN)


def _is_ignored(checker: TypeChecker, failure: Failure, *, of_it: bool) -> bool:
    """Whether the line of an error has a comment to ignore errors of its code, or else only those of other codes."""
    line = next((frame.line for frame in failure.frames if frame.file == checker.path), 0)
    codes_ = checker.errors.ignored_lines.get(checker.path, {}).get(line)
    return codes_ is not None and (not codes_ or _code(failure.error).code in codes_) is of_it


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
    return any(code.startswith(_OWN) for line in lines for code in ignored.get(line, ())) or any(
        is_serious(each) and each.line == frame.line and not _is_later(each, _lines_in(frame.file, failure))
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


def _lines_in(path: str, failure: Failure) -> list[int]:
    """The lines of a file that lead to an error."""
    return [frame.line for frame in failure.frames if frame.file == path]


def _is_later(error: ErrorInfo, lines: Sequence[int]) -> bool:
    """Whether types tell of a call from a line of a body to which the program does not come, as it fails before."""
    line = line_of_body(error)
    return line is not None and line not in lines


def _differ(told: str, raised: str) -> bool:
    """Whether two errors are about other sizes, as of two calls in one line."""
    sizes = [[_sizes(each) for each in _SHAPE.findall(text)] for text in (told, raised)]
    pairs = [pair for shapes in zip(*sizes, strict=False) for pair in zip(*shapes, strict=False)]
    return any(one.isdecimal() and other.isdecimal() and one != other for one, other in pairs)


def _sizes(shape: str) -> list[str]:
    """The sizes in the text of a shape."""
    return shape[1:-1].split(", ")


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


def _path(checker: TypeChecker, name: str) -> str | None:
    """The file of another module of the program."""
    tree = checker.modules.get(name)
    path = "" if tree is None else tree.path
    return path if is_own(path) else None


def _file_of(name: str, files: Iterable[str]) -> str | None:
    """The file of a module that mypy has not read yet, among those of the program."""
    relative = name.replace(".", "/")
    ends = f"/{relative}.py", f"/{relative}/__init__.py"
    return next((each for each in files if f"/{each}".endswith(ends)), None)


def _told(failure: Failure, path: str, lines: Sequence[int]) -> str:
    """What an error says, with the lines where its operands were made, and the lines of the calls that lead to it."""
    from typegrad.dry_run.source.naming import renamed

    error = failure.error
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    kind = "" if isinstance(error, _OWN_WORDS) else f"{_kind(error)}: "
    first, _, rest = text.partition("\n")
    origins = _origins(failure, path, lines)
    if first.endswith(":"):  # a list follows
        first = f"{first} {'; '.join(map(str.strip, rest.splitlines()))}"
    first = first.rstrip()  # NumPy's have a space there
    if isinstance(error, _OWN_WORDS):
        first = renamed(first, failure.held, path)
    first = _without_repeats(without_addresses(first))
    calls = _called_in(each for each in dict.fromkeys(lines[1:]) if each != lines[0])
    if isinstance(error, AttributeError):
        name = error.name or ""
        near = nearest(name, [each for each in dir(error.obj) if name.startswith("_") or not each.startswith("_")])
        first = first if near is None else f"{first}; did you mean .{near}?"
    elsewhere = _elsewhere(failure.frames[0], path)
    return "; ".join([f"{kind}{first}", *origins, *elsewhere, *calls])


def _explain(error: ErrorInfo, failure: Failure, path: str, lines: Sequence[int]) -> None:
    """Say of a call that types refuse which calls lead to the line that fails, and where its operands were made."""
    is_same = line_of_body(error) == lines[0] and not _differ(error.message, str(failure.error).partition("\n")[0])
    what, _, place = error.message.rpartition("; ")
    if error.line not in lines[2:] or not is_same or _CALLED in place:
        return
    inner = _called_in(dict.fromkeys(lines[1 : lines.index(error.line)]))
    error.message = "; ".join([what, *_origins(failure, path, lines), ", ".join([place, *inner])])


def _called_in(lines: Iterable[int]) -> list[str]:
    """The lines of the calls that lead to an error, in words; nothing if there are none."""
    callers = list(map(str, lines))
    return [f"{_CALLED}{'s' * (len(callers) > 1)} {', '.join(callers)}"] if callers else []


def _origins(failure: Failure, path: str, lines: Sequence[int]) -> list[str]:
    """The lines where the operands of an error were made, in words; nothing if there are none."""
    from typegrad.dry_run.source.naming import name_of

    first, _, rest = str(failure.error).partition("\n")
    if first.endswith(":"):  # a list follows
        return []
    node = _NODE.match(first)
    own = [(path, str(lines[0])), *([] if node is None else [node.groups()])]  # not told once more
    made = [
        ("the variable", None, int(line))
        if type_ == "Variable" and f"'{operand}'" in first
        else (name, name_of(operand, f"{path}:{line}", failure.held), int(line))
        for name, operand, type_, file, line in _INPUT.findall(rest)
        if file == path and (file, line) not in own
    ]
    inputs = [_origin(names, line) for line, names in _by_line(made).items()]
    return [", ".join(inputs)] if inputs else []


def _without_repeats(text: str) -> str:
    """A list without what follows itself, as the nodes that one line makes have one name here."""
    parts = text.split("; ")
    return "; ".join(
        part
        for previous, part in zip(["", *parts], parts, strict=False)
        if part != previous and not previous.endswith(f" is cut at {part}")
    )


def _elsewhere(frame: Frame, path: str) -> Iterator[str]:
    """Where the line that fails is, if it is in another file."""
    if frame.file != path:
        place = f"line {frame.line} of {Path(frame.file).name}"
        yield f"in {place}" if frame.function.endswith(">") else f"in {frame.function}, {place}"


def _kind(error: Exception) -> str:
    """The name of the class of an error, or of the public one that it is made of."""
    return next(each.__name__ for each in type(error).__mro__ if not each.__name__.startswith("_"))


def _by_line(made: Iterable[tuple[str, str | None, int]]) -> dict[int, list[tuple[str, str | None]]]:
    """The names of inputs, and what the program calls them, by the line where they were made."""
    result: dict[int, list[tuple[str, str | None]]] = {}
    for name, own, line in made:
        result.setdefault(line, []).append((name, own))
    return result


def _origin(inputs: Sequence[tuple[str, str | None]], line: int) -> str:
    """Which operands some inputs are, as "a is 'h' and b is 'w' from line 8"; only the line, if one has no name."""
    if all(own not in (None, name) for name, own in inputs):
        return f"{' and '.join(f'{name} is {own!r}' for name, own in inputs)} from line {line}"
    return f"{', '.join(name for name, _ in inputs)} {'is' if len(inputs) == 1 else 'are'} from line {line}"
