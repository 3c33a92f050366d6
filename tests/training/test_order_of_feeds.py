"""`fit` with operands in another order than the components of an element says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core
from typegrad.training import fit
from typegrad.training.data import Dataset

SCOPE = tg.Scope(tg.Graph())
X = core.Placeholder.create(SCOPE, tg.TFloat32, (None, 3))
Y = core.Placeholder.create(SCOPE, tg.TInt64, (None,))
Z = core.Placeholder.create(SCOPE, tg.TFloat32, (None, 2))
STEP = tg.Variable.create(SCOPE, 0.0).assign_add(SCOPE, 1.0)
ARRAYS = np.ones((4, 3), np.float32), np.zeros(4, np.int64), np.ones((4, 2), np.float32)


def trained(arrays: Sequence[Any], feeds: Sequence[Any]) -> None:
    with tg.Session(SCOPE.graph) as session:
        fit(session, STEP, Dataset.from_arrays(*arrays).batch(2), feeds, epochs=1)


def test_two_operands_in_each_others_place() -> None:
    with pytest.raises(tg.FeedError) as caught:
        trained(ARRAYS[:2], (Y, X))
    element, feeds = "float32 [2, 3], int64 [2]", "int64 [?], float32 [?, 3]"
    assert str(caught.value) == f"fit: an element is ({element}), but the feeds are ({feeds}); swap them"


def test_several_operands_in_another_order() -> None:
    with pytest.raises(tg.FeedError, match="; put them in the order of the components$"):
        trained(ARRAYS, (Z, X, Y))


def test_arrays_that_fit_in_no_order_are_another_mistake() -> None:
    with pytest.raises(tg.FeedError, match="does not fit"):
        trained((ARRAYS[0].astype(np.float64), ARRAYS[1]), (Y, X))


def test_the_right_order_trains() -> None:
    trained(ARRAYS, (X, Y, Z))
