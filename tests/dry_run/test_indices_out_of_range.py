"""Indices that are not known, but between known ends: where all of them are out of range, that is told."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = """
import random
i, one, drawn = rng.integers(20, 40, 7), int(rng.integers(20, 40)), random.randint(3, 6)
low, some = rng.integers(-9, -5, 7), rng.integers(0, 40, 7)
table, square, items = np.zeros((20, 4)), np.zeros((4, 4)), [1, 2, 3]
"""
WRONG: Final = (
    "table[i]  # E: all indices from 20 to 39 are out of bounds for axis 0 with size 20",
    "table[some, i]  # E: all indices from 20 to 39 are out of bounds for axis 1 with size 4",
    "square[low]  # E: all indices from -9 to -6 are out of bounds for axis 0 with size 4",
    "table[one]  # E: all indices from 20 to 39 are out of bounds",
    "rng.random((20, 4))[i]  # E: all indices from 20 to 39 are out of bounds",
    "table[i] = 1  # E: all indices from 20 to 39 are out of bounds",
    "table[i, 0] += 1  # E: all indices from 20 to 39 are out of bounds",
    "items[drawn]  # E: list index out of range",
    "np.add.at(table, i, 1)  # E: all indices from 20 to 39 are out of bounds",
    "np.add.at(square, (some, some, some), 1)  # E: too many indices",
    "np.add.at(square, (some, some[:3]), 1)  # E: could not be broadcast together",
    "table[i, i, i]  # E: too many indices",
)
RIGHT: Final = (
    "table[i - 20], table[-one + 20], table[i % 20], table[one - 20, some % 4]",
    "low += 5\nsquare[low], square[rng.integers(-4, 0, 3)]",
    "some[some > 19] = 0\ntable[some]",
    "if one < len(table): table[one]\nif drawn < len(items): items[drawn]",
    "np.add.at(table, (i - 20, 0), 1); np.add.at(square, (low + 9, low + 9), 1)",
    "items[drawn - 3 > 0]\nitems[min(drawn, 2)]\nitems += [4] * 10\nitems[drawn]",
    "try:\n    table[i]\nexcept IndexError:\n    print(0)",
    "for k in range(unknown.n): [][k]",
    "table[rng.integers(20, 40, 0)], table[i[:0]]",
)


@pytest.mark.parametrize("text", WRONG)
def test_all_indices_are_out_of_range(text: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, UNSIZED + PRELUDE + text)


@pytest.mark.parametrize("text", RIGHT)
def test_some_may_be_in_range(text: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, UNSIZED + PRELUDE + text)
