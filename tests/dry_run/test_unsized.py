"""Arrays whose size the values of others tell: their element types and numbers of dimensions are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from dry_run.following import UNSIZED, differences

ARRAYS: Final = {
    "b": "D, None, 3",
    "b.astype(np.float32)": "F, None, 3",
    "a[:, mask[:3]]": "D, 10, None",
    "a[np.flatnonzero(mask), None]": "D, None, 1, 3",
    "a[a > 0.5]": "D, None",
    "b[b[:, 0] > 0.5]": "D, None, 3",
    "b[:, 0]": "D, None",
    "b.T": "D, 3, None",
    "b.sum(axis=0)": "D, 3",
    "b @ np.zeros((3, 2))": "D, None, 2",
    "b.reshape(-1, 1)": "D, None, 1",
    "np.repeat(b, n, axis=0).reshape(-1, n)": "D, None, None",
    "b[:n]": "D, None, 3",
    "rng.random((60_000, 28, 28)).reshape(-1, 784)": "D, 60000, 784",
    "np.reshape(rng.random((60_000, 28, 28)), (600, 100, 784))": "D, 600, 100, 784",
    "(b - b.mean(axis=0)) / b.std(axis=0)": "D, None, 3",
    "b > 0.5": "B, None, 3",
    "-b": "D, None, 3",
    "np.zeros(b.shape, np.float32)": "F, None, 3",
    "np.stack([b, b])": "D, 2, None, 3",
    "np.concatenate([b, a[~mask]])": "D, None, 3",
    "np.concatenate([rng.random((n, 3)) for _ in range(4)])": "D, None, 3",
    "np.nonzero(a > 0.5)[1]": "L, None",
    "np.where(a > 0.5)[0]": "L, None",
    "np.argwhere(a > 0.5).astype(np.float32)": "F, None, 2",
    "np.unique(counts)": "L, None",
    "np.unique(counts, return_counts=True)[1]": "L, None",
    "np.union1d(counts, np.arange(3))": "L, None",
    "np.setdiff1d(np.arange(200, 205), counts)": "L, None",
    "np.bincount(counts, minlength=5)": "L, None",
    "np.delete(np.arange(100), rng.permutation(10))": "L, None",
    "np.delete(a, n, axis=0)": "D, 9, 3",
    "np.repeat(a, 8, axis=0)": "D, 80, 3",
    "a.repeat(2, axis=1)": "D, 10, 6",
    "np.repeat(a, n, axis=0)": "D, None, 3",
    "np.repeat(a, rng.integers(1, 3, 10), axis=0)": "D, None, 3",
    "np.polyfit(np.arange(10), rng.random(10), 2)": "D, 3",
    "np.average(a, axis=0, weights=a[:, 0] ** 2)": "D, 3",
    "np.compress(np.arange(10) % 2 == 0, a, axis=0)": "D, 5, 3",
    "a.compress([True, False, True], axis=1)": "D, 10, 2",
    "np.linalg.lstsq(a, rng.random(10))[0]": "D, 3",
    "np.linalg.qr(np.ones((n, n)))[0]": "D, None, None",
    "np.linalg.svd(b)[1]": "D, None",
    "np.concatenate([a[np.argsort(a[:, 0]) < 4], np.ones((4, 2))], axis=1)": "D, 4, 5",
    "a[np.argsort(a[:, 0]) < 4] + np.ones((4, 3))": "D, 4, 3",
    "np.column_stack([a[np.argsort(a[:, 0]) < 4], np.arange(4)])": "D, 4, 4",
    "np.abs(np.linalg.eigvals(a[:3]))": "D, 3",
    "np.linalg.eigvals(a[:3].astype(np.float32)).imag": "F, 3",
    "np.linalg.eig(a[:3]).eigenvectors.real": "D, 3, 3",
    "a[:3] / np.abs(np.linalg.eigvals(b.T @ b)).max()": "D, 3, 3",
    "np.histogram(rng.random(30), bins=7)[0]": "L, 7",
    "np.array(sorted(rng.random(6).tolist()))": "D, 6",
    "np.array(sorted(counts.tolist()), np.int32)": "I, 30",
    "np.zeros((n, 3), np.float32)": "F, None, 3",
    "np.zeros(sizes)": "D, None, None",
    "np.arange(n)": "L, None",
    "np.full(3, n)": "L, 3",
    "rng.random((n, 3))": "D, None, 3",
    "rng.normal(size=sizes)": "D, None, None",
    "rng.permutation(n)": "L, None",
    "rng.integers(0, n, 5)": "L, 5",
    "a[:n]": "D, None, 3",
    "a[n:n + 2, 0]": "D, None",
    "np.roll(a, n, axis=0)": "D, 10, 3",
}
"""Arrays, and placeholders for them."""
RIGHT: Final = (
    "feed(a[a > 2.0], D, 0)",
    "feed(a[mask & ~mask], D, 0, 3)",
    "feed(b[200:], D, 0, 3)",
    "feed(b[:1], D, 1, 3)",
    "feed(np.squeeze(b[:1]), D, 3)",
    "feed(np.squeeze(a[:1][a[:1, 0] >= 0]), D, 3)",
    "feed(np.concatenate([b, a[~mask]]), D, 10, 3)",
    "feed(np.bincount(counts, weights=rng.random(30), minlength=5), D, 5)",
    "feed(np.unique(counts.reshape(6, 5), return_inverse=True)[1], L, 6, 5)",
    "feed(np.unique(counts.reshape(15, 2), axis=0), L, None, 2)",
    "feed(np.setdiff1d(np.arange(200, 205), counts), L, 5)",
    "feed(np.delete(np.arange(100), rng.permutation(10)), L, 90)",
    "feed(np.linalg.lstsq(rng.random((8, 3)), rng.random(8))[1], D, 1)",
    "feed(np.linalg.lstsq(rng.random((3, 8)), rng.random((3, 2)))[1], D, 0)",
    "feed(np.linalg.eigvals(np.diag(a[0])), D, 3); feed(np.linalg.eigvals(b[:1].sum() * np.eye(2)[::-1]), D, 2)",
    "feed(np.linalg.eigvals((1 + a[0, 0]) * np.array([[0, 1], [-1, 0]])), tg.TComplex128, 2)",
    "assert np.linalg.eigvals(a[:3]).dtype.kind in 'fc'; feed(np.diag(np.linalg.eig(np.diag(a[0]))[0]), D, 3, 3)",
    "z = np.zeros(3, complex); z += np.linalg.eigvals(a[:3]); feed(z, tg.TComplex128, 3)",
    "feed(np.polyfit(np.arange(10), rng.random(10), n), D, None)",
    "feed(np.histogram(rng.random(30), bins='auto')[0], L, None)",
    "feed(np.histogram(rng.random(30), bins=n)[0], L, None)",
    "feed(np.zeros((n, n), np.float32), F, None, None)",
    "feed(np.arange(rng.random() + 3), D, None)",
    "feed(np.zeros(32).reshape(sizes), D, 4, 8)",
    "feed(np.tile(np.zeros(2), sizes), D, 4, 16)",
    "feed(rng.random(np.array([2, 3])), D, 2, 3)",
    "feed(np.zeros((1, 3))[int(rng.integers(1))], D, 3)",
    "feed(a[n:n + 2], D, 2, 3)",
    "feed(np.reshape(np.arange(24), (2 * (n > 0), -1)), L, 2, 12)",
    "feed(len(b), I)",
    "feed(float(b.mean()), F)",
    "feed(list(b), D, None, 3)",
    "feed(b.tolist(), D, None, 3)",
    "feed([1.0] * n, F, None)",
    "feed(np.array([each for each in b], np.float32), F, None, 3)",
    "feed(np.compress(mask, a, axis=0), D, None, 3)",
    "feed(a[np.ix_(mask, [True, False, True])], D, None, 2)",
    "feed(np.split(a, [n])[0], D, None, 3)",
    "feed(np.array([len(word) for word in words], np.int32), I, 4)",
    "feed(sorted(rng.random(6).tolist()), F, 6)",
    "b += 1; b[0] = 0; feed(b, D, None, 3)",
    "b = b.astype(np.float32); b += np.ones(3); feed(b, F, None, 3)",
    "b = b.ravel(); b.shape = (-1, 3); feed(b, D, None, 3)",
    "b.shape = (-1,); feed(b, D, None)",
    """
