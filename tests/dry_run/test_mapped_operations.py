"""Operations that `map` and the like create, when somebody asks for the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import itertools
from functools import partial
times = partial(math.Mul.create, scope, x)
"""
PROGRAMS: Final = {
    "unpacked": "first, second = map(times, (np.zeros(3, np.float32), 2.0))  # E: shapes [Batch, 8] and [3]",
    "listed": "products = map(times, [2.0, np.zeros(3, np.float32)])\nlist(products)  # E: shapes [Batch, 8] and [3]",
    "in a loop": "for y in map(times, [2.0, np.zeros(3, np.float32)]):  # E: shapes [Batch, 8] and [3]\n    y + x",
    "pairs": (
        "pairs = [(x, 2.0), (x, np.zeros(3, np.float32))]\n"
        "print([*itertools.starmap(partial(math.Mul.create, scope), pairs)])  # E: shapes [Batch, 8] and [3]"
    ),
    "behind it": "first, second = map(times, (1.0, 2.0))\nfirst @ np.zeros((3, 4), np.float32)  # E: inner dimensions",
    "caught": "try:\n    list(map(times, [np.zeros(3, np.float32)]))\nexcept tg.ShapeError:\n    pass",
    "not asked for": "products = map(times, [np.zeros(3, np.float32)])",
    "right": (
        "first, second = map(times, (np.zeros(8, np.float32), 2.0))\n"
        "a, b = map(partial(core.Placeholder.create, scope, tg.TFloat32), [(2, 3), (3, 4)])\na @ b\n"
        "sums = dict(zip('ab', map(times, map(float, '12'))))\nsums['a'] + sums['b']"
    ),
    "unknown": (
        "first, second = map(times, unknown.values)\nfirst + second\nthird, *_ = map(times, [unknown.value])\nthird + x"
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, f"{PRELUDE}{PROGRAMS[name]}\n")
