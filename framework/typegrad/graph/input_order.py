"""Other orders of the inputs of an operation, and what an error says of them: of values in a graph, or of types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, TypeAlias, TypeVar

from typegrad.base.shape import Shape

__all__ = ["MOST", "Pair", "in_order", "mended_also", "mended_shapes", "swap", "swaps"]

_Input = TypeVar("_Input")
MOST: Final = 3
"""How many inputs and attributes are tried in every order."""
Pair: TypeAlias = tuple[str, str]
"""The names of two inputs."""


def swaps(inputs: Mapping[str, _Input], wrong: Collection[str]) -> Iterator[tuple[Pair, Mapping[str, _Input]]]:
    """The inputs with two in each other's place, for any two of which one is wrong."""
    for first, second in combinations(inputs, 2):
        if first in wrong or second in wrong:
            yield (first, second), {**inputs, first: inputs[second], second: inputs[first]}


def swap(pair: Pair, shown: Callable[[str], str]) -> str:
    """The error message for two inputs that fit in each other's place alone."""
    return f"{' and '.join(map(shown, pair))}; swap them"


def in_order(class_name: str, names: Iterable[str]) -> str:
    """What to write for inputs and attributes that fit in another order."""
    return f"the order is {class_name}.create(scope, {', '.join(names)})"


def mended_also(error: str, pair: Pair) -> str:
    """The error message, which ends with another remedy, for two inputs that fit in each other's place as well."""
    return f"{error}, or swap `{pair[0]}` and `{pair[1]}`"


def mended_shapes(
    inputs: Mapping[str, _Input], shapes: Mapping[str, Shape], fits: Callable[[Mapping[str, _Input]], bool]
) -> str | None:
    """The error message for two inputs of different ranks that fit in each other's place; None if there are none.

    Of equal ranks the sizes may fit by chance, or because they are unknown.
    """
    for (first, second), exchanged in swaps(inputs, inputs):
        ranks = {shapes[name].rank for name in (first, second) if name in shapes} - {None}
        if len(ranks) == 2 and fits(exchanged):
            return swap((first, second), lambda name: f"`{name}` has shape {shapes[name]}")
    return None
