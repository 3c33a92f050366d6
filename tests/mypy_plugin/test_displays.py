"""Merged feeds, and displays of functions, for which mypy alone infers a type that fits no use."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import NewType
import numpy as np
import typegrad as tg
from typegrad import activations
from typegrad.op import core, math, nn
Batch = NewType("Batch", int)
def f(scope: tg.Scope, session: tg.Session, kind: str) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 8))
    ids = core.Placeholder.create(scope, tg.TInt32, (Batch,))
    base = {x: np.zeros((2, 8), np.float32)}
    more = {ids: np.zeros(2, np.int32)}
"""
PROGRAMS: Final = {
    "merged": """
    session.run(x, {**base, ids: np.zeros(2, np.int32)})
    session.run((x, x), {**base, **more})
    session.run(x, base | more)
    session.run(x, {x: np.zeros((2, 8), np.float32)} | more)
    feeds = {**base, ids: np.zeros(2, np.int32)}
    session.run(x, feeds)
    both = base | more
    session.run(x, both)
    stated: tg.Feeds = {**base, **more}
    session.run(x, stated)
    session.run(x, base | {ids: np.zeros(2)})  # E: run: the feed of ids is an array of float64, but must be int32; convert it with astype(np.int32)  [typegrad-dtype]
    session.run(x, {**base, ids: np.zeros(3, np.int32)})  # E: run: dimension Batch is 2 in the feed of x, but 3 in the feed of ids  [typegrad-shape]
""",
    "growing": """
    base[ids] = np.zeros(2, np.int32)
    base.update(more)
    base |= more
    session.run(x, base)
    base[3] = base[x]  # E: Invalid index type "int" for "dict[Placeholder[TFloat32, tuple[Batch, Literal[8]]], ndarray[tuple[int, int], dtype[floating[_32Bit]]]]"; expected type "Placeholder[TFloat32, tuple[Batch, Literal[8]]]"  [index]
""",
    "declared feeds": """
    feeds: tg.Feeds = {x: np.zeros((2, 8), np.float32)}
    feeds |= {ids: value for value in more.values()}
    feeds[ids] = [3, 4]
    feeds.update(base)
    session.run(x, feeds)
    for name in ("a", "b"):
        empty: tg.Feeds = {}
        empty[ids] = np.zeros(2, np.int32)
        session.run(x, base | empty)
    feeds = more
""",
    "dict and OrderedDict": """
    table = dict(relu=nn.Relu.create, tanh=math.Tanh.create)
    reveal_type(table[kind](scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]]
    layers = OrderedDict(relu=partial(nn.Relu.create, scope), flat=partial(core.Reshape.create, scope, shape=[-1]))
    for layer in layers.values():
        layer(x)
    w, b = (tg.Variable.create(scope, np.zeros(shape)) for shape in ((8, 3), (3,)))
    for group in dict(weights=[w], biases=[b, b]).values():
        reveal_type(group[0])  # R: Variable[TFloat64, tuple[Any, ...]]
    for group in OrderedDict(weights=[w], biases=[b, b]).values():
        reveal_type(group[0])  # R: Variable[TFloat64, tuple[Any, ...]]
""",
    "functions": """
    table = {"relu": nn.Relu.create, "tanh": math.Tanh.create}
    reveal_type(table[kind](scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]]
    for function in (nn.Relu.create, nn.Elu.create):
        reveal_type(function(scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Elu[TFloat32, tuple[Batch, Literal[8]]]
    for _, function in [(4, nn.Relu.create), (2, nn.Elu.create)]:
        function(scope, x)
    chosen = nn.Relu.create if kind else math.Tanh.create
    reveal_type(chosen(scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]]
    layers = [partial(nn.Relu.create, scope), partial(math.Tanh.create, scope)]
    for layer in layers:
        layer(x)
        layer(1, 2)  # E: Too many arguments for "create" of "Relu"  [call-arg]
    reveal_type(layers[0](x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]]
    own = [activations.relu, activations.sigmoid]
    reveal_type(own[0](scope, x))  # R: Operand[TFloat32, tuple[Batch, Literal[8]]]
""",
    "functions in containers": """
    menu = {"act": {"relu": nn.Relu.create, "tanh": math.Tanh.create}, "more": {"elu": nn.Elu.create}}
    reveal_type(menu[kind]["relu"](scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]] | Elu[TFloat32, tuple[Batch, Literal[8]]]
    for functions in menu.values():
        for name, function in functions.items():
            function(scope, x)
    stacks = [[nn.Relu.create, math.Tanh.create], [nn.Elu.create]]
    reveal_type(stacks[1][0](scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]] | Elu[TFloat32, tuple[Batch, Literal[8]]]
    single = {"a": {"b": {"relu": nn.Relu.create, "tanh": math.Tanh.create}}}
    reveal_type(single[kind][kind][kind](scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]] | Tanh[TFloat32, tuple[Batch, Literal[8]]]
    stated: dict[str, dict[str, Callable[[tg.Scope, tg.Operand[tg.TFloat32]], tg.Operand[tg.TFloat32]]]] = {
        "act": {"relu": nn.Relu.create, "tanh": math.Tanh.create},
        "more": {"elu": nn.Elu.create, "sigmoid": activations.sigmoid},
    }
    reveal_type(stated[kind][kind](scope, x))  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "functions of other arguments": """
    pool = {"relu": nn.Relu.create, "max": core.Max.create, "all": core.Reshape.create}
    reveal_type(pool["max"](scope, x, 1))  # R: Max[TFloat32, tuple[Any, ...]]
    reveal_type(pool["relu"](scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]]
    reveal_type(pool[kind](scope, x, 1))  # R: Operand[Any, tuple[Any, ...]]
    menu = {"act": {"relu": nn.Relu.create, "tanh": math.Tanh.create}, "pool": {"max": core.Max.create}}
    reveal_type(menu["pool"]["max"](scope, x, 1))  # R: Operand[Any, tuple[Any, ...]]
""",
    "one name": """
    if kind:
        function = nn.Relu.create
        reveal_type(function(scope, x))  # R: Relu[TFloat32, tuple[Batch, Literal[8]]]
    else:
        function = math.Tanh.create
    function(scope, x)
""",
    "a name for anything": """
    for _ in range(3):
        _, value = session.run((x, ids), {x: np.zeros((2, 8), np.float32), ids: [1, 2]})
        reveal_type(value)  # R: ndarray[tuple[Batch], dtype[signedinteger[_32Bit]]]
    value, _ = session.run([x, x], base)
    reveal_type(value)  # R: ndarray[tuple[Batch, Literal[8]], dtype[floating[_32Bit]]]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
