"""The passes over the steps of a plan: each makes less to run, and changes no result and no error, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from typegrad.base.brief import brief
from typegrad.base.errors import OptionError
from typegrad.session.passes.broadcasts import absorb_broadcasts
from typegrad.session.passes.common_subexpressions import merge_common_subexpressions
from typegrad.session.passes.constant_folding import fold_constants
from typegrad.session.passes.reads import borrow_reads
from typegrad.session.passes.simplification import simplify
from typegrad.session.passes.sums import absorb_products
from typegrad.session.passes.transposes import absorb_transposes
from typegrad.session.passes.unused import remove_unused
from typegrad.session.steps import Steps

__all__ = ["PASSES", "PASS_NAMES", "chosen_passes"]

Pass: TypeAlias = Callable[[Steps], int]
"""Transforms steps; returns how many it has removed or changed."""

PASSES: Final[dict[str, Pass]] = {
    "constant_folding": fold_constants,
    "simplification": simplify,
    "common_subexpressions": merge_common_subexpressions,
    "transposes": absorb_transposes,
    "broadcasts": absorb_broadcasts,
    "unused": remove_unused,
    "sums": absorb_products,
    "reads": borrow_reads,
}
"""Every pass by its name, in the order in which they are applied."""

PASS_NAMES: Final = (*PASSES, "fusion")
"""The names that a session chooses from. Fusion belongs to the program, as each executor has its own."""


def chosen_passes(names: Iterable[str] | None) -> frozenset[str]:
    """The passes of these names, or all if `names` is None; an `OptionError` if there is none of a name."""
    chosen = frozenset(PASS_NAMES if names is None else names)
    unknown = sorted(chosen.difference(PASS_NAMES))
    if unknown:
        raise OptionError(f"there is no pass {brief(unknown[0])}; the passes are {', '.join(PASS_NAMES)}")
    return chosen
