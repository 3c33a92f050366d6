"""Operations on single numbers: what has no result, with which words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, dtypes, math, train

COMPLEX: Final = np.array([1 + 2j])
TYPES: Final[list[tuple[Any, tuple[Any, ...], str]]] = [
    (core.ClipByValue, (COMPLEX, 0j, 1j), "`t` is complex128, but complex numbers have no order"),
    (
        train.BatchMatMul,
        ([[1.5]], [[2.5]], tg.TInt32),
        "input `x` is float32 and `y` is float32: their product cannot be of `tout` int32; cast with dtypes.Cast",
    ),
    (
        dtypes.Complex,
        (np.float32(1), np.float32(2), tg.TComplex128),
        "the parts of complex128 are float64, but `T` is float32",
    ),
    (
        dtypes.Cast,
        (["1.5"], tg.TFloat32),
        "`x` is string, which cannot be cast to float32; no operation makes numbers of strings; convert them in Python",
    ),
    (
        dtypes.Cast,
        ([True], tg.TString),
        "`x` is bool, which cannot be cast to string; make strings of it with dtypes.AsString",
    ),
]


@pytest.mark.parametrize(("operation", "arguments", "message"), TYPES)
def test_types_that_are_refused(operation: Any, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(tg.DTypeError) as raised:
        operation.create(tg.Scope(tg.Graph()), *arguments)
    assert f"): {message}\n" in str(raised.value)


RUNS: Final[list[tuple[Any, Any, Any, str]]] = [
    (math.TruncateDiv, COMPLEX, COMPLEX, "`x` is complex128, but a complex quotient cannot be truncated; see math.Div"),
    (math.FloorDiv, COMPLEX, COMPLEX, "`x` is complex128, but a complex quotient has no floor; see math.Div"),
    (
        math.Pow,
        [2, 3],
        [[1], [-4]],
        ("`y[1, 0]` is -4, but integers have no negative powers; cast `x` and `y` to a floating-point type first"),
    ),
]


@pytest.mark.parametrize(("operation", "x", "y", "message"), RUNS)
def test_numbers_that_are_refused(operation: Any, x: Any, y: Any, message: str) -> None:
    scope = tg.Scope(tg.Graph())
    result = operation.create(scope, x, y)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(result)
    assert f"): {message}\n" in str(raised.value)
