"""Functions of one's own, generic over the element type, keep the caller's type."""

from __future__ import annotations

from typing import Generic, assert_type

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, linalg, math, nn

F = TypeVar("F", bound=tg.TFloating)
N = TypeVar("N", bound=tg.TNumber)
R = TypeVar("R", bound=tg.TReal)
C = TypeVar("C", tg.TFloat32, tg.TFloat64)
S = TypeVar("S", bound=tuple[int, ...])


def softmax(scope: tg.Scope, x: tg.Operand[F]) -> tg.Operand[F]:
    top = core.Max.create(scope, x, -1, keep_dims=True)
    powers = math.Exp.create(scope, math.Sub.create(scope, x, core.StopGradient.create(scope, top)))
    return math.RealDiv.create(scope, powers, core.Sum.create(scope, powers, -1, keep_dims=True))


def linear(scope: tg.Scope, x: tg.Operand[F], weights: tg.Variable[F], bias: tg.Variable[F]) -> tg.Operand[F]:
    return nn.BiasAdd.create(scope, linalg.MatMul.create(scope, x, weights.read(scope)), bias.read(scope))


def dense(scope: tg.Scope, x: tg.Operand[F], layers: list[tuple[tg.Variable[F], tg.Variable[F]]]) -> tg.Operand[F]:
    for weights, bias in layers:
        x = nn.Relu.create(scope, linear(scope, x, weights, bias))
    return x


def swish(scope: tg.Scope, x: tg.Operand[F, S]) -> math.Mul[F]:
    gate: math.Sigmoid[F, S] = math.Sigmoid.create(scope, x)
    return math.Mul.create(scope, x, gate)


def halved(x: tg.Operand[F]) -> tg.Operand[F]:
    return 0.5 * x + 0.0 - 0 * x / 2


def of_numbers(x: tg.Operand[N]) -> tg.Operand[N]:
    return (x + x) * x - 2 * x + 1


def of_reals(x: tg.Operand[R]) -> tg.Operand[tg.TBool]:
    return (x // 2 + x % x < x) & (x >= 0) | (1 > x)


def of_two_types(x: tg.Operand[C]) -> tg.Operand[C]:
    return -x @ x / 2.0 + abs(x) ** 2


class Layer(Generic[N]):
    def __init__(self, scale: tg.Variable[N]) -> None:
        self.scale = scale

    def __call__(self, x: tg.Operand[N]) -> tg.Operand[N]:
        return x * self.scale + self.scale


scope = tg.Scope(tg.Graph())
single = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
double = core.Placeholder.create(scope, tg.TFloat64, shape=(2, 3))
assert_type(softmax(scope, single), tg.Operand[tg.TFloat32])
assert_type(softmax(scope, double), tg.Operand[tg.TFloat64])
assert_type(halved(double), tg.Operand[tg.TFloat64])
assert_type(of_numbers(double), tg.Operand[tg.TFloat64])
assert_type(of_reals(double), tg.Operand[tg.TBool])
assert_type(of_two_types(core.Placeholder.create(scope, tg.TFloat64, shape=(2, 2))), tg.Operand[tg.TFloat64])
assert_type(Layer(tg.Variable.create(scope, [1, 2]))(core.Constant.create(scope, [3, 4])), tg.Operand[tg.TInt32])
assert_type(swish(scope, single), math.Mul[tg.TFloat32])
layers = [
    (tg.Variable.create(scope, np.eye(3)), tg.Variable.create(scope, np.zeros(3))),
    (tg.Variable.create(scope, np.ones((3, 1))), tg.Variable.create(scope, np.zeros(1))),
]
probabilities = softmax(scope, dense(scope, double, [(weights, bias) for weights, bias in layers]))
with tg.Session(scope.graph) as session:
    value: NDArray[np.float64] = session.run(probabilities, {double: np.ones((2, 3))})
assert value.tolist() == [[1.0], [1.0]]
