"""The supported versions of mypy. Nothing of mypy is imported here, since its modules differ between versions."""

from __future__ import annotations

from typing import Final

__all__ = ["NEWEST", "OLDEST", "is_supported"]

OLDEST: Final = (1, 13)
NEWEST: Final = (2, 4)
"""The first and the last supported version; the tests run with both."""


def is_supported(version: str) -> bool:
    """Whether the plugin supports mypy of this version, such as "1.13.0" or "2.4.0+dev.0123456789abcdef"."""
    first, second, *_ = version.partition("+")[0].split(".")
    return OLDEST <= (int(first), int(second)) <= NEWEST
