"""Arrays that are made of values that a file tells, such as those of a text: what is known of them follows from how."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from dry_run.following import HEADER, UNSIZED, differences
from typegrad.op import core

ROWS: Final = [{"a": 1, "b": 0.5, "flat": [0, 1, 2, 3, 4, 5]}] * 3
SOURCE: Final = f"{HEADER}{UNSIZED}"
ARRAYS: Final = {
    "np.frombuffer(raw, np.uint8)": "tg.TUint8, None",
    "np.frombuffer(raw, np.uint8, offset=4).reshape(-1, 4).astype(np.float32) / 255": "F, None, 4",
    "np.fromiter(rows[0]['flat'], np.int32)": "I, None",
    "np.asarray(rows[0]['flat'], np.float32).reshape(2, 3)": "F, 2, 3",
    "np.asarray(rows[0]['flat'], dtype=np.float32).reshape((-1, 3))": "F, None, 3",
    "np.array(rows[0]['flat'], np.int64).reshape(2, len(rows))": "L, 2, None",
    "np.array(rows[0]['flat'], float).reshape(len(rows), -1)": "D, None, None",
    "np.array(rows[0]['flat'], np.int32).astype(np.float32).ravel()": "F, None",
    "np.asarray(rows[0]['flat'], np.float32).copy().flatten()": "F, None",
    "np.stack([np.asarray(row['flat'], np.float32).reshape(2, 3) for row in rows])": "F, None, 2, 3",
    "np.array([rows[0]['a'], 1.0, rows[0]['b']], np.float32)": "F, 3",
    "np.array([[rows[0]['a'], rows[0]['b']], [0.5, 1.5]], np.float32)[:, 0]": "F, 2",
    "np.array([rows[0]['flat'], np.zeros(6)], np.float32)": "F, 2, 6",
    "np.array([[rows[0]['a'], n, 1.5]], np.int32)": "I, 1, 3",
}
"""Arrays, and placeholders for them."""
RIGHT: Final = (
    "feed(np.array(rows[0]['flat'], np.float32), F, 6)",
    "feed(np.array(rows[0]['a'], np.float32), F)",
    "feed(np.array([rows[0]['flat'], rows[0]['flat']], np.float32), F, 2, 6)",
    "feed(np.array([rows[0]['a'], rows[0]['b']], np.float32), F, 2)",
    "feed(np.array([[each['a'], each['b'], 1.0] for each in rows[3:]], np.float32), F, 0)",
    "feed(np.array([[each['a'], each['b'], 1.0] for each in rows], np.float32), F, None, 3)",
    "feed(np.asarray(rows[0]['flat'], np.float32).reshape((6,)), F, 6)",
    "feed(np.asarray(rows[0]['flat'], np.float32).reshape(rows[0]['a'] * 6), F, 6)",
    "feed(np.asarray(rows[0]['flat'], np.float32).reshape([2, 3], order='F'), F, 2, 3)",
    "feed(np.asarray(rows[0]['flat'], np.float32).reshape(shape), F, 2, 3)",
    "feed(np.asarray(rows[0]['flat'], np.float32) / 255, F, 6)",
    "feed(np.asarray(rows[0]['flat'], np.float32)[:2], F, 2)",
    "feed(np.asarray(rows[0]['flat'], np.float32).sum(), F)",
    "feed(np.asarray(rows[0]['flat'], rows[0].get('dtype')), L, 6)",
    "feed(np.array(rows[0]['flat'], np.float32, ndmin=2), F, 1, 6)",
    "feed(np.array(rows[0]['flat']).astype(np.float32), F, 6)",
    "feed(np.array([rows[0]['a'], 1.0]), D, 2)",
    "feed(np.fromiter((row['a'] for row in rows), np.int32), I, 3)",
    "feed(np.frombuffer(raw, rows[0].get('dtype', np.uint8)), tg.TUint8, 8)",
    "feed(np.fromiter((row['a'] for row in rows), np.dtype((np.int32, 1))), I, None, 1)",
    """
image = np.asarray(rows[0]['flat'], np.float32)
assert image is np.asarray(image) and image is not None and len(image) == 6 and float(image[0]) == 0.0
for each in image: assert each >= 0
feed([float(each) for each in image], F, None)
""",
    """
try: image = np.asarray(rows[0]['flat'], np.float32).reshape(4, 4)
except ValueError: image = np.zeros((2, 3), np.float32)
feed(image, F, 2, 3)
""",
    """
image = None
for row in rows:
    image = np.asarray(row['flat'], np.float32)
image = np.asarray(image, np.float64).reshape(3, 2)
feed(image, D, 3, 2)
""",
)
"""What fits, though not all of it is known."""


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the programs have, where these are known."""
    import sys
    from types import ModuleType

    library = ModuleType("unknown_library")
    vars(library).update(text=json.dumps(ROWS), raw=bytes(range(8)), shape=(2, 3))
    monkeypatch.setitem(sys.modules, "unknown_library", library)
    made: dict[str, Any] = {"tg": tg, "core": core}
    exec(f"{SOURCE}{BEGIN}", made)
    return made


BEGIN: Final = """
import json
rows, raw, shape = json.loads(unknown.text), unknown.raw, unknown.shape
"""


def program(statement: str) -> str:
    """A program that makes it."""
    return f"{UNSIZED}{BEGIN}{statement}\n"


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array_fits_its_placeholder(text: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(f"feed({text}, {ARRAYS[text]})", names)
    assert differences(tmp_path, program(f"feed({text}, {ARRAYS[text]})")) == []


@pytest.mark.parametrize("text", ARRAYS)
def test_an_array_of_another_rank_or_type_is_refused(text: str, names: dict[str, Any], tmp_path: Path) -> None:
    dtype, *dims = ARRAYS[text].split(", ")
    shape, other = ", ".join(dims).replace("None", "?"), "F" if dtype != "F" else "D"
    made = np.asarray(eval(text, names)).dtype
    (of_rank,) = differences(tmp_path, program(f"feed({text}, {dtype}, {'None, ' * (len(dims) + 1)})"))
    (of_type,) = differences(tmp_path, program(f"feed({text}, {other}, {', '.join(dims)})"))
    assert f"has shape [{shape}], which does not fit" in of_rank
    assert f"an array of {made} is not" in of_type


@pytest.mark.parametrize("statement", RIGHT)
def test_a_right_program_is_not_refused(statement: str, names: dict[str, Any], tmp_path: Path) -> None:
    exec(statement, names)
    assert differences(tmp_path, program(statement)) == []
