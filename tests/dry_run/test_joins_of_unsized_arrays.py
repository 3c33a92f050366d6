"""Arrays of unknown size, and lists of any number of items, behind branches of which it is not known which one runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from dry_run.following import UNSIZED, differences

UNKNOWN: Final = "flag = unknown.flag\n"
RIGHT: Final = (
    """
made = b if flag else np.zeros((2, 3), np.float32)
feed(made, D if flag else F, None, 3)
other = b.sum(axis=0) if flag else np.zeros((1, 2))
feed(other, D, *other.shape)
""",
    """
if flag:
    made = b
else:
    made = np.zeros((2, 2, 2))
feed(made, D, *([None, 3] if flag else [2, 2, 2]))
made += 1
feed(made, D, *([None, 3] if flag else [2, 2, 2]))
""",
    """
made = (flag and b.any()) or np.float32(1)
chosen = b or 1 if b.size == 1 else b
feed(chosen, D, None, 3)
""",
    """
def made():
    if flag:
        return a[mask]
    return np.zeros(3)
feed(made(), D, *((None, 3) if flag else (3,)))
""",
    """
try:
    made = b.reshape(5, 7)
except ValueError:
    made = np.zeros(3, np.float32)
feed(made, F, 3)
""",
    """
try:
    made = np.zeros(n - 9)
except ValueError:
    made = np.zeros((3, 3), np.float32)
feed(made, F, 3, 3)
""",
    """
a[:len(b)] = b
a[mask] = b
a[mask] += b
a[mask, 0] = b[:, 0]
a[:1] = b[:1]
a[:] = b[:1]
out = np.zeros((len(b), 3))
np.add(b, 1.0, out=out)
out[...] = b
b[0] = 1.0
b[:, 0] = np.arange(len(b))
b[:1] = np.zeros((1, 3))
b += np.zeros(3)
b -= b[:1]
b.fill(2)
feed(a, D, 10, 3)
feed(b, D, None, 3)
""",
    """
try:
    b[:] = np.zeros((7, 3))
    a[:] = b[:, :2]
    made = np.zeros(3, np.float32)
except ValueError:
    made = np.zeros((3, 3))
feed(made, D, 3, 3)
""",
    """
whole = np.zeros(10, np.int64)
whole[mask] += np.arange(int(mask.sum()))
feed(whole, L, 10)
""",
    """
same = np.asarray(b)
feed(np.zeros(3) if same is b else np.zeros((3, 3)), D, 3)
if same is b:
    made = np.zeros(3)
else:
    made = np.zeros((3, 3))
feed(made, D, 3)
feed(np.zeros(3) if b is not None else np.zeros((3, 3)), D, 3)
""",
    """
items = [0.5 for _ in range(n)]
chosen = items if flag else []
chosen.append([1.0, 2.0])
if not flag:
    feed(np.array(items), D, None)
""",
    """
items = [0.5 for _ in range(n)]
chosen = items or []
chosen.clear()
chosen.append([1.0, 2.0])
feed(np.array(items, np.float64), D, 1, 2)
""",
    """
items = [0.5 for _ in range(n)]
if flag:
    items.append(1.0)
feed(np.array(items), D, None)
if not flag:
    items[:] = [[1.0, 2.0]]
feed(np.array(items), D, *([None] if flag else [1, 2]))
""",
    """
made = [b.mean() if flag else 1.0 for _ in range(n)]
feed(np.array(made), D, None)
pairs = [(len(b) if flag else 2, 0.5) for _ in range(n)]
feed(np.array(pairs), D, None, 2)
kept = [(x if flag else 1) for _ in range(n)]
""",
    """
table = {0: b, 1: a}
feed(table[n % 2], D, None, 3)
feed([b, a][n % 2], D, None, 3)
feed([b, np.zeros(2)][n - n], D, None, 3)
""",
    """
vars(b) if hasattr(b, "__dict__") else None
ratio = float(b.mean()) if flag else 0.5
count = int(b.sum()) if flag else 2
feed(np.full((2, 3), ratio), D, 2, 3)
feed(np.full((2, 3), float(max(ratio, count, len(b)))), D, 2, 3)
""",
)
"""Programs that NumPy runs, and the session, whichever branch is taken."""
WRONG: Final = {
    "feed(b if flag else b, F, None, 3)": "an array of float64 is not float32",
    "whole = np.zeros(10, np.int64)\nwhole[mask] = 0\nwhole += 0.5": "Cannot cast",
}
"""Programs, and what is refused in them."""


@pytest.mark.parametrize("statements", RIGHT)
def test_a_right_program_is_not_refused(statements: str, names: dict[str, Any], tmp_path: Path) -> None:
    for flag in (True, False):
        exec(f"{UNSIZED}flag = {flag}\n{statements}", dict(names))
    assert differences(tmp_path, UNSIZED + UNKNOWN + statements) == []


@pytest.mark.parametrize("statements", WRONG)
def test_what_is_certain_is_refused(statements: str, tmp_path: Path) -> None:
    found = differences(tmp_path, UNSIZED + UNKNOWN + statements)
    assert WRONG[statements] in found[0]
