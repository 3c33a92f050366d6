"""What a rewritten program tells of code that was not run, or not as often as it may be: what that may change."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import FunctionType, MethodType
from typing import Any, Final, Literal

import numpy as np

from typegrad.dry_run.calls import Calls
from typegrad.dry_run.functions.instead import is_of_session, note_run
from typegrad.dry_run.functions.library import IMPORTS, printed
from typegrad.dry_run.known.unknown import UNKNOWN, Onlooker, is_unknown
from typegrad.dry_run.known.unsized import Unsized
from typegrad.dry_run.of_python import changes_first
from typegrad.dry_run.tracking.additions import open_graphs
from typegrad.dry_run.tracking.code import names_of
from typegrad.dry_run.tracking.memory import CONTAINERS, changes_when_read

__all__ = ["Unfollowed"]

_PLAIN: Final[tuple[object, ...]] = (object.__setattr__, type.__setattr__)


class Unfollowed(Calls):
    """Forgets what such code may change."""

    def forget(self, path: Callable[[], Any], kinds: tuple[type, ...] = (object,), *, is_own_code: bool = True) -> None:
        """Forget what code that may have run has changed by a name or an attribute, if it is of one of these kinds."""
        with suppress(NameError, AttributeError):
            found = path()
            if _adds_nothing(found) or isinstance(found, kinds):
                self._forget_value(found, names_of(path), is_own_code=is_own_code)

    def _forget_value(self, value: Any, names: Sequence[str], *, is_own_code: bool = True) -> None:
        """Forget a value that such code has by these names, each an attribute of the one before."""
        if _adds_nothing(value):
            note_run(value)
        elif is_own_code:
            self.tainted.add_moved(value, names)
        else:
            self.tainted.add(value)

    def forget_items(self, *values: Callable[[], Any]) -> None:
        """Forget lists and the like that the program may change by a name whose value is not known any more."""
        for each in values:
            self.forget(each, CONTAINERS)

    def forget_read(self, *paths: str) -> None:
        """Forget what code has read that may have run, if that may change it, as operators and properties may."""
        for value in self._values_at(paths):
            kind: Any = type(value)
            if changes_when_read(kind):
                self.tainted.add_moved(value)

    def may_add(self, *paths: str) -> None:
        """Note that code that may have run has operands by these names, and so may have added operations."""
        open_graphs([*self._values_at(paths)])

    def may_add_by(self, function: Callable[[], Any], *paths: str) -> None:
        """Note that such code may have passed operands to a function, which may have added operations."""
        called: Any = UNKNOWN
        with suppress(NameError, AttributeError):
            called = function()
        if not _adds_nothing(called):
            self.may_add(*paths)

    def _values_at(self, paths: Sequence[str]) -> Iterator[Any]:
        """The values of names, and of attributes that no code makes."""
        frame = next(each for each in self._frames() if each.f_code.co_name != "<lambda>")
        for path in paths:
            name, *attributes = path.split(".")
            value = frame.f_locals.get(name, frame.f_globals.get(name))
            for each in attributes:
                value = getattr(value, "__dict__", {}).get(each)
            yield value

    def forget_calls(
        self,
        functions: tuple[Callable[[], Any], ...],
        args: tuple[Callable[[], Any], ...],
        reached: tuple[Callable[[], Any], ...],
    ) -> None:
        """Forget what calls may have changed. Functions of libraries change lists by their methods, and arrays.

        Args:
            functions: What may have been called.
            args: What it was called with.
            reached: What its own methods, or those of what it was called with, may have changed, too.

        """
        owners = {self._forget_caller(each, args) for each in functions}
        kinds = (np.ndarray, Iterator, FunctionType, MethodType) if owners == {"library"} else (object,)
        for each in args:
            self.forget(each, kinds, is_own_code="unknown" not in owners)
        for each in reached:
            self.forget(each, kinds)

    def method_of(self, function: Any) -> Any:
        """What is known of a method of what a function results in: those of what a session makes are like its own."""
        return function if _adds_nothing(function) else UNKNOWN

    def _forget_caller(
        self, function: Callable[[], Any], args: Sequence[Callable[[], Any]]
    ) -> Literal["changing", "library", "program", "unknown"]:
        """Forget what a function belongs to, and tell whose it is."""
        try:
            called = function()
        except (NameError, AttributeError):
            called = UNKNOWN
        if self.is_users(called):
            self._forget_value(called, ())
            return "program"
        if any(called is each for each in IMPORTS):
            self.forget_registered()
        if _adds_nothing(called):
            note_run(called)
            return "library"
        if is_unknown(called) or isinstance(called, functools.partial) or not self.is_library(called):
            self._forget_value(called, (), is_own_code=False)
            return "unknown"
        changed = getattr(called, "__self__", None)
        self._forget_value(changed, names_of(function)[:-1])
        if called is setattr or getattr(called, "__name__", "") == "resize":
            self._forget_shapes(lambda: changed, *args)
        return "changing" if changes_first(called) else "library"

    def _forget_shapes(self, *values: Callable[[], Any]) -> None:
        for each in values:
            with suppress(NameError, AttributeError):
                found = each()
                if isinstance(found, (np.ndarray, Unsized)):
                    self.tainted.lose_shape(found)

    def forget_attribute(self, owner: Callable[[], Any], name: str) -> None:
        """Forget an attribute that such code assigns, and whatever else a setter does."""
        with suppress(NameError, AttributeError):
            found = owner()
            if isinstance(found, (np.ndarray, Unsized)):
                self.store_array_attribute(found, name, UNKNOWN)
                return
            kind = found if isinstance(found, type) else type(found)
            is_plain = not hasattr(getattr(kind, name, None), "__set__") and kind.__setattr__ in _PLAIN
            if is_plain:
                self.store_attribute(found, name, UNKNOWN)
            else:
                self.tainted.add(found)


def _adds_nothing(function: object) -> bool:
    """Whether a function of the library takes operands and adds none: `print`, a logger, or one of a session."""
    return function is printed or isinstance(function, Onlooker) or is_of_session(function)
