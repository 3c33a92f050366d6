"""No name is missing in a graph that code which was not followed may have added operations to."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import time
from typegrad.training import optimizers
tf = tg.Ops.create(scope)
w = tf.with_name("w").variable(tf.constant(np.ones(8, np.float32)))
loss = math.Square.create(scope.with_name("loss"), x * w)
names = [loss, loss]
data = np.zeros((2, 8), np.float32)
NAME, COUNT = unknown.name, int(unknown.count)
is_first = NAME == "first"
session = tg.Session(scope.graph)
def first() -> None:
    tf.with_name("y").math.exp(x)
def second() -> None:
    tf.with_name("y").math.tanh(x)
class Model:
    table = {"first": first, "second": second}
    def __init__(self) -> None:
        self.scope = scope
    @property
    def made(self) -> Any:
        return math.Exp.create(self.scope.with_name("y"), x)
    def first(self) -> None:
        math.Exp.create(self.scope.with_name("y"), x)
    def second(self) -> None:
        first()
    def __matmul__(self, other: Any) -> Any:
        return self.first()
    def __iter__(self) -> Any:
        self.first()
        return iter([1])
model = Model()
"""
ADDING: Final = {
    "a function of typegrad from a dict": """
{"exp": math.Exp.create, "tanh": math.Tanh.create}[NAME](scope.with_name("y"), x)
""",
    "a function of the program from a dict": "{'first': first, 'second': second}[NAME]()",
    "a function with its arguments": """
import functools
{"a": functools.partial(math.Exp.create, scope.with_name("y"), x), "b": first}[NAME]()
""",
    "a class from a dict": """
rule = {"adam": optimizers.Adam, "sgd": optimizers.GradientDescent}[NAME]
tf.with_name("y").group(rule(scope.graph, 0.1).minimize(loss))
""",
    "a method from a table of its class": "model.table[NAME]()",
    "a method by its name": "getattr(model, NAME)()",
    "an operation by its name": "getattr(tf.with_name('y').math, NAME)(x)",
    "a property of one of several objects": "{'a': model, 'b': Model()}[NAME].made",
    "an operator of one of several objects": "{'a': model, 'b': Model()}[NAME] @ x",
    "a function that branches choose": """
if is_first:
    f = first
else:
    f = second
f()
""",
    "one of two facades": """
other = tg.Ops.create()
(tf if is_first else other).with_name("y").constant(1.0)
""",
    "one of two facades that a function returns": """
def chosen(this: tg.Ops, that: tg.Ops) -> tg.Ops:
    if is_first:
        return this
    return that
chosen(tg.Ops.create(), tf).with_name("y").constant(1.0)
""",
    "a branch": """
if is_first:
    tf.with_name("y").math.exp(x)
else:
    tf.with_name("y").math.tanh(x)
""",
    "a branch that calls a function": """
if is_first:
    first()
""",
    "a branch that iterates over an object": """
if is_first:
    for _ in model:
        pass
""",
    "an expression": "is_first and first()",
    "a case": """
def build(name: str) -> None:
    match name:
        case "first":
            first()
        case _:
            second()
build(NAME)
""",
    "a try statement": """
try:
    int(NAME)
    first()
except ValueError:
    second()
""",
    "a branch that calls a method named like one of sessions": """
class Chain:
    def runner(self) -> "Chain":
        return self
    def feed(self, value: Any) -> None:
        tf.with_name("y").math.exp(value)
chain = Chain()
if is_first:
    chain.runner().feed(x)
""",
    "a thread": """
import threading
threading.Thread(target=first).start()
""",
    "a name that is not known": "tf.with_name(NAME).math.exp(x)",
    "a loop": """
for i in range(COUNT):
    tf.with_name("y" * i).math.exp(x)
""",
    "a comprehension": "[tf.with_name(f'{i}').math.exp(x) for i in range(COUNT)]",
    "a long loop": """
for i in range(5000):
    tf.with_name(f"y{i // 4000}").math.exp(x)
""",
    "a generator": """
def made():
    for i in range(COUNT):
        yield tf.with_name("y" * i).math.exp(x)
for each in made():
    pass
""",
}
"""Programs after which there may be an operation 'y'."""
OPERATORS: Final = {
    "of an expression": "h = w * 3.0 if is_first else w * 2.0",
    "of a branch": """
if is_first:
    w * 3.0
""",
    "of an item": """
if is_first:
    h = names[0]
    h * 3.0
""",
    "of what a loop takes": """
if is_first:
    for i, h in enumerate(names):
        h * 3.0
""",
    "of what a function passes on": """
if is_first:
    h = max(names, key=id)
    h * 3.0
""",
    "of what a function returns": "max(names, key=id) * 3.0",
    "of an unknown number": "unknown.number * w",
    "of an operand that may have been replaced": """
h = loss
if is_first:
    h = w
h * 3.0
""",
    "of operands that a loop exchanges": """
a, b = loss, x
for _ in range(COUNT):
    a, b = b, a
a * 3.0
""",
    "of a comprehension": "[w * 3.0 for i in range(COUNT)]",
    "of a key that a function takes": """
def use(feeds: Any) -> None:
    for key in feeds: key * 2.0
for each in unknown.items:
    feeds = {x: data}
    use(feeds)
""",
    "of a key": """
while unknown.flag:
    feeds = {x: data}
    for key in feeds: key * 2.0
""",
    "of a key behind a loop": """
def test() -> None:
    while unknown.flag:
        feeds = {x: data}
        session.run(loss, feeds)
    for key in feeds: key * 2.0
test()
""",
    "of a key that a function takes behind a loop": """
def use(feeds: Any) -> None:
    for key in feeds: key * 2.0
while unknown.flag:
    feeds = {x: data}
    session.run(loss, feeds)
use(feeds)
""",
    "of a key in another function": """
while unknown.flag:
    feeds = {x: data}
    session.run(loss, feeds)
def use() -> None:
    for key in feeds: key * 2.0
use()
""",
    "of a key in a function within a loop": """
def test() -> None:
    while unknown.flag:
        feeds = {x: data}
        def use() -> None:
            for key in feeds: key * 2.0
        use()
test()
""",
}
"""Programs after which there may be an operation 'Mul_1'."""
ASKING: Final = """
print(scope.graph.operation("{name}"), scope.graph.output("{name}:0"))
assert "{name}" in scope.graph
session.run("{name}", {{x: data}})
session.run({{"a": ["{name}:0"], "loss": loss}}, {{x: data}})
session.callable(["{name}"], ["x"])(data)
session.runner().feed("x", data).fetch("{name}").add_target("{name}").run()
runner = session.runner()
runner.feed("{name}:0", unknown.value)
runner.feed(x, data).fetch("loss").run()
"""
RUNNING: Final = {
    "a loop of runs": """
for i in range(10000):
    value = float(session.run([w, loss], {x: data})[1].sum())
    if value < 0.1:
        print(i, value, loss)
""",
    "a loop of runs by names": """
for i in range(10000):
    session.runner().feed("x", data).fetch("loss").add_target("w").run()
""",
    "a loop of runs, step by step": """
for i in range(10000):
    session.runner().feed(x, data).fetch(loss).add_target(loss).run()
""",
    "a branch that runs": """
if is_first:
    print(session.run(loss, {x: data}), loss)
""",
    "functions of others": """
start = time.time()
unknown.plot(data, label=NAME)
if time.time() - start > COUNT:
    unknown.plot(start)
""",
    "a run by a name in a loop that ends early": """
best = 1e9
for i in range(100):
    value = float(session.run({"loss": loss}, {"x": data})["loss"].sum())
    if value < best:
        best = value
    else:
        break
""",
    "a loop of runs with feeds that have a name": """
def test(count: Any) -> None:
    i = 0
    while i < count:
        feeds = {x: data}
        session.run(loss, feeds)
        i += 1
test(unknown.count)
for each in unknown.names:
    feeds: tg.Feeds = {x: each}
    print(session.run(loss, feeds))
""",
}
"""Programs that add nothing."""
OTHERS: Final = {
    "one of several variables": """
def one() -> None:
    tf.with_name("v").variable(tf.constant(1.0))
def other() -> None:
    tf.with_name("v").variable(tf.constant(2.0))
{"first": one, "second": other}[NAME]()
[each for each in scope.graph.variables if each.name == "v"][0]
a, b = scope.graph.trainable_variables
""",
    "an operation that may have another number": """
def reshaped() -> None:
    core.Reshape.create(scope, np.ones(6, np.float32), (2, 3))
{"first": reshaped, "second": reshaped}[NAME]()
core.Reshape.create(scope, np.ones(6, np.float32), (3, 2))
scope.graph.output("Reshape:0").expect(tg.TFloat32) + np.zeros((2, 3), np.float32)
session.run("Reshape:0") @ np.zeros((3, 4))
""",
    "the operations of a graph": """
{"first": first, "second": second}[NAME]()
list(scope.graph)[40], sorted(scope.graph, key=str)[40], scope.graph.operations[40]
one, two = scope.graph
next(iter(reversed(scope.graph))).name + "x"
range(len(scope.graph))[40]
""",
    "a record of names": """
from dataclasses import dataclass
@dataclass
class Names:
    one: str
{"first": first, "second": second}[NAME]()
session.run(Names("y"))
""",
    "a graph without operations": """
new = tg.Graph()
def build(graph: tg.Graph) -> None:
    core.Constant.create(tg.Scope(graph).with_name("y"), 1.0)
{"first": build, "second": build}[NAME](new)
new.operation("y")
""",
    "a feed and an index beside an unknown name": """
{"first": first, "second": second}[NAME]()
session.run("y", {x: data.T})  # E: has shape [8, 2]
""",
    "a name that an operation certainly has": """
{"first": first, "second": second}[NAME]()
session.runner().feed("x", data.T).fetch("loss").run()  # E: has shape [8, 2]
""",
}


@pytest.mark.parametrize("name", ADDING)
def test_operation_may_be_there(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + ADDING[name] + ASKING.format(name="y")) == []


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_may_have_made_it(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + OPERATORS[name] + ASKING.format(name="Mul_1")) == []


@pytest.mark.parametrize("name", RUNNING)
def test_name_is_missing(name: str, tmp_path: Path) -> None:
    wrong = "session.runner().fetch('lss')  # E: no operation is called 'lss'; did you mean 'loss'?"
    assert differences(tmp_path, PRELUDE + RUNNING[name] + wrong) == []


@pytest.mark.parametrize("run", ["run", "callable"])
def test_no_feeds_make_a_name(run: str, tmp_path: Path) -> None:
    feeds = "session.run('loss', unknown.feeds)\nsession.callable('loss', unknown.feeds)"
    wrong = f"session.{run}([loss, 'lss'], unknown.feeds)  # E: no operation is called 'lss'; did you mean 'loss'?"
    assert differences(tmp_path, f"{PRELUDE}{feeds}\n{wrong}") == []


@pytest.mark.parametrize("name", OTHERS)
def test_program(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + OTHERS[name]) == []
