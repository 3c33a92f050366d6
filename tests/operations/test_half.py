"""Halves as floats: each bit of NumPy's, although many of them are converted in another way."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from support.recording import Array
from typegrad.op import dtypes

ALL = np.arange(2**16, dtype=np.uint16).view(np.float16)
FINITE = ALL[np.isfinite(ALL)]


@pytest.mark.parametrize(
    "halves", [ALL, FINITE, np.tile(FINITE, (2, 1)), np.append(np.tile(FINITE, 2), ALL), FINITE.reshape(2, -1).T]
)
def test_halves_are_the_same_floats(halves: Array) -> None:
    scope = tg.Scope(tg.Graph())
    x = dtypes.Cast.create(scope, halves, tg.TFloat32)
    with tg.Session(scope.graph) as session:
        assert session.run(x).tobytes() == halves.astype(np.float32).tobytes()
