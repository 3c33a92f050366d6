"""The steps of optimizers on large variables as groups: the same bits as the kernels of the operations."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.blocks import small_blocks
from support.building import build, place_all
from support.case import Case, Var
from support.recording import as_array, describe
from support.registry import by_op, definition
from typegrad.base.types import TResource
from typegrad.graph.definition import resolve
from typegrad.kernels.updating import Whole
from typegrad.op import core, debugging, train
from typegrad.session.plan import Plan
from typegrad.session.state import Resources
from typegrad.session.updates import UpdateKernel

CASES: Final[list[Case]] = [
    case
    for name, cases in by_op().items()
    if isinstance(resolve(definition(name).kernel), Whole)
    for _, case in cases
    if case.inputs[0].value is None or np.ndim(as_array(case.inputs[0].value))  # scalars are never large
]

WITHOUT: Final = {"ResourceApplyProximalAdagrad"}
"""The operation whose step looks at values before it computes."""


def after_three_steps(case: Case, passes: Any) -> list[Any] | str:
    """The variables of a case after the third step, which is compiled; the class of the error if there is one."""
    scope = tg.Scope(tg.Graph(seed=1))
    try:
        inputs = place_all(scope, case)
        op = build(scope, case, inputs)
        session = tg.Session(scope.graph, passes=passes)
        for _ in range(3):
            session.run(op)
        reads = [
            core.ReadVariableOp.create(scope, each, each.op.attrs["dtype"])
            for each in inputs
            if each.dtype is TResource
        ]
        return [value.tobytes() for value in session.run(reads)]
    except tg.TypegradError as error:
        return type(error).__name__


@pytest.mark.parametrize("case", CASES, ids=describe)
def test_groups_change_no_bit(case: Case) -> None:
    with small_blocks():
        assert after_three_steps(case, None) == after_three_steps(case, ())


def test_the_step_is_a_number_of_the_type_of_the_variable() -> None:
    """And rows of a length that vector instructions do not divide change no bit, not even of nan."""
    random = np.random.default_rng(1)
    values = [random.choice([0.3, -1.7, np.nan, -np.nan, np.inf, 0.0], (7, 9999)).astype(np.float32) for _ in range(4)]
    numbers = [np.float32(0.1), np.float32(0.3), np.float32(0.7), np.int64(1001)]
    case = Case("ResourceApplyAdagradDA", (*map(Var, values[:3]), values[3], *numbers))
    assert after_three_steps(case, None) == after_three_steps(case, ())


def test_every_step_that_can_be_a_group_is_one() -> None:
    grouped = {case.op for case in CASES if _is_grouped(case)}
    assert {case.op for case in CASES} - grouped == WITHOUT


def _is_grouped(case: Case) -> bool:
    scope = tg.Scope(tg.Graph(seed=1))
    try:
        op = build(scope, case, place_all(scope, case))
    except tg.TypegradError:
        return False
    with small_blocks():
        steps = Plan([], [op], [], Resources()).lowered(frozenset())
    return isinstance(steps[-1].kernel, UpdateKernel)


def test_an_update_that_fails_changes_nothing() -> None:
    """Not even where the group is done, and only a later step fails."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(4,))
    variable = tg.Variable.create(scope, np.ones(4, np.float32))
    update = train.ResourceApplyGradientDescent.create(scope, variable.handle, 0.5, x)
    check = debugging.CheckNumerics.create(scope.with_control_dependencies([update]), x, "bad")
    session = tg.Session(scope.graph)
    good, bad = np.ones(4, np.float32), np.full(4, np.nan, np.float32)
    with small_blocks():
        for _ in range(2):
            session.run(check, {x: good})
        with pytest.raises(tg.InvalidArgumentError, match="bad"):
            session.run(check, {x: bad})
    np.testing.assert_array_equal(session.run(variable), np.zeros(4))
