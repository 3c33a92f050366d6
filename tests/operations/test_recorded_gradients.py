"""The gradient of every case is TensorFlow's, at kinks and ties too, and for complex numbers."""

from __future__ import annotations

from typing import Any

import pytest

import typegrad as tg
from support.building import build, constant, input_names, place_all
from support.case import Case
from support.only_here import ONLY_HERE
from support.recording import Array, Recorded, cotangent
from support.registry import by_op, definition, recorded
from support.reporting import check_all
from typegrad.graph.definition import Flow
from typegrad_checking.comparing import difference

SLACK = 16.0
"""How much looser than values gradients are compared: they are computed by another formula."""
RECORDED = frozenset({tg.TBfloat16, tg.TFloat16, tg.TFloat32, tg.TFloat64, tg.TComplex64, tg.TComplex128})


def _to_check(name: str) -> list[tuple[Case, Recorded]]:
    pairs = [
        (case, recorded(stem, case))
        for stem, case in by_op()[name]
        if not (case.fails or case.differs or case.gradient_differs)
    ]
    return [(case, answer) for case, answer in pairs if answer is not None and answer.gradients is not None]


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", sorted(name for name in by_op() if _to_check(name)))
def test_gradient_is_tensorflows(name: str) -> None:
    expected = {id(case): answer for case, answer in _to_check(name)}
    check_all((case for case, _ in _to_check(name)), lambda case: _problem(case, expected[id(case)]))


def _problem(case: Case, expected: Recorded) -> str | None:
    scope = tg.Scope(tg.Graph())
    inputs = place_all(scope, case)
    op = build(scope, case, inputs)
    ys = [output for output in op.outputs if output.dtype in RECORDED]
    grad_ys = [
        constant(scope, 0, cotangent(value.shape, value.dtype, index))
        for index, (output, value) in enumerate(zip(op.outputs, expected.outputs, strict=True))
        if value is not None and output.dtype in RECORDED
    ]
    assert expected.gradients is not None
    rules = definition(case.op).gradients
    requested = [
        (name, x, theirs)
        for name, x, theirs in zip(input_names(case), inputs, expected.gradients, strict=True)
        if x.dtype in RECORDED
        and isinstance(rules[name], Flow)
        and (theirs is not None or (case.op, list(rules).index(name)) not in ONLY_HERE)
    ]
    gradients = tg.gradients(scope, ys, [x for _, x, _ in requested], grad_ys=grad_ys)
    with tg.Session(scope.graph) as session:
        problems = [
            f"gradient of {name}: {problem}"
            for (name, _, theirs), ours in zip(requested, gradients, strict=True)
            if (problem := _compare(session, case, ours, theirs))
        ]
    return "; ".join(problems)


def _compare(session: tg.Session, case: Case, ours: tg.Operand[Any, Any] | None, theirs: Array | None) -> str:
    if ours is None or theirs is None:
        return "" if ours is None and theirs is None else f"is {ours}, not {theirs}"
    return difference(session.run(ours), theirs, case.rtol, SLACK)
