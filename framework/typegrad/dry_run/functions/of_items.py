"""What Python's functions return of items of which not all is known: any number of them, or one with an unknown key."""

from __future__ import annotations

import collections
import itertools
import operator
import random
from collections.abc import Callable, Mapping, Sequence
from types import GeneratorType
from typing import Any, Final, Protocol

from typegrad.dry_run.computing.numpy_calls import numpy_result
from typegrad.dry_run.functions.draws import Random
from typegrad.dry_run.functions.instead import first_of, is_dataset
from typegrad.dry_run.known.arrays import integer, is_hidden, is_integer, is_without_value
from typegrad.dry_run.known.ends import between
from typegrad.dry_run.known.unknown import UNKNOWN, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Many, Unsized
from typegrad.dry_run.tracking.memory import Tainted

__all__ = ["KEYED", "OTHER", "is_expression", "of_items", "shuffle", "taken", "transposed", "values_of"]

OTHER: Final = object()
"""What is returned for calls of other functions."""
_MOST: Final = 1000
"""Of how many items it is looked at what they have in common."""
KEYED: Final = (dict, collections.Counter, collections.OrderedDict)
"""The classes whose objects an unknown key does not change."""
_LISTS: Final = (list, tuple, collections.deque)
_GATHERING: Final = (list, max, min, sorted, sum, tuple)
"""What takes all items of a generator, and calls nothing for them."""
_LAZY: Final = (enumerate, iter, itertools.islice, list, tuple, zip)
"""What takes items one by one."""


