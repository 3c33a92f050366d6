"""What is done at the end of a file, once mypy has checked all of it."""

from __future__ import annotations

from collections.abc import Sequence

from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.reporting import errors_of
from typegrad.mypy_plugin.expressions.later_truths import refuse_later
from typegrad.mypy_plugin.expressions.sites import Sites
from typegrad.mypy_plugin.programs.lints import lint, lint_tables
from typegrad.mypy_plugin.programs.program import follow

__all__ = ["check_whole"]


def check_whole(api: CheckerPluginInterface, later: Sequence[Sites]) -> None:
    """Refuse truths that were left for later, reword mypy's errors, follow the program, and look at tables."""
    refuse_later(api, later)
    lint(api)
    checker = checker_of(api)
    if errors_of(checker):  # a file without errors does not need these
        from typegrad.mypy_plugin.rewording.steps import reword_first

        reword_first(api)
    follow(api)
    lint_tables(api)
    if errors_of(checker):
        from typegrad.mypy_plugin.rewording.steps import reword_rest

        reword_rest(api)
