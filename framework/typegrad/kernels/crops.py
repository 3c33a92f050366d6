"""Kernels of `ops/crops.yaml`: windows of images, and windows drawn at random. They run on NumPy only.

Windows are computed in float32 and rounded as in TensorFlow, so that equal random numbers give equal windows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from scipy.special import ndtri

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels import philox
from typegrad.kernels.checks import ints
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.philox import Philox
from typegrad.kernels.random import open_uniform

FLOAT: Final = np.float32
_FAR: Final = 2.0**31
"""A row or column that no image has."""
_MARGIN: Final = FLOAT(1e-7)
"""Keeps half a column from being rounded up."""
_WORDS: Final = 64
"""How many random words are made at once, a multiple of 4."""


# Glimpses


def extract_glimpse_v2(
    xp: Namespace,
    images: Array,
    size: Array,
    offsets: Array,
    *,
    centered: bool,
    normalized: bool,
    uniform_noise: bool,
    noise: str,
    rng: np.random.Generator,
) -> Array:
    """What is inside of the images, over noise."""
    batch, height, width, channels = images.shape
    shape = (batch, *ints(size), channels)
    kind = noise or ("uniform" if uniform_noise else "gaussian")
    result = np.zeros(shape, FLOAT) if kind == "zero" else _noise(images, shape, kind, rng)
    starts = _starts(offsets, np.array([height, width], FLOAT), size.astype(FLOAT), centered, normalized)
    rows, columns = (starts[:, axis, None] + np.arange(shape[axis + 1]) for axis in (0, 1))
    is_row, is_column = (rows >= 0) & (rows < height), (columns >= 0) & (columns < width)
    image, row, column = np.nonzero(is_row[:, :, None] & is_column[:, None, :])
    result[image, row, column] = images[image, rows[image, row], columns[image, column]]
    return result


def _starts(offsets: Array, lengths: Array, size: Array, centered: bool, normalized: bool) -> Array:
    """The first row and column of each window; far outside for nan."""
    at = offsets
    if normalized and centered:
        at = at * lengths / FLOAT(2) + lengths / FLOAT(2) - size / FLOAT(2)
    elif normalized:
        at = at * lengths
    elif centered:
        at = at + lengths / FLOAT(2)
    whole = np.nan_to_num(np.trunc(at.astype(np.float64)), nan=_FAR)
    return np.asarray(np.clip(whole, -2 * _FAR, _FAR).astype(np.int64))


def _noise(images: Array, shape: tuple[int, ...], kind: str, rng: np.random.Generator) -> Array:
    """Numbers in the range of each image."""
    if not images.size:
        return np.full(shape, np.nan, FLOAT)
    axes = (1, 2, 3)
    low, high = images.min(axes, keepdims=True), images.max(axes, keepdims=True)
    if kind == "uniform":
        numbers = low + rng.random(shape) * (high - low)
    else:
        numbers = images.mean(axes, keepdims=True) + images.std(axes, keepdims=True) * ndtri(open_uniform(rng, shape))
    return np.asarray(np.clip(numbers, low, high).astype(FLOAT))


# Random windows


class _Window(NamedTuple):
    """The edges of a window, in pixels."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def area(self) -> int:
        """The number of pixels; negative if two edges are in the wrong order."""
        return (self.bottom - self.top) * (self.right - self.left)

    def shared(self, other: _Window) -> int:
        """How many pixels are in both."""
        rows, columns = (min(self[i + 2], other[i + 2]) - max(self[i], other[i]) for i in (0, 1))
        return max(rows, 0) * max(columns, 0)


