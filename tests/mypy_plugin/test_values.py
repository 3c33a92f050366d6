"""Values in place of operands, statement by statement: messages for values that do not fit, types for the others."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import IS_NEWEST, differences

STATEMENTS: Final = """
n + 1.5  # error: AddV2: x is int32 but y is the Python float 1.5; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
fl * n  # error: Mul: y is int32 but x is a Python float; cast y with dtypes.Cast, or write an int  [typegrad-dtype]
np.float32(2) * n  # error: Mul: y is int32 but x is a NumPy float; cast y with dtypes.Cast, or write an int  [typegrad-dtype]
n + [1.5]  # error: AddV2: x is int32 but y holds a Python float; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
n + [*lf, 1]  # error: AddV2: x is int32 but y holds a Python float; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
math.Square.create(scope, [*"ab"])  # error: Square: x holds a Python str, but must be numeric  [typegrad-dtype]
n + lf  # error: AddV2: x is int32 but y holds a Python float; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
x + 1j  # error: AddV2: x is float32 but y is the Python complex 1j; cast x with dtypes.Cast, or write a float  [typegrad-dtype]
x + "a"  # error: AddV2: x is float32 but y is the Python str 'a'; write a float  [typegrad-dtype]
x + None  # error: AddV2: y is None, but must be an operand or a value that the operation takes; None is a size that only a run knows (core.Shape.create(scope, x)[0]), or the gradient where none flows (zeros with unconnected_gradients="zero")  [typegrad-dtype]
x + perhaps  # error: perhaps may be None, which has no operators; check that perhaps is not None first  [typegrad-dtype]
x + f8  # error: AddV2: x is float32 but y is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
g8 * x  # error: Mul: y is float32 but x is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
h8 @ x  # error: MatMul: b is float32 but a is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
n + f4  # error: AddV2: x is int32 but y is an array of float32; convert it with astype(np.int32)  [typegrad-dtype]
x + bo  # error: AddV2: x is float32 but y is an array of bool; convert it with astype(np.float32)  [typegrad-dtype]
u + 300  # error: AddV2: y does not fit: 300 is beyond uint8, which holds 0..255; use a wider type, such as tg.TInt64  [typegrad-dtype]
b & 1  # error: LogicalAnd: x is bool but y is the Python int 1; write True or False  [typegrad-dtype]
u & 1.0  # error: BitwiseAnd: x is uint8 but y is the Python float 1.0; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
x @ 2.0  # error: @ is the product of matrices, but its right side is a number; to multiply x by it, write *  [typegrad-shape]
2.0 @ x  # error: @ is the product of matrices, but its left side is a number; to multiply x by it, write *  [typegrad-shape]
x + [[1.0, 2.0]]  # error: AddV2: shapes [Batch, 784] and [1, 2] do not broadcast: 784 and 2 are neither equal nor 1  [typegrad-shape]
[[1.0, 2.0]] + x  # error: AddV2: shapes [1, 2] and [Batch, 784] do not broadcast: 2 and 784 are neither equal nor 1  [typegrad-shape]
x + np.ones((3, 1), np.float32)  # error: AddV2: shapes [Batch, 784] and [3, 1] do not broadcast: Batch and 3 are neither equal nor 1  [typegrad-shape]
np.ones((2, 2), np.float32) + x  # error: AddV2: shapes [2, 2] and [Batch, 784] do not broadcast: 2 and Batch are neither equal nor 1  [typegrad-shape]
x @ np.ones((3, 784), np.float32)  # error: MatMul: inner dimensions differ: a is [Batch, 784], b is [3, 784]; linalg.MatMul with transpose_b=True would fit  [typegrad-shape]
np.ones((3, 4), np.float32) @ x  # error: MatMul: inner dimensions differ: a is [3, 4], b is [Batch, 784]  [typegrad-shape]
b & [True, False, True]  # error: LogicalAnd: shapes [2] and [3] do not broadcast: 2 and 3 are neither equal nor 1  [typegrad-shape]
x[b]  # error: a mask has the shape of the first dimensions of what it selects from, [Batch], but this one is [2]  [typegrad-shape]
x[[0, 1]]  # error: an operand is indexed by integers, slices, ..., None and masks, not by list[int]; core.Gather takes many rows, core.GatherNd many elements  [typegrad-dtype]
x[np.array([0, 1]), np.array([0, 1])]  # error: an operand is indexed by integers, slices, ..., None and masks, not by ndarray; core.Gather takes many rows, core.GatherNd many elements  [typegrad-dtype]
x[np.array([0, 1])]  # error: an operand is indexed by integers, slices, ..., None and masks, not by an array of int64; core.Gather takes many rows, core.GatherNd many elements  [typegrad-dtype]
x[np.ones(2, bool)]  # error: a mask has the shape of the first dimensions of what it selects from, [Batch], but this one is [2]  [typegrad-shape]
x[np.argmax(np.ones(3))]  # type: Operand[TFloat32, tuple[Literal[784]]]
x["a"]  # error: an operand is indexed by integers, slices, ..., None and masks, not by str  [typegrad-dtype]
x[0, "a"]  # error: an operand is indexed by integers, slices, ..., None and masks, not by str  [typegrad-dtype]
x[[True, False]]  # error: an operand is indexed by integers, slices, ..., None and masks, not by list[bool]; a mask is an array, and the only index: x[np.array([True, False])]  [typegrad-dtype]
x[:, 6 / 2]  # error: an operand is indexed by integers, slices, ..., None and masks, not by float; write // to divide integers, or int(...)  [typegrad-dtype]
x[numbers]  # error: an operand is indexed by integers, slices, ..., None and masks, not by Operand[TInt32, tuple[int]]; core.Gather takes many rows, core.GatherNd many elements  [typegrad-dtype]
math.Square.create(scope, True)  # error: Square: x is the Python bool True, but must be numeric  [typegrad-dtype]
math.Square.create(scope, "a")  # error: Square: x is the Python str 'a', but must be numeric  [typegrad-dtype]
math.Square.create(scope, None)  # error: Square: x is None, but must be an operand or a value that the operation takes; None is a size that only a run knows (core.Shape.create(scope, x)[0]), or the gradient where none flows (zeros with unconnected_gradients="zero")  [typegrad-dtype]
math.Maximum.create(scope, n, 0.5)  # error: Maximum: x is int32 but y is the Python float 0.5; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
math.Maximum.create(scope, 0.5, n)  # error: Maximum: y is int32 but x is the Python float 0.5; cast y with dtypes.Cast, or write an int  [typegrad-dtype]
math.Maximum.create(scope, x, "a")  # error: Maximum: x is float32 but y is the Python str 'a'; write a float  [typegrad-dtype]
math.Maximum.create(scope, x, perhaps)  # error: Maximum: y may be None; check that it is not None first  [typegrad-dtype]
math.Maximum.create(scope, x, i8)  # error: Maximum: x is float32 but y is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
math.Maximum.create(scope, x, [[1.0], [2.0, 3.0]])  # error: Maximum: y does not fit: [[1.0], [2.0, 3.0]] is not a rectangular array: [0] has 1 element, [1] has 2 elements  [typegrad-dtype]
bitwise.BitwiseAnd.create(scope, n, 1.5)  # error: BitwiseAnd: x is int32 but y is the Python float 1.5; cast x with dtypes.Cast, or write an int  [typegrad-dtype]
bitwise.BitwiseAnd.create(scope, 1, fl)  # error: BitwiseAnd: y is a Python float, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64  [typegrad-dtype]
bitwise.BitwiseAnd.create(scope, 1, f4)  # error: BitwiseAnd: y is an array of float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; convert it with astype  [typegrad-dtype]
math.LogicalAnd.create(scope, b, 1)  # error: LogicalAnd: x is bool but y is the Python int 1; write True or False  [typegrad-dtype]
math.LogicalNot.create(scope, [1, 0])  # error: LogicalNot: x holds a Python int, but must be bool; write True or False  [typegrad-dtype]
core.Concat.create(scope, [x, [[1.0, 2.0]]], 0)  # error: Concat: `values` must agree in all dimensions but 0: [Batch, 784], [1, 2]: dimensions 784 and 2 differ  [typegrad-shape]
core.Concat.create(scope, [x, j8], 0)  # error: Concat: values[0] is float32 but values[1] is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
core.Concat.create(scope, [x, "a"], 0)  # error: Concat: values[0] is float32 but values[1] is the Python str 'a'; write a float  [typegrad-dtype]
core.Concat.create(scope, [x, None], 0)  # error: Concat: values[1] is None, but must be an operand or a value that the operation takes; None is a size that only a run knows (core.Shape.create(scope, x)[0]), or the gradient where none flows (zeros with unconnected_gradients="zero")  [typegrad-dtype]
core.Select.create(scope, 1, x, x)  # error: Select: condition is the Python int 1, but must be bool; write True or False  [typegrad-dtype]
generic + 1j  # error: AddV2: x is F but y is the Python complex 1j; cast x with dtypes.Cast, or write a float  [typegrad-dtype]
generic + True  # error: AddV2: x is F but y is the Python bool True; write a float  [typegrad-dtype]
v.assign(scope, 1.0)  # error: Variable.assign: the variable has shape [784, 10], but `value` has shape []  [typegrad-shape]
v.assign(scope, "a")  # error: Variable.assign: the variable is float32 but value is the Python str 'a'; write a float  [typegrad-dtype]
v.assign(scope, np.ones((784, 10)))  # error: Variable.assign: the variable is float32 but value is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
session.run(x, {x: [["a"]]})  # error: run: the feed of x holds a Python str, but must be float32; write a float  [typegrad-dtype]
session.run(u, {u: 300})  # error: run: the feed of u does not fit: 300 is beyond uint8, which holds 0..255; use a wider type, such as tg.TInt64  [typegrad-dtype]
x + li  # type: Operand[TFloat32, tuple[Any, ...]]
x + i4  # error: AddV2: x is float32 but y is an array of int32; convert it with astype(np.float32)  [typegrad-dtype]
x * 2  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
np.float64(2) * x  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
f4 * x  # type: Operand[TFloat32, tuple[Any, ...]]
np.ones((1, 784), np.float32) + x  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
x @ np.ones((784, 3), np.float32)  # type: Operand[TFloat32, tuple[Batch, Literal[3]]]
np.ones((3, 2), np.float32) @ np.float32(2) * x  # type: Operand[TFloat32, tuple[Any, ...]]
x @ v + v[0]  # type: Operand[TFloat32, tuple[Batch, Literal[10]]]
[1.0, 2.0] + x  # error: AddV2: shapes [2] and [Batch, 784] do not broadcast: 784 and 2 are neither equal nor 1  [typegrad-shape]
u & 1  # type: Operand[TUint8, tuple[Any]]
~b  # type: Operand[TBool, tuple[Literal[2]]]
~u  # type: Operand[TUint8, tuple[int]]
s + "!"  # type: Operand[TString, tuple[Any]]
x[x[:, 0] > 0]  # type: Operand[TFloat32, tuple[int, Literal[784]]]
cube[mask]  # type: Operand[TFloat32, tuple[int, Literal[2]]]
generic + 1  # type: Operand[F, tuple[Any, ...]]
math.Square.create(scope, 2.0)  # type: Square[TFloat32, tuple[()]]
math.Square.create(scope, [[2, 3]])  # type: Square[TInt32, tuple[Literal[1], Literal[2]]]
math.Square.create(scope, np.ones((2, 3)))  # type: Square[TFloat64, tuple[Literal[2], Literal[3]]]
math.Square.create(scope, f4)  # type: Square[TFloat32, tuple[Any, ...]]
math.Square.create(scope, np.float16(1))  # type: Square[TFloat16, tuple[()]]
math.Square.create(scope, fl)  # type: Square[TFloat32, tuple[()]]
math.Square.create(scope, li)  # type: Square[TInt32, tuple[Any, ...]]
math.Square.create(scope, [*lf, 1.0])  # type: Square[TFloat32, tuple[Any, ...]]
math.Square.create(scope, [*(1.0, 2.0), 3.0])  # type: Square[TFloat32, tuple[Literal[3]]]
n + [*{1: 1.5}, *range(3)]  # type: Operand[TInt32, tuple[Any, ...]]
x + Level.ONE  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
core.ExpandDims.create(scope, x, Level.ONE)  # type: ExpandDims[TFloat32, tuple[Batch, Literal[1], Literal[784]]]
math.Maximum.create(scope, x, 0.0)  # type: Maximum[TFloat32, tuple[Batch, Literal[784]]]
math.Maximum.create(scope, 1, 2.5)  # type: Maximum[TFloat32, tuple[()]]
math.Maximum.create(scope, [1, 2], fl)  # type: Maximum[TFloat32, tuple[Literal[2]]]
math.Add.create(scope, math.Square.create(scope, math.Neg.create(scope, 2.0)), x)  # type: Add[TFloat32, tuple[Batch, Literal[784]]]
core.Concat.create(scope, [x, np.ones((5, 784), np.float32)], 0)  # type: Concat[TFloat32, tuple[Plus[Batch, Literal[5]], Literal[784]]]
core.Concat.create(scope, [[1.0], [2.0]], 0)  # type: Concat[TFloat32, tuple[Literal[2]]]
math.AddN.create(scope, [math.Neg.create(scope, x), nn.Relu.create(scope, x), w])  # type: AddN[TFloat32, tuple[Batch, Literal[784]]]
core.Fill.create(scope, (2, 2), 0.5)  # type: Fill[TFloat32, tuple[Literal[2], Literal[2]]]
core.OneHot.create(scope, [1, 2], 3, 1.0, 0.0)  # type: OneHot[TFloat32, tuple[Literal[2], Literal[3]]]
core.Select.create(scope, b, 1.0, 2)  # type: Select[TFloat32, tuple[Literal[2]]]
core.Pad.create(scope, x, [[1, 1], [0, 0]], 0)  # type: Pad[TFloat32, tuple[Plus[Batch, Literal[2]], Literal[784]]]
dtypes.Cast.create(scope, 1, tg.TFloat64)  # type: Cast[TFloat64, tuple[()]]
bitwise.BitwiseAnd.create(scope, [1, 2], 1)  # type: BitwiseAnd[TInt32, tuple[Literal[2]]]
v.assign(scope, np.ones((784, 10), np.float32))  # type: Op
tg.grad(scope, math.Square.create(scope, v), v)  # type: Operand[TFloat32, tuple[Literal[784], Literal[10]]]
session.run(v)  # type: ndarray[tuple[Literal[784], Literal[10]], dtype[floating[_32Bit]]]
helper(scope, x)  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
helper(scope, math.Square.create(scope, x))  # type: Operand[TFloat32, tuple[Batch, Literal[784]]]
math.Square.create(scope, helper(scope, x))  # type: Square[TFloat32, tuple[Batch, Literal[784]]]
math.AddN.create(scope, [n, n, 1.5])  # error: AddN: inputs[0] is int32 but inputs[2] is the Python float 1.5; cast inputs[0] with dtypes.Cast, or write an int  [typegrad-dtype]
math.AddN.create(scope, lf)  # type: AddN[TFloat32, tuple[()]]
math.Mul.create(scope, wide, 1.5)  # error: Mul: x is W but y is the Python float 1.5; cast x with dtypes.Cast, or write a number  [typegrad-dtype]
x.__rsub__(1j)  # error: Sub: y is float32 but x is a Python complex; cast y with dtypes.Cast, or write a float  [typegrad-dtype]
b & Batch(3)  # error: LogicalAnd: x is bool but y is a Python int; write True or False  [typegrad-dtype]
x + floats  # type: Operand[TFloat32, tuple[Any, ...]]
u + [1, whatever]  # type: Operand[TUint8, tuple[Any, ...]]
n + Rows([1, 2])  # type: Operand[TInt32, tuple[Any, ...]]
math.Square.create(scope, some_value)  # type: Square[Any, tuple[Any, ...]]
core.Constant.create(scope, [[1, 2], [3]])  # error: Constant: attribute `value`: [[1, 2], [3]] is not a rectangular array: [0] has 2 elements, [1] has 1 element  [typegrad-dtype]
"""

HEADER: Final = """
from enum import IntEnum
from typing import Any, Literal, NewType, TypeVar
import numpy as np
import typegrad as tg
from numpy.typing import NDArray
from typegrad.op import bitwise, core, dtypes, linalg, math, nn
Batch = NewType("Batch", int)
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
W = TypeVar("W", bound=tg.TNumber)
class Rows(list[int]): ...
class Level(IntEnum):
    ONE = 1
