"""What clashes in an error: words for the two things that do not fit each other.

One wrong value makes the same two clash wherever it is used: two sizes, two element types, its number of dimensions and
the one that is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

__all__ = [
    "AXIS",
    "FLOATING",
    "FLOATS",
    "FUNCTION",
    "KEY",
    "KINDS",
    "MADE",
    "MORE",
    "NO_VALUE",
    "OPERAND",
    "UNKNOWN",
    "Clash",
    "counterparts",
    "dims_in",
    "elements_in",
    "is_of_elements",
    "is_of_one_kind",
    "lacking",
    "of_fractions",
    "of_shapes",
    "rank",
]

Clash: TypeAlias = frozenset[str]
"""Words for what clashes: "4", "Batch", "float32", "rank 2", "Belief", "None"."""

KEY: Final = "key"
"""What clashes with a key that a dict does not have."""
MADE: Final = "another size"
"""What clashes with one size of all arrays that a function makes, whose other sizes are several."""
NO_VALUE: Final[Clash] = frozenset(("None", "value"))
"""What clashes where None is no value."""
MORE: Final = "more dimensions"
"""What clashes with the rank of a value that has too few."""
AXIS: Final = "axis"
"""What clashes with the rank of a value that does not have an axis."""
FUNCTION: Final = "function"
OPERAND: Final = "operand"
KINDS: Final = ("floating point", "numeric", "real")
"""Words for the element types that an operation takes, if these are many."""
FLOATING: Final = KINDS[0]
FLOATS: Final = ("bfloat16", "float16", "float32", "float64")
UNKNOWN: Final = frozenset({"?", "Any", "int"})
_INTEGER: Final = re.compile(r"u?int\d+")
_ELEMENT: Final = re.compile(r"\bT?((?:u?int|bfloat|float|complex)\d+|bool|string)\b", re.IGNORECASE)


def is_of_elements(clash: Clash) -> bool:
    """Whether element types clash."""
    return all(each in KINDS or _ELEMENT.fullmatch(each) for each in clash)


def is_of_one_kind(clash: Clash) -> bool:
    """Whether element types clash that differ only in how many bits they have."""
    return is_of_elements(clash) and len({each.rstrip("0123456789").removeprefix("u") for each in clash}) == 1


def counterparts(clash: Clash) -> list[Clash]:
    """What clashes in other errors about the same mistake.

    A value that lacks dimensions does not have some axes, either; but one in two operations is wrong in both of them.
    """
    if AXIS in clash:
        return [clash - {AXIS} | {MORE}]
    return [clash, clash - {MORE} | {AXIS}] if MORE in clash else [clash]


def elements_in(text: str) -> list[str]:
    """The element types that a text names, each once."""
    return list(dict.fromkeys(each.lower() for each in _ELEMENT.findall(text)))


def dims_in(text: str) -> list[str]:
    """The sizes in the text of a shape, without its brackets."""
    return text.split(", ") if text else []


def rank(count: int | str) -> str:
    """The word for a number of dimensions."""
    return f"rank {count}"


def of_fractions(elements: Clash) -> Iterator[Clash]:
    """What clashes for an integer where a floating-point number is, of whatever size."""
    if any(each in FLOATS for each in elements):
        yield from (frozenset((each, FLOATING)) for each in elements if _INTEGER.fullmatch(each))


def of_shapes(actual: Sequence[str], expected: Sequence[str]) -> Iterator[Clash]:
    """The sizes of two shapes that clash, or their numbers of dimensions."""
    rests = {dim for dim in (*actual, *expected) if dim.startswith("*")}  # any number of sizes
    if len(actual) == len(expected):
        unknown = UNKNOWN | rests
        yield from (frozenset(pair) for pair in zip(actual, expected, strict=True) if not unknown & set(pair))
    elif not rests:
        yield frozenset((rank(len(actual)), rank(len(expected))))


def lacking(given: Sequence[str], needed: Sequence[str]) -> list[Clash]:
    """What clashes for a value that has fewer dimensions than it needs."""
    return [frozenset((rank(len(given)), MORE))] if len(given) < len(needed) else []
