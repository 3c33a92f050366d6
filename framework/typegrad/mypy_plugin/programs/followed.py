"""The programs of files, followed: once each, whichever file asks first, and what their operations make.

A file may be asked about the programs of others, which call its functions, before mypy has checked these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.checker import TypeChecker
from mypy.nodes import Context, MypyFile
from mypy.plugin import CheckerPluginInterface

from typegrad.dry_run.known.values import Value, common
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import BROADCAST, RUN
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.reporting import is_silent
from typegrad.mypy_plugin.reports.whole_file import text_of
from typegrad.mypy_plugin.values.elsewhere import assigned_elsewhere
from typegrad.mypy_plugin.values.program_files import check_always, files_of, is_own

if TYPE_CHECKING:
    from typegrad.dry_run.program import DryRun
    from typegrad.dry_run.source.places import Place

__all__ = [
    "always_made_at",
    "followed",
    "followed_before",
    "foresee",
    "importing",
    "is_followed",
    "keep",
    "made_at",
    "notes_names",
]

_runs: Final = Memory[MypyFile, "DryRun"]()
"""What is known of programs that were followed before they are checked themselves."""
_foreseen: Final = Memory[MypyFile, bool]()
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


def keep(found: DryRun) -> None:
    """Keep what the operations of a program make, for `made_at`."""
    for path, results in found.results.items():
        for place, values in results.items():
            _values.setdefault((path, place), []).extend(values)


def importing(checker: TypeChecker) -> Iterator[MypyFile]:
    """The other files that mypy has read whose programs may call functions of the checked one."""
    own = Path(checker.path).resolve()
    for tree in checker.modules.values():
        if any(Path(file).resolve() == own for file, *_ in files_of(tree.path)):
            yield tree


def is_followed(api: CheckerPluginInterface) -> bool:
    """Whether errors of the program of the checked file are told."""
    return not is_silent(api) and RUN not in checker_of(api).options.disabled_error_codes


def foresee(api: CheckerPluginInterface) -> None:
    """Have mypy check a file in its next run, too, whose program fails in another file.

    What is told in it depends on other programs then, which mypy does not know of. So it must not keep the file in its
    cache, which it writes before it checks the bodies of functions. Its daemon checks the files that have changed
    alone, so there each file tells its errors.
    """
    checker = checker_of(api)
    if is_followed(api) and checker.tree not in _foreseen and not checker.options.fine_grained_incremental:
        _foreseen[checker.tree] = True
        failures = followed_before(checker, checker.tree).failures
        check_always(checker.path, is_needed=any(each.frames[0].file != checker.path for each in failures))


def followed(checker: TypeChecker) -> DryRun:
    """What is known of the program of the checked file."""
    return _runs.pop(checker.tree, None) or _dry_run(checker, checker.tree)


def followed_before(checker: TypeChecker, tree: MypyFile) -> DryRun:
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
    return dry_run(program, find, assigned=assigned_elsewhere, notes_names=notes_names(checker))


def notes_names(checker: TypeChecker) -> bool:
    """Whether somebody asks for what names hold: who shows types, and the lint of broadcasts."""
    return checker.options.export_types or BROADCAST in checker.options.enabled_error_codes


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
