"""Two inputs of an operation that are in each other's place, which no cast mends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from typegrad.base.brief import brief, counted
from typegrad.base.errors import DTypeError
from typegrad.base.types import TType
from typegrad.graph import later
from typegrad.graph.definition import InputDef, OpDef
from typegrad.graph.operand_like import is_operand
from typegrad.graph.tensors import is_allowed

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["swapped"]

_Fits: TypeAlias = Callable[[Sequence[object]], bool]


def swapped(scope: Scope, definition: OpDef, inputs: Sequence[object], fits: _Fits) -> DTypeError | None:
    """The error that tells which two inputs to swap; None unless that helps, and casts alone do not.

    Args:
        scope: Where the operation was to go.
        definition: What it is.
        inputs: Its inputs, of which one has a wrong element type.
        fits: Whether the operation takes these inputs in their place.

    """
    wrong = {place for place, each in enumerate(inputs) if not _is_taken(definition, definition.inputs[place], each)}
    for pair in combinations(range(len(inputs)), 2):
        exchanged = list(inputs)
        exchanged[pair[0]], exchanged[pair[1]] = (inputs[place] for place in reversed(pair))
        if wrong.isdisjoint(pair) or not fits(exchanged):
            continue
        if wrong.issuperset(pair) or not fits(_cast(scope, definition, inputs, wrong)):
            one, other = (f"`{definition.inputs[place].name}` is {_shown(inputs[place])}" for place in pair)
            return DTypeError(f"input {one} and {other}; swap them")
    return None


def _is_taken(definition: OpDef, input_def: InputDef, value: object) -> bool:
    """Whether an input takes the element type of a value, or the list that it is."""
    if value is None:
        return input_def.default is not None
    if input_def.kind != "one":
        return isinstance(value, (list, tuple))
    allowed = _allowed(definition, input_def)
    if is_operand(value):
        return value.dtype in allowed
    if _holds_operands(value):
        return bool(input_def.integers)
    return is_allowed(value, allowed)


def _allowed(definition: OpDef, input_def: InputDef) -> Collection[type[TType]]:
    return definition.types[input_def.type] if isinstance(input_def.type, str) else (input_def.type,)


def _holds_operands(value: object) -> bool:
    return isinstance(value, (list, tuple)) and any(map(is_operand, value))


def _cast(scope: Scope, definition: OpDef, inputs: Sequence[object], wrong: set[int]) -> list[object]:
    """The inputs, where each of a wrong type is replaced by an operand of a type that its input takes."""
    result = list(inputs)
    for place in wrong:
        value = inputs[place]
        if is_operand(value):
            taken: type[Any] = _taken(definition, definition.inputs[place], inputs)
            result[place] = later.core.Placeholder.create(scope, taken, value.shape)
    return result


def _taken(definition: OpDef, input_def: InputDef, inputs: Sequence[object]) -> type[TType]:
    """An element type that an input takes, the type of other operands of the same type variable if possible."""
    allowed = _allowed(definition, input_def)
    others = zip(definition.inputs, inputs, strict=True)
    beside = [each.dtype for other, each in others if other.type == input_def.type and is_operand(each)]
    return next((dtype for dtype in beside if dtype in allowed), min(allowed, key=lambda dtype: dtype.enum))


def _shown(value: object) -> str:
    if is_operand(value):
        return f"{value.dtype.name}"
    if isinstance(value, (list, tuple)) and _holds_operands(value):
        return f"a list of {counted(len(value), 'operand')}"
    return brief(value)
