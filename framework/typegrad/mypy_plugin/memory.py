"""Caches of the hooks, valid until a file changes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, TypeVar

__all__ = ["Memory", "forget"]

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

_memories: Final[list[Memory[Any, Any]]] = []


class Memory(dict[_Key, _Value]):
    """A dictionary of facts about nodes of the source or about types, which `forget` clears."""

    def __init__(self) -> None:
        """Create an empty cache, to be cleared by `forget`."""
        super().__init__()
        _memories.append(self)


def forget() -> None:
    """Clear all caches. A file was read again, so earlier nodes and types may be out of date."""
    for memory in _memories:
        memory.clear()
