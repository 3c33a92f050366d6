"""Selecting boxes: what shapes are known, and what is refused."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, image

PLAIN: Final = (0.5, 0.0, 0.0)


def placed(*shapes: tuple[Any, ...]) -> tuple[tg.Scope, list[Any]]:
    """A graph with placeholders."""
    scope = tg.Scope(tg.Graph())
    return scope, [core.Placeholder.create(scope, tg.TFloat32, shape=shape) for shape in shapes]


def test_padded_selections_have_a_known_size() -> None:
    scope, (boxes, scores) = placed(("n", 4), ("n",))
    chosen = image.NonMaxSuppression.create(scope, boxes, scores, 5, 0.5, 0.0, 0.0, pad_to_max_output_size=True)
    assert str(chosen.selected_indices.shape) == "[5]"
    assert str(chosen.valid_outputs.shape) == "[]"
    scope, (boxes, scores) = placed(("Batch", "n", 1, 4), ("Batch", "n", 3))
    best = image.CombinedNonMaxSuppression.create(scope, boxes, scores, 2, 100, 0.5, 0.0, pad_per_class=True)
    assert str(best.nmsed_boxes.shape) == "[Batch, 6, 4]"


def test_nearest_centers_of_named_points() -> None:
    scope, (points, centers) = placed(("points", 2), (5, 2))
    assert str(image.NearestNeighbors.create(scope, points, centers, 3).nearest_center_indices.shape) == "[points, 3]"


def test_drawing_keeps_names_and_learns_the_batch_from_the_boxes() -> None:
    scope, (images, boxes, colors) = placed((None, "h", "w", 3), ("Batch", 3, 4), (0, 4))
    assert str(image.DrawBoundingBoxes.create(scope, images, boxes, colors).shape) == "[Batch, h, w, 3]"


def test_a_box_that_is_not_finite_is_not_drawn() -> None:
    scope, (images, boxes, colors) = placed((1, 3, 3, 1), (1, 2, 4), (0, 4))
    drawn = image.DrawBoundingBoxes.create(scope, images, boxes, colors)
    blank = np.zeros((1, 3, 3, 1), np.float32)
    wrong = np.array([[[np.nan, 0, 1, 1], [0, 0, np.inf, 1]]], np.float32)
    with tg.Session(scope.graph) as session:
        result = session.run(drawn, {images: blank, boxes: wrong, colors: np.zeros((0, 4), np.float32)})
    np.testing.assert_array_equal(result, blank)


REFUSED: Final[list[tuple[Any, list[tuple[Any, ...]], tuple[Any, ...], str]]] = [
    (image.NonMaxSuppression, [(3, 5), (3,)], (5, *PLAIN), "`boxes` [3, 5] must have 4 columns, but has 5"),
    (image.NonMaxSuppression, [(3, 4), (2,)], (5, *PLAIN), "`scores` has 2 elements, but the number of boxes is 3"),
    (image.NonMaxSuppression, [(3, 4), (3,)], (-1, *PLAIN), "`max_output_size` must be 0 or more, but is -1"),
    (
        image.CombinedNonMaxSuppression,
        [(1, 3, 2, 4), (1, 3, 3)],
        (1, 1, 0.5, 0.0),
        "`boxes` [1, 3, 2, 4] must have 1 or 3, the number of classes, as dimension 2",
    ),
    (image.NearestNeighbors, [(0, 2), (5, 2)], (1,), "`points` [0, 2] must hold at least one point"),
    (
        image.DrawBoundingBoxes,
        [(1, 5, 5, 2), (1, 3, 4), (0, 4)],
        (),
        "`images` [1, 5, 5, 2] must have 1, 3 or 4 channels, but have 2",
    ),
    (
        image.DrawBoundingBoxes,
        [(1, 5, 5, 3), (1, 3, 5), (0, 4)],
        (),
        "`boxes` [1, 3, 5] must have 4 as their last dimension, but has 5",
    ),
    (
        image.DrawBoundingBoxes,
        [(1, 5, 5, 3), (2, 3, 4), (0, 4)],
        (),
        "`boxes` has 2 lists, but the number of images is 1",
    ),
    (
        image.DrawBoundingBoxes,
        [("n", "h", "w", 3), ("n", 3, 4), (0, 2)],
        (),
        "`colors` [0, 2] must have a column for each channel of `images`, which has 3",
    ),
]


@pytest.mark.parametrize(("wrapper", "shapes", "rest", "message"), REFUSED)
def test_what_does_not_fit_is_refused(
    wrapper: Any, shapes: list[tuple[Any, ...]], rest: tuple[Any, ...], message: str
) -> None:
    scope, inputs = placed(*shapes)
    with pytest.raises(tg.ShapeError) as caught:
        wrapper.create(scope, *inputs, *rest)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("iou", "sigma", "message"),
    [
        (1.5, 0.0, "`iou_threshold` must be in [0, 1], but is 1.5"),
        (0.5, -1.0, "`soft_nms_sigma` must be 0 or more, but is -1.0"),
    ],
)
def test_thresholds_must_be_in_range(iou: float, sigma: float, message: str) -> None:
    scope, (boxes, scores) = placed((1, 4), (1,))
    chosen = image.NonMaxSuppression.create(scope, boxes, scores, 5, iou, 0.0, sigma)
    feeds = {boxes: np.ones((1, 4), np.float32), scores: np.ones(1, np.float32)}
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as caught:
        session.run(chosen.selected_indices, feeds)
    assert message in str(caught.value)


def selected(boxes: Any, scores: Any, most: int, sigma: float = 0.0) -> list[int]:
    """The indices that NonMaxSuppression selects."""
    scope = tg.Scope(tg.Graph())
    chosen = image.NonMaxSuppression.create(
        scope, core.Constant.create(scope, boxes), core.Constant.create(scope, scores), most, 0.5, 0.0, sigma
    )
    with tg.Session(scope.graph) as session:
        indices: list[int] = session.run(chosen.selected_indices).tolist()
    return indices


@pytest.mark.parametrize("count", [500, 1000])
def test_boxes_after_many_that_are_suppressed_are_selected(count: int) -> None:
    boxes = np.tile(np.array([0, 0, 1, 1], np.float32), (count, 1))
    boxes[[300, 400]] += [[2], [4]]
    scores = np.linspace(1, 0.5, count, dtype=np.float32)
    assert selected(boxes, scores, 3) == [0, 300, 400]
    assert selected(boxes, scores, 9) == [0, 300, 400]
    scores[:100] = np.nan
    assert selected(boxes, scores, 3) == [100, 300, 400]
    scores[401:] = np.nan
    assert selected(boxes, scores, 3) == [100, 300, 400]


def test_a_box_whose_overlap_is_nan_is_not_selected_softly() -> None:
    boxes = np.array([[0, 0, 1, 1], [0, 0, np.nan, 1], [5, 5, 6, 6]], np.float32)
    assert selected(boxes, np.array([0.9, 0.8, 0.7], np.float32), 3, sigma=0.5) == [0, 2]


def test_a_class_has_no_more_boxes_than_its_limit() -> None:
    scope = tg.Scope(tg.Graph())
    boxes = np.arange(200, dtype=np.float32).reshape(1, 200, 1, 1) + np.array([0, 0, 0.5, 0.5], np.float32)
    scores = np.stack([np.linspace(1, 0.8, 200), np.linspace(0.5, 0.3, 200)], 1)[None].astype(np.float32)
    best = image.CombinedNonMaxSuppression.create(
        scope, core.Constant.create(scope, boxes), core.Constant.create(scope, scores), 2, 5, 0.5, 0.0
    )
    with tg.Session(scope.graph) as session:
        classes, count = session.run([best.nmsed_classes, best.valid_detections])
    assert (classes.tolist(), count.tolist()) == ([[0, 0, 1, 1, 0]], [4])


def test_of_equal_scores_the_first_class_and_in_it_the_first_box_comes_first() -> None:
    scope = tg.Scope(tg.Graph())
    boxes = np.arange(40, dtype=np.float32).reshape(1, 40, 1, 1) + np.array([0, 0, 0.5, 0.5], np.float32)
    scores = core.Constant.create(scope, np.ones((1, 40, 2), np.float32))
    best = image.CombinedNonMaxSuppression.create(
        scope, core.Constant.create(scope, boxes), scores, 30, 50, 0.5, 0.0, clip_boxes=False
    )
    with tg.Session(scope.graph) as session:
        result, classes = session.run([best.nmsed_boxes, best.nmsed_classes])
    assert classes.tolist() == [[0] * 30 + [1] * 20]
    np.testing.assert_array_equal(result, np.concatenate([boxes[:, :30, 0], boxes[:, :20, 0]], 1))
