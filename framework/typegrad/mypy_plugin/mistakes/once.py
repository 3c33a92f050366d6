"""What makes one error of a mistake, in the order in which it is done: before and after a program is followed.

Each step reads the errors of the file that there are, and drops some of them, or puts one in the place of several.
"""

from __future__ import annotations

from collections.abc import Sequence

from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.mistakes.causes import drop_fetched, drop_repeated
from typegrad.mypy_plugin.mistakes.consequences import drop_consequences, drop_of_early
from typegrad.mypy_plugin.mistakes.declarations import join_misdeclared
from typegrad.mypy_plugin.mistakes.exchanged import name_exchanged
from typegrad.mypy_plugin.mistakes.misannotated import join_misannotated
from typegrad.mypy_plugin.mistakes.quotients import join_quotients
from typegrad.mypy_plugin.mistakes.result_names import name_exchanged_results
from typegrad.mypy_plugin.mistakes.unpacked import drop_undetermined
from typegrad.mypy_plugin.mistakes.wholes import join_wholes

__all__ = ["join_declarations", "keep_first", "settle_types"]


def settle_types(api: CheckerPluginInterface) -> None:
    """Settle what types say of calls, and of values without types."""
    name_exchanged(api)
    name_exchanged_results(api)
    drop_consequences(checker_of(api))
    drop_undetermined(checker_of(api))


def join_declarations(api: CheckerPluginInterface, failing: Sequence[int] = ()) -> None:
    """Put an error at a declaration in the place of those where it is used.

    `failing` are the lines that are running where the program fails.
    """
    join_misannotated(api, failing)
    join_misdeclared(api)


def keep_first(api: CheckerPluginInterface, failing: Sequence[int] = ()) -> None:
    """Keep the first error about each value."""
    drop_of_early(checker_of(api))
    join_wholes(checker_of(api))
    join_quotients(checker_of(api))
    drop_repeated(api, failing)
    drop_fetched(api)
