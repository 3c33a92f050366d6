"""What only a run knows, in code of Python itself, which refuses what is in its place: no error of the program."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import collections, itertools, json, re
with tg.Session(scope.graph) as session:
    got = session.run(x[0] * 2.0, {x: np.ones((2, 8), np.float32)})
n = int(got[0])
class Report:
    def __bool__(self): return got[0] > 1
    def __bytes__(self): return got.tobytes()
    def __float__(self): return float(got[0])
    def __hash__(self): return n
    def __index__(self): return n
    def __iter__(self): return iter(got)
    def __len__(self): return n
    def __repr__(self): return f"{got[0]:.2f}"
"""
RIGHT: Final = {
    "joined items of a generator": 'print(", ".join(f"{each:.2f}" for each in got))',
    "joined items of an iterator": 'print(" ".join(reversed([f"{each}" for each in got])))',
    "joined bytes": 'b"".join(each.tobytes() for each in got)',
    "joined elements": """
letters = np.array(list("abc"))
print("".join(letters[i] for i in np.random.default_rng().integers(0, 3, 5)))
""",
    "a text of an object": 'print("loss " + str(Report()), repr(Report()), f"{Report()}")',
    "the truth of an object": "if Report():\n    pass",
    "other methods of an object": "bytes(Report()), float(Report()), hash(Report()), range(5)[Report()], len(Report())",
    "the items of an object": "for each in Report():\n    print(each)",
    "a number of items": 'list(itertools.islice("abcd", n)), list(itertools.permutations("abc", n))',
    "a length": "collections.deque([1, 2, 3], maxlen=n)",
    "a function that a library calls": 're.sub("[0-9]", lambda match: f"{n}", "a1 b2")',
    "another one": 'json.dumps({"a": got}, default=lambda each: each.tolist())',
}
ITEMS: Final = """
items = iter([5, 6])
list(itertools.islice(items, n))
x[:, :5] @ np.zeros((next(items, 5), 2), np.float32)
"""


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])


def test_what_is_known_is_refused(tmp_path: Path) -> None:
    wrong = '", ".join(len(each) for each in ["a"])  # E: sequence item 0: expected str instance, int found'
    assert not differences(tmp_path, PRELUDE + wrong)


def test_items_behind_an_unknown_number_are_unknown(tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + ITEMS)
