"""Calls: what functions return that a program may call, and what is unknown instead."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import inspect
import itertools
import math
from collections.abc import Callable, ItemsView, Iterator, Mapping, ValuesView
from contextlib import ExitStack
from itertools import islice
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodDescriptorType, MethodType
from typing import Any, Final, NewType, reveal_type

import numpy as np

from typegrad.dry_run.building import TAKE_VALUES, Building
from typegrad.dry_run.computing.mapped import Vectorized, innermost, mapped
from typegrad.dry_run.computing.numpy_calls import is_numpy, numpy_result
from typegrad.dry_run.computing.operators import IN_PLACE
from typegrad.dry_run.functions.instead import (
    begun,
    is_concurrent,
    is_dataset,
    is_instead,
    is_opened,
    method_of_dataset,
)
from typegrad.dry_run.functions.library import (
    builds,
    import_module,
    is_harmless,
    is_moving,
    is_pure,
    is_refused,
    leave,
    printed,
    takes_unknown,
)
from typegrad.dry_run.functions.of_items import OTHER, of_items, taken, transposed
from typegrad.dry_run.known.arrays import RefusedError, StandIn, bare, hidden, integer, is_hidden, is_integer
from typegrad.dry_run.known.ends import one_of, refined
from typegrad.dry_run.known.open_shapes import OPEN_GRAPHS, OpenShape
from typegrad.dry_run.known.unknown import UNKNOWN, Base, UncertainError, Unknown, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Many, Unsized, is_number
from typegrad.dry_run.tracking.again import body_of, forget_changes
from typegrad.dry_run.tracking.core import NOWHERE
from typegrad.dry_run.tracking.memory import CACHED, CONTAINERS, work_of
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
from typegrad.op.core import Constant

__all__ = ["CHANGING_FIRST", "Calls"]

_TAKE_NUMBERS: Final = (*TAKE_VALUES, getattr(Constant.create, "__func__", Constant.create))
"""The functions that make an operand of numbers of Python."""
_ASYNCHRONOUS: Final = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
CHANGING_FIRST: Final = frozenset((
    "delattr", "delitem", "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "iadd", "iconcat", "insort",
    "insort_left", "insort_right", "ior", "setattr", "setitem", "shuffle",
))  # fmt: skip
"""The functions that change their first argument."""
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


class Calls(Building):
    """What calls return."""

    def call(self, place: int, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a call returns."""
        self.step()
        if self.is_trial:
            return self._tried(function, args, kwargs)
        while isinstance(function, functools.partial):
            args, kwargs, function = (*function.args, *args), {**function.keywords, **kwargs}, function.func
        muted, is_known, open_ones = self.muted, False, self.open_ones
        work = [part for each in args for part in work_of(each)]
        try:
            result = self._called(function, args, kwargs)
            is_known = result is not UNKNOWN and self.open_ones == open_ones
            if isinstance(result, Iterator):
                self.made_iterator(result)
        except UncertainError:
            is_own_code = self.is_users(function) or (is_pure(function) and function is not setattr)
            forget = self.tainted.add_moved if is_own_code else self.tainted.add
            forget((function, args, kwargs, work))
            result = UNKNOWN
        except Exception:  # whatever a program raises
            is_known = True
            raise
        finally:
            self.muted = muted
            if not self.any_passes:
                (self.done if is_known and not muted else self.open).add(place)
        if result is UNKNOWN:  # what it calls may have been called any number of times
            self.tainted.add([each for each in (*args, *kwargs.values()) if callable(each)])
            return self.unsure(place)
        self._declare_made(place, function, result)
        return self.noted(place, result)

    def _tried(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call would return that may not be made."""
        if not is_harmless(function, args, kwargs):
            raise UncertainError
        return self._called(function, args, kwargs)

    def _declare_made(self, place: int, function: Any, result: Any) -> None:
        """Note the fields of a new object, and the operand that is made of a number."""
        if isinstance(function, type):
            if self.is_certain and type(result) is function and result not in self.tainted:
                self.declared.note_fields(result, self._lines)
        elif isinstance(function, FunctionType) and function in _TAKE_NUMBERS and place != NOWHERE:
            self.declare("call", function.__qualname__, place, result)

    def spread_call(self, place: int, function: Any, *items: tuple[str, Any]) -> Any:
        """What a call with `*args` or `**kwargs` returns."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for kind, value in items:
            if function is zip and kind == "*" and len(items) == 1 and isinstance(value, Many):
                return self.noted(place, self.made_iterator(transposed(self.tainted.known(value))))
            if kind in ("*", "**") and (is_unknown(value) or value in self.tainted or isinstance(value, Operand)):
                self.tainted.add([function, *(each for _, each in items)])
                return self.noted(place, UNKNOWN)
            self.take_from(value)
            if kind == "*":
                args += value
            elif kind == "**":
                kwargs |= value
            elif kind:
                kwargs[kind] = value
            else:
                args.append(value)
        return self.call(place, function, *args, **kwargs)

    def _called(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call results in, by whose function it is: the program's, typegrad's, NumPy's or Python's."""
        if isinstance(function, OpenShape) or not (callable(function) or self.is_users_class(type(function))):
            return self._uncallable(function)
        if is_unknown(function) or (isinstance(function, Base) and not callable(function)):
            return self._unfollowed((function, *args), kwargs)
        owner = getattr(function, "__self__", None)
        if self.is_users(function):
            return self._of_program(function, args, kwargs)
        self.take_from(owner, *args, *kwargs.values())
        if isinstance(owner, GeneratorType):
            if self.muted or owner in self.tainted:
                self.tainted.add_moved((owner, args))
                return UNKNOWN
            return self._of_program(function, args, kwargs)
        is_plain = isinstance(function, (BuiltinFunctionType, FunctionType, type))
        about = _ABOUT_OBJECTS.get(function) if is_plain else None
        if about is not None and len(args) == about[0]:
            return about[1](self, *args)
        if function is setattr and len(args) == 3:
            if isinstance(args[1], str):
                self.store_attribute(*args)
                return None
            self.forget_module(args[0])
        if function is reveal_type and len(args) == 1:  # which would print
            return args[0]
        if self.appended(function, owner, args, kwargs):
            return None
        given, args, kwargs = (args, kwargs), self.tainted.known(args), self.tainted.known(kwargs)
        if is_concurrent(function):
            self.tainted.add_moved([work_of(each) for each in begun(function, args)])
            asking = [functools.partial(self.call, NOWHERE, each) if callable(each) else each for each in args[:1]]
            return self.of_library(function, (*asking, *args[1:]), kwargs)
        if isinstance(function, Vectorized) or isinstance(owner, OpenShape):
            return function(*args, **kwargs)
        if is_instead(function):
            result = self._of_run(function, args, kwargs)
            if isinstance(function, type) and hasattr(function, "on_trial"):
                self.sessions.append(result)
            return result if is_opened(function) or not self.tries else self.unsure()  # it may fail in the run
        if isinstance(function, MethodDescriptorType) and args and isinstance(args[0], (np.ndarray, Unsized)):
            owner, args = args[0], args[1:]
            function = getattr(owner, function.__name__)
        if owner not in self.tainted:
            if builds(function):
                made = self.built(function, args, kwargs)
                return method_of_dataset(self, function, made, args, kwargs) if is_dataset(owner) else made
            if is_numpy(function):
                sizes = tuple(each.as_ints() if isinstance(each, OpenShape) else each for each in args)
                return self._of_numpy(function, sizes, kwargs)
            if is_pure(function) and not is_refused(function, args, kwargs):
                result = self._pure(function, args, kwargs)
                return refined(result, function, args, kwargs)
        return self._unfollowed(*given)

    def _uncallable(self, value: Any) -> Any:
        """End the program, which calls a value, in Python's words."""
        kind = type(value.shape) if isinstance(value, OpenShape) else self.type_of(value)
        name = f"{kind.__module__}.{kind.__name__}" if kind.__module__ == np.__name__ else kind.__name__
        return self.mistyped(TypeError(f"{name!r} object is not callable"), ())

    def _unfollowed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call results in of which it is not known what it does."""
        self.guesses += 1
        self.tainted.add((args, kwargs))
        for each in (*args, *kwargs.values()):
            self.forget_module(each)
        return UNKNOWN

    def awaited(self, value: Any) -> Any:
        """What a program gets that waits for an asynchronous function."""
        from typegrad.dry_run.functions.concurrency import outcome

        muted, result = self.muted, UNKNOWN
        try:
            result = self.of_library(outcome, (value,), {})
        except UncertainError:
            pass
        finally:
            self.muted = muted
        if result is UNKNOWN:
            self.tainted.add(value)
            return self.unsure()
        return result

    def _of_run(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a run returns. The functions that it is given may be called any number of times."""
        given = [each for each in (*args, *kwargs.values()) if callable(each)]
        before, self.changes = self.changes, []
        try:
            result = self.of_library(function, args, kwargs)
        finally:
            changes, self.changes = self.changes, before
        if result is UNKNOWN:
            self.tainted.add(given)
        else:
            forget_changes(self, given, changes)
        return result

    def _of_program(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of the program returns; of one that waits for others, nothing is known."""
        plain = getattr(function, "__func__", function)
        if isinstance(plain, CACHED) and self.tainted.undo is not None:  # what it remembers may be of another state
            plain = plain.__wrapped__
            function = MethodType(plain, function.__self__) if isinstance(function, MethodType) else plain
        if isinstance(plain, FunctionType):
            self.rewrite(plain)
        code = getattr(body_of(self, plain), "__code__", None)
        if code is not None and code.co_flags & _ASYNCHRONOUS:
            self.tainted.add((function, args, kwargs))
            return UNKNOWN
        if isinstance(plain, FunctionType) and self.has_state(plain):
            return self._unfollowed(args, kwargs)
        if self.program_state.catches and _is_in_manager(plain):
            return self._unfollowed((function, *args), kwargs)
        self.called.add(code)
        self.changed(body_of(self, function))
        try:
            return self.of_library(function, args, kwargs) if _is_wrapped(plain) else function(*args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                self.failed(error)  # the arguments do not fit the function
            raise

    def _of_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of NumPy returns; unknown, if it calls functions of the program on values."""
        owner = getattr(function, "__self__", None)
        given = [each for each in (*args, *kwargs.values()) if not isinstance(each, tuple)]
        if any(self.is_users(innermost(each)) for each in given):
            return mapped(self, function, args, kwargs)
        self.changed([owner, *args, kwargs.get("out")])
        if isinstance(owner, (np.ndarray, Unsized)) and function.__name__ == "resize":
            self.tainted.lose_shape(owner)
            return None
        result = self.of_numpy(function, args, kwargs)
        if is_unknown(result) or is_hidden(result) or result is None:
            changed = [owner, *args[:1], kwargs.get("out")]
            if isinstance(function, np.ufunc):
                changed = [*args[function.nin :], kwargs.get("out")]
            self.tainted.add([each for each in changed if isinstance(each, (np.ndarray, tuple))])
        if getattr(function, "__name__", "") == "shuffle" and args:
            self.tainted.lose(args[0])
        return result

    def of_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of NumPy returns. One of arrays of unknown size, or for one, may fail: `try` catches that."""
        is_open = has_unknown((args, kwargs)) or is_unknown(getattr(function, "__self__", None))
        if is_open and (self.tries or self.is_trial):
            return self.unsure()
        if has_unknown((args, kwargs), is_number):
            return self.of_either(self.of_numpy, function, args, kwargs)
        result = self.of_arrays(numpy_result, (function, args, kwargs))
        return self.unsure() if self.tries and is_unknown(result) else result

    def of_arrays(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """What a function returns whose errors are about arrays."""
        try:
            return self.of_values(function, args, {})
        except Exception as error:
            self.error_of_arrays = error
            raise

    def repeated(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function returns at first that a library calls any number of times."""
        before, self.changes = self.changes, []
        try:
            return self.call(NOWHERE, function, *args, **kwargs)
        finally:
            changes, self.changes = self.changes, before
            forget_changes(self, [function], changes)

    def _pure(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a function of Python's library returns."""
        owner: Any = getattr(function, "__self__", None)
        self.changed(args[:1] if getattr(function, "__name__", "") in CHANGING_FIRST else owner)
        if function is printed:
            return printed(*(each for each in args if self.is_users_class(type(each))))
        if isinstance(owner, ExitStack) and len(args) == 1:
            args = (self.manager(args[0], ""),)
        if function in _CONVERTING and len(args) == 1 and isinstance(args[0], _OPEN) and not self.tries:
            return UnknownFloat(1) if function is float else integer()
        if function is abs and len(args) == 1 and isinstance(args[0], Unsized):
            return self.of_numpy(np.absolute, args, {})
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
        if function in _COUNTING and any(map(is_integer, (*args, *kwargs.values()))):
            self.tainted.add(args)
            return UNKNOWN
        if any(function is each for each in _COMPARED) and len(args) == 1 and "key" in kwargs:
            return self._by_key(function, args[0], kwargs)
        if function in _MAPPING and args and builds(innermost(args[0])):
            args = (functools.partial(self.call, NOWHERE, args[0]), *args[1:])
        if function not in _LAZY:
            args = tuple(_bounded(each) if self._may_be_endless(each) else each for each in args)
        if not (is_moving(function, owner) or (function in _MAPPING and args and self.is_users(innermost(args[0])))):
            args = tuple(self._looked_into(each) for each in args)
        if takes_unknown(function) or not has_unknown((args, kwargs), is_hidden):
            result = self.of_library(function, args, kwargs)
            if function in _ENDLESS:
                return _bounded(result)
            if isinstance(result, type) and issubclass(result, tuple):  # a named one, whose module is the caller's
                result.__module__ = "collections"
            elif isinstance(result, NewType):
                result.__module__ = next(self._frames()).f_globals["__name__"]
            return result
        return self._of_numbers(function, args, kwargs)

    def _looked_into(self, value: Any) -> Any:
        """An argument whose items a function looks into: nothing is known of those that may have been changed."""
        if isinstance(value, _VIEWS):
            return [*map(self.tainted.known, value)]
        return map(self.tainted.known, value) if self._may_be_endless(value) else value

    def _may_be_endless(self, value: object) -> bool:
        """Whether it is an iterator that asks the machine for none of its items."""
        return isinstance(value, Iterator) and not self.is_users_class(type(value))

    def _is_open(self, function: Any, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether nothing is known of what a function of Python's library returns; what it may change is forgotten."""
        if function is leave:
            return False
        if function in _DEEP and self.tainted.is_in(args):
            return True
        is_method, name = isinstance(owner, CONTAINERS), getattr(function, "__name__", "")
        if is_method and (self.muted or (name == "extend" and len(owner) > _MOST)):
            self.tainted.lose(owner)
            return True
        if function is next and self.muted:
            self.tainted.add_moved(args[0])
            return True
        if name in _WRITING and args and isinstance(args[0], StandIn):
            self.tainted.lose(args[0])
            return True
        if name in CHANGING_FIRST and (self.muted or has_unknown(args[:-1])):
            self.tainted.lose(args[0])
            return True
        if function is len and isinstance(args[0], Graph) and args[0] in OPEN_GRAPHS:
            return True
        if any(map(is_dataset, args)) or (name in _COMPARING and has_unknown((owner, args))):
            return True
        if not is_method and any(is_unknown(each) for each in (*args, *kwargs.values())):
            return True
        return not takes_unknown(function) and has_unknown((args, kwargs))

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


def _are_numbers(items: object) -> bool:
    """Whether a list has numbers of one type alone, whose values are not known."""
    if not isinstance(items, list):
        return False
    return all(map(is_integer, items)) or all(isinstance(each, UnknownFloat) for each in items)


def _is_wrapped(function: object) -> bool:
    """Whether a function of the program is one that typegrad's `custom_gradient` made."""
    return isinstance(function, FunctionType) and function.__globals__["__name__"].startswith("typegrad.")


def _is_in_manager(function: object) -> bool:
    """Whether a function of the program is run in a context manager, which is its decorator."""
    return (
        isinstance(function, FunctionType) and function.__module__ != function.__globals__["__name__"] == "contextlib"
    )


def _bounded(items: Iterator[Any]) -> Iterator[Any]:
    """Items that may have no end, up to a number that no program needs to build a graph."""
    yield from islice(items, _MOST)
    if next(items, _END) is not _END:
        raise UncertainError


_ABOUT_OBJECTS: Final[Mapping[Any, tuple[int, Callable[..., Any]]]] = {
    getattr: (2, Calls.attribute),
    hasattr: (2, Calls.has_attribute),
    import_module: (1, Calls.import_module),
    isinstance: (2, Calls.is_instance),
    np.isscalar: (1, Calls.is_scalar),
    type: (1, Calls.class_of),
    vars: (1, Calls.namespace),
}
"""Functions about objects that know more of them than a dry run, by the number of their arguments."""
