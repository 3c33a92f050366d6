"""Arguments of an operation that are in each other's place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import permutations
from typing import TypeAlias

from attrs import evolve
from mypy.types import AnyType, Instance, get_proper_type

from typegrad.base.brief import brief
from typegrad.base.errors import TypegradError
from typegrad.base.shape import Shape
from typegrad.base.types import TIntegral, TType
from typegrad.graph.input_order import MOST, in_order, mended_also, mended_shapes, swap, swaps
from typegrad.mypy_plugin.base.dtypes import InputType, find_problem, leaf_of, type_name
from typegrad.mypy_plugin.base.operands import OPERAND, operand_of
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.types.symbols import any_tuple, class_info, element_type
from typegrad.mypy_plugin.values.arguments import Argument
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.static_values import is_known

__all__ = ["misplaced_number", "swapped", "swapped_shapes"]

_Inferred: TypeAlias = Callable[[Call], tuple[Shape, ...] | TypegradError]


def swapped(call: Call, args: Mapping[str, Argument], problem: str, inferred: _Inferred) -> str | None:
    """What is in the place of what; None unless the call fits with its arguments in another order.

    Args:
        call: A call with an input of a wrong element type.
        args: Its arguments.
        problem: The error message about it.
        inferred: The shapes of the outputs of a call, or its error; nothing if too little is known.

    """
    wrong = _wrong(call)
    if wrong is None:
        return None
    if _is_mended_by_cast(call, wrong, inferred):
        return _mended_also(call, args, wrong, problem, inferred)
    orders = [each for each in _orders(call, args, wrong.name) if not _is_of_unknown(call, args, each)]
    for order in orders:
        if _fits(call, {**args, **order}, inferred):
            return _message(call, args, order, wrong)
    # Shapes may be wrong as well, which the next error is about.
    for order in orders:
        if len(order) == MOST and _fits(call, {**args, **_of_any_shape(call, order)}, inferred):
            return _message(call, args, order, wrong)
    # Integers are labels or indices, which are seldom cast where other numbers are taken.
    is_whole = (leaf := leaf_of(wrong.dtype)) is not None and issubclass(leaf, TIntegral)
    return _mended_also(call, args, wrong, problem, inferred) if is_whole else None


def _mended_also(
    call: Call, args: Mapping[str, Argument], wrong: InputType, problem: str, inferred: _Inferred
) -> str | None:
    """The error message for an input that fits once it is cast, if another one fits in its place as well."""
    pairs = (pair for pair, each in swaps(_inputs(call, args), [wrong.name]) if _fits(call, each, inferred))
    pair = next(pairs, None)
    return None if pair is None else mended_also(problem, pair)


def _is_of_unknown(call: Call, args: Mapping[str, Argument], order: Mapping[str, Argument]) -> bool:
    """Whether one of two inputs in each other's place is of unknown element type, and so fits anywhere."""
    types = {each.name: get_proper_type(each.dtype) for each in call.input_types}
    return len(order) == 2 and any(
        isinstance(types.get(name), AnyType) for name in order if args[name] is not order[name]
    )


def swapped_shapes(call: Call, args: Mapping[str, Argument], inferred: _Inferred) -> str | None:
    """The same of a call with an input of a wrong shape."""
    shapes = {name: shape for name, shape in call.shapes.items() if isinstance(shape, Shape)}
    return mended_shapes(_inputs(call, args), shapes, lambda inputs: _fits(call, {**args, **inputs}, inferred))


def misplaced_number(call: Call, args: Mapping[str, Argument], inferred: _Inferred) -> str | None:
    """The error message for an integer in the place of an array, beside what may be the array."""
    inputs, definition = _inputs(call, args), call.definition.op
    taken = {each.name: each.integers for each in definition.inputs}
    values = {name: evaluate(call.api, each.expr, each.type) for name, each in inputs.items() if not taken[name]}
    numbers = [name for name, value in values.items() if type(value) is int]
    for pair, exchanged in swaps(inputs, numbers):
        beside = [name for name in pair if taken[name] and isinstance(get_proper_type(inputs[name].type), AnyType)]
        if beside and _fits(call, {**args, **exchanged}, inferred):
            name = next(each for each in pair if each in numbers)
            order = in_order(definition.class_name, _ordered(call, args))
            return f"{definition.class_name}: {name} is {values[name]}; {order}"
    return None