class _Numbers:
    """Random numbers, one after the other."""

    def __init__(self, source: Philox) -> None:
        """From the first number of a source."""
        self._source, self._block = source, 0
        self._words: Iterator[int] = iter(())

    def word(self) -> int:
        """32 random bits."""
        word = next(self._words, None)
        if word is None:
            blocks = np.arange(self._block, self._block + _WORDS // 4, dtype=np.uint64)
            self._block += len(blocks)
            self._words = iter(self._source.words(blocks).reshape(-1).tolist())
            word = next(self._words)
        return word

    def fraction(self) -> np.float32:
        """A number in [0, 1)."""
        words = np.array([[self.word()]], np.uint32)
        return FLOAT(philox.uniform(words, np.dtype(FLOAT))[0, 0])

    def below(self, limit: int) -> int:
        """An integer in [0, limit). Words that would make small ones likelier are left out."""
        surplus = 2**32 % limit
        word = self.word()
        while word < surplus:
            word = self.word()
        return word % limit


class _Limits(NamedTuple):
    """What windows are drawn."""

    ratios: tuple[float, float]
    areas: tuple[float, float]
    attempts: int
    allows_no_boxes: bool


def sample_distorted_bounding_box_v2(
    xp: Namespace,
    image_size: Array,
    bounding_boxes: Array,
    min_object_covered: Array,
    *,
    aspect_ratio_range: tuple[float, float],
    area_range: tuple[float, float],
    max_attempts: int,
    use_image_if_no_bounding_boxes: bool,
    rng: np.random.Generator,
) -> tuple[Array, Array, Array]:
    """A window of a random seed."""
    limits = _Limits(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    return _sampled(Philox(int(rng.integers(2**63)), 0), image_size, bounding_boxes, min_object_covered, limits)


def stateless_sample_distorted_bounding_box(
    xp: Namespace,
    image_size: Array,
    bounding_boxes: Array,
    min_object_covered: Array,
    seed: Array,
    *,
    aspect_ratio_range: tuple[float, float],
    area_range: tuple[float, float],
    max_attempts: int,
    use_image_if_no_bounding_boxes: bool,
) -> tuple[Array, Array, Array]:
    """A window of this seed."""
    limits = _Limits(aspect_ratio_range, area_range, max_attempts, use_image_if_no_bounding_boxes)
    return _sampled(Philox.of_seed(seed), image_size, bounding_boxes, min_object_covered, limits)


def _sampled(
    source: Philox, image_size: Array, boxes: Array, covered: Array, limits: _Limits
) -> tuple[Array, Array, Array]:
    """The first window that counts, or the whole image."""
    height, width, _ = ints(image_size)
    if height < 1 or width < 1:
        raise InvalidArgumentError(f"`image_size` must have rows and columns, but is {ints(image_size)}")
    if not covered >= 0:
        raise InvalidArgumentError(f"`min_object_covered` must be 0 or more, but is {covered!s}")
    numbers, whole = _Numbers(source), _Window(0, 0, height, width)
    objects = [each for each in _objects(boxes, whole, limits.allows_no_boxes) if each.area > 0]
    drawn = (_drawn(numbers, whole, limits) for _ in range(limits.attempts))
    window = next((each for each in drawn if each and _covers(each, objects, covered)), whole)
    begin, end = np.array(window[:2]), np.array(window[2:])
    fractions = np.array(window, FLOAT) / np.array([height, width, height, width], FLOAT)
    size = np.append(end - begin, -1)
    return np.append(begin, 0).astype(image_size.dtype), size.astype(image_size.dtype), fractions.reshape(1, 1, 4)


def _objects(boxes: Array, whole: _Window, allows_none: bool) -> list[_Window]:
    """The boxes in pixels, rounded toward 0."""
    if not boxes.size and not allows_none:
        raise InvalidArgumentError("`bounding_boxes` has no box; set use_image_if_no_bounding_boxes=True for the image")
    wrong = boxes[~((boxes >= 0) & (boxes <= 1))]
    if wrong.size:
        raise InvalidArgumentError(f"`bounding_boxes` must be in [0, 1], but has {wrong[0]:g}")
    lengths = np.array([whole.bottom, whole.right, whole.bottom, whole.right], FLOAT)
    return [_Window(*map(int, each)) for each in (boxes * lengths).reshape(-1, 4)] if boxes.size else [whole]


def _covers(window: _Window, objects: list[_Window], share: Array) -> bool:
    return any(FLOAT(window.shared(each)) / FLOAT(each.area) >= share for each in objects)


def _drawn(numbers: _Numbers, whole: _Window, limits: _Limits) -> _Window | None:
    """A window of a random ratio, height and place, or None if it has no room."""
    low, high = map(FLOAT, limits.ratios)
    ratio = numbers.fraction() * (high - low) + low
    least, most = (FLOAT(area) * FLOAT(whole.right) * FLOAT(whole.bottom) for area in limits.areas)
    if least > most or not math.isfinite(ratio):
        return None
    height = _height(numbers, whole, ratio, (least, most))
    if FLOAT(height * _width(height, ratio)) < least:
        height += 1
    if FLOAT(height * _width(height, ratio)) > most:
        height -= 1
    width = _width(height, ratio)
    fits = 0 < height <= whole.bottom and 0 < width <= whole.right
    if not fits or not least <= FLOAT(height * width) <= most:
        return None
    top = numbers.below(whole.bottom - height) if height < whole.bottom else 0
    left = numbers.below(whole.right - width) if width < whole.right else 0
    return _Window(top, left, top + height, left + width)


def _height(numbers: _Numbers, whole: _Window, ratio: np.float32, areas: tuple[np.float32, np.float32]) -> int:
    """A random height between the ones of the least and of the largest area that fit the image."""
    least, most = (int(np.rint(np.sqrt(area / ratio))) for area in areas)
    if _width(most, ratio) > whole.right:
        most = int((whole.right + 0.5 - _MARGIN) / ratio)
        most -= _width(most, ratio) > whole.right
    most = min(most, whole.bottom)
    return least + numbers.below(most - least + 1) if least < most else most


def _width(height: int, ratio: np.float32) -> int:
    return int(np.rint(FLOAT(height) * ratio))
