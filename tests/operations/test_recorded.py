"""Every case gives what TensorFlow gives: the same dtype, shape and values, or an error where TensorFlow has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest

import typegrad as tg
from support.building import Place, build, constant, held, place_all, placeholder, values
from support.case import Case, Var
from support.invariants import INVARIANTS
from support.recording import Array, Recorded, operands
from support.registry import by_op, recorded
from support.reporting import check_all
from typegrad.base.errors import TypegradError
from typegrad.graph.operand import Output
from typegrad_checking.comparing import difference

STALE = "not recorded, or changed since: re-run the recorder (tests/record.py)"
Result: TypeAlias = tuple[tuple[Array | None, ...], list[Array | None]]
"""The outputs, and what each variable holds afterwards."""
Run: TypeAlias = Callable[[Case], Result]


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("name", sorted(by_op()))
def test_result_is_tensorflows(name: str) -> None:
    _check(name, _run_constants)


@pytest.mark.parametrize("name", sorted(by_op()))
def test_result_is_tensorflows_when_everything_is_fed(name: str) -> None:
    _check(name, _run_fed)


def _check(name: str, run: Run) -> None:
    stems = {id(case): stem for stem, case in by_op()[name]}
    check_all((case for _, case in by_op()[name]), lambda case: _problem(case, recorded(stems[id(case)], case), run))


def _problem(case: Case, expected: Recorded | None, run: Run) -> str | None:
    if expected is None:
        return STALE
    if case.differs:
        return _problem_where_we_differ(case, run)
    if bool(expected.error) != case.fails and not expected.unsupported:
        return f"the case says fails={case.fails}, TensorFlow says {expected.error or 'fine'}"
    if case.fails:
        return _problem_of_failing(case, expected, run)
    outputs, after = run(case)
    if expected.unsupported:
        return None
    if len(outputs) != len(expected.outputs):
        return f"{len(outputs)} outputs, not {len(expected.outputs)}"
    compared = INVARIANTS.get(case.op, list)
    pairs = [
        *zip(compared(outputs), compared(expected.outputs), strict=True),
        *zip(after, expected.after, strict=True),
    ]
    problems = [_compare(case, ours, theirs, random=expected.random) for ours, theirs in pairs]
    return "; ".join(f"value {i}: {problem}" for i, problem in enumerate(problems) if problem)


def _compare(case: Case, ours: Array | None, theirs: Array | None, *, random: bool) -> str:
    if ours is None or theirs is None:
        return "" if ours is theirs else "one has a value, the other has none"
    return difference(np.zeros_like(ours) if random else ours, theirs, case.rtol)


def _problem_of_failing(case: Case, expected: Recorded, run: Run) -> str | None:
    try:
        outputs, _ = run(case)
    except TypegradError as error:
        return _problem_of_error(error)
    return f"gives {outputs}, but TensorFlow refuses: {expected.error}"


def _problem_of_error(error: TypegradError) -> str | None:
    """An error is to be raised on purpose, with a message for the user; not by NumPy, by chance."""
    cause = error.__cause__
    by_chance = cause is not None and not isinstance(cause, TypegradError)
    return f"fails by chance: {error}" if by_chance else None


def _problem_where_we_differ(case: Case, run: Run) -> str | None:
    try:
        run(case)
    except TypegradError as error:
        return _problem_of_error(error) if case.fails else str(error)
    return None


def _run_constants(case: Case) -> Result:
    return _run(case, constant, {})


def _run_fed(case: Case) -> Result:
    """Nothing is known before the run, so that the kernel meets everything, also what a shape function would have
    refused.
    """
    feeds: dict[tg.Operand[Any, Any], Array] = {}

    def fed(scope: tg.Scope, index: int, value: Array) -> Output[Any, Any]:
        output = placeholder(scope, value)
        feeds[output] = value
        return output

    return _run(case, fed, feeds)


def _run(case: Case, place: Place, feeds: dict[tg.Operand[Any, Any], Array]) -> Result:
    scope = tg.Scope(tg.Graph(seed=1))
    inputs = place_all(scope, case, place)
    op = build(scope, case, inputs)
    handles = [x for x, value in zip(inputs, operands(case), strict=True) if isinstance(value, Var)]
    with tg.Session(scope.graph) as session:
        outputs = values(session, op, feeds)
        return outputs, [held(scope, session, handle) for handle in handles]
