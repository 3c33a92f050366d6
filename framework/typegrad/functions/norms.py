# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# An empty list is one of operands of every type, so the overloads overlap; the first that fits wins.
"""The length of several arrays taken together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, overload

from typegrad.base.errors import GradientError
from typegrad.base.types import TBfloat16, TFloat16, TFloat32, TFloat64, TType
from typegrad.functions.rows import sum_duplicates
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.op.core import Sum
from typegrad.op.dtypes import Cast
from typegrad.op.math import AddN, Sqrt, Square

__all__ = ["global_norm"]

_NARROW: Final = (TFloat16, TBfloat16)


@overload
def global_norm(scope: Scope, operands: Sequence[Operand[TFloat32] | None]) -> Operand[TFloat32, tuple[()]]: ...
@overload
def global_norm(scope: Scope, operands: Sequence[Operand[TFloat64] | None]) -> Operand[TFloat64, tuple[()]]: ...
@overload
def global_norm(scope: Scope, operands: Sequence[Operand[Any] | None]) -> Operand[Any, tuple[()]]: ...
def global_norm(scope: Scope, operands: Sequence[Operand[Any] | None]) -> Operand[Any, tuple[()]]:
    """The square root of the sum of the squares of all elements of all operands, such as the gradients of one step.

    It is computed in the operands' type; in float32 where that is narrower, in float64 where they differ. Rows that occur twice in an
    `IndexedSlices` count as their sum.

    Args:
        scope: Where in the graph the operations go: into its sub-scope "global_norm".
        operands: Operands of floating-point types. None, as `tg.gradients` returns where nothing is connected, counts as zero.

    Returns:
        The norm, a scalar.

    Raises:
        GradientError: There is no operand.

    Source: TensorFlow's `tf.linalg.global_norm`.
    """
    given = [operand for operand in operands if operand is not None]
    if not given:
        raise GradientError("there are no operands to take the norm of")
    widths = {TFloat32 if operand.dtype in _NARROW else operand.dtype for operand in given}
    dtype = widths.pop() if len(widths) == 1 else TFloat64
    with scope.with_sub_scope("global_norm") as scope:
        squares = [Sum.create(scope, Square.create(scope, _elements(scope, operand, dtype))) for operand in given]
        return Sqrt.create(scope, AddN.create(scope, squares) if len(squares) > 1 else squares[0])


def _elements(scope: Scope, operand: Operand[Any], dtype: type[TType]) -> Operand[Any]:
    """What to square: of rows, only these."""
    if isinstance(operand, IndexedSlices):
        operand = sum_duplicates(scope, operand).values
    return operand if operand.dtype is dtype else Cast.create(scope, operand, dtype)
