"""What a program has in the place of Python's `random`: what is drawn has a type, but no value that is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from typegrad.dry_run.computing.chances import BELOW_ONE, ENDS
from typegrad.dry_run.known.arrays import integer, is_hidden
from typegrad.dry_run.known.ends import between
from typegrad.dry_run.known.unknown import UNKNOWN, UnknownFloat, has_unknown

__all__ = ["DRAWS", "Random"]

_MODULE: Final = "random"


def _between_ends(make: Callable[[], Any], ends_of: Callable[..., Sequence[Any] | None]) -> Callable[..., Any]:
    """A method that draws such a number, between ends that follow from its arguments."""

    def draw(self: Random, *args: Any, **kwargs: Any) -> Any:
        del self
        found = None
        if not (kwargs or has_unknown(args, is_hidden)):
            with suppress(ArithmeticError, LookupError, TypeError, ValueError):  # of arguments that are refused
                found = ends_of(*args)
        return make() if found is None else between(make(), *found)

    return draw


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

    betavariate = expovariate = gammavariate = lognormvariate = paretovariate = _fraction
    triangular = vonmisesvariate = weibullvariate = _fraction
    random = _between_ends(lambda: UnknownFloat(1), lambda: (0.0, BELOW_ONE))
    uniform = _between_ends(lambda: UnknownFloat(1), ENDS["uniform"])
    gauss = normalvariate = _between_ends(lambda: UnknownFloat(1), ENDS["normal"])
    getrandbits = _between_ends(integer, lambda k: (0, (1 << k) - 1))
    randint = _between_ends(integer, lambda a, b: (a, b))
    randrange = _between_ends(integer, lambda *args: sorted((range(*args)[0], range(*args)[-1])))

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
