"""More integers than a graph looks at: a run refuses the indices among them that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = """
p, q = core.Placeholder.create(scope, F, (None, 3)), core.Placeholder.create(scope, F, (4, 3))
v = tg.Variable.create(scope, np.zeros((70, 3), np.float32))
lag, points = np.maximum(np.arange(16)[:, None] - np.arange(16), 0), np.stack([np.arange(80), np.arange(80) % 3], 1)
wide, constant = {x: np.zeros((2, 8), np.float32)}, core.Constant.create(scope, np.arange(80))
def rows(count: int) -> np.ndarray:
    return np.zeros((count, 3), np.float32)
def loss_of(classes: int):
    logits = np.zeros((80, classes), np.float32)
    return nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, np.arange(80)).loss
lagging = core.Gather.create(scope, x, lag, 1)
"""
WRONG: Final = (
    "session.run(lagging, wide)  # E: `indices[8, 0]` is 8, but must be in [0, 8)",
    "session.run(core.Gather.create(scope, p, lag, 0), {p: rows(8)})  # E: with these feeds, `indices[8, 0]` is 8",
    "session.run(v.gather(scope, np.arange(71)))  # E: `indices[70]` is 70, but must be in [0, 70)",
    "session.run(core.Gather.create(scope, q, lag, 1), {q: unknown.rows})  # E: `indices[3, 0]` is 3, but",
    "session.run(core.GatherNd.create(scope, p, points), {p: rows(75)})  # E: `indices[75, 0]` is 75, but",
    "session.run(loss_of(10))  # E: `labels[10]` is 10, but must be in [0, 10)",
    "try: session.run(lagging, wide)\nexcept tg.TypegradError: pass\nsession.run(lagging, wide)  # E: is 8, but",
)
RIGHT: Final = (
    "session.run(core.Gather.create(scope, x, lag // 2, 1), wide)",
    "session.run(core.Gather.create(scope, p, lag, 0), {p: rows(16)})",
    "session.run(core.Gather.create(scope, p, lag, 0), {p: unknown.rows})",
    "session.run(core.Gather.create(scope, p, lag, 1), {p: rows(0)})",
    "session.run(core.Gather.create(scope, p, lag, 1), {p: unknown.rows})",
    "session.run(v.gather(scope, np.arange(70)))",
    "session.run(x, wide)",
    "session.run(core.Gather.create(scope, q, constant, 0), {q: rows(4), constant: np.zeros(80, np.int64)})",
    "session.run(core.Gather.create(scope, p, rng.integers(0, 90, 80), 0), {p: rows(75)})",
    "session.run(core.Gather.create(scope, p, np.arange(5000), 0), {p: rows(75)})",
    "session.run(core.GatherNd.create(scope, p, points), {p: rows(80)})",
    "session.run(loss_of(80))",
    "try:\n    session.run(lagging, wide)\nexcept tg.TypegradError:\n    print(0)",
    "session.run(core.OneHot.create(scope, constant, 10, 1.0, 0.0))",
    "session.run(core.Reshape.create(scope, constant, (-1, 8)) + 1)",
)


@pytest.mark.parametrize("text", WRONG)
def test_what_a_run_refuses_is_told(text: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, UNSIZED + PRELUDE + text)


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_is_told_of_what_runs(text: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, UNSIZED + PRELUDE + text)
