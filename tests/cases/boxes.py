"""Cases of `ops/boxes.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from support.case import Case
from support.recording import Array
from support.samples import numpy_type, sample, values

ABORTS: Final = "TensorFlow aborts."
MORE: Final = "TensorFlow has no gradient for this operation."

BOXES: Final[Array] = np.array(
    [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [0, 100, 1, 101]],
    np.float32,
)
SCORES: Final[Array] = np.array([0.9, 0.75, 0.6, 0.95, 0.5, 0.3], np.float32)


def suppressed(dtype: str = "float", **changes: Any) -> tuple[Any, ...]:
    """The inputs of NonMaxSuppressionV5."""
    plain = {"boxes": BOXES, "scores": SCORES, "most": 3, "iou": 0.5, "least": 0.0, "sigma": 0.0, **changes}
    most, number = np.int32(plain.pop("most")), numpy_type(dtype)
    boxes, scores, *rest = (np.asarray(each).astype(number) for each in plain.values())
    return boxes, scores, most, *rest


def selections() -> Iterator[Case]:
    """Sizes and thresholds, soft scores, ties, corners in any order, and what does not fit."""
    name, padded = "NonMaxSuppressionV5", {"pad_to_max_output_size": True}
    first = sample("float", (400, 2), 0, 4)
    many = np.concatenate([first, first + sample("float", (400, 2), 0.1, 1, seed=1)], 1)
    some, few = sample("float", (2, 400), 0, 1, seed=2)
    some[::3], few[50:] = np.nan, np.nan
    fitting: tuple[dict[str, Any], ...] = (
        {},
        {"most": 9, "least": -np.inf},
        {"most": 6, "sigma": 0.5},
        {"most": 6, "sigma": 0.5, "least": 0.4},
        {"most": 0},
        {"most": 9, "iou": 0.0},
        {"most": 9, "iou": 1.0},
        {"most": 9, "scores": values("float", np.nan, 0.75, 0.6, 0.95, 0.5, 0.3)},
        {"most": 9, "boxes": BOXES[:, [2, 3, 0, 1]]},
        {"scores": np.full(6, 0.5)},
        {"boxes": BOXES * 0, "most": 4},
        {"boxes": BOXES[:0], "scores": SCORES[:0]},
        {"boxes": BOXES[:0], "scores": SCORES[:0], "sigma": 0.5},
        {"sigma": 0.5, "least": 1.0},
        *({"boxes": many, "scores": each, "most": 300, "sigma": sigma} for each in (some, few) for sigma in (0.0, 0.5)),
        *({"boxes": many, "scores": each, "most": 20, "least": -np.inf} for each in (some, few)),
    )
    for changes in fitting:
        yield Case(name, suppressed(**changes))
    yield Case(name, suppressed(most=6), padded)
    yield Case(name, suppressed(boxes=BOXES[:0], scores=SCORES[:0]), padded)
    yield Case(name, suppressed("half", sigma=0.25))
    wrong_numbers: tuple[dict[str, Any], ...] = (
        {"most": -1},
        {"iou": 2.0},
        {"iou": -0.1},
        {"iou": np.nan},
        {"sigma": -1.0},
        {"scores": SCORES[:3]},
        {"boxes": BOXES[:, :3]},
        {"iou": [0.5]},
    )
    for changes in wrong_numbers:
        yield Case(name, suppressed(**changes), fails=True)
    overlaps = sample("float", (5, 5), 0, 1)
    scores = SCORES[:5]
    name = "NonMaxSuppressionWithOverlaps"
    for most, limit, least in ((5, 0.5, 0.0), (2, 0.5, 0.0), (5, 0.3, 0.6), (5, 7.0, 0.0), (5, -7.0, 0.0)):
        yield Case(name, (overlaps, scores, np.int32(most), np.float32(limit), np.float32(least)))
    rest = np.float32(0.5), np.float32(0.0)
    yield Case(name, (overlaps[:0, :0], scores[:0], np.int32(3), *rest))
    for wrong in ((overlaps, scores, -2), (overlaps[:3], scores, 3), (overlaps, scores[:3], 3)):
        yield Case(name, (*wrong[:2], np.int32(wrong[2]), *rest), fails=True)


def combined() -> Iterator[Case]:
    """Boxes for all classes or for each, few and many, equal scores, sizes, and what does not fit."""
    name = "CombinedNonMaxSuppression"
    boxes = np.stack([BOXES, BOXES[::-1] / 2])[:, :, None]
    scores = np.stack(
        [np.stack([SCORES, SCORES[::-1] * np.float32(0.8)], 1), np.stack([SCORES / 3, SCORES * np.float32(0.7)], 1)]
    )

    def case(changes: dict[str, Any], attrs: dict[str, Any] | None = None, **rest: Any) -> Case:
        plain = {"boxes": boxes, "scores": scores, "most": 2, "total": 3, "iou": 0.5, "least": 0.0, **changes}
        types = (np.float32, np.float32, np.int32, np.int32, np.float32, np.float32)
        inputs = tuple(np.asarray(each).astype(dtype) for each, dtype in zip(plain.values(), types, strict=True))
        return Case(name, inputs, attrs or {}, **rest)

    own = np.concatenate([boxes, boxes[:, ::-1]], 2)
    for changes in ({}, {"boxes": own}, {"least": 0.5}, {"most": 20, "total": 20}, {"scores": scores * np.nan}):
        yield case(changes)
    yield case({"total": 9}, {"pad_per_class": True})
    yield case({}, {"clip_boxes": False})
    yield case(
        {"scores": np.ones_like(scores), "most": 4},
        differs="Of equal scores, the first one comes first; TensorFlow takes any.",
    )
    for count in (1, 3):  # so many that not all candidates are compared at once, and no two scores are equal
        rng = np.random.default_rng(count)
        first, sizes = rng.random((2, 300, count, 2)), rng.random((2, 300, count, 2))
        distinct = np.stack([rng.permutation(900).reshape(300, 3) for _ in range(2)]) / 900
        many = {"boxes": np.concatenate([first, first + sizes / 4], 3), "scores": distinct, "most": 40}
        yield case({**many, "total": 60, "least": 0.1})
        yield case({**many, "total": 200, "iou": 0.0}, {"pad_per_class": True})
    yield case({"boxes": boxes[:0], "scores": scores[:0]})
    yield case({"boxes": boxes[:, :0], "scores": scores[:, :0]})
    for changes in (
        {"boxes": np.concatenate([own, boxes], 2)},
        {"total": 0},
        {"most": 0},
        {"iou": 2.0},
        {"scores": scores[:1]},
        {"boxes": boxes[..., :3]},
    ):
        yield case(changes, fails=True)


def neighbors() -> Iterator[Case]:
    """More or fewer centers than requested, none, and what does not fit."""
    name, points, centers = "NearestNeighbors", sample("float", (3, 2)), sample("float", (4, 2), seed=1)
    for k in (1, 2, 9, 0):
        yield Case(name, (points, centers, np.int64(k)), rtol=1e-5)
    yield Case(name, (points[:0], centers, np.int64(2)), fails=True)
    yield Case(name, (points, centers, np.int64(-1)), fails=True, differs=ABORTS)
    yield Case(name, (points, centers[:, :1], np.int64(1)), fails=True, differs=ABORTS)
    yield Case(name, (points[0], centers, np.int64(1)), fails=True, differs=ABORTS)


def drawings() -> Iterator[Case]:
    """Boxes within, over and beyond the borders, colors of every kind, and what does not fit."""
    name, none = "DrawBoundingBoxesV2", np.zeros((0, 4), np.float32)

    def blank(*shape: int) -> Array:
        return np.full(shape, 0.25, np.float32)

    boxes = values("float", (0.3, 0.25, 0.8, 0.75), (-0.5, 0.25, 0.75, 1.5), (-0.1, -0.1, 1.1, 1.1)).reshape(1, 3, 4)
    beyond = values("float", (2, 2, 3, 3), (0.8, 0, 0.2, 1), (-2, -2, -1, -1), (1, 1, 1, 1), (0, 0, 1.2, 0.1))
    colors = sample("float", (2, 4), 0, 1)
    for depth in (1, 3, 4):
        yield Case(name, (blank(1, 4, 5, depth), boxes, colors))
        yield Case(name, (blank(1, 4, 5, depth), boxes, none))
    yield Case(name, (blank(1, 4, 5, 1).astype(np.float16), beyond.reshape(1, 5, 4), colors[:, :1]))
    many = np.linspace(0, 0.9, 44, dtype=np.float32).reshape(1, 11, 4)
    yield Case(name, (blank(1, 6, 6, 3), many, none[:, :3]))
    yield Case(name, (blank(2, 1, 3, 1), np.concatenate([boxes, boxes / 2]), colors))
    yield Case(name, (blank(1, 4, 5, 1), boxes[:, :0], none))
    yield Case(name, (blank(1, 0, 5, 1), boxes, none))
    yield Case(name, (blank(1, 4, 5, 1), values("float", -1e30, 0, 1e30, 1).reshape(1, 1, 4), none))
    infinite = values("float", (np.nan, 0, 1, 1), (0, 0, np.inf, 1)).reshape(1, 2, 4)
    yield Case(name, (blank(1, 4, 5, 1), infinite, none), differs="Its boxes are not finite.")
    for wrong in (
        (blank(1, 4, 5, 2), boxes, colors),
        (blank(1, 4, 5, 3), boxes, none[:, :2]),
        (blank(2, 4, 5, 3), boxes, colors),
        (blank(1, 4, 5, 3), boxes[..., :3], colors),
        (blank(1, 4, 5, 3), boxes[0], colors),
        (blank(1, 4, 5, 3), boxes, colors[0]),
    ):
        yield Case(name, wrong, fails=True)


CASES: list[Case] = [*selections(), *combined(), *neighbors(), *drawings()]
