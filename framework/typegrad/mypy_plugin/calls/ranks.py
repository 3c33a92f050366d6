"""Shapes of any number of dimensions that no type states: of a `Stack` of operands of shape S, of a `Transpose` of one.

They are known for each number of dimensions of S, so operations that take them may have a shape that a type states:
`Mean` of that `Stack` over the first dimension is an S.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import frozen
from mypy.nodes import Context, Expression
from mypy.plugin import CheckerPluginInterface

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Rest
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import StaticOperand
from typegrad.mypy_plugin.values.following import only_value

__all__ = ["Case", "Pattern", "Ranked", "pattern_of", "remember_ranks"]

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


Pattern: TypeAlias = Shape | Ranked
"""The shape of an operand of any number of dimensions: with a `Rest`, or for each number."""

_ranks: Final = Memory[Context, Ranked](per_recheck=True)


def remember_ranks(made: Context, ranked: Ranked | None) -> None:
    """Store the shapes of the operation that an expression creates; None if its type says all that is known."""
    if ranked is None:
        _ranks.pop(made, None)
    else:
        _ranks[made] = ranked


def pattern_of(api: CheckerPluginInterface, operand: StaticOperand, expr: Expression | None) -> Pattern | None:
    """The shape of an operand of any number of dimensions, by its type or by what makes it."""
    static = operand.static
    if static.pattern is not None or static.shape.dims is not None or not _ranks or expr is None:
        return static.pattern
    made, function = only_value(api, expr), checker_of(api).scope.current_function()
    if made is None or function is None or not function.line <= made.line <= (function.end_line or made.line):
        return None  # the S of another function is another one
    return _ranks.get(made)
