"""`fit`: the training loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from attrs import frozen

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.array import Array
from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, FeedError, GraphError
from typegrad.base.location import warn
from typegrad.base.shape import Shape
from typegrad.graph.explain import describe
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import as_operation
from typegrad.session.feeds import takes

if TYPE_CHECKING:
    from typegrad.graph.operation import Operation
    from typegrad.graph.wrapper import Op
    from typegrad.session.session import Session
    from typegrad.training.data.dataset import Dataset

__all__ = ["Progress", "fit"]

_PERMUTED: Final = 4
"""Up to how many components every order is tried."""

_NO_EPOCHS: Final = (
    "fit: the loop stops before epoch {}, but begins with epoch {}; epochs counts from epoch 0, so that two more are "
    "epochs=first_epoch + 2"
)

_NO_ELEMENTS: Final = (
    "fit: the dataset has no elements, so no step was run; batch(n, drop_remainder=True) leaves none of less than n"
)


@frozen(eq=False)
class Progress:
    """The state of the training loop after a step."""

    epoch: int
    """The epoch, counted from 0."""
    step: int
    """The number of steps that this call of `fit` has run."""
    values: tuple[Array, ...]
    """The values that the last step fetched."""


def fit(
    session: Session,
    step: Operation | Op,
    dataset: Dataset[Any],
    feeds: AnyOperand | Sequence[AnyOperand],
    *,
    epochs: int,
    first_epoch: int = 0,
    fetches: Sequence[AnyOperand] = (),
    after_step: Callable[[Progress], object] | None = None,
    after_epoch: Callable[[Progress], object] | None = None,
) -> Progress | None:
    """Run `step` once for each element of each epoch of `dataset`.

    Args:
        session: The session that holds the variables.
        step: The operation of one step, such as the result of an optimizer's `minimize`.
        dataset: The data. Each epoch has its own order.
        feeds: The operands that are fed with the components of an element, in order.
        epochs: The number of epochs: the loop stops before the epoch with this number.
        first_epoch: The epoch to start with, counted from 0: the next one, if training is resumed.
        fetches: Operands to fetch in the same run as each step, such as the loss.
        after_step: Called after each step. If it returns True, training stops.
        after_epoch: Called after the last step of each epoch; the same holds for it.

    Returns:
        The state after the last step; None if there was no step, of which a `UserWarning` tells if there was an epoch.

    Raises:
        GraphError: The step changes no variable.
        AttributeValueError: The dataset does not end, or `first_epoch` is not from 0 to `epochs`.
        FeedError: An element has another number of components than there are operands to feed, or they do not fit.
    """
    if not 0 <= first_epoch <= epochs:
        raise AttributeValueError(_NO_EPOCHS.format(epochs, first_epoch))
    if dataset.is_endless:
        raise AttributeValueError("fit: an epoch of this dataset does not end; leave out repeat(), or give it a number")
    _check_step(as_operation(step))
    operands = (feeds,) if isinstance(feeds, Operand) else tuple(feeds)
    targets = (step, *fetches)
    done = 0
    progress = None
    for epoch in range(first_epoch, epochs):
        before = done
        for element in dataset.epoch(epoch):
            values = _run(session, targets, operands, element)
            done += 1
            progress = Progress(epoch, done, values[1:])
            if after_step is not None and _is_true(after_step(progress)):
                return progress
        if after_epoch is not None and progress is not None and done > before and _is_true(after_epoch(progress)):
            break
    if progress is None and first_epoch < epochs:
        warn(_NO_ELEMENTS)
    return progress


def _check_step(step: Operation) -> None:
    """Refuse a step that has no effect: it would be run again and again for nothing."""
    if not any(op.definition.effect in ("write", "outside") for op in step.graph.ancestors([step])):
        raise GraphError(f"fit: {describe(step)} changes no variable; minimize(loss) of an optimizer makes the step")


def _is_true(answer: object) -> bool:
    """Whether a function asks to stop: what it returns may be anything, such as an array."""
    return isinstance(answer, (bool, np.bool_)) and bool(answer)


def _run(session: Session, targets: tuple[Any, ...], operands: Sequence[AnyOperand], element: Any) -> tuple[Array, ...]:
    """Run one step, which is fed with an element of the dataset."""
    components = element if isinstance(element, tuple) else (element,)
    if len(components) != len(operands):
        parts, places = counted(len(components), "component"), counted(len(operands), "operand")
        hint = "; make a tuple of its values, in the order of the feeds" if isinstance(element, Mapping) else ""
        raise FeedError(f"fit: an element has {parts}, but is fed to {places}{hint}")
    try:
        return session.run(targets, dict(zip(operands, components, strict=True)))
    except FeedError as error:
        wrong = _unbatched(operands, components) or _wrong_order(operands, components)
        if wrong is None:
            raise
        raise wrong from error


def _unbatched(operands: Sequence[AnyOperand], fed: Sequence[Any]) -> FeedError | None:
    """The error for operands that take batches of what they are fed with; None for any other mistake."""
    is_array = all(isinstance(each, (np.ndarray, np.generic)) for each in fed)
    if not is_array or not _fit(operands, [each[np.newaxis] for each in fed]):
        return None
    return FeedError(
        f"fit: an element is {_listed(fed)}, but the feeds are {_listed(operands)}; write dataset.batch(32)"
    )


def _wrong_order(operands: Sequence[AnyOperand], fed: Sequence[Any]) -> FeedError | None:
    """The error for operands that take the components of an element in another order; None for any other mistake."""
    is_any_order = len(fed) <= _PERMUTED and not _fit(operands, fed)
    if not is_any_order or not any(_fit(operands, order) for order in permutations(fed)):
        return None
    remedy = "swap them" if len(fed) == 2 else "put them in the order of the components"
    return FeedError(f"fit: an element is {_listed(fed)}, but the feeds are {_listed(operands)}; {remedy}")


def _listed(values: Sequence[Any]) -> str:
    """The element types and shapes of arrays or operands: "(float32 [3], int32 [])"."""
    return f"({', '.join(f'{each.dtype.name} {Shape(tuple(each.shape))}' for each in values)})"


def _fit(operands: Sequence[AnyOperand], fed: Sequence[Any]) -> bool:
    """Whether arrays are of the element types and the shapes of operands."""
    return all(takes(operand, array) for operand, array in zip(operands, fed, strict=True))


_guard(__name__)
