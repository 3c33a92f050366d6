"""The items that a program takes, as far as they are known: of what it iterates over or unpacks."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import EnumType
from itertools import islice
from types import GeneratorType
from typing import Any, Final

import numpy as np

from typegrad.base.shape import Shape
from typegrad.dry_run.flow.branches import Branches
from typegrad.dry_run.functions.instead import elements_of, is_dataset
from typegrad.dry_run.known.ends import forget_ends
from typegrad.dry_run.known.open_shapes import OpenShape, is_open_graph
from typegrad.dry_run.known.unknown import UNKNOWN, is_unknown
from typegrad.dry_run.known.unsized import Many
from typegrad.graph.operand import Operand
from typegrad.graph.wrapper import Op

__all__ = ["Items"]

_ITEMS: Final = (
    list, tuple, dict, set, frozenset, str, range, collections.deque, np.ndarray, np.ndindex, GeneratorType,
)  # fmt: skip
_MOST: Final = 10_000
"""How many items are unpacked."""
_ITERATORS: Final = ("builtins", "itertools", "collections")


def _starred(items: Any) -> list[Any]:
    return [*items]


def _unpacked(value: Any) -> list[Any]:
    items: list[Any]
    (*items,) = value
    return items


def _mapped(value: Any) -> dict[Any, Any]:
    return {**value}


class Items(Branches):
    """What containers and iterators have."""

    def any_item(self, value: Any) -> Any:
        """One of any number of items that cannot be changed."""
        known = self.tainted.known(value)
        return known.item if isinstance(known, Many) and known.is_fixed else UNKNOWN

    def known_items(self, value: Any, take: Callable[[Any], Any] = iter) -> Iterable[Any] | None:
        """A value that may be iterated over; None if its items are not known. `take` refuses one that may not."""
        self.looked_at(value)
        self.take_from(value)
        if isinstance(value, np.ndarray) and value.ndim > 1:
            forget_ends(value)  # whose rows may be changed
        if isinstance(value, np.ndarray):
            value = self.tainted.known(value)
        if isinstance(value, OpenShape):
            return value.sizes()
        if is_unknown(value) or value in self.tainted or is_open_graph(value):
            return None
        if isinstance(value, (Operand, Op)):
            items = self.of_library(iter, (value,), {})  # refused, but for an operation with a list of outputs
            return None if items is UNKNOWN else items
        if is_dataset(value):
            return self.of_library(elements_of, (value,), {}) or None
        if isinstance(value, np.ndarray) and not value.ndim:
            self.failed(TypeError("a single number cannot be iterated over, or unpacked"))
        if isinstance(value, np.ndenumerate):
            return self._enumerated(value)
        if isinstance(value, zip):
            return self._zipped(value)
        if isinstance(value, EnumType):
            return list(value)
        self.check_iterable(value, take)
        kind, module = type(value), type(value).__module__.partition(".")[0]
        is_own = self.is_users_class(kind) or (module == "typegrad" and isinstance(value, (Sequence, Shape)))
        return value if is_own or isinstance(value, _ITEMS) or module in _ITERATORS else None

    def check_iterable(self, value: Any, take: Callable[[Any], Any] = _starred) -> None:
        """End the program if it takes items of a value whose class has none, as of a number or a function."""
        kind: Any = type(value)
        is_iterable = hasattr(kind, "__iter__") or hasattr(kind, "__getitem__")
        if is_iterable or value in self.tainted or not self.is_known_class(kind):
            return
        try:
            take(value)
        except TypeError as error:
            self.mistyped(error, ())

    def _enumerated(self, items: Any) -> Iterator[Any]:
        """The elements of an array with their indices, unknown if the array may have been changed."""
        array = items.iter.base
        for index in np.ndindex(array.shape):
            yield index, UNKNOWN if array in self.tainted else array[index]

    def _zipped(self, items: zip[Any]) -> Iterator[Any]:
        """The items of `zip`, whose arguments must be of one length if it is strict."""
        while True:
            try:
                item = next(items)
            except StopIteration:
                return
            except ValueError as error:
                if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                    self.failed(error)  # zip itself raised it, and not what makes its items
                raise
            yield item

    def unpack(self, value: Any, count: int, star: int) -> list[Any]:
        """The values of the names in a target."""
        is_one_by_one = star < 0 and isinstance(value, Iterator)  # Python asks for no more than one too many, either
        parts = self.listed(value, count + 1 if is_one_by_one else _MOST + 1, _unpacked)
        if parts is None:
            return [self.unsure()] * count
        least = count - (star >= 0)
        if len(parts) < least or (star < 0 and len(parts) > count):  # in the words of Python
            is_more = is_one_by_one and len(parts) > count
            given = "" if is_more else f", got {len(parts)}"
            amount = "too many" if len(parts) > count else "not enough"
            expected = f"{'at least ' * (star >= 0)}{least}{given}"
            return [self.refused(ValueError(f"{amount} values to unpack (expected {expected})"))] * count
        if star >= 0:
            end = len(parts) - (count - 1 - star)
            parts[star:end] = [parts[star:end]]
        return parts

    def listed(self, value: Any, most: int = _MOST + 1, take: Callable[[Any], Any] = iter) -> list[Any] | None:
        """The items of a value, or the first ones; None if they are not known, or too many."""
        items = self.known_items(value, take)
        result = None if items is None else list(islice(items, most))
        return None if result is None or len(result) > _MOST else result

    def starred(self, value: Any) -> list[Any] | None:
        """The items of `*value`; None if they are not known."""
        return self.listed(value, take=_starred)

    def is_known_mapping(self, value: Any) -> bool:
        """Whether the items of `**value` are known."""
        return self.known_items(value, _mapped) is not None
