"""Arithmetic with named dimensions, for annotations and for shapes: `Times[Batch, Time]`, `Minus[Time, Literal[1]]`.

The classes are types of ints that no value has. They denote sizes in `tuple[Times[Batch, Time], Literal[8]]` and in
`shape=(Times[Batch, Time], 8)`. The mypy plugin compares them by their normal form.
"""

from __future__ import annotations

from typing import Final, Generic, Literal, TypeVar, TypeVarTuple, get_args, get_origin

from typegrad.base.size import Kind

__all__ = ["FORMS", "FloorDiv", "Minus", "Over", "Plus", "Times", "form_of"]

_Sizes = TypeVarTuple("_Sizes")
_First_co = TypeVar("_First_co", bound=int, covariant=True)
_Second_co = TypeVar("_Second_co", bound=int, covariant=True)


class Plus(int, Generic[*_Sizes]):
    """A sum of sizes: `Plus[Batch, Literal[1]]`."""


class Minus(int, Generic[_First_co, _Second_co]):
    """A difference of sizes: `Minus[Time, Literal[1]]`."""


class Times(int, Generic[*_Sizes]):
    """A product of sizes: `Times[Batch, Time]`, `Times[Literal[2], Batch]`."""


class FloorDiv(int, Generic[_First_co, _Second_co]):
    """A quotient, rounded down: `FloorDiv[Time, Literal[2]]`."""


class Over(FloorDiv[_First_co, _Second_co]):
    """A quotient without a remainder, which passes for a rounded one: `Over[Batch, Literal[2]]` is half a batch."""


FORMS: Final[dict[type, Kind]] = {Plus: "+", Minus: "-", Times: "*", Over: "/", FloorDiv: "//"}
"""The arithmetic that each class says."""


def form_of(annotation: object) -> tuple[Kind, tuple[object, ...]] | None:
    """The arithmetic in an annotation, and its parts; None if there is none."""
    origin = get_origin(annotation)
    kind = None if origin is None else FORMS.get(origin)
    return None if kind is None else (kind, tuple(map(_part, get_args(annotation))))


def _part(argument: object) -> object:
    """The number of a `Literal`; any other argument as it is."""
    return get_args(argument)[0] if get_origin(argument) is Literal else argument
