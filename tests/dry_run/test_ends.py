"""Unknown numbers lie between ends, which an array keeps until somebody may change it, also through a view of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import pytest

from dry_run.following import UNSIZED, differences

USED: Final = "u = rng.random((4, 3))\n{}\nfeed(np.zeros(3 if u.max() > 1 else 4), D, 3)"
WRITTEN: Final = (
    "v = u.T; v[0] = 5",
    "v = u.reshape(-1); v[0] = 5",
    "v = np.asarray(u); v[0] = 5",
    "v = u[0]; v[:] = 5",
    "v = u.view(); v += 5",
    "v, *_ = u; v += 5",
    "v = list(u); v[0][:] = 5",
    "v, _ = np.split(u, 2); v += 5",
    "for row in u: row += 5",
    "u += 5",
    "u[u < 2] = 5",
    "u.fill(5)",
    "u.put([0], 5)",
    "u.flat[0] = 5",
    "np.copyto(u, 5)",
    "np.add(u, 5, u)",
    "np.add(u, 5, out=u)",
    "np.clip(u, 5, 6, u)",
    "np.multiply.at(u, 0, 0.0); np.add.at(u, 0, 5)",
    "def f(array): array[0] = 5\nf(u)",
    "u = u * 10 + 2",
    "u = np.abs(u - 5)",
    "u = -u * -5 + 2",
    "u = u - -5",
    "u = 1 / (u + 0.1) + 1",
    "u = np.pad(u, 1, constant_values=5)",
    "u = np.where(u > 0.5, 5, u + 1)",
    "u = rng.integers(5, 7, 3)",
    "u = rng.normal(5, 0, 3)",
    "u = np.add(rng.integers(0, 256, 50, dtype=np.uint8), 1)",
    "u = rng.integers(0, 2, 50).astype(np.uint8) - np.uint8(1)",
    "u = rng.integers(0, 500, 50).astype(np.uint8)",
    "u = np.sort(u + 5)",
    "rng.standard_normal(out=u); u += 5",
    "import operator\noperator.iadd(u, 5)",
    "memoryview(u)[0, 0] = 5.0",
    "np.ndarray.fill(u, 5)",
    "u = np.array([1.0, np.nan, 5.0])[rng.permutation(3)]; u = np.nan_to_num(u)",
    "u = np.sqrt(float(rng.integers(16, 17)) + rng.standard_t(3) ** 2)",
)
"""What makes a number of `u` larger than 1."""
READ: Final = (
    "",
    "v = u + 5; v[0] = 7",
    "u = u * 0.5 + 0.5",
    "u = np.minimum(u * 7, 1)",
    "u = rng.integers(0, 2, 4)",
    "u = u.astype(np.float32)",
    "u = np.roll(u.max(axis=0), 1)",
)
"""What leaves them at most 1."""
IMPOSSIBLE: Final = (
    "np.sort(rng.random(4))[0] < 0",
    "sorted([rng.random(), rng.random()])[0] < 0",
    "np.take(rng.random(4), [0, 1]).max() > 1",
    "rng.random((4, 3)).min(axis=0).max() > 1",
    "np.isnan(rng.random(4)).any()",
    "np.where(rng.random(3) < 0.5, 0, 0).any()",
    "np.where(rng.random(3) < 0.5, 1, 2).max() > 2",
    "np.argmax(rng.random(1)) > 0",
    "rng.random(4).argsort().max() > 3",
    "rng.integers(0, 5, 3).astype(np.int8).max() > 4",
    "(rng.standard_normal(3).astype(np.float32) * np.float32(0)).any()",
    "(rng.integers(0, 5, 3) % 1).any()",
    "(rng.integers(-5, 5) & 0) != 0",
    "rng.integers(0, 10) // 10",
    "np.sqrt(rng.random(3)).max() > 1",
    "rng.beta(1, 1) > 1",
    "rng.dirichlet([1, 1]).min() < 0",
    "rng.multinomial(0, [0.5, 0.5]).any()",
    "rng.hypergeometric(5, 0, 3) != 3",
    "rng.triangular(0, 0.5, 1) > 1.1",
    "rng.lognormal(0.0, 0.0) != 1",
    "rng.pareto(2.0) < 0",
    "rng.normal(5.0, [0.0, 0.01], 2).min() < 0",
    "random.choice(range(1))",
)
"""What no numbers make true."""


POSSIBLE: Final = (
    "rng.choice([1.0, 10.0, np.nan], 30).tolist().count(10.0) and rng.choice([1.0, 10.0, np.nan], p=[0, 1, 0]) > 5",
    "max(rng.choice([1.0, 10.0, np.nan]) > 5 for _ in range(50))",
    "max(np.isinf(rng.pareto(0.001)) for _ in range(50))",
    "max(np.isinf(rng.weibull(0.001)) for _ in range(50))",
    "max(rng.lognormal(0, 10000.0) > 1e305 for _ in range(50))",
    "np.square(rng.standard_cauchy()) != 1",
    "np.signbit(-rng.standard_gamma(3.0))",
    "rng.integers(True) == 0",
    "min(shuffled([1, 2, 3])[0] for _ in range(50)) == 1 and max(shuffled([1, 2, 3])[0] for _ in range(50)) > 1",
)
"""What some numbers make true."""
SHUFFLED: Final = """
def shuffled(items):
    rng.shuffle(items)
    return items
