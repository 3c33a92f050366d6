"""Shapes of any rank: `tuple[*Lead, Literal[3]]`, and functions that are generic in a shape."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import differences

_HEADER: Final = """
from typing import Any, Callable, Literal, NewType, TypeVar
from typing_extensions import TypeVarTuple, Unpack
import numpy as np
import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, nn
from typegrad.training import losses

Batch = NewType("Batch", int)
F = TypeVar("F", bound=tg.TFloating)
N = TypeVar("N", bound=int)
S = TypeVar("S", bound=tuple[int, ...])
S2 = TypeVar("S2", bound=tuple[int, ...])
Lead = TypeVarTuple("Lead")
scope = tg.Scope(tg.Graph())
rng = np.random.default_rng(0)
w = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 4))
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 3))
unknown = core.Placeholder.create(scope, tg.TFloat32)

def gelu(y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return y * 0.5 * (1.0 + math.Erf.create(scope, y * 0.7071))
def residual(f: Callable[[tg.Operand[F, S]], tg.Operand[F, S]], y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return math.Add.create(scope, y, f(y))
def add(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a + b
def last(y: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[3]]]) -> tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[3]]]:
    return nn.Softmax.create(scope, y)
def dense(y: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[3]]]) -> tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[4]]]:
    return nn.Relu.create(scope, y @ w)
def both(a: tg.Operand[F, tuple[Unpack[Lead], N]], b: tg.Operand[F, tuple[Unpack[Lead], Literal[3]]]) -> tg.Operand[F, tuple[N, tg.Times[N, Literal[2]]]]:
    raise NotImplementedError
def rows(a: tg.Operand[F, tuple[Unpack[Lead], N]], b: tg.Operand[F, tuple[N]]) -> None: ...
def f(
    ys: list[tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[3]]]], ss: list[tg.Operand[tg.TFloat32, S]], i: int,
    y: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[3]]], s: tg.Operand[tg.TFloat32, S], z: tg.Operand[tg.TFloat32, S2],
) -> None:
    stack, turned = core.Stack.create(scope, ss), linalg.Transpose.create(scope, s)
    sizes = s.shape
