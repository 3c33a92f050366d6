"""Gradients agree with finite differences, first and second order, however much of the shapes is known while the graph is built."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import typegrad as tg
from support.case import Case
from support.comparing import difference
from support.probing import AnyOperand, AnyOutput, Knowledge, Probe, inner, probe, random_like, slope, varied
from support.recording import Array
from support.registry import by_op, definition
from support.reporting import check_all

NO_SECOND_ORDER: dict[str, str] = {}
"""Operations whose gradient cannot be differentiated again, and why."""
NEEDS_RANKS: dict[str, str] = {"GatherV2": "a negative batch_dims counts from the end of the indices' shape"}
"""Operations whose gradient may ask for a rank, as TensorFlow's does, and why."""
UNVARIED: dict[str, str] = {"PreventGradient": "its gradient is an error, on purpose"}
"""Operations with a rule that finite differences do not apply to, and why."""
DIRECTIONS = 2


def _cases(name: str) -> list[Case]:
    usable = [case for _, case in by_op()[name] if case.smooth and not case.fails and varied(case)]
    return [case for case in usable if definition(case.op).effect == ""]


NAMES = sorted(name for name in by_op() if _cases(name))


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_slopes(name: str) -> None:
    check_all(_cases(name), lambda case: _slopes(case, second=name not in NO_SECOND_ORDER))


@pytest.mark.parametrize("knowledge", ["operands", "ranks", "nothing"])
@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_the_same_when_shapes_are_unknown(name: str, knowledge: Knowledge) -> None:
    check_all(_cases(name), lambda case: _same(case, knowledge, second=name not in NO_SECOND_ORDER))


def test_every_operation_with_a_rule_has_a_case_for_it() -> None:
    missing = []
    for name in by_op():
        rules = {input_name for input_name, rule in definition(name).gradients.items() if rule in ("rule", "pass")}
        covered = {input_name for case in _cases(name) for input_name in varied(case)}
        if not covered and rules and definition(name).effect == "" and name not in UNVARIED:
            missing.append(name)
    assert not missing, f"no smooth float64 or complex128 case for the gradients of {sorted(missing)}"


def _slopes(case: Case, *, second: bool) -> str | None:
    graph = probe(case, "static", second)
    with tg.Session(graph.scope.graph) as session:
        if not all(np.isfinite(y).all() for y in session.run(graph.ys, graph.feeds)):
            return None  # the recorded gradients say what happens at infinity
        problems = _first(session, graph)
        if second:
            problems += _second(session, graph)
    return "; ".join(problems)


def _first(session: tg.Session, graph: Probe) -> list[str]:
    problems = []
    for label, x, g in zip(graph.labels, graph.xs, graph.gs, strict=True):
        gradient = _value(session, graph, x, g)
        if gradient.dtype != graph.feeds[x].dtype or gradient.shape != graph.feeds[x].shape:
            problems.append(f"gradient of {label} is {gradient.dtype}{gradient.shape}, unlike its input")
            continue
        problems += _along_directions(session, graph, graph.ys, graph.ws, x, gradient, f"gradient of {label}")
    return problems


def _second(session: tg.Session, graph: Probe) -> list[str]:
    made = [g for g in graph.gs if g is not None]
    problems = []
    labels = [*graph.labels, *(f"the gradient of output {i}" for i in range(len(graph.ws)))]
    for label, x, h in zip(labels, [*graph.xs, *graph.ws], graph.hs, strict=bool(made)):
        gradient = _value(session, graph, x, h)
        problems += _along_directions(session, graph, made, graph.vs, x, gradient, f"second gradient, by {label},")
    return problems


def _value(session: tg.Session, graph: Probe, x: AnyOutput, gradient: AnyOperand | None) -> Array:
    return np.zeros_like(graph.feeds[x]) if gradient is None else np.asarray(session.run(gradient, graph.feeds))


def _along_directions(
    session: tg.Session,
    graph: Probe,
    outputs: Sequence[AnyOperand],
    weights: Sequence[AnyOutput],
    x: AnyOutput,
    gradient: Array,
    what: str,
) -> list[str]:
    for seed in range(DIRECTIONS):
        direction = random_like(gradient, 10 + seed)
        expected = slope(session, graph, outputs, weights, x, direction)
        found = inner([gradient], [direction])
        scale = max(1.0, abs(expected), float(np.sum(np.abs(gradient))))
        if not abs(found - expected) <= 2e-6 * scale:
            return [f"{what} gives slope {found:.9g}, differences give {expected:.9g}; it is {gradient.tolist()}"]
    return []


def _same(case: Case, knowledge: Knowledge, *, second: bool) -> str | None:
    known = _gradients(case, "static", second)
    try:
        unknown = _gradients(case, knowledge, second)
    except tg.GradientError as error:
        return None if knowledge == "nothing" and case.op in NEEDS_RANKS else str(error)
    for index, (theirs, ours) in enumerate(zip(known, unknown, strict=True)):
        problem = difference(ours, theirs, 1e-12)
        if problem:
            return f"gradient {index} {problem} (with shapes known)"
    return None


def _gradients(case: Case, knowledge: Knowledge, second: bool) -> list[Array]:
    """All first and second gradients."""
    graph = probe(case, knowledge, second)
    pairs = [*zip(graph.xs, graph.gs, strict=True)]
    if graph.hs:
        pairs += zip([*graph.xs, *graph.ws], graph.hs, strict=True)
    with tg.Session(graph.scope.graph) as session:
        return [_value(session, graph, x, gradient) for x, gradient in pairs]
