"""Gradients agree with finite differences, first and second order, however much of the shapes is known while the graph
is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Final

import pytest

import typegrad as tg
from support.building import applied
from support.case import Case
from support.registry import by_op, definition
from support.reporting import check_all
from typegrad.graph.definition import Flow
from typegrad_checking.probing import Knowledge, probe, varied
from typegrad_checking.slopes import changes, gradient_values, wrong_slopes

PARTLY: Final[tuple[Knowledge, ...]] = ("nothing", "operands", "ranks")
"""What the graph may know. Each case is built with everything known, and with one of these in turn, or few with all."""
ROUGH_SECOND_ORDER: dict[str, str] = dict.fromkeys(
    ("ImageProjectiveTransformV2", "ImageProjectiveTransformV3"),
    "the gradient is computed in float32: `test_warp.py` compares it with the transpose, to any order",
)
"""Operations whose second gradient finite differences do not apply to, and why."""
NEEDS_RANKS: dict[str, str] = {"GatherV2": "a negative batch_dims counts from the end of the indices' shape"}
"""Operations whose gradient may ask for a rank, as TensorFlow's does, and why."""
NEEDS_STEPS: dict[str, str] = dict.fromkeys(
    ("BlockLSTMV2", "BlockLSTMGradV2", "CTCLoss"), "the gradients of gates, and of gradients, are made step by step"
)
"""Operations whose gradient may ask for the number of steps, and why."""
UNVARIED: dict[str, str] = {
    "CTCLossV2": "it is in float32: `test_ctc.py` compares it with `CTCLoss`",
    "FusedResizeAndPadConv2D": "its gradients are in float32: `test_fused_convolution.py` compares it with its parts",
    "MaxPool3DGradGrad": "it has no gradient in float64",
    "PreventGradient": "its gradient is an error, on purpose",
    **dict.fromkeys(
        ("ScaleAndTranslate", "ScaleAndTranslateGrad"),
        "they are in float32, their filters have edges: `test_resize.py` compares them with differences in float64",
    ),
    **dict.fromkeys(
        ("StatelessParameterizedTruncatedNormal", "StatelessRandomGammaV3"),
        "it rejects draws: `test_implicit_gradients.py` compares it with derivatives of quantiles",
    ),
}
"""Operations with a rule that finite differences do not apply to, and why."""


def _cases(name: str) -> list[Case]:
    usable = [case for _, case in by_op()[name] if case.smooth and not case.fails and varied(applied(case))]
    return [case for case in usable if definition(case.op).effect == ""]


NAMES = sorted(name for name in by_op() if _cases(name))


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_slopes_and_the_same_when_shapes_are_unknown(name: str) -> None:
    cases, turns = _cases(name), cycle(PARTLY)
    are_few = len(cases) < len(PARTLY)  # fewer than turns
    check_all(cases, lambda case: _problem(case, PARTLY if are_few else [next(turns)]))


def test_every_operation_with_a_rule_has_a_case_for_it() -> None:
    missing = []
    for name in by_op():
        rules = {
            input_name for input_name, rule in definition(name).gradients.items() if rule in (Flow.RULE, Flow.PASS)
        }
        covered = {input_name for case in _cases(name) for input_name in varied(applied(case))}
        if not covered and rules and definition(name).effect == "" and name not in UNVARIED:
            missing.append(name)
    assert not missing, f"no smooth float64 or complex128 case for the gradients of {sorted(missing)}"


def _problem(case: Case, partly: Sequence[Knowledge]) -> str | None:
    second = case.op not in ROUGH_SECOND_ORDER
    static = probe(applied(case), "static", second)
    if problems := wrong_slopes(static):
        return "; ".join(problems)
    known = gradient_values(static)
    for knowledge in partly:
        try:
            problem = changes(probe(applied(case), knowledge, second), known)
        except tg.GradientError as error:
            lacks_ranks = knowledge == "nothing" and case.op in NEEDS_RANKS
            problem = "" if lacks_ranks or case.op in NEEDS_STEPS else str(error)
        if problem:
            return f"knowing {knowledge}: {problem}"
    return None
