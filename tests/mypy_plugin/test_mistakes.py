"""Mistakes as users make them: one error for each, with what to do."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import typing as t
import numpy as np
import typegrad as tg
from typegrad import functions, losses, optimizers
from typegrad.op import core, dtypes, linalg, math, nn, random
"""

MADE: Final = "{} was made of the values {}; shape={} makes a variable of that shape  [typegrad-shape]"

KEPT: Final = "[3, 5, 7] and [3, 5] do not broadcast: 5 and 3 are neither equal nor 1; [3, 5, 1] would fit: keepdims=True in {} over axis 2 gives it, or core.ExpandDims with axis 2  [typegrad-shape]"

PROGRAMS: Final = {
    "functions that drop dimensions": f"""
Cube = tg.Operand[tg.TFloat32, tuple[t.Literal[3], t.Literal[5], t.Literal[7]]]
def unpacked(scope: tg.Scope, cube: Cube) -> object:
    mean, variance = functions.moments(scope, cube, -1)
    return cube - mean  # E: Sub: shapes {KEPT.format("moments")}
def indexed(scope: tg.Scope, cube: Cube) -> object:
    return cube - functions.moments(scope, cube, [2])[0]  # E: Sub: shapes {KEPT.format("moments")}
def named(scope: tg.Scope, cube: Cube) -> object:
    largest = functions.logsumexp(scope, cube, -1)
    return math.Sub.create(scope, cube, largest)  # E: Sub: shapes {KEPT.format("logsumexp")}
def of_facade(scope: tg.Scope, cube: Cube) -> object:
    return cube / tg.Ops.create(scope).math.reduce_std(cube, -1)  # E: RealDiv: shapes {KEPT.format("reduce_std")}
def right(scope: tg.Scope, cube: Cube) -> object:
    mean, variance = functions.moments(scope, cube, -1, keepdims=True)
    return (cube - mean) / functions.reduce_std(scope, cube) - functions.moments(scope, cube, None)[0]
""",
    "numbers for the shape of a variable": f"""
scope = tg.Scope(tg.Graph())
tf = tg.Ops.create(scope)
x = core.Placeholder.create(scope, tg.TFloat32, (None, 2))
column, row = np.zeros((2, 1), np.float32), np.zeros(2, np.float32)
w = tg.Variable.create(scope, (2, 1), tg.TFloat32)
sizes = (2, 1)
def product() -> object:
    return x @ w  # E: BatchMatMul: `y` must have rank 2 or more, but has shape [2]; {MADE.format("w", "(2, 1)", "(2, 1)")}
def read() -> object:
    v = tg.Variable.create(scope, [2, 3], tg.TFloat32)
    return linalg.MatMul.create(scope, x, v.read(scope))  # E: MatMul: `b` must have rank 2, but has shape [2]; {MADE.format("v", "(2, 3)", "(2, 3)")}
def in_a_list() -> object:
    v = tf.variable(sizes, tg.TFloat32)
    return core.Concat.create(scope, [v, column], 1)  # E: Concat: `values` differ in rank: [2], [2, 1]; {MADE.format("v", "(2, 1)", "(2, 1)")}
def assigned() -> object:
    v = tg.Variable.create(scope, (3, 5), tg.TFloat32)
    return v.assign(scope, np.ones((3, 5), np.float32))  # E: Variable.assign: the variable has shape [2], but `value` has shape [3, 5]; {MADE.format("v", "(3, 5)", "(3, 5)")}
def counter(number: tg.Operand[tg.TInt64, tuple[t.Literal[2]]]) -> object:
    v = tf.variable((2,), tg.TInt64)
    return v.assign_add(scope, number)  # E: Variable.assign_add: the variable has shape [1], but `value` has shape [2]; {MADE.format("v", "(2,)", "(2,)")}
def in_a_session(session: tg.Session) -> None:
    v = tg.Variable.create(scope, (4, 5), tg.TFloat32)
    session.assign(v, np.ones((4, 5), np.float32))  # E: assign: the value for v has shape [4, 5], which does not fit [2]; {MADE.format("v", "(4, 5)", "(4, 5)")}
class Dense:
    def __init__(self, size: int) -> None:
        self.size = size
        self.w = tg.Variable.create(scope, (size, self.size), tg.TFloat32)
        self.v = tg.Variable.create(scope, (size, 2 * size), tg.TFloat32)
    def __call__(self, y: tg.Operand[tg.TFloat32, tuple[int, int]]) -> tg.Operand[tg.TFloat32]:
        return y @ self.w  # E: BatchMatMul: `y` must have rank 2 or more, but has shape [2]; {MADE.format("self.w", "(size, self.size)", "(size, self.size)")}
    def other(self, y: tg.Operand[tg.TFloat32, tuple[int, int]]) -> tg.Operand[tg.TFloat32]:
        return y @ self.v  # E: BatchMatMul: `y` must have rank 2 or more, but has shape [2]; {MADE.format("self.v", "(size, ...)", "(size, ...)")}
def no_sizes() -> object:
    v = tg.Variable.create(scope, [2.0, 1.0], tg.TFloat32)
    return x @ v  # E: BatchMatMul: `y` must have rank 2 or more, but has shape [2]; functions.tensordot(scope, x, y, 1) multiplies by a vector  [typegrad-shape]
def sizes_that_do_not_fit() -> object:
    v = tg.Variable.create(scope, (3, 1), tg.TFloat32)
    return linalg.MatMul.create(scope, x, v)  # E: MatMul: `b` must have rank 2, but has shape [2]; functions.tensordot(scope, a, b, 1) multiplies by a vector  [typegrad-shape]
def right(session: tg.Session) -> object:
    v = tg.Variable.create(scope, (2, 1), tg.TFloat32)
    session.assign(v, row)
    return [v.assign(scope, row), x * v + tg.Variable.create(scope, [1, 2], tg.TFloat32), x @ tg.Variable.create(scope, shape=(2, 1), dtype=tg.TFloat32)]
""",
    "operations that are created in place": """
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[int, int]]) -> None:
    float(core.Sum.create(scope, x))  # E: the operand has no value before the run; session.run gives an array  [typegrad-call]
    round(core.Sum.create(scope, x))  # E: the operand is not rounded by round; write math.Round.create(scope, x)  [typegrad-call]
    nn.TopK.create(scope, x, 2)[0]  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
    nn.TopK.create(scope, x, 2) + 1  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
    -nn.TopK.create(scope, x, 2)  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
    math.ArgMax.create(scope, x, 1, np.int32)  # E: ArgMax.create(): `output_type` must be an element type, not np.int32; write tg.TInt32  [typegrad-call]
""",
    "a shape in the place of sizes": """
Batch = t.NewType("Batch", int)
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32], y: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[3]]]) -> None:
    core.Reshape.create(scope, x, y.shape)  # E: Reshape.create(): `shape` is a list of integers, but y.shape is a shape; write y.shape.as_ints() for known sizes, core.Shape.create(scope, x) for those in a run  [typegrad-call]
    functions.zeros(scope, y.shape)  # E: zeros(): `shape` is a list of integers, but y.shape is a shape; write y.shape.as_ints() for known sizes, core.Shape.create(scope, x) for those in a run  [typegrad-call]
    core.Sum.create(scope, x, x.shape[:1])  # E: Sum.create(): `axis` is a list of integers, but it is a shape; write x.shape.as_ints() for known sizes, core.Shape.create(scope, x) for those in a run  [typegrad-call]
    tg.Variable.create(scope, tg.Shape.of(2, 3), tg.TFloat32)  # E: Variable.create(): the initial value is a shape, not a value; write shape=... and dtype=... for a variable without a value, functions.zeros(scope, shape) for zeros  [typegrad-call]
    core.Constant.create(scope, x.shape)  # E: Constant.create(): `value` is a shape, not a value; write x.shape.as_ints() for its sizes  [typegrad-call]
    x * x.shape  # E: x.shape is a shape, not a value; write x.shape.as_ints() for its sizes  [typegrad-call]
    x.shape + x  # E: x.shape is a shape, not a value; write x.shape.as_ints() for its sizes  [typegrad-call]
    x.shape + (1,)
    core.Placeholder.create(scope, tg.TFloat32, x.shape)
    core.Reshape.create(scope, x, x.shape.as_ints())
    core.Reshape.create(scope, x, x.shape)
    core.Reshape.create(scope, x, x.shape[:1])
    w = tg.Variable.create(scope, np.zeros((2, 3), np.float32))
    reveal_type(core.Fill.create(scope, w.shape, 1.0))  # R: Fill[TFloat32, tuple[Literal[2], Literal[3]]]
    reveal_type(core.BroadcastTo.create(scope, w[0], w.shape))  # R: BroadcastTo[TFloat32, tuple[Literal[2], Literal[3]]]
    reveal_type(core.Fill.create(scope, w.shape[1:], 1.0))  # R: Fill[TFloat32, tuple[Literal[3]]]
    reveal_type(functions.zeros(scope, w.shape))  # R: Operand[TFloat32, tuple[Literal[2], Literal[3]]]
""",
    "one in the place of a list": """
def program(scope: tg.Scope, session: tg.Session, x: tg.Operand[tg.TFloat32], y: tg.Operand[tg.TFloat32]) -> None:
    session.callable([y], x)  # E: Session.callable(): `feeds` is a list of operands, not an operand; write [x]  [typegrad-call]
    tg.grad(scope, y, x, stop_gradients=x)  # E: grad(): `stop_gradients` is a list of operands, not an operand; write [x]  [typegrad-call]
    scope.with_control_dependencies(y)  # E: Scope.with_control_dependencies(): `operations` is a list of operations, not an operand; write [y]  [typegrad-call]
    scope.with_control_dependencies([y, x.op])
    tg.hessian(scope, y, [x])  # E: hessian(): argument `x` must be an Operand, not a list of operands; it differentiates with respect to one; call it for each  [typegrad-call]
    tg.grad(scope, y, [x])  # E: grad(): argument `x` must be an Operand, not a list of operands; tg.gradients takes several  [typegrad-call]
""",
    "attributes of expressions": """
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32], session: tg.Session) -> None:
    (x * 2.0).reshape(-1)  # E: 'Operand' object has no attribute 'reshape'; did you mean `core.Reshape` (from typegrad.op import core)?  [typegrad-call]
    core.StopGradient.create(scope, x).item()  # E: 'StopGradient' object has no attribute 'item'; did you mean `session.run`?  [typegrad-call]
    session.run({x: x + 1.0}, {x: np.ones(2, np.float32)})
    reveal_type(session.callable((x, x[0]), [x]))  # R: PreparedCall[tuple[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]], ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]]
""",
    "what is compared by a key": """
def program(scope: tg.Scope, a: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TFloat32]) -> None:
    max([a, b], key=lambda each: each.shape.as_ints()[0])
    min(a, b, key=id)
    sorted([a, b], key=lambda each: each.name)
    max(a, b)  # E: a is not compared with others before the run; write math.Maximum.create(scope, x, y)  [typegrad-call]
""",
    "one of several strings": """
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[int, int, int, int]], causal: bool, anything: str) -> None:
    padding = "VALID" if causal else "SAME"
    nn.MaxPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), padding)
    if causal:
        other = "VALID"
    else:
        other = "SAME"
    nn.MaxPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), other)
    wrong = "VALID" if causal else "FULL"
    nn.MaxPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), wrong)  # E: Argument 5 to "create" of "MaxPool" has incompatible type "str"; expected "Literal['SAME', 'VALID']"  [arg-type]
    nn.MaxPool.create(scope, x, (1, 2, 2, 1), (1, 2, 2, 1), anything)  # E: Argument 5 to "create" of "MaxPool" has incompatible type "str"; expected "Literal['SAME', 'VALID']"  [arg-type]
""",
    "operators of gradients that may be None": """
def steps(scope: tg.Scope, y: tg.Operand[tg.TFloat32], w: tg.Variable[tg.TFloat32], b: tg.Variable[tg.TFloat32]) -> None:
    gs = tg.gradients(scope, y, [w, b])
    (dw,) = tg.gradients(scope, y, [w])
    gs[0] * 2.0  # E: gs[0] may be None, which has no operators; check that gs[0] is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    2.0 * gs[1]  # E: gs[1] may be None, which has no operators; check that gs[1] is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    gs[0] + gs[1]  # E: gs[0] may be None, which has no operators; check that gs[0] is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    -dw  # E: dw may be None, which has no operators; check that dw is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    dw * 2.0 - y  # E: dw may be None, which has no operators; check that dw is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    change = 0.1 * tg.gradients(scope, y, [w])[0]  # E: a gradient may be None, which has no operators; tg.grad returns one that is not; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    w.assign_sub(scope, change)
    tg.gradients(scope, y, [w, b])[1] * 2.0 + 1.0  # E: a gradient may be None, which has no operators; tg.grad returns one that is not; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    0.1 * tg.gradients(scope, y, [w], unconnected_gradients="zero")[0]
    0.1 * tg.grad(scope, y, w)
    taken = tg.gradients(scope, y, [w])[0]
    0.1 * (taken if taken is not None else y)
    first, second = gs
    second * 2.0  # E: second may be None, which has no operators; check that second is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [typegrad-dtype]
    dw * 2.0 if dw is not None else 0.0
    scaled = dw is not None and -dw
    if gs[0] is not None and gs[1] is not None:
        gs[0] + gs[1]
    for g in gs:
        if g is not None:
            -g * 2.0
    total = None
    for i in range(3):
        total = y if total is None else total + y
    assert dw is not None
    -dw + dw * 2.0
""",
    "operators of a type variable": """
N = t.TypeVar("N", bound=tg.TNumber)
I = t.TypeVar("I", bound=tg.TIntegral)


def numbers(x: tg.Operand[N], n: tg.Operand[I], flags: tg.Operand[tg.TBool], names: tg.Operand[tg.TString]) -> tg.Operand[N]:
    x < x  # E: Less: x is N, but must be real; cast it with dtypes.Cast  [typegrad-dtype]
    x / x  # E: / divides floating-point and complex numbers, not x, which is N: cast it with dtypes.Cast  [typegrad-dtype]
    n / n  # E: / divides floating-point and complex numbers, not n, which is I: write // for the floor of the quotient, or convert with dtypes.Cast first  [typegrad-dtype]
    1 > flags  # E: Less: x is bool, but must be real; cast it with dtypes.Cast  [typegrad-dtype]
    names - names  # E: Sub: x is string, but must be numeric; no operation makes numbers of strings; convert them in Python  [typegrad-dtype]
    names + names + "."
    x**x  # E: Pow: x is N, but must be bfloat16, float16, float32, float64, int8, int16, int32, int64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
    return -x  # E: Neg: x is N, but must be bfloat16, float16, float32, float64, int8, int16, int32, int64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
""",
    "names that do not exist": """
def program(graph: tg.Graph, loss: tg.Operand[tg.TFloat32]) -> None:
    with graph.as_default():  # E: 'Graph' object has no attribute 'as_default'; did you mean `tg.Scope`?  [typegrad-call]
        optimizers.Adam(graph).minimise(loss)  # E: 'Adam' object has no attribute 'minimise'; did you mean `.minimize`?  [typegrad-call]
""",
    "operands where Python needs numbers": """
def program(scope: tg.Scope, k: tg.Operand[tg.TInt32, tuple[()]], names: list[str], by_operand: dict[tg.Operand[tg.TInt32], str]) -> None:
    for _ in range(k):  # E: k has no value before the run; session.run gives an array  [typegrad-call]
        pass
    names[k].upper()  # E: k has no value before the run; session.run gives an array  [typegrad-call]
    names[core.Constant.create(scope, 0)]  # E: the operand has no value before the run; session.run gives an array  [typegrad-call]
    np.zeros(3)[k]  # E: k has no value before the run; session.run gives an array  [typegrad-call]
    by_operand[k]
    row, total = np.zeros(3, np.int32), 0
    row[0] = k  # E: k has no value before the run; session.run gives an array  [typegrad-call]
    row += k  # E: k changes no array in place, as it has no value before the run; write a = a + x for a += x  [typegrad-call]
    row[1] = total
    total += 1
""",
    "what is given in another place": """
def program(graph: tg.Graph, session: tg.Session, x: tg.Operand[tg.TFloat32], data: np.ndarray) -> None:
    session.run({x: data})  # E: Session.run(): what to fetch comes first, and feeds second; write session.run(y, {x: value})  [typegrad-call]
    session.run({"x": x}, {x: data})
    tg.Saver(graph, "folder")  # E: Saver(): argument `session` must be a Session, not Graph; write tg.Session(graph)  [typegrad-call]
""",
    "another element type than is declared": """
def dense(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return x * 2.0
def program(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[int]]) -> tg.Operand[tg.TFloat32]:
    h: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TInt32, (None, 3))  # E: Incompatible types in assignment (expression has type "Placeholder[TInt32, tuple[Any, Literal[3]]]", variable has type "Operand[TFloat32, tuple[Any, ...]]")  [assignment]
    z: tg.Operand[tg.TFloat32] = functions.zeros(scope, (2,), dtype=tg.TFloat64)  # E: Incompatible types in assignment (expression has type "Operand[TFloat64, tuple[Literal[2]]]", variable has type "Operand[TFloat32, tuple[Any, ...]]")  [assignment]
    dense(dtypes.Cast.create(scope, x, tg.TInt32))  # E: Argument 1 to "dense" has incompatible type "Cast[TInt32, tuple[int]]"; expected "Operand[TFloat32, tuple[Any, ...]]"  [arg-type]
    h = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
    return core.Placeholder.create(scope, tg.TFloat64, (2,))  # E: Incompatible return value type (got "Placeholder[TFloat64, tuple[Literal[2]]]", expected "Operand[TFloat32, tuple[Any, ...]]")  [return-value]
""",
    "equality": """
def program(scope: tg.Scope, session: tg.Session, x: tg.Operand[tg.TInt64], y: tg.Operand[tg.TInt64]) -> bool:
    dtypes.Cast.create(scope, x == y, tg.TFloat32)  # E: Cast.create(): `x`: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    core.Select.create(scope, x != 0, x, y)  # E: Select.create(): `condition`: != of operands is a bool, whether they are the same operand; math.NotEqual.create(scope, x, y) compares their values  [typegrad-call]
    (x > 0) & (x == 1)  # E: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    core.Stack.create(scope, [x == 1, x > 1])  # E: Stack.create(): `values`: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    math.LogicalNot.create(scope, (x == 1) & (x == 2))  # E: LogicalNot.create(): `x`: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    zero = x == 0.0
    zero * x  # E: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    x * zero + 1.0  # E: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    math.Mul.create(scope, x, zero)  # E: Mul.create(): `y`: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
    always = True
    x * always  # E: Mul: x is int64 but y is the Python bool True; write an int  [typegrad-dtype]
    x * (2 if zero else 3)
    print(int(zero) + 1, zero and x is y)
    both = (x == y) | (y != x)
    shift = 3 * (len("a") == 1) + (len("b") == 1)
    tg.Variable.create(scope, 1.0, trainable=x == y)
    return x == y and y in [x]
""",
    "operators are refused once": """
def program(scope: tg.Scope, s: tg.Operand[tg.TString], x: tg.Operand[tg.TFloat32], b: tg.Operand[tg.TBool]) -> None:
    s < "a"  # E: Less: x is string, but must be real; no operation makes numbers of strings; convert them in Python  [typegrad-dtype]
    "a" < s  # E: Greater: x is string, but must be real; no operation makes numbers of strings; convert them in Python  [typegrad-dtype]
    x > -1 & x < 1  # E: BitwiseAnd: y is float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; comparisons need parentheses: (x > 0) & (y < 1)  [typegrad-dtype]
    x > 0.5 & x  # E: BitwiseAnd: y is float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; comparisons need parentheses: (x > 0) & (y < 1)  [typegrad-dtype]
    abs(b)  # E: Abs: x is bool, but must be bfloat16, float16, float32, float64, int8, int16, int32 or int64; cast it with dtypes.Cast  [typegrad-dtype]
    -core.Constant.create(scope, np.uint8(3))  # E: Neg: x is uint8, but must be bfloat16, float16, float32, float64, int8, int16, int32, int64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
    ~core.Constant.create(scope, 3.0)  # E: Invert: x is float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; cast it with dtypes.Cast  [typegrad-dtype]
""",
    "mistakes": """
Batch = t.NewType("Batch", int)
X = tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[784]]]


def programs(scope: tg.Scope, tf: tg.Ops, session: tg.Session, x: X, graph: tg.Graph) -> None:
    n = core.Placeholder.create(scope, tg.TInt32, shape=(Batch,))
    labels = core.Placeholder.create(scope, tg.TInt64, shape=(Batch,))
    w = tg.Variable.create(scope, random.TruncatedNormal.create(scope, (784, 10), tg.TFloat32))
    b = tg.Variable.create(scope, np.zeros(10, np.float32))
    d = core.Placeholder.create(scope, tg.TFloat64, shape=(Batch, 784))
    e = core.Placeholder.create(scope, tg.TFloat64, shape=(Batch, 784))
    img = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 28, 28, 3))
    logits = x @ w.read(scope) + b.read(scope)
    flag = x > 0.0
    q = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 5, 16))
    k = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 7, 16))
    x + n  # E: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
    n / 2  # E: / divides floating-point and complex numbers, not n, which is int32: write // for the floor of the quotient, or convert with dtypes.Cast first  [typegrad-dtype]
    n / 255.0  # E: / divides floating-point and complex numbers, not n, which is int32: cast it with dtypes.Cast  [typegrad-dtype]
    linalg.MatMul.create(scope, x, x)  # E: MatMul: inner dimensions differ: a is [Batch, 784], b is [Batch, 784]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
    x @ x  # E: MatMul: inner dimensions differ: a is [Batch, 784], b is [Batch, 784]; linalg.MatMul with transpose_a=True or with transpose_b=True would fit  [typegrad-shape]
    linalg.MatMul.create(scope, w, x)  # E: MatMul: inner dimensions differ: a is [784, 10], b is [Batch, 784]; b times a would fit  [typegrad-shape]
    q @ k  # E: BatchMatMul: inner dimensions differ: x is [Batch, 5, 16], y is [Batch, 7, 16]; train.BatchMatMul with adj_y=True would fit  [typegrad-shape]
    x - math.Mean.create(scope, x, 1)  # E: Sub: shapes [Batch, 784] and [Batch] do not broadcast: 784 and Batch are neither equal nor 1; [Batch, 1] would fit: keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1  [typegrad-shape]
    x / core.Sum.create(scope, x, axis=1)  # E: RealDiv: shapes [Batch, 784] and [Batch] do not broadcast: 784 and Batch are neither equal nor 1; [Batch, 1] would fit: keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1  [typegrad-shape]
    x + [1.0, 2.0]  # E: AddV2: shapes [Batch, 784] and [2] do not broadcast: 784 and 2 are neither equal nor 1  [typegrad-shape]
    x + np.zeros(784)  # E: AddV2: x is float32 but y is an array of float64; convert it with astype(np.float32)  [typegrad-dtype]
    x + np.zeros((3, 784, 2), np.float32)  # E: AddV2: shapes [Batch, 784] and [3, 784, 2] do not broadcast: 784 and Batch are neither equal nor 1  [typegrad-shape]
    core.Concat.create(scope, [x, q], 1)  # E: Concat: `values` differ in rank: [Batch, 784], [Batch, 5, 16]  [typegrad-shape]
    core.Concat.create(scope, [x, n], 1)  # E: Concat: values[0] is float32 but values[1] is int32; cast one with dtypes.Cast  [typegrad-dtype]
    core.Concat.create(scope, x, 1)  # E: Concat.create(): `values` is a list of operands, not an operand; write [x]  [typegrad-call]
    core.Concat.create(scope, [x, logits], 0)  # E: Concat: `values` must agree in all dimensions but 0: [Batch, 784], [Batch, 10]: dimensions 784 and 10 differ  [typegrad-shape]
    core.Stack.create(scope, [x, logits])  # E: Stack: `values` must have one shape: shapes [Batch, 784] and [Batch, 10] differ  [typegrad-shape]
    core.Reshape.create(scope, w, (784, 11))  # E: Reshape: cannot reshape `tensor` of shape [784, 10] to [784, 11]: [784, 10], of 7840 elements, cannot become [784, 11]  [typegrad-shape]
    linalg.Transpose.create(scope, x, (0, 2, 1))  # E: Transpose: `perm` must name each of the 2 dimensions of `x` [Batch, 784] once, but has 3 elements  [typegrad-shape]
    core.Split.create(scope, 1, x, num_split=5)  # E: Split: dimension 1 of `value`, of shape [Batch, 784], cannot be split into 5 equal parts  [typegrad-shape]
    a1, a2 = core.Split.create(scope, 1, x, num_split=4)  # E: Split: num_split is 4; the outputs are unpacked into 2 names, but there are 4 outputs  [typegrad-shape]
    core.Sum.create(scope, x, 2)  # E: Sum: `axis` is 2, but must be in [-2, 2)  [typegrad-shape]
    core.Sum.create(scope, x, axis="1")  # E: Sum.create(): `axis` must be an integer, not the Python str '1'  [typegrad-call]
    core.Sum.create(scope, x, keepdims=True)  # E: Sum.create() takes no argument `keepdims`; did you mean `keep_dims`?  [typegrad-call]
    nn.Relu.create(graph, x)  # E: Relu.create(): argument `scope` must be a Scope, not Graph; write tg.Scope(graph)  [typegrad-call]
    nn.Relu.create(x)  # E: Relu.create(): argument `scope` must be a Scope, not Operand; it is called as Relu.create(scope, features)  [typegrad-call]
    nn.Relu(x)  # E: Relu() wraps a node that is there already; write Relu.create(scope, features)  [typegrad-call]
    nn.Conv2d.create(scope, img, w, strides=(1, 1, 1, 1), padding="SAME")  # E: Conv2d: `filter` must have rank 4, but has shape [784, 10]; core.ExpandDims adds a dimension  [typegrad-shape]
    nn.BiasAdd.create(scope, x, b)  # E: BiasAdd: `bias` [10] must have an element for each of the 784 channels of `value` [Batch, 784] (NHWC: axis 1)  [typegrad-shape]
    nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, x)  # E: SparseSoftmaxCrossEntropyWithLogits: labels is float32, but must be int32 or int64; cast it with dtypes.Cast; nn.SoftmaxCrossEntropyWithLogits takes probabilities  [typegrad-dtype]
    nn.SoftmaxCrossEntropyWithLogits.create(scope, logits, labels)  # E: SoftmaxCrossEntropyWithLogits: features is float32 but labels is int64; cast one with dtypes.Cast; nn.SparseSoftmaxCrossEntropyWithLogits takes class numbers  [typegrad-dtype]
    losses.mean_squared_error(scope, n, logits)  # E: mean_squared_error: y_true of shape [Batch] and y_pred of shape [Batch, 10] do not broadcast: 10 and Batch are neither equal nor 1; [Batch, 1] would fit: keep_dims=True in a reduction over axis 1 gives it, or core.ExpandDims with axis 1  [typegrad-shape]
    x[0, 0, 0]  # E: StridedSlice: 3 dimensions are indexed, but `input` has shape [Batch, 784]  [typegrad-shape]
    x[:, 784]  # E: StridedSlice: index 784 is out of range for dimension 1 of shape [Batch, 784]  [typegrad-shape]
    x[0] = 1.0  # E: x is not written by index; core.Select makes a new value of two, and core.ResourceStridedSliceAssign writes a part of a variable  [typegrad-call]
    w[:2] += 1.0  # E: w is not written by index; core.Select makes a new value of two, and core.ResourceStridedSliceAssign writes a part of a variable  [typegrad-call]
    best, places = nn.TopK.create(scope, x, 2)  # E: TopK is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
    x[1.5]  # E: an operand is indexed by integers, slices, ..., None and masks, not by float; write // to divide integers, or int(...)  [typegrad-dtype]
    3.0 in x  # E: the operand is not searched before the run; write core.Any.create(scope, math.Equal.create(scope, x, y))  [typegrad-call]
    x["a"]  # E: an operand is indexed by integers, slices, ..., None and masks, not by str  [typegrad-dtype]
    session.run(x, {x: np.zeros((2, 783), np.float32)})  # E: run: the feed of x has shape [2, 783], which does not fit [Batch, 784]  [typegrad-shape]
    session.run(logits, {w: np.zeros((784, 10), np.float32)})  # E: Session.run(): the variable w cannot be fed; give it a value with session.assign, or feed one of its reads  [typegrad-call]
    session.run(logits, x)  # E: Session.run(): feeds maps operands to values, but is Operand[TFloat32, tuple[Batch, Literal[784]]]; write {x: value}  [typegrad-call]
    session.run(logits, feeds={})  # E: Session.run() takes no argument `feeds`; did you mean `feed_dict`?  [typegrad-call]
    total = sum(each * each for each in graph.variables)
    tg.gradients(scope, total, [b])  # E: gradients(): `ys` may be a number, for the sum of no operands is 0; math.AddN.create(scope, [...]) adds a list of operands  [typegrad-call]
    session.run([x, total])  # E: Session.run(): `fetches` may be a number, for the sum of no operands is 0; math.AddN.create(scope, [...]) adds a list of operands  [typegrad-call]
    logits + sum(each * each for each in (b, b)) / 2
    x + sum(each * each for each in (b, b)) / 2  # E: AddV2: shapes [Batch, 784] and [10] do not broadcast: 784 and 10 are neither equal nor 1  [typegrad-shape]
    optimizers.GradientDescent(graph, 0.1).minimize(sum([logits, logits]))
    tg.gradients(scope, logits, x)  # E: gradients(): xs is a list or tuple; write [x] for one operand  [typegrad-call]
    tg.gradients(logits, [x])  # E: gradients(): argument `scope` must be a Scope, not Operand; it is called as gradients(scope, ys, xs, grad_ys=None, stop_gradients=(), unconnected_gradients='none')  [typegrad-call]
    optimizers.GradientDescent(graph, learning_rat=0.1)  # E: GradientDescent takes no option `learning_rat`; did you mean `learning_rate`?  [typegrad-call]
    optimizers.Adam(0.1)  # E: Adam(): `graph` must be a Graph, not the Python float 0.1; it is called as Adam(graph, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-08, ...)  [typegrad-call]
    tg.Variable.create(graph, 1.0)  # E: Variable.create(): argument `scope` must be a Scope, not Graph; write tg.Scope(graph)  [typegrad-call]
    core.Placeholder.create(scope, "float32")  # E: Placeholder.create(): `dtype` must be an element type, not a string; write tg.TFloat32  [typegrad-call]
    core.Placeholder.create(scope, np.float32, shape=(2,))  # E: Placeholder.create(): `dtype` must be an element type, not np.float32; write tg.TFloat32  [typegrad-call]
    w.assign(scope, b)  # E: Variable.assign: the variable has shape [784, 10], but `value` has shape [10]  [typegrad-shape]
    w.assign(b)  # E: Variable.assign(): argument `scope` must be a Scope, not Variable; it is called as Variable.assign(scope, value), which makes an operation; session.assign(variable, value) sets the value now  [typegrad-call]
    session.assign(w, np.zeros((3, 10), np.float32))  # E: assign: the value for w has shape [3, 10], which does not fit [784, 10]  [typegrad-shape]
    dtypes.Cast.create(scope, x, np.int32)  # E: Cast.create(): `dst_t` must be an element type, not np.int32; write tg.TInt32  [typegrad-call]
    core.Select.create(scope, x, x, x)  # E: Select: condition is float32, but must be bool; cast it with dtypes.Cast  [typegrad-dtype]
    flag + 1  # E: AddV2: x is bool, but must be numeric; cast it with dtypes.Cast, or write x | y for two bools  [typegrad-dtype]
    w + x  # E: AddV2: shapes [784, 10] and [Batch, 784] do not broadcast: 784 and Batch are neither equal nor 1  [typegrad-shape]
    len(x)  # E: x has no length; its static size is .shape[0], and core.Shape has the size in a run  [typegrad-call]
    for row in x:  # E: x cannot be iterated while the graph is built; core.Unstack makes a list of operands  [typegrad-call]
        print(row)
    float(x)  # E: x has no value before the run; session.run gives an array  [typegrad-call]
    np.sum(x)  # E: np.sum takes arrays, and x has no value before the run; did you mean `core.Sum` (from typegrad.op import core)?  [typegrad-call]
    core.Gather.create(scope, w, x, 0)  # E: Gather: indices is float32, but must be int16, int32 or int64; cast it with dtypes.Cast  [typegrad-dtype]
    x.expect(tg.TFloat32, (Batch, 10))  # E: expect: x has shape [Batch, 784], which is never [Batch, 10]  [typegrad-shape]
    marks = core.Placeholder.create(scope, tg.TInt32, (Batch,))
    declared: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[784]]] = x.expect(tg.TFloat32, like=marks)  # E: expect: x has shape [Batch, 784], which is never [Batch]  [typegrad-shape]
    again: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[784]]] = core.Placeholder.create(scope, tg.TFloat32).expect(tg.TFloat32, like=x)
    wide: tg.Operand[tg.TFloat32, tuple[int, int]] = x.expect(tg.TFloat32, like=again)
    linalg.Einsum.create(scope, [x, w], equation="ij,kj->ik")  # E: Einsum: label 'j' of equation 'ij,kj->ik' is 784, but inputs[1] of shape [784, 10] has 10 there  [typegrad-shape]
    -flag  # E: Neg: x is bool, but must be bfloat16, float16, float32, float64, int8, int16, int32, int64, complex64 or complex128; cast it with dtypes.Cast  [typegrad-dtype]
    y: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[10]]] = x  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Batch, Literal[784]]]", variable has type "Operand[TFloat32, tuple[Batch, Literal[10]]]")  [assignment]
    +x  # E: x has no unary +; leave it out  [typegrad-call]
    sum_ = x
    sum_ += n  # E: AddV2: x is float32 but y is int32; cast one with dtypes.Cast  [typegrad-dtype]
    core.Tile.create(scope, x, (2,))  # E: Tile: `multiples` has 1 element, but `input` has shape [Batch, 784]  [typegrad-shape]
    math.Pow.create(scope, x, "2")  # E: Pow: x is float32 but y is the Python str '2'; write a float  [typegrad-dtype]
    core.Pad.create(scope, x, [[1, 1]])  # E: Pad: `paddings` has 1 row, but `input` has shape [Batch, 784]  [typegrad-shape]
    core.ExpandDims.create(scope, core.ExpandDims.create(scope, x, [1]), (0, 1))  # E: ExpandDims: `axis` must have a single element, but has shape [2]  [typegrad-shape]
    core.ExpandDims.create(scope, x, 4)  # E: ExpandDims: `axis` is 4, but must be in [-3, 3)  [typegrad-shape]
    core.Squeeze.create(scope, x, axis=[1])  # E: Squeeze: dimension 1 of `input`, of shape [Batch, 784], is not of size 1  [typegrad-shape]
    core.BroadcastTo.create(scope, x, (3, 10))  # E: BroadcastTo: `input` of shape [Batch, 784] cannot be broadcast to [3, 10]: dimensions 3 and Batch differ  [typegrad-shape]
    tg.Session(scope)  # E: Session() takes a graph, not a scope; write scope.graph  [typegrad-call]
    states: list[tg.Operand[tg.TFloat32]] = [x]
    states.append(d)  # E: the list holds operands of float32, but d is float64; cast one with dtypes.Cast  [typegrad-dtype]
    both(x, e)  # E: both: F is float32 in a, but float64 in b; cast one with dtypes.Cast  [typegrad-dtype]
    session.run([x, 3])  # E: Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not int  [typegrad-call]
    session.run({"x": x, "more": {"a": np.zeros(3)}})  # E: Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not ndarray; pass the operand that was run, not the value that session.run returned  [typegrad-call]
    session.run([x, np.zeros(3) if x.rank else x, x.op])  # E: Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not ndarray; pass the operand that was run, not the value that session.run returned  [typegrad-call]
    session.run(nn.Relu)  # E: Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not a function or a class; call it when the graph is built, and fetch what it returns  [typegrad-call]
    x @ 2.0  # E: @ is the product of matrices, but its right side is a number; to multiply x by it, write *  [typegrad-shape]
    core.OneHot.create(scope, x, 10, 1.0, 0.0)  # E: OneHot: indices is float32, but must be int8, int32, int64 or uint8; cast it with dtypes.Cast  [typegrad-dtype]
    max(x, x)  # E: x is not compared with others before the run; write math.Maximum.create(scope, x, y)  [typegrad-call]
    print(sorted([x, x], key=str))
    print(sorted([x, x]))  # E: the list holds operands, which are not compared before the run; core.Stack makes one operand of several, and functions.sort sorts it  [typegrad-call]
    listed = [x, x]
    print(sorted(listed))  # E: listed holds operands, which are not compared before the run; core.Stack makes one operand of several, and functions.sort sorts it  [typegrad-call]
    print(max(listed))  # E: listed holds operands, which are not compared before the run; core.Stack makes one operand of several, and core.Max finds the largest of its elements  [typegrad-call]
    print(min({"a": x}.values(), default=x))  # E: the list holds operands, which are not compared before the run; core.Stack makes one operand of several, and core.Min finds the smallest of its elements  [typegrad-call]
    min([x, x])  # E: x is not compared with others before the run; write math.Minimum.create(scope, x, y)  [typegrad-call]
    int(0.5 < x[0, 0])  # E: the operand has no value before the run; session.run gives an array  [typegrad-call]
    random.RandomUniform.create(scope, (2, 3), tg.TFloat32, minval=0.0)  # E: RandomUniform.create() takes no argument `minval`; did you mean `tg.functions.uniform`?  [typegrad-call]
    random.RandomStandardNormal.create(scope, tg.TFloat32, core.Shape.create(scope, x))  # E: RandomStandardNormal.create(): `dtype` must be an element type, not an operand; that is a class of typegrad, such as tg.TFloat32; it is called as RandomStandardNormal.create(scope, shape, dtype, seed=0, seed2=0)  [typegrad-call]
    a3, a4 = session.run([x, x, x])  # E: run: 3 fetches are unpacked into 2 names  [typegrad-call]
    a5, a6 = session.run((x, x, x))  # E: Too many values to unpack (2 expected, 3 provided)  [misc]
    a7, a8 = core.SplitV.create(scope, b, [3, 7], 0, num_split=3)  # E: SplitV: `size_splits` must have an element for each of 3 outputs, but has shape [2]  [typegrad-shape]
    top = nn.TopK.create(scope, x, 3)
    x + top  # E: top is not an operand; take one of its outputs: .values, .indices  [typegrad-call]
    nn.Relu.create(scope, top)  # E: Relu.create(): `features` must be an operand or a value, not TopK; take one of its outputs: .values, .indices  [typegrad-call]
    swapped = core.Select.create(scope, x, flag, x)  # E: Select: condition is float32 and t is bool; swap them  [typegrad-dtype]
    math.Mean.create(scope, swapped)
    wrong = linalg.MatrixSetDiag.create(scope, np.zeros((3, 3), np.float32), np.zeros(10, np.float32))  # E: MatrixSetDiag: `diagonal` must have shape [3], as the diagonals of `input` [3, 3] that it replaces, but has shape [10]  [typegrad-shape]
    logits @ wrong


def half(n: tg.Operand[tg.TInt32]) -> tg.Operand[tg.TFloat32]:
    return n / 2  # E: / divides floating-point and complex numbers, not n, which is int32: write // for the floor of the quotient, or convert with dtypes.Cast first  [typegrad-dtype]


def best(scope: tg.Scope, x: X) -> tg.Operand[tg.TFloat32]:
    top = nn.TopK.create(scope, x, 3)
    return top * 2.0 + x  # E: top is not an operand; take one of its outputs: .values, .indices  [typegrad-call]


def added(x: X, b: tg.Operand[tg.TFloat32, tuple[t.Literal[10]]]) -> X:
    return x + b  # E: AddV2: shapes [Batch, 784] and [10] do not broadcast: 784 and 10 are neither equal nor 1  [typegrad-shape]


def layer(scope: tg.Scope, x: X) -> tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[10]]]:
    return nn.Relu.create(scope, x)  # E: Incompatible return value type (got "Relu[TFloat32, tuple[Batch, Literal[784]]]", expected "Operand[TFloat32, tuple[Batch, Literal[10]]]")  [return-value]


F = t.TypeVar("F", bound=tg.TFloating)
S = t.TypeVar("S", bound=tuple[int, ...])


def both(a: tg.Operand[F, S], b: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return a


def returns(scope: tg.Scope, x: X) -> tg.Operand[tg.TFloat64]:
    return x  # E: Incompatible return value type (got "Operand[TFloat32, tuple[Batch, Literal[784]]]", expected "Operand[TFloat64, tuple[Any, ...]]")  [return-value]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
