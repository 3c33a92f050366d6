"""A modern Hopfield network: states fall into the stored pattern of least energy."""

from collections.abc import Callable
from typing import Literal, NewType, TypeVar

import numpy as np
import numpy.typing as npt

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, nn

Queries = NewType("Queries", int)
N = TypeVar("N", bound=int)
PATTERNS = 6
BITS = 32

State = tg.Operand[tg.TFloat32, tuple[Queries, Literal[32]]]
Memory = tg.Operand[tg.TFloat32, tuple[Literal[6], Literal[32]]]
Update = Callable[[State], State]


def similarities(
    scope: tg.Scope, memory: Memory, state: tg.Operand[tg.TFloat32, tuple[N, Literal[32]]]
) -> tg.Operand[tg.TFloat32, tuple[N, Literal[6]]]:
    return linalg.MatMul.create(scope, state, memory, transpose_b=True)


def energy(scope: tg.Scope, memory: Memory, state: State, beta: float) -> tg.Operand[tg.TFloat32, tuple[Queries]]:
    with scope:
        scaled = beta * similarities(scope, memory, state)
        attraction = functions.logsumexp(scope, scaled, 1) / beta
        norm = core.Sum.create(scope, state * state, 1)
        largest = core.Max.create(scope, core.Sum.create(scope, memory * memory, 1))
        return -attraction + 0.5 * norm + np.log(PATTERNS) / beta + 0.5 * largest


def retrieval(scope: tg.Scope, memory: Memory, beta: float) -> Update:
    """The update, which lowers the energy."""

    def update(state: State) -> State:
        weights = nn.Softmax.create(scope, beta * similarities(scope, memory, state))
        return weights @ memory

    return update


def descent(scope: tg.Scope, memory: Memory, beta: float, rate: float) -> Update:
    """The same fixed points, by the gradient of the energy."""

    def update(state: State) -> State:
        slope = tg.grad(scope, energy(scope, memory, state, beta), state)
        return state - rate * slope

    return update


def repeated(update: Update, times: int) -> Update:
    def many(state: State) -> State:
        for _ in range(times):
            state = update(state)
        return state

    return many


def overlaps(found: npt.NDArray[np.float32], patterns: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return np.asarray(found @ patterns.T / BITS, np.float32)


def main() -> None:
    rng = np.random.default_rng(7)
    patterns = rng.choice([-1.0, 1.0], size=(PATTERNS, BITS)).astype(np.float32)
    graph = tg.Graph()
    scope = tg.Scope(graph)
    memory = core.Constant.create(scope.with_name("memory"), patterns).expect(tg.TFloat32, (PATTERNS, BITS))
    start = core.Placeholder.create(scope.with_name("start"), tg.TFloat32, (Queries, BITS))

    beta = 0.5
    updates: dict[str, Update] = {
        "attention": repeated(retrieval(scope, memory, beta), 3),
        "descent": repeated(descent(scope, memory, beta, 0.5), 6),
    }
    ends = {name: update(start) for name, update in updates.items()}
    before = energy(scope, memory, start, beta)
    after = {name: energy(scope, memory, end, beta) for name, end in ends.items()}
    nearest = math.ArgMax.create(scope, similarities(scope, memory, ends["attention"]), 1)
    slopes = [tg.grad(scope, core.Sum.create(scope, e), start) for e in after.values()]

    noisy = patterns[[0, 2, 4]].copy()
    noisy[:, :8] *= -1
    with tg.Session(graph) as session:
        feeds = {start: noisy}
        states = session.run(ends, feeds)
        e0, e1 = session.run((before, after), feeds)
        for name, state in states.items():
            assert overlaps(state, patterns).max() > 0.9 and (e1[name] <= e0 + 1e-3).all()
        assert session.run(nearest, feeds).tolist() == [0, 2, 1]
        assert [slope.shape for slope in session.run(slopes, feeds)] == [(3, BITS), (3, BITS)]


main()
