"""A small training of which every moment can be told: how many steps are done, and that all of each is."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

import typegrad as tg
from typegrad.op import core, math, random

__all__ = ["Training"]


class Training:
    """Steps that count up a variable as a whole and another row by row, and add random numbers to a third."""

    def __init__(self) -> None:
        """A session before its first run."""
        graph = tg.Graph(seed=1)
        scope = tg.Scope(graph)
        zeros, ones = np.zeros(3, np.int64), core.Constant.create(scope, np.ones(3, np.int64))
        whole, rows = (tg.Variable.create(scope.with_name(name), zeros) for name in ("whole", "rows"))
        start = random.RandomUniform.create(scope.with_name("start"), [2], tg.TFloat32)
        walk = tg.Variable.create(scope.with_name("walk"), start)
        noise = random.RandomUniform.create(scope.with_name("noise"), [2], tg.TFloat32)
        updates = [
            whole.assign_add(scope, ones),
            core.ResourceScatterAdd.create(scope, rows.handle, [0, 1, 2], ones),
            walk.assign_add(scope, noise),
        ]
        self._divisor = core.Placeholder.create(scope, tg.TInt32, shape=())
        self._failing = math.FloorDiv.create(scope.with_control_dependencies(updates), self._divisor, self._divisor)
        self._step = core.NoOp.create(scope.with_control_dependencies(updates))
        self._reads = [variable.read(scope) for variable in (whole, rows, walk)]
        self.graph: Final = graph
        self.variables: Final = (whole, rows, walk)
        self.session = tg.Session(graph)

    def step(self) -> None:
        """Do all of it."""
        self.session.run(self._step)

    def fail(self) -> None:
        """Do all of it, and then fail."""
        try:
            self.session.run(self._failing, {self._divisor: 0})
        except tg.InvalidArgumentError:
            return
        raise AssertionError("a division by zero")

    def look(self) -> tuple[int, bytes]:
        """How many steps are done, and where the random walk is."""
        return moment(*self.session.run(self._reads))

    def look_apart(self) -> tuple[int, bytes]:
        """The same by `Session.value`."""
        return moment(*(self.session.value(variable) for variable in self.variables))

    def walk(self, steps: int) -> list[tuple[int, bytes]]:
        """What `look` gives after 0, 1, ... steps in a session that nobody interrupts."""
        self.session = tg.Session(self.graph)
        found = [self.look()]
        for _ in range(steps):
            self.step()
            found.append(self.look())
        self.session = tg.Session(self.graph)
        return found


def moment(whole: Any, rows: Any, walk: Any) -> tuple[int, bytes]:
    """How many steps the values show, all of them the same."""
    (steps,) = {*whole.tolist(), *rows.tolist()}
    return steps, walk.tobytes()
