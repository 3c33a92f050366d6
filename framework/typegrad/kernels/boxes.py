"""Kernels of `ops/boxes.yaml`. They write into arrays: they are NumPy's only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide

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
        numbers, most, float(wide(score_threshold)), float(iou_threshold), lambda i: _overlaps(corners, i), sigma
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
    selected, _ = _selected(scores, most, least, float(overlap_threshold), lambda i: overlaps[:, i])
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
        for kind in range(classes):
            own = boxes[image, :, min(kind, boxes.shape[2] - 1)]
            corners = _corners(own)
            selected, values = _selected(scores[image, :, kind], most, least, limit, _overlapping(corners))
            parts.append((own[selected], values, np.full(len(selected), kind, np.float32)))
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
    """The smaller coordinates before the larger ones."""
    first, second = boxes[:, :2], boxes[:, 2:]
    return np.concatenate([np.minimum(first, second), np.maximum(first, second)], 1)


def _overlapping(corners: Array) -> Callable[[int], Array]:
    return lambda index: _overlaps(corners, index)


def _overlaps(corners: Array, index: int) -> Array:
    """The intersection of one box with each box, divided by the union; 0 where one has no area."""
    areas = np.prod(corners[:, 2:] - corners[:, :2], 1)
    sides = np.minimum(corners[:, 2:], corners[index, 2:]) - np.maximum(corners[:, :2], corners[index, :2])
    common = np.prod(np.maximum(sides, 0), 1)
    is_real = (areas > 0) & (areas[index] > 0)
    return np.where(is_real, common / np.where(is_real, areas + areas[index] - common, 1), 0)


def _selected(
    scores: Array,
    most: int,
    least: float,
    limit: float,
    overlaps: Callable[[int], Array],
    sigma: float = 0.0,
) -> tuple[Array, Array]:
    """The indices of the selected elements, and their scores."""
    scores = scores.copy()
    remains = scores > least
    selected: list[int] = []
    values: list[Array] = []
    while len(selected) < most and remains.any():
        index = int(np.argmax(np.where(remains, scores, -np.inf)))
        selected.append(index)
        values.append(scores[index])
        remains[index] = False
        shared = overlaps(index)
        if sigma:
            scores *= np.exp(-shared * shared / (2 * sigma)).astype(scores.dtype)
            remains &= scores > least
        else:
            remains &= ~(shared > limit)
    return np.array(selected, np.int64), np.array(values, scores.dtype)


def nearest_neighbors(xp: Namespace, points: Array, centers: Array, k: Array) -> tuple[Array, Array]:
    """The squared distances from products, and the smallest of them."""
    halves = xp.sum(centers * centers, 1) / 2
    distances = 2 * (halves - points @ centers.T) + xp.sum(points * points, 1, keepdims=True)
    order = xp.argsort(distances, 1, stable=True)[:, : int(k)]
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
    for image, index in np.argwhere(is_drawn):
        _draw(result[image], [int(side) for side in pixels[image, index]], palette[index % len(palette)])
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
