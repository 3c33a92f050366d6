"""Gradients that are None or refused, as there is no path, where not all is known of what they may flow through."""

from __future__ import annotations

from collections.abc import Iterable
from traceback import walk_tb
from typing import Any, Final

from typegrad.base.errors import GradientError
from typegrad.differentiation.api import Gradients
from typegrad.dry_run.computing.open_values import may_be_computed
from typegrad.dry_run.known.unknown import UNKNOWN
from typegrad.graph.operand import AnyOperand

__all__ = ["are_paths_known", "is_of_paths", "lacks_gradient", "without_none"]

_REFUSING: Final = frozenset(("grad", "Gradients.dy", "Optimizer.apply_gradients", "Optimizer.compute_gradients"))
"""The functions that refuse that there is no gradient, whatever the shapes are."""


def are_paths_known(operands: Iterable[AnyOperand]) -> bool:
    """Whether no operand follows from one that is not known, to which there may be a path."""
    ops = {each.op for each in operands}
    return not any(may_be_computed(each) for op in ops for each in op.graph.ancestors([op]))


def is_of_paths(error: Exception) -> bool:
    """Whether an error is that there is no gradient, or none to apply."""
    *_, last = (each.f_code.co_qualname for each, _ in walk_tb(error.__traceback__))
    return isinstance(error, GradientError) and last in _REFUSING


def lacks_gradient(made: Any) -> bool:
    """Whether one of several gradients is None."""
    is_several = isinstance(made, Gradients) or type(made) in (list, tuple)
    return is_several and any(each is None or lacks_gradient(each) for each in made)


def without_none(made: Any) -> Any:
    """Gradients with what is unknown in the place of None."""
    if made is None or isinstance(made, Gradients):
        return UNKNOWN
    return type(made)(map(without_none, made)) if type(made) in (list, tuple) else made
