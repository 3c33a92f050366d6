"""Matrix factorization by alternating least squares: ratings of films, most of them missing."""

from typing import Literal, TypeAlias, TypeVar

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn

A = TypeVar("A", bound=int)
B = TypeVar("B", bound=int)
RANK = 3

Table: TypeAlias = tg.Operand[tg.TFloat64, tuple[A, B]]
Factors: TypeAlias = tg.Operand[tg.TFloat64, tuple[A, Literal[3]]]


def solved(
    scope: tg.Scope, ratings: Table[A, B], known: Table[A, B], factors: Factors[B], penalty: float
) -> Factors[A]:
    """The factors of the rows that explain the known ratings, for fixed factors of the columns."""
    squares = factors[:, :, None] * factors[:, None, :]
    outer = linalg.Einsum.create(scope, [known, squares], equation="ab,bij->aij")
    gram = outer + penalty * np.eye(RANK)
    right = linalg.MatMul.create(scope, ratings * known, factors)
    solution = linalg.Solve.create(scope, gram, core.ExpandDims.create(scope, right, -1))
    return core.Squeeze.create(scope, solution, [-1])


def loss(
    scope: tg.Scope, ratings: Table[A, B], known: Table[A, B], rows: Factors[A], columns: Factors[B], penalty: float
) -> tg.Operand[tg.TFloat64, tuple[()]]:
    guess = linalg.MatMul.create(scope, rows, columns, transpose_b=True)
    misfit = nn.L2Loss.create(scope, (ratings - guess) * known)
    size = nn.L2Loss.create(scope, rows) + nn.L2Loss.create(scope, columns)
    return misfit + penalty * size


class Alternating:
    """Factors of users and of films, as variables of unknown length."""

    def __init__(self, scope: tg.Scope, users: int, films: int, penalty: float = 0.1) -> None:
        rng = np.random.default_rng(11)
        self.scope = scope
        self.ratings = core.Placeholder.create(scope, tg.TFloat64, (users, films))
        self.known = core.Placeholder.create(scope, tg.TFloat64, (users, films))
        self.users = tg.Variable.create(scope, rng.normal(0, 1, (users, RANK)))
        self.films = tg.Variable.create(scope, rng.normal(0, 1, (films, RANK)))
        self.penalty = penalty

    def current(self) -> tuple[Factors[int], Factors[int]]:
        return self.users.read(self.scope), self.films.read(self.scope)

    def loss(self) -> tg.Operand[tg.TFloat64, tuple[()]]:
        users, films = self.current()
        return loss(self.scope, self.ratings, self.known, users, films, self.penalty)

    def sweep(self) -> tg.Operation:
        """One step for the users, then one for the films."""
        scope = self.scope
        _, films = self.current()
        users = solved(scope, self.ratings, self.known, films, self.penalty)
        first = self.users.assign(scope, users)
        transposed = linalg.Transpose.create(scope, self.ratings)
        mask = linalg.Transpose.create(scope, self.known)
        with scope.with_control_dependencies([first]) as after:
            following = solved(after, transposed, mask, users, self.penalty)
            second = self.films.assign(after, following)
        return second.op


def main() -> None:
    rng = np.random.default_rng(0)
    users, films = 12, 9
    truth = rng.normal(size=(users, RANK)) @ rng.normal(size=(RANK, films))
    mask = (rng.random((users, films)) < 0.7).astype(np.float64)
    graph = tg.Graph()
    model = Alternating(tg.Scope(graph), users, films)
    objective = model.loss()
    sweep = model.sweep()
    slopes = tg.gradients(model.scope, objective, (model.users, model.films), unconnected_gradients="zero")
    norm = math.Sqrt.create(
        model.scope, math.AddN.create(model.scope, [core.Sum.create(model.scope, s * s) for s in slopes])
    )
    with tg.Session(graph) as session:
        feeds = {model.ratings: truth * mask, model.known: mask}
        history = [session.run(objective, feeds).item()]
        for _ in range(10):
            session.run(sweep, feeds)
            history.append(session.run(objective, feeds).item())
        assert all(b <= a + 1e-9 for a, b in zip(history, history[1:]))
        assert session.run(norm, feeds) < 1e-2 * history[0]


main()
