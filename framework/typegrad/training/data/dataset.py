"""`Dataset`: elements to iterate over any number of times, and how they are shuffled, batched and prepared."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sized
from importlib.util import find_spec
from itertools import count
from typing import Any, Final, Generic, TypeVar, final, overload

import numpy as np
from numpy.typing import NDArray

from typegrad.arguments.unknown import Explaining
from typegrad.base.array import Array
from typegrad.base.errors import AttributeValueError, DTypeError, OptionError
from typegrad.training.data.arrays import Rows, generator
from typegrad.training.data.streams import batched, prefetched, repeated, shuffled, with_progress

__all__ = ["ONE_ARGUMENT", "Dataset"]

ONE_ARGUMENT: Final = (
    "`function` takes one argument, the element, which is a tuple for several arrays; lambda xy: xy[0]"
)
"""The error message for a function with other parameters."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")
A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)
C = TypeVar("C", bound=np.generic)
D = TypeVar("D", bound=np.generic)


@final
class Dataset(Generic[T_co], metaclass=Explaining):
    """Elements to iterate over any number of times. Each method returns a new dataset and does not change this one.

        dataset = Dataset.from_arrays(images, labels).shuffle(seed=0).batch(32).prefetch(2)
        for epoch in range(10):
            for x, y in dataset.epoch(epoch):
                session.run(step, {images_in: x, labels_in: y})

    A dataset has no state: every iteration gives the same elements. Epochs differ in the order that `shuffle` draws,
    which depends only on its seed and the epoch's number. So training that is resumed at an epoch gets the same
    elements as without the interruption.
    """

    def __init__(self, elements: Callable[[int], Iterator[T_co]], size: float | None, rows: Rows | None = None) -> None:
        """Datasets are made by `from_arrays` and `from_iterable`.

        Args:
            elements: Makes the elements of an epoch.
            size: The number of elements: infinity if they do not end, None if it is not known.
            rows: The arrays whose rows the elements are, if they were at most shuffled.
        """
        self._elements = elements
        self._size = size
        self._rows = rows

    # Making

    @overload
    @staticmethod
    def from_arrays(a: NDArray[A], /) -> Dataset[NDArray[A]]: ...
    @overload
    @staticmethod
    def from_arrays(a: NDArray[A], b: NDArray[B], /) -> Dataset[tuple[NDArray[A], NDArray[B]]]: ...
    @overload
    @staticmethod
    def from_arrays(
        a: NDArray[A], b: NDArray[B], c: NDArray[C], /
    ) -> Dataset[tuple[NDArray[A], NDArray[B], NDArray[C]]]: ...
    @overload
    @staticmethod
    def from_arrays(
        a: NDArray[A], b: NDArray[B], c: NDArray[C], d: NDArray[D], /
    ) -> Dataset[tuple[NDArray[A], NDArray[B], NDArray[C], NDArray[D]]]: ...
    @overload
    @staticmethod
    def from_arrays(*arrays: Array) -> Dataset[Any]: ...
    @staticmethod
    def from_arrays(*arrays: Array) -> Dataset[Any]:
        """The rows of one array, or tuples of the rows of several.

        Rows may be views of the arrays, which are then read-only.

        Raises:
            ShapeError: The arrays differ in their first dimension.
        """
        rows = Rows.of(arrays)
        return Dataset(rows.rows, len(rows), rows)

    @staticmethod
    def from_iterable(source: Iterable[T] | Callable[[], Iterable[T]]) -> Dataset[T]:
        """The elements of an iterable, or of the iterables that a function returns, such as a generator function.

        Raises:
            DTypeError: `source` is an iterator, which can be consumed only once, or it has no elements at all.
        """
        if isinstance(source, Iterator):
            raise DTypeError(
                f"from_iterable: a {type(source).__name__} can be consumed only once; pass the function that makes it"
            )
        if isinstance(source, Iterable):
            elements: Iterable[T] = source
            return Dataset(lambda _: iter(elements), len(source) if isinstance(source, Sized) else None)
        return Dataset(lambda _: iter(source()), None)

    # Changing

    def map(self, function: Callable[[T_co], U]) -> Dataset[U]:
        """Apply `function` to each element. After `batch` it is called once for each batch, which costs less.

        Raises:
            OptionError: The function does not take one argument; an element may be a tuple.
        """
        if not _takes_one(function):
            raise OptionError(f"map: {ONE_ARGUMENT}")
        return Dataset(lambda epoch: map(function, self._elements(epoch)), self._size)

    def shuffle(self, seed: int, buffer: int | None = None) -> Dataset[T_co]:
        """The elements in random order, another one in each epoch.

        A loop over the dataset itself is epoch 0, in the same order each time; a loop over `epoch(n)` is epoch n.

        Args:
            seed: The same seed gives the same orders.
            buffer: The number of elements in memory, from which the next one is drawn. By default all, so that every
                order has the same probability; arrays are then shuffled by index, without a copy.

        Raises:
            AttributeValueError: The seed is negative or the buffer not positive; or the elements do not end and there
                is no buffer.
        """
        seed = _at_least(0, seed, "shuffle: seed")
        if buffer is not None:
            buffer = _at_least(1, buffer, "shuffle: buffer")
        elif self.is_endless:
            raise AttributeValueError(
                "shuffle: the elements do not end, so they need a `buffer`; or shuffle, then repeat"
            )
        elif self._rows is not None:
            rows = Rows(self._rows.arrays, (*self._rows.seeds, seed))
            return Dataset(rows.rows, self._size, rows)
        return Dataset(
            lambda epoch: shuffled(self._elements(epoch), generator(seed, epoch), buffer),
            self._size,
        )

    @overload
    def batch(self: Dataset[NDArray[A]], n: int, drop_remainder: bool = False) -> Dataset[NDArray[A]]: ...
    @overload
    def batch(
        self: Dataset[tuple[NDArray[A], NDArray[B]]], n: int, drop_remainder: bool = False
    ) -> Dataset[tuple[NDArray[A], NDArray[B]]]: ...
    @overload
    def batch(
        self: Dataset[tuple[NDArray[A], NDArray[B], NDArray[C]]], n: int, drop_remainder: bool = False
    ) -> Dataset[tuple[NDArray[A], NDArray[B], NDArray[C]]]: ...
    @overload
    def batch(
        self: Dataset[tuple[NDArray[A], NDArray[B], NDArray[C], NDArray[D]]], n: int, drop_remainder: bool = False
    ) -> Dataset[tuple[NDArray[A], NDArray[B], NDArray[C], NDArray[D]]]: ...
    @overload
    def batch(self: Dataset[tuple[Any, ...]], n: int, drop_remainder: bool = False) -> Dataset[tuple[Array, ...]]: ...
    @overload
    def batch(self: Dataset[Any], n: int, drop_remainder: bool = False) -> Dataset[Any]: ...
    def batch(self: Dataset[Any], n: int, drop_remainder: bool = False) -> Dataset[Any]:
        """`n` elements at a time, stacked along a new first dimension; tuples position by position.

        Args:
            n: The number of elements of a batch.
            drop_remainder: Whether to leave out the last batch if it has fewer.

        Raises:
            AttributeValueError: `n` is not positive.
            DTypeError: During iteration: two elements differ in type.
            ShapeError: During iteration: two elements differ in shape.
        """
        n = _at_least(1, n, "batch: n")
        size = self._size
        if size is not None and size != math.inf:
            size = size // n if drop_remainder else -(-size // n)
        rows = self._rows
        if rows is not None:
            stop = len(rows) // n * n if drop_remainder else len(rows)
            return Dataset(lambda epoch: rows.batches(epoch, n, stop), size)
        return Dataset(lambda epoch: batched(self._elements(epoch), n, drop_remainder=drop_remainder), size)

    def repeat(self, n: int | None = None) -> Dataset[T_co]:
        """The elements of `n` epochs in sequence, each in its own order; without `n`, of endless epochs.

        `epoch(k)` of `repeat(n)` starts with epoch k * n of this dataset; of `repeat()`, with its epoch k.
        """
        if n is None:
            return Dataset(lambda epoch: repeated(self._elements, count(epoch)), math.inf)
        times = _at_least(1, n, "repeat: n")
        return Dataset(
            lambda epoch: repeated(self._elements, range(epoch * times, (epoch + 1) * times)),
            None if self._size is None else self._size * times,
        )

    def prefetch(self, n: int) -> Dataset[T_co]:
        """The same elements, with a thread that makes the next `n` in advance.

        The thread starts with the first element. It ends with the last one, or soon after the iterator is dropped.
        An exception in the thread is raised when the element that could not be made is requested.
        """
        number = _at_least(1, n, "prefetch: n")
        return Dataset(lambda epoch: prefetched(self._elements(epoch), number), self._size)

    def progress(self, description: str = "", *, unit: str = "batch") -> Dataset[T_co]:
        """The same elements, counted by a progress bar on the terminal (standard error) during iteration.

        Raises:
            ImportError: tqdm is not installed.
        """
        if find_spec("tqdm") is None:
            raise ImportError("a progress bar needs tqdm: run pip install 'typegrad[progress]'", name="tqdm")
        return Dataset(
            lambda epoch: with_progress(self._elements(epoch), self.size, description, unit),
            self._size,
        )

    # Reading

    def epoch(self, number: int) -> Dataset[T_co]:
        """This dataset in epoch `number`, counted from 0: in the order that `shuffle` draws for that epoch."""
        first = _at_least(0, number, "epoch: number")
        return Dataset(lambda epoch: self._elements(first + epoch), self._size)

    def __iter__(self) -> Iterator[T_co]:
        """The elements of epoch 0."""
        return self._elements(0)

    @property
    def size(self) -> int | None:
        """The number of elements; None if they do not end, or if it is not known before the iteration."""
        return None if self._size is None or self.is_endless else int(self._size)

    @property
    def is_endless(self) -> bool:
        """Whether it is known that the elements do not end."""
        return self._size == math.inf

    def __len__(self) -> int:
        size = self.size
        if size is None:
            reason = (
                "its elements do not end" if self.is_endless else "the number of its elements is not known in advance"
            )
            raise TypeError(f"this dataset has no len: {reason}")
        return size

    def __bool__(self) -> bool:
        """Always true, also without elements: their number may not be known."""
        return True

    def __repr__(self) -> str:
        elements = "without end" if self.is_endless else f"of {'?' if self.size is None else self.size} elements"
        return f"<Dataset {elements}>"


def _takes_one(function: Callable[..., object]) -> bool:
    """Whether a function may be called with one argument; some builtins do not tell."""
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _at_least(least: int, number: int, what: str) -> int:
    """`number` as an int, if it is an integer from `least` up."""
    value = operator.index(number)
    if value < least:
        raise AttributeValueError(f"{what} must be at least {least}, but is {value}")
    return value
