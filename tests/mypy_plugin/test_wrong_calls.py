"""Wrong calls of losses, initializers, optimizers and other functions, and names that do not exist."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
from __future__ import annotations
import typing as t
import numpy as np
import typegrad as tg
from typegrad import activations, initializers, losses, metrics, optimizers, regularizers
from typegrad.op import core, dtypes, linalg, math, nn, random

Batch = t.NewType("Batch", int)
graph = tg.Graph()
scope = tg.Scope(graph)
tf = tg.Ops.create(graph)
session = tg.Session(graph)
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 20))
labels = core.Placeholder.create(scope, tg.TInt32, shape=(Batch,))
onehot = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 5))
image = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 28, 28, 1))
w = tg.Variable.create(scope, initializers.GlorotUniform()(scope, (20, 5), tg.TFloat32))
b = tg.Variable.create(scope, np.zeros(5, np.float32))
logits = x @ w + b
loss = losses.SparseCategoricalCrossentropy(from_logits=True)(scope, labels, logits)
optimizer = optimizers.Adam(graph, learning_rate=0.1)
"""

NO_VALUE: Final = "there is no initial value; give one, or shape=... and dtype=... for a variable without a value"
UNKNOWN_SIZE: Final = "a size may be unknown before the run; write x.shape[1:].as_ints() for sizes that are known, core.Shape.create(scope, x) for those in a run"
PROGRAMS: Final = {
    "the handle of a variable": """
x @ w.handle  # E: MatMul: a is float32 but b is resource; a handle has no value; pass the variable that it is of  [typegrad-dtype]
linalg.MatMul.create(scope, x, w.handle)  # E: MatMul: a is float32 but b is resource; a handle has no value; pass the variable that it is of  [typegrad-dtype]
""",
    "another operation is meant": """
def leaky(y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return core.Where.create(scope, y > 0.0, y, 0.1 * y)  # E: Where.create() takes 2 arguments by position, not 4; did you mean `core.Select` (from typegrad.op import core)?  [typegrad-call]
F = t.TypeVar("F", bound=tg.TFloating)
S = t.TypeVar("S", bound=tuple[int, ...])
def generic(y: tg.Operand[F, S]) -> tg.Operand[F, S]:
    z: tg.Operand[F, S] = core.Where.create(scope, y > 0, y, y)  # E: Where.create() takes 2 arguments by position, not 4; did you mean `core.Select` (from typegrad.op import core)?  [typegrad-call]
    return generic(z)
""",
    "tables of element types": """
any_type: dict[str, type[tg.TType]] = {"float": tg.TFloat32, "int": tg.TInt32}
numbers: dict[str, type[tg.TNumber]] = {"float": tg.TFloat32, "int": tg.TInt32}
floats: dict[str, type[tg.TFloating]] = {"float": tg.TFloat32}
core.Placeholder.create(scope, any_type["int"], (None,))  # E: Placeholder.create(): `dtype` may be any type[tg.TType], and not all of them are taken; declare it as type[tg.TNumber]  [typegrad-call]
random.RandomUniform.create(scope, (3,), any_type["float"])  # E: RandomUniform.create(): `dtype` may be any type[tg.TType], and not all of them are taken; declare it as type[tg.TFloating]  [typegrad-call]
random.RandomUniform.create(scope, (3,), numbers["float"])  # E: RandomUniform.create(): `dtype` may be any type[tg.TNumber], and not all of them are taken; declare it as type[tg.TFloating]  [typegrad-call]
tg.functions.zeros(scope, (2, 3), any_type["float"])  # E: zeros(): `dtype` may be any type[tg.TType], and not all of them are taken; declare it as type[tg.TNumber]  [typegrad-call]
core.Placeholder.create(scope, tg.from_numpy(np.dtype(str(any_type))), (None,))
tg.Variable.create(scope, [1, 2], any_type["float"])
tg.Variable.create(scope, shape=(2, 1), dtype=any_type["float"])
core.Placeholder.create(scope, numbers["int"], (None,))
random.RandomUniform.create(scope, (3,), floats["float"])
tg.functions.zeros(scope, (2, 3), numbers["float"])
N = t.TypeVar("N", bound=tg.TNumber)
def of_type(kind: type[N]) -> tg.Operand[N]:
    return core.Placeholder.create(scope, kind, (None, 2))
of_type(tg.TInt32)
""",
    "prepared runs": """
call = session.callable(loss, [x, labels])
call(x=1.0, y=2)  # E: a value for each of [x, labels] is needed, in this order, but `x` is given by name  [typegrad-call]
call({x: np.zeros((5, 20), np.float32)}, 2)  # E: a value for each of [x, labels] is needed, in this order, but a dict is given  [typegrad-call]
session.callable(loss)(seed=3)  # E: no values are needed, but `seed` is given by name  [typegrad-call]
def run(feeds: list[tg.Operand[t.Any]]) -> None:
    session.callable(loss, feeds)(rate=3)  # E: a value for each of the feeds is needed, in their order, but `rate` is given by name  [typegrad-call]
""",
    "methods that a class calls, with the object first": """
t.assert_type(tg.Session.run(session, tg.Variable.read(b, scope)).dtype, np.dtype[np.float32])
t.assert_type(tg.Variable.gather(w, scope, [0, 1]), tg.Operand[tg.TFloat32])
tg.Variable.assign_sub(b, scope, np.zeros(5, np.float32))
tg.Session.assign(session, b, np.zeros(5, np.float32))
optimizers.Adam.minimize(optimizer, tg.Operand.__add__(loss, loss))
kind: type[tg.Variable] = tg.Variable
[kind.read(each, scope) for each in (w, b)]
tg.Scope.with_name(tg.Scope(graph), "y")
""",
    "a scope by its name": """
tg.Variable.create(scope.with_sub_scope("layer"), 1.0)
graph.to_text(scope="layer")
graph.show("graph.html", scope="layer", y=loss)
graph.show(loss)  # E: Graph.show(): argument `path` must be a string or a path or None, not an operand; to draw what an operand depends on, write show(y=operand)  [typegrad-call]
graph.show([loss, x])  # E: Graph.show(): argument `path` must be a string or a path or None, not a list of operands; to draw what an operand depends on, write show(y=operand)  [typegrad-call]
graph.show(y=5)  # E: Graph.show(): argument `y` must be an Operand or a list of Operands, not int 5; wrap a value in core.Constant, or take one output of an operation that has several  [typegrad-call]
graph.show(y=[loss, "w"])  # E: Graph.show(): argument `y[1]` must be an Operand, not str 'w'; graph.output('w:0') is an operand by its name; of variables, [v for v in graph.variables if v.name == 'w'] holds the one of that name  [typegrad-call]
tg.functions.clip_by_norm(scope, x, 1.0, loss)  # E: clip_by_norm(): argument `axes` must be an int or a list of ints or None, not an operand  [typegrad-call]
tg.Session(graph, threads=loss)  # E: Session(): argument `threads` must be an int or None, not an operand  [typegrad-call]
tg.Scope(graph).with_control_dependencies([3])  # E: Scope.with_control_dependencies(): argument `operations[0]` must be an Operation or an Op or an Operand, not int 3; operands have it as `.op`  [typegrad-call]
math.Add.create(scope="layer", x=loss, y=loss)  # E: Add.create(): argument `scope` must be a Scope, not str; it is called as Add.create(scope, x, y)  [typegrad-call]
""",
    "losses": """
losses.SparseCategoricalCrossentropy()(scope, logits, labels)  # E: SparseCategoricalCrossentropy: y_true is float32 and y_pred is int32; swap them  [typegrad-dtype]
losses.sparse_categorical_crossentropy(scope, logits, labels)  # E: sparse_categorical_crossentropy: y_true is float32 and y_pred is int32; swap them  [typegrad-dtype]
losses.SparseCategoricalCrossentropy()(scope, onehot, logits)  # E: SparseCategoricalCrossentropy: y_true is float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; cast it with dtypes.Cast; CategoricalCrossentropy takes probabilities  [typegrad-dtype]
losses.MeanSquaredError()(onehot, logits)  # E: MeanSquaredError(): argument `scope` must be a Scope, not Placeholder; it is called as MeanSquaredError(scope, y_true, y_pred, sample_weight=None)  [typegrad-call]
losses.MeanSquaredError(scope, onehot, logits)  # E: MeanSquaredError() takes 0 arguments by position, not 3; it is called as MeanSquaredError(reduction=Reduction.SUM_OVER_BATCH_SIZE), and what it makes as MeanSquaredError(...)(scope, y_true, y_pred, sample_weight=None)  [typegrad-call]
losses.CategoricalCrossentropy(from_logit=True)  # E: CategoricalCrossentropy() takes no argument `from_logit`; did you mean `from_logits`?  [typegrad-call]
losses.mean_squared_error(onehot, logits)  # E: mean_squared_error(): argument `scope` must be a Scope, not Placeholder; it is called as mean_squared_error(scope, y_true, y_pred)  [typegrad-call]
metrics.Mean(graph)  # E: Mean(): argument `scope` must be a Scope, not Graph; write tg.Scope(graph)  [typegrad-call]
metrics.SparseCategoricalAccuracy()(scope, labels, logits)  # E: SparseCategoricalAccuracy() needs `scope`; it is called as SparseCategoricalAccuracy(scope, dtype=None)  [typegrad-call]
activations.relu(x)  # E: relu(): argument `scope` must be a Scope, not Placeholder; it is called as relu(scope, x, negative_slope=0.0, max_value=None, threshold=0.0)  [typegrad-call]
regularizers.L2()(x)  # E: L2(): argument `scope` must be a Scope, not Placeholder; it is called as L2(scope, x)  [typegrad-call]
""",
    "initializers": """
initializers.GlorotUniform()(scope, 20, 5, tg.TFloat32)  # E: GlorotUniform() takes 3 arguments by position, not 4; it is called as GlorotUniform(scope, shape, dtype)  [typegrad-call]
initializers.GlorotUniform()((20, 5), tg.TFloat32)  # E: GlorotUniform(): argument `scope` must be a Scope, not a tuple; it is called as GlorotUniform(scope, shape, dtype)  [typegrad-call]
initializers.GlorotUniform(0.1)(scope, (20, 5), tg.TFloat32)  # E: GlorotUniform() takes 0 arguments by position, not 1; it is called as GlorotUniform(seed=None), and what it makes as GlorotUniform(...)(scope, shape, dtype)  [typegrad-call]
initializers.GlorotUniform()(scope, (20, 5))  # E: GlorotUniform() needs `dtype`; it is called as GlorotUniform(scope, shape, dtype)  [typegrad-call]
initializers.GlorotUniform()(scope, 20, tg.TFloat32)  # E: GlorotUniform(): `shape` is a list of integers, not int; write [20]  [typegrad-call]
initializers.GlorotUniform()(scope, tg.TFloat32, (20, 5))  # E: GlorotUniform(): `dtype` must be an element type, not a tuple; that is a class of typegrad, such as tg.TFloat32; it is called as GlorotUniform(scope, shape, dtype)  [typegrad-call]
initializers.GlorotUniform()(scope, (20, 5), np.float32)  # E: GlorotUniform(): `dtype` must be an element type, not np.float32; write tg.TFloat32  [typegrad-call]
initializers.TruncatedNormal(std=0.1)  # E: TruncatedNormal() takes no argument `std`; did you mean `stddev`?  [typegrad-call]
tg.Variable.create(scope, initializers.Zeros())  # E: Variable.create(): the initial value is a function; an initializer makes the value: initializer(scope, (2, 3), tg.TFloat32)  [typegrad-call]
tg.Variable.create(scope, initializers.Zeros, shape=(2, 3))  # E: Variable.create(): the initial value is a function; an initializer makes the value: initializer(scope, (2, 3), tg.TFloat32)  [typegrad-call]
tg.Ops.create(scope).variable(lambda: 1.0)  # E: Ops.variable(): the initial value is a function; an initializer makes the value: initializer(scope, (2, 3), tg.TFloat32)  [typegrad-call]
tg.Variable.create(scope, np.zeros(3), shape=(3,))  # E: Variable.create(): a variable has the shape of its initial value; give a value or a shape, not both  [typegrad-call]
tg.Variable.create(scope, initializers.Zeros()(scope, (2, 3), tg.TFloat32))
t.assert_type(tg.Variable.create(scope, None, tg.TFloat32, shape=(3,)), tg.Variable[tg.TFloat32, tuple[t.Literal[3]]])
def either(value: np.ndarray[t.Any, np.dtype[np.float32]] | None) -> tg.Variable[tg.TFloat32]:
    return tg.Variable.create(scope, value, tg.TFloat32) if value is not None else tg.Variable.create(scope, value, tg.TFloat32, shape=(3,))
tg.Variable(np.zeros(3))  # E: Variable() makes no Variable; write Variable.create(scope, initial_value=None, dtype=None, shape=None, trainable=True)  [typegrad-call]
""",
    "optimizers": """
optimizers.Adam(graph, clip=1.0)  # E: Adam(): `clip` must be a function or None, not the Python float 1.0; tg.optimizers.ClipByNorm(1.0) is one  [typegrad-call]
optimizers.Adam([w])  # E: Adam(): argument `graph` must be a Graph, not list; tg.Graph() makes one, and scopes and operands have it as `.graph`  [typegrad-call]
session.assign("w", np.zeros((20, 5), np.float32))  # E: Session.assign(): `variable` must be a Variable, not a string; [v for v in graph.variables if v.name == 'w'] holds the one of that name  [typegrad-call]
session.assign([w], np.zeros((20, 5), np.float32))  # E: Session.assign(): `variable` must be a Variable or a mapping; write {x: value, y: value} for several  [typegrad-call]
session.assign(3, np.zeros((20, 5), np.float32))  # E: Session.assign(): `variable` must be a Variable, not int  [typegrad-call]
session.value([w])  # E: Session.value(): `variable` must be a Variable, not a list; it takes one at a time  [typegrad-call]
optimizers.Adam(graph, lr=0.1)  # E: Adam takes no option `lr`; did you mean `learning_rate`?  [typegrad-call]
optimizers.Adam(learning_rate=0.1)  # E: Adam() needs `graph`; it is called as Adam(graph, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-08, ...)  [typegrad-call]
optimizers.Adam(scope, learning_rate=0.1)  # E: Adam() takes a graph, not a scope; write scope.graph  [typegrad-call]
optimizer.minimize(scope, loss)  # E: Adam.minimize() takes no scope; it is called as Adam.minimize(loss, var_list=None, global_step=None, grad_loss=None, name=None)  [typegrad-call]
optimizer.minimize([w, w], loss)  # E: Adam.minimize(): `loss` is a list of 2 operands and `var_list` is an operand; swap them  [typegrad-call]
optimizer.minimize(loss, "train")  # E: Adam.minimize(): `var_list` is a list of variables, not str; write name='train' to name the step; [v for v in graph.variables if f'{v.name}/'.startswith('train/')] holds those of that name or scope  [typegrad-call]
optimizer.minimize(loss, w)  # E: Adam.minimize(): `var_list` is a list of variables, not a variable; write [w]  [typegrad-call]
parameters = {"w": w}
optimizer.minimize(loss, parameters.values())
optimizer.compute_gradients(loss, {w})
optimizer.minimize(loss, {"w": w * 2.0}.values())  # E: Argument 2 to "minimize" of "Optimizer" has incompatible type "dict_values[str, Operand[TFloat32, tuple[Literal[20], Literal[5]]]]"; expected "Collection[Variable[Any, Any]] | None"  [arg-type]
optimizer.minimize(loss, parameters)  # E: Adam.minimize(): `var_list` is a list of variables, not a dict; write list(parameters.values())  [typegrad-call]
optimizer.minimize(loss, (w, w * 2.0))  # E: Adam.minimize(): `var_list[1]` must be a Variable, not an operand  [typegrad-call]
pairs = [(w, w), (w, w)]
optimizer.minimize(loss, pairs)  # E: Adam.minimize(): `var_list[0]` must be a Variable, not a tuple; write [*xs, *ys] to join lists  [typegrad-call]
optimizer.minimize(loss, [[w], [w]])  # E: Adam.minimize(): `var_list[0]` must be a Variable, not a list; write [*xs, *ys] to join lists  [typegrad-call]
optimizer.minimize(loss, [(w, w)])  # E: Adam.minimize(): `var_list[0]` must be a Variable, not a tuple; write [*xs, *ys] to join lists  [typegrad-call]
optimizer.minimize(loss, [each for pair in pairs for each in pair])
slopes = tg.gradients(scope, loss, [w])
clipped = tg.functions.clip_by_global_norm(scope, slopes, 1.0)
optimizer.apply_gradients(zip(clipped, [w]))  # E: Adam.apply_gradients(): argument `grads_and_vars[0][0]` must be an Operand or None, not a list; the gradients are clipped[0]  [typegrad-call]
optimizer.apply_gradients(zip(tg.functions.clip_by_global_norm(scope, slopes, 2.0), [w]))  # E: Adam.apply_gradients(): argument `grads_and_vars[0][0]` must be an Operand or None, not a list; the first result is the list of gradients  [typegrad-call]
optimizer.apply_gradients(zip(clipped[0], [w]))
optimizer.apply_gradients(zip(tg.functions.clip_by_global_norm(scope, slopes, 3.0)[0], [w]))
optimizers.Adam(graph, lambda step: 0.1)  # E: Adam(): learning_rate: a schedule takes a scope and the step: lambda scope, step: ...  [typegrad-call]
optimizers.Adam(graph, lambda scope, step: 0.1)  # E: Adam(): learning_rate: a schedule returns an operand; core.Constant.create(scope, ...) makes one of a number  [typegrad-call]
optimizers.Adam(graph, np.float32(0.1))
optimizer.minimize(optimizer.compute_gradients(loss))  # E: Adam.minimize(): argument `loss` must be an Operand, not a list of pairs; apply_gradients of an optimizer takes pairs (gradient, variable)  [typegrad-call]
optimizer.minimize([loss, loss])  # E: Adam.minimize(): argument `loss` must be an Operand, not a list of operands; math.AddN.create(scope, [...]) adds the operands, core.Stack.create(scope, [...]) stacks them  [typegrad-call]
both = (loss, loss)
optimizer.compute_gradients(both)  # E: Adam.compute_gradients(): argument `loss` must be an Operand, not a tuple of operands; take one of its operands: [0], [1]; core.Stack makes one operand of several  [typegrad-call]
optimizer.minimise(loss)  # E: 'Adam' object has no attribute 'minimise'; did you mean `.minimize`?  [typegrad-call]
gradients = tg.gradients(scope, loss, [w, b])
optimizer.apply_gradients(gradients)  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); write zip(gradients, variables)  [typegrad-call]
optimizer.apply_gradients(zip(gradients, [w, b]))
optimizer.apply_gradients(zip([w, b], gradients))  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); swap them  [typegrad-call]
optimizer.apply_gradients(list(zip([w, b], gradients)))  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); swap them  [typegrad-call]
optimizer.apply_gradients(tg.gradients(scope, loss, graph.trainable_variables))  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); write zip(gradients, variables)  [typegrad-call]
found = optimizer.compute_gradients(loss)
optimizer.apply_gradients([(v, g) for g, v in found])  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); swap them  [typegrad-call]
optimizer.apply_gradients((g, v) for v, g in found)  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); swap them  [typegrad-call]
optimizer.apply_gradients([g for g, _ in found])  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); write zip(gradients, variables)  [typegrad-call]
optimizer.apply_gradients([(g * 0.5, v) for v, g in found])  # E: Adam.apply_gradients(): argument `grads_and_vars[0][1]` must be a Variable, not an operand; a pair is (gradient, variable), as compute_gradients returns it  [typegrad-call]
optimizer.apply_gradients([(g * 0.5, v) for g, v in found if g is not None])
optimizer.apply_gradients((None if g is None else g * 0.5, v) for g, v in found)
optimizer.minimize(loss, [w.read(scope)])  # E: Adam.minimize(): `var_list[0]` must be a Variable, not an operand; it is a value of the variable w; pass the variable  [typegrad-call]
weights = w.read(scope)
optimizer.minimize(loss, [b, weights])  # E: Adam.minimize(): `var_list[1]` must be a Variable, not an operand; it is a value of the variable w; pass the variable  [typegrad-call]
gradient = tg.grad(scope, loss, w)
array = np.zeros((20, 5), np.float32)
print(optimizer.apply_gradients({w: tg.grad(scope, loss, w)}))  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable), not a dict; write zip(gradients, variables)  [typegrad-call]
by_variable = {w: gradient}
optimizer.apply_gradients(by_variable)  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable), not a dict; write zip(gradients, variables)  [typegrad-call]
optimizer.apply_gradients((gradient, variable) for variable, gradient in by_variable.items())
optimizer.apply_gradients([(gradient, w), (array, b)])  # E: Adam.apply_gradients(): argument `grads_and_vars[1][0]` must be an Operand or None, not an array; wrap a value in core.Constant, or take one output of an operation that has several  [typegrad-call]
optimizer.apply_gradients([(0.5, w)])  # E: Adam.apply_gradients(): argument `grads_and_vars[0][0]` must be an Operand or None, not float 0.5; wrap a value in core.Constant, or take one output of an operation that has several  [typegrad-call]
optimizer.apply_gradients([(gradient, array)])  # E: Adam.apply_gradients(): `grads_and_vars[0][1]` must be a Variable, not an array; tg.Variable.create makes one  [typegrad-call]
optimizer.apply_gradients([(gradient, loss)])  # E: Adam.apply_gradients(): `grads_and_vars[0][1]` must be a Variable, not an operand  [typegrad-call]
optimizer.apply_gradients([(core.Constant.create(scope, array), w), (None, b)])
optimizer.apply_gradients([(w.read(scope), w)])
optimizer.apply_gradients([(w, gradients[0])])  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); swap them  [typegrad-call]
optimizer.apply_gradients(list(zip(gradients, [w, b])))
""",
    "modules": """
tg.session(graph)  # E: module 'typegrad.session' is not a function; did you mean `tg.Session`?  [typegrad-call]
losses(logits)  # E: Module not callable  [operator]
""",
    "keys of fetches": """
results = session.run({name: fetch for name, fetch in zip(("x", "w"), (x, w))}, {x: np.zeros((2, 20), np.float32)})
results["y"]  # E: run: there is no fetch 'y'; the fetches are 'x', 'w'  [typegrad-call]
results["x"]
""",
    "names": """
math.Relu.create(scope, x)  # E: module 'typegrad.op.math' has no attribute 'Relu'; did you mean `nn.Relu` (from typegrad.op import nn)?  [typegrad-call]
nn.relu(scope, x)  # E: module 'typegrad.op.nn' has no attribute 'relu'; did you mean `nn.Relu`?  [typegrad-call]
nn.relu.create(scope, x)  # E: module 'typegrad.op.nn' has no attribute 'relu'; did you mean `nn.Relu`?  [typegrad-call]
nn.Conv2D.create(scope, x)  # E: module 'typegrad.op.nn' has no attribute 'Conv2D'; did you mean `nn.Conv2d`?  [typegrad-call]
nn.Dropout.create(scope, x, 0.5)  # E: module 'typegrad.op.nn' has no attribute 'Dropout'; did you mean `tg.functions.dropout`?  [typegrad-call]
tg.matmul(x, w)  # E: module 'typegrad' has no attribute 'matmul'; did you mean `linalg.MatMul` (from typegrad.op import linalg)?  [typegrad-call]
tg.nn.relu(x)  # E: module 'typegrad' has no attribute 'nn'; did you mean `nn` (from typegrad.op import nn)?  [typegrad-call]
optimizers.SGD(graph, 0.1)  # E: module 'typegrad.training.optimizers' has no attribute 'SGD'; did you mean `tg.optimizers.GradientDescent`?  [typegrad-call]
x.reshape(-1, 5)  # E: 'Placeholder' object has no attribute 'reshape'; did you mean `core.Reshape` (from typegrad.op import core)?  [typegrad-call]
x.T  # E: 'Placeholder' object has no attribute 'T'; did you mean `linalg.Transpose` (from typegrad.op import linalg)?  [typegrad-call]
w.read(scope).shape.as_list()  # E: 'Shape' object has no attribute 'as_list'. A shape is a sequence. list(x.shape) has None, or a name, for a size that only a run knows. See `.as_ints`.  [typegrad-call]
class Layer:
    def __init__(self) -> None:
        self.w = w
    def width(self) -> int:
        return self.w.shape.as_list()[-1]  # E: 'Shape' object has no attribute 'as_list'. A shape is a sequence. list(x.shape) has None, or a name, for a size that only a run knows. See `.as_ints`.  [typegrad-call]
loss.numpy()  # E: 'Operand' object has no attribute 'numpy'; did you mean `session.run`?  [typegrad-call]
w.value()  # E: 'Variable' object has no attribute 'value'; did you mean `.read`?  [typegrad-call]
session.eval(loss)  # E: 'Session' object has no attribute 'eval'; did you mean `.value` or `.run`?  [typegrad-call]
tf.reduce_mean(x)  # E: 'Ops' object has no attribute 'reduce_mean'; did you mean `tf.math.mean`?  [typegrad-call]
[x.mean() for x in [x]]  # E: 'Placeholder' object has no attribute 'mean'; did you mean `math.Mean` (from typegrad.op import math)?  [attr-defined]
x.anything  # E: "Placeholder[TFloat32, tuple[Batch, Literal[20]]]" has no attribute "anything"  [attr-defined]
math.Anything  # E: Module has no attribute "Anything"  [attr-defined]
nn.Gelu.create(scope, x) if hasattr(nn, "Gelu") else nn.Relu.create(scope, x)
""",
    "arguments": """
session.run(loss, {x: x})  # E: Session.run(): the feed of x is an operand; give the array that session.run gave for it  [typegrad-call]
session.run(loss, np.zeros(3))  # E: Session.run(): feeds maps operands to values, but is an array; write {x: value}  [typegrad-call]
session.run(loss, [np.zeros(3)])  # E: Session.run(): feeds maps operands to values, but is a list; write {x: value}  [typegrad-call]
session.run(loss, (np.zeros(3), np.zeros(3)))  # E: Session.run(): feeds maps operands to values, but is a tuple; write {x: value}  [typegrad-call]
updates = [w.assign(scope, np.zeros((20, 5), np.float32)), b.assign(scope, np.zeros(5, np.float32))]
tg.functions.group(scope, *updates)
tg.functions.group(scope, updates)  # E: group() takes `operations` one by one, not in a list; write *updates  [typegrad-call]
tg.functions.group(scope, [loss, loss.op])  # E: group() takes `operations` one by one, not in a list; leave out the brackets  [typegrad-call]
session.run(loss, {np.zeros(3): x})  # E: Session.run(): feeds maps operands to values, but a key is ndarray  [typegrad-call]
batch = np.zeros(3)
session.run(loss, {batch: batch})  # E: Session.run(): feeds maps operands to values, but the key batch is ndarray  [typegrad-call]
numbers = [1, 2]
session.run(loss, {numbers: batch})  # E: Session.run(): feeds maps operands to values, but the key numbers is list  [typegrad-call]
fed = {batch: batch}
session.run(loss, fed)  # E: Session.run(): feeds maps operands to values, but the keys of fed are ndarray  [typegrad-call]
random.StatelessRandomGetKeyCounter.create(scope, 3)  # E: StatelessRandomGetKeyCounter.create(): `seed` is a list of integers, not int alone; write (0, 3)  [typegrad-call]
random.StatelessRandomGetKeyCounter.create(scope, (0, 3))
core.Gather.create(scope, x, 0, (1, 2))  # E: Gather.create(): `indices` is an integer and `axis` is a list of integers; swap them  [typegrad-call]
core.Gather.create(scope, x, (1, 2), 0)
core.Concat.create(scope, [x, x], (0, 1))  # E: Concat.create(): `axis` must be an integer, not a list of integers  [typegrad-call]
core.ExpandDims.create(scope, x, (1,))
core.Concat.create(scope, [x, x], [0])  # E: Concat.create(): `axis` must be an integer, not a list of integers  [typegrad-call]
math.ArgMax.create(scope, x, (0, 1))  # E: ArgMax.create(): `dimension` must be an integer, not a list of integers  [typegrad-call]
several = tg.grad(scope, loss, [w, b])  # E: grad(): argument `x` must be an Operand, not a list of operands; tg.gradients takes several  [typegrad-call]
for each in several:
    print(each * 2.0)
loss.show()  # E: 'Operand' object has no attribute 'show'; did you mean `graph.show`?  [typegrad-call]
core.Placeholder.create(scope, (Batch, 3), tg.TFloat32)  # E: Placeholder.create(): `dtype` must be an element type, not a tuple; that is a class of typegrad, such as tg.TFloat32; it is called as Placeholder.create(scope, dtype, shape=None)  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, shape=3)  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), not int  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, tg.TFloat32)  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), not a class  [typegrad-call]
core.Placeholder.create(tg.TFloat32, (Batch, 3))  # E: Placeholder.create(): argument `scope` must be a Scope, not a class; it is called as Placeholder.create(scope, dtype, shape=None)  [typegrad-call]
core.Constant.create(scope, tg.TFloat32, [1.0])  # E: Constant.create(): `value` is a number, bool, string, (nested) list or array of them, not a class; it is called as Constant.create(scope, value, dtype=None)  [typegrad-call]
core.Concat.create(scope, 1, [x, onehot])  # E: Concat.create(): `values` is 1 and `axis` is a list of 2 operands; swap them  [typegrad-call]
print(core.Concat.create(scope, 1, [w, w]))  # E: Concat.create(): `values` is 1 and `axis` is a list of 2 operands; swap them  [typegrad-call]
print(core.Concat.create(scope, -1, (w, [[1.0]])))  # E: Concat.create(): `values` is -1 and `axis` is a list of 2 operands; swap them  [typegrad-call]
operands = [w, w]
equation = "ij,kj->ik"
print(linalg.Einsum.create(scope, equation, [w, w]))  # E: Einsum.create(): `inputs` is 'ij,kj->ik' and `equation` is a list of 2 operands; swap them  [typegrad-call]
linalg.Einsum.create(scope, equation, operands)  # E: Einsum.create(): `inputs` is 'ij,kj->ik' and `equation` is a list of operands; swap them  [typegrad-call]
tf.linalg.einsum(equation, [w, *operands])  # E: LinalgOps.einsum(): `inputs` is 'ij,kj->ik' and `equation` is a list of operands; swap them  [typegrad-call]
linalg.Einsum.create(scope, equation, w)  # E: Einsum.create(): `inputs` is a list of operands, not str  [typegrad-call]
linalg.Einsum.create(scope, [w, w], equation)
linalg.Einsum.create(scope, operands, equation)
linalg.Einsum.create(scope, equation=equation, inputs=(w, w))
tf.linalg.einsum([w, np.zeros((2, 5), np.float32)], "ij,kj->ik")
core.Concat.create(scope, [w, w], 0)
core.Concat.create(scope, axis=0, values=operands)
core.Stack.create(scope, 1, axis=[x, x])  # E: Stack.create(): `values` is a list of operands, not int  [typegrad-call]
tg.gradients(scope, [1.0], [x])  # E: gradients(): `ys[0]` must be an operand, not a value; core.Constant.create(scope, ...) makes an operand of a value  [typegrad-call]
tg.functions.global_norm(scope, [x, [[1.0]]])  # E: global_norm(): `operands[1]` must be an operand, not a value; core.Constant.create(scope, ...) makes an operand of a value  [typegrad-call]
tg.functions.repeat(scope, x, [[1]])  # E: repeat(): `repeats` is a list of integers, but holds a list  [typegrad-call]
core.Reshape.create(scope, x, [[2, 4]])  # E: Reshape.create(): `shape` is a list of integers, but holds a list  [typegrad-call]
core.Reshape.create(scope, x, 5)  # E: Reshape.create(): `shape` is a list of integers, not int; write [5]  [typegrad-call]
core.Sum.create(scope, x, (core.Shape.create(scope, x)[0],))  # E: Sum.create(): `axis` is a list of integers, but holds an operand; core.Stack.create(scope, [...]) makes one operand of several  [typegrad-call]
core.Sum.create(scope, x, core.Stack.create(scope, [core.Shape.create(scope, x)[0]]))
nn.MaxPool.create(scope, image, 2, 2, "SAME")  # E: MaxPool.create(): `ksize` is a list of integers, not int; write [1, 2, 2, 1] for images  [typegrad-call]
nn.Conv2d.create(scope, image, np.zeros((3, 3, 1, 8), np.float32), 1, "SAME")  # E: Conv2d.create(): `strides` is a list of integers, not int; write [1, 1, 1, 1] for images  [typegrad-call]
nn.Conv2d.create(scope, image, (1, 1, 1, 1), image, "SAME")  # E: Conv2d.create(): `strides` is a list of integers, not an operand  [typegrad-call]
sum(x)  # E: x cannot be iterated while the graph is built; core.Unstack makes a list of operands  [typegrad-call]
""",
    "lists and sets": """
core.Reshape.create(scope, x, (Batch, 2, 10))  # E: Reshape.create(): `shape`: only a run knows the size Batch; write core.Shape.create(scope, x)[0] for it, or -1 for one size of a new shape  [typegrad-call]
core.Fill.create(scope, [Batch, 3], 1.0)  # E: Fill.create(): `dims`: only a run knows the size Batch; write core.Shape.create(scope, x)[0] for it, or -1 for one size of a new shape  [typegrad-call]
core.Fill.create(scope, {2, 3}, 1.0)  # E: Fill.create(): `dims` is a list of integers, not a set, which has no order  [typegrad-call]
core.Sum.create(scope, x, {0})  # E: Sum.create(): `axis` is a list of integers, not a set, which has no order  [typegrad-call]
math.AddN.create(scope, {w, w + 1.0})  # E: AddN.create(): `inputs` is a list of operands, not a set, which has no order  [typegrad-call]
tg.gradients(scope, loss, {w})  # E: gradients(): xs is a list or tuple, not set; write list(...)  [typegrad-call]
tg.gradients(scope, loss, {w: 1})  # E: gradients(): xs is a list or tuple, not dict; write list(...)  [typegrad-call]
def parts() -> t.Iterator[tuple[str, tg.Operand[tg.TFloat32]]]:
    yield "loss", loss
math.AddN.create(scope, parts())  # E: AddN.create(): `inputs` is a list of operands, not Iterator; write a list of what is in its tuples  [typegrad-call]
math.AddN.create(scope, (part for _, part in parts()))  # E: AddN.create(): `inputs` is a list of operands, not Generator; write list(...)  [typegrad-call]
math.AddN.create(scope, [part for _, part in parts()])
tg.gradients(scope, loss, iter([w]))  # E: gradients(): xs is a list or tuple, not Iterator; write list(...)  [typegrad-call]
tg.gradients(scope, loss, {"w": w}.values())  # E: gradients(): xs is a list or tuple, not dict_values; write list(...)  [typegrad-call]
numbers: tuple[float, ...] = (0.5, 1.5)
tg.gradients(scope, loss, numbers)  # E: gradients(): xs must be operands, but one is float  [typegrad-call]
x + {1.0}  # E: AddV2: y is a set, but must be an operand or a value that the operation takes  [typegrad-dtype]
{"a": 1.0} - x  # E: Sub: x is a dict, but must be an operand or a value that the operation takes  [typegrad-dtype]
scope.with_control_dependencies(w.assign_add(scope, w))  # E: Scope.with_control_dependencies(): `operations` is a list of operations, not one of them; write [...]  [typegrad-call]
done = w.assign_add(scope, w)
scope.with_control_dependencies(done)  # E: Scope.with_control_dependencies(): `operations` is a list of operations, not one of them; write [done]  [typegrad-call]
scope.with_control_dependencies(w)  # E: Scope.with_control_dependencies(): `operations` is a list of operations, not an operand; write [w]  [typegrad-call]
scope.with_control_dependencies({done})
session.run(x, {(x,): np.ones((2, 20), np.float32)})  # E: Session.run(): feeds maps operands to values, but a key is a tuple  [typegrad-call]
tg.Variable.create(scope, "w", np.zeros(3))  # E: Variable.create() takes no name; write scope.with_name("w")  [typegrad-call]
tg.Variable.create(scope, "a", tg.TString)
core.Constant.create(scope, None)  # E: Constant.create(): `value` is a number, bool, string, (nested) list or array of them, not None  [typegrad-call]
core.Constant.create(scope, None, tg.TFloat32)  # E: Constant.create(): `value` is a number, bool, string, (nested) list or array of them, not None  [typegrad-call]
""",
    "training": """
from typegrad.training import fit
data = tg.data.Dataset.from_arrays(np.ones((4, 20), np.float32), np.zeros(4, np.int32))
arrays = np.ones((4, 20), np.float32), np.zeros(4, np.int32)
step = optimizer.minimize(loss)
fit(session, loss, data, (x, labels), epochs=1)  # E: fit(): argument `step` must be an Operation or an Op, not an operand; minimize(loss) of an optimizer makes the step  [typegrad-call]
fit(session, step, arrays, (x, labels), epochs=1)  # E: fit(): argument `dataset` must be a Dataset, not a tuple; tg.data.Dataset.from_arrays(x, y) makes one  [typegrad-call]
fit(session, step, (arrays[0], arrays[1]), (x, labels), epochs=1)  # E: fit(): argument `dataset` must be a Dataset, not a tuple; tg.data.Dataset.from_arrays(x, y) makes one  [typegrad-call]
fit(session, step, [arrays[0]], (x, labels), epochs=1)  # E: fit(): argument `dataset` must be a Dataset, not list; tg.data.Dataset.from_arrays(x, y) makes one  [typegrad-call]
tg.data.Dataset.from_arrays(arrays[0], [1, 2])  # E: Dataset.from_arrays(): argument `arrays` must be a NumPy array, not list; np.asarray makes one  [typegrad-call]
tg.tensorboard.EventWriter("logs").scalar("loss", loss, 0)  # E: EventWriter.scalar(): argument `value` is an operand, which has no value before the run; session.run gives an array  [typegrad-call]
tg.data.Dataset.from_arrays(arrays)  # E: Dataset.from_arrays(): argument `arrays` must be a NumPy array, not a tuple; np.asarray makes one  [typegrad-call]
fit(session, step, data, (x, labels), epochs=1)
fit(graph, step, data, (x, labels), epochs=1)  # E: fit(): argument `session` must be a Session, not Graph; write tg.Session(graph)  [typegrad-call]
optimizer.minimize(session.run(loss, {x: arrays[0], labels: arrays[1]}))  # E: Adam.minimize(): argument `loss` must be an Operand, not an array; pass the operand that was run, not the value that session.run returned  [typegrad-call]
optimizer.minimize(0.5)  # E: Adam.minimize(): argument `loss` must be an Operand, not float 0.5; pass the operand that was run, not the value that session.run returned  [typegrad-call]
optimizer.compute_gradients(float(session.run(loss)))  # E: Adam.compute_gradients(): argument `loss` must be an Operand, not float; pass the operand that was run, not the value that session.run returned  [typegrad-call]
tg.grad(scope, 1, w)  # E: grad(): argument `y` must be an Operand, not int 1; pass the operand that was run, not the value that session.run returned  [typegrad-call]
tg.grad(scope, loss, 1.0)  # E: grad(): argument `x` must be an Operand, not float 1.0; pass the operand that was run, not the value that session.run returned  [typegrad-call]
optimizer.minimize(loss * 0.5)
optimizer.minimize(losses.mean_squared_error(scope, onehot, 0.5))  # E: mean_squared_error(): `y_pred` must be an operand, not a value; core.Constant.create(scope, ...) makes one  [typegrad-call]
""",
    "kinds of values": """
rate = 0.5
core.Sum.create(scope, x, 1.0)  # E: Sum.create(): `axis` must be an integer, not the Python float 1.0  [typegrad-call]
core.Sum.create(scope, x, -1.0)  # E: Sum.create(): `axis` must be an integer, not the Python float -1.0  [typegrad-call]
core.Sum.create(scope, x, [0, "1"])  # E: Sum.create(): `axis` must hold integers, not the Python str '1'  [typegrad-call]
core.Sum.create(scope, x, None)
core.Reshape.create(scope, x, (None, 20))  # E: Reshape.create(): `shape` must hold integers, not None; core.Shape.create(scope, x)[0] is a size that is known in a run alone; core.Reshape takes -1 for one size  [typegrad-call]
core.Fill.create(scope, [3, None], 0.0)  # E: Fill.create(): `dims` must hold integers, not None; core.Shape.create(scope, x)[0] is a size that is known in a run alone; core.Reshape takes -1 for one size  [typegrad-call]
core.Reshape.create(scope, x, (-1, 20))
core.Fill.create(scope, [3, core.Shape.create(scope, x)[0]], 0.0)
same = b == logits
math.Mean.create(scope, same)  # E: Mean.create(): `input`: == of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  [typegrad-call]
other = b != b
core.Select.create(scope, other, x, x)  # E: Select.create(): `condition`: != of operands is a bool, whether they are the same operand; math.NotEqual.create(scope, x, y) compares their values  [typegrad-call]
equal = math.Equal.create(scope, b, 0.0)
core.Select.create(scope, equal, b, b)
core.Select.create(scope, x.shape.rank == 2, b, b)
divmod(labels, 2)  # E: the operand is not divided by divmod; write x // y and x % y  [typegrad-call]
divmod(2, labels)  # E: the operand is not divided by divmod; write x // y and x % y  [typegrad-call]
divmod(labels, labels)  # E: the operand is not divided by divmod; write x // y and x % y  [typegrad-call]
divmod(7, 2)
labels // 2, labels % 2
core.ExpandDims.create(scope, x, None)  # E: ExpandDims.create(): `axis` must be an integer, not None  [typegrad-call]
nn.TopK.create(scope, x, rate)  # E: TopK.create(): `k` must be an integer, not a Python float  [typegrad-call]
core.Sum.create(scope, x, 1, keep_dims=1)  # E: Sum.create(): `keep_dims` must be a bool, not the Python int 1  [typegrad-call]
core.Sum.create(scope, x, 1, keep_dims=True)
nn.LeakyRelu.create(scope, x, alpha="0.1")  # E: LeakyRelu.create(): `alpha` must be a number, not the Python str '0.1'  [typegrad-call]
nn.LeakyRelu.create(scope, x, alpha=1)
nn.MaxPool.create(scope, image, (1, 2, 2, 1), (1, 2, 2, 1), "same")  # E: MaxPool.create(): `padding` is 'same'; allowed are 'SAME', 'VALID'  [typegrad-attribute]
dtypes.AsString.create(scope, x, fill=0)  # E: AsString.create(): `fill` must be a string, not the Python int 0  [typegrad-call]
core.Fill.create(scope, (x.shape[0], 3), 0.0)  # E: Fill.create(): `dims` must hold integers: only a run knows the size Batch; write core.Shape.create(scope, x)[0] for it, or -1 for one size of a new shape  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, "Batch")  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), not str  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, (None, np.zeros((4, 3)).shape[1:]))  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), but holds a tuple; a * before it takes its sizes, as in (None, *sizes)  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, [None, [3]])  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), but holds a list; a * before it takes its sizes, as in (None, *sizes)  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, (8.0, 3))  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), but holds float  [typegrad-call]
core.Placeholder.create(scope, tg.TFloat32, (core.Shape.create(scope, x)[0], 3))  # E: Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), but holds an operand, whose value is known in a run alone  [typegrad-call]
core.Placeholder.create(scope, int, (8,))  # E: Placeholder.create(): `dtype` must be an element type, not int; write tg.TInt32  [typegrad-call]
x.expect(tg.TFloat32, None).shape
x.expect(tg.TFloat32, 8)  # E: Placeholder.expect(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), not int  [typegrad-call]
x.expect(tg.TFloat32, logits)  # E: Placeholder.expect(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), not an operand; like=logits states the shape of an operand  [typegrad-call]
t.assert_type(onehot.expect(tg.TFloat32, like=logits), tg.Output[tg.TFloat32, tuple[Batch, t.Literal[5]]])
x.expect(tg.TFloat32, (None, 8), like=x)  # E: expect() takes a `shape`, or an operand that has it as `like`, not both  [typegrad-call]
x.expect(tg.TFloat32, like=x).shape
x.expect("float32")  # E: Placeholder.expect(): `dtype` must be an element type, not a string; write tg.TFloat32  [typegrad-call]
tg.Variable.create(scope, "words", tg.TString)
tg.Variable.create(scope, ["words"], "string")  # E: Variable.create(): `dtype` must be an element type, not a string; write tg.TString  [typegrad-call]
""",
    "values in the place of operands": """
rows = np.ones((2, 3), np.float32)
repeated = tg.functions.repeat(scope, rows, 2)  # E: repeat(): `x` must be an operand, not a value; core.Constant.create(scope, rows) makes one  [typegrad-call]
grid = tg.functions.meshgrid(scope, x, rows[0] * 2)  # E: meshgrid(): `vectors` must be an operand, not a value; core.Constant.create(scope, ...) makes one  [typegrad-call]
mask = tg.functions.sequence_mask(scope, [1, 2], 3)  # E: sequence_mask(): `lengths` must be an operand, not a value; core.Constant.create(scope, ...) makes one  [typegrad-call]
mean, variance = tf.nn.moments(np.ones(3), [0])  # E: NnOps.moments(): `x` must be an operand, not a value; core.Constant.create(scope, ...) makes one  [typegrad-call]
tg.functions.logsumexp(scope, x * rows[0, 0], -1)
nn.Relu.create(scope, rows)
""",
    "sizes in the place of operands": f"""
rows = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 20))
fixed = core.Placeholder.create(scope, tg.TFloat32, shape=(4, 20))
count = rows.shape[0]
dtypes.Cast.create(scope, rows.shape[0], tg.TFloat32)  # E: Cast.create(): `x`: {UNKNOWN_SIZE}  [typegrad-call]
dtypes.Cast.create(scope, count, tg.TFloat32)  # E: Cast.create(): `x`: {UNKNOWN_SIZE}  [typegrad-call]
tf.dtypes.cast(rows.shape[0], tg.TFloat32)  # E: DtypesOps.cast(): `x`: {UNKNOWN_SIZE}  [typegrad-call]
core.Constant.create(scope, rows.shape[0], tg.TFloat32)  # E: Constant.create(): `value`: {UNKNOWN_SIZE}  [typegrad-call]
core.Stack.create(scope, [1, rows.shape[0]])  # E: Stack.create(): `values[1]`: {UNKNOWN_SIZE}  [typegrad-call]
math.Mul.create(scope, x, x.shape[0])  # E: Mul.create(): `y`: only a run knows the size Batch; write core.Shape.create(scope, x)[0] for it, or -1 for one size of a new shape  [typegrad-call]
dtypes.Cast.create(scope, core.Shape.create(scope, rows)[0], tg.TFloat32)
dtypes.Cast.create(scope, fixed.shape[0], tg.TFloat32)
math.Mul.create(scope, rows, rows.shape[1])
def mean(y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    size = y.shape[0]
    return core.Sum.create(scope, y) / dtypes.Cast.create(scope, size if isinstance(size, int) else 1, tg.TFloat32)
mean(rows)
""",
    "operations with several outputs that functions return": """
def entropy(y: tg.Operand[tg.TFloat32]) -> nn.SparseSoftmaxCrossEntropyWithLogits[tg.TFloat32]:
    return nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, y, labels)
tf.math.mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits, labels))  # E: MathOps.mean(): `input` must be an operand or a value, not SparseSoftmaxCrossEntropyWithLogits; take one of its outputs: .loss, .backprop  [typegrad-call]
math.Mean.create(scope, entropy(logits), 0)  # E: Mean.create(): `input` must be an operand or a value, not SparseSoftmaxCrossEntropyWithLogits; take one of its outputs: .loss, .backprop  [typegrad-call]
tf.concat([logits, entropy(logits), entropy(logits)], 0)  # E: Ops.concat(): `values[1]` must be an operand or a value, not SparseSoftmaxCrossEntropyWithLogits; take one of its outputs: .loss, .backprop  [typegrad-call]
tf.reshape(tensor=entropy(logits), shape=(3,))  # E: Ops.reshape(): `tensor` must be an operand or a value, not SparseSoftmaxCrossEntropyWithLogits; take one of its outputs: .loss, .backprop  [typegrad-call]
tf.math.mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits, labels).loss)
math.Mean.create(scope, entropy(logits).loss, 0)
tf.concat([logits, entropy(logits).backprop], 0)
tf.concat(core.Split.create(scope, 1, logits, num_split=5), 0)
tf.math.mean(core.Unstack.create(scope, w, 20)[0])
""",
    "objects": """
class Heads(t.NamedTuple):
    logits: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[5]]]
    steps: int

class Model:
    def output(self) -> tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[5]]]:
        return logits

def anything() -> t.Any:
    return logits

class Scaled:
    def __init__(self) -> None:
        self.by = tg.Variable.create(scope, 2.0)
    def __call__(self, y: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return y * self.by

heads, others, model, scaled = Heads(logits, 3), Heads(logits, 3), Model(), Scaled()
nn.Softmax.create(scope, scaled)  # E: Softmax.create(): `logits` must be an operand or a value, not Scaled; call it: scaled(...)  [typegrad-call]
pair = [x, x]
nn.Softmax.create(scope, heads)  # E: Softmax.create(): `logits` must be an operand or a value, not Heads; take one of its operands: .logits  [typegrad-call]
nn.Softmax.create(scope, model)  # E: Softmax.create(): `logits` must be an operand or a value, not Model  [typegrad-call]
nn.Softmax.create(scope, model.output)  # E: Softmax.create(): `logits` must be an operand or a value, not a function; call it: model.output(...)  [typegrad-call]
nn.Softmax.create(scope, anything())
core.Concat.create(scope, [x, others], 1)  # E: Concat.create(): `values` must hold operands or values, not Heads; take one of its operands: .logits  [typegrad-call]
models = [model, model]
math.AddN.create(scope, models)  # E: AddN.create(): `inputs` must hold operands or values, not Model  [typegrad-call]
math.AddN.create(scope, [each for each in models])  # E: AddN.create(): `inputs` must hold operands or values, not Model  [typegrad-call]
added = math.AddN.create(  # E: AddN.create(): `inputs` must hold operands or values, not Model  [typegrad-call]
    scope, [each for each in models]
)
math.AddN.create(scope, [each for each in pair])
math.AddN.create(scope, *pair)  # E: AddN.create(): `inputs` is a list of operands; write pair without *  [typegrad-call]
core.Stack.create(scope, *[x, x], axis=1)  # E: Stack.create(): `values` is a list of operands; write the list without *  [typegrad-call]
core.Concat.create(scope, *pair, 0)  # E: Concat.create(): `values` is a list of operands; write pair without *  [typegrad-call]
lists = [pair]
math.AddN.create(scope, *lists)
math.Mul.create(scope, *pair)
math.Tanh.create(scope, tg.gradients(scope, loss, [w]))  # E: Tanh: x is of type tuple[Operand[TFloat32, tuple[Literal[20], Literal[5]]] | None], but must be an operand or a value that the operation takes; take one gradient with [0], or write tg.grad for one x  [typegrad-dtype]
alone: tuple[tg.Operand[tg.TFloat32]] = (x,)
math.Tanh.create(scope, alone)  # E: Tanh: x is of type tuple[Operand[TFloat32, tuple[Any, ...]]], but must be an operand or a value that the operation takes; [0] takes the operand in it  [typegrad-dtype]
tg.functions.dropout(scope, tg.gradients(scope, loss, [w]), 0.5)  # E: dropout(): argument `x` must be an Operand, not a tuple of operands; [0] takes the operand in it  [typegrad-call]
math.Tanh.create(scope, tg.gradients(scope, loss, [w])[0])  # E: Tanh: x may be None; check that it is not None first  [typegrad-dtype]
math.Tanh.create(scope, pair)  # E: Tanh: x is a list of operands; core.Stack makes one operand of several  [typegrad-dtype]
two, four = (x, x), (x, x, x, x)
math.Tanh.create(scope, four)  # E: Tanh: x is a tuple of operands; take one of its operands: [0] to [3]; core.Stack makes one operand of several  [typegrad-dtype]
x - four
three = (x, x, x)
x - three  # E: Sub: y is a tuple of operands; take one of its operands: [0], [1], [2]; core.Stack makes one operand of several  [typegrad-dtype]
tg.functions.dropout(scope, two, 0.5)  # E: dropout(): argument `x` must be an Operand, not a tuple of operands; take one of its operands: [0], [1]; core.Stack makes one operand of several  [typegrad-call]
tg.grad(scope, loss, two)  # E: grad(): argument `x` must be an Operand, not a tuple of operands; tg.gradients takes several  [typegrad-call]
math.Tanh.create(scope, two[0])
math.Tanh.create(scope, core.Stack.create(scope, two))
math.Tanh.create(scope, [*pair])  # E: Tanh: x is a list of operands; core.Stack makes one operand of several  [typegrad-dtype]
x @ (w, b)  # E: MatMul: b is a list of operands; core.Stack makes one operand of several  [typegrad-dtype]
first, second = core.Sum.create(scope, x)  # E: the operand is a scalar, which cannot be iterated  [typegrad-call]
list(b[0])  # E: the operand is a scalar, which cannot be iterated  [typegrad-call]
first, second = x  # E: x cannot be iterated while the graph is built; core.Unstack makes a list of operands  [typegrad-call]
""",
    "what derivatives take": """
tg.grad(scope, loss, scope)  # E: grad(): `x` must be an operand, not Scope  [typegrad-call]
tg.grad(scope, graph, w)  # E: grad(): `y` must be an operand, not Graph  [typegrad-call]
tg.gradients(scope, loss, [scope])  # E: gradients(): `xs` must hold operands, not Scope  [typegrad-call]
tg.gradients(scope, session, [w])  # E: gradients(): `ys` must be an operand, not Session  [typegrad-call]
tg.grad(scope, loss, w).eval()  # E: 'Operand' object has no attribute 'eval'; did you mean `session.run`?  [typegrad-call]
optimizer.apply_gradients(tg.grad(scope, loss, w))  # E: Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); write zip(gradients, variables)  [typegrad-call]
""",
    "variables of nothing": f"""
tg.Variable.create(scope, None)  # E: Variable.create(): {NO_VALUE}  [typegrad-call]
tg.Variable.create(scope, None, tg.TFloat32)  # E: Variable.create(): {NO_VALUE}  [typegrad-call]
tg.Variable.create(scope, initial_value=None)  # E: Variable.create(): {NO_VALUE}  [typegrad-call]
tg.Variable.create(scope)  # E: Variable.create(): {NO_VALUE}  [typegrad-call]
tf.variable(None)  # E: Ops.variable(): {NO_VALUE}  [typegrad-call]
tf.variable(1.0)
tg.Variable.create(scope=scope, initial_value=1.0)
tg.Variable.create(scope, shape=(2,), dtype=tg.TFloat32)
""",
    "data": """
from typegrad.training.data import Dataset
def joined(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.concatenate([x, y])
def first(xy: tuple[np.ndarray, np.ndarray], weight: float = 1.0) -> np.ndarray:
    return xy[0] * weight
data = Dataset.from_arrays(np.ones((4, 20), np.float32), np.zeros(4, np.int32))
step = optimizer.minimize(loss)
tg.training.fit(session, step, data, {x: data, labels: data}, epochs=1)  # E: fit(): argument `feeds` must be an Operand or a list of Operands, not dict; write the operands alone, in the order of the dataset's arrays: (x, y)  [typegrad-call]
data.map(lambda x, y: x)  # E: Dataset.map(): `function` takes one argument, the element, which is a tuple for several arrays; lambda xy: xy[0]  [typegrad-call]
data.map(joined)  # E: Dataset.map(): `function` takes one argument, the element, which is a tuple for several arrays; lambda xy: xy[0]  [typegrad-call]
data.map(first).map(len).map(str).map(lambda *parts: parts[0])
named = {"x": x, "logits": logits}
core.Concat.create(scope, named.values(), 1)  # E: Concat.create(): `values` is a list of operands, not dict_values; write list(...)  [typegrad-call]
core.Concat.create(scope, list(named.values()), 1)
core.Gather.create(scope, w, w.shape, 0)  # E: Gather.create(): `indices` is a shape, not a value; write x.shape.as_ints() for its sizes  [typegrad-call]
""",
    "as in Java or TensorFlow": """
core.Sum.keepDims(True)  # E: 'Sum' class has no attribute 'keepDims'; write Sum.create(scope, ..., keep_dims=...)  [typegrad-call]
core.Sum.create(scope, x, 0, core.Sum.keepDims(True))  # E: 'Sum' class has no attribute 'keepDims'; write Sum.create(scope, ..., keep_dims=...)  [typegrad-call]
core.Constant.scalarOf(1.0)  # E: 'Constant' class has no attribute 'scalarOf'; write Constant.create(scope, value)  [typegrad-call]
optimizer.learning_rate.assign(0.1)  # E: `learning_rate` of an optimizer cannot be set; what is built keeps its rate. Give the optimizer a variable as its rate, made with trainable=False: session.assign(rate, 0.01) changes it between steps  [typegrad-call]
with tg.Graph() as entered:  # E: a graph is not entered; write scope = tg.Scope(graph), and give the scope to operations  [typegrad-call]
    tg.Variable.create(tg.Scope(entered), 1.0)
with graph:  # E: a graph is not entered; write scope = tg.Scope(graph), and give the scope to operations  [typegrad-call]
    pass
with tg.Graph() as other, tg.Session(other) as of_other:  # E: a graph is not entered; write scope = tg.Scope(graph), and give the scope to operations  [typegrad-call]
    pass
with session, scope:
    x + 1.0
""",
    "one error": """
S = t.TypeVar("S", bound=tuple[int, ...])

def wide(y: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[5]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[5]]]:
    return y * linalg.Transpose.create(scope, y, (0, 0))  # E: Transpose: `perm` is [0, 0], but must name each dimension once  [typegrad-shape]

def wider(y: tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[5]]]) -> tg.Operand[tg.TFloat32, tuple[Batch, t.Literal[5]]]:
    return 1.0 - y - 2.0 * math.Sigmoid.create(y)  # E: Sigmoid.create(): argument `scope` must be a Scope, not Operand; it is called as Sigmoid.create(scope, x)  [typegrad-call]

narrow = x - 1.0
whole = narrow.expect(tg.TInt32, (Batch, 20))  # E: expect: narrow is float32, not int32; cast it with dtypes.Cast, or expect tg.TFloat32  [typegrad-dtype]
core.Gather.create(scope, x, whole, 0)
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
