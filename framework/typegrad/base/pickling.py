"""Graphs, and what belongs to one, are neither pickled nor copied."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex

from typegrad.base.errors import PicklingError

__all__ = ["Unpicklable"]


class Unpicklable:
    """Something that exists once: a graph, a session, or a part of one.

    Nodes are compared by identity, and a session holds locks and compiled plans: a copy would be equal to nothing, and
    feed nothing.
    """

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> NoReturn:
        """Refuse `pickle`, `copy.copy` and `copy.deepcopy`, which call this."""
        raise PicklingError(
            f"{self!r} can be neither pickled nor copied. Keep the function that builds the graph, call it where "
            "the graph is needed, and take the variables there in a file: session.save(path), then "
            "session.restore(path)"
        )
