"""Elements of a data set that a loop takes by way of another iterator: the first ones are known."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import itertools
from typegrad.training.data import Dataset
session = tg.Session(scope.graph)
rows = core.Placeholder.create(scope, tg.TFloat32, (None, 3))
made = np.zeros((10, 2), np.float32), np.zeros(10, np.int32)
data = Dataset.from_arrays(*made).shuffle(seed=0).batch(4)
few = Dataset.from_arrays(*made).batch(5)
"""
FED: Final = "session.run(rows, {rows: a})  # E: which does not fit [?, 3]"
WRONG: Final = (
    f"for step, (a, _) in enumerate(data): {FED}",
    f"for epoch in range(3):\n    for step, (a, _) in enumerate(data.epoch(epoch)): {FED}",
    f"for (a, _), rate in zip(data, [0.1, 0.2, 0.3]): {FED}",
    f"for a, _ in itertools.islice(data.repeat(), 3): {FED}",
    f"a, _ = next(iter(data))\n{FED}",
    f"a, _ = list(few)[1]\n{FED}",
    f"a = np.concatenate([each for each, _ in list(few)])\n{FED}",
    "def get_batch(): return next(data)  # E: 'Dataset' object is not an iterator\nget_batch()",
    "next(data.repeat(), None)  # E: 'Dataset' object is not an iterator",
)
OF_FUNCTIONS: Final = (
    "def f(r): return r[:, :2]  # E: too many indices\nfor a in Dataset.from_arrays(made[0]).map(f).batch(2): pass",
    "for a in Dataset.from_arrays(made[0]).map(lambda r: r + made[0][0]).map(lambda r: r @ made[0]): pass  # E: fit",
    "data = Dataset.from_arrays(made[0]).map(function=lambda r: r[2:, 0])  # E: too many\nlist(data.prefetch(2))",
    "data = data.map(lambda ab: ab[2])  # E: out of range\nfor step, a in enumerate(data): pass",
    "for a in Dataset.from_iterable([np.zeros(3), np.zeros(4)]).batch(2): pass  # E: differ in shape: [3] and [4]",
    "for i, a in enumerate(Dataset.from_iterable([np.zeros(3), np.zeros(4)]).batch(2)): pass  # E: differ in shape",
    """
from typegrad.training import fit
from typegrad.training.optimizers import Adam
w, labels = tg.Variable.create(scope, np.zeros(3, np.float32)), core.Placeholder.create(scope, tg.TFloat32, (None,))
step = Adam(scope.graph).minimize(math.Mean.create(scope, core.Sum.create(scope, rows * w, 1) - labels))
fit(session, step, Dataset.from_arrays(np.zeros((4, 3), np.float32), np.ones(4, np.float32)), (rows, labels), epochs=1)  # E: write dataset.batch(32)
""",  # noqa: E501
    f"for a in Dataset.from_arrays(made[0]).map(lambda r: r * 2.0).progress().batch(4): {FED}",
)
RIGHT: Final = (
    "for step, _ in enumerate(Dataset.from_arrays(*made)): pass\nx @ np.zeros((step - 1, 1), np.float32)",
    "x @ np.zeros((len(list(Dataset.from_arrays(*made))) - 2, 1), np.float32)",
    "elements = list(Dataset.from_arrays(*made))\nx @ np.zeros((len(elements) - 2, 1), np.float32)",
    """
it = iter(Dataset.from_arrays(*made))
for _ in range(5): next(it)
x @ np.zeros((len(list(it)) + 3, 1), np.float32)
""",
    "count = 0\nfor _ in zip(Dataset.from_arrays(*made), range(8)): count += 1\nx @ np.zeros((count, 1), np.float32)",
    "one, two = Dataset.from_arrays(*made).batch(5)\nsession.run(rows[:, :2], {rows: np.ones((5, 3), np.float32)})",
    "table = {7: 1}\nfor a in Dataset.from_arrays(made[1] + 7).map(lambda r: table[int(r)]): pass",
    "for a in Dataset.from_arrays(made[0]).map(unknown.f).map(lambda r: r[:, 0]): pass",
    """
try:
    for a in Dataset.from_arrays(made[0]).map(lambda r: r[:, 0]): pass
except IndexError: pass
""",
    """
for a in Dataset.from_iterable([np.zeros(3), np.zeros(4)]):
    if unknown.f(): break
for a in Dataset.from_iterable([np.zeros(4), np.zeros(3)]).map(lambda r: r[3] + a): break
""",
    "one, two = list(few)\nx @ np.zeros((len(one[0]) + 3, 1), np.float32)",
)


@pytest.mark.parametrize("statements", WRONG)
def test_a_wrong_element_is_refused(statements: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + statements) == []


@pytest.mark.parametrize("statements", OF_FUNCTIONS)
def test_an_error_of_a_function_that_makes_an_element_is_told(statements: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + statements) == []


@pytest.mark.parametrize("statements", RIGHT)
def test_a_right_program_is_not_refused(statements: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + statements) == []
