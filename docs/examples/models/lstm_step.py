"""A step of a long short-term memory with all shapes stated: mypy with `typegrad.mypy_plugin` proves them.

Source: Hochreiter and Schmidhuber, "Long short-term memory" (1997), with the forget gate of Gers et al. (2000).
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn, random

INPUTS: Final = 20
UNITS: Final = 32

Batch = NewType("Batch", int)
Units: TypeAlias = Literal[32]

Inputs: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[20]]]
Memory: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Units]]


class State(NamedTuple):
    """The state that a step passes to the next one."""

    output: Memory
    cell: Memory


class Cell:
    """The weights of all four gates in one matrix."""

    def __init__(self, scope: tg.Scope) -> None:
        """Create random weights, with forget gates that are nearly open."""
        shape = (INPUTS + UNITS, 4 * UNITS)
        self.kernel = tg.Variable.create(scope, random.TruncatedNormal.create(scope, shape, tg.TFloat32))
        self.bias = tg.Variable.create(scope, np.ones(4 * UNITS, np.float32))

    def step(self, scope: tg.Scope, x: Inputs, state: State) -> State:
        """The next state."""
        both = core.Concat.create(scope, [x, state.output], 1)
        gates = nn.BiasAdd.create(scope, both @ self.kernel, self.bias)
        write, forget, read, candidate = core.Split.create(scope, 1, gates, num_split=4).output
        kept = math.Sigmoid.create(scope, forget) * state.cell
        cell = kept + math.Sigmoid.create(scope, write) * math.Tanh.create(scope, candidate)
        return State(math.Sigmoid.create(scope, read) * math.Tanh.create(scope, cell), cell)


def main() -> None:
    """Run five steps on random numbers."""
    scope = tg.Scope(tg.Graph(seed=1))
    xs = core.Placeholder.create(scope, tg.TFloat32, (5, Batch, INPUTS))
    start = core.Placeholder.create(scope, tg.TFloat32, (Batch, UNITS))
    cell = Cell(scope)
    state = State(start, start)
    for x in core.Unstack.create(scope, xs, num=5).output:
        state = cell.step(scope, x, state)
    numbers = np.random.default_rng(0).random((5, 3, 20), np.float32)
    with tg.Session(scope.graph) as session:
        value = session.run(state.output, {xs: numbers, start: np.zeros((3, 32), np.float32)})
    print(value.shape)


if __name__ == "__main__":
    main()
