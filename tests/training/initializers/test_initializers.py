"""The initializers: values and distributions are those that Keras uses, and randomness follows seed and name."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import typegrad as tg
from record_keras import Answer, Case, load
from training.initializers.cases import CASES
from typegrad import initializers
from typegrad.base.types import from_numpy
from typegrad.op import core

FLOATS: Final[list[type[tg.TFloating]]] = [tg.TBfloat16, tg.TFloat16, tg.TFloat32, tg.TFloat64]
RANDOM: Final[list[initializers.Initializer]] = [
    initializers.RandomNormal(),
    initializers.RandomUniform(),
    initializers.TruncatedNormal(),
    initializers.VarianceScaling(),
    initializers.GlorotUniform(),
    initializers.HeNormal(),
    initializers.Orthogonal(),
]

UNTYPED: Final[Any] = initializers


@cache
def recorded() -> dict[str, Answer]:
    return load("training/initializers")


def dtype_of(name: str) -> type[Any]:
    dtype = from_numpy(np.dtype(name))
    assert dtype is not None
    return dtype


def run(operand: tg.Operand[Any]) -> NDArray[Any]:
    with tg.Session(operand.graph) as session:
        value: NDArray[Any] = session.run(operand)
        return value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_values_and_distributions_are_those_of_keras(case: Case) -> None:
    for index, (shape, name) in enumerate(case.calls):
        scope = tg.Scope(tg.Graph(seed=1))
        operand = getattr(initializers, case.name)(**case.options)(scope, shape, dtype_of(name))
        assert operand.shape == tg.Shape.of(*shape) and operand.dtype is dtype_of(name)
        answer = recorded()[case.id]
        if f"value{index}" in answer:
            np.testing.assert_array_equal(run(operand), answer[f"value{index}"], strict=True)
        else:
            check_distribution(operand, answer[f"distribution{index}"])


def check_distribution(operand: tg.Operand[Any], parameters: NDArray[np.float64]) -> None:
    """`operand` must be the standard numbers that its random node draws, moved and scaled as Keras asks for."""
    (node,) = [op for op in operand.graph.operations if op.definition.effect == "random"]
    with tg.Session(operand.graph) as session:
        standard, value = session.run([node.outputs[0], operand])
    if node.type == "RandomUniform":
        low, high = parameters
        expected = low + (high - low) * standard.astype(np.float64)
    else:
        mean, stddev = parameters
        expected = mean + stddev * standard.astype(np.float64)
    rtol = 1e-6 if value.dtype == np.float32 else 1e-14
    np.testing.assert_allclose(value, expected, rtol, rtol)


def test_every_recorded_answer_is_looked_at() -> None:
    assert recorded().keys() == {case.id for case in CASES}


@pytest.mark.parametrize("distribution", ["truncated_normal", "untruncated_normal", "uniform"])
@pytest.mark.parametrize("mode", ["fan_in", "fan_out", "fan_avg"])
def test_the_variance_is_the_scale_over_the_fan(distribution: Any, mode: Any) -> None:
    """100,000 numbers: the sample variance is within 3 % of the true one, the mean within 5 standard errors of zero."""
    scope = tg.Scope(tg.Graph(seed=7))
    value = run(initializers.VarianceScaling(2.0, mode, distribution)(scope, (250, 400), tg.TFloat64))
    variance = 2.0 / {"fan_in": 250, "fan_out": 400, "fan_avg": 325}[mode]
    assert value.var() == pytest.approx(variance, rel=0.03)
    assert abs(value.mean()) < 5 * np.sqrt(variance / value.size)


def test_truncated_numbers_are_within_two_standard_deviations() -> None:
    value = run(initializers.TruncatedNormal(1.0, 0.5)(tg.Scope(tg.Graph(seed=7)), (10000,), tg.TFloat64))
    assert value.min() >= 0 and value.max() <= 2
    assert value.min() < 0.05 and value.max() > 1.95
    assert value.std() == pytest.approx(0.5 * 0.8796, rel=0.02)


def test_uniform_numbers_fill_the_range() -> None:
    value = run(initializers.RandomUniform(-1.0, 3.0)(tg.Scope(tg.Graph(seed=7)), (10000,), tg.TFloat64))
    assert -1 <= value.min() < -0.99 and 2.99 < value.max() < 3
    assert value.mean() == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize("shape", [(5, 5), (7, 3), (3, 7), (2, 3, 4), (2, 2, 9), (1, 1), (0, 3), (3, 0)])
@pytest.mark.parametrize("dtype", [tg.TFloat32, tg.TFloat64])
def test_orthogonal_columns_or_rows_have_length_gain(dtype: type[tg.TFloating], shape: tuple[int, ...]) -> None:
    value = run(initializers.Orthogonal(gain=3.0)(tg.Scope(tg.Graph(seed=5)), shape, dtype))
    assert value.dtype == dtype.numpy and value.shape == shape
    matrix = value.reshape(int(np.prod(shape[:-1])), shape[-1]).astype(np.float64)
    tall = matrix if matrix.shape[0] >= matrix.shape[1] else matrix.T
    tolerance = 1e-5 if dtype is tg.TFloat32 else 1e-13
    np.testing.assert_allclose(tall.T @ tall, 9 * np.eye(tall.shape[1]), atol=tolerance)


def test_rotations_are_drawn_evenly() -> None:
    """The factor is that with a positive diagonal of r: else the first element would never be positive.

    Its mean square is 1 / n.
    """
    scope = tg.Scope(tg.Graph())
    drawn = [initializers.Orthogonal(seed=seed)(scope, (4, 4), tg.TFloat64) for seed in range(400)]
    with tg.Session(scope.graph) as session:
        first = np.array([value[0, 0] for value in session.run(drawn)])
    assert abs(first.mean()) < 5 * 0.5 / np.sqrt(first.size)
    assert np.mean(first**2) == pytest.approx(0.25, abs=0.06)


def test_a_square_matrix_is_the_factor_of_what_was_drawn() -> None:
    scope = tg.Scope(tg.Graph(seed=5))
    value = initializers.Orthogonal()(scope, (4, 4), tg.TFloat64)
    (normal,) = (op for op in scope.graph if op.type == "RandomStandardNormal")
    with tg.Session(scope.graph) as session:
        factor, drawn = session.run([value, normal.outputs[0]])
    upper = factor.T @ drawn
    assert np.allclose(np.tril(upper, -1), 0) and np.all(np.diag(upper) > 0)


def test_an_orthogonal_vector_is_refused() -> None:
    with pytest.raises(
        tg.ShapeError, match=r"^Orthogonal initializes matrices, or arrays of higher rank; got shape \(3,\)$"
    ):
        initializers.Orthogonal()(tg.Scope(tg.Graph()), (3,), tg.TFloat32)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("initializer", RANDOM, ids=repr)
def test_every_floating_type_is_drawn(initializer: initializers.Initializer, dtype: type[tg.TFloating]) -> None:
    value = run(initializer(tg.Scope(tg.Graph(seed=3)), (20, 30), dtype))
    assert value.dtype == dtype.numpy and np.isfinite(value.astype(np.float64)).all() and len(np.unique(value)) > 50


@pytest.mark.parametrize("initializer", RANDOM, ids=repr)
def test_numbers_follow_the_graph_seed_and_the_name(initializer: initializers.Initializer) -> None:
    def draw(seed: int, name: str) -> NDArray[Any]:
        return run(initializer(tg.Scope(tg.Graph(seed=seed)).with_name(name), (4, 5), tg.TFloat32))

    np.testing.assert_array_equal(draw(1, "weights"), draw(1, "weights"))
    assert (draw(1, "weights") != draw(2, "weights")).any()
    assert (draw(1, "weights") != draw(1, "others")).any()


@pytest.mark.parametrize("seed", [0, 5, -1])
def test_a_seed_of_its_own_makes_the_name_indifferent(seed: int) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    initializer = initializers.HeNormal(seed=seed)
    first, second = (initializer(scope.with_name(name), (4, 5), tg.TFloat32) for name in ("a", "b"))
    np.testing.assert_array_equal(run(first), run(second))
    other = initializers.HeNormal(seed=seed + 1)(scope, (4, 5), tg.TFloat32)
    assert (run(first) != run(other)).any()


def test_variables_start_with_an_initializer() -> None:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    variable = tg.Variable.create(scope, initializers.GlorotUniform()(scope, (30, 20), tg.TFloat32))
    with tg.Session(graph) as session:
        value = session.value(variable)
    assert value.shape == (30, 20) and 0 < np.abs(value).max() <= np.sqrt(6 / 50)


def test_initializers_are_values() -> None:
    assert initializers.GlorotUniform(seed=1) == initializers.GlorotUniform(seed=1)
    assert hash(initializers.Zeros()) == hash(initializers.Zeros())
    with pytest.raises(AttributeError):
        setattr(initializers.Identity(), "gain", 2.0)  # noqa: B010


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: UNTYPED.VarianceScaling(0.0), "scale is a positive number"),
        (lambda: UNTYPED.VarianceScaling(float("inf")), "scale is a positive number"),
        (lambda: UNTYPED.VarianceScaling(1.0, "fan"), "`mode` must be one of 'fan_in', 'fan_out', 'fan_avg'"),
        (lambda: UNTYPED.VarianceScaling(1.0, "fan_in", "normal"), "`distribution` must be one of"),
        (lambda: UNTYPED.RandomNormal(seed=1.5), "`seed` must be an int or None"),
        (lambda: UNTYPED.RandomNormal(seed=True), "`seed` must be an int or None"),
    ],
)
def test_options_are_checked(make: Any, message: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("shape", "error", "message"),
    [
        ((None, 3), tg.AttributeValueError, r"`shape\[0\]` must be an int, not None"),
        ((-1, 3), tg.ShapeError, "every dimension of .* must be known"),
        ((2.5,), tg.AttributeValueError, r"`shape\[0\]` must be an int, not float 2.5"),
        (3, tg.AttributeValueError, r"`shape` must be a list of ints, not int 3; write \[3\] for one"),
    ],
)
def test_sizes_must_be_known(shape: Any, error: type[Exception], message: str) -> None:
    for initializer in (initializers.Zeros(), initializers.HeNormal()):
        with pytest.raises(error, match=message):
            initializer(tg.Scope(tg.Graph()), shape, tg.TFloat32)


def test_the_shape_may_be_that_of_an_operand() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
    rows = core.Placeholder.create(scope, tg.TFloat32, (None, 3))
    made: list[Any] = [
        initializers.Constant(2.0),
        initializers.Zeros(),
        initializers.Ones(),
        initializers.Identity(),
        initializers.HeNormal(),
        initializers.Orthogonal(),
    ]
    for initializer in made:
        assert initializer(scope, x.shape, tg.TFloat32).shape == x.shape
        with pytest.raises(tg.ShapeError, match=r"^every dimension of \[\?, 3\] must be known here; "):
            initializer(scope, rows.shape, tg.TFloat32)


@pytest.mark.parametrize("shape", [(3,), (2, 3, 4), ()])
def test_an_identity_is_a_matrix(shape: tuple[int, ...]) -> None:
    with pytest.raises(tg.ShapeError, match=r"^Identity initializes matrices, of shape \(rows, columns\); got \("):
        initializers.Identity()(tg.Scope(tg.Graph()), shape, tg.TFloat32)


def test_a_constant_must_fit_type_and_shape() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.DTypeError):
        initializers.Constant(0.5)(scope, (2,), tg.TInt32)
    with pytest.raises(tg.ShapeError):
        initializers.Constant([1.0, 2.0])(scope, (3,), tg.TFloat32)
    with pytest.raises(tg.DTypeError):
        initializers.Identity(0.5)(scope, (3, 3), tg.TInt32)
