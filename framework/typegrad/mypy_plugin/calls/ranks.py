"""Shapes of any number of dimensions that no type states: of a `Stack` of operands of shape S, of a `Transpose` of one.

They are known for each number of dimensions of S, so operations that take them may have a shape that a type states:
`Mean` of that `Stack` over the first dimension is an S.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen
from mypy.constant_fold import constant_fold_expr
from mypy.nodes import Context, Expression, IndexExpr, NameExpr
from mypy.plugin import CheckerPluginInterface

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Rest
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import StaticOperand
from typegrad.mypy_plugin.values.following import bound_to, only_value

__all__ = ["Case", "Pattern", "Ranked", "pattern_of", "remember_ranks", "remember_results"]

Case: TypeAlias = tuple[int, int]
"""A number of dimensions, and which of the choices of dimensions of a `ReducedRest` that are 1."""


@frozen
class Ranked:
    """The shape of an operand in each case in which what it is made of fits."""

    rests: frozenset[Rest]
    shapes: Mapping[Case, Shape]

    def at(self, case: Case) -> Shape | None:
        """The shape in a case, also one with choices for another operand's dimensions; None if nothing fits."""
        return self.shapes.get(case, self.shapes.get((case[0], 0)))

    @property
    def has_other_rank(self) -> bool:
        """Whether the operand has never as many dimensions as what it is made of."""
        return bool(self.shapes) and all(shape.rank not in (None, rank) for (rank, _), shape in self.shapes.items())


Pattern: TypeAlias = Shape | Ranked
"""The shape of an operand of any number of dimensions: with a `Rest`, or for each number."""

_ranks: Final = Memory[Context, Ranked](per_recheck=True)
_results: Final = Memory[Context, Sequence[Ranked]](per_recheck=True)
"""Of functions that return several operands."""


def remember_ranks(made: Context, ranked: Ranked | None) -> None:
    """Store the shapes of the operation that an expression creates; None if its type says all that is known."""
    if ranked is None:
        _ranks.pop(made, None)
    else:
        _ranks[made] = ranked


def remember_results(made: Context, ranked: Sequence[Ranked]) -> None:
    """Store the shapes of what a function returns; none if its type says all that is known."""
    remember_ranks(made, ranked[0] if len(ranked) == 1 else None)
    _results[made] = ranked


def pattern_of(api: CheckerPluginInterface, operand: StaticOperand, expr: Expression | None) -> Pattern | None:
    """The shape of an operand of any number of dimensions, by its type or by what makes it."""
    static = operand.static
    is_known = static.pattern is not None or static.shape.dims is not None
    if is_known or not (_ranks or _results) or expr is None:
        return static.pattern
    (made, place), function = _made(api, expr), checker_of(api).scope.current_function()
    if made is None or function is None or not function.line <= made.line <= (function.end_line or made.line):
        return None  # the S of another function is another one
    results = _results.get(made, ())
    return _ranks.get(made) if place is None else results[place] if -len(results) <= place < len(results) else None


def _made(api: CheckerPluginInterface, expr: Expression) -> tuple[Expression | None, int | None]:
    """What makes an operand, and its place among several results: of `mean, variance = moments(...)`, or `[0]`."""
    bound = bound_to(api, expr) if isinstance(expr, NameExpr) else None
    if bound is not None and len(bound.path) == 1:
        return bound.expr, bound.path[0]
    made = only_value(api, expr)
    if isinstance(made, IndexExpr):
        place = constant_fold_expr(made.index, checker_of(api).tree.fullname)
        return only_value(api, made.base), place if isinstance(place, int) else None
    return made, None
