"""Every case gives what TensorFlow gives: the same dtype, shape and values, or an error where TensorFlow has one."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from support.building import build, held, place_all, values
from support.case import Case, Var
from support.comparing import difference
from support.recording import Array, Recorded, operands
from support.registry import by_op, recorded
from support.reporting import check_all
from typegrad.errors import TypegradError

STALE = "not recorded, or changed since: re-run the recorder (tests/record.py)"


@pytest.mark.parametrize("name", sorted(by_op()))
def test_result_is_tensorflows(name: str) -> None:
    stems = {id(case): stem for stem, case in by_op()[name]}
    check_all((case for _, case in by_op()[name]), lambda case: _problem(case, recorded(stems[id(case)], case)))


def _problem(case: Case, expected: Recorded | None) -> str | None:
    if expected is None:
        return STALE
    if case.differs:
        return _problem_where_we_differ(case)
    if bool(expected.error) != case.fails and not expected.unsupported:
        return f"the case says fails={case.fails}, TensorFlow says {expected.error or 'fine'}"
    if case.fails:
        return _problem_of_failing(case, expected)
    outputs, after = _run(case)
    if expected.unsupported:
        return None
    if len(outputs) != len(expected.outputs):
        return f"{len(outputs)} outputs, not {len(expected.outputs)}"
    pairs = [*zip(outputs, expected.outputs, strict=True), *zip(after, expected.after, strict=True)]
    problems = [_compare(case, ours, theirs, random=expected.random) for ours, theirs in pairs]
    return "; ".join(f"value {i}: {problem}" for i, problem in enumerate(problems) if problem)


def _compare(case: Case, ours: Array | None, theirs: Array | None, *, random: bool) -> str:
    if ours is None or theirs is None:
        return "" if ours is theirs else "one has a value, the other has none"
    return difference(np.zeros_like(ours) if random else ours, theirs, case.rtol)


def _problem_of_failing(case: Case, expected: Recorded) -> str | None:
    try:
        outputs, _ = _run(case)
    except TypegradError:
        return None
    return f"gives {outputs}, but TensorFlow refuses: {expected.error}"


def _problem_where_we_differ(case: Case) -> str | None:
    try:
        _run(case)
    except TypegradError as error:
        return None if case.fails else str(error)
    return None


def _run(case: Case) -> tuple[tuple[Array | None, ...], list[Array | None]]:
    """The outputs, and what each variable holds afterwards."""
    scope = tg.Scope(tg.Graph(seed=1))
    inputs = place_all(scope, case)
    op = build(scope, case, inputs)
    handles = [x for x, value in zip(inputs, operands(case), strict=True) if isinstance(value, Var)]
    with tg.Session(scope.graph) as session:
        outputs = values(session, op)
        return outputs, [held(scope, session, handle) for handle in handles]
