"""Attributes that may be other ones.

Those of libraries that a program may have replaced, as `mock.patch("numpy.random.rand")` does, and those of a program's
own objects that another program assigns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Final

__all__ = ["Replaced"]

_LIBRARIES: Final = ("numpy", "typegrad")


class Replaced:
    """A set of attributes, each with the module or the class that has it."""

    def __init__(self) -> None:
        self._owners: dict[tuple[int, str], object] = {}

    def add(self, owner: object, name: object) -> None:
        """Add an attribute of a module or a class; nothing for other owners."""
        if isinstance(name, str) and isinstance(owner, (ModuleType, type)):
            self._owners[id(owner), name] = owner

    def add_of(self, owners: Iterable[object], names: frozenset[str]) -> None:
        """Add the attributes of these names that some objects or classes of the program have."""
        for owner in owners:
            for name in names & {*dir(owner)}:
                self._owners[id(owner), name] = owner

    def add_named(
        self, args: Sequence[object], kwargs: Mapping[str, object], instead_of: Callable[[object], object]
    ) -> None:
        """Add those that the arguments of an unknown function name: by a full name, or beside what has them.

        `instead_of` tells what a program has in the place of a class.
        """
        texts = [each for each in (*args, *kwargs.values()) if isinstance(each, str)]
        for text in texts:
            owner, name = _named(text)
            self.add(instead_of(owner) or owner, name)
        for owner in args:
            for name in (*texts, *kwargs):
                self.add(owner, name)

    def __contains__(self, attribute: tuple[Any, Any]) -> bool:
        owner, name = attribute
        return bool(self._owners) and any((id(each), name) in self._owners for each in _having(owner))


def _having(owner: object) -> Iterator[object]:
    """An object, and the classes that may have its attributes."""
    yield owner
    yield from (owner if isinstance(owner, type) else type(owner)).__mro__


def _named(text: str) -> tuple[object, str]:
    """The module or class of a library that a full name leads to, and the attribute; None for another name."""
    path, _, name = text.rpartition(".")
    root, *parts = path.split(".")
    owner: Any = sys.modules.get(root) if root in _LIBRARIES else None
    for part in parts:
        owner = getattr(owner, part, None)
    return owner, name
