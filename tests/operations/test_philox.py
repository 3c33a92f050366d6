"""Numbers that are made of the words of Philox."""

from __future__ import annotations

import numpy as np

from typegrad.kernels import philox

STEPS = 2**23
"""Uniform numbers in float32 are multiples of 1 / STEPS."""


def test_normal_numbers_are_exact_to_a_unit_in_the_last_place() -> None:
    """As with sine and cosine in float64, at angles all around the circle and beside multiples of pi / 2."""
    beside = np.arange(-300, 300) + np.arange(0, 5)[:, None] * (STEPS // 4)
    steps = np.unique(np.concatenate([np.arange(0, STEPS, 61), beside.reshape(-1) % STEPS]))
    words = np.full((len(steps), 4), 12345, np.uint32)
    words[:, 1::2] = steps[:, None]
    radius = np.float32(np.sqrt(np.float32(-2) * np.float32(np.log(12345 / STEPS))))
    angles = (steps / STEPS * (2 * np.pi)).astype(np.float32).astype(np.float64)
    expected = np.stack([function(angles).astype(np.float32) * radius for function in (np.sin, np.cos)], axis=1)
    np.testing.assert_array_max_ulp(philox.normal(words, np.dtype(np.float32)), np.tile(expected, 2), maxulp=1)
