"""The plugin's messages and types, statement by statement: `# error:` is the message, `# type:` the revealed type."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import differences

STATEMENTS: Final = """
x + n  # error: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
n + 1.5  # error: AddV2: x is int32 but y is the Python float 1.5; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
1j - x  # error: Sub: y is float32 but x is the Python complex 1j; cast y with dtypes.Cast, or write a float  [typegrad-dtype]
x @ labels  # error: MatMul: a is float32 but b is int32; cast one with dtypes.Cast  [typegrad-dtype]
x @ n  # error: @ is the product of matrices, but its right side is a number; to multiply x by it, write *  [typegrad-shape]
x @ "n"  # error: MatMul: a is float32 but b is the Python str 'n'; write a float  [typegrad-dtype]
x @ 2.0  # error: @ is the product of matrices, but its right side is a number; to multiply x by it, write *  [typegrad-shape]
2.0 @ x  # error: @ is the product of matrices, but its left side is a number; to multiply x by it, write *  [typegrad-shape]
x @ x  # error: MatMul: inner dimensions differ: a is [Batch, 784], b is [Batch, 784]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
x @ w @ w  # error: MatMul: inner dimensions differ: a is [Batch, 10], b is [784, 10]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
x[:, 784]  # error: StridedSlice: index 784 is out of range for dimension 1 of shape [Batch, 784]  [typegrad-shape]
x[0, 0][0]  # error: StridedSlice: 1 dimension is indexed, but `input` has shape []  [typegrad-shape]
x[0, 0, 0]  # error: StridedSlice: 3 dimensions are indexed, but `input` has shape [Batch, 784]  [typegrad-shape]
linalg.MatMul.create(scope, x, w, transpose_b=True)  # error: MatMul: inner dimensions differ: a is [Batch, 784], b is [784, 10] with transpose_b=True; linalg.MatMul with transpose_b=False would fit  [typegrad-shape]
tf.linalg.mat_mul(w, x)  # error: MatMul: inner dimensions differ: a is [784, 10], b is [Batch, 784]; b times a would fit  [typegrad-shape]
tf.linalg.mat_mul(x, n)  # error: MatMul: a is float32 but b is int32; cast one with dtypes.Cast  [typegrad-dtype]
math.Sqrt.create(scope, n)  # error: Sqrt: x is int32, but must be bfloat16, float16, float32, float64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
math.LogicalNot.create(scope, x)  # error: LogicalNot: x is float32, but must be bool; cast it with dtypes.Cast  [typegrad-dtype]
core.Print.create(scope, x)  # error: Print: input is float32, but must be string; tg.functions.print prints arrays; dtypes.AsString makes strings of them  [typegrad-dtype]
math.Add.create(scope, core.Constant.create(scope, "loss: "), x)  # error: Add: x is string but y is float32; make strings of the other with dtypes.AsString  [typegrad-dtype]
core.Concat.create(scope, [x, n], 0)  # error: Concat: values[0] is float32 but values[1] is int32; cast one with dtypes.Cast  [typegrad-dtype]
core.Reshape.create(scope, x, w)  # error: Reshape: shape is float32, but must be int32 or int64; core.Shape.create(scope, x) is the shape of x  [typegrad-dtype]
core.Sum.create(scope, x, w)  # error: Sum: axis is float32, but must be int32 or int64; cast it with dtypes.Cast  [typegrad-dtype]
linalg.Einsum.create(scope, [x, w], equation="bi,io")  # error: Einsum: equation 'bi,io' must contain '->' exactly once, as in 'ij,jk->ik'  [typegrad-attribute]
x.expect(tg.TInt32, (Batch, 784))  # error: expect: x is float32, not int32; cast it with dtypes.Cast, or expect tg.TFloat32  [typegrad-dtype]
x.expect(tg.TFloat32, (Batch, 10)) + x  # error: expect: x has shape [Batch, 784], which is never [Batch, 10]  [typegrad-shape]
x.expect(tg.TFloat32, (Batch, 10))  # error: expect: x has shape [Batch, 784], which is never [Batch, 10]  [typegrad-shape]
v.assign(scope, x)  # error: Variable.assign: the variable has shape [784, 10], but `value` has shape [Batch, 784]  [typegrad-shape]
v.assign_add(scope, n)  # error: Variable.assign_add: the variable is float32 but value is int32; cast one with dtypes.Cast  [typegrad-dtype]
session.run(x, {x: np.zeros((2, 783), np.float32)})  # error: run: the feed of x has shape [2, 783], which does not fit [Batch, 784]  [typegrad-shape]
session.run(n, {n: 1.5})  # error: run: the feed of n is the Python float 1.5, but must be int32; write an int  [typegrad-dtype]
session.run(n, {n: [1, 2]})  # error: run: the feed of n has shape [2], which does not fit []  [typegrad-shape]
session.runner().feed(x, np.zeros((2, 784)))  # error: run: the feed of x is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
session.assign(v, np.zeros((784, 10)))  # error: assign: the value for v is an array of float64, but must be float32; convert it with astype(np.float32)  [typegrad-dtype]
session.assign({v: [1.0, 2.0]})  # error: assign: the value for v has shape [2], which does not fit [784, 10]  [typegrad-shape]
cube - core.Sum.create(scope, cube, (1, 2))  # error: Sub: shapes [3, 4, 4] and [3] do not broadcast: 4 and 3 are neither equal nor 1; [3, 1, 1] would fit: keep_dims=True in a reduction over axes 1 to 2 gives it, or core.Reshape  [typegrad-shape]
tg.grad(scope, x, n)  # error: grad: no gradient flows from x to n: n is int32, and only floats and complex numbers have gradients  [typegrad-dtype]
tg.grad(scope, x < 0.0, x)  # error: grad: no gradient flows from the operand to x: the operand is bool, and only floats and complex numbers have gradients  [typegrad-dtype]
losses.mean_squared_error(scope, x, w)  # error: mean_squared_error: y_true of shape [Batch, 784] and y_pred of shape [784, 10] do not broadcast: Batch and 784 are neither equal nor 1  [typegrad-shape]
losses.Huber()(scope, x, x, w)  # error: Huber: the losses of shape [Batch] and sample_weight of shape [784, 10] do not broadcast: 10 and Batch are neither equal nor 1  [typegrad-shape]
losses.binary_crossentropy(scope, x, x, axis=2)  # error: binary_crossentropy: Mean: `axis` is 2, but must be in [-2, 2)  [typegrad-shape]
losses.binary_crossentropy(scope, x, x, label_smoothing=1.5)  # error: binary_crossentropy: label_smoothing is between 0 and 1, not 1.5  [typegrad-attribute]
optimizer.apply_gradients([(v.read(scope), v), (x, v)])  # error: apply_gradients: v has shape [784, 10], but its gradient has shape [Batch, 784]  [typegrad-shape]
optimizer.apply_gradients([(n, v)])  # error: apply_gradients: v is float32 but its gradient is int32; cast one with dtypes.Cast  [typegrad-dtype]
optimizer.apply_gradients(zip([v.read(scope), x], [v, v]))  # error: apply_gradients: v has shape [784, 10], but its gradient has shape [Batch, 784]  [typegrad-shape]
optimizer.apply_gradients(list(zip((x,), (v,) if i else (v,))))  # error: apply_gradients: the variable has shape [784, 10], but its gradient has shape [Batch, 784]  [typegrad-shape]
equal(x, w)  # error: equal: M is Batch in a, but 784 in b  [typegrad-shape]
nn.AvgPool.create(scope, unknown, ksize=[1, 2], strides=[1, 1, 1, 1], padding="SAME")  # error: AvgPool: attribute `ksize` must have at least 4 elements, but has 2  [typegrad-attribute]
tg.Variable.create(scope, shape=(3, 4))  # error: Variable.create(): a variable made of a shape needs a dtype as well, such as dtype=tg.TFloat32  [typegrad-call]
np.asarray(x)  # error: x has no value before the run; session.run gives an array  [typegrad-call]
np.array([x, x])  # error: x has no value before the run; session.run gives an array  [typegrad-call]
np.linalg.inv(x)  # error: np.linalg.inv takes arrays, and x has no value before the run; did you mean `linalg.Inv` (from typegrad.op import linalg)?  [typegrad-call]
np.fft.fft(x)  # error: np.fft.fft takes arrays, and x has no value before the run; did you mean `signal.Fft` (from typegrad.op import signal)?  [typegrad-call]
np.linalg.cond(x)  # error: np.linalg.cond takes arrays, and x has no value before the run; session.run gives an array  [typegrad-call]
np.exp(x @ unknown)  # error: np.exp takes arrays, and the operand has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?  [typegrad-call]
np.exp(-x)  # error: np.exp takes arrays, and the operand has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?  [typegrad-call]
np.exp(abs(x + 1.0))  # error: np.exp takes arrays, and the operand has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?  [typegrad-call]
np.exp(~(x > 0.0))  # error: np.exp takes arrays, and the operand has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?  [typegrad-call]
np.exp(equal(x, x))  # error: np.exp takes arrays, and the operand has no value before the run; did you mean `math.Exp` (from typegrad.op import math)?  [typegrad-call]
x + 1.0  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
2 - n  # type: Operand[TInt32, tuple[()]]
x @ w  # type: Operand[TFloat32, tuple[Batch, Literal[10]]]
x @ unknown  # type: Operand[TFloat32, tuple[Any, ...]]
cube @ cube[..., :2]  # type: Operand[TFloat32, tuple[Literal[3], Literal[4], Literal[2]]]
x < 0.0  # type: Operand[TBool, tuple[Batch, Literal[784]]]
x[:, None, 2:i]  # type: Operand[TFloat32, tuple[Batch, Literal[1], Any]]
x[i]  # type: Operand[TFloat32, tuple[Literal[784]]]
linalg.MatMul.create(scope, unknown, w)  # type: MatMul[TFloat32, tuple[Any, Literal[10]]]
core.Sum.create(scope, cube, i)  # type: Sum[TFloat32, tuple[Any, Any]]
core.Sum.create(scope, cube, AXES)  # type: Sum[TFloat32, tuple[Literal[4]]]
core.Sum.create(scope, *(cube,))  # type: Sum[TFloat32, tuple[()]]
core.Reshape.create(scope, cube, (-1, 2 * SIZE))  # type: Reshape[TFloat32, tuple[Literal[6], Literal[8]]]
core.Fill.create(scope, (Batch(3), SIZE), core.Constant.create(scope, 0.0))  # type: Fill[TFloat32, tuple[Batch, Literal[4]]]
core.Split.create(scope, 0, cube, num_split=3).output[0]  # type: Output[TFloat32, tuple[Literal[1], Literal[4], Literal[4]]]
core.Split.create(scope, 0, x, num_split=2**17)  # type: Split[TFloat32, tuple[Any, ...]]
core.Constant.create(scope, [[1, 2], [3, 4]])  # type: Constant[TInt32, tuple[Literal[2], Literal[2]]]
core.Placeholder.create(scope, tg.TInt8, shape=(Batch, "Batch", None, -1, i, 3))  # type: Placeholder[TInt8, tuple[Batch, Batch, Any, Any, Any, Literal[3]]]
unknown.expect(tg.TFloat32, (Batch, None))  # type: Output[TFloat32, tuple[Batch, Any]]
v.read(scope)  # type: Operand[TFloat32, tuple[Literal[784], Literal[10]]]
tg.gradients(scope, x, [x, v])  # type: tuple[Operand[TFloat32, tuple[Batch, Literal[784]]] | None, Operand[TFloat32, tuple[Literal[784], Literal[10]]] | None]
tg.gradients(scope, x, (x,), unconnected_gradients="zero")  # type: tuple[Operand[TFloat32, tuple[Batch, Literal[784]]]]
session.run((x, n, n.as_output().op))  # type: tuple[ndarray[tuple[Batch, Literal[784]], dtype[floating[_32Bit]]], ndarray[tuple[()], dtype[signedinteger[_32Bit]]], None]
session.run((n, (None, "x", n)))  # type: tuple[ndarray[tuple[()], dtype[signedinteger[_32Bit]]], tuple[None, Any, ndarray[tuple[()], dtype[signedinteger[_32Bit]]]]]
session.run(v)  # type: ndarray[tuple[Literal[784], Literal[10]], dtype[floating[_32Bit]]]
session.run(core.NoOp.create(scope))  # type: None
session.run(nn.TopK.create(scope, x, 2))  # type: Any
tg.Variable.create(scope, shape=(2, SIZE), dtype=tg.TInt32)  # type: Variable[TInt32, tuple[Literal[2], Literal[4]]]
session.run([x, w])  # type: list[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]
core.Sum.create(scope, cube, core.Constant.create(scope, [0, 2]))  # type: Sum[TFloat32, tuple[Literal[4]]]
core.Sum.create(scope, cube, once)  # type: Sum[TFloat32, tuple[Literal[3], Literal[4]]]
core.Sum.create(scope, cube, twice)  # type: Sum[TFloat32, tuple[Any, Any]]
core.Sum.create(scope, cube, parameter)  # type: Sum[TFloat32, tuple[Any, Any]]
core.Reshape.create(scope, w, core.Shape.create(scope, linalg.Transpose.create(scope, w)))  # type: Reshape[TFloat32, tuple[Literal[10], Literal[784]]]
core.Sum.create(scope, cube, core.Constant.create(scope, 3))  # error: Sum: `axis` is 3, but must be in [-3, 3)  [typegrad-shape]
core.Unstack.create(scope, core.Shape.create(scope, cube), num=3).output[0]  # type: Output[TInt32, tuple[()]]
losses.mean_squared_error(scope, x, x)  # type: Operand[TFloat32, tuple[Batch]]
losses.MeanSquaredError(reduction=losses.Reduction.NONE)(scope, x, x)  # type: Operand[TFloat32, tuple[Batch]]
losses.SparseCategoricalCrossentropy(from_logits=True)(scope, labels, x)  # type: Operand[TFloat32, tuple[()]]
losses.mean_squared_error(scope, unknown, x)  # type: Operand[TFloat32, tuple[Any, ...]]
any_loss(scope, x, x)  # type: Operand[TFloat32, tuple[Any, ...]]
initializers.GlorotUniform()(scope, (784, SIZE), tg.TFloat32)  # type: Operand[TFloat32, tuple[Literal[784], Literal[4]]]
initializers.Zeros()(scope, w.shape, tg.TFloat32)  # type: Operand[TFloat32, tuple[Literal[784], Literal[10]]]
optimizer.apply_gradients([(v.read(scope), v)])  # type: NoOp
equal(x, unknown)  # type: Operand[TFloat32, tuple[Batch]]
generic(x, x)  # type: Add[TFloat32, tuple[Any, ...]]
negative + 1.0  # type: Operand[TFloat32, tuple[Any, Literal[3]]]
empty + 1.0  # type: Operand[TFloat32, tuple[Literal[0], Literal[3]]]
either + 1.0  # type: Operand[TFloat32, tuple[Literal[2], Any]]
loose + 1.0  # type: Operand[TFloat32, tuple[Literal[2], Any]]
either_loose + 1.0  # type: Operand[TFloat32, tuple[Literal[2], Any]]
ranks + 1.0  # type: Operand[TFloat32, tuple[Any, ...]]
same((2, SIZE)) + 1.0  # type: Operand[TFloat32, tuple[Literal[2], Literal[4]]]
x + anything  # type: Operand[TFloat32, tuple[Any, ...]]
math.AddN.create(scope, [anything, x])  # type: AddN[TFloat32, tuple[Batch, Literal[784]]]
math.AddN.create(scope, listed)  # type: AddN[TFloat32, tuple[Any, ...]]
math.AddN.create(scope, [x, *listed])  # type: AddN[TFloat32, tuple[Batch, Literal[784]]]
math.AddN.create(scope, bools)  # error: AddN: inputs is bool, but must be numeric; cast it with dtypes.Cast  [typegrad-dtype]
math.Sqrt.create(scope, wide)  # error: Sqrt: x is W, but must be bfloat16, float16, float32, float64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
math.Sqrt.create(scope, unsure)  # type: Sqrt[Any | TInt32, tuple[Any, ...]]
x[scalar]  # error: a mask has one dimension or more, and its rank is known, but its shape is []; core.Select chooses by a scalar  [typegrad-shape]
x.__rsub__(w)  # error: No overload variant of "__rsub__" of "Operators" matches argument type "Operand[TFloat32, tuple[Literal[784], Literal[10]]]"  [operator]
core.Sum.create(scope, cube, None)  # type: Sum[TFloat32, tuple[()]]
core.Sum.create(scope, cube, looped)  # type: Sum[TFloat32, tuple[Any, Any]]
core.Gather.create(scope, w, nested, 0)  # type: Gather[TFloat32, tuple[Any, ...]]
some.expect(tg.TFloat32, (2,))  # type: Output[TFloat32, tuple[Literal[2]]]
x.expect(tg.TFloat32, (None, 784))  # type: Output[TFloat32, tuple[Batch, Literal[784]]]
x.expect(tg.TFloat32, (None, 784, 1))  # error: expect: x has shape [Batch, 784], which is never [?, 784, 1]  [typegrad-shape]
losses.Huber()(scope, x, x, None)  # type: Operand[TFloat32, tuple[()]]
losses.mean_squared_error(scope, columns, any_columns)  # type: Operand[TFloat32, tuple[Any]]
optimizer.apply_gradients([(some, v), (some, v8)])  # type: NoOp
session.run([x, n])  # type: list[ndarray[tuple[Any, ...], dtype[Any]]]
core.Constant.create(scope, whatever, tg.TFloat32)  # type: Constant[TFloat32, tuple[Any, ...]]
tf.constant(whatever, dtype=tg.TFloat32)  # type: Constant[TFloat32, tuple[Any, ...]]
session.run((x, whatever))  # type: tuple[Any, ...]
session.run([*listed, x])  # type: list[Any]
session.run(x, {x: np.zeros((2, 784), np.float32)})  # type: ndarray[tuple[Batch, Literal[784]], dtype[floating[_32Bit]]]
"""

HEADER: Final = """
from typing import Any, Final, Literal, NewType, TypeVar
import numpy as np
import typegrad as tg
from typegrad import initializers, losses
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.training.optimizers import Adam
Batch = NewType("Batch", int)
AXES: Final = (0, -1)
SIZE: Final = 4
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
W = TypeVar("W", bound=tg.TNumber)
M = TypeVar("M", bound=int)
N = TypeVar("N", bound=int)
def same(shape: S) -> tg.Operand[tg.TFloat32, S]: raise NotImplementedError
def equal(a: tg.Operand[F, tuple[M, N]], b: tg.Operand[F, tuple[M, int]]) -> tg.Operand[F, tuple[M]]:
    return math.Mean.create(tg.Scope(tg.Graph()), a, 1)