"""

_STATEMENTS: Final = """
gelu(x)  # type: Operand[TFloat32, tuple[Batch, Literal[3]]]
residual(lambda v: nn.Relu.create(scope, v), x)  # type: Operand[TFloat32, tuple[Batch, Literal[3]]]
add(x, x)  # type: Operand[TFloat32, tuple[Batch, Literal[3]]]
add(x, unknown)  # type: Operand[TFloat32, tuple[Any, ...]]
add(x, w)  # error: add: S is [Batch, 3] in a, but [3, 4] in b  [typegrad-shape]
add(x, x[0])  # error: add: S is [Batch, 3] in a, but [3] in b  [typegrad-shape]
last(x)  # type: Operand[TFloat32, tuple[Batch, Literal[3]]]
last(x[0])  # type: Operand[TFloat32, tuple[Literal[3]]]
dense(x)  # type: Operand[TFloat32, tuple[Batch, Literal[4]]]
dense(w)  # error: Argument 1 to "dense" has incompatible type "Placeholder[TFloat32, tuple[Literal[3], Literal[4]]]"; expected "Operand[TFloat32, tuple[Literal[3], Literal[3]]]"  [arg-type]
both(x, x)  # type: Operand[TFloat32, tuple[Literal[3], Literal[6]]]
both(x, w[:, :3])  # error: both: Lead is [Batch] in a, but [3] in b  [typegrad-shape]
rows(x, x[0])  # type: None
rows(x[0], w[0])  # error: rows: N is 3 in a, but 4 in b  [typegrad-shape]
s + s * 2.0  # type: Operand[TFloat32, S]
s + z  # type: Operand[TFloat32, tuple[Any, ...]]
s + w  # type: Operand[TFloat32, tuple[Any, ...]]
functions.tensordot(scope, y, w, 1)  # type: Operand[TFloat32, tuple[*Lead, Literal[4]]]
functions.tensordot(scope, y, w[:2], 1)  # error: tensordot: axis 1 of `a`, of shape [*Lead, 3], and axis 0 of `b`, of shape [2, 4]: dimensions 3 and 2 differ  [typegrad-shape]
functions.logsumexp(scope, y, -1)  # type: Operand[TFloat32, tuple[*Lead]]
functions.norm(scope, y, axis=-2)  # type: Operand[TFloat32, tuple[Any, ...]]
functions.moments(scope, y, -1)  # type: tuple[Operand[TFloat32, tuple[*Lead]], Operand[TFloat32, tuple[*Lead]]]
functions.repeat(scope, y, 2, axis=-1)  # type: Operand[TFloat32, tuple[*Lead, Literal[6]]]
losses.mean_squared_error(scope, y, y)  # type: Operand[TFloat32, tuple[*Lead]]
losses.mean_squared_error(scope, y, y @ w)  # error: mean_squared_error: y_true of shape [*Lead, 3] and y_pred of shape [*Lead, 4] do not broadcast: 3 and 4 are neither equal nor 1  [typegrad-shape]
losses.MeanSquaredError()(scope, y, y)  # type: Operand[TFloat32, tuple[()]]
linalg.MatMul.create(scope, s, w)  # type: MatMul[TFloat32, tuple[Any, Literal[4]]]
core.Stack.create(scope, ys)  # type: Stack[TFloat32, tuple[Any, *Lead, Literal[3]]]
core.Concat.create(scope, ys, 0)  # type: Concat[TFloat32, tuple[Any, ...]]
math.AddN.create(scope, ss)  # type: AddN[TFloat32, S]
math.Mean.create(scope, stack, 0)  # type: Mean[TFloat32, S]
math.Mean.create(scope, stack, 1)  # type: Mean[TFloat32, tuple[Any, ...]]
math.Mean.create(scope, stack, i)  # type: Mean[TFloat32, tuple[Any, ...]]
math.Mean.create(scope, math.Square.create(scope, stack - s) * 2.0, 0)  # type: Mean[TFloat32, S]
core.Sum.create(scope, core.Stack.create(scope, [s, s], axis=-1), -1)  # type: Sum[TFloat32, S]
(1.0 - core.Stack.create(scope, [s, s]))[0]  # type: Operand[TFloat32, S]
(-stack)[0]  # type: Operand[TFloat32, S]
core.Sum.create(scope, core.Stack.create(scope, [s, z]), 0)  # type: Sum[TFloat32, tuple[Any, ...]]
core.Squeeze.create(scope, core.Stack.create(scope, [s]), (0,))  # type: Squeeze[TFloat32, S]
core.Unstack.create(scope, stack, 2)[1]  # type: Operand[TFloat32, S]
core.Gather.create(scope, stack, i, 0)  # type: Gather[TFloat32, S]
core.Gather.create(scope, stack, [0, 1], 0)  # type: Gather[TFloat32, tuple[Any, ...]]
stack[i] + stack[0]  # type: Operand[TFloat32, S]
linalg.Transpose.create(scope, turned)  # type: Transpose[TFloat32, S]
turned + s  # type: Operand[TFloat32, tuple[Any, ...]]
core.EnsureShape.create(scope, unknown, s.shape)  # type: EnsureShape[TFloat32, S]
core.EnsureShape.create(scope, x, sizes)  # type: EnsureShape[TFloat32, tuple[Batch, Literal[3]]]
core.Fill.create(scope, sizes.as_ints(), 1.0)  # type: Fill[TFloat32, S]
core.Reshape.create(scope, unknown, s.shape.as_ints())  # type: Reshape[TFloat32, S]
core.Placeholder.create(scope, tg.TFloat32, y.shape)  # type: Placeholder[TFloat32, tuple[*Lead, Literal[3]]]
tg.Variable.create(scope, shape=s.shape, dtype=tg.TFloat32)  # type: Variable[TFloat32, S]
tg.Variable.create(scope, np.zeros(s.shape.as_ints(), np.float32))  # type: Variable[TFloat32, S]
tg.Variable.create(scope, 0.1 * rng.normal(size=sizes.as_ints()).astype(np.float32))  # type: Variable[TFloat32, S]
tg.Variable.create(scope, np.zeros(s.shape.as_ints(), np.float32)[0])  # type: Variable[TFloat32, tuple[Any, ...]]
tg.initializers.Ones()(scope, s.shape.as_ints(), tg.TFloat32)  # type: Operand[TFloat32, S]
core.Concat.create(scope, [s, s], 0)  # type: Concat[TFloat32, tuple[Any, ...]]
math.Mean.create(scope, s)  # type: Mean[TFloat32, tuple[()]]
y * 2.0 + y  # type: Operand[TFloat32, tuple[*Lead, Literal[3]]]
y * w[:, 0]  # type: Operand[TFloat32, tuple[*Lead, Literal[3]]]
y * w[0]  # error: Mul: shapes [*Lead, 3] and [4] do not broadcast: 3 and 4 are neither equal nor 1  [typegrad-shape]
y + s  # type: Operand[TFloat32, tuple[Any, ...]]
core.Sum.create(scope, y, -1)  # type: Sum[TFloat32, tuple[*Lead]]
core.Sum.create(scope, y, -1, keep_dims=True)  # type: Sum[TFloat32, tuple[*Lead, Literal[1]]]
core.Concat.create(scope, [y, y], -1)  # type: Concat[TFloat32, tuple[*Lead, Literal[6]]]
y[..., 0]  # type: Operand[TFloat32, tuple[*Lead]]
y @ w  # type: Operand[TFloat32, tuple[*Lead, Literal[4]]]
w @ y  # type: Operand[TFloat32, tuple[Any, ...]]
x.expect(tg.TFloat32, (..., 3))  # type: Output[TFloat32, tuple[Batch, Literal[3]]]
x.expect(tg.TFloat32, (..., 4))  # error: expect: x has shape [Batch, 3], which is never [?, 4]  [typegrad-shape]
unknown.expect(tg.TFloat32, (..., 3))  # type: Output[TFloat32, tuple[*tuple[Any, ...], Literal[3]]]
last(unknown.expect(tg.TFloat32, (..., 3)))  # type: Operand[TFloat32, tuple[*tuple[Any, ...], Literal[3]]]
(s + z).expect(tg.TFloat32, s.shape)  # type: Output[TFloat32, S]
(s + z).expect(tg.TFloat32, shape=y.shape)  # type: Output[TFloat32, tuple[*Lead, Literal[3]]]
(s + z).expect(tg.TFloat32, unknown.shape)  # type: Output[TFloat32, tuple[Any, ...]]
(s + z).expect(tg.TFloat32, x.shape)  # type: Output[TFloat32, tuple[Any, Literal[3]]]
(s + z).expect(tg.TFloat32, like=s)  # type: Output[TFloat32, S]
(s + z).expect(tg.TFloat32, like=y)  # type: Output[TFloat32, tuple[*Lead, Literal[3]]]
(s + z).expect(tg.TFloat32, like=unknown)  # type: Output[TFloat32, tuple[Any, ...]]
unknown.expect(tg.TFloat32, like=x)  # type: Output[TFloat32, tuple[Batch, Literal[3]]]
w.expect(tg.TFloat32, like=x)  # error: expect: w has shape [3, 4], which is never [Batch, 3]  [typegrad-shape]
s.expect(tg.TFloat32)  # type: Output[TFloat32, S]
y.expect(tg.TFloat32, (..., 3))  # type: Output[TFloat32, tuple[*Lead, Literal[3]]]
"""


def test_every_statement(tmp_path: Path) -> None:
    wrong = differences(tmp_path, _HEADER, _STATEMENTS)
    assert not wrong, "\n".join(wrong)