def _ordered(call: Call, args: Mapping[str, Argument]) -> list[str]:
    """The names of the inputs and numbers of a call, in their order."""
    numbers = [each.name for each in call.definition.op.attrs if each.kind == "int" and each.name in args]
    return [*_inputs(call, args), *numbers]


def _inputs(call: Call, args: Mapping[str, Argument]) -> dict[str, Argument]:
    """The inputs that are no lists, by name."""
    return {
        each.name: args[each.name] for each in call.definition.op.inputs if each.kind == "one" and each.name in args
    }


def _fits(call: Call, args: Mapping[str, Argument], inferred: _Inferred) -> bool:
    """Whether a call takes other arguments."""
    other = Call(call.definition, call.api)
    other.take(args)
    return find_problem(call.definition.op, other.input_types) is None and _is_right(inferred(other))


def _orders(call: Call, args: Mapping[str, Argument], wrong: str) -> Iterator[Mapping[str, Argument]]:
    """Other orders of the inputs and numbers of a call, those with two in each other's place first."""
    inputs = _inputs(call, args)
    numbers = [each.name for each in call.definition.op.attrs if each.kind == "int" and each.name in args]
    for pair, exchanged in swaps(inputs, [wrong]):
        yield {name: exchanged[name] for name in pair}
    names = _ordered(call, args)
    if len(names) > MOST:
        return
    for given in permutations([args[name] for name in names]):
        order = dict(zip(names, given, strict=True))
        if not any(operand_of(order[name].type) for name in numbers):
            yield order


def _of_any_shape(call: Call, args: Mapping[str, Argument]) -> dict[str, Argument]:
    """The arguments, the operands with an unknown shape."""
    info, anything = class_info(call.api, OPERAND), any_tuple(call.api)
    operands = {name: operand for name, each in args.items() if (operand := operand_of(each.type)) is not None}
    opened = {name: evolve(args[name], type=Instance(info, [each.dtype, anything])) for name, each in operands.items()}
    return {**args, **opened}


def _message(call: Call, args: Mapping[str, Argument], order: Mapping[str, Argument], wrong: InputType) -> str:
    class_name, names = call.definition.op.class_name, list(order)
    if len(names) == 2:
        told = swap((names[0], names[1]), lambda name: f"{name} is {_shown(call, args[name])}")
        return f"{class_name}: {told}"
    return f"{class_name}: {wrong.name} is {type_name(wrong.dtype)}; {in_order(class_name, names)}"


def _wrong(call: Call) -> InputType | None:
    """The first operand whose element type its input does not take."""
    alone = (each for each in call.input_types if find_problem(call.definition.op, [each]) is not None)
    return next(alone, None)


def _is_right(shapes: tuple[Shape, ...] | TypegradError) -> bool:
    return isinstance(shapes, tuple) and len(shapes) > 0


def _is_mended_by_cast(call: Call, wrong: InputType, inferred: _Inferred) -> bool:
    """Whether the call may be right once the operand is cast."""
    leaf = _leaf_for(call, wrong)
    cast = evolve(wrong, dtype=element_type(call.api, leaf))
    types = [cast if each is wrong else each for each in call.input_types]
    return find_problem(call.definition.op, types) is None and isinstance(inferred(call), tuple)


def _leaf_for(call: Call, wrong: InputType) -> type[TType]:
    """An element type that an input takes, the type of other operands of the same type variable if possible."""
    if not isinstance(wrong.declared, str):
        return wrong.declared
    allowed = call.definition.op.types[wrong.declared]
    beside = [leaf_of(each.dtype) for each in call.input_types if each.declared == wrong.declared]
    return next((each for each in beside if each in allowed), min(allowed, key=lambda each: each.enum))


def _shown(call: Call, argument: Argument) -> str:
    operand = operand_of(argument.type)
    value = evaluate(call.api, argument.expr, argument.type)
    return type_name(operand.dtype) if operand is not None else brief(value) if is_known(value) else "a number"
