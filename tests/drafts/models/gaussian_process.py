"""Gaussian process regression; a QR decomposition solves for the weights."""

from typing import Literal, NewType

import numpy as np

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math
from typegrad.training.optimizers import Adam

N = NewType("N", int)
M = NewType("M", int)
Points = tg.Operand[tg.TFloat64, tuple[N, Literal[1]]]
Queries = tg.Operand[tg.TFloat64, tuple[M, Literal[1]]]

graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope.with_name("x"), tg.TFloat64, (N, 1))
y = core.Placeholder.create(scope.with_name("y"), tg.TFloat64, (N, 1))
x_new = core.Placeholder.create(scope.with_name("x_new"), tg.TFloat64, (M, 1))

log_length = tg.Variable.create(scope.with_name("log_length"), np.float64(0.0))
log_noise = tg.Variable.create(scope.with_name("log_noise"), np.float64(-2.0))


def kernel(a: tg.Operand[tg.TFloat64], b: tg.Operand[tg.TFloat64]) -> tg.Operand[tg.TFloat64, tuple[int, int]]:
    """The squared exponential of all distances between rows of a and of b."""
    difference = core.ExpandDims.create(scope, a, 1) - core.ExpandDims.create(scope, b, 0)
    distance = core.Sum.create(scope, difference * difference, -1)
    return math.Exp.create(scope, -0.5 * distance / math.Exp.create(scope, 2.0 * log_length))


def solve(
    matrix: tg.Operand[tg.TFloat64, tuple[N, N]], rhs: tg.Operand[tg.TFloat64, tuple[N, int]]
) -> tg.Operand[tg.TFloat64, tuple[N, int]]:
    qr = linalg.Qr.create(scope, matrix)
    rotated = linalg.MatMul.create(scope, qr.q, rhs, transpose_a=True)
    return linalg.TriangularSolve.create(scope, qr.r, rotated, lower=False)


count = core.Shape.create(scope, x)[0]
places = core.Range.create(scope, 0, count, 1)
diagonal = core.OneHot.create(scope, places, count, np.float64(1), np.float64(0))
covariance = kernel(x, x) + math.Exp.create(scope, 2 * log_noise) * diagonal
weights = solve(covariance.expect(tg.TFloat64, (N, N)), y)
mean: tg.Operand[tg.TFloat64, tuple[M, Literal[1]]] = kernel(x_new, x) @ weights

r = linalg.Qr.create(scope, covariance).r
log_determinant = core.Sum.create(
    scope, math.Log.create(scope, math.Abs.create(scope, core.Sum.create(scope, r * diagonal, 1)))
)
fit_term = core.Sum.create(scope, y * weights)
loss = 0.5 * fit_term + 0.5 * log_determinant
step = Adam(graph, 0.05).minimize(loss)
gradient = tg.grad(scope, loss, log_length)
identity = functions.eye(scope, 3, dtype=tg.TFloat64)

inputs = np.linspace(-3, 3, 20)[:, None]
targets = np.sin(2 * inputs)
new = np.array([[0.4], [1.1]])
with tg.Session(graph) as session:
    before = session.run(loss, {x: inputs, y: targets})
    for _ in range(40):
        session.run(step, {x: inputs, y: targets})
    after, slope = session.run((loss, gradient), {x: inputs, y: targets})
    predicted = session.run(mean, {x: inputs, y: targets, x_new: new})
assert after < before, (before, after)
assert np.isfinite(slope)
assert np.allclose(predicted, np.sin(2 * new), atol=0.1), predicted
