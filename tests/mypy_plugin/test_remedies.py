"""What mypy says of annotations of operands, and of operands where something else is declared, ends with what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check
from typegrad.graph.graph import NOT_ENTERED

HEADER: Final = """\
from __future__ import annotations
from typing import Callable, Literal, NewType, Protocol
import numpy as np
import typegrad as tg
from typegrad import functions
from typegrad.op import core, dtypes, math, nn
Batch = NewType("Batch", int)
Word = NewType("Word", str)
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
Returned = Callable[[tg.Scope, tg.Operand[tg.TFloat32]], tg.Operand[tg.TFloat32]]
"""
NAMED: Final = "64 is not Batch, which is one size: declare int, or a type variable, if "
SUBTYPE: Final = '# E: Type argument "{}" of "{}" must be a subtype of "{}"; {}  [type-var]'
ELEMENT: Final = "an element type is a class of typegrad, such as tg.TFloat32"
SIZES: Final = "# E: {}: `shape` is a {}, but holds {}  [typegrad-call]"
TUPLE: Final = "tuple of sizes, such as (3, 5) or (None, 5)"
LITERAL: Final = "Literal, which is for annotations; write the number alone"
NAME: Final = "# E: {} has no attribute '{}'"
GRADIENT: Final = (
    "has a custom gradient, so it returns its result (an operand, or a sequence of them) and a function of a scope and "
    "the gradient of each result: return y, gradient"
)
SCOPE: Final = "has a custom gradient, so it takes a scope and at least one operand"
ONLY: Final = "is its only parameter"
OF_ELEMENT: Final = 'Incompatible types in assignment (expression has type "{}", variable has type "Operand[TFloat32, tuple[Any, ...]]")'
OUTPUTS: Final = "take one of its outputs: .values, .indices"

OPEN: Final = 'Incompatible return value type (got "Operand[F, tuple[Any, ...]]", expected "Operand[F, S]")'

PROGRAMS: Final = {
    "a graph where a scope or a session is declared": """
class Model:
    def __init__(self, scope: tg.Scope, size: int) -> None: ...
def train(session: tg.Session) -> None: ...
graph = tg.Graph()
Model(graph, 3)  # E: Argument 1 to "Model" has incompatible type "Graph"; expected "Scope"; write tg.Scope(graph)  [arg-type]
train(session=tg.Graph())  # E: Argument "session" to "train" has incompatible type "Graph"; expected "Session"; write tg.Session(graph)  [arg-type]
wrong: tg.Scope = graph  # E: Incompatible types in assignment (expression has type "Graph", variable has type "Scope"); write tg.Scope(graph)  [assignment]
Model(tg.Scope(graph), 3)
class Graph: ...
class Scope: ...
def draw(scope: Scope) -> None: ...
draw(Graph())  # E: Argument 1 to "draw" has incompatible type "Graph"; expected "Scope"  [arg-type]
""",
    "a result that lacks a dimension": f"""
