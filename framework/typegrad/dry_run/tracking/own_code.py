"""A program's own functions and classes, and how the functions are rewritten when they are first called."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from types import CodeType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any, Final

from typegrad.dry_run.known.unsized import Many
from typegrad.dry_run.source.expressions import MACHINE, Alone
from typegrad.dry_run.tracking.memory import CACHED, CONTAINERS

__all__ = ["OwnCode"]


class OwnCode:
    """The code of a program that is followed."""

    def __init__(self, load: Callable[[str], ModuleType | None]) -> None:
        """Follow a program, whose own modules `load` loads."""
        self.load: Final = load
        self.own_modules: dict[str, ModuleType | None] = {}
        """The program's modules that are imported, by name; None for one that is not the program's, or not known."""
        self.finds: Callable[[str], bool] = bool
        """Whether a module is the program's, by its name."""
        self.files: dict[str, str] = {}
        """The names of the program's modules, by file."""
        self.hidden: set[str] = set()
        """The files among these that are in the place of Python's, whose lines nobody is told."""
        self.bodies: list[Callable[[], CodeType]] = []
        """What rewrites each function that is rewritten when it is called."""
        self._postponed: dict[CodeType, int] = {}
        """The indices in `bodies`, by the code that the functions have until they are rewritten."""
        self._globals: dict[int, dict[str, Any]] = {}
        """The global names of these functions, by the indices."""
        self._codes: dict[int, CodeType] = {}
        """The code that they are rewritten to, by the indices."""
        self.called: set[object] = set()
        """The code of the program's functions that were called."""
        self.attempts: list[Callable[[], Alone]] = []
        """The `if` statements whose branches may be followed on trial."""
        self.branches: set[CodeType] = set()
        """The code of branches that are followed on trial."""

    def postponed(self, number: int) -> Callable[[FunctionType], FunctionType]:
        """What notes that a function is not rewritten yet."""

        def noted(function: FunctionType) -> FunctionType:
            self._postponed[function.__code__] = number
            self._globals[number] = function.__globals__
            return function

        return noted

    def rewritten(self, number: int) -> Callable[..., Any]:
        """The rewritten function, for one that is called by others than the machine."""
        return FunctionType(self._code(number), self._globals[number])

    def rewrite(self, function: FunctionType) -> None:
        """Rewrite a function of the program if it is not rewritten yet."""
        number = self._postponed.get(function.__code__)
        if number is not None:
            function.__code__ = self._code(number)

    def modules(self, names: dict[str, Any]) -> Collection[dict[str, Any]]:
        """The names of a module, and those of each other one that has functions."""
        return {id(each): each for each in (names, *self._globals.values())}.values()

    def _code(self, number: int) -> CodeType:
        if number not in self._codes:
            self._codes[number] = self.bodies[number]()
        return self._codes[number]

    def is_users(self, function: Any) -> bool:
        """Whether a function or class is the program's own, so that its code asks this machine, too."""
        if isinstance(function, MethodType):
            function = function.__func__
        if isinstance(function, FunctionType):
            wrapped = getattr(function, "__wrapped__", None)
            return function.__globals__.get(MACHINE) is self or (wrapped is not None and self.is_users(wrapped))
        if isinstance(function, MethodWrapperType) and function.__name__ == "__call__":  # of `super()` in a metaclass
            function = function.__self__
        if isinstance(function, type):
            return self.is_users_class(function)
        wrapped = getattr(function, "__wrapped__", None) if isinstance(function, CACHED) else None
        return self.is_users_class(type(function)) if wrapped is None else self.is_users(wrapped)

    def is_users_class(self, class_: type) -> bool:
        """Whether a class is the program's own."""
        return class_.__module__ in self.files.values()

    def objects_in(self, value: Any, depth: int = 4) -> Iterator[Any]:
        """The objects of the program's classes that a value is, or has in its containers."""
        if self.is_users_class(type(value)):
            yield value
        elif isinstance(value, Many):
            yield from self.objects_in(value.item, depth)
        elif depth and isinstance(value, (*CONTAINERS, tuple)):
            for part in (*value, *value.values()) if isinstance(value, dict) else value:
                yield from self.objects_in(part, depth - 1)
