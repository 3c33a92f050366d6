"""What functions of Python's library return: what is known of it where not all is known of their arguments."""

from __future__ import annotations

import collections
import copy
import dataclasses
import itertools
import math
from collections.abc import ItemsView, Iterator, ValuesView
from contextlib import ExitStack
from functools import partial
from itertools import islice
from typing import Any, Final, NewType

import numpy as np

from typegrad.dry_run.computing.formats import error_of_fields
from typegrad.dry_run.computing.mapped import innermost
from typegrad.dry_run.computing.operators import IN_PLACE
from typegrad.dry_run.functions.instead import is_dataset
from typegrad.dry_run.functions.library import builds, evaluated, is_moving, leave, printed, takes_unknown
from typegrad.dry_run.functions.of_items import OTHER, of_items, taken
from typegrad.dry_run.known.arrays import RefusedError, StandIn, bare, hidden, integer, is_hidden, is_integer
from typegrad.dry_run.known.ends import one_of
from typegrad.dry_run.known.open_shapes import is_open_graph
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, Unknown, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Many, Unsized
from typegrad.dry_run.of_numpy import OfNumpy
from typegrad.dry_run.source.state import CHANGING, CHANGING_FIRST
from typegrad.dry_run.tracking.core import NOWHERE
from typegrad.dry_run.tracking.memory import CONTAINERS

__all__ = ["OfPython", "changes_first"]

_CHANGING_FIRST: Final = CHANGING_FIRST | {
    "__setattr__",
    "delattr",
    "delitem",
    "iadd",
    "iconcat",
    "ior",
    "setattr",
    "setitem",
}
_WRITING: Final = frozenset((*(each.__name__ for each in IN_PLACE.values()), "memoryview"))
"""The functions by which an array of unknown values may be written into."""
_COMPARING: Final = frozenset(("index", "count", "remove"))
_OF_SEQUENCES: Final = ("dist", "fsum", "prod", "sumprod")
_OF_MATH: Final = (each for name, each in vars(math).items() if callable(each) and name not in _OF_SEQUENCES)
_OF_NUMBERS: Final = [complex, float, int, round, *_OF_MATH]
_LAZY: Final = (enumerate, filter, iter, len, map, next, zip)
"""What takes items one by one, or none."""
_MAPPING: Final = (filter, itertools.starmap, map)
"""What calls a function when somebody asks for an item."""
_ENDLESS: Final = (itertools.count, itertools.cycle, itertools.product)
"""What makes more items than any program needs."""
_CONVERTING: Final = (float, int, len)
"""What returns a number of one type, or raises an error."""
_COMPARED: Final = (max, min, sorted)
"""What may take a function whose results it compares."""
_DEEP: Final = (copy.deepcopy, dataclasses.asdict, dataclasses.astuple)
"""What copies all that is in an object."""
_VIEWS: Final = (ItemsView, ValuesView)
"""What yields the items of a dict."""
_OPEN: Final = (Unknown, UnknownFloat)
_COUNTING: Final = (
    collections.deque, itertools.combinations, itertools.combinations_with_replacement, itertools.islice,
    itertools.permutations, itertools.product,
)  # fmt: skip
"""What takes a number, besides unknown items."""
_MOST: Final = 100_000
_END: Final = object()


