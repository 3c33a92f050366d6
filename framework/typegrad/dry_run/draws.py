"""What a program has in the place of Python's `random`: what is drawn has a type, but no value that is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from typegrad.dry_run.arrays import integer
from typegrad.dry_run.unknown import UNKNOWN, UnknownFloat

__all__ = ["DRAWS", "Random"]

_MODULE: Final = "random"


class Random:
    """Random numbers. Its other methods are unknown."""

    def __init__(self, seed: object = None) -> None:
        """Draw nothing."""
        del seed

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN

    def _fraction(self, *_: object, **__: object) -> float:
        return UnknownFloat(1)

    def _whole(self, *_: object, **__: object) -> Any:
        return integer()

    betavariate = expovariate = gammavariate = gauss = lognormvariate = normalvariate = paretovariate = _fraction
    random = triangular = uniform = vonmisesvariate = weibullvariate = _fraction
    getrandbits = randint = randrange = _whole

    def seed(self, seed: object = None) -> None:
        """Draw nothing."""

    # Of items, `of_items` tells what is drawn.

    def choice(self, *_: object, **__: object) -> Any:
        """One of some items."""
        return UNKNOWN

    def choices(self, *_: object, **__: object) -> Any:
        """Some of the items, each any number of times."""
        return UNKNOWN

    def sample(self, *_: object, **__: object) -> Any:
        """Some of the items, each once."""
        return UNKNOWN

    def shuffle(self, *_: object, **__: object) -> Any:
        """Change the order of some items."""
        return UNKNOWN


Random.__module__ = _MODULE  # where it is without effects elsewhere
_SHARED: Final = Random()
DRAWS: Final[Mapping[str, Any]] = {
    "Random": Random,
    **{name: getattr(_SHARED, name) for name in vars(Random) if not name.startswith("_")},
}
"""The names of the module."""
