"""What people write first who know TensorFlow, NumPy, JAX or PyTorch: the message says what to write instead.

Names that are not there are in `test_unknown_names.py`, Python's expressions in `tests/expressions`.
"""

from __future__ import annotations

import math
from typing import Any, Final, NewType

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, dtypes, linalg, nn, random
from typegrad.op import math as math_ops

Batch = NewType("Batch", int)

MISTAKES: Final = {
    # Building
    "tg.Session()": "Session() needs `graph`; it is called as Session(graph, auto_init=True, passes=None, threads=None)",
    "tg.session()": "did you mean `tg.Session`?",
    "tg.variable(1.0)": "did you mean `tg.Variable`?",
    "math_ops.add(x, x)": "is not a function; did you mean `math.Add`?",
    "tg.Variable(1.0)": "not float 1.0; write Variable.create(scope, initial_value=None, dtype=None, shape=None, trainable=True)",
    "tg.Variable(scope, 1.0)": "; write Variable.create(scope, initial_value=None, dtype=None, ",
    "tg.Variable()": "Variable() makes no Variable; write Variable.create(scope, initial_value=None, dtype=None, ",
    "tg.Variable.create(1.0)": "argument `scope` must be a Scope, not float 1.0; it is called as Variable.create(scope, ",
    'tg.Variable.create(scope, "w", array)': """such as tg.TFloat32; a name is given by scope.with_name("w")""",
    'tg.Variable.create(scope, array, "w")': """not str 'w'; that is a class of typegrad, such as tg.TFloat32; a name is given by""",
    'tg.Variable.create(scope, 1.0, name="w")': 'takes no argument `name`; write scope.with_name("w")',
    "tg.Ops(graph)": "; write Ops.create(graph_or_scope=None)",
    "tg.Ops.create(graph, scope)": "Ops.create() takes 1 argument by position, not 2; it is called as Ops.create(graph_or_scope=None)",
    "tg.Variable.create(scope, None)": "there is no initial value; give one, or shape=... and dtype=... for a variable without a value",
    "core.Sum.keepDims(True)": "'Sum' class has no attribute 'keepDims'; write Sum.create(scope, ..., keep_dims=...)",
    "core.Constant.scalarOf(1.0)": "'Constant' class has no attribute 'scalarOf'; write Constant.create(scope, value)",
    "graph.__enter__()": "a graph is not entered; write scope = tg.Scope(graph), and give the scope to operations",
    "core.Concat.create(scope, {'x': x}.values(), 0)": "takes a list of operands, not dict_values([<Placeholder 'x' TFloat32 [?, 3]>]); write list(...)",
    "core.Squeeze.create(scope, n, 0)": "attribute `axis` must be a list of int, but is 0; write [0]",
    "core.Squeeze.create(scope, n, [0], True)": "takes 3 arguments by position, not 4; it is called as Squeeze.create(scope, input, axis=())",
    "core.Constant(scope, 1.0)": "Constant() wraps a node that is there already; write Constant.create(scope, value, dtype=None)",
    "nn.Relu(x)": "Relu() wraps a node that is there already; write Relu.create(scope, features)",
    "nn.Relu(features=x)": "Relu() wraps a node that is there already; write Relu.create(scope, features)",
    "tg.Op(x)": "Op() wraps a node that is there already; core.NoOp.create and others make operations",
    "core.NoOp()": "NoOp() wraps a node that is there already; write NoOp.create(scope)",
    "core.Constant.create(graph, 1.0)": "argument `scope` must be a Scope, not Graph <Graph of ",
    "core.Placeholder.create(scope, float)": "`dtype` must be an element type, not float; write tg.TFloat32",
    'core.Placeholder.create(scope, "float32")': "`dtype` must be an element type, not 'float32'; write tg.TFloat32",
    "dtypes.Cast.create(scope, x, np.int32)": "`dst_t` must be an element type, not np.int32; write tg.TInt32",
    "core.Concat.create(scope, x, x, 0)": "takes 3 arguments by position, not 4; it is called as Concat.create(scope, values, axis)",
    "core.Concat.create(scope, [x, n], 0)": "input `values` holds float32 and int32; cast one with dtypes.Cast",
    "core.Reshape.create(scope, x, (2, None))": "got None; an unknown size is written -1",
    "core.Reshape.create(scope, x, (2, batches.shape[0]))": "`shape`: only a run knows the size Batch; write core.Shape.create(scope, x)[0] for it, or -1 for one size of a new shape",
    "core.Reshape.create(scope, x, [Batch, 1])": "`shape`: only a run knows the size Batch; write core.Shape.create(scope, x)[0] for it, or -1",
    "batches / (batches.shape[0] * 2)": "`y`: only a run knows the size 2*Batch; write core.Shape.create(scope, x)[0] for it",
    "core.Fill.create(scope, batches.shape, 0.0)": "`dims`: [Batch, 3] is a shape; write x.shape.as_ints() for known sizes, core.Shape.create(scope, x) for those in a run",
    "tg.Variable.create(scope, tg.Shape.of(2, 3), tg.TFloat32)": "the initial value is a shape, not a value; write shape=... and dtype=... for a variable without a value, functions.zeros(scope, shape) for zeros",
    "core.Constant.create(scope, tg.Shape.of(2, 3), tg.TFloat32)": "attribute `value`: [2, 3] is a shape, not a value; write x.shape.as_ints() for its sizes",
    "core.Constant.create(scope, [tg.Shape.of(2), tg.Shape.of(3)])": "attribute `value`: [2] is a shape, not a value; write x.shape.as_ints() for its sizes",
    "x * tg.Shape.of(2, 3)": "input `y`: [2, 3] is a shape; write x.shape.as_ints() for known sizes",
    "tg.Shape.of(3) * n": "input `x`: [3] is a shape; write x.shape.as_ints() for known sizes",
    "core.Fill.create(scope, [2], tg.Shape.of())": "input `value`: [] is a shape; write x.shape.as_ints() for known sizes",
    "core.Reshape.create(scope, x, -1)": "`shape` must have rank 1, but has shape []; write [x] for one",
    "linalg.BatchMatMul.create(scope, x, n)": "has no attribute 'BatchMatMul'; did you mean `train.BatchMatMul`",
    "nn.Softmax.create(scope, x, axis=1)": "Softmax.create() takes no argument `axis`; did you mean `tg.functions.softmax`?",
    "random.RandomUniform.create(scope, (2,), tg.TFloat32, minval=0.0)": "takes no argument `minval`; did you mean `tg.functions.uniform`?",
    "random.TruncatedNormal.create(scope, (2,), tg.TFloat32, stddev=0.1)": "did you mean `tg.functions.truncated_normal`?",
    'nn.Conv2d.create(scope, x, v, strides=1, padding="SAME")': "attribute `strides` must be a list of int, but is 1. The step of the filters in each dimension: 4 integers in the order of `data_format`, 1 for batch and channels\n",
    'nn.AvgPool.create(scope, x[None, None], 2, [1, 2, 2, 1], "SAME")': "attribute `ksize` must be a list of int, but is 2. The size of the window: 4 integers in the order of ",
    'nn.MaxPool.create(scope, x[None, None], 2, 2, "SAME")': "`ksize` must be 4 positive numbers, one for each dimension, but is one number; write [1, 2, 2, 1]",
    'nn.MaxPool.create(scope, x[None, None], [1, 1, 2, 2], 2, "SAME", data_format="NCHW")': "`strides` must be 4 positive numbers, one for each dimension, but is one number; write [1, 1, 2, 2]",
    "linalg.MatMul.create(scope, x[None], x)": "`a` must have rank 2, but has shape [1, ?, 3]; a @ b multiplies stacks of matrices",
    "linalg.MatMul.create(scope, x, x[None], transpose_b=True)": "shape [1, ?, 3]; train.BatchMatMul, with adj_x and adj_y to transpose, multiplies stacks",
    "x @ f": "`y` must have rank 2 or more, but has shape [3]; core.ExpandDims adds a dimension",
    "n + True": "the Python bool True is not int32; write an int",
    "math_ops.Exp.create(scope, 2)": "float64, complex64 or complex128; write a float",
    "n + 2**40": "1099511627776 is beyond int32, which holds -2147483648..2147483647; use a wider type, such as tg.TInt64",
    "n + 2**63": "; use a wider type, such as tg.TUint64",
    "n + 2**64": "18446744073709551616 is beyond int32, which holds -2147483648..2147483647; write a float",
    "core.Constant.create(scope, [2**63, -1])": "9223372036854775808 is beyond int32, which holds -2147483648..2147483647; write a float",
    "x + 10**400": "an integer of 1329 bits is beyond float64, which holds up to 1.7976931348623157e+308",
    "x + [[1, 2, True]]": "[[1, 2, True]] holds bools and numbers; write bools only, or numbers only, as 1 for True",
    "session.run(x, {x: [[True, 0.0, 0.0]]})": "holds bools and numbers; write bools only",
    "random.RandomUniformInt.create(scope, (3,), 0, 5.0)": "input `maxval`: the Python float 5.0 is float32, but must be int32 or int64; write an int",
    "math_ops.AddN.create(scope, [1, 2.5, 'a'])": "input `inputs[2]`: the Python str 'a' is not float32; write a float",
    "core.Concat.create(scope, [np.ones(2), np.ones(2, 'f')], 0)": "input `values[1]`: an array of float32 is not float64; convert it",
    "core.Concat.create(scope, [x] * 20 + [v], 0)": "`values` must agree in all dimensions but 0: values[20] has shape [3, 1], but values[0] has [?, 3]: dimensions 3 and 1 differ\n",
    "core.Concat.create(scope, [x] * 20 + [f], 0)": "`values` differ in rank: values[20] has shape [3], but values[0] has [?, 3]",
    "core.Stack.create(scope, [f] * 20 + [v])": "`values` must have one shape: values[20] has shape [3, 1], but values[0] has [3]: ",
    "core.Concat.create(scope, x, 0)": "takes a list of operands, not Placeholder <Placeholder 'x' TFloat32 [?, 3]>; write [x, ...]",
    "x[:, 6 / 2]": "not by float 3.0; write // to divide integers, or int(...)",
    "core.Pad.create(scope, x, [1, 1])": "`paddings` must have rank 2, but has shape [2]; write [[before, after], ...], a pair for each dimension",
    "x.assign(scope, array)": "a placeholder has no value to change: session.run(y, {x: value}) gives it one for a run",
    "(v + 1.0).assign(scope, 1.0)": "'AddV2' object has no attribute 'assign'; a variable has it, and `w += x` makes a sum: write w.assign_add(scope, x)",
    "tg.Variable.create(scope, tg.initializers.GlorotUniform())": "an initializer makes the value: initializer(scope, (2, 3), tg.TFloat32)",
    "tg.Variable.create(scope, tg.initializers.GlorotUniform(), shape=(2, 3))": "an initializer makes the value: initializer(scope,",
    "graph.operation('x:0')": "no operation is called 'x:0'; that is an output: graph.output('x:0')",
    "session.run('q')": " operations, which print(graph.to_text()) lists",
    "core.Constant.create(scope, np.array([1, None], object))": "a string is str or bytes, not int 1; an array of object holds strings: convert one of numbers with astype",
    "session.run(x, {x: (1.0 for _ in range(3))})": " is not float32; write list(...)",
    "tg.from_numpy(array)": "; it is about array.dtype; core.Constant.create(scope, array) makes an operand",
    "split + 1": "is not an operand; take one of its outputs: .output[0]",
    "top + 1": "is not an operand; take one of its outputs: .values, .indices",
    "train + 1": "has no output",
    # Values that are not there yet
    "float(loss)": "has no value before the run; session.run gives an array",
    "math.sqrt(loss)": "has no value before the run; session.run gives an array",
    'f"{loss:.3f}"': "has no value before the run; session.run gives an array",
    "range(n[0])": "has no value before the run; session.run gives an array",
    "np.sin(x)": "np.sin takes arrays, and <Placeholder 'x' TFloat32 [?, 3]> has no value before the run; did you mean `math.Sin` ",
    "np.mean(x)": "np.mean takes arrays, and <Placeholder 'x' TFloat32 [?, 3]> has no value before the run; did you mean `math.Mean` ",
    "np.hypot(x, x)": "TFloat32 [?, 3]> has no value before the run; session.run gives an array",
    "array.__iadd__(x)": "changes no array in place, as it has no value before the run; write a = a + x for a += x",
    "1 if x > 0 else 2": "has no truth value while the graph is built; use core.Select to choose by value",
    "[each for each in x]": "cannot be iterated while the graph is built; core.Unstack makes a list of operands",
    "len(x)": "has no length; write x.shape[0] for the static size, core.Shape.create(scope, x)[0] for the size in a run",
    "x.__setitem__(0, 1)": "is not written by index; core.Select makes a new value of two, and core.ResourceStridedSliceAssign writes a part of a variable",
    "round(x)": "is not rounded by round; write math.Round.create(scope, x)",
    "divmod(x, 2)": "is not divided by divmod; write x // y and x % y",
    "n << 1": "is not shifted by an operator; bitwise.LeftShift and bitwise.RightShift shift integers",
    "+x": "has no unary +; leave it out",
    "x[[True, False]]": "a mask is an array, and the only index: x[np.array([True, False])]",
    "len(unknown.shape)": "the rank must be known here, but the shape is unknown; state it with `x.expect(x.dtype, (None, 3))`",
    "x.shape.as_ints()": "every dimension of [?, 3] must be known here; x.shape[-1:].as_ints() needs the last one alone, core.Shape has all in a run",
    "tg.Shape(2, 3)": "Shape() takes 1 argument by position, not 2; it is called as Shape(dims), with a tuple of sizes; tg.Shape.of(2, 3) takes them one by one",
    # What does not change
    "scope.__setattr__('seed', 3)": "> cannot be set; write scope.with_seed(3)",
    "scope.__setattr__('device', '/gpu:0')": 'cannot be set; write scope.with_device("/cpu:0")',
    "scope.__setattr__('control_inputs', ())": "cannot be set; write scope.with_control_dependencies([op])",
    "scope.__setattr__('path', 'a')": 'cannot be set; write scope.with_sub_scope("layer")',
    "scope.__setattr__('sead', 3)": "'Scope' object has no attribute 'sead'; did you mean `.seed`?",
    "graph.__setattr__('seed', 'x')": "cannot be set; write tg.Graph(seed=1), or create operations in scope.with_seed(1)",
    "graph.__setattr__('seeds', 5)": "'Graph' object has no attribute 'seeds'; did you mean `.seed`?",
    "loss.op.__setattr__('name', 'loss')": "`name` of <Operation 'Sum' Sum> cannot be set; create it in scope.with_name(\"y\")",
    "loss.op.__setattr__('inputs', ())": "cannot be set; it is what this Operation was made with; make another one",
    "loss.op.__setattr__('device', '/cpu:0')": 'cannot be set; create it in scope.with_device("/cpu:0")',
    "loss.op.__setattr__('control_inputs', ())": "cannot be set; create it in scope.with_control_dependencies([op])",
    "v.__setattr__('trainable', False)": "`trainable` of <Variable 'v' TFloat32 [3, 1]> cannot be set; write Variable.create(scope, value, trainable=False), or minimize(loss, var_list=[...])",
    "v.__setattr__('name', 'w')": 'cannot be set; create it in scope.with_name("y")',
    "session.__setattr__('graph', graph)": "cannot be set; it is what this Session was made with; make another one",
    "session.__setattr__('foo', 3)": "'Session' object has no attribute 'foo'",
    "optimizer.__setattr__('learning_rate', 0.01)": "`learning_rate` of <Adam 'Adam', learning rate 0.1> cannot be set; what is built keeps its rate. Give the optimizer a variable as its rate, made with trainable=False: session.assign(rate, 0.01) changes it between steps",
    "optimizer.__setattr__('beta_1', 0.5)": "`beta_1` of <Adam 'Adam', learning rate 0.1> cannot be set; it is what this Adam was made with; make another one",
    "optimizer.__setattr__('clip', None)": "`clip` of <Adam 'Adam', learning rate 0.1> cannot be set",
    "optimizer.__setattr__('learning_rat', 0.01)": "'Adam' object has no attribute 'learning_rat'; did you mean `.learning_rate`?",
    # Runs
    "session.run(loss)": "must be fed, because",
    "session.callable(loss, [x])(x=array)": "a value for each of ['x:0'] is needed, in this order, but `x` is given by name",
    "session.callable(x * 2.0, [x])(array, rate=1.0)": "a value for each of ['x:0'] is needed, in this order, but `rate` is given by name",
    "session.run(loss, array)": "; write {x: value}",
    "session.run({x: array}, loss)": "; write {x: value}, after what to fetch",
    "session.run(loss, feed={x: array})": "Session.run() takes no argument `feed`; did you mean `feeds`?",
    "session.run(1.0)": "a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not float 1.0",
    "session.run(tg.Variable)": "not type Variable; call it when the graph is built, and fetch what it returns",
    "session.run(optimizer)": "not Adam <Adam 'Adam', learning rate 0.1>; minimize(loss) makes a step of it",
    "session.run(loss, {x: np.ones((2, 3))})": "an array of float64 is not float32; convert it with astype(np.float32)",
    "session.run(loss, {x: np.ones((2, 4), np.float32)})": "has shape [2, 4], which does not fit [?, 3]",
    "session.run(n, {n: 2**40})": "1099511627776 is beyond int32, which holds -2147483648..2147483647; use a wider type, such as tg.TInt64",
    "core.Sum.create(scope, loss, 0)": "`axis` is 0, but a scalar has no axis",
    "nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, n, x)": "input `features` is int32 and `labels` is float32; swap them",
    "core.Sum.create(scope, 1, x)": "input `input` is 1 and `axis` is float32; swap them",
    "core.Split.create(scope, x, 1, num_split=3)": "input `axis` is float32 and `value` is 1; swap them",
    "core.Split.create(scope, x, 3, 1)": "input `axis` is float32; the order is Split.create(scope, axis, value, num_split)",
    "tg.losses.SparseCategoricalCrossentropy()(scope, x, n)": "SparseCategoricalCrossentropy: y_true is float32 and y_pred is int32; swap them",
    "tg.functions.zeros(scope, (x.shape[0], 8))": "argument `shape[0]` must be an int or an Operand, not None; core.Shape.create(scope, x)[0] is a size that is known in a run alone",
    "x + scope": "> is not float32; give an operand, a number or an array",
    "n / x": "): cast it with dtypes.Cast",
    "core.Split.create(scope, x, 2, 1)": "input `axis` is float32; the order is Split.create(scope, axis, value, num_split)",
    "core.Fill.create(scope, 0.5, (2, 3))": "input `dims` is 0.5 and `value` is (2, 3); swap them",
    "core.Concat.create(scope, 1, [x, x])": "input `values` is 1 and `axis` is a list of 2 operands; swap them",
    "core.Select.create(scope, x, x > 0, x)": "input `condition` is float32 and `t` is bool; swap them",
    "core.Gather.create(scope, n, f, 0)": "input `indices` is float32, but must be int16, int32 or int64; cast it with dtypes.Cast, or swap `params` and `indices`",
    "nn.BiasAdd.create(scope, f, x)": "`value` has shape [3] and `bias` has shape [?, 3]; swap them",
    "tg.grad(scope, loss, v).eval()": "'Operand' object has no attribute 'eval'; did you mean `session.run`?",
    "tg.functions.softmax(scope, n)": "softmax: logits is int32, but must be bfloat16, float16, float32 or float64; cast it with dtypes.Cast",
    "tg.functions.sequence_mask(scope, f, 3)": "sequence_mask: lengths is float32, but must be int32 or int64; cast it with dtypes.Cast",
    "tg.losses.mean_squared_error(scope, f, n)": "mean_squared_error: y_pred is int32, but must be bfloat16, float16, float32 or float64; cast it",
    "tg.grad(scope, loss, [v, x])": "must be an Operand, not list [<Variable 'v' TFloat32 [3, 1]>, <Placeholder 'x' TFloat32 [?, 3]>]; tg.gradients takes several",
    "tg.jacobian(scope, x, [v])": "; it differentiates with respect to one; call it for each",
    "session.value(x)": "must be a Variable, not Placeholder <Placeholder 'x' TFloat32 [?, 3]>; session.run(x, feeds) takes any operand",
    # Training
    "tg.training.fit(session, loss, array, x, epochs=1)": "argument `step` must be an Operation or an Op, not Sum <Sum 'Sum' TFloat32 []>; minimize(loss) of an optimizer makes the step",
    "tg.training.fit(session, loss.op, (array, array), x, epochs=1)": "; tg.data.Dataset.from_arrays(x, y) makes one",
    "tg.training.fit(session, train, tg.data.Dataset.from_arrays(array), x, epochs=1)": "fit: an element is (float32 [3]), but the feeds are (float32 [?, 3]); write dataset.batch(32)",
    "tg.training.fit(session, train, tg.data.Dataset.from_arrays(array), {x: array}, epochs=1)": "not dict of 1 item; write the operands alone, in the order of the dataset's arrays: (x, y)",
    "tg.data.Dataset.from_arrays(array, array).map(lambda x, y: x)": "map: `function` takes one argument, the element, which is a tuple for several arrays; lambda xy: xy[0]",
    "tg.data.Dataset.from_arrays(array).take(1)": "Index or concatenate the arrays before, or write a generator function",
    "tg.metrics.MeanSquaredError(scope)(scope, x, x)": "MeanSquaredError is not called again; update_state(scope, ...) makes the operation that adds a batch, result(scope) the operand",
    "tg.metrics.MeanSquaredError(scope, tg.TFloat32, x)": "not 3; it is called as MeanSquaredError(scope, dtype=None)",
    "core.Print.create(scope, x)": "input `input` must be string, but is float32; tg.functions.print prints arrays; dtypes.AsString makes strings of them",
    "tg.functions.norm(scope, x, keep_dims=True)": "norm() takes no argument `keep_dims`; did you mean `keepdims`?",
    "math_ops.Mean.create(scope, x, 0, keepdims=True)": "Mean.create() takes no argument `keepdims`; did you mean `keep_dims`?",
    "tg.losses.SparseCategoricalCrossentropy(x, n)": "argument `from_logits` must be a bool, not Placeholder <Placeholder 'x' TFloat32 [?, 3]>; it is called as SparseCategoricalCrossentropy(from_logits=False, ignore_class=None, reduction=Reduction.SUM_OVER_BATCH_SIZE), and what it makes as SparseCategoricalCrossentropy(...)(scope, y_true, y_pred, sample_weight=None)",
    "tg.data.Dataset(array, array)": "Dataset(): argument `elements` must be a function, not an array of float32 [2, 3]; tg.data.Dataset.from_arrays(x, y) makes a dataset of arrays",
    "nn.Softmax.create(scope, x, dim=1)": "Softmax.create() takes no argument `dim`; did you mean `tg.functions.softmax`?",
    "graph.to_text(x)": "it is called as Graph.to_text(depth=None, ...); y=operand marks what leads to it",
    "graph.show(x)": "must be a string or a path or None, not Placeholder <Placeholder 'x' TFloat32 [?, 3]>; to draw what an operand depends on, write show(y=operand)",
    "optimizer.minimize(lambda: loss)": "; call it when the graph is built: what it returns may be one",
    "optimizer.minimize(loss, ['D/w'])": "; [v for v in graph.variables if v.name == 'D/w'] holds the one of that name",
    "tg.optimizers.Adam(graph, amsgrad=True)": "Adam takes no option `amsgrad`; tg.optimizers.AMSGrad has it",
    "tg.optimizers.Adam(graph, decay=0.1)": "a schedule has it: tg.optimizers.ExponentialDecay(0.1, 1000, 0.9)",
    "tg.optimizers.Adam(graph, use_ema=True)": "tg.optimizers.ExponentialMovingAverage averages variables",
    "tg.optimizers.Adam(graph, gradient_accumulation_steps=4)": "train.ResourceConditionalAccumulator accumulates gradients",
    "core.Constant.create(scope, [1, 'a'])": "the elements of a value are numbers, or strings, not both; got int 1 first",
    "tg.optimizers.Adam(graph, clipnorm=1.0)": "Adam takes no option `clipnorm`; write clip=tg.optimizers.ClipByNorm(1.0)",
    "tg.optimizers.GradientDescent(graph, 0.1, momentum=0.9)": "takes no option `momentum`; tg.optimizers.Momentum has it",
    "tg.losses.SparseCategoricalCrossentropy()(scope, f, x)": "SparseCategoricalCrossentropy: y_true is float32, but must be int8, int16, int32, int64, uint8, uint16, uint32 or uint64; cast it",
    "v.assign(v)": "must be a Scope, not Variable <Variable 'v' TFloat32 [3, 1]>; it is called as Variable.assign(scope, value), which makes an operation; session.assign(variable, value) sets the value now",
    "v.assign_add(1.0)": "argument `scope` must be a Scope, not float 1.0; it is called as Variable.assign_add(scope, value)",
    "tg.functions.normal(scope, (2,), men=0.0)": "did you mean `mean`?",
    "tg.functions.normal((2,))": "it is called as normal(scope, shape, mean=0.0, stddev=1.0, dtype=tg.TFloat32, seed=None)",
    "core.Where.create(scope, x > 0, x, x)": "Where.create() takes 2 arguments by position, not 4; did you mean `core.Select` (from typegrad.op import core)?",
    "tf.where(x > 0, x, x)": "Ops.where() takes 1 argument by position, not 3; did you mean `tf.select`?",
    "tg.gradients(loss, [v])": "must be a Scope, not Sum <Sum 'Sum' TFloat32 []>; it is called as gradients(scope, ys, xs, ",
    "tg.losses.MeanSquaredError()(x, x)": "it is called as MeanSquaredError(scope, y_true, y_pred, sample_weight=None)",
    "tg.losses.MeanSquaredError(scope, x, x)": ", and what it makes as MeanSquaredError(...)(scope, y_true, y_pred, sample_weight=None)",
    "tg.initializers.GlorotUniform(scope, (3, 3))": ", and what it makes as GlorotUniform(...)(scope, shape, dtype)",
    "optimizer.apply_gradients(zip([v], [x]))": "; swap them",
    "optimizer.apply_gradients([loss])": "; write zip(gradients, variables) for pairs",
    "optimizer.apply_gradients(loss)": "; write zip(gradients, variables) for pairs",
    "optimizer.minimize(loss, iter([v]))": "; write list(...)",
    "optimizer.minimize(loss, [x])": "argument `var_list[0]` must be a Variable, not Placeholder",
    "tg.optimizers.GradientDescent(graph, '0.1')": "not str '0.1'; a function is a schedule, such as tg.optimizers.CosineDecay(0.1, 1000)",
    "tg.optimizers.GradientDescent(graph, None)": "must be a number or an Operand or a function, not None; a function is a schedule",
    "tg.optimizers.Adam(graph, clip=1.0)": "must be a function or None, not float 1.0; tg.optimizers.ClipByNorm(1.0) is one",
    "optimizer.minimize(loss, [])": "there are no variables to train: `var_list` is empty; leave it out to train all trainable ones",
    "session.value('v')": "must be a Variable, not str 'v'; session.run(x, feeds) takes any operand, several in a list or mapping, and names",
    "session.assign('v', array)": "; [v for v in graph.variables if v.name == 'v'] holds the one of that name",
    "session.assign({'v': array})": "not str 'v'; {v: values[v.name] for v in graph.variables} has them as keys",
    "tg.optimizers.Adam(graph, lr=0.1)": "Adam takes no option `lr`; did you mean `learning_rate`?",
    "tg.data.Dataset.from_tensor_slices(array)": "'Dataset' class has no attribute 'from_tensor_slices'; did you mean `.from_arrays`?",
}  # fmt: skip


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What the mistakes are made with."""
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(None, 3))
    v = tg.Variable.create(scope.with_name("v"), np.zeros((3, 1), np.float32))
    loss = core.Sum.create(scope, x @ v)
    optimizer = tg.optimizers.Adam(graph, 0.1)
    math_ops.Add.create(scope, x, x)
    return {
        "Batch": Batch,
        "array": np.ones((2, 3), np.float32),
        "batches": core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 3)),
        "core": core,
        "dtypes": dtypes,
        "f": core.Placeholder.create(scope, tg.TFloat32, shape=(3,)),
        "graph": graph,
        "linalg": linalg,
        "loss": loss,
        "math": math,
        "math_ops": math_ops,
        "n": core.Placeholder.create(scope, tg.TInt32, shape=(3,)),
        "nn": nn,
        "np": np,
        "optimizer": optimizer,
        "random": random,
        "scope": scope,
        "session": tg.Session(graph),
        "split": core.Split.create(scope, 1, x, num_split=3),
        "tf": tg.Ops.create(graph),
        "tg": tg,
        "top": nn.TopK.create(scope, x, 2),
        "train": optimizer.minimize(loss),
        "unknown": core.Placeholder.create(scope, tg.TFloat32),
        "v": v,
        "x": x,
    }


@pytest.mark.parametrize("written", MISTAKES)
def test_the_message_says_what_to_write(written: str, names: dict[str, Any]) -> None:
    with pytest.raises((tg.TypegradError, TypeError)) as caught:
        eval(written, names)
    assert MISTAKES[written] in str(caught.value)


def test_a_misspelt_option_is_all_that_the_message_is_about(names: dict[str, Any]) -> None:
    with pytest.raises(tg.OptionError, match=r"did you mean `decay_steps`\?$"):
        eval("tg.optimizers.ExponentialDecay(0.1, decay_step=100)", names)


def test_numpy_leaves_operators_to_operands(names: dict[str, Any]) -> None:
    x, array = names["x"], names["array"]
    assert isinstance(array + x, math_ops.AddV2) and isinstance(np.add(x, array), math_ops.AddV2)
    assert isinstance(np.float32(2) * x, math_ops.Mul) and isinstance(array > x, math_ops.Less)
    assert array != x and not np.equal(array, x) and np.equal(x, x)
