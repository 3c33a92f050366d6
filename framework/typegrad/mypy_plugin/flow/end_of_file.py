"""What is done at the end of a file, once mypy has checked all of it."""

from __future__ import annotations

from collections.abc import Sequence

from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import LINTS
from typegrad.mypy_plugin.base.reporting import errors_of
from typegrad.mypy_plugin.expressions.later_truths import refuse_later
from typegrad.mypy_plugin.expressions.sites import Sites
from typegrad.mypy_plugin.programs.program import follow

__all__ = ["check_whole"]


def check_whole(api: CheckerPluginInterface, later: Sequence[Sites]) -> None:
    """Refuse truths that were left for later, reword mypy's errors, follow the program, and look at tables."""
    checker = checker_of(api)
    is_linted = not LINTS.isdisjoint(checker.options.enabled_error_codes)
    refuse_later(api, later)
    if is_linted:
        from typegrad.mypy_plugin.programs.lints import lint

        lint(api)
    if errors_of(checker):  # most files have none
        from typegrad.mypy_plugin.rewording.steps import reword_first

        reword_first(api)
    follow(api)
    if is_linted:
        from typegrad.mypy_plugin.programs.lints import lint_tables

        lint_tables(api)
    if errors_of(checker):
        from typegrad.mypy_plugin.rewording.steps import reword_rest

        reword_rest(api)
