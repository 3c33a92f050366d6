"""Operands of one element type in a user's function must have one."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NewType, TypeVar
import typegrad as tg
from typegrad import activations
from typegrad.op import core, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

_TWO: Final = "Operand[TFloat32, tuple[Batch, Literal[2]]]"
_SHAPES: Final = f'"Operand[TFloat32, tuple[Batch, Literal[3]]]"; expected "{_TWO}"  [arg-type]'
_BESIDE: Final = f'type "Operand[TFloat32, tuple[Batch, Literal[3]]]", variable has type "{_TWO}"'
_RETURNED: Final = f'got "Operand[TFloat32, tuple[Batch, Literal[3]]]", expected "{_TWO}"'
PROGRAMS: Final = {
    "nested": """
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def act(y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y
def add(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a
class Layer:
    def add(self, a: tg.Operand[F], b: tg.Operand[F]) -> None:
        add(a, b)
def program(scope: tg.Scope, x: Rows, d: tg.Operand[tg.TFloat64, tuple[Batch, Literal[3]]], n: Counts) -> None:
    reveal_type(add(x, act(x)))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    add(x, d)  # E: add: F is float32 in a, but float64 in b; cast one with dtypes.Cast  [typegrad-dtype]
    add(act(x), act(nn.Relu.create(scope, d)))  # E: add: F is float32 in a, but float64 in b; cast one with dtypes.Cast  [typegrad-dtype]
    Layer().add(d, x)  # E: add: F is float64 in a, but float32 in b; cast one with dtypes.Cast  [typegrad-dtype]
    add(n, n)  # E: Value of type variable "F" of "add" cannot be "TInt32"  [type-var]
""",
    "beside a bound, None and numbers": """
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def shrink(x: tg.Operand[F, S], by: tg.Operand[F, tuple[()]]) -> tg.Operand[F, S]:
    return x
def scale(by: float | tg.Operand[F, tuple[()]], x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x
def add(a: float | tg.Operand[F, S], b: tg.Operand[F, S] | None) -> tg.Operand[F, S]:
    raise NotImplementedError
def program(x: Rows, n: tg.Operand[tg.TInt32, tuple[()]], d: tg.Operand[tg.TFloat64, tuple[()]], r: tg.Operand[tg.TFloat32, tuple[()]]) -> None:
    shrink(x, n)  # E: shrink: F is float32 in x, but int32 in by; cast one with dtypes.Cast  [typegrad-dtype]
    scale(n, x)  # E: scale: F is int32 in by, but float32 in x; cast one with dtypes.Cast  [typegrad-dtype]
    scale(d, x)  # E: scale: F is float64 in by, but float32 in x; cast one with dtypes.Cast  [typegrad-dtype]
    reveal_type(scale(0.5, x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(scale(r, x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    add(r, d)  # E: add: F is float32 in a, but float64 in b; cast one with dtypes.Cast  [typegrad-dtype]
    reveal_type(add(0.5, x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(add(x, None))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "of an object": """
from dataclasses import dataclass
from typing import Generic
F = TypeVar("F", bound=tg.TFloating)
class Scaler(Generic[F]):
    def __init__(self, mean: tg.Operand[F], std: tg.Operand[F] | None = None) -> None:
        self.mean, self.std = mean, std
@dataclass
class Pair(Generic[F]):
    first: tg.Operand[F]
    second: tg.Operand[F]
class Single(Scaler[tg.TFloat32]): ...
class Loose(Scaler[Any]): ...
def program(x: Rows, d: tg.Operand[tg.TFloat64], anything: Any) -> Scaler[tg.TFloat32]:
    Scaler(x, d)  # E: Scaler: F is float32 in mean, but float64 in std; cast one with dtypes.Cast  [typegrad-dtype]
    Scaler[tg.TFloat32](x, d)  # E: Scaler: F is float32 in mean, but float64 in std; cast one with dtypes.Cast  [typegrad-dtype]
    Pair(d, second=x)  # E: Pair: F is float64 in first, but float32 in second; cast one with dtypes.Cast  [typegrad-dtype]
    Single(x, x)
    Scaler(x, anything)
    Scaler[Any](x, d)
    open: Scaler[Any] = Scaler(x, d)
    Loose(x, d)
    reveal_type(Scaler(d).mean)  # R: Operand[TFloat64, tuple[Any, ...]]
    return Scaler(x, d)  # E: Scaler: F is float32 in mean, but float64 in std; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "behind decorators": """
from typing import ParamSpec
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[Any, ...])
P = ParamSpec("P")
R = TypeVar("R")
def logged(function: Callable[P, R]) -> Callable[P, R]:
    return function
def loose(function: Callable[P, R]) -> Callable[..., R]:
    return function
@logged
def error(scope: tg.Scope, y: tg.Operand[F, S], t: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y - t
@loose
def any_error(y: tg.Operand[F, S], t: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y - t
class Model:
    @staticmethod
    def error(y: tg.Operand[F, S], t: tg.Operand[F, S]) -> tg.Operand[F, S]:
        return y - t
    @logged
    def own(self, y: tg.Operand[F, S], t: tg.Operand[F, S]) -> tg.Operand[F, S]:
        return y - t
def program(scope: tg.Scope, x: Rows, s: Square, d: tg.Operand[tg.TFloat64, tuple[Batch, Literal[3]]]) -> None:
    reveal_type(error(scope, x, t=x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    error(scope, x, s)  # E: error: S is [Batch, 3] in y, but [3, 3] in t  [typegrad-shape]
    error(scope, x, d)  # E: error: F is float32 in y, but float64 in t; cast one with dtypes.Cast  [typegrad-dtype]
    Model.error(x, s)  # E: error: S is [Batch, 3] in y, but [3, 3] in t  [typegrad-shape]
    Model().own(x, s)  # E: own: S is [Batch, 3] in y, but [3, 3] in t  [typegrad-shape]
    reveal_type(Model().own(x, x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    any_error(x, s)
""",
    "where anything is returned": """
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def act(y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y
def add(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a
def program(x: Rows, d: tg.Operand[tg.TFloat64, tuple[Batch, Literal[3]]]) -> Any:
    return add(act(x), act(d))  # E: add: F is float32 in a, but float64 in b; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "in containers": """
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def total(ys: list[tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return ys[0]
def any_of(ys: Sequence[tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return ys[0]
def pair(p: tuple[tg.Operand[F, S], tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return p[0]
def named(ys: Mapping[str, tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return ys["a"]
def star(*ys: tg.Operand[F, S], **more: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return ys[0]
def beside(y: tg.Operand[F, S], ys: Sequence[tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return y
def wrong(x: Rows, s: Square, n: Counts) -> Rows:
    total([x, x[:, :2]])  # E: total: S is [Batch, 3] in ys[0], but [Batch, 2] in ys[1]  [typegrad-shape]
    two = [x, x[:, :2]]
    total(two)  # E: total: S is [Batch, 3] in ys[0], but [Batch, 2] in ys[1]  [typegrad-shape]
    any_of((x, x[:, :2]))  # E: any_of: S is [Batch, 3] in ys[0], but [Batch, 2] in ys[1]  [typegrad-shape]
    pair((x, x[:, :2]))  # E: pair: S is [Batch, 3] in p[0], but [Batch, 2] in p[1]  [typegrad-shape]
    named({"a": x, "b": x[:, :2]})  # E: named: S is [Batch, 3] in ys["a"], but [Batch, 2] in ys["b"]  [typegrad-shape]
    star(x, x[:, :2])  # E: star: S is [Batch, 3] in ys[0], but [Batch, 2] in ys[1]  [typegrad-shape]
    star(x, last=x[:, :2])  # E: star: S is [Batch, 3] in ys, but [Batch, 2] in more  [typegrad-shape]
    beside(x, [x, x[:, :2]])  # E: beside: S is [Batch, 3] in y, but [Batch, 2] in ys[1]  [typegrad-shape]
    total([x, n])  # E: total: F is float32 in ys[0], but int32 in ys[1]; cast one with dtypes.Cast  [typegrad-dtype]
    pair((x, n))  # E: pair: F is float32 in p[0], but int32 in p[1]; cast one with dtypes.Cast  [typegrad-dtype]
    star(x, n)  # E: star: F is float32 in ys[0], but int32 in ys[1]; cast one with dtypes.Cast  [typegrad-dtype]
    return total([x, x[:, :2]])  # E: total: S is [Batch, 3] in ys[0], but [Batch, 2] in ys[1]  [typegrad-shape]
def right(x: Rows, s: Square, y: tg.Operand[tg.TFloat32], more: list[Rows]) -> None:
    total([x, y])
    any_of((x, y, x))
    star(y, x, last=y)
    star(x, *more)
    beside(x, [*more, y])
    reveal_type(total([x, x]))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    reveal_type(any_of([s for _ in more]))  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
""",
    "told once": """
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def add(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a + b
def masked(a: tg.Operand[F, S], mask: tg.Operand[F, S] | None = None) -> tg.Operand[F, S]:
    return a
def program(x: Rows, n: Counts) -> Rows:
    y = add(x, x[:, :2])  # E: add: S is [Batch, 3] in a, but [Batch, 2] in b  [typegrad-shape]
    return masked(x, n)  # E: masked: F is float32 in a, but int32 in mask; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "arguments that do not fit what is expected of the result": f"""
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
T = TypeVar("T")
Two = tg.Operand[tg.TFloat32, tuple[Batch, Literal[2]]]
def act(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return v
def add(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a
def applied(v: tg.Operand[F, S], f: Callable[[tg.Operand[F, S]], tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return f(v)
def first(vs: list[T]) -> T:
    return vs[0]
def dense(v: Two) -> Two:
    return v
class Norm:
    def __call__(self, v: tg.Operand[F, S]) -> tg.Operand[F, S]:
        return v
def fitting(s: tg.Scope) -> None:
    dense(core.Placeholder.create(s, tg.TFloat32, (Batch, 2)))
def called(s: tg.Scope, x: Rows) -> None:
    dense(act(x))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def deeper(s: tg.Scope, x: Rows) -> None:
    dense(act(Norm()(act(x))))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def inside(s: tg.Scope, x: Rows) -> None:
    dense(act(dense(x)))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def of_library(s: tg.Scope, x: Rows) -> None:
    dense(activations.gelu(s, x))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def with_a_function(s: tg.Scope, x: Rows) -> None:
    dense(applied(x, lambda v: act(v)))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def of_items(s: tg.Scope, x: Rows) -> None:
    dense(first([x, act(x)]))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def of_inner(s: tg.Scope, x: Rows) -> None:
    def inner(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
        return v
    dense(inner(x))  # E: Argument 1 to "dense" has incompatible type {_SHAPES}
def beside(s: tg.Scope, x: Rows, two: Two) -> Two:
    return add(two, act(x))  # E: add: S is [Batch, 2] in a, but [Batch, 3] in b  [typegrad-shape]
def assigned(s: tg.Scope, x: Rows) -> None:
    y: Two = act(x)  # E: Incompatible types in assignment (expression has {_BESIDE})  [assignment]
def returned(s: tg.Scope, x: Rows) -> Two:
    return act(x)  # E: Incompatible return value type ({_RETURNED})  [return-value]
def of_lambda(s: tg.Scope, x: Rows) -> None:
    f: Callable[[Two], Two] = lambda _: act(x)  # E: Incompatible return value type ({_RETURNED})  [return-value]
def of_both(s: tg.Scope, x: Rows, n: Counts) -> None:
    dense(act(dense(n)))  # E: Argument 1 to "dense" has incompatible type "Operand[TInt32, tuple[Batch]]"; expected "{_TWO}"  [arg-type]
def right(s: tg.Scope, x: Rows, two: Two, any: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32, tuple[int, int]]:
    dense(act(Norm()(first([two, activations.gelu(s, two)]))))
    dense(applied(act(two), lambda v: act(dense(v))))
    dense(act(any))
    f: Callable[[Two], Two] = act
    y: tg.Operand[tg.TFloat32] = act(x)
    return act(add(f(two), two)) if x.rank else add(x, act(x))
""",
    "what is expected of the result": """
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def add(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a
def program(scope: tg.Scope, x: Rows, some: tg.Operand[tg.TFloat32, tuple[Batch, int]], any: tg.Operand[tg.TFloat32]) -> None:
    h: tg.Operand[tg.TFloat32] = activations.relu(scope, x)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    h = add(x, x)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    h = activations.relu(scope, some)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Batch, Any]]
    h = activations.relu(scope, any)
    reveal_type(h)  # R: Operand[TFloat32, tuple[Any, ...]]
def returned(scope: tg.Scope, x: Rows, y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return activations.relu(scope, y)
def use(scope: tg.Scope, x: Rows) -> None:
    reveal_type(returned(scope, x, x))  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
