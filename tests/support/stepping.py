"""A small training whose state shows the number of steps, and whether each step was done completely."""

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
        """Do the whole step, and then fail."""
        try:
            self.session.run(self._failing, {self._divisor: 0})
        except tg.InvalidArgumentError:
            return
        raise AssertionError("a division by zero")

    def look(self) -> tuple[int, bytes]:
        """The number of steps, and the position of the random walk."""
        return moment(*self.session.run(self._reads))

    def look_apart(self) -> tuple[int, bytes]:
        """The same by `Session.value`."""
        return moment(*(self.session.value(variable) for variable in self.variables))

    def walk(self, steps: int) -> list[tuple[int, bytes]]:
        """The results of `look` after 0, 1, ... steps without interruption."""
        self.session = tg.Session(self.graph)
        looks = [self.look()]
        for _ in range(steps):
            self.step()
            looks.append(self.look())
        self.session = tg.Session(self.graph)
        return looks


def moment(whole: Any, rows: Any, walk: Any) -> tuple[int, bytes]:
    """The number of steps in the values, which must all agree."""
    (steps,) = {*whole.tolist(), *rows.tolist()}
    return steps, walk.tobytes()
