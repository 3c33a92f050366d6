"""The CTC loss sums over alignments, and its gradient is the slope; labels and lengths that do not fit are refused."""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, nn

LOGITS: Final = np.random.default_rng(0).normal(size=(4, 2, 3)).astype(np.float32)
INDICES: Final = np.array([[0, 0], [0, 1], [1, 0]])
LABELS: Final = np.array([1, 1, 0], np.int32)
STEPS: Final = np.array([4, 3], np.int32)


def loss(logits: Any, indices: Any = INDICES, labels: Any = LABELS, steps: Any = STEPS) -> nn.CtcLoss[Any]:
    return nn.CtcLoss.create(tg.Scope(tg.Graph()), logits, indices, labels, steps)


def run(op: Any) -> Any:
    with tg.Session(op.graph) as session:
        return session.run(op)


def labels_of(alignment: tuple[int, ...]) -> list[int]:
    """An alignment without repetitions and blanks; the blank is 2."""
    return [label for label, _ in itertools.groupby(alignment) if label != 2]


def test_the_loss_is_minus_the_logarithm_of_the_sum_over_all_alignments() -> None:
    p = np.exp(LOGITS) / np.exp(LOGITS).sum(-1, keepdims=True)
    expected = []
    for element, (steps, labels) in enumerate(((4, [1, 1]), (3, [0]))):
        alignments = [each for each in itertools.product(range(3), repeat=steps) if labels_of(each) == labels]
        chances = [np.prod([p[step, element, label] for step, label in enumerate(each)]) for each in alignments]
        expected.append(-np.log(sum(chances)))
    np.testing.assert_allclose(run(loss(LOGITS).loss), expected, rtol=1e-5)


def test_the_first_class_is_the_blank_of_the_second_version() -> None:
    rotated = np.roll(LOGITS, 1, axis=2)
    scope = tg.Scope(tg.Graph())
    op = nn.CTCLossV2.create(scope, rotated, INDICES, LABELS + np.int32(1), STEPS)
    np.testing.assert_allclose(run(op.loss), run(loss(LOGITS).loss), rtol=1e-6)
    np.testing.assert_allclose(run(op.gradient), np.roll(run(loss(LOGITS).gradient), 1, axis=2), atol=1e-6)


def test_the_gradient_is_the_slope() -> None:
    scope = tg.Scope(tg.Graph())
    logits = core.Placeholder.create(scope, tg.TFloat64, shape=LOGITS.shape)
    op = nn.CtcLoss.create(scope, logits, INDICES, LABELS, STEPS)
    weights = np.array([2.0, -3.0])
    grad = tg.grad(scope, op.loss, logits, grad_y=core.Constant.create(scope, weights))
    x = LOGITS.astype(np.float64)
    with tg.Session(scope.graph) as session:
        value = session.run(grad, {logits: x})
        for place in np.ndindex(x.shape):
            step = np.zeros_like(x)
            step[place] = 1e-6
            up, down = (session.run(op.loss, {logits: x + sign * step}) @ weights for sign in (1, -1))
            assert value[place] == pytest.approx((up - down) / 2e-6, abs=1e-6)


FLAGS: Final[list[dict[str, bool]]] = [
    {},
    {"ctc_merge_repeated": False},
    {"preprocess_collapse_repeated": True},
    {"ignore_longer_outputs_than_inputs": True},
]


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_derivatives_of_the_gradient_are_slopes(flags: dict[str, bool]) -> None:
    """Second and third ones. One sequence ends before its labels do, one is short, and one has no alignment."""
    rng, scope = np.random.default_rng(1), tg.Scope(tg.Graph())
    at = rng.normal(size=(4, 3, 4))
    x = core.Placeholder.create(scope, tg.TFloat64, shape=at.shape)
    indices, labels = np.array([[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]]), np.array([1, 1, 3, 0, 2, 2], np.int32)
    steps = np.array([4, 3, 1 if "ignore_longer_outputs_than_inputs" in flags else 2], np.int32)
    op: Any = nn.CtcLoss.create(scope, x, indices, labels, steps, **flags)
    weights: list[Any] = [core.Constant.create(scope, rng.normal(size=at.shape)) for _ in range(2)]
    first = tg.grad(scope, op.loss, x)
    second = tg.grad(scope, first, x, grad_y=weights[0])
    third = tg.grad(scope, second, x, grad_y=weights[1])
    with tg.Session(scope.graph) as session:
        for function, weight, slope in zip((first, second), weights, (second, third), strict=True):
            value, by = session.run([slope, weight], {x: at})
            for place in np.ndindex(at.shape):
                step = np.zeros_like(at)
                step[place] = 1e-5
                up, down = (session.run(function, {x: at + sign * step}) for sign in (1, -1))
                assert value[place] == pytest.approx(((up - down) * by).sum() / 2e-5, abs=1e-8)


def test_second_derivatives_of_the_second_version_are_the_same() -> None:
    scope = tg.Scope(tg.Graph())
    first, second = (core.Constant.create(scope, each) for each in (LOGITS, np.roll(LOGITS, 1, axis=2)))
    weights = np.random.default_rng(2).normal(size=LOGITS.shape).astype(np.float32)
    losses = (
        nn.CtcLoss.create(scope, first, INDICES, LABELS, STEPS).loss,
        nn.CTCLossV2.create(scope, second, INDICES, LABELS + np.int32(1), STEPS).loss,
    )
    results = [
        tg.grad(scope, tg.grad(scope, loss, x), x, grad_y=core.Constant.create(scope, by))
        for loss, x, by in zip(losses, (first, second), (weights, np.roll(weights, 1, axis=2)), strict=True)
    ]
    with tg.Session(scope.graph) as session:
        one, two = session.run(results)
    np.testing.assert_allclose(two, np.roll(one, 1, axis=2), atol=1e-6)
    assert np.abs(one).max() > 0.1


