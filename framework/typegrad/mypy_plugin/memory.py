"""What hooks remember between calls, as long as no file changes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, TypeVar

__all__ = ["Memory", "forget"]

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

_memories: Final[list[Memory[Any, Any]]] = []


class Memory(dict[_Key, _Value]):
    """What was found out about parts of the source or about types: a dictionary that `forget` empties."""

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        _memories.append(self)


def forget() -> None:
    """Forget everything: a file was read anew, so the nodes and types of before may mean other things now."""
    for memory in _memories:
        memory.clear()
