"""Datasets: what they give, in which order, how many, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from typegrad.base.errors import AttributeValueError, DTypeError, InvalidArgumentError, ShapeError
from typegrad.training.data import Dataset

IMAGES = np.arange(20, dtype=np.float32).reshape(10, 2)
LABELS = np.arange(10, dtype=np.int32)


def pairs() -> Dataset[Any]:
    """The same rows without the shortcut for arrays."""
    return Dataset.from_iterable(list(zip(IMAGES, LABELS, strict=True)))


def numbers(dataset: Dataset[Any]) -> list[Any]:
    return [np.asarray(element).tolist() for element in dataset]


def labels(dataset: Dataset[Any]) -> list[list[int]]:
    return [batch.tolist() for _, batch in dataset]


def test_rows_of_several_arrays_are_tuples_of_arrays() -> None:
    rows = list(Dataset.from_arrays(IMAGES, LABELS))
    assert len(rows) == 10
    image, label = rows[3]
    assert isinstance(label, np.ndarray)
    assert (image.tolist(), label.tolist(), label.dtype.name) == ([6, 7], 3, "int32")


def test_rows_of_one_array_are_arrays() -> None:
    assert numbers(Dataset.from_arrays(LABELS)) == list(range(10))
    assert numbers(Dataset.from_arrays(LABELS).batch(4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


def test_batches_are_stacked() -> None:
    dataset = Dataset.from_arrays(IMAGES, LABELS).batch(4)
    for (image, label), (same_image, same_label) in zip(dataset, pairs().batch(4), strict=True):
        assert image.dtype == same_image.dtype
        np.testing.assert_array_equal(image, same_image)
        np.testing.assert_array_equal(label, same_label)
    assert [image.shape for image, _ in dataset] == [(4, 2), (4, 2), (2, 2)]


@pytest.mark.parametrize("make", [lambda: Dataset.from_arrays(IMAGES, LABELS), pairs])
def test_the_last_batch_may_be_dropped(make: Callable[[], Dataset[Any]]) -> None:
    whole, dropped = make().batch(4), make().batch(4, drop_remainder=True)
    assert (len(whole), len(dropped)) == (3, 2)
    assert labels(dropped) == labels(whole)[:2]
    assert len(list(make().batch(11, drop_remainder=True))) == len(make().batch(11, drop_remainder=True)) == 0
    assert len(list(make().batch(5, drop_remainder=True))) == 2


def test_arrays_are_neither_changed_nor_changeable() -> None:
    for element in (next(iter(Dataset.from_arrays(IMAGES))), next(iter(Dataset.from_arrays(IMAGES).batch(2)))):
        with pytest.raises(ValueError, match="read-only"):
            element[:] = 0
    assert IMAGES.flags.writeable


def test_batches_of_python_numbers_named_tuples_and_batches() -> None:
    class Pair(NamedTuple):
        x: int
        y: float

    records: Dataset[Any] = Dataset.from_iterable([Pair(1, 0.5), Pair(2, 1.5)])
    batch: Any = next(iter(records.batch(2)))
    assert isinstance(batch, Pair)
    assert [component.tolist() for component in map(np.asarray, batch)] == [[1, 2], [0.5, 1.5]]
    assert numbers(Dataset.from_iterable(range(5)).batch(2, drop_remainder=True).batch(2)) == [[[0, 1], [2, 3]]]
    assert numbers(Dataset.from_iterable(["a", "bcd"]).batch(2)) == [["a", "bcd"]]


def test_a_dataset_gives_the_same_every_time() -> None:
    dataset = Dataset.from_arrays(IMAGES, LABELS).shuffle(1).batch(3).prefetch(2)
    assert labels(dataset) == labels(dataset)
    first, second = iter(dataset), iter(dataset)
    assert next(first)[1].tolist() == next(second)[1].tolist()


@pytest.mark.parametrize("make", [lambda: Dataset.from_arrays(IMAGES, LABELS), pairs])
def test_each_epoch_has_an_order_of_its_own(make: Callable[[], Dataset[Any]]) -> None:
    orders = [[int(label) for _, label in make().shuffle(5).epoch(epoch)] for epoch in range(4)]
    assert all(sorted(order) == list(range(10)) for order in orders)
    assert len({tuple(order) for order in orders}) == 4
    assert orders == [[int(label) for _, label in make().shuffle(5).epoch(epoch)] for epoch in range(4)]
    assert orders != [[int(label) for _, label in make().shuffle(6).epoch(epoch)] for epoch in range(4)]
    repeated = [int(label) for _, label in make().shuffle(5).repeat(4)]
    assert repeated == [label for order in orders for label in order]


def test_the_orders_do_not_depend_on_how_the_elements_are_kept() -> None:
    arrays, other = Dataset.from_arrays(IMAGES, LABELS), pairs()
    assert labels(arrays.shuffle(7).shuffle(8).batch(4)) == labels(other.shuffle(7).shuffle(8).batch(4))
    assert labels(arrays.shuffle(7, 3).batch(4)) == labels(other.shuffle(7, 3).batch(4))


@pytest.mark.parametrize("buffer", [1, 2, 7, 100])
def test_a_buffer_limits_how_far_an_element_comes_forward(buffer: int) -> None:
    order = list(Dataset.from_iterable(range(50)).shuffle(3, buffer))
    assert sorted(order) == list(range(50))
    assert all(element < place + buffer for place, element in enumerate(order))
    assert (order == list(range(50))) == (buffer == 1)


def test_repeat_goes_through_the_epochs() -> None:
    dataset = Dataset.from_arrays(LABELS).shuffle(2)
    twice = dataset.repeat(2)
    assert len(twice) == 20
    assert numbers(twice.epoch(1)) == numbers(dataset.epoch(2)) + numbers(dataset.epoch(3))
    endless = dataset.repeat()
    assert endless.is_endless and endless.size is None
    elements = iter(endless.epoch(1).batch(10))
    assert [next(elements).tolist() for _ in range(2)] == [numbers(dataset.epoch(1)), numbers(dataset.epoch(2))]


def test_an_endless_repetition_of_nothing_is_an_error() -> None:
    with pytest.raises(InvalidArgumentError, match="no elements to repeat"):
        list(Dataset.from_arrays(LABELS[:0]).repeat())


def test_map_keeps_the_length_and_calls_late() -> None:
    calls: list[int] = []

    def double(x: int) -> int:
        calls.append(x)
        return 2 * x

    dataset = Dataset.from_iterable([1, 2, 3]).map(double)
    elements = iter(dataset)
    assert (len(dataset), next(elements), calls) == (3, 2, [1])
    assert list(dataset) == [2, 4, 6]


def test_sources_are_iterables_or_functions_that_make_them() -> None:
    def made() -> Iterator[int]:
        yield from (1, 2)

    dataset = Dataset.from_iterable(made)
    assert list(dataset) == list(dataset) == [1, 2]
    assert dataset.size is None
    with pytest.raises(TypeError, match="this dataset has no len: the number of its elements is not known in advance"):
        len(dataset)
    with pytest.raises(TypeError, match="this dataset has no len: its elements do not end"):
        len(dataset.repeat())
    assert repr(dataset) == "<Dataset of ? elements>"
    assert repr(dataset.repeat().batch(2)) == "<Dataset without end>"
    assert repr(Dataset.from_iterable(range(4)).batch(3)) == "<Dataset of 2 elements>"
    assert dataset and Dataset.from_iterable([])


def test_a_source_that_can_be_used_once_is_refused() -> None:
    with pytest.raises(DTypeError, match="a generator can be consumed only once; pass the function that makes it"):
        Dataset.from_iterable(i for i in range(3))
    nothing: Any = 3
    with pytest.raises(AttributeValueError, match="`source` must be a list or a function, not int 3"):
        Dataset.from_iterable(nothing)


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"one size in the first dimension; these have shapes \[10, 2\], \[9\]"):
        Dataset.from_arrays(IMAGES, LABELS[1:])
    with pytest.raises(ShapeError, match="array 0 is a scalar"):
        Dataset.from_arrays(np.array(1))
    with pytest.raises(ShapeError, match="at least one array"):
        Dataset.from_arrays()
    listed: Any = [1, 2]
    with pytest.raises(DTypeError, match=r"`arrays\[1\]` must be a NumPy array, not list"):
        Dataset.from_arrays(IMAGES, listed)


def test_elements_that_cannot_be_stacked_are_refused() -> None:
    ragged: list[Any] = [(np.zeros(3), 1), (np.zeros(4), 1)]
    with pytest.raises(ShapeError, match=r"batch: the arrays of component 0 differ in shape: \[3\] and \[4\]"):
        list(Dataset.from_iterable(ragged).batch(2))
    with pytest.raises(DTypeError, match="batch: the elements differ in type: int64 and float64"):
        list(Dataset.from_iterable([1, 2.5]).batch(2))
    mixed: list[Any] = [(1, 2), 3]
    with pytest.raises(ShapeError, match="batch: elements differ in structure: a tuple of 2 and int"):
        list(Dataset.from_iterable(mixed).batch(2))


def test_numbers_out_of_range_are_refused() -> None:
    dataset = Dataset.from_arrays(LABELS)
    wrong: Any = 2.5
    refused: list[tuple[Callable[[], object], str]] = [
        (lambda: dataset.batch(0), "batch: n must be at least 1, but is 0"),
        (lambda: dataset.batch(wrong), "`n` must be an int, not float 2.5"),
        (lambda: dataset.shuffle(-1), "shuffle: seed must be at least 0, but is -1"),
        (lambda: dataset.shuffle(0, 0), "shuffle: buffer must be at least 1, but is 0"),
        (lambda: dataset.repeat().shuffle(0), "the elements do not end, so they need a `buffer`"),
        (lambda: dataset.repeat(0), "repeat: n must be at least 1, but is 0"),
        (lambda: dataset.prefetch(0), "prefetch: n must be at least 1, but is 0"),
        (lambda: dataset.epoch(-1), "epoch: number must be at least 0, but is -1"),
    ]
    for call, message in refused:
        with pytest.raises(AttributeValueError, match=message):
            call()
