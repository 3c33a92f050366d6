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


def _between() -> Array:
    """Every finite half, the middles between neighbours, and the floats next to these, of which all are rounded."""
    sizes = np.sort(np.abs(FINITE).astype(np.float32))[::2]
    middles = (sizes[1:] + sizes[:-1]) / 2
    near = [np.nextafter(middles, bound, dtype=np.float32) for bound in (np.float32(0), np.float32(np.inf))]
    every = np.concatenate([sizes, middles, *near, np.array([1e-45, 2e-8, 65519.996], np.float32)])
    return np.concatenate([every, -every])


@pytest.mark.parametrize("last", [1.0, 65520, 1e30, -np.inf, np.nan])
@pytest.mark.parametrize("is_transposed", [False, True])
def test_floats_are_rounded_to_halves_once(last: float, is_transposed: bool) -> None:
    floats = np.append(_between(), np.full(2, last, np.float32)).reshape(-1, 2)
    floats = floats.T if is_transposed else floats
    scope = tg.Scope(tg.Graph())
    x = dtypes.Cast.create(scope, floats, tg.TFloat16)
    with tg.Session(scope.graph) as session, np.errstate(over="ignore"):
        assert session.run(x).tobytes() == floats.astype(np.float16).tobytes()
