"""Data sets and the training loop: what the first elements of a data set tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import signature, unwrap
from itertools import islice
from typing import Any, Final

import attrs

from typegrad.dry_run.arrays import hidden
from typegrad.dry_run.unknown import UNKNOWN, has_unknown
from typegrad.training import loop
from typegrad.training.data.dataset import Dataset

__all__ = ["elements_of", "fit"]

_FIRST: Final = 3
"""How many elements of a data set are looked at."""


def elements_of(dataset: Dataset[Any]) -> Sequence[Any]:
    """The first elements, without values; none if they cannot be made of arrays without values."""
    try:
        return [hidden(each) for each in islice(dataset, _FIRST)]
    except Exception:  # noqa: BLE001  # whatever a function of the program makes of zeros
        return ()


@attrs.frozen
class _First:
    """A data set of the first element of another one."""

    dataset: Any

    is_endless: bool = attrs.field(init=False, default=False)

    def epoch(self, number: int) -> Iterator[Any]:
        """The element, in each epoch."""
        return iter(elements_of(self.dataset.epoch(number))[:1])


@attrs.frozen(eq=False)
class Progress:
    """The state of the loop after some step: it takes more of them in the run."""

    values: tuple[Any, ...]
    epoch: Any = UNKNOWN
    step: Any = UNKNOWN


def fit(*args: Any, **kwargs: Any) -> Any:
    """What `training.fit` returns after one step, which is checked."""
    call = signature(loop.fit).bind(*args, **kwargs)
    if has_unknown(list(call.arguments.values())):
        return UNKNOWN
    call.arguments |= {"dataset": _First(call.arguments["dataset"]), "epochs": 1, "first_epoch": 0}
    for name in ("after_step", "after_epoch"):
        callback = call.arguments.get(name)
        if callback is not None:
            call.arguments[name] = partial(_called_back, callback)
    return _at_any_step(unwrap(loop.fit)(*call.args, **call.kwargs))


def _called_back(callback: Callable[[Any], object], progress: loop.Progress) -> None:
    callback(_at_any_step(progress))


def _at_any_step(progress: loop.Progress | None) -> Progress | None:
    return None if progress is None else Progress(progress.values)