class _Machine(Protocol):
    """What knows the objects that a program may have changed."""

    muted: int

    @property
    def tainted(self) -> Tainted:
        """These objects."""

    def joined(self, values: Sequence[Any]) -> Any:
        """What is known of one of some values."""

    def of_library(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function returns that may refuse its arguments."""

    def gathered(self, items: Any) -> Any:
        """A list of the items of a generator expression."""


def of_items(machine: _Machine, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function returns of lists of any number of items, or a method of a dict for an unknown key."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    is_keyed = type(owner) in KEYED and name in _OF_KEY and len(args) > 0 and not kwargs
    if is_keyed and (is_unknown(args[0]) or is_hidden(args[0])):
        return _OF_KEY[name](machine, owner, *args[1:])
    if isinstance(owner, Random) and name in _OF_DRAWS and args:
        return _OF_DRAWS[name](machine, *args, **kwargs)
    rule = next((rule for each, rule in _RULES if each is function), None)
    args = args if rule is None else [_as_list(each) for each in args]
    is_open = any(isinstance(each, Many) and each.is_fixed for each in args)
    return OTHER if rule is None or not is_open else rule(machine, *args, **kwargs)


def _as_list(value: Any) -> Any:
    """The list that an array of unknown size is where its items are taken."""
    if not isinstance(value, Unsized) or not all(sample.ndim for sample, _ in value.kinds()):
        return value
    item = numpy_result(operator.getitem, (value, 0), {})
    return value if item is UNKNOWN else Many(item)


def taken(machine: _Machine, function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a function: a list for a generator expression, and the first elements of a data set."""
    if args and is_expression(args[0]) and any(function is each for each in _GATHERING):
        return (machine.gathered(args[0]), *args[1:])
    if any(function is each for each in _LAZY):
        return tuple(first_of(machine, each) if is_dataset(each) else each for each in args)
    return args


def is_expression(value: object) -> bool:
    """Whether a value is a generator expression, none of whose items may be taken yet."""
    return isinstance(value, GeneratorType) and value.gi_code.co_name == "<genexpr>" and value.gi_frame is not None


def values_of(container: Any) -> Sequence[Any]:
    """The values that an item may be; none if these are too many, or not known."""
    kind = type(container)
    if kind in KEYED:
        missing = [0] if kind is collections.Counter else []
        values = [*container.values(), *missing]
    else:
        values = list(container) if kind in _LISTS else []
    return values if len(values) <= _MOST else []


def transposed(rows: Any) -> Any:
    """What `zip(*rows)` returns for any number of tuples: the columns."""
    is_known = isinstance(rows, Many) and rows.is_fixed and isinstance(rows.item, tuple)
    return iter([Many(each) for each in rows.item]) if is_known else UNKNOWN


def _item_of(machine: _Machine, items: Any) -> Any:
    """One of some items. Where it is an object, whoever has it may change that."""
    if isinstance(items, Many) and items.is_fixed:
        return items.item
    if type(items) is range:
        return between(integer(), min(items[0], items[-1]), max(items[0], items[-1])) if items else UNKNOWN
    values = values_of(items) if type(items) in _LISTS else ()
    if not values and type(items) is list and set(map(type, items)) == {int}:
        return integer()
    result = machine.joined(values) if values else UNKNOWN
    if result is UNKNOWN:
        machine.tainted.add(values or items)
    return result


# Methods of dicts, for an unknown key


def _get(machine: _Machine, owner: Any, *default: Any) -> Any:
    values = [*owner.values(), *(default or [None])]
    result = machine.joined(values) if len(values) <= _MOST else UNKNOWN
    if result is UNKNOWN:  # an object, which whoever has it may change
        machine.tainted.add(values)
    return result


def _set_default(machine: _Machine, owner: Any, *default: Any) -> Any:
    machine.tainted.lose(owner)
    return _get(machine, owner, *default)


def _pop(machine: _Machine, owner: Any, *default: Any) -> Any:
    machine.tainted.lose(owner)
    return _get(machine, owner, *default) if default else UNKNOWN


_OF_KEY: Final[Mapping[str, Callable[..., Any]]] = {"get": _get, "pop": _pop, "setdefault": _set_default}


# Functions of lists of any number of items


def _same(machine: _Machine, items: Any, **options: Any) -> Any:
    """Such a list, of the same items."""
    machine.tainted.add([*options.values()])
    return Many(items.item)


def _sum(machine: _Machine, items: Any, start: Any = 0) -> Any:
    is_number = isinstance(start, (int, float)) and (is_integer(items.item) or isinstance(items.item, UnknownFloat))
    return machine.joined([start, items.item + start]) if is_number else UNKNOWN


def _largest(machine: _Machine, items: Any, *others: Any, **options: Any) -> Any:
    if others:
        return UNKNOWN
    machine.tainted.add(options.pop("key", None))
    return machine.joined([items.item, *options.values()])


def _numbered(machine: _Machine, items: Any, start: Any = 0) -> Any:
    del machine, start
    return Many((integer(), items.item))


def _zipped(machine: _Machine, *lists: Any, strict: Any = False) -> Any:
    del strict
    return Many(tuple(_item_of(machine, each) for each in lists))


def _sums(machine: _Machine, items: Any, *function: Any, **options: Any) -> Any:
    """The sums of the first items: of numbers and arrays, these are like the items."""
    machine.tainted.add([*function, *options.values()])
    is_alike = is_hidden(items.item) and not (function or options)
    return Many(items.item) if is_alike else UNKNOWN


def _chained(machine: _Machine, *lists: Any) -> Any:
    items = [_item_of(machine, each) for each in lists]
    item = machine.joined(items)
    return UNKNOWN if item is UNKNOWN else Many(item)


def _sliced(machine: _Machine, items: Any, *bounds: Any) -> Any:
    del machine, bounds
    return Many(items.item)


def _paired(machine: _Machine, items: Any) -> Any:
    del machine
    return Many((items.item, items.item))


_RULES: Final[Sequence[tuple[Any, Callable[..., Any]]]] = (
    *((each, _same) for each in (list, reversed, sorted, tuple)),
    *((max, _largest), (min, _largest), (sum, _sum), (enumerate, _numbered), (zip, _zipped)),
    *((itertools.accumulate, _sums), (itertools.chain, _chained), (itertools.islice, _sliced)),
    (itertools.pairwise, _paired),
)


# Random items


def _choice(machine: _Machine, seq: Any) -> Any:
    return _item_of(machine, seq)


def _sample(machine: _Machine, population: Any, k: Any = 1, **options: Any) -> Any:
    is_known = type(k) is int and type(population) in (*_LISTS, range) and not options
    if is_known and not 0 <= k <= len(population):
        return machine.of_library(random.sample, ((), k), {})  # which is refused in the same words
    return _drawn(machine, population, k)


def _drawn(machine: _Machine, population: Any, k: Any) -> Any:
    item = _item_of(machine, population)
    return [item] * k if type(k) is int and k <= _MOST else UNKNOWN if item is UNKNOWN else Many(item)


def _choices(machine: _Machine, population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1) -> Any:
    """Some of the items whose weight is not 0."""
    if cum_weights is not None and not has_unknown(cum_weights, is_without_value):
        weights = [each - before for each, before in zip(cum_weights, [0, *cum_weights], strict=False)]
    if weights is not None and not has_unknown(weights, is_without_value) and type(population) in _LISTS:
        population = [each for each, weight in zip(population, weights, strict=False) if weight]
    return _drawn(machine, population, k)


def shuffle(machine: _Machine, x: Any) -> None:
    """Forget which item is where."""
    item = _item_of(machine, x)
    if item is UNKNOWN or machine.muted or type(x) is not list:
        machine.tainted.lose(x)
    else:
        x[:] = [item] * len(x)


_OF_DRAWS: Final[Mapping[str, Callable[..., Any]]] = {
    "choice": _choice, "choices": _choices, "sample": _sample, "shuffle": shuffle,
}  # fmt: skip
