"""Random operations: what they refuse, with which words. Shapes and types while the graph is built, values in a run."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import cluster, core, math, random

KEY: Final = np.array([5], np.uint64)
COUNTER: Final = np.array([1, 2], np.uint64)
SEED: Final = (1, 2)
INTEGERS: Final = (KEY, COUNTER, 1, np.int32(5))
ONE: Final = np.float64(1)


def variable(scope: tg.Scope, value: Any) -> Any:
    """The handle of a variable that holds this."""
    return tg.Variable.create(scope, value).handle


REFUSED: Final[list[tuple[Any, tuple[Any, ...], str]]] = [
    (
        random.StatelessRandomGetKeyCounter,
        (np.int32(1),),
        "`seed` must have 2 elements, but is one number; write (0, 1)",
    ),
    (random.StatelessRandomGetKeyCounter, ((1, 2, 3),), "`seed` must have 2 elements, but has 3"),
    (random.StatelessMultinomial, (np.ones((2, 3)), 4, (1,)), "`seed` must have 2 elements, but has 1"),
    (random.StatelessRandomUniformV2, ((3,), COUNTER, COUNTER, 1), "`key` must have shape [1], but has shape [2]"),
    (random.StatelessRandomUniformV2, ((3,), KEY, KEY, 1), "`counter` must have 2 elements, but has 1"),
    (
        random.StatelessRandomBinomial,
        ((3,), SEED, np.ones((2, 1)), np.ones(3)),
        "`shape` is [3], but must end with the shape of `counts`, `probs`, which is [2, 3]",
    ),
    (
        random.StatelessRandomGamma,
        ((3,), KEY, COUNTER, 1, np.ones(2)),
        "`shape` is [3], but must end with the shape of `alpha`, which is [2]",
    ),
    (
        random.ParameterizedTruncatedNormal,
        ((), ONE, ONE, -ONE, ONE),
        "`shape` is [], but the result must have rank 1 or more",
    ),
    (
        random.ParameterizedTruncatedNormal,
        ((3, 2), ONE, np.ones(2), -ONE, ONE),
        "`stdevs` must be a scalar, or have 1 element or one for each row, but has shape [2]; `shape` is [3, 2]",
    ),
    (math.SobolSample, (0, 3, 0), "`dim` is 0, but must be at least 1"),
    (
        math.SobolSample,
        (1, 2**31 - 2, 5),
        "`num_results` 2147483646 and `skip` 5 must be less than 2147483647 together",
    ),
    (random.Multinomial, (np.ones((2, 3)), -1), "`num_samples` is -1, but cannot be negative"),
    (
        random.UniformCandidateSampler,
        ([[1, 2]], 1, 1, False, 3),
        "`true_classes` must have `num_true` columns, which is 1, but has shape [1, 2]",
    ),
    (random.Multinomial, (np.ones((2, 0)), 1), "`logits` has shape [2, 0]: there is no class to draw"),
    (math.SobolSample, (1, 3, -1), "`skip` is -1, but must be at least 0"),
    (
        cluster.KMC2ChainInitialization,
        (np.zeros(0, np.float32), 1),
        "`distances` must hold at least one candidate, but has shape [0]",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "message"), REFUSED)
def test_shapes_that_are_refused(scope: tg.Scope, operation: Any, inputs: tuple[Any, ...], message: str) -> None:
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        operation.create(scope, *inputs)
    assert f"): {message}\n" in str(raised.value)


ORDERS: Final[list[tuple[tuple[Any, ...], dict[str, Any], str]]] = [
    ((3, (1, 2, 3), 9), {"rounds": 5}, "`rounds` is 5, but must be even, and 4 or more"),
    ((3, (1, 2, 3), 9), {"rounds": 2}, "`rounds` is 2, but must be even, and 4 or more"),
    ((3, (1, 2), 9), {}, "`seed` must have shape [3] or [n, 3], but has shape [2]"),
    (([[3]], (1, 2, 3), 9), {}, "`index` must be a scalar or a vector, but has shape [1, 1]"),
    (([], (1, 2, 3), 9), {}, "there is no index"),
    (
        ([1, 2, 3], (1, 2, 3), [8, 9]),
        {},
        (
            "there must be one of each, or as many as there are others, but the shapes are index [3], max_index [2], "
            "seed []"
        ),
    ),
]


@pytest.mark.parametrize(("inputs", "attributes", "message"), ORDERS)
def test_orders_that_are_refused(
    scope: tg.Scope, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str
) -> None:
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        core.RandomIndexShuffle.create(scope, *(np.array(each, np.int32) for each in inputs), **attributes)
    assert f"): {message}\n" in str(raised.value)


def test_variables_that_hold_no_state(scope: tg.Scope) -> None:
    with pytest.raises(tg.DTypeError, match="the variable is int32, but a generator's state is int64"):
        random.RngSkip.create(scope, variable(scope, np.zeros(3, np.int32)), 1, 1)
    for sizes in ((2,), (1, 3)):
        with pytest.raises(
            tg.ShapeError, match=r"has shape \[.*\], but a generator's state has shape \[3\] or is longer"
        ):
            random.StatefulUniform.create(scope, variable(scope, np.zeros(sizes, np.int64)), 1, (2,))


FAILING: Final[list[tuple[Any, tuple[Any, ...], str]]] = [
    (
        random.StatelessRandomUniformV2,
        ((3,), KEY, COUNTER, 2),
        "the algorithm is 2, ThreeFry, which is not here, nor in TensorFlow on a CPU; 1 is Philox",
    ),
    (random.StatelessRandomGamma, ((3,), KEY, COUNTER, 7, ONE), "the algorithm is 7, no algorithm; 1 is Philox"),
    (
        random.StatelessRandomUniformIntV2,
        ((3,), *INTEGERS, np.int32(5)),
        "`minval` must be less than `maxval`, but they are 5 and 5",
    ),
    (
        random.StatelessMultinomial,
        (np.array([[-np.inf, np.nan]]), 1, SEED),
        "row 0 of `logits` has no finite number, so that no class can be drawn",
    ),
    (
        random.StatelessParameterizedTruncatedNormal,
        ((2,), SEED, ONE, -ONE, -ONE, ONE),
        "`stddevs` is -1.0, but must be positive",
    ),
    (
        random.ParameterizedTruncatedNormal,
        ((2,), ONE, ONE, ONE, -ONE),
        "`minvals` is 1.0 and `maxvals` is -1.0, but `minvals` must be less than `maxvals`",
    ),
    (
        random.StatelessParameterizedTruncatedNormal,
        ((2,), SEED, ONE, ONE, -np.inf * ONE, np.inf * ONE),
        "`minvals` is -inf and `maxvals` is inf; one of them must be finite",
    ),
    (
        random.StatelessParameterizedTruncatedNormal,
        ((2,), SEED, np.nan * ONE, ONE, -ONE, ONE),
        "no number between the bounds was found: they are too close for the type",
    ),
    (core.RandomIndexShuffle, (12, (1, 2, 3), 9), "`index` is 12, but must be in [0, `max_index`]; `max_index` is 9"),
    (
        core.RandomIndexShuffle,
        ([0, -1], (1, 2, 3), 9),
        "`index[1]` is -1, but must be in [0, `max_index`]; `max_index` is 9",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "message"), FAILING)
def test_values_that_are_refused(scope: tg.Scope, operation: Any, inputs: tuple[Any, ...], message: str) -> None:
    op = operation.create(scope, *inputs)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(op)
    assert f": {message}\n" in str(raised.value)


def test_an_algorithm_that_is_refused_leaves_the_state_alone(scope: tg.Scope) -> None:
    state = tg.Variable.create(scope, np.array([1, 2, 3], np.int64))
    drawn = random.StatefulUniform.create(scope, state.handle, 2, (3,))
    with tg.Session(scope.graph) as session:
        session.initialize()
        with pytest.raises(tg.InvalidArgumentError, match="the algorithm is 2, ThreeFry"):
            session.run(drawn)
        assert session.run(state).tolist() == [1, 2, 3]