class OfPython(OfNumpy):
    """What calls of functions of Python's library return."""

    def of_python(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call returns; if nothing is known of it, what it may change is forgotten."""
        owner: Any = getattr(function, "__self__", None)
        self.changed(args[:1] if changes_first(function) else owner)
        if function is printed:
            self._print(args)
            return None
        if isinstance(owner, str) and function == owner.format and (error := error_of_fields(owner, args, kwargs)):
            self.mistyped(error, ())
        if isinstance(owner, ExitStack) and len(args) == 1:
            args = (self.guarded(args[0], ""),)
        known = self._of_unknown(function, args)
        if known is not OTHER:
            return known
        args = taken(self, function, args)
        known = of_items(self, function, args, kwargs)
        if known is not OTHER:
            return known
        self.given_away(*args)
        if type(owner).__module__ == "argparse":
            from typegrad.dry_run.functions.command_line import called

            return called(self, function, args, kwargs)
        if function is range and not self.tries and any(each is UNKNOWN for each in args):
            return Many(integer())
        if self._is_open(function, owner, args, kwargs):
            return UNKNOWN
        if any(function is each for each in _COMPARED) and len(args) == 1 and "key" in kwargs:
            return self._by_key(function, args[0], kwargs)
        args = self._limited(function, args)
        if not (is_moving(function, owner) or (function in _MAPPING and args and self.is_users(innermost(args[0])))):
            args = tuple(self._looked_into(each, is_lazy=function in _LAZY) for each in args)
        if takes_unknown(function) or not has_unknown((args, kwargs), is_hidden):
            return self._called_as_it_is(function, args, kwargs)
        return self._of_numbers(function, args, kwargs)

    def _print(self, values: tuple[Any, ...]) -> None:
        """Ask the program's objects for their texts, also those in lists and the like."""
        for each in values:
            if self.is_users_class(type(each)):
                str(each)
            elif has_unknown(each, _is_of_many):
                self._forget_asked((each,))
            else:
                for part in self.objects_in(each):
                    repr(part)

    def _of_unknown(self, function: Any, args: tuple[Any, ...]) -> Any:
        """What a function returns of a single value of which not all is known; `OTHER` for other calls."""
        if len(args) != 1:
            return OTHER
        if function in _CONVERTING and isinstance(args[0], _OPEN) and not self.tries:
            return UnknownFloat(1) if function is float else integer()
        if function is abs and isinstance(args[0], Unsized):
            return self.of_numpy(np.absolute, args, {})
        return OTHER

    def _is_open(self, function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether nothing is known of what a function of Python's library returns; what it may change is forgotten."""
        if function is leave or function is evaluated:
            return False
        if function in _DEEP and self.tainted.is_in(args):
            return True
        is_method, name = isinstance(owner, CONTAINERS), getattr(function, "__name__", "")
        if is_method and ((self.muted and name in CHANGING) or (name == "extend" and len(owner) > _MOST)):
            self.tainted.lose(owner)
            return True
        if function is next and self.muted:
            self.tainted.add_moved(args[0])
            return True
        if name in _WRITING and args and isinstance(args[0], StandIn):
            self.tainted.lose(args[0])
            return True
        if changes_first(function) and (self.muted or has_unknown(args[:-1])):
            self.tainted.lose(args[0])
            return True
        if any(map(is_open_graph, args)):
            return True
        is_of_dataset = any(map(is_dataset, args)) and not (function is next and is_dataset(args[0]))
        if is_of_dataset or (name in _COMPARING and has_unknown((owner, args))):
            return True
        if not is_method and any(is_unknown(each) for each in (*args, *kwargs.values())):
            return True
        if not takes_unknown(function) and has_unknown((args, kwargs)):
            return True
        if function in _COUNTING and any(map(is_integer, (*args, *kwargs.values()))):
            self.tainted.add(args)
            return True
        return False

    def _limited(self, function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Arguments by which a function makes items as a call does, and none without an end."""
        if function in _MAPPING and args and builds(innermost(args[0])):
            args = (partial(self.call, NOWHERE, args[0]), *args[1:])
        if function in _LAZY:
            return args
        return tuple(_bounded(each) if self._may_be_endless(each) else each for each in args)

    def _looked_into(self, value: Any, *, is_lazy: bool) -> Any:
        """An argument whose items a function looks into: nothing is known of those that may have been changed."""
        if isinstance(value, _VIEWS) and is_lazy:
            return map(self.tainted.known, value)
        if isinstance(value, _VIEWS):
            return [*map(self.tainted.known, value)]
        return map(self.tainted.known, value) if self._may_be_endless(value) else value

    def _may_be_endless(self, value: object) -> bool:
        """Whether it is an iterator that asks the machine for none of its items."""
        return isinstance(value, Iterator) and not self.is_users_class(type(value))

    def _called_as_it_is(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns that is called as it is. A class that it makes is of the module that asks for it."""
        result = self.of_library(function, args, kwargs)
        if function in _ENDLESS:
            return _bounded(result)
        is_named_tuple = isinstance(result, type) and issubclass(result, tuple)
        if is_named_tuple or isinstance(result, NewType):
            result.__module__ = next(self._frames()).f_globals["__name__"]
        return result

    def _of_numbers(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function returns of numbers and arrays without values; its errors may be about the values."""
        if function is range and all(isinstance(bare(each), (int, np.integer)) for each in args):
            return Many(integer())
        try:
            if any(function is each for each in _OF_NUMBERS):
                for each in args:
                    if isinstance(each, StandIn) and each.ndim:
                        round(each) if function is round else each.refuse_as_number()
                if function in (float, int) and isinstance(args[0], StandIn):
                    return integer() if function is int else UnknownFloat(1)
                return hidden(function(*bare(args), **bare(kwargs)))
            if function is sorted and "key" not in kwargs and _are_numbers(args[0]):
                return [one_of(args[0]) for _ in args[0]]  # whatever their order is
            result = function(*args, **kwargs)
            return hidden(result) if type(result) in (float, int, str) else result
        except UncertainError:
            if function not in (max, min) or kwargs:
                raise
            parts = self.listed(args if len(args) > 1 else args[0])
            return self.joined(parts) if parts else UNKNOWN
        except RefusedError as error:
            return self.failed(error)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return UNKNOWN

    def _by_key(self, function: Any, items: Any, kwargs: dict[str, Any]) -> Any:
        """What is chosen or sorted by the results of a function, which may be unknown."""
        parts = self.listed(items)
        if parts is None:
            return UNKNOWN
        try:
            return self.of_library(function, (parts,), kwargs)
        except UncertainError:
            one = self.joined(parts)
            self.tainted.add((kwargs["key"], parts if one is UNKNOWN else ()))
            return [one] * len(parts) if function is sorted else one


def changes_first(function: Any) -> bool:
    """Whether a function of Python or NumPy changes its first argument."""
    return getattr(function, "__name__", "") in _CHANGING_FIRST


def _is_of_many(value: object) -> bool:
    return isinstance(value, Many)


def _are_numbers(items: object) -> bool:
    """Whether a list has numbers of one type alone, whose values are not known."""
    if not isinstance(items, list):
        return False
    return all(map(is_integer, items)) or all(isinstance(each, UnknownFloat) for each in items)


def _bounded(items: Iterator[Any]) -> Iterator[Any]:
    """Items that may have no end, up to a number that no program needs to build a graph."""
    yield from islice(items, _MOST)
    if next(items, _END) is not _END:
        raise UncertainError
