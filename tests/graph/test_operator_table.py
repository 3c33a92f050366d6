"""An operation that does not take some element types says what is meant instead, such as another operation."""

from __future__ import annotations

from typing import Any, Final

import pytest

import typegrad as tg
from typegrad.op import bitwise, core, math

REMEDIES: Final = [
    (math.Abs, [1j], "write math.ComplexAbs.create(scope, x)"),
    (bitwise.BitwiseAnd, [True, False], "write math.LogicalAnd.create(scope, x, y)"),
    (bitwise.Invert, [True], "write math.LogicalNot.create(scope, x)"),
    (math.AddV2, ["a", "b"], "write math.Add.create(scope, x, y)"),
    (math.Abs, [True], "cast it with dtypes.Cast"),
    (math.AddV2, [True, False], "cast it with dtypes.Cast, or write x | y for two bools"),
    (math.Mul, [True, False], "cast it with dtypes.Cast, or write x & y for two bools"),
    (math.Sub, [True, False], "cast it with dtypes.Cast, or write x ^ y for two bools"),
    (math.Sin, [True], "cast it with dtypes.Cast"),
    (bitwise.BitwiseOr, [1.0, 2.0], "comparisons need parentheses: (x > 0) | (y < 1)"),
    (math.Less, [1j, 2j], "compare math.Real, math.Imag or math.ComplexAbs of it"),
]


@pytest.mark.parametrize(("operation", "values", "remedy"), REMEDIES)
def test_the_remedy_for_other_types(operation: Any, values: list[Any], remedy: str) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.DTypeError) as raised:
        operation.create(scope, *(core.Constant.create(scope, each) for each in values))
    assert f"; {remedy}\n" in str(raised.value)
