"""Branches, and what may catch errors, as far as their conditions are known."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from types import TracebackType
from typing import Any, Final

import attrs
import numpy as np

from typegrad.base.errors import GraphError, TypegradError
from typegrad.dry_run.known.arrays import StandIn, bare, integer, is_hidden
from typegrad.dry_run.known.ends import refined
from typegrad.dry_run.known.joins import joined
from typegrad.dry_run.known.unknown import UNKNOWN, Base, UncertainError, Unknown, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Unsized, of_kind
from typegrad.dry_run.tracking.additions import open_graphs
from typegrad.dry_run.tracking.core import Core, SkipError
from typegrad.graph.graph import Graph
from typegrad.graph.scope import Scope

__all__ = ["Branches"]

_CATCH_NOTHING: Final = frozenset((
    "GzipFile", "NamedTemporaryFile", "Pool", "ProcessPoolExecutor", "TarFile", "TemporaryDirectory", "TemporaryFile",
    "ThreadPoolExecutor", "ZipFile", "catch_warnings", "chdir", "closing", "load", "open", "redirect_stderr",
    "redirect_stdout", "tqdm", "trace", "urlopen",
))  # fmt: skip
"""The context managers, by name, that let errors pass."""
_PLAIN: Final = (bool, float, int, str, UnknownFloat, StandIn, type(None))
_IN_PLACE: Final = "typegrad.dry_run."
"""How the modules begin of the classes that are in the place of others."""


class Branches(Core):
    """Which branches run, and what is known of values that depend on it."""

    # Conditions

    def condition(self, value: Any) -> Any:
        """Whether a value is true; `UNKNOWN` if that is not known."""
        if isinstance(value, (Unknown, UnknownFloat)) or value in self.tainted:
            self.guesses += 1
            return self.unsure() if isinstance(value, Unsized) else UNKNOWN  # a single element alone has a truth
        try:
            return bool(value)
        except (TypegradError, TypeError, ValueError) as error:
            return self.mistyped(error, value)
        except UncertainError:
            truth = refined(UNKNOWN, operator.ne, (value, 0))
            self.guesses += truth is UNKNOWN
            return truth

    def certain(self, value: Any) -> Any:
        """A value that must be known."""
        if not self.knows(value):
            raise UncertainError
        return value

    def knows(self, value: Any) -> bool:
        """Whether all of a value is known."""
        is_known = not has_unknown(self.tainted.known(value), _is_open)
        self.guesses += not is_known
        return is_known

    def assure(self, test: Any) -> None:
        """`assert test`."""
        if self.condition(test) is False:
            raise AssertionError

    # One of several values

    def both(self, *values: Callable[[], Any]) -> Any:
        """`a and b`."""
        return self._first(values, until=False)

    def either(self, *values: Callable[[], Any]) -> Any:
        """`a or b`."""
        return self._first(values, until=True)

    def _first(self, values: Sequence[Callable[[], Any]], *, until: bool) -> Any:
        for place, value in enumerate(values[:-1], 1):
            result = value()
            truth = self.condition(result)
            if truth is UNKNOWN:
                return self._either_of(partial(_same, result), *values[place:])
            if truth is until:
                return result
        return values[-1]()

    def all_true(self, *tests: Callable[[], Any]) -> Any:
        """Whether `a and b` is true; it is not if a part is known to be false, whatever the parts before it are."""
        return self._truth(tests, until=False)

    def any_true(self, *tests: Callable[[], Any]) -> Any:
        """Whether `a or b` is true; it is if a part is known to be true."""
        return self._truth(tests, until=True)

    def _truth(self, tests: Sequence[Callable[[], Any]], *, until: bool) -> Any:
        truth: Any = not until
        for test in tests:
            latest = self._truth_on_trial(test) if truth is UNKNOWN else self.condition(test())
            if latest is until:
                return until
            truth = UNKNOWN if truth is UNKNOWN else latest
        return truth

    def _truth_on_trial(self, test: Callable[[], Any]) -> Any:
        """Whether an expression is true that may not be evaluated; what it may change is forgotten."""
        made = self._on_trial([lambda: self.condition(test())])
        if not made:
            self.tainted.add_moved(test)
        return made[0] if made else UNKNOWN

    def choose(self, place: int, test: Any, first: Callable[[], Any], second: Callable[[], Any]) -> Any:
        """`first if test else second`."""
        truth = self.condition(test)
        if truth is UNKNOWN:
            return self.noted(place, self._either_of(first, second))
        return self.noted(place, first() if truth else second())

    def _either_of(self, *values: Callable[[], Any]) -> Any:
        """What is known of the value of one of some expressions; if nothing is, what they may change is forgotten."""
        made = self._on_trial(values)
        result = self.joined(made) if made else UNKNOWN
        if result is UNKNOWN and not (made and all(map(_is_plain, made))):
            self.tainted.add_moved(values)
        return result

    def _one_of(self, *values: Callable[[], Any]) -> Any:
        """What is known of a value, of which it is not known which of some expressions makes it."""
        made = self._on_trial(values)
        return self.joined(made) if made else UNKNOWN

    def _on_trial(self, values: Sequence[Callable[[], Any]]) -> list[Any]:
        """The values of expressions that may not be evaluated; none if one may change something, or raises an error."""
        before = self.muted, self.tries, self.is_trial
        self.muted, self.tries, self.is_trial = self.muted + 1, 0, True
        try:
            return [value() for value in values]
        except (UncertainError, Exception):  # noqa: BLE001  # whatever a program raises
            return []
        finally:
            self.muted, self.tries, self.is_trial = before

    def of_either(self, function: Callable[..., Any], *args: Any) -> Any:
        """What is known of the result for a number that is an int or a float."""
        given = [of_kind(args, number) for number in (integer(), UnknownFloat(1))]
        return self._one_of(*(partial(function, *each) for each in given))

    def joined(self, values: Sequence[Any]) -> Any:
        """What is known of one of some values, which the program may change where it has the result."""
        result = joined(self.tainted.known(tuple(values)))
        if result is UNKNOWN:  # by which the program may add operations
            open_graphs(values)
        if isinstance(result, (tuple, np.ndarray, Unsized)) and not any(result is each for each in values):
            self.tainted.add(values)
        return result

    def behind(self, name: Callable[[], Any], *values: Callable[[], Any]) -> Any:
        """What a name has behind branches that give it these values; unknown, if they may give it another one, too."""
        with suppress(NameError):
            if name() is UNKNOWN:
                return UNKNOWN
        return self._one_of(*values)

    def may_return(self, before: tuple[Any, ...], *values: Callable[[], Any]) -> tuple[Any, ...]:
        """What a function may have returned behind code that may return one of these values; any, if there is none."""
        return (self._one_of(*(partial(_same, each) for each in before), *values) if values else UNKNOWN,)

    def returned(self, value: Any, before: tuple[Any, ...]) -> Any:
        """What a function returns that may have returned something before."""
        return self.joined([value, *before]) if before else value

    # What may catch errors

    def manager(self, value: Any, name: str) -> Any:
        """What a `with` statement enters; one that is unknown may catch errors."""
        self._check_entered(value)
        return self.guarded(value, name)

    def guarded(self, value: Any, name: str) -> Any:
        """A context manager, or a function in the place of one, that may catch errors."""
        if isinstance(value, Scope):
            return _Block(self, value)
        if self.muted and hasattr(type(value), "on_trial"):
            return nullcontext(value)  # which stays open, as far as is known
        if is_unknown(value):
            return value if name in _CATCH_NOTHING else _Guard(self)
        is_own = self.is_users_class(type(value)) or type(value).__module__ == suppress.__module__
        return _Guard(self, value) if is_own and self.program_state.catches else value

    def _check_entered(self, value: Any) -> None:
        """End the program if it enters what is not entered: a graph, or an object of a class that says not how."""
        kind: Any = type(value)
        if isinstance(value, Graph):
            self.of_library(kind.__enter__, (value,), {})
        elif not hasattr(kind, "__enter__") and value not in self.tainted and self.is_known_class(kind):
            self.mistyped(TypeError(f"{kind.__name__!r} object does not support the context manager protocol"), ())

    def is_known_class(self, kind: type) -> bool:
        """Whether it is known of a class what its objects do: one of the program, of Python itself or of typegrad."""
        if self.is_users_class(kind):
            return not any(each is Base or each in self.tainted for each in kind.__mro__)
        module = kind.__module__
        return module == "builtins" or (module.startswith("typegrad.") and not module.startswith(_IN_PLACE))

    def begin_try(self) -> None:
        """Begin statements whose errors may be caught."""
        self.tries += 1

    def end_try(self) -> None:
        """End them."""
        self.tries -= 1


def _same(value: Any) -> Any:
    return value


def _is_plain(value: object) -> bool:
    """Whether whoever has a value cannot change anything by it that is known."""
    return value is UNKNOWN or type(value) in _PLAIN


def _is_open(value: object) -> bool:
    """Whether a value, or what a pattern makes of it, is not known."""
    return is_unknown(value) or (is_hidden(value) and not np.ndim(bare(value)))


@attrs.define
class _Block:
    """The scope of a `with` statement, which may refuse that nothing was created in it."""

    machine: Branches
    scope: Scope
    guesses: int = 0

    def __enter__(self) -> Scope:
        self.guesses = self.machine.guesses
        return self.scope.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.guesses == self.machine.guesses:
            self.machine.of_library(self.scope.__exit__, (kind, error, trace), {})
        else:
            with suppress(GraphError):  # something may have been
                self.scope.__exit__(kind, error, trace)


@attrs.frozen
class _Guard:
    """A context manager that may catch errors."""

    machine: Branches
    manager: Any = None
    """The manager; None for an unknown one."""

    def __enter__(self) -> Any:
        entered = UNKNOWN if self.manager is None else self.manager.__enter__()
        self.machine.begin_try()
        return entered

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> bool:
        self.machine.end_try()
        is_caught = kind is not None and issubclass(kind, SkipError)
        if self.manager is None:
            is_caught |= kind is not None and issubclass(kind, Exception)
        else:
            is_caught |= bool(self.manager.__exit__(*((None, None, None) if is_caught else (kind, *error))))
        self.machine.skips += is_caught
        return is_caught
