"""What a program has in the place of Python's `random`: what is drawn has a type, but no value that is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from typegrad.dry_run.arrays import integer
from typegrad.dry_run.joins import joined
from typegrad.dry_run.unknown import UNKNOWN, UnknownFloat

__all__ = ["DRAWS", "Random"]

_MOST: Final = 1000
"""Of how many items it is looked at what they have in common."""
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

    def choice(self, seq: Sequence[Any]) -> Any:
        """One of some items."""
        return joined(list(seq)) if 0 < len(seq) <= _MOST else UNKNOWN

    def choices(self, population: Sequence[Any], weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> Any:
        """Some of the items."""
        del weights, cum_weights
        return [self.choice(population) for _ in range(k)] if k <= _MOST else UNKNOWN


Random.__module__ = _MODULE  # where it is without effects elsewhere
_SHARED: Final = Random()
DRAWS: Final[Mapping[str, Any]] = {
    "Random": Random,
    **{name: getattr(_SHARED, name) for name in vars(Random) if not name.startswith("_")},
}
"""The names of the module."""
