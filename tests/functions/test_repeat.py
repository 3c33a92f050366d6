"""`repeat`: sizes beyond int32, and the forms of `repeats`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core

FORMS: Final[dict[str, Any]] = {
    "ints": [2, 0, 1],
    "ints of NumPy": [np.int32(2), np.int64(0), 1],
    "an array": np.array([2, 0, 1]),
    "scalars of both types": lambda scope: [
        core.Constant.create(scope, 2),
        core.Constant.create(scope, np.int64(0)),
        1,
    ],
    "a vector": lambda scope: core.Constant.create(scope, [2, 0, 1]),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_repeats(scope: tg.Scope, name: str) -> None:
    form = FORMS[name]
    repeated = functions.repeat(scope, core.Constant.create(scope, [5, 6, 7]), form(scope) if callable(form) else form)
    with tg.Session(scope.graph) as session:
        assert session.run(repeated).tolist() == [5, 5, 7]


@pytest.mark.parametrize("repeats", [2**30, 2**30 + 1, 2**31 - 1, 2**62])
def test_a_size_beyond_int32(scope: tg.Scope, repeats: int) -> None:
    x = core.Constant.create(scope, [1, 2, 3, 4])
    assert functions.repeat(scope, x, repeats).shape == (4 * repeats,)


@pytest.mark.parametrize("repeats", [2**62, [2**58] * 4])
def test_a_size_beyond_memory(scope: tg.Scope, repeats: int | list[int]) -> None:
    repeated = functions.repeat(scope, core.Constant.create(scope, [1, 2, 3, 4]), repeats)
    with tg.Session(scope.graph) as session, pytest.raises(tg.ResourceExhaustedError, match="'repeat/"):
        session.run(repeated)


def test_numbers_that_add_up_to_more_than_int64_in_a_run(scope: tg.Scope) -> None:
    repeats = core.Placeholder.create(scope, tg.TInt64, (3,))
    repeated = functions.repeat(scope, core.Constant.create(scope, [1, 2, 3]), repeats)
    with tg.Session(scope.graph) as session, pytest.raises(tg.ResourceExhaustedError, match="'repeat/"):
        session.run(repeated, {repeats: np.array([2**63 - 1, 2**63 - 1, 4])})
