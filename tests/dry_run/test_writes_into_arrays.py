"""What is written into an array has to fit it, also where nothing is known of the values."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
session = tg.Session(scope.graph)
data = np.random.default_rng(0).random((6, 8)).astype(np.float32)
r = session.run(x, {x: data})
"""
WRONG: Final = {
    "a part": "np.zeros((8, 8))[:5] = r  # E: could not broadcast input array from shape (6,8) into shape (5,8)",
    "a part of unknown values": "r[:, :3] = np.ones(4)  # E: could not broadcast input array from shape (4,)",
    "an item": "np.zeros((8, 3))[0] = r[0]  # E: could not broadcast input array from shape (8,) into shape (3,)",
    "a list of unknown numbers": "np.zeros((3, 4), int)[0] = [int(unknown.n)] * 3  # E: from shape (3,) into",
    "a number": "np.zeros(3)[0] = r[0]  # E: setting an array element with a sequence",
    "an index": "np.zeros((3, 8))[3] = r[0]  # E: index 3 is out of bounds for axis 0 with size 3",
    "an index of unknown values": "r[:, 8] = 0  # E: index 8 is out of bounds for axis 1 with size 8",
    "several indices": "r[[0, 6]] = 0  # E: index 6 is out of bounds for axis 0 with size 6",
    "a mask": "r[np.ones(5, bool)] = 0  # E: boolean index did not match indexed array along axis 0",
    "a loop": """
table = np.zeros((3, 8))
for i in range(4):
    table[i] = r[i]  # E: index 3 is out of bounds for axis 0 with size 3
""",
    "an array that is written twice": """
table = np.zeros((3, 8))
table[0] = r[0]
table[1] = r[0, :4]  # E: could not broadcast input array from shape (4,) into shape (8,)
""",
    "a sum": """
total = np.zeros(3)
for row in r:
    total += row  # E: operands could not be broadcast together with shapes (3,) (8,) (3,)
""",
    "a sum with more rows": """
total = np.zeros(8)
total += r  # E: non-broadcastable output operand with shape (8,) doesn't match the broadcast shape (6,8)
""",
    "a sum of unknown values with more rows": """
r[:1] += np.ones((2, 8))  # E: non-broadcastable output operand with shape (1,8) doesn't match
""",
    "a sum of integers": """
counts = np.zeros(8, int)
counts += r.sum(0)  # E: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64')
""",
    "a result of a function": "np.add(r, 1.0, out=np.zeros((6, 3)))  # E: could not be broadcast together",
    "some elements of a result": "np.divide(1, r, out=np.zeros((6, 3)), where=r > 0)  # E: could not be broadcast",
    "a filled array": "r.fill([1, 2])  # E: setting an array element with a sequence",
    "an index of a list": "[1, 2, 3][r[0, 0]]  # E: float32 is no integer; convert it with int()",
    "an array as an index of a list": "[1, 2, 3][r[0]]  # E: an array is no index; take one of its elements",
    "any item": "np.zeros((3, 8))[int(unknown.n), :, 0] = 1  # E: too many indices",
    "any row": "np.zeros((3, 8))[int(unknown.n)] = np.ones(7)  # E: could not broadcast input array from shape (7,)",
    "any row of unknown values": "r[int(unknown.n)] = np.ones(7)  # E: could not broadcast input array from shape (7,)",
    "in an unknown branch": """
if unknown:
    np.zeros(3)[:] = r[0]  # E: could not broadcast input array from shape (8,) into shape (3,)
""",
    "in a branch": """
for row in np.zeros((3, 8)):
    if r.max() > 0.5:
        row[:, int(r[0, 0])] = 1  # E: too many indices
""",
    "a range": "range(r[0, 0])  # E: float32 is no integer; convert it with int()",
}
RIGHT: Final = """
padded = np.zeros((3, 8, 8), np.float32)
for i, length in enumerate([5, 2, 6]):
    padded[i, :length] = r[:length]
padded[..., 0] = r[:3, :1]
padded[0, 5] = r[5:6]
padded[:, 0] += r[0]
table = np.zeros((6, 8), bool)
table[np.arange(6), r.argmax(1)] = True
r[r > 0.5] = 0.0
r[np.arange(3), [0, 1, 2]] = [1, 2, 3]
r[:2] = r[2:4]
r /= r.sum(1, keepdims=True)
r -= 1
counts = np.zeros(8, int)
counts[0] = r[0, 0]
counts[:2] = r[0, :2]
counts += r.argmax(0)
counts //= 2
counts[r.argmax(0)] = 3
both = np.empty((2, 6, 8))
np.exp(r, out=both)
np.add(r, 1.0, out=both[0])
np.add(r, both, both)
np.divide(1.0, r, out=both, where=r > 0)
r.fill(0)
counts[:3] = [int(unknown.n), 2, int(unknown.n)]
window = np.zeros(3)
window[:] = [float(unknown.n)] * 3
window[window > 0.5] = np.ones(unknown.n)
objects = np.empty(3, object)
objects[0] = r
window = np.zeros(10)
for step in range(200):
    window[step % 10] = r[0, 0]
table[int(unknown.n)] = True
table[int(unknown.n), 2:5] = r[0, :3] > 0.5
table[: int(unknown.n)] = True
r[int(unknown.n) :, 0] = np.ones(1)
place = 0
table = np.zeros((2000, 8))
for step in range(1500):
    table[place] = session.run(x, {x: data})[0]
    place += 1
table[place + 400] = r[0]
out, start = np.zeros((100, 8)), 0
for size in (32, 32, 32, 4):
    out[start : start + size] = session.run(x, {x: np.zeros((size, 8), np.float32)})
    start += size
later = np.zeros(unknown.n)
later[5] = r[0, 0]
later += r[0]
try:
    out[100] = r[0]
except IndexError:
    pass
[1, 2, 3][r.argmax(1)[0]]
range(r.argmax(1)[0])
"""


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


def test_what_fits(tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT)
