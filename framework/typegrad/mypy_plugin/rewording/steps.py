"""What is done with mypy's own errors, in this order: before and after a program is followed."""

from __future__ import annotations

from mypy.plugin import CheckerPluginInterface

from typegrad.mypy_plugin.rewording.added_sizes import add_sizes
from typegrad.mypy_plugin.rewording.equality import reword_equalities
from typegrad.mypy_plugin.rewording.iterations import reword_iterations
from typegrad.mypy_plugin.rewording.literals import accept_constants
from typegrad.mypy_plugin.rewording.named_sizes import explain_named_sizes
from typegrad.mypy_plugin.rewording.nones import reword_nones
from typegrad.mypy_plugin.rewording.refused_arguments import reword_arguments, reword_generic
from typegrad.mypy_plugin.rewording.refused_fetches import reword_fetches
from typegrad.mypy_plugin.rewording.refused_gradients import reword_gradients
from typegrad.mypy_plugin.rewording.refused_operators import reword
from typegrad.mypy_plugin.rewording.remedies import add_remedies

__all__ = ["reword_first", "reword_rest"]


def reword_first(api: CheckerPluginInterface) -> None:
    """Say what the run says, and what to write."""
    accept_constants(api)
    reword_nones(api)
    reword(api)
    reword_iterations(api)
    reword_equalities(api)
    reword_arguments(api)
    reword_fetches(api)
    reword_gradients(api)
    add_remedies(api)


def reword_rest(api: CheckerPluginInterface) -> None:
    """Say more of the errors that are left once each mistake is one error."""
    reword_generic(api)
    add_sizes(api)
    explain_named_sizes(api)