"""


@pytest.mark.parametrize("condition", POSSIBLE)
def test_what_may_be_true(condition: str, names: dict[str, Any], tmp_path: Path) -> None:
    program = f"{SHUFFLED}feed(np.zeros(3 if {condition} else 4), D, 3)"
    exec(program, dict(names))
    assert differences(tmp_path, UNSIZED + program) == []


@pytest.mark.parametrize("written", WRITTEN)
def test_what_may_have_changed_is_not_known(written: str, names: dict[str, Any], tmp_path: Path) -> None:
    program = USED.format(written)
    exec(program, dict(names))
    assert differences(tmp_path, UNSIZED + program) == []


@pytest.mark.parametrize("read", READ)
def test_what_is_only_read_keeps_its_ends(read: str, tmp_path: Path) -> None:
    assert "has shape [4], which does not fit [3]" in " ".join(differences(tmp_path, UNSIZED + USED.format(read)))


@pytest.mark.parametrize("condition", IMPOSSIBLE)
def test_what_cannot_be_true(condition: str, names: dict[str, Any], tmp_path: Path) -> None:
    program = f"import random\nif {condition}:\n    feed(np.zeros(4), D, 3)"
    exec(program, dict(names))
    assert differences(tmp_path, UNSIZED + program) == []


@pytest.mark.parametrize(
    "drawn",
    [
        "rng.integers(2, 8)",
        "rng.integers(3, 3, endpoint=True)",
        "rng.integers([1, 2], [3, 4])",
        "rng.integers(2, int(rng.integers(3, 5)), (4, 2))",
        "rng.integers(rng.integers(0, 3, 4), 3)",
        "rng.uniform(1.0, 1.0)",
        "np.random.uniform(2.0, 1.0, 3)",
        "rng.integers(8, 2)  # E: high",
        "rng.integers(8, 2, (4, 2))  # E: high",
        "rng.integers([1, 2], [3, 2], size=2)  # E: high",
        "np.random.randint(3, 3, 5)  # E: high",
        "rng.integers(0, 300, 4, np.int8)  # E: high",
    ],
)
def test_bounds_in_the_wrong_order(drawn: str, names: dict[str, Any], tmp_path: Path) -> None:
    if "# E" in drawn:
        with pytest.raises(ValueError, match=r"low|high"):
            exec(drawn, dict(names))
    else:
        exec(drawn, dict(names))
    assert differences(tmp_path, UNSIZED + drawn) == []


@pytest.mark.parametrize(
    "drawn",
    [
        "rng.choice(4, 5)",
        "rng.choice(4, (2, 2), replace=False)",
        "rng.choice(4, replace=False)",
        "rng.choice(np.int64(4), 4, False)",
        "rng.choice(np.zeros((2, 7)), 6, replace=False, axis=1)",
        "rng.choice(rng.random(10), (5, 2), replace=False)",
        "rng.choice(10_000, 5_000, replace=False)",
        "rng.choice(n, n, replace=False); rng.choice(n, 2, replace=False)",
        "rng.choice(3, 7, replace=n > 0)",
        "rng.choice(b[:, 0], 1, replace=False)",
        "random.sample(range(4), 4); random.sample([1, 2], k=0)",
        "random.sample([1, 2], counts=[3, 3], k=5)",
        "random.sample([i for i in range(n)], 2); random.choices([1, 2], k=7)",
        "items = [1]\nif rng.random() < 0.5: items += [2, 3]\nif len(items) > 2: random.sample(items, 3)",
        "items = []\nwhile len(items) < 9: items.append(rng.random())\nrandom.sample(items, 9)",
        "rng.choice(4, (2, 3), replace=False)  # E: Cannot take a larger sample",
        "rng.choice(np.zeros((7, 2)), 6, replace=False, axis=1)  # E: Cannot take a larger sample",
        "rng.choice(['a', 'b'], 3, False)  # E: Cannot take a larger sample",
        "rng.choice(10_000, 20_000, replace=False)  # E: Cannot take a larger sample",
        "np.random.choice(4, 5, False)  # E: Cannot take a larger sample",
        "np.random.RandomState(3).choice(rng.random(4), size=5, replace=False)  # E: Cannot take a larger sample",
        "random.sample(range(4), 5)  # E: Sample larger than population",
        "random.sample([rng.random()], k=2)  # E: Sample larger than population",
    ],
)
def test_more_than_there_are(drawn: str, names: dict[str, Any], tmp_path: Path) -> None:
    names = {**names, "random": random}
    if "# E" in drawn:
        with pytest.raises(ValueError, match=r"Cannot take a larger sample|Sample larger than population"):
            exec(drawn, names)
    else:
        exec(drawn, names)
    assert differences(tmp_path, f"{UNSIZED}import random\n{drawn}") == []
