"""Sums of arrays that repeat their elements: the bits of a copy, without the copy where NumPy adds in its order."""

from __future__ import annotations

import tracemalloc
from math import prod
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from typegrad.kernels import reduction

SIZES = st.sampled_from([1, 2, 7, 20, 130, 300, 2100])
MOST: Final = 2100 * 130
"""The maximum number of elements."""
KERNELS = (reduction.sum, reduction.prod, reduction.mean, reduction.euclidean_norm)


@given(st.data(), st.sampled_from(KERNELS), st.sampled_from([np.float16, np.float32, np.float64]), st.booleans())
def test_repeated_elements_are_added_like_a_copy(data: st.DataObject, kernel: Any, dtype: Any, keep_dims: bool) -> None:
    shape = data.draw(st.lists(SIZES, min_size=1, max_size=3).filter(lambda sizes: prod(sizes) <= MOST))
    lengths = [data.draw(st.sampled_from([1, length])) for length in shape]
    values = np.random.default_rng(1).uniform(0.9, 1.1, lengths).astype(dtype)
    x = np.broadcast_to(values, shape).transpose(data.draw(st.permutations(range(len(shape)))))
    axes = np.array(sorted(data.draw(st.sets(st.sampled_from(range(-len(shape), 0)), min_size=1))))
    assert (
        kernel(np, x, axes, keep_dims=keep_dims).tobytes() == kernel(np, x.copy(), axes, keep_dims=keep_dims).tobytes()
    )


@pytest.mark.parametrize("axes", [(0, 1), (0,), (-1,)])
def test_an_array_of_one_repeated_element_is_not_copied(axes: tuple[int, ...]) -> None:
    x = np.broadcast_to(np.float32(1), (2**30, 2**30))
    assert reduction.in_order(x, axes) is x


def test_a_large_array_of_repeated_rows_is_summed_without_a_copy() -> None:
    tracemalloc.start()
    total = reduction.sum(np, np.broadcast_to(np.float32(1), (2**12, 2**12)), np.arange(2), keep_dims=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == 2**24 and peak < 2**20
