"""`fit`: the loop of a training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen
from numpy.typing import NDArray

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError, FeedError
from typegrad.graph.operand import Operand

if TYPE_CHECKING:
    from typegrad.graph.operation import Operation
    from typegrad.graph.wrapper import Op
    from typegrad.session.session import Session
    from typegrad.training.data.dataset import Dataset

__all__ = ["Progress", "fit"]


@frozen(eq=False)
class Progress:
    """Where a training is."""

    epoch: int
    """The epoch, counted from 0."""
    step: int
    """How many steps this call of `fit` has done."""
    values: tuple[NDArray[Any], ...]
    """What the last step fetched."""


def fit(
    session: Session,
    step: Operation | Op,
    dataset: Dataset[Any],
    feeds: Operand[Any, Any] | Sequence[Operand[Any, Any]],
    *,
    epochs: int,
    first_epoch: int = 0,
    fetches: Sequence[Operand[Any, Any]] = (),
    after_step: Callable[[Progress], object] | None = None,
    after_epoch: Callable[[Progress], object] | None = None,
) -> Progress | None:
    """Run `step` once for each element of each epoch of `dataset`.

    Args:
        session: Holds the variables.
        step: What a step runs: what `minimize` of an optimizer has made.
        dataset: What is fed. In each epoch it is shuffled anew.
        feeds: The operands that get the components of an element, in their order.
        epochs: The number of the epoch before which to stop.
        first_epoch: The epoch to start with, counted from 0: where a training that is resumed goes on.
        fetches: What each step fetches besides, in the same run: the loss, for example.
        after_step: Called after each step. To stop early, raise an exception.
        after_epoch: Called after the last step of each epoch.

    Returns:
        What the last call of `after_step` gets; None if there was no step.

    Raises:
        AttributeValueError: The dataset does not end.
        FeedError: An element has another number of components than there are operands to feed.
    """
    if dataset.is_endless:
        raise AttributeValueError("fit: an epoch of this dataset does not end; leave out repeat(), or give it a number")
    operands = (feeds,) if isinstance(feeds, Operand) else tuple(feeds)
    wanted = (step, *fetches)
    done = 0
    progress = None
    for epoch in range(first_epoch, epochs):
        before = done
        for element in dataset.epoch(epoch):
            fed = element if isinstance(element, tuple) else (element,)
            if len(fed) != len(operands):
                raise FeedError(f"fit: an element has {len(fed)} components, but {len(operands)} operands are fed")
            values = session.run(wanted, dict(zip(operands, fed, strict=True)))
            done += 1
            progress = Progress(epoch, done, values[1:])
            if after_step is not None:
                after_step(progress)
        if after_epoch is not None and progress is not None and done > before:
            after_epoch(progress)
    return progress


_guard(__name__)
