"""An applied operation in a graph with its first and second gradients, to be compared with finite differences.

With outputs y(x) and weights w, L = <w, y> is a number; its gradient g is what `gradients` gives for grad_ys = w. For a
direction d, <g, d> must be the slope of L along d; and with weights v, the gradient h of <v, g> must give the slope of
<v, g>. The product <a, b> is the real part of sum(conj(a) b), which makes this TensorFlow's convention for complex
numbers, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import numpy as np
from attrs import frozen

import typegrad as tg
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.types import TType
from typegrad.graph.definition import Flow, InputDef, OpDef, OutputDef
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad_checking.applied import AppliedOperation, Array, constant, placeholder

__all__ = ["TOLERANCES", "Knowledge", "Probe", "inner", "precise", "probe", "random_like", "slope", "varied"]

Feeds: TypeAlias = dict[AnyOperand, Array]
Knowledge: TypeAlias = Literal["static", "operands", "ranks", "nothing"]
"""What the graph knows: shapes and the values of integers; the same, but nothing of the weights; ranks and those
values; or nothing."""

Types: TypeAlias = frozenset[type[TType]]

EXACT: Final[Types] = frozenset({tg.TFloat64, tg.TComplex128})
"""The types precise enough for small finite differences."""
ROUGH: Final[Types] = frozenset({tg.TFloat32})
"""The type of an operation that has none of these: differences are large, and compared with a large tolerance."""
STEPS: Final = {EXACT: 1e-5, ROUGH: 1e-2}
TOLERANCES: Final = {EXACT: 2e-6, ROUGH: 2e-3}


@frozen(eq=False)
class Probe:
    """The graph of an applied operation: placeholders for the operands to vary, weights, and gradients."""

    scope: tg.Scope
    feeds: Feeds
    """What is fed, at the point where the operation is applied."""
    xs: list[AnyOutput]
    """The operands to vary, those with a `rule`."""
    labels: list[str]
    ys: list[AnyOutput]
    ws: list[AnyOutput]
    """The weights of the outputs, which are varied for the second gradient, too."""
    gs: list[AnyOperand | None]
    """First gradients, by x."""
    vs: list[AnyOutput]
    """The weights of those first gradients that are not None."""
    hs: list[AnyOperand | None]
    """Second gradients, by x and then by w."""
    types: Types
    """The element types that differences are made of."""


def precise(definition: OpDef) -> Types:
    """The element types of an operation, and of its results, that finite differences apply to."""
    varied = [each for each in definition.inputs if definition.gradients[each.name] in (Flow.RULE, Flow.PASS)]
    sides = (_types(definition, varied), _types(definition, definition.outputs))
    return EXACT if all(types & EXACT for types in sides) else ROUGH


def _types(definition: OpDef, arguments: Sequence[InputDef | OutputDef]) -> set[type[TType]]:
    """The element types that any of these inputs or outputs may have."""
    return {
        leaf
        for each in arguments
        for leaf in (definition.types[each.type] if isinstance(each.type, str) else (each.type,))
    }


def varied(applied: AppliedOperation) -> list[str]:
    """The inputs that finite differences apply to."""
    rules, types = applied.definition.gradients, {dtype.numpy for dtype in precise(applied.definition)}
    wide = {
        name
        for name, value in zip(applied.names(), applied.operands(), strict=True)
        if getattr(value, "dtype", None) in types and rules[name] in (Flow.RULE, Flow.PASS)
    }
    return [each.name for each in applied.definition.inputs if each.name in wide]


def probe(applied: AppliedOperation, knowledge: Knowledge, second: bool = True) -> Probe:
    """Build the graph."""
    scope = tg.Scope(tg.Graph(seed=1))
    feeds: Feeds = {}
    names = applied.names()
    vary, types = varied(applied), precise(applied.definition)

    def place(scope: tg.Scope, index: int, value: Array) -> AnyOutput:
        varies = names[index] in vary and value.dtype.kind in "fc"
        if not varies and knowledge != "nothing":
            return constant(scope, index, value)
        return _fed(scope, value, knowledge, feeds)

    inputs = applied.place(scope, place)
    op = applied.build(scope, inputs)
    chosen = [(name, x) for name, x in zip(names, inputs, strict=True) if name in vary and x.dtype in types]
    xs = [x for _, x in chosen]
    ys = [output for output in op.outputs if output.dtype in types]
    with tg.Session(scope.graph) as session:
        ws = [_weight(scope, np.asarray(y), knowledge, feeds, 1) for y in session.run(ys, feeds)]
        gs = tg.gradients(scope, ys, xs, grad_ys=ws)
        grads = [g for g in gs if g is not None]
        vs = [_weight(scope, np.asarray(g), knowledge, feeds, 2) for g in session.run(grads, feeds)] if second else []
    hs = tg.gradients(scope, grads, [*xs, *ws], grad_ys=vs) if grads and second else []
    return Probe(scope, feeds, xs, [name for name, _ in chosen], ys, ws, list(gs), vs, list(hs), types)


def _fed(scope: tg.Scope, value: Array, knowledge: Knowledge, feeds: Feeds) -> AnyOutput:
    known = Shape(value.shape)
    shape = {"static": known, "operands": known, "ranks": Shape((None,) * value.ndim), "nothing": UNKNOWN}[knowledge]
    output = placeholder(scope, value, shape)
    feeds[output] = value
    return output


def _weight(scope: tg.Scope, like: Array, knowledge: Knowledge, feeds: Feeds, seed: int) -> AnyOutput:
    return _fed(scope, random_like(like, seed), "nothing" if knowledge == "operands" else knowledge, feeds)


def random_like(like: Array, seed: int) -> Array:
    """Random numbers between 0.5 and 1.5 in size, of both signs."""
    rng = np.random.default_rng(seed)

    def part() -> Array:
        return np.asarray(rng.uniform(0.5, 1.5, like.shape) * rng.choice([-1.0, 1.0], like.shape))

    return np.asarray(part() + 1j * part() if like.dtype.kind == "c" else part()).astype(like.dtype)


def inner(a: Sequence[Array], b: Sequence[Array]) -> float:
    """The sum of <a, b> over pairs of arrays."""
    with np.errstate(invalid="ignore"):  # a wrong gradient may be anything
        return float(sum(np.sum(np.conj(x) * y).real for x, y in zip(a, b, strict=True)))


def slope(
    session: tg.Session,
    probe: Probe,
    outputs: Sequence[AnyOperand],
    weights: Sequence[AnyOutput],
    x: AnyOutput,
    direction: Array,
) -> float:
    """The slope of <weights, outputs> when `x` moves along `direction`."""
    sides, step = [], STEPS[probe.types]
    for sign in (1, -1):
        feeds = {**probe.feeds, x: probe.feeds[x] + np.asarray(sign * step, direction.dtype) * direction}
        values = session.run(list(outputs), feeds)
        sides.append(inner([probe.feeds[w] for w in weights], values))
    return (sides[0] - sides[1]) / (2 * step)
