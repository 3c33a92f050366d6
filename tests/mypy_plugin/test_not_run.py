"""Runs that are described and not run: told where nothing refers to the runner, and nowhere else."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from collections.abc import Callable, Iterator
import contextlib
import numpy as np
import pytest
import typegrad as tg
from typegrad.op import core, math
from typegrad.session import Runner
graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope, tg.TFloat32, (None, 2))
w = tg.Variable.create(scope, np.ones((2, 1), np.float32))
loss = math.Mean.create(scope, x @ w)
step = tg.optimizers.GradientDescent(graph, 0.1).minimize(loss)
data = np.ones((5, 2), np.float32)
"""
NOT_RUN: Final = "Session.runner(): the steps are not run; end with .run()  [typegrad-call]"

PROGRAMS: Final = {
    "in a program": f"""
with tg.Session(graph) as session:
    for _ in range(10):
        session.runner().feed(x, data).add_target(step)  # E: {NOT_RUN}
    session.runner().fetch(loss)  # E: {NOT_RUN}
    tg.Session(graph).runner().feed(x, data)  # E: {NOT_RUN}
""",
    "in a function and in a method": f"""
def train(session: tg.Session, count: int) -> None:
    for _ in range(count):
        if count > 3:
            session.runner().feed(x, data).add_target(step)  # E: {NOT_RUN}
class Trainer:
    def __init__(self, session: tg.Session) -> None:
        self.session = session
    def step(self) -> None:
        self.session.runner().feed(x, data).add_target(step)  # E: {NOT_RUN}
""",
    "a runner that is run": """
with tg.Session(graph) as session:
    session.runner().feed(x, data).add_target(step).run()
    value, = session.runner().feed(x, data).fetch(loss).run()
    runner = session.runner()
    runner.feed(x, data)
    runner.add_target(step)
    runner.fetch(loss).run()
    (described := session.runner()).feed(x, data).add_target(step)
    described.run()
    run = session.runner().feed(x, data).add_target(step).run
    run()
""",
    "a runner that may be run elsewhere": """
def described(session: tg.Session) -> Runner:
    return session.runner().feed(x, data).add_target(step)
def fed(runner: Runner) -> None:
    runner.feed(x, data).add_target(step)
def several(session: tg.Session) -> list[Runner]:
    runners = [session.runner().add_target(step) for _ in range(3)]
    for runner in runners:
        runner.feed(x, data)
    runners.append(session.runner().feed(x, data).add_target(step))
    return runners
def each(session: tg.Session) -> Iterator[Runner]:
    yield session.runner().feed(x, data).add_target(step)
class Held:
    def __init__(self, session: tg.Session) -> None:
        self.made = session.runner()
        self.made.feed(x, data).add_target(step)
    def runner(self) -> Runner:
        return self.made
def of_own(held: Held) -> None:
    held.runner().feed(x, data)
    held.made.add_target(step)
def later(session: tg.Session) -> Callable[[], Runner]:
    return lambda: session.runner().feed(x, data).add_target(step)
""",
    "an error that is expected": """
with tg.Session(graph) as session:
    with pytest.raises(tg.FeedError):
        session.runner().feed(x, data).feed(x, data)
    with contextlib.suppress(ValueError):
        session.runner().fetch("no such operation")
    try:
        session.runner().feed(x, data).feed(x, data)
    except Exception as error:
        print(error)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
