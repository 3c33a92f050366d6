"""What recorded answers do not show: errors, element types, state, and the metrics that Keras 3 does not have."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import typegrad as tg
from typegrad import metrics
from typegrad.op import core, math
from typegrad.training.optimizers import GradientDescent

UNTYPED: Final[Any] = metrics


def scope() -> tg.Scope:
    return tg.Scope(tg.Graph())


def constant(where: tg.Scope, value: Any, dtype: type[Any] = tg.TFloat32) -> Any:
    return core.Constant.create(where, np.asarray(value, dtype.numpy), dtype)


def placeholder(where: tg.Scope, *sizes: Any, dtype: type[Any] = tg.TFloat32) -> Any:
    return core.Placeholder.create(where, dtype, shape=sizes)


def after(metric: metrics.Metric[Any], *updates: Any) -> NDArray[Any]:
    where = tg.Scope(metric.variables[0].graph)
    with tg.Session(where.graph) as session:
        for update in updates:
            session.run(update)
        value: NDArray[Any] = session.run(metric.result(where))
        return value


def test_mean_tensor_averages_each_element() -> None:
    where = scope()
    mean = metrics.MeanTensor(where, (4,))
    updates = [
        mean.update_state(where, constant(where, [0, 1, 2, 3])),
        mean.update_state(where, constant(where, [4, 5, 6, 7], tg.TInt32)),
        mean.update_state(where, constant(where, [12, 10, 8, 6]), constant(where, [0, 0.2, 0.5, 1])),
    ]
    np.testing.assert_allclose(after(mean, *updates[:2]), [2, 3, 4, 5])
    np.testing.assert_allclose(after(mean, *updates), [2, 8 / 2.2, 12 / 2.5, 16 / 3], rtol=1e-6)


def test_weights_of_mean_tensor_without_the_last_dimension_count_for_rows() -> None:
    where = scope()
    mean = metrics.MeanTensor(where, (2, 3))
    rows = mean.update_state(where, constant(where, [[1, 2, 3], [4, 5, 6]]), constant(where, [2, 0]))
    others = mean.update_state(where, constant(where, np.zeros((2, 3))))
    np.testing.assert_allclose(after(mean, rows, others), [[2 / 3, 4 / 3, 2.0], [0.0, 0.0, 0.0]], rtol=1e-6)


def test_mean_tensor_has_a_shape() -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match=r"not of the shape of 'MeanTensor', \[4\]"):
        metrics.MeanTensor(where, (4,)).update_state(where, placeholder(where, 3))


def test_mean_relative_error_divides_by_the_normalizer() -> None:
    where = scope()
    error = metrics.MeanRelativeError(where, [1, 3, 2, 3])
    update = error.update_state(where, constant(where, [1, 3, 2, 3]), constant(where, [2, 4, 6, 8]))
    assert after(error, update) == pytest.approx(1.25)


def test_mean_relative_error_is_zero_where_the_normalizer_is() -> None:
    where = scope()
    error = metrics.MeanRelativeError(where, constant(where, [0.0, 2.0]))
    update = error.update_state(
        where, constant(where, [1.0, 2.0]), constant(where, [5.0, 4.0]), constant(where, [1.0, 3.0])
    )
    assert after(error, update) == pytest.approx(0.75)


@pytest.mark.parametrize("dtype", [tg.TFloat16, tg.TBfloat16, tg.TFloat32, tg.TFloat64])
def test_state_and_result_have_the_type_asked_for(dtype: type[tg.TFloating]) -> None:
    where = scope()
    mean = metrics.Mean(where, dtype)
    update = mean.update_state(where, constant(where, [1, 2, 6], tg.TInt64))
    value = after(mean, update)
    assert value.dtype == dtype.numpy and value == 3 and mean.dtype is dtype


def test_types_that_do_not_count_fractions_are_refused() -> None:
    wrong: Any = tg.TInt32
    with pytest.raises(tg.DTypeError, match="a metric counts in a floating-point type"):
        metrics.Mean(scope(), wrong)


def test_a_result_made_after_an_update_includes_it_in_the_same_run() -> None:
    where = scope()
    total = metrics.Sum(where)
    before = total.result(where)
    update = total.update_state(where, constant(where, [1.0, 2.0]))
    later = total.result(where)
    with tg.Session(where.graph) as session:
        assert [float(x) for x in session.run([before, update, later])[::2]] == [0, 3]


def test_metrics_are_not_trained_and_leave_gradients_alone() -> None:
    where = scope()
    weight = tg.Variable.create(where, np.float32(2.0))
    loss = math.Square.create(where, weight.read(where))
    mean = metrics.Mean(where)
    update = mean.update_state(where, loss)
    assert where.graph.trainable_variables == [weight]
    step = GradientDescent(where.graph, 0.25).minimize(loss)
    with tg.Session(where.graph) as session:
        session.run([update, step])
        session.run([update, step])
        assert session.run(mean.result(where)) == pytest.approx((4 + 1) / 2)


def test_state_is_named_and_listed() -> None:
    where = scope()
    mean = metrics.Mean(where.with_name("loss"))
    assert mean.name == "loss" and [variable.name for variable in mean.variables] == ["loss/total", "loss/count"]
    assert metrics.AUC(where, num_thresholds=3).thresholds == (-1e-7, 0.5, 1 + 1e-7)


def test_two_metrics_of_a_kind_keep_apart() -> None:
    where = scope()
    first, second = metrics.Sum(where), metrics.Sum(where)
    update = first.update_state(where, constant(where, [1.0]))
    assert after(second, update) == 0 and first.name != second.name


def test_large_class_numbers_are_compared_exactly() -> None:
    where = scope()
    accuracy = metrics.Accuracy(where)
    labels = constant(where, [16777216, 16777217], tg.TInt32)
    update = accuracy.update_state(where, labels, constant(where, [16777217, 16777217], tg.TInt32))
    assert after(accuracy, update) == 0.5


def test_many_classes_do_not_wrap_around_in_narrow_labels() -> None:
    where = scope()
    accuracy = metrics.SparseCategoricalAccuracy(where)
    scores = np.eye(300)[[299]]
    update = accuracy.update_state(where, constant(where, [299 - 256], tg.TUint8), constant(where, scores))
    assert after(accuracy, update) == 0


def test_an_empty_matrix_of_overlaps_has_mean_zero() -> None:
    where = scope()
    overlap = metrics.MeanIoU(where, 3, ignore_class=1)
    ones = constant(where, [1, 1], tg.TInt32)
    assert after(overlap, overlap.update_state(where, ones, ones)) == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda s: UNTYPED.Precision(s, thresholds=1.5), "between 0 and 1"),
        (lambda s: UNTYPED.Precision(s, top_k=0), "top_k is 1 or more"),
        (lambda s: UNTYPED.TruePositives(s, thresholds=[]), "one or more numbers"),
        (lambda s: UNTYPED.AUC(s, num_thresholds=1), "num_thresholds is 2 or more"),
        (lambda s: UNTYPED.AUC(s, curve="XYZ"), "`curve` must be one of 'ROC', 'PR', not str"),
        (lambda s: UNTYPED.AUC(s, summation_method="XYZ"), "`summation_method` must be one of"),
        (lambda s: UNTYPED.AUC(s, thresholds=[0.5, -1.0]), "between 0 and 1"),
        (lambda s: UNTYPED.PrecisionAtRecall(s, 1.5), "PrecisionAtRecall takes a share between 0 and 1"),
        (lambda s: UNTYPED.RecallAtPrecision(s, 0.5, num_thresholds=0), "num_thresholds is 1 or more"),
        (lambda s: UNTYPED.TopKCategoricalAccuracy(s, k=0), "^k is 1 or more, not 0$"),
        (lambda s: UNTYPED.MeanIoU(s, 0), "num_classes is 1 or more"),
    ],
)
def test_options_are_checked(make: Any, message: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=message):
        make(scope())


@pytest.mark.parametrize(
    ("make", "shapes", "message"),
    [
        (metrics.Mean, [(4,), (5,)], "sample_weight of shape"),
        (metrics.Mean, [(4,), (4, 2)], "more dimensions"),
        (metrics.MeanSquaredError, [(4, 3), (4, 2)], "y_true of shape"),
        (metrics.Accuracy, [(4,), (5,)], "y_true of shape"),
        (metrics.BinaryAccuracy, [(4, 3), (4, 2)], "y_true of shape"),
        (metrics.CategoricalAccuracy, [(4, 3), (4, 2)], "must have equal shapes"),
        (metrics.AUC, [(4, 3), (4, 2)], "y_true of shape"),
        (metrics.AUC, [(4, 3), (4, 3), (3,)], "sample_weight of shape"),
        (lambda s: metrics.Recall(s, class_id=1), [(4,), (4,)], "class_id is for predictions of shape"),
        (
            lambda s: metrics.AUC(s, num_labels=3),
            [(4, 2), (4, 2)],
            r"y_pred of 'AUC' is of shape \[samples, 3\], not \[4, 2\]",
        ),
        (lambda s: metrics.MeanIoU(s, 3), [(4,), (5,)], "y_true of shape"),
    ],
)
def test_shapes_are_checked(make: Any, shapes: list[tuple[int, ...]], message: str) -> None:
    where = scope()
    with pytest.raises(tg.ShapeError, match=message):
        make(where).update_state(where, *(placeholder(where, *sizes) for sizes in shapes))


@pytest.mark.parametrize("dtype", [tg.TFloat16, tg.TBfloat16, tg.TFloat32, tg.TFloat64])
def test_only_the_largest_predictions_are_positive_in_every_type(dtype: type[tg.TFloating]) -> None:
    where = scope()
    precision = metrics.Precision(where, dtype, top_k=1)
    update = precision.update_state(
        where, constant(where, [[1, 0, 1], [0, 1, 0]]), constant(where, [[0.1, 0.0, 0.2], [0.9, 0.8, 0.7]])
    )
    assert after(precision, update) == 0.5
