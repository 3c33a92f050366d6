"""Misspelt names: the one of those that exist which is meant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

__all__ = ["nearest", "plain"]

_CLOSE: Final = 0.6
"""How similar a misspelt name must be, by `difflib`."""


@lru_cache(maxsize=2**14)
def plain(name: str) -> str:
    """A name as it is compared: `MatMul`, `mat_mul` and `matmul` are one."""
    return "".join(filter(str.isalnum, name)).lower()


def nearest(name: str, names: Iterable[str], close: float = _CLOSE) -> str | None:
    """The one of `names` whose spelling is closest to `name`, if any is close."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(b=name.lower(), autojunk=False)
    nearest: tuple[float, str] | None = None
    for other in names:
        matcher.set_seq1(other.lower())
        if matcher.quick_ratio() >= close and (nearest is None or matcher.ratio() > nearest[0]):
            ratio = matcher.ratio()
            if ratio >= close:
                nearest = ratio, other
    return None if nearest is None else nearest[1]