def test_the_gradient_of_the_gradient_needs_the_number_of_steps() -> None:
    scope = tg.Scope(tg.Graph())
    logits = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2, 3))
    first = tg.grad(scope, nn.CtcLoss.create(scope, logits, INDICES, LABELS, STEPS).loss, logits)
    with pytest.raises(tg.GradientError) as raised:
        tg.grad(scope, first, logits)
    assert (
        "the gradient of `gradient` of 'CtcLoss' is made step by step, but the number of steps, the first dimension of "
        "`inputs`, is not known while the graph is built; give it a shape with this dimension" in str(raised.value)
    )


REFUSED: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "a column too many": (
        {"indices": np.zeros((3, 3), np.int64)},
        "`labels_indices` must have 2 columns, batch and position, but has 3",
    ),
    "no steps": ({"logits": LOGITS[:0]}, "`inputs` [0, 2, 3] must have elements"),
    "lengths": (
        {"steps": STEPS[:1]},
        "`sequence_length` has 1 element, but `inputs` [4, 2, 3] is [time, batch, classes], with a batch of 2",
    ),
    "batch first": (
        {"logits": LOGITS.transpose(1, 0, 2)},
        "but `inputs` [2, 4, 3] is [time, batch, classes], with a batch of 4; linalg.Transpose by (1, 0, 2) would fit",
    ),
    "a label too few": ({"labels": LABELS[:2]}, "`labels_indices` has 3 rows, but `labels_values` has 2 elements"),
    "too many steps": ({"steps": STEPS + 1}, "`sequence_length` has 5, but `inputs` has 4 steps"),
    "negative steps": ({"steps": -STEPS}, "`sequence_length` has -4, but must be from 0 to 4"),
    "few steps": (
        {"steps": STEPS - 3},
        "element 0 of the batch has 2 labels, but 1 step; give it more steps, or set ignore_longer_outputs",
    ),
    "a negative label": ({"labels": -LABELS}, "`labels_values` has -1, but labels are not negative"),
    "a label after the end": (
        {"labels": np.array([2, 1, 0], np.int32)},
        "element 0 of the batch has label 1 after 2, which ends the labels: the last of 3 classes, 2, is the blank",
    ),
    "outside": (
        {"indices": INDICES + [[1, 0]]},
        "`labels_indices` has [2, 0], but must be a sequence in [0, 2) and a place from 0 up",
    ),
    "descending": ({"indices": INDICES[[1, 0, 2]]}, "`labels_indices` must ascend, but has [0, 0] after [0, 1]"),
    "no labels": (
        {"indices": INDICES[:2], "labels": LABELS[:2]},
        "element 1 of the batch has no labels; give it one or more",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name: str) -> None:
    arguments, message = REFUSED[name]
    with pytest.raises((tg.ShapeError, tg.InvalidArgumentError)) as raised:
        run(loss(**{"logits": LOGITS, **arguments}).loss)
    assert message in str(raised.value)


def test_the_second_version_refuses_labels_that_are_no_class() -> None:
    op = nn.CTCLossV2.create(tg.Scope(tg.Graph()), LOGITS, INDICES, LABELS + np.int32(2), STEPS)
    with pytest.raises(tg.InvalidArgumentError, match="`labels_values` has 3, but the number of classes is 3"):
        run(op.loss)


def test_in_the_second_version_label_0_ends_the_labels() -> None:
    op = nn.CTCLossV2.create(tg.Scope(tg.Graph()), LOGITS, INDICES, np.array([0, 1, 1], np.int32), STEPS)
    with pytest.raises(tg.InvalidArgumentError, match="label 1 after 0, which ends the labels: class 0 is the blank"):
        run(op.loss)


def test_decoders_refuse_what_they_cannot_give() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.ShapeError, match="`blank_index` must be from -3 to 2, but is 3"):
        nn.CtcGreedyDecoder.create(scope, LOGITS, STEPS, blank_index=3)
    with pytest.raises(
        tg.AttributeValueError, match="`top_paths` is 2, but a beam of `beam_width` 1 has no more than 1 path"
    ):
        nn.CtcBeamSearchDecoder.create(scope, LOGITS, STEPS, 1, 2)
    few = nn.CtcBeamSearchDecoder.create(scope, LOGITS, STEPS * 0, 3, 2)
    with pytest.raises(tg.InvalidArgumentError, match="`top_paths` is 2, but a sequence has only 1 path"):
        run(few.log_probability)


def test_a_wide_beam_finds_the_most_probable_labels() -> None:
    scope = tg.Scope(tg.Graph())
    op = nn.CtcBeamSearchDecoder.create(scope, LOGITS, STEPS, 1000, 3, merge_repeated=False)
    with tg.Session(scope.graph) as session:
        values, logs = session.run([op.decoded_values[0], op.log_probability])
        first = session.run(op.decoded_indices[0])[:, 0] == 0
    labels = values[first].astype(np.int32)
    indices = np.stack([np.zeros(len(labels), np.int64), np.arange(len(labels))], axis=1)
    own = loss(LOGITS[:, :1], indices, labels, STEPS[:1])
    assert run(own.loss)[0] == pytest.approx(-logs[0, 0], rel=1e-5)
    assert (np.diff(logs, axis=1) <= 0).all()
