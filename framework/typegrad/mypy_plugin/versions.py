"""The supported versions of mypy. Nothing of mypy is imported here, since its modules differ between versions."""

from __future__ import annotations

from typing import Final

__all__ = ["NEWEST", "OLDEST", "is_supported"]

OLDEST: Final = (1, 19)
NEWEST: Final = (2, 4)
"""The first and the last supported version; the tests run with both. From 1.19 on, mypy checks a module again if what
the plugin reports of a module that it imports has changed."""


def is_supported(version: str) -> bool:
    """Whether the plugin supports mypy of this version, such as "1.19.0" or "2.4.0+dev.0123456789abcdef"."""
    return OLDEST <= _number(version) <= NEWEST


def _number(version: str) -> tuple[int, int]:
    first, second, *_ = version.partition("+")[0].split(".")
    return int(first), int(second)
