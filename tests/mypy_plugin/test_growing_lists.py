"""Lists, sets and dicts of operands take other operations, and keep what the shapes have in common."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from collections import deque
from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]
Square = tg.Operand[tg.TFloat32, tuple[Literal[3], Literal[3]]]
Counts = tg.Operand[tg.TInt32, tuple[Batch]]
"""

PROGRAMS: Final = {
    "an operand first": """
def program(x: Rows) -> None:
    states = [x]
    for _ in range(2):
        states.append(states[-1] * 0.5)
    reveal_type(states)  # R: list[Operand[TFloat32, tuple[Batch, Literal[3]]]]
""",
    "empty first": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    skips = []
    skips.append(nn.Relu.create(scope, x))
    skips.append(math.Tanh.create(scope, x))
    reveal_type(skips[0])  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
    skips.append(w)
    reveal_type(skips[0])  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "statement by statement": """
def program(scope: tg.Scope, x: Rows, deep: bool) -> None:
    states = [x]
    states.append(x[:, :1])
    core.Stack.create(scope, states, 1)  # E: Stack: `values` must have one shape: shapes [Batch, 3] and [Batch, 1] differ  [typegrad-shape]
    reveal_type(core.Concat.create(scope, states, 1))  # R: Concat[TFloat32, tuple[Batch, Literal[4]]]
    states.append(x)
    reveal_type(core.Concat.create(scope, states, 1))  # R: Concat[TFloat32, tuple[Batch, Literal[7]]]
    kept = [x]
    kept.append(x[:, :1])
    kept.pop()
    core.Stack.create(scope, kept, 1)
    some = [x]
    if deep:
        some.append(x[:, :1])
    core.Stack.create(scope, some, 1)
    repeated = [x]
    for _ in range(2):
        repeated.append(x)
        math.AddN.create(scope, repeated)
    later = [x]
    def summed() -> None:
        math.AddN.create(scope, later)
    later.append(x)
    alias = later
    later.append(x[:, :1])
    alias.pop()
    summed()
    math.AddN.create(scope, later)
""",
    "in loops": """
def program(scope: tg.Scope, x: Rows, inputs: tg.Operand[tg.TFloat32, tuple[Batch, Literal[4], Literal[3]]]) -> None:
    states: list[tg.Operand[tg.TFloat32]] = []
    for t in range(4):
        states.append(inputs[:, t] if t else x)
    reveal_type(core.Stack.create(scope, states, 1))  # R: Stack[TFloat32, tuple[Batch, Literal[4], Literal[3]]]
    wider: list[tg.Operand[tg.TFloat32]] = [x, x]
    for t in range(2):
        reveal_type(core.Concat.create(scope, wider, 1))  # R: Concat[TFloat32, tuple[Any, ...]]
        wider.append(core.Concat.create(scope, [wider[-1], x], 1))
    parts: list[tg.Operand[tg.TFloat32]] = []
    for start in (1, 2):
        with scope.with_sub_scope("part") as inner:
            parts.append(nn.Relu.create(inner, x[:, start:]))
    parts.append(x)
    reveal_type(core.Concat.create(scope, parts, 1))  # R: Concat[TFloat32, tuple[Batch, Literal[6]]]
    grown: list[tg.Operand[tg.TFloat32]] = []
    h: tg.Operand[tg.TFloat32] = x
    for _ in range(3):
        h = core.Concat.create(scope, [h, x], 1)
        grown.append(h)
    reveal_type(core.Concat.create(scope, grown, 1))  # R: Concat[TFloat32, tuple[Batch, Literal[27]]]
    reveal_type(grown[1])  # R: Operand[TFloat32, tuple[Batch, Literal[9]]]
""",
    "in loops that may leave out an item": """
from contextlib import suppress
def program(scope: tg.Scope, x: Rows, deep: bool) -> None:
    some: list[Rows] = []
    for t in range(4):
        if deep:
            some.append(x)
    reveal_type(core.Concat.create(scope, some, 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    stopped: list[Rows] = []
    for t in range(4):
        if deep:
            continue
        stopped.append(x)
    reveal_type(core.Concat.create(scope, stopped, 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    hidden: list[Rows] = []
    for t in range(4):
        with suppress(ValueError):
            hidden.append(x)
    reveal_type(core.Concat.create(scope, hidden, 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    nested: list[Rows] = []
    for t in range(3):
        for u in range(t):
            nested.append(x)
    reveal_type(core.Concat.create(scope, nested, 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    removed: list[Rows] = []
    for t in range(3):
        removed.append(x)
    removed.pop()
    reveal_type(core.Concat.create(scope, removed, 1))  # R: Concat[TFloat32, tuple[Batch, Any]]
    with suppress(ValueError):
        inside = [x]
        inside.append(x)
    reveal_type(core.Concat.create(scope, inside, 1))  # R: Concat[TFloat32, tuple[Any, ...]]
""",
    "the item that was just appended": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    states: list[tg.Operand[tg.TFloat32]] = []
    def pushed() -> int:
        states.append(w)
        return 1
    states.append(x)
    known = nn.Relu.create(scope, states[-1])
    reveal_type(known)  # R: Relu[TFloat32, tuple[Batch, Literal[3]]]
    states.append(x)
    pushed_between = pushed(), nn.Relu.create(scope, states[-1])
    reveal_type(pushed_between[1])  # R: Relu[TFloat32, tuple[Any, ...]]
    states.append(x)
    pushed()
    pushed_before = nn.Relu.create(scope, states[-1])
    reveal_type(pushed_before)  # R: Relu[TFloat32, tuple[Any, ...]]
""",
    "items of dicts": """
def program(scope: tg.Scope, x: Rows, w: Square, key: str) -> None:
    weights: dict[str, tg.Operand[tg.TFloat32]] = {"x": x}
    weights["w"] = w
    reveal_type(weights["w"])  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
    weights["x"] = w
    reveal_type(weights["x"])  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
    by_key: dict[str, tg.Operand[tg.TFloat32]] = {"x": x}
    by_key[key] = w
    reveal_type(by_key["x"])  # R: Operand[TFloat32, tuple[Any, ...]]
    by_branch: dict[str, tg.Operand[tg.TFloat32]] = {"x": x}
    if key:
        by_branch["x"] = w
    reveal_type(by_branch["x"])  # R: Operand[TFloat32, tuple[Any, ...]]
    later: dict[str, tg.Operand[tg.TFloat32]] = {"x": x}
    for _ in range(2):
        reveal_type(later["x"])  # R: Operand[TFloat32, tuple[Any, ...]]
        later["x"] = w
    by_number: dict[int, tg.Operand[tg.TFloat32]] = {0: x, 1: w}
    reveal_type(by_number[1])  # R: Operand[TFloat32, tuple[Literal[3], Literal[3]]]
""",
    "tuples with an item that is no operand": """
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    layers = [("in", x), (1, w)]
    layers.append(("out", nn.Relu.create(scope, x)))
    for name, layer in layers:
        print(name, layer.shape)
""",
    "all methods": """
def program(scope: tg.Scope, x: Rows) -> None:
    hs = [nn.Relu.create(scope, x)]
    hs += [math.Tanh.create(scope, x)]
    hs.extend([math.Tanh.create(scope, x), x])
    hs.insert(0, x)
    hs[0] = x
    hs[:2] = [x, x]
    hs = hs + [x]
    hs = [nn.Relu.create(scope, h) for h in hs]
    reveal_type(hs)  # R: list[Operand[TFloat32, tuple[Batch, Literal[3]]]]
    queue = deque([nn.Relu.create(scope, x)])
    queue.appendleft(x)
    reveal_type(queue[0])  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "a dict": """
def program(scope: tg.Scope, x: Rows) -> None:
    layers = {"relu": nn.Relu.create(scope, x)}
    layers["tanh"] = math.Tanh.create(scope, x)
    reveal_type(layers)  # R: dict[str, Operand[TFloat32, tuple[Batch, Literal[3]]]]
    empty = {}
    for name in ("a", "b"):
        empty[name] = math.Tanh.create(scope, x)
    empty["c"] = x
""",
    "a dict of several element types": """
class Model:
    def __init__(self, x: Rows, n: Counts) -> None:
        self.fetches = {"x": x}
        self.fetches["n"] = n

def program(session: tg.Session, x: Rows, n: Counts, deep: bool) -> None:
    table = {"x": x}
    table["n"] = n
    reveal_type(table)  # R: dict[str, Operand[TFloat32, tuple[Any, ...]] | Operand[TInt32, tuple[Any, ...]]]
    reveal_type(table["n"])  # R: Operand[TInt32, tuple[Batch]]
    empty = {}
    empty["x"] = x
    empty.update(n=n)
    empty |= {"m": n}
    session.run({**table, **empty, "more": x * 2.0})
    reveal_type({**empty, "x": n})  # R: dict[str, Operand[TFloat32, tuple[Any, ...]] | Operand[TInt32, tuple[Any, ...]]]
    reveal_type({**{"x": x}, "y": x[:, :1]})  # R: dict[str, Operand[TFloat32, tuple[Batch, int]]]
    for name, fetch in table.items():
        print(name, session.run(fetch))
    by_branch = {"x": x}
    if deep:
        by_branch["n"] = n
    by_branch["w"] = x[:1]
    reveal_type(by_branch)  # R: dict[str, Operand[TFloat32, tuple[Any, ...]] | Operand[TInt32, tuple[Any, ...]]]
    reveal_type(by_branch[str(deep)])  # R: Operand[Any, tuple[Any, ...]]
    of_one = {"x": x}
    if deep:
        of_one["y"] = x[:1]
    of_one["z"] = x[0]
    reveal_type(of_one)  # R: dict[str, Operand[TFloat32, tuple[Any, ...]]]
    annotated: dict[str, Rows] = {"x": x}
    annotated["n"] = n  # E: the dict holds operands of float32, but n is int32; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "fetches with updates": """
def program(scope: tg.Scope, session: tg.Session, v: tg.Variable[tg.TFloat32], x: Rows, n: Counts) -> None:
    step = v.assign_sub(scope, v)
    fetches = {"step": step}
    fetches["x"] = x
    fetches["v"] = v
    reveal_type(fetches)  # R: dict[str, Operand[Any, tuple[Any, ...]] | Op]
    other = {"x": x}
    other["step"] = step
    both = {"step": step, "x": x}
    both["n"] = n
    both["v"] = v
    listed = [step]
    listed.append(x)
    listed += [n, step]
    reveal_type(listed)  # R: list[Operand[Any, tuple[Any, ...]] | Op]
    for each in (fetches, other, both):
        session.run(each)
    session.run(listed)
    tg.functions.group(scope, *listed)
    fetches["name"] = 3  # E: Incompatible types in assignment (expression has type "int", target has type "Operand[Any, tuple[Any, ...]] | Op")  [assignment]
""",
    "a list of states": """
def program(x: Rows) -> None:
    history = [(x, x)]
    for _ in range(3):
        c, h = history[-1]
        history.append((c + h, h * 2.0))
    reveal_type(history[0][0])  # R: Operand[TFloat32, tuple[Batch, Literal[3]]]
""",
    "an attribute": """
class Cell:
    def __init__(self, scope: tg.Scope, x: Rows) -> None:
        self.states = [nn.Relu.create(scope, x)]
        self.states.append(x)

    def step(self, x: Rows) -> None:
        self.states.append(x)
        reveal_type(self.states[0].dtype)  # R: type[TFloat32]
""",
    "another element type": """
def program(scope: tg.Scope, x: Rows, n: Counts) -> None:
    states = [x]
    states.append(n)
    states += [x, n]
    reveal_type(states)  # R: list[Operand[TFloat32, tuple[Any, ...]] | Operand[TInt32, tuple[Any, ...]]]
    tg.Session(scope.graph).run(states)
    for each in states:
        nn.Relu.create(scope, each)
    reveal_type(states[len(states) // 2] * 2)  # R: Operand[Any, tuple[Any, ...]]
    cast = [x, x * 2.0]
    for index, each in enumerate(cast):
        cast[index] = dtypes.Cast.create(scope, each, tg.TFloat64)
    math.AddN.create(scope, cast)
    annotated: list[Rows] = []
    annotated.append(nn.Relu.create(scope, x))
    annotated.append(n)  # E: the list holds operands of float32, but n is int32; cast one with dtypes.Cast  [typegrad-dtype]
""",
    "variables": """
def program(scope: tg.Scope, x: Rows, loss: tg.Operand[tg.TFloat32]) -> None:
    w, b = tg.Variable.create(scope, np.zeros((3, 4), np.float32)), tg.Variable.create(scope, np.zeros(4, np.float32))
    variables = [w]
    variables.append(b)
    named = {"w": w}
    named["b"] = b
    tg.optimizers.Adam(scope.graph).minimize(loss, [*variables, *named.values()])
    reveal_type(variables)  # R: list[Variable[TFloat32, tuple[Any, ...]]]
    variables.append(x)
    reveal_type(variables)  # R: list[Operand[TFloat32, tuple[Any, ...]]]
    singles: list[tg.Variable[tg.TFloat32]] = [w]
    singles.append(b)
    double = tg.Variable.create(scope, np.zeros(2))
    singles.append(double)  # E: the list holds operands of float32, but double is float64; create it as float32, as a cast makes no variable  [typegrad-dtype]
    states = [w]
    states = [nn.Relu.create(scope, x)]

class Layer:
    def __init__(self, scope: tg.Scope) -> None:
        self.variables = [tg.Variable.create(scope, 1.0)]
        self.variables.append(tg.Variable.create(scope, [1.0]))

    def train(self, loss: tg.Operand[tg.TFloat32]) -> None:
        tg.optimizers.Adam(loss.graph).minimize(loss, self.variables)
""",
    "a state that is None first": """
def program(scope: tg.Scope, x: Rows) -> None:
    h, states = None, []
    for each in core.Unstack.create(scope, x, 3, 1):
        h = each if h is None else 0.5 * (h + each)
        states.append(h)
    core.Stack.create(scope, states, 1)
""",
    "lists in containers": """
from collections import OrderedDict, defaultdict
def program(scope: tg.Scope, x: Rows, w: Square) -> None:
    groups = defaultdict(list)
    groups["a"].append(x)
    groups["a"].append(x @ w)
    groups["b"].append(w)
    for each in groups.values():
        reveal_type(math.AddN.create(scope, each))  # R: AddN[TFloat32, tuple[Any, ...]]
    nested = [[x], [x]]
    nested[0].append(w)
    reveal_type(nested[0][1])  # R: Operand[TFloat32, tuple[Any, ...]]
    outputs = OrderedDict(x=x)
    outputs["w"] = w
    reveal_type(outputs["w"])  # R: Operand[TFloat32, tuple[int, Literal[3]]]

class Model:
    def __init__(self, scope: tg.Scope) -> None:
        self.groups = defaultdict(list)
        self.groups["w"].append(tg.Variable.create(scope, np.zeros((3, 4), np.float32)))
        self.groups["w"].append(tg.Variable.create(scope, np.zeros(4, np.float32)))

    def variables(self) -> list[tg.Variable[tg.TFloat32]]:
        return self.groups["w"]
""",
    "another shape than annotated": """
def program(x: Rows, w: Square) -> None:
    annotated: list[Rows] = [x]
    annotated.append(w)  # E: Argument 1 to "append" of "list" has incompatible type "Operand[TFloat32, tuple[Literal[3], Literal[3]]]"; expected "Operand[TFloat32, tuple[Batch, Literal[3]]]"  [arg-type]
""",
    "updates": """
def program(scope: tg.Scope, v: tg.Variable[tg.TFloat32]) -> core.NoOp:
    updates = [tg.functions.group(scope, v)]
    updates.append(v.assign(scope, v))
    updates += [v.assign_sub(scope, v), core.AssignVariableOp.create(scope, v.handle, v)]
    reveal_type(updates)  # R: list[Op]
    reads = [core.AssignAddVariableOp.create(scope, v.handle, v)]
    reads.append(core.AssignAddVariableOp.create(scope, v.handle, v))
    reveal_type(reads)  # R: list[AssignAddVariableOp]
    numbers = [1]
    updates.append(numbers)  # E: Argument 1 to "append" of "list" has incompatible type "list[int]"; expected "Op"  [arg-type]
    return tg.functions.group(scope, *updates, *reads)
""",
    "no operands": """
def program() -> None:
    numbers = [1]
    numbers.append("a")  # E: Argument 1 to "append" of "list" has incompatible type "str"; expected "int"  [arg-type]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
