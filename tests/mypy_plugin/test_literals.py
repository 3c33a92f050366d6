"""Constants, and arithmetic with them, are taken where their literal is expected; others are told by their value."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from typing import Generic, Literal, TypedDict, TypeVar, overload
import numpy as np
import typegrad as tg
from typegrad import functions
from typegrad.op import core, nn
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
WIDTH, OTHER, MODE, FULL = 16, 17, "same", "full"
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (4, WIDTH))
class Linear(Generic[N, M]):
    def __init__(self, scope: tg.Scope, inputs: N, outputs: M) -> None:
        self.w = tg.Variable.create(scope, np.zeros((inputs, outputs), np.float32))
    def __call__(self, x: tg.Operand[tg.TFloat32, tuple[Literal[4], N]]) -> tg.Operand[tg.TFloat32, tuple[Literal[4], M]]:
        return x @ self.w
def of_16(n: Literal[16]) -> None: ...
def padded(mode: Literal["same", "valid"], sizes: tuple[Literal[16], Literal[48]], n: Literal[16] | None = None) -> None: ...
"""
PROGRAMS: Final = {
    "layers": """
y = Linear[Literal[16], Literal[48]](scope, WIDTH, 3 * WIDTH)(x)
reveal_type(y)  # R: Operand[TFloat32, tuple[Literal[4], Literal[48]]]
Linear[Literal[16], Literal[48]](scope, WIDTH, 48)(y)  # E: Argument 1 to "__call__" of "Linear" has incompatible type "Operand[TFloat32, tuple[Literal[4], Literal[48]]]"; expected "Operand[TFloat32, tuple[Literal[4], Literal[16]]]"  [arg-type]
stated: Linear[Literal[16], Literal[48]] = Linear(scope, WIDTH, WIDTH * 3)
class Net:
    first: Linear[Literal[16], Literal[48]]
    def __init__(self, scope: tg.Scope) -> None:
        self.first = Linear(scope, WIDTH, WIDTH * 3)
def made(scope: tg.Scope) -> Linear[Literal[16], Literal[48]]:
    return Linear(scope, WIDTH, WIDTH * 3)
Linear[Literal[16], Literal[48]](scope, OTHER, 48)  # E: Argument 2 to "Linear" has incompatible type "Literal[17]"; expected "Literal[16]"  [arg-type]
""",
    "numbers and strings": """
padded(MODE, (WIDTH, 3 * WIDTH), WIDTH)
padded(mode=MODE, sizes=(WIDTH, WIDTH + 32), n=8 + 8)
padded("same", (16, 48), None)
def default(n: Literal[16] = WIDTH) -> Literal[16]:
    half: Literal[8] = WIDTH // 2
    return WIDTH
several: list[Literal[16, 17]] = [WIDTH, OTHER]
def narrow() -> None:
    width = 16
    of_16(width)
""",
    "others": """
padded(FULL, (16, 48))  # E: Argument 1 to "padded" has incompatible type "Literal['full']"; expected "Literal['same', 'valid']"  [arg-type]
padded("same", (WIDTH, 3 * OTHER))  # E: Argument 2 to "padded" has incompatible type "tuple[int, int]"; expected "tuple[Literal[16], Literal[48]]"  [arg-type]
half: Literal[8] = 3 * WIDTH  # E: Incompatible types in assignment (expression has type "Literal[48]", variable has type "Literal[8]")  [assignment]
""",
    "numbers that change, or are not known": """
sizes, count = [16], 16
sizes.append(3)
count += 1
of_16(sizes[0])  # E: Argument 1 to "of_16" has incompatible type "int"; expected "Literal[16]"  [arg-type]
of_16(count)  # E: Argument 1 to "of_16" has incompatible type "int"; expected "Literal[16]"  [arg-type]
of_16(int(input()))  # E: Argument 1 to "of_16" has incompatible type "int"; expected "Literal[16]"  [arg-type]
def changed() -> None:
    global late
    late = 17
late = 16
of_16(late)  # E: Argument 1 to "of_16" has incompatible type "int"; expected "Literal[16]"  [arg-type]
""",
    "overloads, as mypy alone takes them": """
@overload
def along(axis: Literal[-1] = -1) -> str: ...
@overload
def along(axis: int) -> object: ...
def along(axis: int = -1) -> object:
    return axis
reveal_type(along(-1))  # R: str
reveal_type(along(+1))  # R: object
tf = tg.Ops.create(scope)
y: nn.Softmax[tg.TFloat32] = tf.nn.softmax(x, axis=-1)
z: nn.LogSoftmax[tg.TFloat32] = functions.log_softmax(scope, x)
reveal_type(tf.nn.softmax(x, axis=-1))  # R: Softmax[TFloat32, tuple[Literal[4], Literal[16]]]
reveal_type(tf.nn.softmax(x, axis=-2))  # R: Operand[TFloat32, tuple[Literal[4], Literal[16]]]
weights = tf.nn.softmax(x)
weights = tf.nn.dropout(weights, 0.1)
for axis in (0, 1):
    weights = tf.nn.softmax(weights, axis)
tf.nn.softmax(x, "last")  # E: NnOps.softmax(): `axis` must be an integer, not the Python str 'last'  [typegrad-call]
""",
    "keys, as mypy alone takes them": """
class Sizes(TypedDict, total=False):
    width: int
def width(sizes: Sizes) -> int:
    reveal_type(sizes.setdefault("width", 16))  # R: int
    return sizes.setdefault("width", 16)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
