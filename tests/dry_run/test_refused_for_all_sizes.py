"""What NumPy refuses of arrays of unknown sizes, whichever these are; generators of unknown seed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = UNSIZED + "m = int(rng.integers(2, 6))\nsix, four = np.zeros((n, 6)), np.ones((m, 4))\n"
WRONG: Final = (
    "six + four  # E: (?,6) (?,4)",
    "four += six  # E: (?,4) (?,6)",
    "six @ four.T  # E: shapes [?, 6] and [4, ?] do not fit: 6 is not 4",
    "six[:, 0] - rng.random(4) + np.zeros(3)  # E: (4,) (3,)",
    "np.maximum(six, np.zeros(5))  # E: shape (?, 6)",
    "np.where(six > 0, 1.0, four)  # E: broadcast",
    "np.concatenate([six, four])  # E: must match exactly",
    "np.stack([six, four])  # E: same shape",
    "six.dot(np.zeros(5))  # E: (?,6) and (5,) not aligned",
    "np.einsum('ij,jk->ik', six, np.zeros((5, n)))  # E: broadcast",
    "six[:, 6]  # E: out of bounds",
    "six[:, :, 0]  # E: too many indices",
    "np.array([(i, i, 2) for i in range(n)])[:, 3]  # E: axis 1 with size 3",
    "six.sum(axis=2)  # E: axis 2 is out of bounds",
    "np.ones(4)[a[:, 0] > 0.0]  # E: boolean index did not match",
    "a[:, :, a[:, 0] > 0.0]  # E: too many indices",
    "a[a[:, 0] > 0.0, :, 0]  # E: too many indices",
    "a[a[:, 0] > 0.0, 3]  # E: axis 1 with size 3",
    "a[0 < a[:, 0], -4].mean()  # E: axis 1 with size 3",
    "a[mask, rng.integers(3, 5)]  # E: all indices from 3 to 4 are out of bounds",
    "six[rng.random(n) > 0.5, 6]  # E: axis 1 with size 6",
    "keys = rng.random(n)\nsix[keys > 0.5, 6].mean()  # E: axis 1 with size 6",
    "np.random.default_rng(unknown.seed).random((3, 2)) + np.zeros((3, 3))  # E: broadcast",
    "rng.integers(0, unknown.n, 16) + np.zeros(3)  # E: broadcast",
    "rng.integers(5, high=unknown.n, size=(2, 4)) + np.zeros(3)  # E: broadcast",
    "rng.normal(unknown.mean, 2.0, (2, 4)) + np.zeros(3)  # E: broadcast",
    "p = rng.random(2)\nrng.choice(6, p=p / p.sum())  # E: must have same size",
    "rng.choice(4, 50, p=rng.dirichlet(np.ones(4))) + np.zeros(3)  # E: (50,) (3,)",
    "p = rng.random(3)\nrng.choice(np.ones((3, 5)), 7, p=p / p.sum()) + np.zeros(4)  # E: (7,5) (4,)",
    "np.zeros(n)[m, 0] = 1.0  # E: too many indices",
    "six[:, 6] += 1.0  # E: out of bounds",
    "abs(six) + abs(four)  # E: (?,6) (?,4)",
    "np.random.RandomState(seed=n).rand(3, 2) + np.zeros((3, 3))  # E: broadcast",
    "np.take(six, 0, axis=2)  # E: axis 2 is out of bounds",
    "np.flip(six, 2)  # E: axis 2 is out of bounds",
    "np.moveaxis(six, 0, 2)  # E: axis 2 is out of bounds",
    "np.linalg.norm(six, axis=2)  # E: axis 2 is out of bounds",
    "np.split(six, 4, axis=1)  # E: equal division",
    "np.split(rng.random((12, 3)), 5)  # E: equal division",
    "np.pad(six, [(0, 0), (1, 1), (2, 2)])  # E: broadcast",
    "np.insert(six, 7, 0.0, axis=1)  # E: out of bounds",
    "np.linalg.eigvals(a[:3]) + np.ones(4)  # E: (3,) (4,)",
    "w, v = np.linalg.eig(a[:3])\nv @ np.ones((4, 2))  # E: shapes [3, 3] and [4, 2] do not fit",
    "np.concatenate([six, np.ones((2, 5))], axis=1) @ np.ones((7, 3))  # E: shapes [2, 11] and [7, 3] do not fit",
    "(six + np.ones((5, 6))).reshape(31)  # E: cannot reshape array of size 30",
    "np.inner(six, four)  # E: not aligned",
    "np.average(six, axis=1, weights=[1, 2])  # E: weights",
    "six.squeeze(axis=1)  # E: size not equal to one",
    "np.take_along_axis(six, six.argmax(1), 1)  # E: number of dimensions",
)
RIGHT: Final = (
    "six + np.zeros((1, 6)); six + np.zeros((5, 6)); six + six; six + np.zeros((m, 1))",
    "four @ np.zeros((4, n)); four.T @ np.zeros((m, 2)); four.T @ np.zeros((7, 2)); six @ np.zeros((m, 6)).T",
    "np.concatenate([six, four], axis=1); np.stack([six, np.zeros((8, 6))]); np.concatenate([six[0], six[1]])",
    "np.zeros((n, m)) + np.zeros((7, 9)); np.zeros((n, m)) @ np.zeros((m, n))",
    "six.reshape(m, 7); six.reshape(-1, 4); six.squeeze(0); np.split(six, m); six[n]; six[97]",
    "a[a[:, 0] > 0.0][:, 2]; a[a > 0.0]; a[:, a[0] > 0.0]; a[..., a[0] > 0.0]; a[None, a[:, 0] > 0.0, 0]",
    "a[a[:, 0] > 0.0, [0, 1, 2]]; a[a[:, 0] > 0.0, a[0] > 0.0]; a[True, a[:, 0] > 0.0]",
    "a[mask, 2]; a[mask, -3]; a[mask, 9:]; a[mask, rng.integers(2, 5)]; a[mask, rng.integers(0, 3, 4)[:1]]",
    "none = np.zeros((0, 3))\nnone[none[:, 0] > 0.0, 2]; six[rng.random(n) > 0.5, 5]; six[six > 0.5]; six[:, mask[:6]]",
    "a[mask, None, 2]; a[mask][:, 2]; a[mask, ..., 2]; a[None, mask, 2]; a[[1, 2], 2]; a[mask, np.arange(3)[:1]]",
    "np.einsum('ij,kj->ik', six, np.zeros((m, 6))); np.einsum('ij,jk->ik', six, np.zeros((m, 3)))",
    "np.random.default_rng(unknown.seed).random((3, 2)) + np.zeros((3, 1))",
    "p = rng.random(n)\nrng.choice(n, p=p / p.sum()); rng.choice(6, p=rng.dirichlet(np.ones(6)))",
    "made = np.zeros(n)\nfor i in range(n): made[i] = i\nsix[n - 1, 5] = 1.0; six[:, 5] = 1.0; np.zeros(n)[:] = 1.0",
    "rng.integers(0, unknown.n) + np.zeros(3); rng.integers(0, unknown.n, unknown.size) + np.zeros(3)",
    "np.take(six, 6, axis=1); core.Gather.create(scope, six, 6, 1)  # of which there may be no rows",
    "np.take(six, indices=200, axis=0); np.take(six, 97); six.take(-3, 1); np.take(six, 9, 1, mode='wrap')",
    "np.split(six, 7); np.split(six, 3, axis=1); np.array_split(six, 4, axis=1); np.split(six, [4, 5], 1)",
    "np.pad(six, 1); np.pad(six, [(0, 99 - n), (0, 0)]); np.pad(six, [(96, 0), (2, 2)], mode='reflect')",
    "np.insert(six, 97, 0.0, axis=0); np.insert(six, 97, 0.0); np.insert(six, 6, np.zeros(9), axis=1)",
    "np.partition(six, 97, axis=0); np.argpartition(six, -6, axis=1); np.partition(six, 99, axis=None)",
    "np.inner(six, six); np.inner(six, np.ones((7, 6))); np.inner(six.T, np.ones(98)); np.inner(2.0, six)",
    "np.average(six, axis=0, weights=rng.random(98)); np.average(six, axis=1, weights=[1, 2, 3, 4, 5, 6])",
    "six.squeeze(0); six[:, :1].squeeze(1); np.trace(six, offset=-97); np.diff(six, axis=0); np.ptp(six, axis=0)",
    "np.take_along_axis(six, np.full((1, 6), 97), 0); np.take_along_axis(six, six.argmax(1)[:, None], 1)",
    "np.flip(six, (0, 1)); np.roll(six, (1, 2), (0, 1)); np.moveaxis(six, 0, -1); np.dstack([six, np.ones((9, 6))])",
    "w, v = np.linalg.eig(a[:3])\nv @ np.diag(w) @ np.linalg.inv(v); v * w; w[0]; w + np.ones((5, 1)); w[w.real > 9.0]",
    "w = np.linalg.eigvals(a[:3])\nw + six[:, :3]; w + np.zeros(n)[:1]; np.concatenate([w, np.ones(4)]); np.sort(w)",
    "(six + np.ones((5, 6))).reshape(30)[29]; np.concatenate([six, np.ones((4, 2))], 1) @ np.ones((8, 2))",
    "np.zeros(n) * np.zeros(m); np.pad(six, [(0, 6), (0, 0)]) + np.ones((9, 6)); np.concatenate([six, four], 1)[96]",
    "np.insert(six, 97, 0.0, axis=0)[98]; np.insert(six, 97, 0.0, axis=0) + np.ones((150, 6))",
    "np.linalg.norm(six, 2); np.linalg.norm(six, axis=(0, 1)); np.percentile(six, [5, 95], axis=0)",
    "p = rng.dirichlet(np.ones(4))\nrng.choice(4, p=p) + np.ones(3); rng.choice(list('abcd'), (2, 3), p=p)",
    "p = rng.dirichlet(np.ones(4))\nrng.choice(4, 2, replace=False, p=p); np.random.choice(4, 6, p=p) + np.ones(6)",
    "p = rng.dirichlet(np.ones(4))\nrng.choice(np.ones((5, 4)), 3, p=p, axis=1) @ np.ones(3)",
    "rng.choice(unknown.items, 4) @ np.zeros((3, 4)); rng.normal(unknown.mean) + np.zeros(3)",
)


@pytest.mark.parametrize("statement", WRONG)
def test_what_fails_for_all_sizes_is_told(statement: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + statement)


@pytest.mark.parametrize("statements", RIGHT)
def test_what_some_sizes_allow_is_not(statements: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + statements)
