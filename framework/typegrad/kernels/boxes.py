"""Kernels of `ops/boxes.yaml`. They write into arrays, so they run on NumPy only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide
from typegrad.kernels.scratch import scratch
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
"""How many candidates are compared with each other at once."""

_BITS: Final = np.left_shift(np.uint64(1), np.arange(AT_ONCE, dtype=np.uint64))
"""One for each of them, in a mask."""
AHEAD: Final = 16
"""For so many candidates at once, the next ones probably, overlaps with all others are computed."""
_PAIRS: Final = 1 << 13
"""For more of them, if there are no more pairs than these."""
_GROUP: Final = 8
"""How many scores are in a group, of which the best one is looked at."""
_FIRST: Final = 192
"""How many candidates are considered at first where scores are lowered."""

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
        raise InvalidArgumentError(f"`soft_nms_sigma` must be 0 or more, but is {soft_nms_sigma!s}")
    most, sigma = int(max_output_size), float(soft_nms_sigma)
    corners, numbers = _corners(wide(boxes)), wide(scores)
    least, overlaps = float(wide(score_threshold)), _overlapping(corners)
    if sigma:
        selected, values = _selected_softly(numbers, most, least, sigma, overlaps)
    else:
        selected = _selected(numbers[None], most, most, least, float(iou_threshold), overlaps)
        values = numbers[selected]
    count = len(selected)
    size = most if pad_to_max_output_size else count
    indices, lowered = np.zeros(size, np.int32), np.zeros(size, scores.dtype)
    indices[:count], lowered[:count] = selected, values
    return indices, lowered, np.asarray(count, np.int32)


def non_max_suppression_with_overlaps(
    xp: Namespace,
    overlaps: Array,
    scores: Array,
    max_output_size: Array,
    overlap_threshold: Array,
    score_threshold: Array,
) -> Array:
    """The best elements that overlap little."""
    most, least, limit = int(max_output_size), float(score_threshold), float(overlap_threshold)
    selected = _selected(scores[None], most, most, least, limit, lambda i, j: overlaps[np.ix_(i, j)])
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
    batch, count, classes = scores.shape
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
        rows, own = np.ascontiguousarray(scores[image].T), boxes[image].swapaxes(0, 1).reshape(-1, 4)
        selected = _selected(rows, most, size, least, limit, _overlapping_in_classes(own, count))
        counts[image] = chosen = len(selected)
        result[0][image, :chosen] = own[selected % max(1, len(own))]
        result[1][image, :chosen] = rows.reshape(-1)[selected]
        result[2][image, :chosen] = selected // max(1, count)
    return np.clip(result[0], 0, 1) if clip_boxes else result[0], result[1], result[2], counts


def _check_threshold(threshold: Array) -> None:
    if not 0 <= threshold <= 1:
        raise InvalidArgumentError(f"`iou_threshold` must be in [0, 1], but is {threshold!s}")


def _corners(boxes: Array) -> Array:
    """The coordinates, the smaller ones before the larger ones, in rows."""
    first, second = np.ascontiguousarray(boxes.T).reshape(2, 2, len(boxes))
    return np.concatenate([np.minimum(first, second), np.maximum(first, second)])


def _overlapping(corners: Array) -> _Overlaps:
    top, left, bottom, right = corners
    areas = (bottom - top) * (right - left)
    areas[areas <= 0] = np.inf

    def overlaps(i: Array, j: Array) -> Array:
        """The intersections of boxes with boxes, divided by the unions; 0 where one has no area."""
        # `take` gives long rows, an index columns of 4.
        rows, columns = corners.take(i, 1)[:, :, None], corners.take(j, 1)[:, None, :]
        shape, dtype = (2, len(i), len(j)), corners.dtype
        sides, unions = scratch("sides", shape, dtype), scratch("unions", shape, dtype)
        # Copied first: NumPy's extremes take several times as long where an input is one number for a whole row.
        sides[...], unions[...] = rows[2:], rows[:2]
        np.minimum(sides, columns[2:], out=sides)
        np.subtract(sides, np.maximum(unions, columns[:2], out=unions), out=sides)
        unions.fill(0)
        np.maximum(sides, unions, out=sides)
        common: Array = np.multiply(sides[0], sides[1])
        unions = np.add(areas.take(i)[:, None], areas.take(j), out=unions[0])
        unions -= common
        common /= unions
        return common

    return overlaps


def _overlapping_in_classes(boxes: Array, count: int) -> _Overlaps:
    """The same for numbers class by class, where boxes of different classes do not overlap."""
    overlaps, size = _overlapping(_corners(boxes)), len(boxes)

    def overlaps_in_classes(i: Array, j: Array) -> Array:
        result = overlaps(i % size, j % size)
        result *= (i // count)[:, None] == j // count
        return result

    return overlaps_in_classes


def _descending(scores: Array, least: float, count: int) -> Array:
    """The indices of scores above the least one, of more than the first `count` if there are more.

    Of equal scores, the first one comes first.
    """
    is_candidate, negated = scores > least, -scores
    if count < scores.size:
        # As many of the best of groups are as good. Nans are last: where fewer are numbers, none is above it.
        groups = scores.size // _GROUP if (count + 1) * _GROUP <= scores.size else scores.size
        best = negated[: scores.size // groups * groups].reshape(-1, groups).min(axis=0)
        is_candidate &= ~(negated > np.partition(best, count)[count])
    candidates = np.flatnonzero(is_candidate)
    return candidates[np.argsort(negated[candidates], kind="stable")]


def _selected(scores: Array, most: int, total: int, least: float, limit: float, overlaps: _Overlaps) -> Array:
    """The numbers of the best elements, at most so many of each row of scores and in total.

    A few candidates are often enough, and to sort them takes less time.
    """
    few = AT_ONCE + 2 * total
    if few < scores.size:
        order = _descending(scores.reshape(-1), least, few)
        selected = _greedily(order, scores.shape, most, total, limit, overlaps)
        if len(selected) == total:
            return selected
    order = _descending(scores.reshape(-1), least, scores.size)
    return _greedily(order, scores.shape, most, total, limit, overlaps)


def _greedily(order: Array, shape: tuple[int, ...], most: int, total: int, limit: float, overlaps: _Overlaps) -> Array:
    """The same of candidates in order."""
    selected = np.empty(0, np.int64)
    left = [most] * shape[0]
    for start in range(0, len(order), AT_ONCE):
        if len(selected) >= total:
            break
        part = order[start : start + AT_ONCE]
        if len(selected):
            part = part[~(overlaps(part, selected) > limit).any(axis=1)]
        masks = (overlaps(part, part) > limit).T @ _BITS[: len(part)]
        rows = part // shape[1]
        covered, chosen = 0, list[int]()
        for number, (mask, row) in enumerate(zip(masks.tolist(), rows.tolist(), strict=True)):
            if left[row] and not covered >> number & 1:
                left[row] -= 1
                chosen.append(number)
                covered |= mask
        selected = np.concatenate([selected, part[chosen]])
    return selected[:total]


def _selected_softly(scores: Array, most: int, least: float, sigma: float, overlaps: _Overlaps) -> tuple[Array, Array]:
    """The indices and the scores of the best elements, where each lowers the scores of those that it overlaps.

    As scores only fall, the first ones in order suffice until the highest one has fallen to the score of the next.
    """
    selected, values = list[int](), list[float]()
    count, following, active, numbers = 0, np.inf, np.empty(0, np.int64), np.full(1, -np.inf, np.float32)
    factors: dict[int, Array] = {}

    def lowering(by: Array) -> Array:
        """What each of these multiplies the scores of `active` by."""
        result = overlaps(by, active)
        result *= result
        result /= -2 * sigma
        np.exp(result, out=result)
        return result

    while len(selected) < most:
        best = int(numbers.argmax())
        highest = numbers.item(best)
        if highest > following:
            if best not in factors:
                likely = np.argsort(-numbers)[: max(AHEAD, _PAIRS // len(active))]
                factors.update(zip(likely.tolist(), lowering(active[likely]), strict=True))
            selected.append(active.item(best))
            values.append(highest)
            numbers *= factors[best]
            numbers[best] = -np.inf
        elif np.isnan(highest):  # `argmax` comes to it first
            numbers[best] = -np.inf
        elif following > least:
            count = 2 * count or _FIRST
            order = _descending(scores, least, count)
            if not len(order):
                break
            following = float(scores[order[count]]) if count < len(order) else least
            active = np.sort(order[:count])  # of equal scores, the first one is selected
            numbers, factors = scores[active], {}
            if selected:
                before = np.array(selected, np.int64)
                numbers = np.multiply.reduce(np.concatenate([numbers[None], lowering(before)]))
                numbers[np.searchsorted(active, before)] = -np.inf
        else:
            break
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
