"""What arrays and numbers of runs do not do is told in NumPy's words, without the names of what is in their place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
session = tg.Session(scope.graph)
r = session.run(x, {x: np.zeros((2, 8), np.float32)})
print(round(r[0, 0], 2), np.round(r, 2), r.round(2))
"""
WRONG: Final = {
    "rounded as a number": "round(r[0], 2)  # E: round() is for a number; np.round rounds the elements of an array",
    "no attribute of an array": "r[0].append(1)  # E: 'numpy.ndarray' object has no attribute 'append'",
    "no attribute of a number": "r[0, 0].append(1)  # E: 'numpy.float32' object has no attribute 'append'",
    "no vector for counts": "np.bincount(r.astype(np.int64))  # E: object too deep",
    "no vector to search in": "np.searchsorted(r, 3)  # E: object too deep",
    "no vector to interpolate": "np.interp(0.5, r, r)  # E: object too deep",
    "no list": "[].extend(r[0, 0])  # E: 'numpy.float32' object is not iterable",
    "no fetch": "session.run({'r': r})  # E: not an array of float32 [2, 8]",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_arrays_do_not_do(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])