feed(b, D, *((None, 3) if len(b) > 100 else (None, 3)))
""",
    """
try:
    b = b.reshape(7, -1)
except ValueError:
    b = np.zeros(2, np.float32)
feed(b, F, None)
""",
    """
for row in b:
    feed(row, D, 3)
first, *rest = b
feed(first, D, 3)
""",
    """
def kept(values, keep):
    return values[keep] if keep.any() else values[:0]
feed(kept(a, mask & False), D, 0, 3)
""",
    """
assert b.ndim == 2 and b.shape[1] == 3 and b.dtype == np.float64
if b.shape[0] != len(b) or b.size == 0:
    raise ValueError
feed(np.broadcast_to(b[:1], (5, 3)), D, 5, 3)
""",
    """
rows = [rng.random(int(count)) for count in rng.integers(1, 4, 3)]
ragged = np.empty(3, dtype=object)
ragged[:] = rows
feed(ragged[0], D, None)
""",
)
"""Programs that NumPy runs, and the session."""


def program(statement: str) -> str:
    return f"{UNSIZED}{statement}"


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array_fits_its_placeholder(text: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(f"feed({text}, {ARRAYS[text]})", names)
    assert differences(tmp_path, program(f"feed({text}, {ARRAYS[text]})")) == []


def refusal(text: str, placeholder: str, folder: Path) -> str:
    """What a dry run says of a feed."""
    found = differences(folder, program(f"feed({text}, {placeholder})"))
    return found[0] if found else ""


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array_of_another_type_or_rank_is_refused(text: str, names: dict[str, Any], tmp_path: Path) -> None:
    dtype, *dims = ARRAYS[text].split(", ")
    shape = ", ".join(dims).replace("None", "?")
    other = "F" if dtype != "F" else "D"
    made = np.asarray(eval(text, names)).dtype
    assert f"has shape [{shape}], which does not fit" in refusal(
        text, f"{dtype}, {'None, ' * (len(dims) + 1)}", tmp_path
    )
    assert f"an array of {made} is not" in refusal(text, f"{other}, {', '.join(dims)}", tmp_path)


@pytest.mark.parametrize("statement", RIGHT)
def test_a_right_program_is_not_refused(statement: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(statement, {**names, "b": names["b"].copy()})
    assert differences(tmp_path, program(statement)) == []
