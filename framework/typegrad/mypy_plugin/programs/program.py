"""What goes wrong in a file when its program builds graphs: `dry_run` follows it, beside the types that mypy knows.

Types tell what is true of all calls of a function, a dry run what happens in this program: the sizes in a dict of
layers, the arrays that a function makes, the fields of an object.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from mypy.nodes import MypyFile
from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import WARNING
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.reporting import errors_of
from typegrad.mypy_plugin.programs.contradictions import contradictions
from typegrad.mypy_plugin.programs.followed import (
    followed,
    followed_before,
    importing,
    is_followed,
    keep,
    made_at,
    notes_names,
)
from typegrad.mypy_plugin.programs.revealed import has_revealed, reveal
from typegrad.mypy_plugin.reports.fetched_again import refuse_fetched_again
from typegrad.mypy_plugin.reports.not_run import refuse_not_run
from typegrad.mypy_plugin.reports.unchecked_equalities import refuse_unchecked_equalities

if TYPE_CHECKING:
    from typegrad.dry_run.program import DryRun

__all__ = ["follow"]

_followed: Final = Memory[MypyFile, bool]()


def follow(api: CheckerPluginInterface) -> None:
    """Follow the program of a file, once, and report what goes wrong in it.

    A file without errors, whose program has none, does not need what makes one error of a mistake.
    """
    checker = checker_of(api)
    if checker.tree in _followed or not is_followed(api):
        _settle(api)
        return
    _followed[checker.tree] = True
    found, is_revealed = followed(checker), has_revealed(api)
    if notes_names(checker) or is_revealed:
        keep(found)
    for tree in importing(checker) if is_revealed else ():
        keep(followed_before(checker, tree))
    _report(api, found)
    if is_revealed:
        reveal(api, partial(made_at, checker.tree))


def _settle(api: CheckerPluginInterface) -> None:
    """Make one error of each mistake, of those that types tell."""
    if errors_of(checker_of(api)):
        from typegrad.mypy_plugin.mistakes.once import join_declarations, keep_first, settle_types

        settle_types(api)
        join_declarations(api)
        keep_first(api)


def _report(api: CheckerPluginInterface, found: DryRun) -> None:
    checker = checker_of(api)
    contradicting = list(contradictions(checker, found.declared))
    if errors_of(checker) or found.failures or contradicting:
        from typegrad.mypy_plugin.programs.reported import report_program

        report_program(api, found, contradicting)
    if found.warnings and WARNING in checker.options.enabled_error_codes:
        from typegrad.mypy_plugin.programs.reported import report_warnings

        report_warnings(api, found)
    refuse_fetched_again(api, found.ran)
    refuse_not_run(api)
    refuse_unchecked_equalities(api, found.ran)
    if errors_of(checker):
        from typegrad.mypy_plugin.programs.reported import keep_told

        keep_told(api, found)
