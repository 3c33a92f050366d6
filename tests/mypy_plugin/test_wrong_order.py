"""Arguments of users' functions in each other's place, and calls without the scope, are one error each."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, NewType, TypeVar

import numpy as np

import typegrad as tg
from typegrad.op import core, math

Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
Mask = tg.Operand[tg.TBool, tuple[Batch]]
S = TypeVar("S", bound=tuple[int, ...])
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
mask = core.Placeholder.create(scope, tg.TBool, (Batch,))
weights = {"w": tg.Variable.create(scope, np.zeros((8, 4), np.float32))}
"""
PROGRAMS: Final = {
    "swapped": """
def masked(x: Rows, mask: Mask) -> Rows:
    return core.Select.create(scope, mask[:, None], x, 0.0).expect(tg.TFloat32, (Batch, 8))
def linear(weights: dict[str, tg.Variable[tg.TFloat32]], x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x @ weights["w"]
class Layer:
    def __init__(self, mask: Mask, x: Rows) -> None:
        self.mask, self.x = mask, x
    def __call__(self, x: Rows, mask: Mask) -> Rows:
        return masked(x, mask)
    def other(self, x: Rows, mask: Mask, factor: float = 1.0) -> Rows:
        return masked(x, mask)
class Below(Layer): ...
class Pair(NamedTuple):
    x: Rows
    mask: Mask
@tg.custom_gradient
def reverse(scope: tg.Scope, x: Rows, strength: float) -> tuple[Rows, tg.GradientFunction]:
    return x, lambda scope, grad: -grad * strength
reverse(x, scope, 0.5)  # E: reverse(): `scope` is float32 [Batch, 8] and `x` is Scope; swap them  [typegrad-call]
reveal_type(masked(mask, x))  # E: masked(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
linear(x, weights)  # E: linear(): `weights` is float32 [Batch, 8] and `x` is dict of float32 [8, 4]; swap them  [typegrad-call]
layer = Layer(x, mask)  # E: Layer(): `mask` is float32 [Batch, 8] and `x` is bool [Batch]; swap them  [typegrad-call]
layer(mask, x)  # E: Layer(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
layer.other(mask, x, 2.0)  # E: Layer.other(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
Below(mask, x).other(mask, x)  # E: Layer.other(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
Pair(mask, x)  # E: Pair(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
from abc import ABC, abstractmethod
class Abstract(ABC):
    @abstractmethod
    def inverse(self, scope: tg.Scope, y: Rows) -> Rows: ...
def inverted(layers: list[Abstract], z: Rows) -> Rows:
    for each in layers:
        z = each.inverse(z, scope)  # E: Abstract.inverse(): `scope` is float32 [Batch, 8] and `y` is Scope; swap them  [typegrad-call]
    return z
def positive(x: Rows) -> Mask:
    return (x[:, 0] > 0.0).expect(tg.TBool, (Batch,))
masked(positive(x), x)  # E: masked(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
masked(x, positive(x))
for _ in range(2):
    masked(mask, x)  # E: masked(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
""",
    "swapped, where mypy does not know what is called": """
UPDATES: dict[str, Callable[[tg.Scope, Rows, Mask], Rows]] = {}
@dataclass
class Weights:
    x: Rows
    mask: Mask
    update: Callable[[Rows, Mask], Rows]
    def both(self) -> tuple[Rows, Mask]:
        return self.x, self.mask
def update(weights: Weights, name: str) -> Rows:
    UPDATES[name](scope, weights.mask, weights.x)  # E: UPDATES[name](): argument 2 is bool [Batch] and argument 3 is float32 [Batch, 8]; swap them  [typegrad-call]
    UPDATES[name](weights.x, scope, weights.mask)  # E: UPDATES[name](): `scope` is float32 [Batch, 8] and argument 2 is Scope; swap them  [typegrad-call]
    return weights.update(  # E: weights.update(): argument 1 is bool [Batch] and argument 2 is float32 [Batch, 8]; swap them  [typegrad-call]
        weights.both()[1],
        weights.both()[0],
    )
Weights(mask=x, x=mask, update=lambda x, mask: x)  # E: Weights(): `mask` is float32 [Batch, 8] and `x` is bool [Batch]; swap them  [typegrad-call]
Weights(mask, x, update=lambda x, mask: x)  # E: Weights(): `x` is bool [Batch] and `mask` is float32 [Batch, 8]; swap them  [typegrad-call]
Weights(mask, mask, update=lambda x, mask: x)  # E: Argument 1 to "Weights" has incompatible type "Placeholder[TBool, tuple[Batch]]"; expected "Operand[TFloat32, tuple[Batch, Literal[8]]]"  [arg-type]
""",
    "swapped, in a call of a function of any type": """
T = TypeVar("T", bound=tg.TNumber)
def descend(energy: Callable[[tg.Operand[T, S]], tg.Operand[T, tuple[()]]], start: tg.Operand[T, S]) -> tg.Operand[T, S]:
    return start
def energy(x: Rows) -> tg.Operand[tg.TFloat32, tuple[()]]:
    return core.Sum.create(scope, x)
relaxed = descend(x, energy)  # E: descend(): `energy` is float32 [Batch, 8] and `start` is a function; swap them  [typegrad-call]
descend(energy, x).shape
def text_of(text: str, number: int) -> None: ...
text_of(1, "")  # E: text_of(): `text` is int and `number` is str; swap them  [typegrad-call]
""",
    "swapped, beside arguments that are unpacked": """
def own(a: int, b: str, *c: float, d: bytes = b"", e: complex = 1j) -> None: ...
def trained(rate: float, counts: list[float], several: dict[str, Any], *rest: Any, **options: Any) -> None:
    tg.optimizers.Adam(rate, scope.graph, **options)  # E: Adam(): `graph` is float and `learning_rate` is Graph; swap them  [typegrad-call]
    tg.optimizers.Adam(rate, scope.graph, *rest)  # E: Adam(): `graph` is float and `learning_rate` is Graph; swap them  [typegrad-call]
    tg.optimizers.Adam(scope.graph, rate, *rest, **options)
    own("b", 1, *counts, **several)  # E: own(): `a` is str and `b` is int; swap them  [typegrad-call]
    own(1, "b", *counts, d=1j, e=b"")  # E: own(): `d` is complex and `e` is bytes; swap them  [typegrad-call]
    own(1, "b", *counts, e=1j, **several)
""",
    "operations with several outputs": """
from typegrad.op import nn
F = TypeVar("F", bound=tg.TFloating)
def half(scope: tg.Scope, x: tg.Operand[F]) -> tg.Operand[F]:
    return x * 0.5
labels = core.Placeholder.create(scope, tg.TInt32, (Batch,))
entropy = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, x, labels)
half(scope, entropy.loss)
half(scope, entropy) + 1.0  # E: half(): `x` must be an operand, not SparseSoftmaxCrossEntropyWithLogits; take one of its outputs: .loss, .backprop  [typegrad-call]
""",
    "overloads": """
from typing import overload
@overload
def scaled(x: Rows, factor: int) -> Rows: ...
@overload
def scaled(x: Mask, factor: str) -> Mask: ...
def scaled(x: Rows | Mask, factor: int | str) -> Rows | Mask:
    return x
scaled(x, 2)
scaled("a", mask)  # E: scaled(): `x` is str and `factor` is bool [Batch]; swap them  [typegrad-call]
session = tg.Session(scope.graph)
w = weights["w"]
session.assign(w, np.zeros((8, 4), np.float32))
session.assign(np.zeros((8, 4), np.float32), w)  # E: Session.assign(): `variable` is an array of float32 and `value` is float32 [8, 4]; swap them  [typegrad-call]
session.assign(value=w, variable=np.zeros((8, 4), np.float32))  # E: Session.assign(): `value` is float32 [8, 4] and `variable` is an array of float32; swap them  [typegrad-call]
""",
    "without the scope": """
def unit(scope: tg.Scope, v: tg.Operand[tg.TFloat32, S]) -> tg.Operand[tg.TFloat32, S]:
    return math.Tanh.create(scope, v)
h = unit(x * 2.0)  # E: unit(): `scope` is missing; the scope is the first argument  [typegrad-call]
y = unit(scope, h)
""",
    "right, or of unknown types": """
def either(x: Rows | Mask, y: Rows | Mask, *more: Rows) -> None: ...
def of_any(x: Any, mask: Mask) -> None: ...
def default(scope: tg.Scope, x: Rows, mask: Mask | None = None) -> None: ...
anything: Any = mask
either(x, mask)
either(mask, x)
of_any(x, mask)
of_any(mask, anything)
default(scope, x)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
