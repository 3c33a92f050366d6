"""The element type of values that no operand fixes, among those that an operation allows."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph.tensors import common_type

ALLOWED = frozenset({tg.TInt64, tg.TInt8})


def test_a_python_int_takes_the_first_integer_that_is_allowed() -> None:
    assert common_type([1], ALLOWED) is tg.TInt8


def test_an_array_keeps_its_type() -> None:
    with pytest.raises(tg.DTypeError, match="an array of int32 must be int8 or int64; convert it with astype"):
        common_type([np.array([1], np.int32)], ALLOWED)
