"""Sets of element types, and their shortest form in marker classes."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from typegrad.base.types import ALL_TYPES, BY_NAME, TType

__all__ = ["Leaf", "cover", "leaves", "marker_sets", "ordered"]

Leaf = type[TType]
"""An element type, or a marker class above several."""


def leaves(marker: Leaf) -> frozenset[Leaf]:
    """The element types that are `marker` or below it."""
    return frozenset(leaf for leaf in ALL_TYPES if issubclass(leaf, marker))


def ordered(types: Collection[Leaf]) -> list[Leaf]:
    """Element types in the order in which they are always listed."""
    return [leaf for leaf in ALL_TYPES if leaf in types]


def cover(types: Collection[Leaf], root: Leaf = TType) -> list[Leaf]:
    """The fewest marker classes whose element types are exactly `types`.

    As the classes form a tree, taking the highest is best.
    """
    below = leaves(root)
    if below and below <= frozenset(types):
        return [root]
    return [marker for child in root.__subclasses__() for marker in cover(types, child)]


def marker_sets() -> dict[str, frozenset[Leaf]]:
    """Every type and marker class by its name in entries: "float" is one type, "floating" a set."""
    sets: dict[str, frozenset[Leaf]] = {name: frozenset({leaf}) for name, leaf in BY_NAME.items()}
    for marker in _markers(TType):
        if marker not in ALL_TYPES and marker is not TType:
            sets[marker.__name__[1:].lower()] = leaves(marker)
    return sets


def _markers(root: Leaf) -> Iterator[Leaf]:
    yield root
    for child in root.__subclasses__():
        yield from _markers(child)
