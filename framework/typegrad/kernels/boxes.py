"""Kernels of `ops/boxes.yaml`. They write into arrays: they are NumPy's only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide
from typegrad.kernels.sorting import smallest

_COLORS: Final = np.array(
    [
        (1, 1, 0, 1),
        (0, 0, 1, 1),
        (1, 0, 0, 1),
        (0, 1, 0, 1),
        (0.5, 0, 0.5, 1),
        (0.5, 0.5, 0, 1),
        (0.5, 0, 0, 1),
        (0, 0, 0.5, 1),
        (0, 1, 1, 1),
        (1, 0, 1, 1),
    ],
    np.float32,
)
"""The default colors of boxes, RGBA."""


AT_ONCE: Final = 64
"""So many candidates are compared with each other at once."""

_BITS: Final = np.left_shift(np.uint64(1), np.arange(AT_ONCE, dtype=np.uint64))
"""One for each of them, in a mask."""
AHEAD: Final = 16
"""For so many candidates at once, the next ones probably, overlaps with all others are computed."""

_Overlaps: TypeAlias = Callable[[Array, Array], Array]
"""How much elements overlap: a row for each of some indices, a column for each of others."""


def non_max_suppression_v5(
    xp: Namespace,
    boxes: Array,
    scores: Array,
    max_output_size: Array,
    iou_threshold: Array,
    score_threshold: Array,
    soft_nms_sigma: Array,
    *,
    pad_to_max_output_size: bool,
) -> tuple[Array, Array, Array]:
    """The best boxes that overlap little."""
    _check_threshold(iou_threshold)
    if not soft_nms_sigma >= 0:
        raise InvalidArgumentError(f"`soft_nms_sigma` must be 0 or more, but is {soft_nms_sigma}")
    most, sigma = int(max_output_size), float(soft_nms_sigma)
    corners, numbers = _corners(wide(boxes)), wide(scores)
    selected, values = _selected(
        numbers, most, float(wide(score_threshold)), float(iou_threshold), _overlapping(corners), sigma
    )
    missing = most - len(selected) if pad_to_max_output_size else 0
    return (
        np.pad(selected, (0, missing)).astype(np.int32),
        np.pad(values, (0, missing)).astype(scores.dtype),
        np.asarray(len(selected), np.int32),
    )


def non_max_suppression_with_overlaps(
    xp: Namespace,
    overlaps: Array,
    scores: Array,
    max_output_size: Array,
    overlap_threshold: Array,
    score_threshold: Array,
) -> Array:
    """The best elements that overlap little."""
    most, least = int(max_output_size), float(score_threshold)
    selected, _ = _selected(scores, most, least, float(overlap_threshold), lambda i, j: overlaps[np.ix_(i, j)])
    return selected.astype(np.int32)


def combined_non_max_suppression(
    xp: Namespace,
    boxes: Array,
    scores: Array,
    max_output_size_per_class: Array,
    max_total_size: Array,
    iou_threshold: Array,
    score_threshold: Array,
    *,
    pad_per_class: bool,
    clip_boxes: bool,
) -> tuple[Array, Array, Array, Array]:
    """The best boxes of all classes of each image."""
    _check_threshold(iou_threshold)
    batch, _, classes = scores.shape
    most, total = int(max_output_size_per_class), int(max_total_size)
    size = min(total, most * classes) if pad_per_class else total
    result = (
        np.zeros((batch, size, 4), np.float32),
        np.zeros((batch, size), np.float32),
        np.zeros((batch, size), np.float32),
    )
    counts = np.zeros(batch, np.int32)
    least, limit = float(score_threshold), float(iou_threshold)
    for image in range(batch):
        parts = []
        owns = np.moveaxis(boxes[image], 1, 0)
        overlaps = [_overlapping(_corners(own)) for own in owns]
        for kind in range(classes):
            place = min(kind, len(owns) - 1)
            selected, values = _selected(scores[image, :, kind], most, least, limit, overlaps[place])
            parts.append((owns[place][selected], values, np.full(len(selected), kind, np.float32)))
        if not parts:
            continue
        joined = [np.concatenate(each) for each in zip(*parts, strict=True)]
        order = np.argsort(-joined[1], kind="stable")[:size]
        counts[image] = len(order)
        for into, values in zip(result, joined, strict=True):
            into[image, : len(order)] = values[order]
    return np.clip(result[0], 0, 1) if clip_boxes else result[0], result[1], result[2], counts


def _check_threshold(threshold: Array) -> None:
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError(f"`iou_threshold` must be in [0, 1], but is {threshold}")


def _corners(boxes: Array) -> Array:
    """The coordinates, the smaller ones before the larger ones, in rows."""
    first, second = np.split(np.ascontiguousarray(boxes.T), 2)
    return np.concatenate([np.minimum(first, second), np.maximum(first, second)])


def _overlapping(corners: Array) -> _Overlaps:
    top, left, bottom, right = corners
    areas = (bottom - top) * (right - left)
    areas[areas <= 0] = np.inf

    def overlaps(i: Array, j: Array) -> Array:
        """The intersections of boxes with boxes, divided by the unions; 0 where one has no area."""
        # `take` gives long rows, an index columns of 4.
        rows, columns = corners.take(i, 1)[:, :, None], corners.take(j, 1)[:, None, :]
        sides = np.minimum(rows[2:], columns[2:])
        sides -= np.maximum(rows[:2], columns[:2])
        common: Array = np.multiply(*np.maximum(sides, 0, out=sides))
        unions = areas[i, None] + areas[j]
        unions -= common
        common /= unions
        return common

    return overlaps


def _selected(
    scores: Array,
    most: int,
    least: float,
    limit: float,
    overlaps: _Overlaps,
    sigma: float = 0.0,
) -> tuple[Array, Array]:
    """The indices of the selected elements, and their scores."""
    candidates = np.flatnonzero(scores > least)
    order = candidates[np.argsort(-scores[candidates], kind="stable")]
    if sigma:
        return _selected_softly(scores, order, most, least, sigma, overlaps)
    selected = np.empty(0, np.int64)
    for start in range(0, len(order), AT_ONCE):
        if len(selected) >= most:
            break
        part = order[start : start + AT_ONCE]
        if len(selected):
            part = part[~(overlaps(part, selected) > limit).any(axis=1)]
        masks = (overlaps(part, part) > limit).T @ _BITS[: len(part)]
        covered, chosen = 0, list[int]()
        for number, mask in enumerate(masks.tolist()):
            if not covered >> number & 1:
                chosen.append(number)
                covered |= mask
        selected = np.concatenate([selected, part[chosen]])
    return selected[:most], scores[selected[:most]]


def _selected_softly(
    scores: Array, order: Array, most: int, least: float, sigma: float, overlaps: _Overlaps
) -> tuple[Array, Array]:
    """The same where selected elements lower the scores of others.

    As scores only fall, the first of `order` suffice until the highest one has fallen to the score of the next.
    """
    selected: list[int] = []
    values: list[Array] = []
    count, active, numbers = 0, order[:0], scores[:0]
    factors: dict[int, Array] = {}

    def lowering(by: Array) -> Array:
        """What each of these multiplies the scores of `active` by."""
        shared = overlaps(by, active)
        return np.exp(-shared * shared / (2 * sigma)).astype(scores.dtype)

    while len(selected) < most:
        best = int(np.argmax(numbers)) if count else 0
        if count < len(order) and not (count and numbers[best] > scores[order[count]]):
            count = min(max(2 * count, AT_ONCE), len(order))
            active = np.sort(order[:count])  # of equal scores, the first one is selected
            before, factors = np.array(selected, np.int64), {}
            numbers = np.multiply.reduce(np.concatenate([scores[None, active], lowering(before)]))
            numbers[np.searchsorted(active, before)] = -np.inf
        elif not count or numbers[best] == -np.inf:
            break
        else:
            if best not in factors:
                likely = np.argsort(-numbers)[:AHEAD]
                factors.update(zip(likely.tolist(), lowering(active[likely]), strict=True))
            selected.append(int(active[best]))
            values.append(numbers[best])
            numbers *= factors[best]
            numbers[best] = -np.inf
        numbers[~(numbers > least)] = -np.inf
    return np.array(selected, np.int64), np.array(values, scores.dtype)


def nearest_neighbors(xp: Namespace, points: Array, centers: Array, k: Array) -> tuple[Array, Array]:
    """The squared distances from products, and the smallest of them."""
    halves = xp.sum(centers * centers, 1) / 2
    distances = 2 * (halves - points @ centers.T) + xp.sum(points * points, 1, keepdims=True)
    order = smallest(xp, distances, int(k))
    return order.astype(xp.int64), xp.take_along_axis(distances, order, 1).astype(points.dtype)


def draw_bounding_boxes_v2(xp: Namespace, images: Array, boxes: Array, colors: Array) -> Array:
    """The sides of the boxes, later ones over earlier ones."""
    result = images.copy()
    *_, height, width, depth = images.shape
    palette = (colors if len(colors) else _COLORS if depth > 1 else np.ones((1, 1), np.float32))[:, :depth]
    scale = np.array([height - 1, width - 1, height - 1, width - 1], np.float32)
    pixels = np.trunc(boxes * scale)
    top, left, bottom, right = np.moveaxis(pixels, -1, 0)
    is_drawn = (
        (abs(pixels) < 2.0**63).all(-1)
        & (top <= bottom)
        & (left <= right)
        & ((top < height) & (bottom >= 0) & (left < width) & (right >= 0))
    )
    sides = pixels[is_drawn].astype(np.int64).tolist()
    for (image, index), each in zip(np.argwhere(is_drawn).tolist(), sides, strict=True):
        _draw(result[image], each, palette[index % len(palette)])
    return result


def _draw(image: Array, sides: Sequence[int], color: Array) -> None:
    """Write the sides that are within the image."""
    height, width, _ = image.shape
    top, left, bottom, right = sides
    rows, columns = slice(max(top, 0), bottom + 1), slice(max(left, 0), right + 1)
    for row in (top, bottom):
        if 0 <= row < height:
            image[row, columns] = color
    for column in (left, right):
        if 0 <= column < width:
            image[rows, column] = color
