"""Data sets and the training loop: what the first elements of a data set tell, and the functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from inspect import signature, unwrap
from itertools import islice
from typing import Any, Final, Protocol

import attrs
import numpy as np

from typegrad.dry_run.computing.mapped import innermost
from typegrad.dry_run.known.arrays import bare, hidden
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, has_unknown, is_unknown
from typegrad.training import loop
from typegrad.training.data.dataset import Dataset

__all__ = ["elements_of", "first_of", "fit", "followed"]

_UNCHANGED: Final = ("prefetch", "progress")
"""The methods whose data sets have the same elements."""
_FIRST: Final = 3
"""How many elements of a data set are looked at, besides the last one."""
_MOST: Final = 500
"""Of how many elements the last one is looked at."""
_LARGEST: Final = 2**25
"""How many bytes these may have."""


class _Machine(Protocol):
    """What calls functions of the program."""

    tries: int

    def of_library(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function returns that may refuse its arguments."""

    def is_users(self, function: Any) -> bool:
        """Whether a function is the program's own."""

    def repeated(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function returns at first that is called any number of times."""


@attrs.frozen(eq=False)
class _Mapped:
    """A function that is given to `map`: it does not know the values of elements, so that its errors are certain."""

    machine: _Machine
    function: Callable[..., Any]

    def __call__(self, element: Any) -> Any:
        """Call the function without values; where its result depends on them, with zeros, and then it may fail."""
        made = UNKNOWN
        if not self.machine.tries:  # else what is unknown ends the `try` statement
            with suppress(UncertainError):
                made = self.machine.repeated(self.function, hidden(element))
        if not has_unknown(made) and not has_unknown(hidden(bare(made))):
            return bare(made)
        if not self.machine.is_users(innermost(self.function)):
            raise UncertainError
        try:
            return self.function(element)
        except Exception as error:  # whatever the program makes of zeros
            raise UncertainError from error


def followed(machine: _Machine, method: Any, made: Any, *args: Any) -> Any:
    """The data set that a method made, with a function that is followed, and without threads and progress bars."""
    if method.__name__ == "map":
        return method(_Mapped(machine, *args))
    return method.__self__ if method.__name__ in _UNCHANGED else made


def elements_of(dataset: Dataset[Any]) -> Sequence[Any]:
    """The first elements and a last one of another shape, without values; none if zeros cannot take their place.

    The error of the first element is the program's; a loop may end before it comes to another one.
    """
    elements = iter(dataset)
    try:
        first = [hidden(each) for each in islice(elements, 1)]
        with suppress(Exception):
            first += [hidden(each) for each in islice(elements, _FIRST - 1)]
            return [*first, *_last(dataset, first)]
    except UncertainError:
        pass
    return ()


def first_of(machine: _Machine, dataset: Dataset[Any]) -> Iterator[Any]:
    """The first elements, without values, one by one; who asks for more than are looked at does not get one."""
    elements = machine.of_library(elements_of, (dataset,), {})[:_FIRST]
    yield from elements
    if not elements or dataset.size != len(elements):
        raise UncertainError


def _last(dataset: Dataset[Any], first: Sequence[Any]) -> Iterator[Any]:
    """The last element, if it has other shapes, as the batch of the remaining rows has."""
    size = dataset.size or 0
    if _FIRST < size <= _MOST and size * sum(each.nbytes for each in _arrays(first[0])) <= _LARGEST:
        last = next(islice(dataset, size - 1, None))
        if [each.shape for each in _arrays(last)] != [each.shape for each in _arrays(first[0])]:
            yield hidden(last)


def _arrays(element: Any) -> list[np.ndarray[Any, Any]]:
    parts = element.values() if isinstance(element, dict) else element if isinstance(element, tuple) else [element]
    return [each for each in parts if isinstance(each, np.ndarray)]


@attrs.frozen
class _First:
    """A data set of the first element of another one, and of its last one if that has another shape."""

    dataset: Any

    is_endless: bool = attrs.field(init=False, default=False)

    def epoch(self, number: int) -> Iterator[Any]:
        """The elements, in each epoch."""
        elements = elements_of(self.dataset.epoch(number))
        return iter([*elements[:1], *elements[_FIRST:]])


@attrs.frozen(eq=False)
class Progress:
    """The state of the loop after some step: it takes more of them in the run."""

    values: tuple[Any, ...]
    epoch: Any = UNKNOWN
    step: Any = UNKNOWN


def fit(*args: Any, **kwargs: Any) -> Any:
    """What `training.fit` returns after the steps that are checked."""
    call = signature(loop.fit).bind(*args, **kwargs)
    callbacks = {name: call.arguments.pop(name, None) for name in ("after_step", "after_epoch")}
    if has_unknown(list(call.arguments.values())):
        return UNKNOWN
    call.arguments |= {"dataset": _First(call.arguments["dataset"]), "epochs": 1, "first_epoch": 0}
    for name, callback in callbacks.items():
        call.arguments[name] = None if callback is None else partial(_called_back, callback)
    made = unwrap(loop.fit)(*call.args, **call.kwargs)
    return UNKNOWN if any(map(is_unknown, callbacks.values())) else _at_any_step(made)


def _called_back(callback: Callable[[Any], object], progress: loop.Progress) -> bool:
    """Call a function of the program, and return whether it may stop the training: what it answers may change."""
    return callback(_at_any_step(progress)) is not None


def _at_any_step(progress: loop.Progress | None) -> Progress | None:
    return None if progress is None else Progress(progress.values)