def generic(a: tg.Operand[F], b: tg.Operand[F]) -> math.Add[F]:
    return math.Add.create(tg.Scope(tg.Graph()), math.Tanh.create(tg.Scope(tg.Graph()), a), b)
def f(
    scope: tg.Scope, tf: tg.Ops, session: tg.Session, i: int, parameter: tg.Operand[tg.TInt32, tuple[()]], unknown: tg.Operand[tg.TFloat32],
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]], n: tg.Operand[tg.TInt32, tuple[()]],
    w: tg.Operand[tg.TFloat32, tuple[Literal[784], Literal[10]]], v: tg.Variable[tg.TFloat32, tuple[Literal[784], Literal[10]]],
    cube: tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[4], Literal[4]]], labels: tg.Operand[tg.TInt32, tuple[Batch]],
    optimizer: Adam, any_loss: losses.Loss, v8: tg.Variable[tg.TFloat64], whatever: Any, nested: list[list[int]],
    negative: tg.Operand[tg.TFloat32, tuple[Literal[-1], Literal[3]]], empty: tg.Operand[tg.TFloat32, tuple[Literal[0], Literal[3]]],
    either: tg.Operand[tg.TFloat32, tuple[Literal[2], Literal[3]] | tuple[Literal[2], Literal[4]]],
    either_loose: tg.Operand[tg.TFloat32, tuple[Literal[2], Literal[3]] | tuple[Literal[2], Any]],
    ranks: tg.Operand[tg.TFloat32, tuple[Literal[2]] | tuple[Literal[2], Literal[3]]],
    columns: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]], any_columns: tg.Operand[tg.TFloat32, tuple[Any, Literal[3]]],
    loose: tg.Operand[tg.TFloat32, tuple[Literal[2], Any]], scalar: tg.Operand[tg.TBool, tuple[()]], bools: list[tg.Operand[tg.TBool]],
    anything: tg.Operand[Any], unsure: tg.Operand[Any | tg.TInt32], some: tg.Operand[F], wide: tg.Operand[W],
    listed: list[tg.Operand[tg.TFloat32]],
) -> None:
    once = core.Constant.create(scope, 1)
    twice = core.Constant.create(scope, 1)
    twice = core.Constant.create(scope, 2)
    parameter = core.Constant.create(scope, 2)
    looped = core.Constant.create(scope, 1)
    for looped in [looped]:
        pass
""".lstrip()


def test_every_statement(tmp_path: Path) -> None:
    different = differences(tmp_path, HEADER, STATEMENTS)
    assert not different, "\n".join(different)