def helper(scope: tg.Scope, x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return math.Tanh.create(scope, math.Neg.create(scope, x))
def f(
    scope: tg.Scope, session: tg.Session, fl: float, lf: list[float], li: list[int],
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]], w: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]],
    n: tg.Operand[tg.TInt32, tuple[()]], numbers: tg.Operand[tg.TInt32, tuple[int]], u: tg.Operand[tg.TUint8, tuple[int]],
    b: tg.Operand[tg.TBool, tuple[Literal[2]]], c: tg.Operand[tg.TComplex64, tuple[int]], s: tg.Operand[tg.TString, tuple[int]],
    cube: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4], Literal[2]]], mask: tg.Operand[tg.TBool, tuple[Batch, Literal[4]]],
    v: tg.Variable[tg.TFloat32, tuple[Literal[784], Literal[10]]], perhaps: tg.Operand[tg.TFloat32] | None, generic: tg.Operand[F],
    f4: NDArray[np.float32], f8: NDArray[np.float64], g8: NDArray[np.float64], h8: NDArray[np.float64],
    i8: NDArray[np.float64], j8: NDArray[np.float64], i4: NDArray[np.int32], bo: NDArray[np.bool_],
    floats: NDArray[np.floating[Any]], wide: tg.Operand[W], whatever: Any, some_value: int | float,
) -> None:
""".lstrip()


_FRACTIONS: Final = """\
x[: 8 / 2]  # error: StridedSlice: an operand is indexed by integers, slices, ..., None and masks, not by float; write // to divide integers, or int(...)  [typegrad-dtype]
"""
"""What an older mypy itself reports, too."""


def test_every_statement(tmp_path: Path) -> None:
    different = differences(tmp_path, HEADER, STATEMENTS + _FRACTIONS * IS_NEWEST)
    assert not different, "\n".join(different)
