"""A call that fits no overload of a function is reported in one line, in the words of the error at run time."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import check
from typegrad.base.sameness import NO_VALUES

FETCH: Final = "Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not "

ANSWERS: Final = {
    # Runs
    "session.run()": "Session.run() needs `fetches`; it is called as Session.run(fetches, feeds=None)",
    "session.run(x, feed={x: array})": "Session.run() takes no argument `feed`; did you mean `feeds`?",
    "session.run(x, feed_dict={x: array})": "Session.run() takes no argument `feed_dict`; did you mean `feeds`?",
    "session.run(x, x=array)": "Session.run() takes no argument `x`; it takes `feeds`, `fetches`",
    "session.run(x, x, {x: array})": "Session.run() takes 2 arguments by position, not 3; it is called as Session.run(fetches, feeds=None)",
    "session.run(x, x)": "Session.run(): feeds maps operands to values, but is Placeholder[TFloat32, tuple[Any, Literal[3]]]; write {x: value}",
    "session.run(x, 1.0)": "Session.run(): feeds maps operands to values, but is float; write {x: value}",
    "session.run(1.0)": FETCH + "float",
    "session.run([x, 1.0])": FETCH + "float",
    "session.run((x, [1, x]))": FETCH + "int",
    "session.run(x == 1.0)": FETCH + "bool; " + NO_VALUES,
    "session.run([x, (x != v) & (x == x)])": FETCH + "bool; " + NO_VALUES,
    "session.run(several)": "Session.run(): several may be a list or a tuple, and so may the result; write [*several]",
    "session.run(graph)": FETCH + "Graph",
    "session.run(adam)": FETCH + "Adam",
    "session.run(tg.Variable)": FETCH + "a function or a class",
    "session.run(lambda: x)": FETCH + "a function or a class",
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
    # Gradients
    "tg.gradients(x, [x])": "gradients(): argument `scope` must be a Scope, not Placeholder; it is called as gradients(scope, ys, xs, grad_ys=None, stop_gradients=(), unconnected_gradients='none')",
    "tg.grad(scope, x, array)": "grad(): argument `x` must be an Operand, not an array; pass the operand that was run, not the value that session.run returned",
    "tg.functions.dropout(scope, 0.5, x)": "dropout(): `x` must be an operand, not a value; core.Constant.create(scope, ...) makes one; it is called as dropout(scope, x, rate, noise_shape=None, seed=None)",
    "session.restore('w', names=[v])": "Session.restore(): argument `names[0]` must be a string, not a variable; write v.name",
    "session.restore('w', names=[x * 2.0])": "Session.restore(): argument `names[0]` must be a string, not an operand",
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
    "tg.gradients(scope, x, unknown)",
)
"""What is not refused."""

HEADER: Final = """
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
import numpy as np
import typegrad as tg
from typegrad.op import core, dtypes, math, nn
graph = tg.Graph()
scope, tf, session, adam = tg.Scope(graph), tg.Ops.create(graph), tg.Session(graph), tg.optimizers.Adam(graph, 0.1)
x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))
array = np.zeros((2, 3), np.float32)
v = tg.Variable.create(scope, 1.0)
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
