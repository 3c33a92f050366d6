"""Sizes that parameters declare as arithmetic with type variables: the `Times[Heads, Width]` of a layer's input.

To mypy, no other size is one of these. So a call is checked with any int in their place, and the sizes are compared
here, for the values of the type variables. A type variable that no other argument tells is solved for, as N in
`def halves(x: Operand[F, tuple[Times[Literal[2], N]]])`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from mypy.checkexpr import has_uninhabited_component
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

from typegrad.base.errors import ShapeError
from typegrad.base.shape import Dim, Shape
from typegrad.base.size import Size, bind, exact_quotient, has_floor, minus, names_of, parts_of, times
from typegrad.base.size_ranges import differ
from typegrad.mypy_plugin.base.dims import ARITHMETIC, Name, Rest, dim_of, dim_type, is_variable, shape_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.calls.stated_sizes import Stated

__all__ = ["is_derived", "sizes_of_class", "with_any_size", "with_solved", "wrong_derived"]

_TRIED: Final = range(3)
"""Sizes of a type variable that tell whether arithmetic is linear in it."""


def is_derived(dim: Dim) -> bool:
    """Whether a dimension is arithmetic with type variables."""
    return isinstance(dim, Size) and any(map(is_variable, names_of(dim)))


def with_any_size(type_: Type, any_size: Type) -> Type:
    """The type of an operand with any size in the place of arithmetic."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return UnionType.make_union([with_any_size(item, any_size) for item in proper.items])
    shape = get_proper_type(proper.args[-1]) if isinstance(proper, Instance) and proper.args else None
    if not isinstance(proper, Instance) or not isinstance(shape, TupleType):
        return type_
    items = [any_size if _is_arithmetic(item) else item for item in shape.items]
    return proper.copy_modified(args=[*proper.args[:-1], shape.copy_modified(items=items)])


def _is_arithmetic(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname in ARITHMETIC


def with_solved(api: CheckerPluginInterface, type_: Type, values: Stated) -> Type:
    """The type of a new object with the sizes that mypy has not inferred, `Any` where they are unknown."""
    proper = get_proper_type(type_)
    if (
        not isinstance(proper, Instance)
        or base_of(proper, OPERAND)
        or not any(map(has_uninhabited_component, proper.args))
    ):
        return type_
    known = _known_sizes(values)
    sizes = [known.get(dim) if isinstance(dim := dim_of(each), Name) else None for each in proper.type.defn.type_vars]
    pairs = zip(proper.args, sizes, strict=True)
    return proper.copy_modified(
        args=[dim_type(api, size, is_gradual=True) if has_uninhabited_component(each) else each for each, size in pairs]
    )


def sizes_of_class(ctx: FunctionContext | MethodContext) -> Stated:
    """The sizes in the type of the object whose method is called, as in `Linear[Literal[64], Literal[10]]`."""
    type_ = get_proper_type(ctx.type) if isinstance(ctx, MethodContext) else None
    if not isinstance(type_, Instance) or not isinstance(ctx, MethodContext):
        return {}
    fallback = ctx.api.named_generic_type("builtins.tuple", [ctx.default_return_type])
    names = (dim_of(each) for each in type_.type.defn.type_vars)
    sizes = shape_of(TupleType(list(type_.args), fallback)).shape.dims or ()
    pairs = zip(names, sizes, strict=False)
    return {name: ("", Shape((size,))) for name, size in pairs if is_variable(name) and size is not None}


def wrong_derived(sizes: Iterable[tuple[str, Dim, Dim]], values: Stated) -> str:
    """What is wrong with the sizes of arguments, each with its parameter and what that declares.

    `values` gets the type variables that are solved for.
    """
    for parameter, declared, size in sizes:
        known = _known_sizes(values)
        unknown = [each for each in names_of(declared) if is_variable(each) and each not in known]
        shown = f"{declared} is {size} in {parameter}"
        try:
            bound = bind(declared, known)
            if not unknown and None not in (bound, size) and differ(bound, size):
                if str(bound) == str(declared):
                    return f"{declared} is declared, but {size} passed, in {parameter}"
                return f"{declared} is {bound}{_reasons(declared, values)}, but {size} in {parameter}"
            solution = _solution(bound, unknown[0], size) if len(unknown) == 1 else None
            if solution is not None:
                values[unknown[0]] = parameter, Shape((solution,))
        except ShapeError as error:
            return f"{shown}, but {error}"
    return ""


def _known_sizes(values: Stated) -> Mapping[str, Dim]:
    sizes = {name: shape.known()[0] for name, (_, shape) in values.items() if not isinstance(name, Rest)}
    return {name: size for name, size in sizes.items() if size is not None}


def _reasons(declared: Dim, values: Stated) -> str:
    """The values of the type variables, with the parameters that they were passed for."""
    names = sorted((each for each in names_of(declared) if isinstance(each, Name) and each in values), key=str)
    known = [(str(name), str(values[name][1].known()[0]), values[name][0]) for name in names]
    told = [f"{name} is {size}{_place(parameter)}" for name, size, parameter in known if name != size]
    return f", since {' and '.join(told)}" if told else ""


def _place(parameter: str) -> str:
    return f" in {parameter}" if parameter else ""


def _solution(declared: Dim, unknown: Name, size: Dim) -> Dim:
    """The size of a type variable for which arithmetic is a size, None if unknown. A `ShapeError` if there is none."""
    _, divisor = parts_of(declared)
    whole = times((declared, divisor))
    zero, one, two = (bind(whole, {unknown: each}) for each in _TRIED)
    slope = minus(one, zero)
    if has_floor(declared) or None in (size, slope) or minus(two, one) != slope:
        return None
    value = exact_quotient(minus(times((size, divisor)), zero), slope)
    if isinstance(value, int) and value < 0:
        raise ShapeError(f"{unknown} cannot be {value}")
    return value
