"""Rows of arrays, and arrays made of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from typegrad.base.array import Array
from typegrad.base.errors import DTypeError, ShapeError
from typegrad.graph.tensors import plain

__all__ = ["Rows", "generator", "stack"]


_Index: TypeAlias = "slice | NDArray[np.intp] | tuple[int | np.intp, EllipsisType]"


def generator(seed: int, epoch: int) -> np.random.Generator:
    """The random numbers of one epoch, which depend on seed and epoch alone."""
    return np.random.default_rng([seed, epoch])


@frozen(eq=False)
class Rows:
    """The rows of several arrays. They are shuffled and batched by index, which is much faster than row by row."""

    arrays: tuple[Array, ...]
    seeds: tuple[int, ...] = ()
    """The seeds of the shuffles, in order."""

    @staticmethod
    def of(arrays: Sequence[Array]) -> Rows:
        """The rows of `arrays`, as read-only views; a `ShapeError` if their numbers of rows differ."""
        if not arrays:
            raise ShapeError("from_arrays takes at least one array")
        for i, array in enumerate(arrays):
            if not array.ndim:
                raise ShapeError(f"from_arrays takes arrays with a first dimension, but array {i} is a scalar")
        if len({len(array) for array in arrays}) > 1:
            sizes = ", ".join(str(list(array.shape)) for array in arrays)
            raise ShapeError(f"from_arrays takes arrays of one size in the first dimension; these have shapes {sizes}")
        views = tuple(plain(array).view() for array in arrays)
        for view in views:
            view.flags.writeable = False
        return Rows(views)

    def __len__(self) -> int:
        return len(self.arrays[0])

    def rows(self, epoch: int) -> Iterator[Any]:
        """Row after row; a row of a vector is an array of rank 0."""
        order = self._order(epoch)
        for i in range(len(self)):
            yield self._take((i if order is None else order[i], ...))

    def batches(self, epoch: int, size: int, stop: int) -> Iterator[Any]:
        """`size` rows at a time, of the first `stop` rows."""
        order = self._order(epoch)
        for start in range(0, stop, size):
            which = slice(start, start + size)
            yield self._take(which if order is None else order[which])

    def _order(self, epoch: int) -> NDArray[np.intp] | None:
        order = None
        for seed in self.seeds:
            permutation = generator(seed, epoch).permutation(len(self))
            order = permutation if order is None else order[permutation]
        return order

    def _take(self, which: _Index) -> Array | tuple[Array, ...]:
        if len(self.arrays) == 1:
            return self.arrays[0][which]
        return tuple(array[which] for array in self.arrays)


def stack(elements: Sequence[object]) -> Any:
    """Stack the arrays of `elements` along a new first dimension; tuples position by position.

    A `ShapeError` or `DTypeError` if the elements differ in structure, shape or type.
    """
    first = elements[0]
    if not isinstance(first, tuple):
        return _stack_arrays(elements, "the elements")
    for element in elements:
        if not isinstance(element, tuple) or len(element) != len(first):
            raise ShapeError(f"batch: elements differ in structure: {_structure(first)} and {_structure(element)}")
    columns = [
        _stack_arrays(column, f"the arrays of component {i}") for i, column in enumerate(zip(*elements, strict=True))
    ]
    make = getattr(first, "_make", tuple)  # a NamedTuple stays one
    return make(columns)


def _stack_arrays(values: Sequence[object], what: str) -> Array:
    arrays = [np.asarray(value) for value in values]
    first = arrays[0]
    for array in arrays:
        if array.dtype.type is not first.dtype.type:
            raise DTypeError(f"batch: {what} differ in type: {first.dtype} and {array.dtype}")
        if array.shape != first.shape:
            raise ShapeError(f"batch: {what} differ in shape: {list(first.shape)} and {list(array.shape)}")
    return np.stack(arrays)


def _structure(element: object) -> str:
    return f"a tuple of {len(element)}" if isinstance(element, tuple) else type(element).__name__
