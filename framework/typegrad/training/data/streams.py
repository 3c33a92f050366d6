"""Iterators over one epoch of elements, for the methods of `Dataset`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from typegrad.base.errors import InvalidArgumentError
from typegrad.training.data.arrays import stack

__all__ = ["batched", "prefetched", "repeated", "shuffled", "with_progress"]

T = TypeVar("T")


def batched(elements: Iterator[object], size: int, *, drop_remainder: bool) -> Iterator[Any]:
    """`size` elements at a time, stacked."""
    while chosen := list(islice(elements, size)):
        if len(chosen) == size or not drop_remainder:
            yield stack(chosen)


def shuffled(elements: Iterator[T], random: np.random.Generator, buffer: int | None) -> Iterator[T]:
    """The elements in random order; each is drawn from the next `buffer` elements, or from all."""
    pool = list(islice(elements, buffer))
    for element in elements:
        i = random.integers(len(pool))
        yield pool[i]
        pool[i] = element
    for i in random.permutation(len(pool)):
        yield pool[i]


def repeated(elements: Callable[[int], Iterator[T]], epochs: Iterable[int]) -> Iterator[T]:
    """One epoch after the other; an `InvalidArgumentError` if one has no elements."""
    for epoch in epochs:
        is_empty = True
        for element in elements(epoch):
            is_empty = False
            yield element
        if is_empty:  # an endless repetition of nothing would hang
            raise InvalidArgumentError("repeat: there are no elements to repeat")


def prefetched(elements: Iterator[T], count: int) -> Iterator[T]:
    """The elements, with a thread that makes the next `count` in advance.

    An exception in the thread is raised here, at its place in the sequence, with its own traceback. The thread ends
    with the elements, or after its current element once this generator is closed or dropped.
    """
    executor = ThreadPoolExecutor(1, thread_name_prefix="typegrad-prefetch")
    try:
        waiting = deque(executor.submit(_next, elements) for _ in range(count))
        while result := waiting.popleft().result():
            waiting.append(executor.submit(_next, elements))
            yield result[0]
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def _next(elements: Iterator[T]) -> tuple[T] | None:
    for element in elements:
        return (element,)
    return None


def with_progress(elements: Iterator[T], total: int | None, description: str, unit: str) -> Iterator[T]:
    """The elements, counted on the terminal by tqdm."""
    from tqdm import tqdm

    with tqdm(total=total, desc=description or None, unit=unit) as bar:
        for element in elements:
            yield element
            bar.update()
