"""`normal`, `truncated_normal`, `uniform`: mean and width, seeds, sizes of the run, and mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad import functions
from typegrad.op import core

ANY: Final[Any] = functions
SIZE: Final = (200, 100)


def _run(operand: tg.Operand[Any], feeds: tg.Feeds | None = None) -> Any:
    with tg.Session(operand.as_output().graph) as session:
        return session.run(operand, feeds)


def test_mean_and_standard_deviation(scope: tg.Scope) -> None:
    result = _run(functions.normal(scope, SIZE, 5, 0.1))
    assert result.dtype == np.float32 and abs(result.mean() - 5) < 0.005 and abs(result.std() - 0.1) < 0.005


def test_nothing_lies_further_than_two_standard_deviations(scope: tg.Scope) -> None:
    result = _run(functions.truncated_normal(scope, SIZE, mean=-1.0, stddev=0.5, dtype=tg.TFloat64))
    assert result.dtype == np.float64 and abs(result + 1).max() <= 1 < abs(result + 1).max() + 0.02


def test_the_ends_of_a_range(scope: tg.Scope) -> None:
    result = _run(functions.uniform(scope, SIZE, -2, 3))
    assert result.min() >= -2 and result.max() < 3 and abs(result.mean() - 0.5) < 0.05
    assert _run(functions.uniform(scope, SIZE)).max() < 1


def test_integers(scope: tg.Scope) -> None:
    result = _run(functions.uniform(scope, SIZE, 1, 7, tg.TInt64))
    assert result.dtype == np.int64 and np.unique(result).tolist() == [1, 2, 3, 4, 5, 6]


def test_operands_for_shape_mean_and_width(scope: tg.Scope) -> None:
    sizes = core.Placeholder.create(scope, tg.TInt32, shape=(2,))
    means = core.Constant.create(scope, [0.0, 100.0])
    result = _run(functions.normal(scope, sizes, means, core.Constant.create(scope, 0.5)), {sizes: [1000, 2]})
    assert np.round(result.mean(0), -1).tolist() == [0, 100] and (abs(result.std(0) - 0.5) < 0.05).all()


@pytest.mark.parametrize("draw", [functions.normal, functions.truncated_normal, functions.uniform])
def test_a_seed_takes_the_place_of_the_graphs(draw: Callable[..., tg.Operand[Any]]) -> None:
    values = [_run(draw(tg.Scope(tg.Graph(seed)), (3,), seed=own)) for seed, own in ((1, 5), (2, 5), (1, None))]
    assert (values[0] == values[1]).all() and (values[0] != values[2]).any()


@pytest.mark.parametrize("draw", [functions.normal, functions.truncated_normal, functions.uniform])
def test_what_is_left_as_it_is_costs_no_operation(scope: tg.Scope, draw: Callable[..., tg.Operand[Any]]) -> None:
    draw(scope.with_name("noise"), (3,))
    assert [operation.name.split("/")[0] for operation in scope.graph] == ["noise"] * 2


MISTAKES: Final[dict[str, tuple[Callable[[tg.Scope], Any], type[Exception], str]]] = {
    "integers without an end": (
        lambda scope: functions.uniform(scope, (2,), dtype=tg.TInt32),
        tg.AttributeValueError,
        "uniform: maxval, one more than the largest int32, is needed",
    ),
    "half an integer": (
        lambda scope: functions.uniform(scope, (2,), 0.5, 2, tg.TInt32),
        tg.DTypeError,
        "0.5 is not int32",
    ),
    "normal integers": (
        lambda scope: ANY.normal(scope, (2,), dtype=tg.TInt32),
        tg.DTypeError,
        "`dtype` is int32, but must be bfloat16",
    ),
    "a type by name": (lambda scope: ANY.uniform(scope, (2,), dtype="int32"), tg.DTypeError, "write tg.TInt32"),
    "a type in the place of the mean": (
        lambda scope: ANY.normal(scope, (2,), tg.TFloat32),
        tg.AttributeValueError,
        "`mean` must be a number or an Operand, not type ",
    ),
    "a mean of another type": (
        lambda scope: ANY.normal(scope, (2,), core.Constant.create(scope, 1)),
        tg.DTypeError,
        "cast one with dtypes.Cast",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(scope: tg.Scope, mistake: str) -> None:
    call, error, message = MISTAKES[mistake]
    with pytest.raises(error, match=message):
        call(scope)
