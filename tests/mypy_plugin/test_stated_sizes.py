"""Sizes as type variables of functions and of classes of layers: numbers that calls state are their values."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from dataclasses import dataclass
from typing import Any, Generic, Literal, NewType, TypeVar
import numpy as np
from typing_extensions import Self, TypeVarTuple, Unpack
import typegrad as tg
from typegrad.op import core, nn
F32 = tg.TFloat32
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
P = TypeVar("P", bound=int)
S = TypeVar("S", bound=tuple[int, ...])
Lead = TypeVarTuple("Lead")
Batch = NewType("Batch", int)
HIDDEN = 32
class Linear(Generic[N, M]):
    def __init__(self, scope: tg.Scope, n: N, m: M) -> None:
        self.w: tg.Variable[F32, tuple[N, M]] = tg.Variable.create(scope, np.zeros((n, m), np.float32))
        self.scope = scope
    def __call__(self, x: tg.Operand[F32, tuple[Unpack[Lead], N]]) -> tg.Operand[F32, tuple[Unpack[Lead], M]]:
        return x @ self.w
    def frozen(self) -> Self:
        return self
    def twice(self, x: tg.Operand[F32, tuple[N]]) -> tuple[tg.Operand[F32, tuple[M]], tg.Operand[F32, tuple[tg.Times[M, Literal[2]]]]]:
        y = core.Squeeze.create(self.scope, core.ExpandDims.create(self.scope, x, 0) @ self.w, axis=[0])
        return y, core.Concat.create(self.scope, [y, y], 0)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, F32, shape=(Batch, 64))
"""

