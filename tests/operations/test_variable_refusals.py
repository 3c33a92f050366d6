"""Operations that change rows of a variable: what they refuse, with which words."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, train


def operand(scope: tg.Scope, each: Any) -> Any:
    """The handle of a variable of a shape; other arguments as they are."""
    return tg.Variable.create(scope, np.ones(each)).handle if isinstance(each, tuple) else each


SHAPES: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], str]]] = [
    (
        core.ResourceGather,
        ((2, 3), np.zeros((4, 1), np.int32)),
        {"dtype": tg.TFloat64, "batch_dims": 1},
        (
            "with `batch_dims` 1, the variable and `indices` must begin with the same sizes, but have shapes [2, 3] "
            "and [4, 1]"
        ),
    ),
    (
        core.ResourceScatterAdd,
        ((3, 2), [0], np.ones((2, 2))),
        {},
        "`updates` has shape [2, 2], but must be a scalar or [1, 2]: `indices` has shape [1], the variable [3, 2]",
    ),
    (
        train.ResourceApplyMomentum,
        ((2,), (3,), 0.1, [1.0, 1.0], 0.9),
        {},
        "the variable `var` has shape [2], but `accum` has shape [3]",
    ),
    (
        core.ResourceScatterAdd,
        ((), [0], 1.0),
        {},
        "the variable is a scalar, which has no rows to update; it must have rank 1 or more",
    ),
    (
        train.ResourceSparseApplyMomentum,
        ((), (), 0.1, [1.0], [0], 0.9),
        {},
        "the variable is a scalar, which has no rows to update; it must have rank 1 or more",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), SHAPES)
def test_shapes_that_are_refused(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str
) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError) as raised:
        operation.create(scope, *(operand(scope, each) for each in inputs), **attributes)
    assert f"): {message}\n" in str(raised.value)


def test_a_value_of_another_type() -> None:
    scope = tg.Scope(tg.Graph())
    v = tg.Variable.create(scope, np.float32(1)).handle
    message = (
        r"\): the variable is float32, but the operation works on float64; "
        r"cast the value, or make a variable of float64\n"
    )
    with pytest.raises(tg.DTypeError, match=message):
        core.AssignVariableOp.create(scope, v, core.Constant.create(scope, np.float64(2)))


FTRL: Final = ((2,), (2,), (2,), [1.0], [0])
NUMBERS: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], str]]] = [
    (core.ResourceScatterDiv, ((3,), [0, 1], [2.0, 0.0]), {}, "`updates[1]` is 0.0, by which nothing can be divided"),
    (core.ResourceScatterDiv, ((3,), [0, 1], 0.0), {}, "`updates` is 0.0, by which nothing can be divided"),
    (
        train.ResourceSparseApplyFtrlV1,
        (*FTRL, 0.1, 0.0, 0.0, 0.5),
        {},
        "`lr_power` is 0.5, but must not be positive",
    ),
    (train.ResourceSparseApplyFtrlV1, (*FTRL, 0.0, 0.0, 0.0, -0.5), {}, "`lr` is 0.0, but must be greater than 0"),
    (
        train.ResourceSparseApplyFtrlV1,
        (*FTRL, -0.1, 0.0, 0.0, -0.5),
        {"multiply_linear_by_lr": True},
        "`lr` is -0.1, but must be 0 or more",
    ),
    (train.ResourceSparseApplyFtrlV1, (*FTRL, 0.1, -0.1, 0.0, -0.5), {}, "`l1` is -0.1, but must not be negative"),
]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), NUMBERS)
def test_numbers_that_are_refused(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str, dtype: Any
) -> None:
    """Of each type, in the digits that were written."""
    scope = tg.Scope(tg.Graph())
    handles = [tg.Variable.create(scope, np.ones(each, dtype)).handle for each in inputs if isinstance(each, tuple)]
    changed = operation.create(scope, *handles, *inputs[len(handles) :], **attributes)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(changed)
    assert f"): {message}\n" in str(raised.value)
