"""A call that fits no overload of a function is reported in one line, in the words of the error at run time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import check
from typegrad.base.sameness import NO_VALUES

FETCH: Final = "Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not "
CALLED: Final = "call it when the graph is built, and fetch what it returns"
LISTED: Final = "write list(...) to fetch its items"

ANSWERS: Final = {
    # Runs
    "session.run()": "Session.run() needs `fetches`; it is called as Session.run(fetches, feed_dict=None)",
    "session.run(x, feed={x: array})": "Session.run() takes no argument `feed`; did you mean `feed_dict`?",
    "session.run(x, feeds={x: array})": "Session.run() takes no argument `feeds`; did you mean `feed_dict`?",
    "session.run(x, x=array)": "Session.run() takes no argument `x`; it takes `feed_dict`, `fetches`",
    "session.run(x, x, {x: array})": "Session.run() takes 2 arguments by position, not 3; it is called as Session.run(fetches, feed_dict=None)",
    "session.run(x, x)": "Session.run(): feeds maps operands to values, but is Placeholder[TFloat32, tuple[Any, Literal[3]]]; write {x: value}",
    "session.run(x, 1.0)": "Session.run(): feeds maps operands to values, but is float; write {x: value}",
    "session.run(x, Record)": "Session.run(): feeds maps operands to values, but is a class; write {x: value}",
    "session.run(x, dict)": "Session.run(): feeds maps operands to values, but is a class; write {x: value}",
    "session.run(x, print)": "Session.run(): feeds maps operands to values, but is a function; write {x: value}",
    "session.assign(v)": "session.assign takes a variable and its value, or a mapping alone",
    "session.assign({v: 1.0}, 2.0)": "session.assign takes a variable and its value, or a mapping alone",
    "session.run(1.0)": FETCH + "float",
    "session.run([x, 1.0])": FETCH + "float",
    "session.run((x, [1, x]))": FETCH + "int",
    "session.run(x == 1.0)": FETCH + "bool; " + NO_VALUES,
    "session.run([x, (x != v) & (x == x)])": FETCH + "bool; " + NO_VALUES,
    "session.run(several)": "Session.run(): several may be a list or a tuple, and so may the result; write [*several]",
    "session.run(graph)": FETCH + "Graph",
    "session.run(adam)": FETCH + "Adam; minimize(loss) makes a step of it",
    "session.run(tg.Variable)": FETCH + "a function or a class; " + CALLED,
    "session.run(lambda: x)": FETCH + "a function or a class; " + CALLED,
    "session.run((each for each in several), feeds)": FETCH + "Generator; " + LISTED,
    "session.run([x, iter(several)])": FETCH + "Iterator; " + LISTED,
    "session.run(map(str, several))": FETCH + "map; " + LISTED,
    "session.run({x, v})": FETCH + "set",
    # What is made
    "core.Constant.create(1.0)": "Constant.create(): argument `scope` must be a Scope, not float; it is called as Constant.create(scope, value, dtype=None)",
    "core.Constant.create(graph, 1.0)": "Constant.create(): argument `scope` must be a Scope, not Graph; write tg.Scope(graph)",
    "core.Constant.create(scope, 1.0, 'float64')": "Constant.create(): `dtype` must be an element type, not a string; write tg.TFloat64",
    "core.Constant.create(scope, {'a': 1})": "Constant.create(): `value` is a number, bool, string, (nested) list or array of them, not dict[str, int]",
    "core.Constant.create(scope, graph)": "Constant.create(): `value` is a number, bool, string, (nested) list or array of them, not Graph",
    "core.Placeholder.create(scope, float)": "Placeholder.create(): `dtype` must be an element type, not float; write tg.TFloat32",
    "core.Placeholder.create(scope, np.float64)": "Placeholder.create(): `dtype` must be an element type, not np.float64; write tg.TFloat64",
    "core.Placeholder.create(scope, np.int32, shape=(2,))": "Placeholder.create(): `dtype` must be an element type, not np.int32; write tg.TInt32",
    "core.Placeholder.create(tg.TFloat32, shape=(2,))": "Placeholder.create(): argument `scope` must be a Scope, not a class; it is called as Placeholder.create(scope, dtype, shape=None)",
    "core.Placeholder.create(scope, tg.TFloat32, (2,), 3)": "Placeholder.create() takes 3 arguments by position, not 4; it is called as Placeholder.create(scope, dtype, shape=None)",
    "tg.Variable.create(1.0)": "Variable.create(): argument `scope` must be a Scope, not float; it is called as Variable.create(scope, initial_value=None, dtype=None, shape=None, trainable=True)",
    "v.assign(1.0)": "Variable.assign(): argument `scope` must be a Scope, not float; it is called as Variable.assign(scope, value), which makes an operation; session.assign(variable, value) sets the value now",
    "v.assign(v, 1.0)": "Variable.assign(): argument `scope` must be a Scope, not Variable; it is called as Variable.assign(scope, value), which makes an operation; session.assign(variable, value) sets the value now",
    "tf.where(x > 0, x, x)": "Ops.where() takes 1 argument by position, not 3; did you mean `tf.select`?",
    'tg.Variable.create(scope, 1.0, name="v")': 'Variable.create() takes no argument `name`; write scope.with_name("v")',
    "tg.Variable.create(scope, {'a': 1})": "Variable.create(): `initial_value` is a number, bool, string, (nested) list or array of them, not dict[str, int]",
    'tf.variable(1.0, name="w")': 'Ops.variable() takes no argument `name`; write tf.with_name("w")',
    "tf.constant(1.0, dtype=float)": "Ops.constant(): `dtype` must be an element type, not float; write tg.TFloat32",
    "tf.placeholder(tg.TFloat32, (2,), 3)": "Ops.placeholder() takes 2 arguments by position, not 3; it is called as Ops.placeholder(dtype, shape=None)",
    "dtypes.Cast.create(scope, x, 'int32')": "Cast.create(): `dst_t` must be an element type, not a string; write tg.TInt32",
    "core.Sum.create(scope, x, dim=0)": "Sum.create() takes no argument `dim`; did you mean `axis`?",
    "math.Add.create(x, x)": "Add.create(): argument `scope` must be a Scope, not Placeholder; it is called as Add.create(scope, x, y)",
    "nn.Softmax.create(scope, x, axis=0)": "Softmax.create() takes no argument `axis`; did you mean `tg.functions.softmax`?",
    # Functions with overloads
    "tg.Variable.create(scope, x, tg.TFloat64)": "Variable.create(): the initial value is float32, but `dtype` is float64; cast it with dtypes.Cast",
    "tf.variable(x, dtype=tg.TInt32)": "Ops.variable(): the initial value is float32, but `dtype` is int32; cast it with dtypes.Cast",
    "tg.hvp(scope, v * v, [v], v)": "hvp(): vs is a list or tuple; write [v] for one operand, not Variable",
    "tg.hvp(scope, v * v, xs=(v,), vs=1.0)": "hvp(): vs is a list or tuple; write [x] for one operand, not float",
    "tg.hvp(scope, v * v, [v], None)": "hvp(): vs is a list or tuple; write [x] for one operand, not None",
    "tg.hvp(scope, v * v, [v], array)": "hvp(): vs is a list or tuple; write [array] for one operand, or list(array) for the rows, not an array",
    "adam.apply_gradients(zip([array], [v]))": "Adam.apply_gradients(): argument `grads_and_vars[0][0]` must be an Operand or None, not an array; wrap a value in core.Constant, or take one output of an operation that has several",
    "functions.eye(x)": "eye(): argument `scope` must be a Scope, not Placeholder; it is called as eye(scope, num_rows, num_columns=None, batch_shape=(), dtype=tg.TFloat32)",
    "functions.eye(scope, None)": "eye(): `num_rows` must be an integer, not None",
    "functions.eye(scope, [1, 2])": "eye(): `num_rows` must be an integer, not a list of integers",
    "functions.eye(scope, 2, tg.TFloat32)": "eye(): `num_columns` must be an operand or a value, not type tg.TFloat32",
    "functions.eye(scope, 2, scope)": "eye(): `num_columns` must be an operand or a value, not a Scope",
    "functions.reduce_std(scope, x, x)": "reduce_std(): `axis` must be an int or a list of ints or None, not an operand",
    "functions.norm(scope, None)": "norm(): `x` must be an operand or a value, not None",
    "functions.uniform(scope, (2,), 0.0, 1.0, None)": "uniform(): `dtype` must be an element type, not None; that is a class of typegrad, such as tg.TFloat32",
    "functions.uniform(scope, (2,), 0.0, 1.0, scope)": "uniform(): `dtype` must be an element type, not a Scope; that is a class of typegrad, such as tg.TFloat32",
    "tg.Variable.create(scope, 1.0, trainable=x)": "Variable.create(): `trainable` must be a bool, not an operand",
    "tg.Variable.create(scope, 1.0, dtype=scope)": "Variable.create(): `dtype` must be an element type, not a Scope; that is a class of typegrad, such as tg.TFloat32",
    "core.Placeholder.create(scope, tg.TFloat32())": "TFloat32 is a type marker: pass the class itself, as in dtype=TFloat32",
    "core.Placeholder.create(scope, tg.TFloat32, x)": "Placeholder.create(): `shape` is a tuple of sizes, such as (3, 5) or (None, 5), not an operand",
    "session.callable(7, [x])": FETCH.replace("run", "callable") + "int",
    "session.callable(x, None)": "Session.callable(): `feeds` must be a list of Operands or strings, not None; wrap a value in core.Constant, or take one output of an operation that has several",
    "session.assign(None, 1.0)": "Session.assign(): `variable` must be a Variable or a mapping, not None; tg.Variable.create makes one",
    "session.assign(v, x)": "Session.assign(): the value for a variable is an operand; give the array that session.run gave for it",
    "session.assign(v, None)": "Session.assign(): the value for a variable is None, but must be an array, a number, or a list of such",
    "session.assign(v, tg.TFloat32)": "Session.assign(): the value for a variable is a class, but must be an array, a number, or a list of such",
    "functions.one_hot(scope, tg.TFloat32, 3)": "one_hot(): `indices` must be an operand or a value, not type tg.TFloat32",
    "functions.one_hot(scope, [1], scope)": "one_hot(): `depth` must be an operand or a value, not a Scope",
    "functions.one_hot(scope, [1], 3, tg.TFloat32)": "one_hot(): `on_value` must be an operand or a value, not type tg.TFloat32",
    "core.Shape.create(scope, tg.TFloat32)": "Shape.create(): `input` must be an operand or a value, not type tg.TFloat32",
    "core.Constant.create(scope, x)": "Constant.create(): `value` is an operand, which has no value before the run; session.run gives an array",
    "tg.data.Dataset.from_arrays('a')": "Dataset.from_arrays(): argument `arrays` must be a NumPy array, not str; np.asarray makes one",
    "tg.data.Dataset.from_arrays(array, x)": "Dataset.from_arrays(): argument `arrays` must be a NumPy array, not an operand; np.asarray makes one",
    # Optimizers
    "adam.minimize(v, var_list=[vs, vs])": "Adam.minimize(): `var_list[0]` must be a Variable, not a list; write [*vs, ...] to join lists",
    "adam.minimize(v, [v, (v,)])": "Adam.minimize(): `var_list[1]` must be a Variable, not a tuple; write [*xs, *ys] to join lists",
    "adam.minimize(v, lists)": "Adam.minimize(): `var_list[0]` must be a Variable, not a list; write [*xs, *ys] to join lists",
    "adam.minimize(v, [[x], [v]])": "Adam.minimize(): `var_list[0]` must be a Variable, not a list; it takes one at a time",
    "adam.minimize(v, [v, v.assign(scope, v)])": "Adam.minimize(): `var_list[1]` must be a Variable, not an operation",
    "adam.minimize(v, [v.op])": "Adam.minimize(): `var_list[0]` must be a Variable, not an operation",
    "session.value(v.assign(scope, v))": "Session.value(): `variable` must be a Variable, not an operation",
    "session.value(vs)": "Session.value(): `variable` must be a Variable, not a list; it takes one at a time",
    "adam.compute_gradients(v, 'D')": "Adam.compute_gradients(): `var_list` is a list of variables, not str; [v for v in graph.variables if f'{v.name}/'.startswith('D/')] holds those of that name or scope",
    "adam.apply_gradients([[v, x]])": "Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); swap them",
    "adam.apply_gradients([[x, x]])": "Adam.apply_gradients(): `grads_and_vars[0][1]` must be a Variable, not an operand",
    "adam.apply_gradients([[1.0, v]])": "Adam.apply_gradients(): argument `grads_and_vars[0][0]` must be an Operand or None, not float 1.0; wrap a value in core.Constant, or take one output of an operation that has several",
    "adam.apply_gradients([x])": "Adam.apply_gradients(): `grads_and_vars` is a list of pairs (gradient, variable); write zip(gradients, variables)",
    "tg.optimizers.RMSProp(graph, 0.1, decay=0.9)": "RMSProp takes no option `decay`; TensorFlow 1's `decay` of the squares is `rho`; a schedule lowers the rate: tg.optimizers.ExponentialDecay(0.1, 1000, 0.9)",
    "tg.optimizers.Adam(v)": "Adam(): argument `graph` must be a Graph, not an operand; it is called as Adam(graph, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-08, ...)",
    "tg.Session(0.1)": "Session(): `graph` must be a Graph, not the Python float 0.1; tg.Graph() makes one, and scopes and operands have it as `.graph`",
    # Gradients
    "tg.gradients(x, [x])": "gradients(): argument `scope` must be a Scope, not Placeholder; it is called as gradients(scope, ys, xs, grad_ys=None, stop_gradients=(), unconnected_gradients='none')",
    "tg.grad(scope, x, array)": "grad(): argument `x` must be an Operand, not an array; pass the operand that was run, not the value that session.run returned",
    "tg.functions.dropout(scope, 0.5, x)": "dropout(): `x` must be an operand, not a value; `rate` is an operand; swap them",
    "session.restore('w', names=[v])": "Session.restore(): argument `names[0]` must be a string, not a variable; write v.name",
    "session.restore('w', names=[x * 2.0])": "Session.restore(): argument `names[0]` must be a string, not an operand",
    "tg.gradients(None, x, [x])": "gradients(): argument `scope` must be a Scope, not None; it is called as gradients(scope, ys, xs, grad_ys=None, stop_gradients=(), unconnected_gradients='none')",
    "tg.gradients(scope, x, 'x')": "gradients(): xs is a list or tuple; write [x] for one operand, not str",
    "tg.gradients(scope, x, None)": "gradients(): xs is a list or tuple; write [x] for one operand, not None",
    "tg.gradients(scope, x, tg.Variable)": "gradients(): xs is a list or tuple; write [x] for one operand, not a class",
    "tg.gradients(scope, x, [1, x])": "gradients(): xs must be operands, but one is int",
    "tg.gradients(graph, x, [x])": "gradients(): argument `scope` must be a Scope, not Graph; write tg.Scope(graph)",
}
"""What mypy alone answers in up to 47 lines."""

RIGHT: Final = (
    "session.run(unknown)",
    "session.run([unknown, x], {x: array})",
    "session.run([*several])",
    "session.run(graph.initializers)",
    "session.run({'x': x}, feeds)",
    "session.run(x, unknown)",
    "session.run(list(each for each in several), feeds)",
    "session.run(tuple(map(str, several)))",
    "session.run(*(x,))",
    "session.run(x, **{'feeds': feeds})",
    "session.run(record)",
    "session.run([x for _ in range(2)])",
    "core.Constant.create(unknown, unknown, unknown)",
    "core.Placeholder.create(scope, x.dtype)",
    "core.Placeholder.create(scope, tg.TFloat32, (2,))",
    "tf.placeholder(tg.TFloat32, [None, 2])",
    "core.Placeholder.create(scope, dtype)",
    "tg.Variable.create(scope, x)",
    "tg.Variable.create(scope, x, tg.TFloat32)",
    "tg.Variable.create(scope, x, dtype=None)",
    "tg.Variable.create(scope, array, None)",
    "tg.Variable.create(scope, [1.0, 2.0], dtype if array.size else None)",
    "tf.variable(x, tg.TFloat32)",
    "tf.variable(1.0, None)",
    "session.assign({v: 1.0})",
    "session.assign(v, value=1.0)",
    "session.assign(unknown)",
    "tg.hvp(scope, v * v, [v], [v])",
    "tg.hvp(scope, v * v, [v], unknown)",
    "tg.hvp(scope, v * v, v, 1.0)",
    "adam.apply_gradients(zip([v * 2.0], [v]))",
    "adam.apply_gradients(zip(tg.gradients(scope, x * v, [v]), [v]))",
    "tg.gradients(scope, x, unknown)",
    "tg.gradients(scope, x, (v,), grad_ys=None)",
    "tg.gradients(scope, x * v, [x, v], stop_gradients=[v])",
    "functions.eye(scope, 2, None)",
    "functions.eye(scope, unknown)",
    "functions.eye(scope, core.Shape.create(scope, x)[0], 3)",
    "functions.eye(scope, len(feeds))",
    "functions.eye(scope, int(array.shape[0]), dtype=x.dtype)",
    "functions.reduce_std(scope, x, None)",
    "functions.reduce_std(scope, x, [0, 1])",
    "functions.reduce_std(scope, v, ())",
    "functions.uniform(scope, (2,), 0, 1)",
    "functions.uniform(scope, (2,), v, 1.0, tg.TFloat32)",
    "tg.Variable.create(scope, [1.0], dtype=tg.TFloat32, trainable=False)",
    "tg.Variable.create(scope, None, dtype=tg.TFloat32, shape=(3,))",
    "functions.one_hot(scope, [1], 3, None, None)",
    "functions.one_hot(scope, unknown, 3, True)",
    "functions.one_hot(scope, [1], 3, v)",
    "functions.one_hot(scope, [1], 3, dtype=tg.TFloat32)",
    "tg.data.Dataset.from_arrays(array, unknown)",
    "session.callable(x, ['v'])",
    "adam.minimize(v, [*vs, *vs])",
    "adam.apply_gradients([[g, w] for g, w in adam.compute_gradients(v)])",
    "adam.apply_gradients([[tg.grad(scope, v * v, v), v]])",
    "adam.apply_gradients([[v, v]])",
    "adam.minimize(v, vs + vs)",
    "adam.minimize(v, sum(lists, []))",
    "tg.optimizers.RMSProp(graph, 0.1, rho=0.9)",
    "session.callable([x, 'v'], (x,))",
    "session.callable(None)",
    "session.assign(v, 1)",
    "session.assign(v, unknown)",
    "session.assign(v, array[0, 0])",
    "session.assign({v: 1.0})",
)
"""What is not refused."""

HEADER: Final = """
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
import numpy as np
import typegrad as tg
from typegrad import functions
from typegrad.op import core, dtypes, math, nn
graph = tg.Graph()
scope, tf, session, adam = tg.Scope(graph), tg.Ops.create(graph), tg.Session(graph), tg.optimizers.Adam(graph, 0.1)
x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))
array = np.zeros((2, 3), np.float32)
v = tg.Variable.create(scope, 1.0)
vs = [v]
lists = [vs, vs]
feeds = {x: array}
unknown: Any = None
dtype: type[tg.TFloat32] = tg.TFloat32
@dataclass
class Record:
    x: tg.Operand[tg.TFloat32]
record = Record(x)
several: Sequence[tg.Operand[tg.TFloat32]] = [x]
""".lstrip()


def test_one_line_for_each_wrong_call_and_none_for_a_right_one(tmp_path: Path) -> None:
    statements = [*ANSWERS, *RIGHT]
    report = check(tmp_path, {"calls.py": HEADER + "\n".join(statements) + "\n"})
    first = HEADER.count("\n") + 1
    said: dict[str, list[str]] = {statement: [] for statement in statements}
    for each in report.messages:
        said[statements[each.line - first]].append(f"{each.text}  [{each.code}]")
    expected = {statement: [f"{answer}  [typegrad-call]"] for statement, answer in ANSWERS.items()} | {
        statement: [] for statement in RIGHT
    }
    assert {
        statement: both for statement in statements if (both := (said[statement], expected[statement]))[0] != both[1]
    } == {}
