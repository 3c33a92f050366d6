"""Python's floats in narrower types, without NumPy."""

from __future__ import annotations

from struct import pack, unpack

__all__ = ["rounded"]


def rounded(number: float, layout: str) -> float:
    """A number in the type that `struct` writes as `layout`: "e", "f" or "d".

    A sum, difference, product or quotient that is rounded twice is as if it were rounded once.
    """
    result: float = unpack(layout, pack(layout, number))[0]
    return result