PROGRAMS: Final = {
    "functions": """
def rows(scope: tg.Scope, n: N, m: M) -> tg.Operand[F32, tuple[N, M]]:
    return tg.functions.zeros(scope, (n, m), F32)
def swapped(scope: tg.Scope, n: N, m: M) -> tg.Operand[F32, tuple[N, M]]:
    return tg.functions.zeros(scope, (m, n), F32)  # E: Incompatible return value type (got "Operand[TFloat32, tuple[M, N]]", expected "Operand[TFloat32, tuple[N, M]]")  [return-value]
def wide(scope: tg.Scope, n: N) -> tg.Operand[F32, tuple[tg.Plus[tg.Times[Literal[4], N], Literal[1]]]]:
    return tg.functions.zeros(scope, (4 * n + 1,), F32)
def doubled(x: tg.Operand[F32, tuple[N, M]]) -> tg.Operand[F32, tuple[M, tg.Times[N, Literal[2]]]]:
    raise NotImplementedError
def heads(x: tg.Operand[F32, tuple[N]], n: N, m: M) -> tg.Operand[F32, tuple[M, tg.FloorDiv[N, M]]]:
    return core.Reshape.create(scope, x, [m, n // m])
def cut(x: tg.Operand[F32, tuple[N]], n: N) -> tg.Operand[F32, tuple[N]]:
    return x[:n]
def calls(batch: Batch, some: int, unknown: tg.Operand[F32]) -> None:
    known_rank = cut(unknown, some)
    reveal_type(known_rank)  # R: Operand[TFloat32, tuple[int]]
    twice = doubled(unknown)
    reveal_type(twice)  # R: Operand[TFloat32, tuple[Any, Any]]
    reveal_type(rows(scope, 2, m=HIDDEN))  # R: Operand[TFloat32, tuple[Literal[2], Literal[32]]]
    reveal_type(rows(scope, batch, 2 * HIDDEN))  # R: Operand[TFloat32, tuple[Batch, Literal[64]]]
    reveal_type(rows(scope, some, -1))  # R: Operand[TFloat32, tuple[int, int]]
    reveal_type(wide(scope, 3))  # R: Operand[TFloat32, tuple[Literal[13]]]
    reveal_type(wide(scope, batch // 2))  # R: Operand[TFloat32, tuple[Plus[Times[Literal[4], FloorDiv[Batch, Literal[2]]], Literal[1]]]]
    cut(rows(scope, 2, 3)[0], 2)  # E: cut: N is 2 in n, but 3 in x  [typegrad-shape]
    right: tg.Operand[F32, tuple[Literal[32], Literal[3]]] = rows(scope, HIDDEN, 3)
    wrong: tg.Operand[F32, tuple[Literal[3], Literal[2]]] = rows(scope, 2, 3)  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Literal[2], Literal[3]]]", variable has type "Operand[TFloat32, tuple[Literal[3], Literal[2]]]")  [assignment]
""",
    "layers": """
first, second = Linear(scope, 64, HIDDEN), Linear(scope, n=16, m=7)
h = first(x)
reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[32]]]
second(h)  # E: Linear: N is 16 in n, but 32 in x  [typegrad-shape]
kept, same = first.frozen(), Linear(scope, 64, 2).frozen().frozen()
reveal_type(kept(x))  # R: Operand[TFloat32, tuple[Batch, Literal[32]]]
reveal_type(same(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
same(h)  # E: Linear: N is 64 in n, but 32 in x  [typegrad-shape]
Linear(scope, 3, 4)(x)  # E: Linear: N is 3 in n, but 64 in x  [typegrad-shape]
reveal_type(first.twice(x[0]))  # R: tuple[Operand[TFloat32, tuple[Literal[32]]], Operand[TFloat32, tuple[Literal[64]]]]
first.twice(h[0])  # E: twice: N is 64 in n, but 32 in x  [typegrad-shape]
reveal_type(Linear(scope, 64, 3))  # R: Linear[int, int]
""",
    "models": """
class Network(Generic[N]):
    def __init__(self, scope: tg.Scope, n: N) -> None:
        self.widen = Linear(scope, n, 4 * n)
        self.narrow = Linear(scope, 4 * n, n)
        self.wrong = Linear(scope, 2 * n, n)
    def __call__(self, x: tg.Operand[F32, tuple[Unpack[Lead], N]]) -> tg.Operand[F32, tuple[Unpack[Lead], N]]:
        h = self.widen(x)
        reveal_type(h)  # R: Operand[TFloat32, tuple[*Lead, Times[Literal[4], N]]]
        self.wrong(h)  # E: Linear: N is 2*N in n, but 4*N in x  [typegrad-shape]
        return x + self.narrow(h)
    def matrix(self, x: tg.Operand[F32, tuple[Batch, N]]) -> tg.Operand[F32, tuple[Batch, N]]:
        h = self.widen(x)
        reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Times[Literal[4], N]]]
        self.wrong(h)  # E: Linear: N is 2*N in n, but 4*N in x  [typegrad-shape]
        return self.narrow(h)
network = Network(scope, 64)
reveal_type(network(x))  # R: Operand[TFloat32, tuple[Batch, Literal[64]]]
network(x[:, 1:])  # E: Network: N is 64 in n, but 63 in x  [typegrad-shape]
""",
    "layers in attributes, over any leading dimensions": """
class Network:
    def __init__(self) -> None:
        self.first = Linear(scope, 64, HIDDEN)
        self.last = Linear(scope, HIDDEN, 10)
    def __call__(self, x: tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]) -> tg.Operand[F32, tuple[Unpack[Lead], Literal[10]]]:
        self.last(x)  # E: Linear: N is 32 in n, but 64 in x  [typegrad-shape]
        return self.last(nn.Relu.create(scope, self.first(x)))
    def sequence(self, x: tg.Operand[F32, tuple[Batch, Unpack[Lead], Literal[64]]]) -> tg.Operand[F32, tuple[Batch, Unpack[Lead], Literal[32]]]:
        return self.first(x)
    def leading(self, x: tg.Operand[F32, tuple[Unpack[Lead]]]) -> tg.Operand[F32, tuple[Unpack[Lead], Literal[3]]]:
        return wider(x, 3)
    def any(self, x: tg.Operand[F32]) -> None:
        reveal_type(self.first(x.expect(F32, (..., 64))))  # R: Operand[TFloat32, tuple[*tuple[Any, ...], Literal[32]]]
        reveal_type(wider(x, 3))  # R: Operand[TFloat32, tuple[*tuple[Any, ...], Literal[3]]]
    def whole(self, x: tg.Operand[F32, S]) -> tg.Operand[F32, S]:
        wider(x, 3)
        return beside(x, 3)
def wider(x: tg.Operand[F32, tuple[Unpack[Lead]]], n: N) -> tg.Operand[F32, tuple[Unpack[Lead], N]]:
    raise NotImplementedError
def beside(x: tg.Operand[F32, S], n: N) -> tg.Operand[F32, S]:
    return x
reveal_type(Network()(x))  # R: Operand[TFloat32, tuple[Batch, Literal[10]]]
""",
    "layers that are made of other sizes than they are declared with": """
class Wrong:
    def __init__(self) -> None:
        self.up: Linear[Literal[64], Literal[128]] = Linear(scope, 64, 129)  # E: Argument 3 to "Linear" has incompatible type "Literal[129]"; expected "Literal[128]"  [arg-type]
        self.down: Linear[Literal[128], Literal[64]] = Linear(scope, 128, 64)
    def __call__(self, x: tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]) -> tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]:
        return self.down(nn.Relu.create(scope, self.up(x)))
class Swapped:
    def __init__(self) -> None:
        self.up: Linear[Literal[64], Literal[128]] = Linear(scope, 64, 128)
        self.down: Linear[Literal[64], Literal[128]] = Linear(scope, 128, 64)  # E: Linear(): `n` is 128 and `m` is 64; swap them  [typegrad-call]
    def __call__(self, x: tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]) -> tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]:
        hidden = self.up(x)
        return self.down(hidden)
class Right:
    def __init__(self) -> None:
        self.up: Linear[Literal[64], Literal[128]] = Linear(scope, 64, 128)
        self.down: Linear[Literal[128], Literal[64]] = Linear(scope, 128, 64)
    def __call__(self, x: tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]) -> tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]:
        self.up(self.up(x))  # E: Linear: N is 64 in n, but 128 in x  [typegrad-shape]
        return self.down(nn.Relu.create(scope, self.up(x)))
Right()(x)
""",
    "one size of a matrix is not all leading dimensions": """
def resized(x: tg.Operand[F32, tuple[N, M]], m: P) -> tg.Operand[F32, tuple[N, P]]:
    raise NotImplementedError
def same(x: tg.Operand[F32, tuple[Unpack[Lead], N]], y: tg.Operand[F32, tuple[Unpack[Lead], M]], m: M) -> tg.Operand[F32, tuple[Unpack[Lead], M]]:
    return y
def outer(x: tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]], y: Any) -> tg.Operand[F32, tuple[Unpack[Lead], Literal[64]]]:
    reveal_type(resized(x.expect(F32, (Batch, 64)), 3))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    same(x, x, 63)  # E: same: M is 63 in m, but 64 in y  [typegrad-shape]
    return same(x, x, 64)
""",
    "the names of sizes": """
def ints(size: type[N]) -> tg.Operand[tg.TInt32, tuple[N]]:
    return core.Placeholder.create(scope, tg.TInt32, (size,))
def rows(size: type[Batch]) -> tg.Operand[tg.TInt32, tuple[Batch]]:
    return core.Placeholder.create(scope, tg.TInt32, (size,))
reveal_type(ints(Batch))  # R: Operand[TInt32, tuple[Batch]]
reveal_type(rows(Batch))  # R: Operand[TInt32, tuple[Batch]]
def wrong(size: type[Batch]) -> tg.Operand[tg.TInt32, tuple[Literal[3]]]:
    return core.Placeholder.create(scope, tg.TInt32, (size,))  # E: Incompatible return value type (got "Placeholder[TInt32, tuple[Batch]]", expected "Operand[TInt32, tuple[Literal[3]]]")  [return-value]
""",
    "not made once": """
def chosen(deep: bool, layers: list[Linear[int, int]], given: Linear[int, int]) -> None:
    if deep:
        layer = Linear(scope, 64, 8)
    else:
        layer = Linear(scope, 64, 9)
    reveal_type(layer(x))  # R: Operand[TFloat32, tuple[Batch, int]]
    h = x[:, :8]
    for each in [Linear(scope, 8, 8), Linear(scope, 8, 4)]:
        reveal_type(each(h))  # R: Operand[TFloat32, tuple[Batch, int]]
    layers.append(Linear(scope, 3, 4))
    layers = [Linear(scope, 64, 8), Linear(scope, 8, 1)]
    reveal_type(layers[1](h))  # R: Operand[TFloat32, tuple[Batch, int]]
    reveal_type(given(h))  # R: Operand[TFloat32, tuple[Batch, int]]
    other: Linear[int, int] = Linear(scope, 64, 2)
    reveal_type(other(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
    other(h)  # E: Linear: N is 64 in n, but 8 in x  [typegrad-shape]
class Square(Linear[N, N]):
    def __init__(self, scope: tg.Scope, n: N) -> None:
        super().__init__(scope, n, n)
square = Square(scope, 9)
square(x[:, :9])
class Model:
    def __init__(self, deep: bool) -> None:
        self.head = Linear(scope, 64, 2)
        if deep:
            self.head = Linear(scope, 64, 3)
    def __call__(self) -> None:
        reveal_type(self.head(x))  # R: Operand[TFloat32, tuple[Batch, int]]
""",
    "layers that are unpacked": """
class Net:
    def __init__(self) -> None:
        self.fc = (Linear(scope, 64, 16), Linear(scope, 16, 1))
        self.grown = [Linear(scope, 64, 8)]
    def __call__(self) -> tg.Operand[F32, tuple[Batch, Literal[1]]]:
        first, second = self.fc
        return second(first(x))
    def wrong(self) -> tg.Operand[F32, tuple[Batch, Literal[2]]]:
        first, second = self.fc
        first(first(x))  # E: Linear: N is 64 in n, but 16 in x  [typegrad-shape]
        return second(first(x))  # E: Incompatible return value type (got "Operand[TFloat32, tuple[Batch, Literal[1]]]", expected "Operand[TFloat32, tuple[Batch, Literal[2]]]")  [return-value]
    def replace(self) -> None:
        self.grown[0] = Linear(scope, 64, 4)
        (first,) = self.grown
        reveal_type(first(x))  # R: Operand[TFloat32, tuple[Batch, int]]
nested = (Linear(scope, 64, 16), (Linear(scope, 16, 2), Linear(scope, 16, 3)))
a, (b, c) = nested
reveal_type(b(a(x)))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
inner = nested[1]
d, e = inner
reveal_type(e(a(x)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "objects that functions and class methods make": """
class Layer(Generic[N, M]):
    def __init__(self, scope: tg.Scope, n: N, m: M) -> None:
        self.w: tg.Variable[F32, tuple[N, M]] = tg.Variable.create(scope, np.zeros((n, m), np.float32))
    def __call__(self, x: tg.Operand[F32, tuple[Batch, N]]) -> tg.Operand[F32, tuple[Batch, M]]:
        return x @ self.w
    @classmethod
    def make(cls, scope: tg.Scope, n: N, m: M) -> Layer[N, M]:
        return cls(scope, n, m)
    @classmethod
    def made(cls, scope: tg.Scope, n: N, m: M) -> Self:
        return cls(scope, n, m)
    @staticmethod
    def new(n: N, m: M) -> Layer[N, M]:
        return Layer(scope, n, m)
def layer(n: N, m: M) -> Layer[N, M]:
    return Layer(scope, n, m)
def turned(n: N, m: M) -> Layer[M, N]:
    return Layer(scope, m, n)
a, b = Layer.make(scope, 64, 2), 3
reveal_type(a(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
Layer.make(scope, 8, 2)(x)  # E: Layer: N is 8 in n, but 64 in x  [typegrad-shape]
Layer.made(scope, 8, 2)(x)  # E: Layer: N is 8 in n, but 64 in x  [typegrad-shape]
Layer.new(8, 2)(x)  # E: Layer: N is 8 in n, but 64 in x  [typegrad-shape]
layer(8, m=2)(x)  # E: Layer: N is 8 in n, but 64 in x  [typegrad-shape]
turned(2, 8)(x)  # E: Layer: N is 8 in m, but 64 in x  [typegrad-shape]
reveal_type(turned(2, 64)(x))  # R: Operand[TFloat32, tuple[Batch, Literal[2]]]
(c := Layer(scope, 8, 2))
c(x)  # E: Layer: N is 8 in n, but 64 in x  [typegrad-shape]
if (d := layer(64, 5)) is not None:
    reveal_type(d(x))  # R: Operand[TFloat32, tuple[Batch, Literal[5]]]
(e := layer(8, 2))
e = layer(64, 2)
e(x)
layers: list[Layer[int, int]] = [layer(64, 2), Layer.make(scope, 2, 64), Layer(scope, 8, 2)]
first: Layer[int, int] = turned(2, 64)
first = layer(64, 3)
class Model:
    def __init__(self) -> None:
        self.a = layer(64, 2)
        self.layers: list[Layer[int, int]] = []
        self.layers.append(layer(8, 2))
    def grow(self) -> Layer[int, int]:
        self.a = layer(64, 3)
        return self.a
""",
    "other type variables": """
K = TypeVar("K", bound=int)
class Counter(Generic[K]):
    def __init__(self, start: K) -> None:
        self.count = start
    def move(self, to: K) -> K:
        self.count = to
        return to
counter = Counter(3)
counter.move(4)
def clipped(values: list[K], low: K) -> list[K]:
    return [max(value, low) for value in values]
clipped([1, 2, 3], 2)
def default(n: N | None = None, *more: N) -> N:
    return more[0] if n is None else n
default(None, 3)
default(3, 4, 5)
""",
    "variables of arrays that a layer reshapes or changes": """
class Matrices(Generic[N, M]):
    def __init__(self, start: np.ndarray[tuple[int, ...], np.dtype[np.float32]], n: N, m: M) -> None:
        self.a: tg.Variable[F32, tuple[N, M]] = tg.Variable.create(scope, start.reshape(n, m))
        self.b: tg.Variable[F32, tuple[M, N]] = tg.Variable.create(scope, start.reshape(n, m).T)
        self.c: tg.Variable[F32, tuple[N, M]] = tg.Variable.create(scope, start.reshape((n, m)))
        self.d: tg.Variable[F32, tuple[N, M]] = tg.Variable.create(scope, start.copy().reshape(n, -1))
        self.e: tg.Variable[F32, tuple[N, M]] = tg.Variable.create(scope, np.zeros((n, n), np.float32))  # E: Incompatible types in assignment (expression has type "Variable[TFloat32, tuple[N, N]]", variable has type "Variable[TFloat32, tuple[N, M]]")  [assignment]
def drawn(n: N, m: M) -> tg.Variable[F32, tuple[N, M]]:
    a = np.ones((n, m), np.float32)
    a /= np.linalg.norm(a)
    return tg.Variable.create(scope, a)
""",
    "a variable of a size that each call has": """
def counted(n: int) -> tg.Variable[F32, tuple[Literal[8], Literal[4]]]:
    return tg.Variable.create(scope, np.zeros((n, 4), np.float32))  # E: counted returns an operand of shape [7, 4], but is declared to return [8, 4]; called in line 33  [typegrad-shape]
counted(8)
counted(7)
""",
    "two sizes of one argument": """
def square(x: tg.Operand[F32, tuple[N, N]]) -> None: ...
def last(x: tg.Operand[F32, tuple[Unpack[Lead], N, N]]) -> None: ...
def solve(a: tg.Operand[F32, tuple[N, N]], b: tg.Operand[F32, tuple[N, M]]) -> None: ...
def of_rank(a: tg.Operand[F32, tuple[N, N]], b: tg.Operand[F32, tuple[N]]) -> None: ...
class Whole(Generic[N]):
    def __init__(self, n: N) -> None: ...
    def use(self, n: tg.Operand[F32, tuple[N, N]]) -> None: ...
a = core.Placeholder.create(scope, F32, (3, 3))
b = core.Placeholder.create(scope, F32, (3, 1))
d = core.Placeholder.create(scope, tg.TFloat64, (3, 3))
open = core.Placeholder.create(scope, F32, (None, 3))
square(a)
square(open)
square(b)  # E: square: x is [3, 1], but both sizes are N: it must be square  [typegrad-shape]
square(x)  # E: square: x is [Batch, 64], but both sizes are N: it must be square  [typegrad-shape]
last(a)
last(a[None])
last(b[None])  # E: last: x is [1, 3, 1], whose sizes 3 and 1 must be equal: both are N  [typegrad-shape]
solve(a, b)
solve(a, open)
solve(open, b)
solve(b, a)  # E: solve: `a` has shape [3, 1] and `b` has shape [3, 3]; swap them  [typegrad-shape]
solve(b=a, a=b)  # E: solve: `a` has shape [3, 1] and `b` has shape [3, 3]; swap them  [typegrad-shape]
solve(b, b)  # E: solve: a is [3, 1], but both sizes are N: it must be square  [typegrad-shape]
solve(b, open)  # E: solve: a is [3, 1], but both sizes are N: it must be square  [typegrad-shape]
solve(a, x)  # E: solve: N is 3 in a, but Batch in b  [typegrad-shape]
of_rank(a, b[:, 0])
Whole(3).use(a)
Whole(3).use(b)  # E: use: n is [3, 1], but both sizes are N: it must be square  [typegrad-shape]
Whole(4).use(a)  # E: use: N is 4 in n of the object, but 3 in n  [typegrad-shape]
""",
    "names of another order": """
@dataclass
class Dense(Generic[N, M]):
    w: tg.Operand[F32, tuple[N, M]]
    b: tg.Operand[F32, tuple[M]]
    @classmethod
    def of(cls, w: tg.Operand[F32, tuple[N, M]], b: tg.Operand[F32, tuple[M]]) -> Self:
        return cls(w, b)
    @classmethod
    def of_rows(cls, w: tg.Operand[F32, tuple[M, N]], b: tg.Operand[F32, tuple[N]]) -> Dense[M, N]:
        return Dense(w, b)
    @classmethod
    def wrong(cls, w: tg.Operand[F32, tuple[M, N]], b: tg.Operand[F32, tuple[M]]) -> Self:
        return cls(w, b)  # E: Dense: w is [M, N], but is declared as [N, M]  [typegrad-shape]
    @classmethod
    def short(cls, w: tg.Operand[F32, tuple[N, M]], b: tg.Operand[F32, tuple[N]]) -> Self:
        return cls(w, b)  # E: Dense: b is [N], but is declared as [M]  [typegrad-shape]
    @classmethod
    def both(cls, w: tg.Operand[F32, tuple[M, N]], b: tg.Operand[F32, tuple[P]]) -> Self:
        return cls(w, b)  # E: Dense: M is N in w, but P in b  [typegrad-shape]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
