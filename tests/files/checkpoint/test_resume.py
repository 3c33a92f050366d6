"""Training that was interrupted and resumed goes bit by bit as training that was not."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import optimizers
from typegrad.op import core, dtypes, linalg, math, nn, random

OPTIMIZERS: Final = sorted(
    name
    for name in dir(optimizers)
    if inspect.isclass(item := getattr(optimizers, name))
    and issubclass(item, optimizers.Optimizer)
    and not inspect.isabstract(item)
)
SCHEDULED: Final = ("Adam", "Momentum")


class Training:
    """A small net with a dropout, random targets, sparse and dense gradients, a global step, and a moving average."""

    def __init__(self, optimizer: str, *, seed: int | None, scheduled: bool = False) -> None:
        graph = tg.Graph(seed=seed)
        scope = tg.Scope(graph)
        table = self._variable(scope, "table", [50, 8])
        w = self._variable(scope, "w", [8, 4])
        chosen = random.RandomUniformInt.create(scope.with_name("chosen"), [6], 0, 50)
        rows = core.ResourceGather.create(scope, table.handle, chosen, tg.TFloat32)
        kept = random.RandomUniform.create(scope.with_name("dropout"), [6, 8], tg.TFloat32)
        hidden = math.Mul.create(scope, rows, dtypes.Cast.create(scope, kept > 0.5, tg.TFloat32))
        noise = random.RandomStandardNormal.create(scope.with_seed(9).with_name("noise"), [6, 4], tg.TFloat32)
        self.loss = nn.L2Loss.create(
            scope, math.Sub.create(scope, linalg.MatMul.create(scope, hidden, w.read(scope)), noise)
        )
        step = tg.Variable.create(scope.with_name("global_step"), 0, tg.TInt64, trainable=False)
        options: dict[str, Any] = {"learning_rate": optimizers.CosineDecay(0.1, 20)} if scheduled else {}
        result = getattr(optimizers, optimizer)(graph, **options)
        self.step = result.minimize(self.loss, global_step=step)
        self.looked_at = kept
        self.graph = graph

    @staticmethod
    def _variable(scope: tg.Scope, name: str, sizes: list[int]) -> tg.Variable[Any, Any]:
        initial = random.RandomUniform.create(scope.with_name(f"{name}/initial"), sizes, tg.TFloat32)
        return tg.Variable.create(scope.with_name(name), initial)

    def run(self, session: tg.Session, count: int) -> list[bytes]:
        """Train, look at something random now and then, and say all that was seen."""
        seen = []
        for i in range(count):
            seen.append(session.run([self.loss, self.step])[0].tobytes())
            if i % 2:
                seen.append(session.run(self.looked_at).tobytes())
        return seen

    def state(self, session: tg.Session) -> dict[str, bytes]:
        return {variable.name: session.value(variable).tobytes() for variable in self.graph.variables}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_resumed_training_is_bit_identical(tmp_path: Path, name: str) -> None:
    check(tmp_path, name, seed=1)


@pytest.mark.parametrize("name", SCHEDULED)
def test_so_it_is_without_a_seed_and_with_a_schedule(tmp_path: Path, name: str) -> None:
    check(tmp_path, name, seed=None, scheduled=True)


def check(folder: Path, name: str, *, seed: int | None, scheduled: bool = False) -> None:
    whole = Training(name, seed=seed, scheduled=scheduled)
    session = tg.Session(whole.graph)
    whole.run(session, 5)
    session.save(folder / "half")
    expected = whole.run(session, 7)

    resumed = Training(name, seed=seed, scheduled=scheduled)
    second = tg.Session(resumed.graph)
    second.restore(folder / "half")
    assert resumed.run(second, 7) == expected
    assert resumed.state(second) == whole.state(session)


def test_going_back_in_one_session_repeats_what_happened(tmp_path: Path) -> None:
    training = Training("Adam", seed=None)
    session = tg.Session(training.graph)
    training.run(session, 3)
    session.save(tmp_path / "here")
    first = training.run(session, 4)
    session.restore(tmp_path / "here")
    assert training.run(session, 4) == first


def test_saving_at_every_step_changes_nothing(tmp_path: Path) -> None:
    def trained(*, save: bool) -> list[bytes]:
        training = Training("Adam", seed=1)
        session = tg.Session(training.graph)
        seen = []
        for _ in range(6):
            seen += training.run(session, 2)
            if save:
                session.save(tmp_path / "now")
        return seen

    assert trained(save=True) == trained(save=False)


def test_all_slots_are_saved(tmp_path: Path) -> None:
    training = Training("Adam", seed=1)
    session = tg.Session(training.graph)
    session.save(tmp_path / "m")
    graph = tg.Graph(seed=1)
    tg.Variable.create(tg.Scope(graph).with_name("w"), np.zeros((8, 4), np.float32))
    with pytest.raises(tg.CheckpointError, match="in the file, but not in the graph: .*'w/Adam/m'"):
        tg.Session(graph).restore(tmp_path / "m")
