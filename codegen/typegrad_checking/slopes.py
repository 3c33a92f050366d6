"""Compare first and second gradients with finite differences, and with gradients of partly known shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

import typegrad as tg
from typegrad.graph.operand import AnyOperand, AnyOutput
from typegrad_checking.applied import AppliedOperation, Array
from typegrad_checking.comparing import difference
from typegrad_checking.probing import TOLERANCES, Probe, inner, precise, random_like, slope

__all__ = ["changes", "gradient_values", "is_finite", "wrong_slopes"]

_DIRECTIONS: Final = 2
_LARGE: Final = 1e30
"""Beyond it, the results of operations without elements to reduce lie, such as the maximum of none."""


def is_finite(applied: AppliedOperation) -> bool:
    """Whether the outputs are finite numbers, and not so large that differences of them mean nothing."""
    scope = tg.Scope(tg.Graph(seed=1))
    op = applied.build(scope, applied.place(scope))
    types = precise(applied.definition)
    with tg.Session(scope.graph) as session:
        return all((np.abs(y) < _LARGE).all() for y in session.run([y for y in op.outputs if y.dtype in types]))


def wrong_slopes(graph: Probe) -> list[str]:
    """The gradients that finite differences contradict, one line each; none at infinity."""
    with tg.Session(graph.scope.graph) as session:
        if not all(np.isfinite(y).all() for y in session.run(graph.ys, graph.feeds)):
            return []
        return [*_first(session, graph), *_second(session, graph)]


def changes(graph: Probe, known: Sequence[Array]) -> str:
    """How the gradients differ from `known`, the ones where the shapes are known; "" if they do not."""
    for index, (theirs, ours) in enumerate(zip(known, gradient_values(graph), strict=True)):
        if problem := difference(ours, theirs, 1e-12):
            return f"gradient {index} {problem} (with shapes known)"
    return ""


def _first(session: tg.Session, graph: Probe) -> list[str]:
    problems = []
    for label, x, gradient in zip(graph.labels, graph.xs, _values(session, graph, graph.xs, graph.gs), strict=True):
        if gradient.dtype != graph.feeds[x].dtype or gradient.shape != graph.feeds[x].shape:
            problems.append(f"the gradient of {label} is {gradient.dtype}{list(gradient.shape)}, unlike its input")
            continue
        problems += _along_directions(session, graph, graph.ys, graph.ws, x, gradient, f"the gradient of {label}")
    return problems


def _second(session: tg.Session, graph: Probe) -> list[str]:
    if not graph.hs:
        return []
    grads = [g for g in graph.gs if g is not None]
    problems = []
    labels = [*graph.labels, *(f"the gradient of output {i}" for i in range(len(graph.ws)))]
    xs = [*graph.xs, *graph.ws]
    for label, x, gradient in zip(labels, xs, _values(session, graph, xs, graph.hs), strict=True):
        what = f"the second gradient, by {label},"
        problems += _along_directions(session, graph, grads, graph.vs, x, gradient, what)
    return problems


def _values(
    session: tg.Session, graph: Probe, xs: Sequence[AnyOutput], gradients: Sequence[AnyOperand | None]
) -> list[Array]:
    """The values of gradients, from a single run; zeros for None."""
    values = iter(session.run([each for each in gradients if each is not None], graph.feeds))
    pairs = zip(xs, gradients, strict=True)
    return [np.zeros_like(graph.feeds[x]) if each is None else np.asarray(next(values)) for x, each in pairs]


def _along_directions(
    session: tg.Session,
    graph: Probe,
    outputs: Sequence[AnyOperand],
    weights: Sequence[AnyOutput],
    x: AnyOutput,
    gradient: Array,
    what: str,
) -> list[str]:
    for seed in range(_DIRECTIONS):
        direction = random_like(gradient, 10 + seed)
        expected = slope(session, graph, outputs, weights, x, direction)
        actual = inner([gradient], [direction])
        scale = max(1.0, abs(expected), float(np.sum(np.abs(gradient))))
        if not abs(actual - expected) <= TOLERANCES[graph.types] * scale:
            return [f"{what} gives slope {actual:.9g}, differences give {expected:.9g}; it is {gradient.tolist()}"]
    return []


def gradient_values(graph: Probe) -> list[Array]:
    """All first and second gradients."""
    xs = [*graph.xs, *graph.xs, *graph.ws] if graph.hs else graph.xs
    with tg.Session(graph.scope.graph) as session:
        return _values(session, graph, xs, [*graph.gs, *graph.hs])
