"""NumPy's settings in runs."""

from __future__ import annotations

import numpy as np

from typegrad.base.quiet import quiet, quietly


def test_settings_are_those_of_the_calls_alone() -> None:
    before = np.geterr(), np.getbufsize()
    assert quietly(np.geterr) == dict.fromkeys(["divide", "over", "under", "invalid"], "ignore")
    assert quietly(np.getbufsize) == 512
    assert (np.geterr(), np.getbufsize()) == before


def test_a_long_row_beside_a_column_is_not_buffered() -> None:
    """Ufuncs have the same results with buffers and without."""
    x = np.random.default_rng(1).standard_normal((3, 600)).astype(np.float32)
    column = x[:, :1].copy()
    for ufunc in (np.add, np.multiply, np.divide, np.maximum):
        assert quiet().run(ufunc, x, column).tobytes() == quietly(ufunc, x, np.repeat(column, 600, 1)).tobytes()
