"""Gradients agree with finite differences, first and second order, however much of the shapes is known while the graph
is built.
"""

from __future__ import annotations

from typing import Final

import pytest

import typegrad as tg
from support.building import applied
from support.case import Case
from support.registry import by_op, definition
from support.reporting import check_all
from typegrad.graph.definition import Flow
from typegrad_checking.probing import Knowledge, varied
from typegrad_checking.slopes import changes, gradient_values, wrong_slopes

KNOWLEDGE: Final[tuple[Knowledge, ...]] = ("operands", "ranks", "nothing")
NO_SECOND_ORDER: dict[str, str] = dict.fromkeys(
    ("Igamma", "Igammac"), "the second derivative of the incomplete gamma function in its shape has no closed form"
)
"""Operations whose gradient cannot be differentiated again, and why."""
NEEDS_RANKS: dict[str, str] = {"GatherV2": "a negative batch_dims counts from the end of the indices' shape"}
"""Operations whose gradient may ask for a rank, as TensorFlow's does, and why."""
UNVARIED: dict[str, str] = {"PreventGradient": "its gradient is an error, on purpose"}
"""Operations with a rule that finite differences do not apply to, and why."""


def _cases(name: str) -> list[Case]:
    usable = [case for _, case in by_op()[name] if case.smooth and not case.fails and varied(applied(case))]
    return [case for case in usable if definition(case.op).effect == ""]


NAMES = sorted(name for name in by_op() if _cases(name))


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_slopes(name: str) -> None:
    check_all(_cases(name), lambda case: _slopes(case, second=name not in NO_SECOND_ORDER))


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_the_same_when_shapes_are_unknown(name: str) -> None:
    check_all(_cases(name), lambda case: _same(case, second=name not in NO_SECOND_ORDER))


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


def _slopes(case: Case, *, second: bool) -> str | None:
    return "; ".join(wrong_slopes(applied(case), second=second))


def _same(case: Case, *, second: bool) -> str | None:
    known = gradient_values(applied(case), "static", second=second)
    for knowledge in KNOWLEDGE:
        try:
            problem = changes(applied(case), knowledge, known, second=second)
        except tg.GradientError as error:
            problem = "" if knowledge == "nothing" and case.op in NEEDS_RANKS else str(error)
        if problem:
            return f"knowing {knowledge}: {problem}"
    return None
