"""The calls that a call may be where too little is known for one: of lists of any length, flags, several shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Final, TypeVar

from attrs import evolve

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.calls.creation import Call, KnownAttributes

__all__ = ["alternatives", "completed"]

_Item = TypeVar("_Item")

_MOST_ALTERNATIVES: Final = 16
"""How many shapes of inputs are tried for one call."""


def completed(call: Call) -> list[Call]:
    """The call, or several where the number of operands or a flag, such as `is_training`, is not known."""
    counted = [_with_lists(call, times) for times in (2, 3)] if call.many else [call]
    return [each for one in counted for each in _decided(one)]


def _decided(call: Call) -> list[Call]:
    """The call, with all values of flags that are not known."""
    flags = [each.name for each in call.definition.op.attrs if each.kind == "bool" and each.name not in call.attrs]
    choices = [dict(zip(flags, values, strict=True)) for values in product((False, True), repeat=len(flags))]
    return [evolve(call, attrs=KnownAttributes(call.attrs | choice)) for choice in choices] if flags else [call]


def _with_lists(call: Call, times: int) -> Call:
    """The call with lists of a known length."""
    repeated = evolve(
        call,
        many={},
        shapes={**call.shapes},
        patterns={**call.patterns},
        values={**call.values},
        attrs=KnownAttributes(call.attrs),
    )
    for name, are_many in call.many.items():
        patterns = repeated.patterns.get(name)
        if isinstance(patterns, tuple):
            repeated.patterns[name] = _repeated(patterns, are_many, times)
        shapes = repeated.shapes[name]
        if isinstance(shapes, tuple):
            repeated.shapes[name] = _repeated(shapes, are_many, times)
        repeated.values[name] = _repeated(repeated.values[name], are_many, times)
        repeated.attrs["N"] = len(repeated.values[name])
    return repeated


def _repeated(items: Sequence[_Item], are_many: Sequence[bool], times: int) -> tuple[_Item, ...]:
    """The items, with `times` copies of the ones that are an unknown number of items."""
    pairs = zip(items, are_many, strict=True)
    return tuple(item for item, is_many in pairs for _ in range(times if is_many else 1))


def alternatives(call: Call) -> list[Call]:
    """The call with each of the shapes that its inputs may have, if there are several, but not too many."""
    choices = {each.source: each.shapes for each in call.options}
    if not choices or prod(map(len, choices.values())) > _MOST_ALTERNATIVES:
        return []
    return [_chosen(call, dict(zip(choices, shapes, strict=True))) for shapes in product(*choices.values())]


def _chosen(call: Call, chosen: Mapping[str, Shape]) -> Call:
    """The call with these shapes for the expressions that have several."""
    shapes = {**call.shapes}
    for each in call.options:
        old, new = shapes[each.name], chosen[each.source]
        if isinstance(old, tuple) and each.position is not None:
            shapes[each.name] = (*old[: each.position], new, *old[each.position + 1 :])
        else:
            shapes[each.name] = new
    return evolve(call, shapes=shapes, options=[])
