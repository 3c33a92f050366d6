"""What arrays and numbers of runs do not do is told in NumPy's words, without the names of what is in their place."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
session = tg.Session(scope.graph)
r = session.run(x, {x: np.zeros((2, 8), np.float32)})
some = r[r[:, 0] > 0.0]
print(round(r[0, 0], 2), np.round(r, 2), r.round(2))
"""
WRONG: Final = {
    "rounded as a number": "round(r[0], 2)  # E: round() is for a number; np.round rounds the elements of an array",
    "no attribute of an array": "r[0].append(1)  # E: 'numpy.ndarray' object has no attribute 'append'",
    "no attribute of a number": "r[0, 0].append(1)  # E: 'numpy.float32' object has no attribute 'append'",
    "no attribute of an array of unknown size": (
        "some.unsqueeze(0)  # E: 'numpy.ndarray' object has no attribute 'unsqueeze'"
    ),
    "an array that is called": "some.mean(axis=0)(2)  # E: 'numpy.ndarray' object is not callable",
    "a number that is called": "len(r)(2)  # E: 'int' object is not callable",
    "a result that is none": "def reset(rows):\n    pass\nreset(r)()  # E: 'NoneType' object is not callable",
    "no vector for counts": "np.bincount(r.astype(np.int64))  # E: object too deep",
    "no vector to search in": "np.searchsorted(r, 3)  # E: object too deep",
    "no vector to interpolate": "np.interp(0.5, r, r)  # E: object too deep",
    "no list": "[].extend(r[0, 0])  # E: 'numpy.float32' object is not iterable",
    "no numbers": "np.mean([r[0, 0], None])  # E: mean of None, which is no number; session.run returns None for an",
    "no number": "np.sqrt(None)  # E: sqrt of None, which is no number; session.run returns None for an operation",
    "the value of a scalar": (
        "session.run([x, session.run(tg.Ops.create(scope).math.mean(x), {x: r})])  # E: not a number of type float32"
    ),
    "a number of an array": "session.run({'a': (x, r[0, 0])})  # E: not a number of type float32",
    "a float": "session.run([x, float(r[0, 0])])  # E: not a number of type float",
    "an integer": "session.run([x, int(r[0, 0])])  # E: not a number of type int",
    "a number that is written": "session.run([x, 0.5])  # E: not float 0.5",
    "no fetch": "session.run({'r': r})  # E: not an array of float32 [2, 8]",
}
RIGHT: Final = {
    "what numbers have besides": (
        "for each in r[0]:\n    each.is_integer()\nr[0, 0].is_integer(); r.sum().is_integer(); some[0, 0].is_integer()"
    ),
    "arrays of None": "np.array([r[0, 0], None]), np.equal(None, 1), np.array([None, None]) == None",
    "what arrays have": "some.T, some.dtype, some.nbytes, some.flat, some.flags, some.base, some.mean().item()",
    "what is asked first": (
        "if hasattr(some, 'numpy'):\n    some.numpy()\ngetattr(some, 'numpy', lambda: r)()\n"
        "try:\n    some.numpy()\nexcept AttributeError:\n    pass\nif callable(some): some()"
    ),
    "what other arrays have": (
        "np.ma.masked_array(some, some > 0.5).filled(0.0); np.asmatrix(some).A1\n"
        "(some if unknown.flag else np.asmatrix(some)).A1; (some.sum() if unknown.flag else some).is_integer()"
    ),
    "objects that are called": (
        "class Layer:\n    def __call__(self, y): return y\nclass Other:\n    pass\n"
        "Other.__call__ = lambda self, y: y\nLayer()(r); Other()(r); unknown.layer(r); np.vectorize(lambda y: y)(r)"
    ),
}


@pytest.mark.parametrize("program", [*WRONG.values(), *RIGHT.values()], ids=[*WRONG, *RIGHT])
def test_what_arrays_do(program: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + program)
