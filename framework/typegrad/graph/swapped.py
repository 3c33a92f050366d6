"""Two inputs of an operation that are in each other's place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import permutations, product
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from typegrad.base.brief import brief, counted
from typegrad.base.errors import DTypeError, ShapeError, TypegradError
from typegrad.base.types import TType
from typegrad.graph import later
from typegrad.graph.definition import InputDef, OpDef
from typegrad.graph.input_order import MOST, in_order, mended_also, mended_shapes, swap, swaps
from typegrad.graph.operand import Output
from typegrad.graph.operand_like import is_operand
from typegrad.graph.tensors import is_allowed

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["swapped"]

_Fits: TypeAlias = Callable[[Sequence[object]], bool]
_FitsWith: TypeAlias = Callable[[dict[str, Any], Sequence[object]], bool]


def swapped(
    scope: Scope,
    definition: OpDef,
    attrs: dict[str, Any],
    inputs: Sequence[object],
    groups: Sequence[object],
    error: TypegradError,
    fits_with: _FitsWith,
) -> str:
    """The message of an error, or the one that tells which two inputs to swap, or another order, if that helps.

    Args:
        scope: Where the operation was to go.
        definition: What it is.
        attrs: Its attributes.
        inputs: Its inputs, of which one is wrong.
        groups: Those that were converted to outputs.
        error: What is wrong.
        fits_with: Whether the operation takes these attributes and inputs in their place.

    """
    fits = partial(fits_with, attrs)
    named = dict(zip((each.name for each in definition.inputs), inputs, strict=True))
    message = None
    if isinstance(error, DTypeError):
        message = _of_types(scope, definition, named, str(error), fits)
        message = message or _in_another_order(scope, definition, attrs, named, fits_with)
        message = message or _with_list(scope, definition, attrs, named, fits_with)
    elif isinstance(error, ShapeError):
        shapes = {name: each.shape for name, each in zip(named, groups, strict=False) if isinstance(each, Output)}
        message = mended_shapes(named, shapes, lambda exchanged: fits([*exchanged.values()]))
    return message or str(error)


def _of_types(scope: Scope, definition: OpDef, inputs: Mapping[str, object], error: str, fits: _Fits) -> str | None:
    """The message for inputs of wrong element types that fit in each other's place; None if no two do."""
    wrong = {each.name for each in definition.inputs if not _is_taken(definition, each, inputs[each.name])}
    for pair, exchanged in swaps(inputs, wrong):
        if not fits([*exchanged.values()]):
            continue
        if wrong.issuperset(pair) or not fits(_cast(scope, definition, [*inputs.values()], wrong)):
            return f"input {swap(pair, lambda name: f'`{name}` is {_shown(inputs[name])}')}"
        return mended_also(error, pair)
    return None


def _in_another_order(
    scope: Scope, definition: OpDef, attrs: dict[str, Any], inputs: Mapping[str, object], fits: _FitsWith
) -> str | None:
    """The message for inputs and numbers that fit in another order; None if none fits, or a cast mends them."""
    wrong = next((each for each in definition.inputs if not _is_taken(definition, each, inputs[each.name])), None)
    numbers = {each.name: attrs[each.name] for each in definition.attrs if each.kind == "int" and each.name in attrs}
    arguments = {**inputs, **numbers}
    if wrong is None or not numbers or len(arguments) > MOST or not is_operand(inputs[wrong.name]):
        return None
    if fits(attrs, _cast(scope, definition, [*inputs.values()], {wrong.name})):
        return None
    # Of any shapes: those may be wrong as well, which the next error is about.
    of_any_shape = {name: _of_any_shape(scope, value) for name, value in arguments.items()}
    for values in permutations(of_any_shape.values()):
        order = dict(zip(arguments, values, strict=True))
        others = {name: order[name] for name in numbers}
        if not any(map(is_operand, others.values())) and fits({**attrs, **others}, [order[name] for name in inputs]):
            return f"input `{wrong.name}` is {_shown(inputs[wrong.name])}; {in_order(definition.class_name, arguments)}"
    return None


def _with_list(
    scope: Scope, definition: OpDef, attrs: dict[str, Any], inputs: Mapping[str, object], fits: _FitsWith
) -> str | None:
    """The message for what is in the place of a list of operands, and has the list in its own; None if nothing is."""
    arguments = {**attrs, **inputs}
    lists = [each.name for each in definition.inputs if each.kind != "one" and not _is_list(inputs[each.name])]
    for name, other in product(lists, [other for other, value in arguments.items() if _is_list(value)]):
        given = {**arguments, name: _of_any_shape(scope, arguments[other]), other: arguments[name]}
        if fits({each: given[each] for each in attrs}, [given[each] for each in inputs]):
            return f"input {swap((name, other), lambda each: f'`{each}` is {_shown(arguments[each])}')}"
    return None


def _of_any_shape(scope: Scope, value: Any) -> object:
    if _is_list(value):
        return [_of_any_shape(scope, each) for each in value]
    return later.core.Placeholder.create(scope, value.dtype) if is_operand(value) else value


def _is_taken(definition: OpDef, input_def: InputDef, value: object) -> bool:
    """Whether an input takes the element type of a value, or the list that it is."""
    if value is None:
        return input_def.default is not None
    if input_def.kind != "one":
        return _is_list(value)
    allowed = _allowed(definition, input_def)
    if is_operand(value):
        return value.dtype in allowed
    if _holds_operands(value):
        return bool(input_def.integers)
    return is_allowed(value, allowed)


def _allowed(definition: OpDef, input_def: InputDef) -> Collection[type[TType]]:
    return definition.types[input_def.type] if isinstance(input_def.type, str) else (input_def.type,)


def _is_list(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, (list, tuple))


def _holds_operands(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return _is_list(value) and any(map(is_operand, value))


def _cast(scope: Scope, definition: OpDef, inputs: Sequence[object], wrong: Collection[str]) -> list[object]:
    """The inputs, where each of a wrong type is replaced by an operand of a type that its input takes."""
    result = list(inputs)
    for place, (input_def, value) in enumerate(zip(definition.inputs, inputs, strict=True)):
        if input_def.name in wrong and is_operand(value):
            taken: type[Any] = _taken(definition, input_def, inputs)
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
    if _holds_operands(value):
        return f"a list of {counted(len(value), 'operand')}"
    return brief(value)
