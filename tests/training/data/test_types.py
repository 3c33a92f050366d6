"""What type checkers know of the elements: mypy and basedpyright check `assert_type`; the values are looked at, too."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

from typegrad.training.data import Dataset


def test_elements_are_typed() -> None:
    images: np.ndarray[tuple[int, int], np.dtype[np.float32]] = np.zeros((4, 3), np.float32)
    digits: NDArray[np.int32] = np.zeros(4, np.int32)
    dataset = Dataset.from_arrays(images, digits)
    assert_type(dataset, Dataset[tuple[NDArray[np.float32], NDArray[np.int32]]])
    for x, y in dataset.shuffle(0).batch(2).repeat(2).prefetch(1):
        assert_type(x, NDArray[np.float32])
        assert_type(y, NDArray[np.int32])
        assert (x.shape, x.dtype.name, y.shape, y.dtype.name) == ((2, 3), "float32", (2,), "int32")
    assert_type(Dataset.from_arrays(digits).batch(2), Dataset[NDArray[np.int32]])


def test_mapped_elements_are_typed() -> None:
    dataset = Dataset.from_iterable([1, 2])
    assert_type(dataset, Dataset[int])
    assert_type(dataset.map(str), Dataset[str])
    records = dataset.map(lambda x: (np.zeros(2), x))
    for values, numbers in records.batch(2):
        assert_type(numbers, NDArray[Any])
        assert (values.shape, numbers.tolist()) == ((2, 2), [1, 2])