from typing import TypeVar
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[int, ...])
def shifted(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return v - core.Max.create(scope, v, -1)  # E: {OPEN}; Max drops a dimension of S; keep_dims=True keeps it  [return-value]
def by_name(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    y = v - core.Max.create(scope, v, -1)
    return y  # E: {OPEN}; Max drops a dimension of S; keep_dims=True keeps it  [return-value]
def with_names(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean = math.Mean.create(scope, v * 2.0, -1)
    doubled = v * 2.0
    return doubled - mean  # E: {OPEN}; Mean drops a dimension of S; keep_dims=True keeps it  [return-value]
def of_another(v: tg.Operand[F, S], w: tg.Operand[F]) -> tg.Operand[F, S]:
    total = core.Sum.create(scope, w, -1)
    return v - total - w  # E: {OPEN}  [return-value]
def of_moments(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return v - functions.moments(scope, v, [-1])[0]  # E: {OPEN}; moments drops a dimension of S; keepdims=True keeps it  [return-value]
def of_both(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean, variance = functions.moments(scope, v, [-1])
    return (v - mean) * math.Rsqrt.create(scope, variance + 1e-5)  # E: {OPEN}; moments drops a dimension of S; keepdims=True keeps it  [return-value]
def of_facade(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    std = tg.Ops.create(scope).math.reduce_std(v, -1)
    return v / (std + 1e-5)  # E: {OPEN}; reduce_std drops a dimension of S; keepdims=True keeps it  [return-value]
def with_numbers(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean = math.Mean.create(scope, v, -1)
    return (v - mean) / (mean + 1.0)  # E: {OPEN}; Mean drops a dimension of S; keep_dims=True keeps it  [return-value]
def reduced(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return core.Sum.create(scope, v * 2.0, -1)  # E: {OPEN.replace("Operand", "Sum", 1)}  [return-value]
def right(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return v - core.Max.create(scope, v, -1, keep_dims=True)
def kept(v: tg.Operand[F, S], small: float) -> tg.Operand[F, S]:
    mean, variance = functions.moments(scope, v, [-1], keepdims=True)
    return (v - mean) * math.Rsqrt.create(scope, variance + small) * 2.0
def of_all(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean, variance = functions.moments(scope, v, None)
    return (v - mean) * math.Rsqrt.create(scope, variance + 1e-5)
def added_again(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    mean, variance = functions.moments(scope, v, [-1])
    column = core.ExpandDims.create(scope, mean + 1e-5, -1)
    return (v - column) * math.Rsqrt.create(scope, core.ExpandDims.create(scope, variance + 1e-5, -1))
def of_a_stack(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return math.Mean.create(scope, core.Stack.create(scope, [v, v]) * 2.0 + 1.0, 0)
def of_another_rank(v: tg.Operand[F, S]) -> tg.Operand[F, S]:
    row = core.Reshape.create(scope, v, [-1]) + 1.0
    return core.Reshape.create(scope, row, core.Shape.create(scope, v))
def of_no_shape(v: tg.Operand[F, S]) -> tg.Operand[F]:
    mean, variance = functions.moments(scope, v, [-1])
    return (mean + 1.0) / variance
""",
    "any dimensions for a shape of integers": """
from typing import Any, TypeVar
from typing_extensions import TypeVarTuple, Unpack
F = TypeVar("F", bound=tg.TFloating)
I = TypeVar("I", bound=tuple[int, ...])
S = TypeVar("S", bound=tuple[Any, ...])
Lead = TypeVarTuple("Lead")
def of_integers(x: tg.Operand[F, I]) -> tg.Operand[F, I]:
    return x * 0.5
def halved(x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x * 0.5
def layer(x: tg.Operand[F, tuple[Unpack[Lead], Literal[4]]]) -> tg.Operand[F, tuple[Unpack[Lead], Literal[4]]]:
    return of_integers(x)  # E: Value of type variable "I" of "of_integers" cannot be "tuple[*Lead, Literal[4]]"; *Lead is no tuple[int, ...]; declare I with bound=tuple[Any, ...]  [type-var]
def right(x: tg.Operand[F, tuple[Unpack[Lead], Literal[4]]]) -> tg.Operand[F, tuple[Unpack[Lead], Literal[4]]]:
    return halved(x)
of_integers(x)
layer(x)
right(x)
""",
    "annotations": f"""
def swapped(x: tg.Operand[tuple[Batch, Literal[4]], tg.TFloat32]) -> None: ...  {SUBTYPE.format("tuple[Batch, Literal[4]]", "Operand", "TType", "the shape is the second argument")}
def of_python(x: tg.Variable[float]) -> None: ...  {SUBTYPE.format("float", "Variable", "TType", ELEMENT)}
def of_numpy(x: tg.Operand[np.float32]) -> None: ...  {SUBTYPE.format("floating[_32Bit]", "Operand", "TType", ELEMENT)}
def one_size(x: tg.Operand[tg.TFloat32, Batch]) -> None: ...  {SUBTYPE.format("Batch", "Operand", "tuple[Any, ...]", "a shape is a tuple type, such as tuple[Batch]")}
def sizes(x: tg.Operand[tg.TFloat32, Batch, Literal[4]]) -> None: ...  # E: "Operand" expects between 0 and 2 type arguments, but 3 given; a shape is one argument, as in tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]  [type-arg]
def listed(x: tg.Operand[tg.TFloat32, [Batch, Literal[4]]]) -> None: ...  # E: Bracketed expression "[...]" is not valid as a type; a shape is a tuple type, such as tuple[Batch, Literal[10]]  [valid-type]
def doubled(x: tg.Operand[tg.TFloat32, tuple[Batch * 2]]) -> None: ...  # E: Invalid type comment or annotation; arithmetic with sizes is a class, as in tg.Times[Batch, Literal[2]]  [valid-type]
def tensor(x: tg.Tensor) -> None: ...  # E: module 'typegrad' has no attribute 'Tensor'; did you mean `tg.Operand`?  [name-defined]
def other(x: np.Tensor) -> None: ...  # E: Name "np.Tensor" is not defined  [name-defined]
def strings(x: dict[str, [int]]) -> None: ...  # E: Bracketed expression "[...]" is not valid as a type  [valid-type]
""",
    "names that are no part of a statement's value": f"""
@tg.function  {NAME.format("module 'typegrad'", "function")}. Functions are not traced, and operations do not run eagerly. A program builds a graph, and a session runs it with a plan that is made once. See `session.run` and `typegrad docs show graphs-scopes-sessions#plans`.  [attr-defined]
def traced() -> None: ...
@tg.custom_grad()  {NAME.format("module 'typegrad'", "custom_grad")}; did you mean `tg.custom_gradient`?  [attr-defined]
def with_gradient() -> None: ...
@tg.custom_gradient
def decorated(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tuple[tg.Operand[tg.TFloat32], Returned]:
    return x, lambda scope, grad: grad
def default(dtype: object = tg.float32) -> None: ...  {NAME.format("module 'typegrad'", "float32")}; did you mean `tg.TFloat32`?  [attr-defined]
def activated(of: object = math.Relu, other: object = nn.Relu) -> None: ...  {NAME.format("module 'typegrad.op.math'", "Relu")}; did you mean `nn.Relu` (from typegrad.op import nn)?  [attr-defined]
def other_default(value: object = np.Anything) -> None: ...  # E: Module has no attribute "Anything"  [attr-defined]
try:
    print(x + 1)
except tg.OptimError:  {NAME.format("module 'typegrad'", "OptimError")}; did you mean `tg.OptionError`?  [attr-defined]
    pass
except (tg.DTypeError, tg.errors.InvalidArgumentError):  {NAME.format("module 'typegrad'", "errors")}; did you mean `tg.TypegradError`, `tg.InvalidArgumentError` or `tg.FailedPreconditionError`?  [attr-defined]
    pass
except tg.FeedError as error:
    print(error.anything)  # E: "FeedError" has no attribute "anything"  [attr-defined]
tg.Session(scope.graph).runner().addTarget(x)  {NAME.format("'Runner' object", "addTarget")}; did you mean `.add_target`?  [attr-defined]
tg.Session(scope.graph).runner().anything(x)  # E: "Runner" has no attribute "anything"  [attr-defined]
""",
    "what is not indexed": """
scope.graph["loss"]  # E: a graph is not indexed; write graph.operation(name) or graph.output(name), and graph.operations for all of them  [typegrad-call]
class Graph: ...
Graph()[0]  # E: Value of type "Graph" is not indexable  [index]
scope.graph.operations[0]
list(scope.graph)[0]
""",
    "arrays that are indexed by operands": """
weights = np.zeros((10, 4), np.float32)
rows = core.Placeholder.create(scope, tg.TInt32, (Batch,))
mask = core.Placeholder.create(scope, tg.TBool, (10,))
weights[rows]  # E: rows has no value before the run; session.run gives an array; core.Gather.create(scope, weights, rows, 0) takes these rows in the graph  [typegrad-call]
weights[mask]  # E: mask has no value before the run; session.run gives an array  [typegrad-call]
[1, 2][rows]  # E: rows has no value before the run; session.run gives an array  [typegrad-call]
np.zeros(3)[rows]  # E: rows has no value before the run; session.run gives an array  [typegrad-call]
weights[np.array([1, 2])], weights[1], core.Gather.create(scope, weights, rows, 0)
""",
    "names of classes": f"""
core.Sum.create(scope, x, 1, core.Sum.keep_dims(True))  {NAME.format("'Sum' class", "keep_dims")}; write Sum.create(scope, ..., keep_dims=...)  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32.dtype, (2,))  {NAME.format("'TFloat32' class", "dtype")}; the class itself is the element type  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, (tg.Shape.UNKNOWN_SIZE, 3))  {NAME.format("'Shape' class", "UNKNOWN_SIZE")}. A size that is not known is None, as in (None, 3); tg.Shape(None) is a shape of which not even the rank is known. See `.of`.  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, (None, 3)).dtype.name
""",
    "values": """
def number() -> float:
    return math.Mean.create(scope, x)  # E: Incompatible return value type (got "Mean[TFloat32, tuple[()]]", expected "float"); session.run gives its value  [return-value]
def array() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return nn.Relu.create(scope, x)  # E: Incompatible return value type (got "Relu[TFloat32, tuple[Batch, Literal[4]]]", expected "ndarray[tuple[int, int], dtype[floating[_32Bit]]]"); session.run gives its value  [return-value]
def of_run(session: tg.Session) -> float:
    return session.run(math.Mean.create(scope, x))  # E: Incompatible return value type (got "ndarray[tuple[()], dtype[floating[_32Bit]]]", expected "float"); .item() is its number  [return-value]
def takes(n: int) -> None: ...
takes(math.Mean.create(scope, x))  # E: Argument 1 to "takes" has incompatible type "Mean[TFloat32, tuple[()]]"; expected "int"; session.run gives its value  [arg-type]
""",
    "handles": """
v = tg.Variable.create(scope, np.zeros(3, np.float32))
read: tg.Operand[tg.TFloat32] = v.handle  # E: Incompatible types in assignment (expression has type "Output[TResource, tuple[Any, ...]]", variable has type "Operand[TFloat32, tuple[Any, ...]]"); a handle has no value; pass the variable that it is of  [assignment]
""",
    "handles that are returned": """
v = tg.Variable.create(scope, np.zeros(3, np.float32))
def returned() -> tg.Operand[tg.TFloat32]:
    return v.handle  # E: Incompatible return value type (got "Output[TResource, tuple[Any, ...]]", expected "Operand[TFloat32, tuple[Any, ...]]"); a handle has no value; pass the variable that it is of  [return-value]
handle: tg.Operand[tg.TResource] = v.handle
""",
    "several outputs": f"""
def top() -> tg.Operand[tg.TFloat32]:
    return nn.TopK.create(scope, x, 2)  # E: Incompatible return value type (got "TopK[TFloat32, TInt32, tuple[Batch, Literal[2]], tuple[Batch, Literal[2]]]", expected "Operand[TFloat32, tuple[Any, ...]]"); {OUTPUTS}  [return-value]
best: tg.Operand[tg.TFloat32] = nn.TopK.create(scope, x, 2)  # E: Incompatible types in assignment (expression has type "TopK[TFloat32, TInt32, tuple[Batch, Literal[2]], tuple[Batch, Literal[2]]]", variable has type "Operand[TFloat32, tuple[Any, ...]]"); {OUTPUTS}  [assignment]
def parts() -> tg.Operand[tg.TFloat32]:
    return core.Unstack.create(scope, x, 4, axis=1)  # E: Incompatible return value type (got "Unstack[TFloat32, tuple[Batch]]", expected "Operand[TFloat32, tuple[Any, ...]]"); it is a list of outputs; take one, as [0]  [return-value]
""",
    "an attribute of another element type": f"""
class Frames:
    def __init__(self) -> None:
        self.output = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
        self.output = nn.Relu.create(scope, self.output)
        self.output = dtypes.Cast.create(scope, self.output, tg.TUint8)  # E: {OF_ELEMENT.format("Cast[TUint8, tuple[Any, Literal[4]]]")}; an attribute keeps its element type; declare self.output: tg.Operand where it is bound first, or bind another name  [assignment]
class Declared:
    def __init__(self) -> None:
        self.output: tg.Operand[tg.TFloat32] = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
        self.output = dtypes.Cast.create(scope, self.output, tg.TUint8)  # E: {OF_ELEMENT.format("Cast[TUint8, tuple[Any, Literal[4]]]")}  [assignment]
class Free:
    def __init__(self) -> None:
        self.output: tg.Operand = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
        self.output = dtypes.Cast.create(scope, self.output, tg.TUint8)
        y = core.Placeholder.create(scope, tg.TFloat32, (None, 4))
        self.other = dtypes.Cast.create(scope, y, tg.TUint8)
""",
    "classes and functions": """
class Activation(Protocol):
    def __call__(self, scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]: ...
def apply(f: Activation) -> tg.Operand[tg.TFloat32]:
    return f(scope, x)
def made() -> tg.Operand[tg.TFloat32]:
    return x
apply(nn.Relu)  # E: Argument 1 to "apply" is the class Relu; write Relu.create  [arg-type]
nn.Softmax.create(scope, nn.Relu)  # E: Argument 2 to "create" of "Softmax" is the class Relu; write Relu.create(...)  [arg-type]
x + nn.Relu  # E: + takes an operand, a number or an array beside an operand, not the class Relu; write Relu.create(...)  [typegrad-call]
x @ made  # E: @ takes an operand, a number or an array beside an operand, not a function; call it  [typegrad-call]
made * x  # E: * takes an operand, a number or an array beside an operand, not a function; call it  [typegrad-call]
""",
    "what is for annotations": f"""
core.Placeholder.create(scope, tg.TFloat32, (Batch, Literal[4]))  {SIZES.format("Placeholder.create()", TUPLE, LITERAL)}
core.Placeholder.create(scope, tg.TFloat32, (Word, 4))  {SIZES.format("Placeholder.create()", TUPLE, "Word; the name of a size is a NewType of int")}
core.Reshape.create(scope, x, (-1, Literal[4]))  {SIZES.format("Reshape.create()", "list of integers", LITERAL)}
""",
    "arithmetic with sizes": """
Four = tuple[tg.Times[Literal[4], Batch]]
def flat(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> tg.Operand[tg.TFloat32, Four]:
    return core.Reshape.create(scope, x, (-1,))  # E: Incompatible return value type (got "Reshape[TFloat32, tuple[Times[Literal[3], Batch]]]", expected "Operand[TFloat32, tuple[Times[Literal[4], Batch]]]"); [3*Batch] is not [4*Batch]  [return-value]
def half(x: tg.Operand[tg.TFloat32, tuple[tg.FloorDiv[Batch, Literal[2]], Literal[3]]]) -> None: ...
def double(x: tg.Operand[tg.TFloat32, tuple[tg.Minus[Batch, Literal[1]], Literal[3]]]) -> None:
    half(x)  # E: Argument 1 to "half" has incompatible type "Operand[TFloat32, tuple[Minus[Batch, Literal[1]], Literal[3]]]"; expected "Operand[TFloat32, tuple[FloorDiv[Batch, Literal[2]], Literal[3]]]"; [Batch - 1, 3] is not [Batch//2, 3]  [arg-type]
    y: tg.Operand[tg.TFloat64, tuple[tg.Minus[Batch, Literal[1]], int]] = x  # E: Incompatible types in assignment (expression has type "Operand[TFloat32, tuple[Minus[Batch, Literal[1]], Literal[3]]]", variable has type "Operand[TFloat64, tuple[Minus[Batch, Literal[1]], int]]")  [assignment]
    z: tg.Operand[tg.TFloat32, tuple[tg.Minus[Batch, Literal[1]], Literal[3]]] = x
    n: tg.Operand[tg.TFloat32, Four] = 3.0  # E: Incompatible types in assignment (expression has type "float", variable has type "Operand[TFloat32, tuple[Times[Literal[4], Batch]]]")  [assignment]
def four(x: tg.Operand[tg.TFloat32, Four]) -> tg.Operand[tg.TFloat32, tuple[tg.Times[Batch, Literal[4]]]]:
    return x
""",
    "a number where a named size is declared": f"""
from typing import TypeVar
N = TypeVar("N", bound=int)
F = tg.TFloat32
Rows = NewType("Rows", int)
def step(state: tg.Operand[F, tuple[Batch, Literal[4]]], action: tg.Operand[F, tuple[Batch, Literal[1]]]) -> tg.Operand[F, tuple[Batch, Literal[4]]]:
    return state + 0.1 * action
def of_any(state: tg.Operand[F, tuple[N, Literal[4]]], action: tg.Operand[F, tuple[N, Literal[1]]]) -> tg.Operand[F, tuple[N, Literal[4]]]:
    return state + 0.1 * action
def of_int(state: tg.Operand[F, tuple[int, Literal[4]]]) -> None: ...
class Net:
    def __init__(self, state: tg.Operand[F, tuple[Batch, Literal[2]]]) -> None: ...
    def __call__(self, action: tg.Operand[F, tuple[Batch, Literal[1]]]) -> None: ...
    def over(self, states: tg.Operand[F, tuple[Batch, Literal[6]]]) -> None: ...
plans = core.Placeholder.create(scope, F, (64, 5))
rows = core.Placeholder.create(scope, F, (Rows, 4))
pair = core.Placeholder.create(scope, F, (64, 2))
step(plans[:, :4], plans[:, :1])  # E: Argument 1 to "step" has incompatible type "Operand[TFloat32, tuple[Literal[64], Literal[4]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[4]]]"; {NAMED}step is for any size  [arg-type]
step(x, x[:, :1])
of_any(plans[:, :4], plans[:, :1]).expect(F, (64, 4))
of_any(x, x[:, :1]).expect(F, (Batch, 4))
of_int(plans[:, :4])
of_int(x)
step(rows, x[:, :1])  # E: Argument 1 to "step" has incompatible type "Placeholder[TFloat32, tuple[Rows, Literal[4]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[4]]]"  [arg-type]
net = Net(pair)  # E: Argument 1 to "Net" has incompatible type "Placeholder[TFloat32, tuple[Literal[64], Literal[2]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[2]]]"; {NAMED}Net is for any size  [arg-type]
net(core.Placeholder.create(scope, F, (64, 1)))  # E: Argument 1 to "__call__" of "Net" has incompatible type "Placeholder[TFloat32, tuple[Literal[64], Literal[1]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[1]]]"; {NAMED}Net is for any size  [arg-type]
net.over(core.Placeholder.create(scope, F, (64, 7)))  # E: Argument 1 to "over" of "Net" has incompatible type "Placeholder[TFloat32, tuple[Literal[64], Literal[7]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[6]]]"  [arg-type]
""",
    "functions with a gradient of their own": f"""
from typing import Any, Callable, TypeAlias
Of: TypeAlias = tg.Operand[tg.TFloat32]
Gradient: TypeAlias = Callable[[tg.Scope, Of], Of]
@tg.custom_gradient  # E: result {GRADIENT}  [arg-type]
def result(scope: tg.Scope, x: Of) -> Of:
    return math.Square.create(scope, x)
@tg.custom_gradient  # E: results {GRADIENT}  [arg-type]
def results(scope: tg.Scope, x: Of) -> tuple[Of, Of]:
    return x, x
def plain(scope: tg.Scope, x: Of) -> Of:
    return x
made = tg.custom_gradient(plain)  # E: plain {GRADIENT}  [arg-type]
@tg.custom_gradient  # E: flat {GRADIENT}  [arg-type]
def flat(scope: tg.Scope, x: Of) -> tuple[Of, Of, Gradient]:
    return x, x, lambda scope, dy: dy
@tg.custom_gradient
def right(scope: tg.Scope, x: Of) -> tuple[Of, Gradient]:
    return x, lambda scope, dy: dy
alone = tg.custom_gradient(lambda v: (v * 2.0, lambda scope, dy: dy))  # E: the lambda {SCOPE}; v {ONLY}  [arg-type]
alone(scope, x)
tg.custom_gradient(  # E: the lambda {SCOPE}; v {ONLY}  [arg-type]
    lambda v: (
        math.Square.create(scope, v), lambda scope, dy: dy
    )
)(scope, x)
@tg.custom_gradient  # E: without {SCOPE}; u {ONLY}  [arg-type]
def without(u: Of) -> tuple[Of, Gradient]:
    return u * 2.0, lambda scope, dy: dy
without(scope, x)
without(x)
doubled = tg.custom_gradient(lambda scope, v: (v * 2.0, lambda scope, dy: dy * 2.0))
doubled(scope, x)  # type: ignore[no-untyped-call]
flexible = tg.custom_gradient(lambda *args: (args[1] * 2.0, lambda scope, dy: dy * 2.0))
flexible(scope, x)  # type: ignore[no-untyped-call]
@tg.custom_gradient
def several(scope: tg.Scope, x: Of) -> tuple[tuple[Of, Of], Callable[..., list[Of]]]:
    return (x, x), lambda scope, dx, dy: [dx + dy]
@tg.custom_gradient
def unknown(scope: tg.Scope, x: Of) -> Any:
    return x, lambda scope, dy: dy
@tg.custom_gradient
def untyped(scope, x):  # type: ignore[no-untyped-def]
    return x, lambda scope, dy: dy
class Same:
    def __call__(self, scope: tg.Scope, dy: Of) -> Of:
        return dy
@tg.custom_gradient
def by_object(scope: tg.Scope, x: Of) -> tuple[Of, Same]:
    return x, Same()
""",
    "attributes that are called, as in Java": """
split = core.Split.create(scope, 1, x, 2)
math.Square.create(scope, x)(3.0)  # E: "Square[TFloat32, tuple[Batch, Literal[4]]]" not callable; session.run(y, {x: value}) computes an operand  [operator]
split.output()  # E: "list[Output[TFloat32, tuple[Batch, Literal[2]]]]" not callable; write split.output, without parentheses  [operator]
math.Square.create(scope, x).y()  # E: "Output[TFloat32, tuple[Batch, Literal[4]]]" not callable; write .y, without parentheses  [operator]
x.shape()  # E: "Shape" not callable; write x.shape, without parentheses  [operator]
split.op.name()  # E: "str" not callable; write split.op.name, without parentheses  [operator]
core.Placeholder.create(scope, tg.TFloat32, core.Placeholder.shape(tg.Shape.of(2, 3)))  # E: Argument 1 to "shape" of "Operand" has incompatible type "Shape"; expected "Operand[TType, tuple[Any, ...]]"; write Placeholder.create(scope, ..., shape=...)  [arg-type]
with tg.Session(scope.graph) as session:
    (x + 1.0).inputs  # E: "Operand[TFloat32, tuple[Batch, Literal[4]]]" has no attribute "inputs"; .op.inputs lists them for any operand; they have names where create made it, such as math.Add.create  [attr-defined]
    (x + 1.0).OP_NAME  # E: "Operand[TFloat32, tuple[Batch, Literal[4]]]" has no attribute "OP_NAME"; .op.type is it for any operand  [attr-defined]
    (x + 1.0).op.inputs, (x + 1.0).op.type, math.Add.create(scope, x, 1.0).inputs.x, math.Add.OP_NAME
    x.dtype.as_numpy_dtype  # E: 'TFloat32' class has no attribute 'as_numpy_dtype'. NumPy's dtype of an element type is x.dtype.numpy. See `tg.TType`.  [typegrad-call]
    x.dtype.anything  # E: "type[TFloat32]" has no attribute "anything"  [attr-defined]
    x.dtype.numpy, x.dtype.enum, x.dtype.mro(), x.dtype.__name__
    session.run([x]).get(0)  # E: "list[ndarray[tuple[Batch, Literal[4]], dtype[floating[_32Bit]]]]" has no attribute "get"; the first item of a list is [0]  [attr-defined]
    session.run([x])[0].shape
class Own:
    shape: str
def own(it: Own) -> None:
    it.shape()  # E: "str" not callable  [operator]
split.output[0]
x.as_output()
x.shape.as_ints()
core.Placeholder.create(scope, tg.TFloat32, tg.Shape.of(2, 3))
core.Placeholder.create(scope, tg.TFloat32, tg.Shape.of(Batch, 3))
""",
    "operators of all gradients": """
with scope:
    -tg.gradients(scope, x, [x])  # E: Unsupported operand type for unary - ("tuple[Operand[TFloat32, tuple[Batch, Literal[4]]] | None]"); take one gradient with [0], or write tg.grad for one x  [operator]
    tg.gradients(scope, x, [x]) * 2.0  # E: Unsupported operand types for * ("tuple[Operand[TFloat32, tuple[Batch, Literal[4]]] | None]" and "float"); take one gradient with [0], or write tg.grad for one x  [operator]
    -tg.grad(scope, x, x)
    for each in tg.gradients(scope, x, [x]):
        if each is not None:
            -each * 2.0
    -(x, x)  # E: Unsupported operand type for unary - ("tuple[Placeholder[TFloat32, tuple[Batch, Literal[4]]], Placeholder[TFloat32, tuple[Batch, Literal[4]]]]")  [operator]
""",
    "attributes of what may be None": """
import random
v = tg.Variable.create(scope, 3.0)
v.initializer.run()  # E: 'Op' object has no attribute 'run'; did you mean `session.run`?  [typegrad-call]
v.initializer.op  # E: Item "None" of "Op | None" has no attribute "op"; check that v.initializer is not None first  [union-attr]
for gradient, variable in tg.optimizers.Adam(scope.graph).compute_gradients(v * v):
    gradient.shape  # E: Item "None" of "Operand[Any, Any] | None" has no attribute "shape"; check that gradient is not None first  [union-attr]
    variable.shape
    if gradient is not None:
        gradient.shape
(first,) = tg.gradients(scope, v * v, [v])
first.shape  # E: Item "None" of "Operand[TFloat32, tuple[()]] | None" has no attribute "shape"; check that first is not None first; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [union-attr]
tg.gradients(scope, v * v, [v])[0].shape  # E: Item "None" of "Operand[TFloat32, tuple[()]] | None" has no attribute "shape"; tg.grad returns one that is not; a gradient is None where none flows, and zeros with unconnected_gradients="zero"  [union-attr]
def read(a: tg.Operand[tg.TFloat32] | None, b: tg.Operand[tg.TFloat32] | tg.Op | None, c: str | None) -> None:
    a.reshape(3)  # E: 'Operand' object has no attribute 'reshape'; did you mean `core.Reshape` (from typegrad.op import core)?  [typegrad-call]
    b.run()  # E: Item "Operand[TFloat32, tuple[Any, ...]]" of "Operand[TFloat32, tuple[Any, ...]] | Op | None" has no attribute "run"  [union-attr]
    c.upper()  # E: Item "None" of "str | None" has no attribute "upper"  [union-attr]
    if a is not None:
        a.shape
""",
    "imports": """
from typegrad import linalg  # E: Module "typegrad" has no attribute "linalg"; did you mean `linalg` (from typegrad.op import linalg)?  [attr-defined]
from typegrad.ops import train  # E: Cannot find implementation or library stub for module named "typegrad.ops"; did you mean `typegrad.op`?  [import-not-found]
from typegrad.metrics.mean import Mean  # E: Cannot find implementation or library stub for module named "typegrad.metrics.mean"; write `from typegrad.training.metrics import ...`, or `from typegrad import metrics`  [import-not-found]
from typegrad.training.optimizers import SGD  # E: Module "typegrad.training.optimizers" has no attribute "SGD"; did you mean `tg.optimizers.GradientDescent`?  [attr-defined]
from typegrad.op.core import Qqqq  # E: Module "typegrad.op.core" has no attribute "Qqqq"  [attr-defined]
""",
    "too many arguments": """
class Dense:
    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return x
Dense()(scope, x)  # E: Too many arguments for "__call__" of "Dense"  [call-arg]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


def test_a_graph_that_is_entered_before_anything_is_called(tmp_path: Path) -> None:
    text = "with tg.Graph() as graph:\n    tf = tg.Ops.create(graph)\n"
    own = "class Graph: ...\nwith Graph():\n    tg.Graph()\n"
    report = check(
        tmp_path, {"entered.py": f"import typegrad as tg\n{text}", "own.py": f"import typegrad as tg\n{own}"}
    )
    assert [each.text for each in report.errors("entered.py")] == [NOT_ENTERED]
    assert all(each.text != NOT_ENTERED for each in report.errors("own.py"))
