"""In a function that is generic in its shape S, results of unknown shape fit S where they may have it."""

from __future__ import annotations

from functools import reduce
from typing import Any, Generic

from typing_extensions import TypeVar

import typegrad as tg
from typegrad.op import core, math, nn

F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
Number = float | tg.Operand[tg.TFloat32, tuple[()]]


def mixed(a: tg.Operand[tg.TFloat32, S], b: tg.Operand[tg.TFloat32, S], t: Number) -> tg.Operand[tg.TFloat32, S]:
    return a + t * (b - a)


def scaled(a: tg.Operand[tg.TFloat32, S], t: Number) -> tg.Operand[tg.TFloat32, S]:
    product = t * a
    return (product + a) / t - t


def shrunk(scope: tg.Scope, x: tg.Operand[tg.TFloat32, S], threshold: Any) -> tg.Operand[tg.TFloat32, S]:
    return math.Sign.create(scope, x) * nn.Relu.create(scope, math.Abs.create(scope, x) - threshold)


def picked(scope: tg.Scope, a: tg.Operand[tg.TFloat32, S], n: int) -> tg.Operand[tg.TFloat32, S]:
    return core.Stack.create(scope, [a, a])[n] + a[None][0] + core.ExpandDims.create(scope, a, 0)[0]


def rotated(scope: tg.Scope, x: tg.Operand[tg.TFloat32, S]) -> tg.Operand[tg.TFloat32, S]:
    first, second = core.Split.create(scope, -1, x, 2)
    return core.Concat.create(scope, [-second, first], -1).expect(tg.TFloat32, like=x)


def total(a: tg.Operand[tg.TFloat32, S]) -> tg.Operand[tg.TFloat32, S]:
    return reduce(lambda x, y: x + y, [a, a])


def nested(a: tg.Operand[tg.TFloat32, S], t: Number) -> tg.Operand[tg.TFloat32, S]:
    def once(b: tg.Operand[tg.TFloat32, S]) -> tg.Operand[tg.TFloat32, S]:
        return b * t

    return once(a) if isinstance(t, float) else once(once(a))


def in_float32(a: tg.Operand[F, S]) -> tg.Operand[tg.TFloat32, S]:
    return a.expect(tg.TFloat32)


class State(Generic[S]):
    def __init__(self, value: tg.Operand[tg.TFloat32, S]) -> None:
        self.value = value

    def stepped(self, t: Number) -> tg.Operand[tg.TFloat32, S]:
        return self.value - t * self.value


def called(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (4, 3))
    picked(scope, shrunk(scope, nested(in_float32(x), 0.5), 0.5), 1)
    mixed(total(x), scaled(x, 2.0), State(x).stepped(0.5).expect(tg.TFloat32, (4, 3))[0, 0])
