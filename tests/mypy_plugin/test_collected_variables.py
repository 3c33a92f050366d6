"""A container of variables stays one where others join it, and is one of operands where a layer replaces them."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import numpy as np
import typegrad as tg
from typegrad.op import core, nn
Vector = tg.Variable[tg.TFloat32]
def variable(scope: tg.Scope, size: int) -> Vector:
    return tg.Variable.create(scope, np.zeros(size, np.float32))
def relu(scope: tg.Scope, xs: list[tg.Operand[tg.TFloat32]]) -> list[tg.Operand[tg.TFloat32]]:
    return [nn.Relu.create(scope, x) for x in xs]
"""
PROGRAMS: Final = {
    "of a tree of layers": """
class Tree:
    def __init__(self, scope: tg.Scope, depth: int) -> None:
        self.w: Vector = variable(scope, depth)
        self.b = tg.Variable.create(scope, np.zeros(2, np.float32))
        self.children = [Tree(scope, depth - 1)] if depth else []
    def added(self) -> list[Vector]:
        found = [self.w, self.b]
        for child in self.children:
            found += child.added()
        return found
    def joined(self) -> list[Vector]:
        found = [self.w]
        for child in self.children:
            found = found + child.joined()
        return found
    def extended(self) -> list[Vector]:
        found = [self.b]
        for child in self.children:
            found.extend(child.extended())
        return found
    def starred(self) -> list[Vector]:
        found = [self.w]
        if self.children:
            found = [*found, *self.children[0].starred()]
        return found
    def chained(self) -> list[Vector]:
        found = [self.b]
        found = found + [each for child in self.children for each in child.chained()]
        return sorted(found, key=lambda each: each.name)
    def named(self) -> dict[str, Vector]:
        found = {"w": self.w}
        for i, child in enumerate(self.children):
            found = {**found, **{f"{i}/{name}": each for name, each in child.named().items()}}
        for child in self.children:
            found |= child.named()
        return found
    def chosen(self, flag: bool) -> list[Vector]:
        found = [self.w] if flag else [self.b]
        found = found if flag else self.added()
        return found
""",
    "of several element types": """
from typing import Any
from typegrad.training.optimizers import Adam
def weights(size: Any) -> Any:
    return np.zeros(size, np.float32)
def program(scope: tg.Scope, loss: tg.Operand[tg.TFloat32], n: tg.Variable[tg.TInt32]) -> None:
    optimizer = Adam(scope.graph)
    w, b = tg.Variable.create(scope, weights(3)), variable(scope, 2)
    theta = [w, b]
    optimizer.minimize(loss, var_list=theta)
    optimizer.minimize(loss, theta[:1] + [b])
    saved = [b, n]
    saved.append(w)
    print([each.name for each in saved], [each.trainable for each in {"b": b, "n": n}.values()])
    mixed = [b, n]
    mixed.append(loss)
    optimizer.minimize(loss, mixed)  # E: Argument 2 to "minimize" of "Optimizer" has incompatible type "list[Operand[TFloat32, tuple[Any, ...]] | Operand[TInt32, tuple[Any, ...]]]"; expected "Collection[Variable[Any, Any]] | None"  [arg-type]
""",
    "by name": """
def train(variables: list[Vector]) -> None: ...
def program(scope: tg.Scope) -> None:
    w, b = variable(scope, 3), variable(scope, 2)
    variables = [w]
    variables = variables + [b, variable(scope, 4)]
    variables += [tg.Variable.create(scope, np.zeros(3, np.float32))]
    train(variables)
""",
    "beside gradients": """
def program(scope: tg.Scope) -> None:
    w = variable(scope, 3)
    optimizer = tg.optimizers.Adam(scope.graph)
    pairs = optimizer.compute_gradients((w * w)[0])
    pairs = [(g * 0.5 if g is not None else None, v) for g, v in pairs]
    optimizer.apply_gradients(pairs)
""",
    "as keys": """
def program(scope: tg.Scope, session: tg.Session) -> None:
    w, v = variable(scope, 3), variable(scope, 4)
    values = {each: session.value(each) for each in (w, v)}
    values = {each: 0.5 * value for each, value in values.items()}
    session.assign(values)
    rates = {w: 0.1}
    rates = {**rates, v: 0.2}
    reveal_type(rates)  # R: dict[Variable[TFloat32, tuple[Any, ...]], float]
    counts = {w: 1}
    counts = {each * 2.0: count for each, count in counts.items()}
""",
    "None until there are some": """
def program(scope: tg.Scope, session: tg.Session) -> None:
    w, best, values, named, layer = variable(scope, 3), None, None, None, None
    for epoch in range(3):
        best = [w]
        values = {each: session.value(each) for each in scope.graph.trainable_variables}
        loss, named = 0.5, {each.name: each for each in scope.graph.trainable_variables}
        layer = [w] if layer is None else relu(scope, [w])
    if best is not None and values is not None and named is not None:
        session.value(best[0])
        session.assign(values)
        session.value(named["w"])
    reveal_type(layer)  # R: list[Operand[TFloat32, tuple[Any, ...]]] | None
""",
    "assigned variables that are declared": """
class Model:
    def __init__(self, scope: tg.Scope, given: Vector | None = None) -> None:
        self.a = variable(scope, 3)
        self.b = variable(scope, 3) if given is None else given
        self.c = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.pair = (self.a, variable(scope, 2))
    def replace(self, v: Vector) -> None:
        self.a = v
        self.pair = (v, v)
    def take(self, other: Model) -> None:
        self.b = other.b
        self.c = self.a
    @property
    def rate(self) -> Vector:
        return self.c
    @rate.setter
    def rate(self, value: Vector) -> None:
        self.c = value
    def step(self, scope: tg.Scope) -> list[Vector]:
        self.a.assign_add(scope, np.ones(3, np.float32))
        return [self.a, self.b, self.c, *self.pair]
class Twice:
    def __init__(self, scope: tg.Scope, v: Vector) -> None:
        self.v = v
        self.v = variable(scope, 3)
        self.h = v
        self.h = nn.Relu.create(scope, self.h)
        reveal_type(self.h)  # R: Relu[TFloat32, tuple[Any, ...]]
        self.g = v
    def all(self) -> list[Vector]:
        return [self.v]
    def next(self, scope: tg.Scope) -> None:
        self.g = v = variable(scope, 3)
        self.g = self.h
""",
    "replaced by a layer": """
def program(scope: tg.Scope) -> None:
    w = variable(scope, 3)
    hs = [w]
    hs = [h * 2.0 for h in hs]
    reveal_type(hs[0])  # R: Operand[TFloat32, tuple[Literal[3]]]
    gs = [w]
    gs = relu(scope, [w])
    gs = [*gs, nn.Relu.create(scope, w)]
    ks = {"w": w}
    ks = {name: nn.Relu.create(scope, each) for name, each in ks.items()}
    ys = [w]
    y = nn.Relu.create(scope, w)
    ys = [y]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
