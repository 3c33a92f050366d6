"""The pass that stands for any pass of a loop: what it leaves as it is, every pass does.

Behind a loop that may have run any number of passes, a name has a value like those that it had before the loop and
behind its first passes, if one more pass, which begins with such values and with nothing else that the loop may have
changed, makes such values again. In the same way, all items of a list that the loop appends to are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import attrs
import numpy as np

from typegrad.dry_run.known.arrays import StandIn, integer, is_integer, stand_in
from typegrad.dry_run.known.ends import between, ends
from typegrad.dry_run.known.joins import joined
from typegrad.dry_run.known.unknown import UNKNOWN, Number, UnknownFloat
from typegrad.dry_run.known.unsized import Many, Shapeless, Unsized, many
from typegrad.dry_run.tracking.additions import open_graphs
from typegrad.dry_run.tracking.memory import Tainted

__all__ = ["AnyPass", "any_item", "appended", "forgotten", "is_stable", "read", "widened"]

_PLAIN: Final = (bool, float, int, str, type(None))
_MOST_PASSES: Final = 3
"""How many passes may stand for any one."""
_MOST: Final = 1000
"""Of how many items it is looked at what they have in common."""


@attrs.define(eq=False)
class AnyPass:
    """Such a pass of a loop."""

    before: tuple[Any, ...]
    """What the machine has to restore behind it."""
    values: Sequence[Any]
    """The values that the names have before it."""
    lists: Sequence[Any] = ()
    """The lists that the loop may change."""
    count: int = 1
    """How many such passes there are, each of which begins with less knowledge."""
    is_given_up: bool = False
    """Whether it may not have come to its end."""

    def is_begun_again(self, now: Sequence[tuple[Any, ...]]) -> bool:
        """Whether another such pass begins, as the names have other values behind this one."""
        if self.is_given_up or self.count == _MOST_PASSES or is_stable(self.values, now):
            return False
        self.values, self.count = widened([(each,) for each in self.values], now), self.count + 1
        return True


def read(names: Sequence[Callable[[], Any]]) -> list[tuple[Any, ...]]:
    """The value of each name; an empty tuple for one that has none."""
    return list(map(_read, names))


def _read(name: Callable[[], Any]) -> tuple[Any, ...]:
    with suppress(NameError):
        return (name(),)
    return ()


def widened(before: Sequence[tuple[Any, ...]], now: Sequence[tuple[Any, ...]]) -> list[Any]:
    """What is known of each name that has one of two values, or had none before."""
    both = [(*first, *second) for first, second in zip(before, now, strict=True)]
    values = [joined(each) if each else UNKNOWN for each in both]
    open_graphs([each for each, value in zip(both, values, strict=True) if value is UNKNOWN])
    return values


def is_stable(values: Sequence[Any], now: Sequence[tuple[Any, ...]]) -> bool:
    """Whether each name has a value like that before the pass."""
    return all(_are_alike(value, new) for value, each in zip(values, now, strict=True) for new in each)


def _are_alike(value: Any, other: Any) -> bool:
    if value is other or value is UNKNOWN:
        return True
    if isinstance(value, tuple):
        is_same = type(other) is type(value) and len(other) == len(value)
        return is_same and all(map(_are_alike, value, other))
    if type(value) in _PLAIN:
        return type(other) is type(value) and bool(other == value)
    kind = _kind(joined((value, other)))
    return kind is not None and kind == _kind(value)


def _kind(value: Any) -> object:
    """What is equal for values of one type and shape; None for others."""
    if isinstance(value, Number):
        return Number
    if isinstance(value, UnknownFloat):
        return UnknownFloat, value.ends
    if isinstance(value, Shapeless):
        return Shapeless, value.dtype
    if isinstance(value, StandIn):
        return is_integer(value), value.is_array, value.shape, value.dtype, value.ends
    if isinstance(value, Unsized):
        return [(sample.ndim, sample.dtype, sizes) for sample, sizes in value.kinds()]
    return None


def any_item(tainted: Tainted, items: Any) -> Any:
    """What is known of all items of a loop, where these cannot be changed."""
    items = tainted.known(items)
    if isinstance(items, Many):
        return items.item if items.is_fixed else UNKNOWN
    if type(items) is range:
        return integer()
    if isinstance(items, np.ndarray) and items.ndim:
        found = ends(items)
        item = stand_in(items.shape[1:], items.dtype)
        return item if found is None else between(item, *found)
    return joined(items) if type(items) in (list, tuple) and 0 < len(items) <= _MOST else UNKNOWN


def forgotten(tainted: Tainted, forget: Callable[[], Any]) -> list[Any]:
    """The lists that are forgotten; what is known of all their items is kept until they are changed."""
    grown, lost = tainted.lists_lost_by(forget)
    for items, known in [*grown, *((items, _items_of(tainted, items)) for items in lost)]:
        tainted.grow(items, known)
    return [*lost, *(items for items, _ in grown)]


def _items_of(tainted: Tainted, items: Any) -> Any:
    """What is known of all items of a list, as a list of any number of them; None for an empty one."""
    return (many(list(map(tainted.known, items))) if len(items) <= _MOST else UNKNOWN) if items else None


def appended(tainted: Tainted, items: Any, item: Any) -> None:
    """Note that an item is appended to a list any number of times."""
    before = tainted.grown(items) if items in tainted else _items_of(tainted, items)
    new = many([tainted.known(item)])
    if isinstance(before, Many) and isinstance(new, Many):
        common = joined((before.item, new.item))
        new = UNKNOWN if common is UNKNOWN else Many(common)
    elif before is not None:
        new = UNKNOWN
    tainted.add((item,))  # which whoever has the list may change
    tainted.grow(items, new)
