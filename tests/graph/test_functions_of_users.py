"""A function that the library is given runs with its scope as the current one: operators in it go where the rest
goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from attrs import frozen

import typegrad as tg
from typegrad import losses, optimizers
from typegrad.graph.wrapper import Op
from typegrad.op import core, dtypes, math
from typegrad.training.optimizers.optimizer import ByRule, Change
from typegrad.training.optimizers.step import Step, Update

Any_ = tg.Operand[Any, Any]


@pytest.fixture
def w(scope: tg.Scope) -> tg.Variable[tg.TFloat32, tuple[int]]:
    return tg.Variable.create(scope.with_name("w"), np.ones(2, np.float32))


@frozen
class Tripled(losses.Loss):
    def _losses(self, scope: tg.Scope, y_true: tg.Operand[Any], y_pred: tg.Operand[Any]) -> tg.Operand[Any]:
        return math.Square.create(scope, y_true - y_pred) * 3


class SignedSquare(ByRule):
    def _rule(self, update: Update, grad: Any_, slots: Mapping[str, Any_]) -> Change:
        return abs(grad) * grad * update.learning_rate, dict(slots)

    def _finish(self, step: Step) -> Sequence[Op]:
        rate = step.learning_rate(tg.TFloat32)
        return [core.NoOp.create(step.scope.with_control_dependencies([rate % 1]))]


def halving(scope: tg.Scope, step: Any_) -> Any_:
    return 0.5 ** dtypes.Cast.create(scope, step, tg.TFloat32)


def negated(scope: tg.Scope, gradients: Sequence[Any_]) -> list[Any_]:
    return [-gradient for gradient in gradients]


def _minimize(optimizer: optimizers.Optimizer, w: tg.Variable[tg.TFloat32, tuple[int]]) -> None:
    optimizer.minimize(core.Sum.create(tg.Scope(w.graph), w), [w])


Use = Callable[[tg.Scope, tg.Variable[tg.TFloat32, tuple[int]]], object]

USES: dict[str, tuple[Use, list[str]]] = {
    "a loss": (
        lambda scope, w: Tripled()(scope.with_sub_scope("mine"), core.Constant.create(scope, [1.0, 2.0]), w),
        ["mine/Tripled/Sub", "mine/Tripled/Square", "mine/Tripled/Mul"],
    ),
    "a schedule": (
        lambda scope, w: _minimize(optimizers.GradientDescent(scope.graph, halving), w),
        ["GradientDescent/step/Pow"],
    ),
    "a schedule within a schedule": (
        lambda scope, w: optimizers.WarmUp(halving, 5)(scope.with_sub_scope("mine"), core.Constant.create(scope, 3)),
        ["mine/WarmUp/Pow"],
    ),
    "clipping": (
        lambda scope, w: _minimize(optimizers.GradientDescent(scope.graph, 0.1, clip=negated), w),
        ["GradientDescent/step/Neg"],
    ),
    "the rule of an optimizer": (
        lambda scope, w: _minimize(SignedSquare(scope.graph, 0.1), w),
        ["SignedSquare/step/update_w/Abs", "SignedSquare/step/update_w/Mul", "SignedSquare/step/FloorMod"],
    ),
}


@pytest.mark.parametrize("what", USES)
def test_operators_go_to_the_scope_that_the_function_is_given(
    what: str, scope: tg.Scope, w: tg.Variable[tg.TFloat32, tuple[int]]
) -> None:
    use, names = USES[what]
    before = {operation.name for operation in scope.graph}
    use(scope, w)
    added = {operation.name for operation in scope.graph} - before
    assert set(names) <= added
    assert not {"Sub", "Abs", "Pow", "Neg", "Mul", "FloorMod"} & added


@pytest.mark.parametrize("what", USES)
def test_the_scope_is_current_no_longer_than_the_function_runs(
    what: str, scope: tg.Scope, w: tg.Variable[tg.TFloat32, tuple[int]]
) -> None:
    use, _ = USES[what]
    use(scope, w)
    assert tg.Scope.current(scope.graph).path == ""
