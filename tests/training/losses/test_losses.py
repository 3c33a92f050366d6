"""What recorded answers do not show: errors, extreme values, narrow types, names."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import typegrad as tg
from typegrad import losses
from typegrad.base.types import TFloating
from typegrad.op import core, dtypes

NARROW = [tg.TFloat16, tg.TBfloat16]


def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def constant(where: tg.Scope, value: Any, dtype: type[Any] = tg.TFloat32) -> Any:
    return core.Constant.create(where, np.asarray(value, dtype.numpy), dtype)


def placeholder(where: tg.Scope, *sizes: Any, dtype: type[Any] = tg.TFloat32) -> Any:
    return core.Placeholder.create(where, dtype, shape=sizes)


def run(*operands: Any) -> list[NDArray[Any]]:
    with tg.Session(operands[0].graph) as session:
        values: list[NDArray[Any]] = session.run(list(operands))
        return values


def with_gradient(loss: Any, y_true: Any, y_pred: Any, dtype: type[TFloating] = tg.TFloat32) -> list[NDArray[Any]]:
    where = scope()
    predictions = constant(where, y_pred, dtype)
    value = loss(where, constant(where, y_true, dtype), predictions)
    return [x.astype(np.float64) for x in run(value, tg.grad(where, value, predictions))]


@pytest.mark.parametrize(
    ("true", "pred"), [((4, 3), (4, 2)), ((3, 3), (2, 3)), (("rows", 3), ("others", 3)), ((2, 4, 3), (3, 4, 3))]
)
def test_shapes_that_do_not_fit_are_named(true: tuple[Any, ...], pred: tuple[Any, ...]) -> None:
    where = scope()
    y_true, y_pred = placeholder(where, *true), placeholder(where, *pred)
    with pytest.raises(tg.ShapeError, match=r"y_true of shape .* and y_pred of shape .* do not broadcast") as caught:
        losses.MeanSquaredError()(where, y_true, y_pred)
    assert str(y_true.shape) in str(caught.value) and str(y_pred.shape) in str(caught.value)
    assert "test_losses.py" in str(caught.value)


NAMED: Final[dict[str, Any]] = {
    "mean_squared_error: y_true of shape [4, 3] and y_pred of shape [4, 2] do not broadcast": losses.mean_squared_error,
    "MeanSquaredError: y_true of shape [4, 3] and y_pred of shape [4, 2] do not broadcast": losses.MeanSquaredError(),
    "SparseCategoricalCrossentropy: y_true of shape [4, 3]": losses.SparseCategoricalCrossentropy(),
    "Huber: y_true of shape [4, 3]": losses.Huber(),
}


@pytest.mark.parametrize("start", NAMED)
def test_the_loss_is_named_as_it_was_called(start: str) -> None:
    where = scope()
    y_true = placeholder(where, 4, 3)
    with pytest.raises(tg.ShapeError) as caught:
        NAMED[start](where, dtypes.Cast.create(where, y_true, tg.TInt32), placeholder(where, 4, 2))
    assert str(caught.value).startswith(start)


def test_an_operation_in_a_loss_is_named_alone() -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match=r"^Sum 'cosine_similarity/Sum' "):
        losses.cosine_similarity(where, placeholder(where, 4, 3), placeholder(where, 4, 3), axis=3)


@pytest.mark.parametrize("loss", [losses.binary_crossentropy, losses.categorical_crossentropy])
def test_labels_of_a_cross_entropy_do_not_broadcast(loss: Any) -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match="must have equal shapes"):
        loss(where, placeholder(where, 1, 3), placeholder(where, 4, 3))


NO_LABEL: Final = (
    r"has no label for each row of y_pred of shape \[4, 3\]: y_true is of shape \[...\], y_pred of shape \["
)
MANY: Final = r"does not fit y_pred of shape \[4, 3\]: shapes \[5\] and \[4\] differ"


@pytest.mark.parametrize(("true", "message"), [((5,), MANY), ((4, 2), NO_LABEL), ((), NO_LABEL), ((4, 1, 1), NO_LABEL)])
def test_class_labels_must_fit_the_rows(true: tuple[int, ...], message: str) -> None:
    where = scope()
    lines = r"\n  y_true = 'Placeholder:0' .* created at .*test_losses.py:\d+\)\n  y_pred = 'Placeholder_1:0' "
    one_hot = "; CategoricalCrossentropy takes one-hot labels" if len(true) == 2 else ""
    with pytest.raises(tg.ShapeError, match=rf"y_true of shape \[.*\] {message}.*{one_hot}{lines}"):
        losses.sparse_categorical_crossentropy(
            where, placeholder(where, *true, dtype=tg.TInt32), placeholder(where, 4, 3)
        )


@pytest.mark.parametrize(
    ("true", "dtype", "end"),
    [
        ((4,), tg.TInt32, "; SparseCategoricalCrossentropy takes class numbers"),
        ((4,), tg.TFloat32, "; .* or core.ExpandDims with axis 1"),
        ((4, 2), tg.TInt32, ""),
    ],
)
def test_class_numbers_are_no_one_hot_labels(true: tuple[int, ...], dtype: type[tg.TType], end: str) -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match=rf"y_true of shape .* [^;]+{end}\n  y_true = .*\n  y_pred = "):
        losses.CategoricalCrossentropy()(where, placeholder(where, *true, dtype=dtype), placeholder(where, 4, 3))


def test_unknown_ranks_are_refused() -> None:
    where = scope()
    unknown = core.Placeholder.create(where, tg.TFloat32)
    with pytest.raises(tg.ShapeError, match=r"the rank of y_true \('Placeholder:0'\) must be known"):
        losses.huber(where, unknown, placeholder(where, 4, 3))


def test_a_vector_beside_a_matrix_of_unknown_width_is_refused() -> None:
    """If the width is 1, the vector is a column; if not, it broadcasts along the rows: no run should find out which."""
    where = scope()
    with pytest.raises(tg.ShapeError, match="whether its last dimension is 1 must be known"):
        losses.mean_squared_error(where, placeholder(where, None), placeholder(where, None, None))


def test_scalars_are_refused() -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match="y_true and y_pred are scalars"):
        losses.mean_squared_error(where, placeholder(where), placeholder(where))


def test_weights_must_fit() -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match="sample_weight of shape"):
        losses.Huber()(where, placeholder(where, 4, 3), placeholder(where, 4, 3), placeholder(where, 3))


@pytest.mark.parametrize("axis", [2, -3])
def test_the_axis_must_exist(axis: int) -> None:
    where = scope()
    with pytest.raises(
        tg.ShapeError, match=rf"^categorical_crossentropy: axis {axis} is out of range for y_pred of shape \[4, 3\]$"
    ):
        losses.categorical_crossentropy(where, placeholder(where, 4, 3), placeholder(where, 4, 3), axis=axis)


@pytest.mark.parametrize("smoothing", [-0.1, 1.5, float("nan")])
@pytest.mark.parametrize("loss", [losses.BinaryCrossentropy, losses.CategoricalCrossentropy])
def test_label_smoothing_is_a_share(loss: Any, smoothing: float) -> None:
    where = scope()
    with pytest.raises(tg.AttributeValueError, match="label_smoothing"):
        loss(label_smoothing=smoothing)(where, placeholder(where, 4, 3), placeholder(where, 4, 3))


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize(
    "loss", [losses.BinaryCrossentropy(), losses.CategoricalCrossentropy(), losses.KLDivergence(), losses.Poisson()]
)
def test_certain_predictions_have_a_finite_loss_and_gradient_in_narrow_types(
    loss: losses.Loss, dtype: type[TFloating]
) -> None:
    value, gradient = with_gradient(loss, [[0.0, 1.0]], [[0.0, 1.0]], dtype)
    assert np.isfinite(value) and np.isfinite(gradient).all()


@pytest.mark.parametrize("dtype", [*NARROW, tg.TFloat32, tg.TFloat64])
def test_the_cosine_of_a_zero_vector_is_zero_with_a_finite_gradient(dtype: type[TFloating]) -> None:
    value, gradient = with_gradient(losses.CosineSimilarity(), [[1.0, 2.0]], [[0.0, 0.0]], dtype)
    assert value == 0 and np.isfinite(gradient).all()


@pytest.mark.parametrize("logit", [100.0, -100.0, 1000.0])
def test_cross_entropy_of_large_logits_is_exact(logit: float) -> None:
    value, gradient = with_gradient(losses.BinaryCrossentropy(from_logits=True), [[1.0]], [[logit]])
    assert value == pytest.approx(max(-logit, 0.0) + np.exp(-abs(logit)), rel=1e-6)
    assert gradient[0, 0] == pytest.approx(-1.0 if logit < 0 else 0.0, abs=1e-30)


def test_small_losses_of_logits_do_not_cancel() -> None:
    value, _ = with_gradient(losses.BinaryCrossentropy(from_logits=True), [[1.0]], [[30.0]])
    assert value == pytest.approx(np.exp(-30.0), rel=1e-5)


@pytest.mark.parametrize("reduction", [losses.Reduction.SUM, losses.Reduction.AUTO])
def test_no_samples_lose_nothing(reduction: losses.Reduction) -> None:
    where = scope()
    y = constant(where, np.zeros((0, 3)))
    assert run(losses.MeanSquaredError(reduction=reduction)(where, y, y))[0] == 0


def test_auto_is_the_mean() -> None:
    assert losses.Reduction["AUTO"].name == "SUM_OVER_BATCH_SIZE"
    assert losses.MeanSquaredError() == losses.MeanSquaredError(reduction=losses.Reduction.AUTO)


REDUCTIONS: Final = "'none', 'sum', 'sum_over_batch_size', 'mean_with_sample_weight'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("mean",), f"must be one of {REDUCTIONS}, not 'mean'"),
        (("sum", {"name": 1}), f"must be one of {REDUCTIONS}, not 'sum', {{'name': 1}}"),
        ((), f"is missing; it must be one of {REDUCTIONS}"),
    ],
)
def test_a_reduction_is_looked_up_by_its_value(arguments: tuple[Any, ...], message: str) -> None:
    look_up: Any = losses.Reduction
    assert look_up("sum") is losses.Reduction.SUM
    with pytest.raises(tg.AttributeValueError) as raised:
        look_up(*arguments)
    assert str(raised.value) == f"Reduction(): argument `value` {message}"


@pytest.mark.parametrize("dtype", [tg.TInt32, tg.TUint8, tg.TBool, tg.TFloat64])
def test_labels_of_any_real_type_are_converted(dtype: type[Any]) -> None:
    where = scope()
    loss = losses.BinaryCrossentropy()(
        where, constant(where, [[0, 1]], dtype), constant(where, [[0.25, 0.75]]), constant(where, [1], dtype)
    )
    assert loss.dtype is tg.TFloat32
    assert run(loss)[0] == pytest.approx(-np.log(0.75), rel=1e-6)


def test_names_follow_the_scope() -> None:
    where = scope()
    y = placeholder(where, 4, 3)
    assert losses.Huber()(where, y, y).name.startswith("Huber/")
    assert losses.Huber()(where.with_name("robust"), y, y).name.startswith("robust/")
    assert losses.poisson(where, y, y).name.startswith("poisson/")
