"""Users' functions with sizes, shapes or element types as type variables.

In `def project(x: Operand[F, tuple[M, N]], w: Operand[F, tuple[N, K]])` sizes are covariant, so mypy alone accepts 9
for the N of `x` and 8 for the N of `w`: it infers `int`. The same holds for the shapes of `def add(x: Operand[F, S], y:
Operand[F, S])`. Of element types that differ it says that it cannot infer one. Here each type variable must have a
single value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen
from mypy.expandtype import expand_type
from mypy.nodes import FuncDef, SymbolNode
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext, MethodContext, MethodSigContext
from mypy.subtypes import is_same_type
from mypy.typeops import get_all_type_vars
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeVarId,
    TypeVarLikeType,
    TypeVarType,
    get_proper_type,
)

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import Size
from typegrad.base.size_ranges import differ
from typegrad.mypy_plugin.arguments import Argument, arguments
from typegrad.mypy_plugin.dims import Name, Rest, dim_of, shape_of, shape_type
from typegrad.mypy_plugin.dtypes import type_name
from typegrad.mypy_plugin.errors import DTYPE, SHAPE, report
from typegrad.mypy_plugin.operands import OPERAND, base_of, operand_of

__all__ = ["Parameters", "generic_hook", "generic_signature", "parameters_of"]

_FIRST_ID: Final = -2000
"""Below the ids of the type variables of signatures, also of those that `signatures` adds."""


@frozen
class Parameters:
    """The parameters of a function that are operands with type variables."""

    sizes: Mapping[str, Shape]
    """The shapes with a type variable as a size, or for any number of sizes."""
    elements: Mapping[str, TypeVarType]
    """The element types that several parameters have in common."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.sizes or self.elements)


def parameters_of(function: SymbolNode | None) -> Parameters:
    """The parameters of a function that are to be checked."""
    type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    if not isinstance(type_, CallableType):
        return Parameters({}, {})
    bases = {name: base_of(each, OPERAND) for name, each in zip(type_.arg_names, type_.arg_types, strict=True)}
    operands = {name: base for name, base in bases.items() if name and base is not None}
    statics = {name: shape_of(base.args[1]) for name, base in operands.items()}
    shapes = {name: static.pattern or static.shape for name, static in statics.items()}
    sizes = {name: shape for name, shape in shapes.items() if any(map(_is_variable, shape.dims or ()))}
    return Parameters(sizes, _elements(type_, operands))


def _elements(function: CallableType, operands: Mapping[str, Instance]) -> dict[str, TypeVarType]:
    """The variables that are the element type of several operands, and that occur in no other kind of parameter."""
    types = {name: get_proper_type(operand.args[0]) for name, operand in operands.items()}
    variables = {name: type_ for name, type_ in types.items() if isinstance(type_, TypeVarType)}
    uses = Counter(variable.id for type_ in function.arg_types for variable in get_all_type_vars(type_))
    counts = Counter(variable.id for variable in variables.values())
    return {name: each for name, each in variables.items() if 1 < counts[each.id] == uses[each.id]}


def _is_variable(dim: Dim) -> bool:
    return isinstance(dim, Name) and isinstance(dim.type, TypeVarLikeType)


def generic_signature(ctx: FunctionSigContext | MethodSigContext, parameters: Parameters) -> CallableType:
    """The signature with an element type of its own for each operand, so that `generic_hook` can name them."""
    signature = ctx.default_signature
    fresh: list[TypeVarLikeType] = []
    first: set[str] = set()
    types = list(signature.arg_types)
    for position, name in enumerate(signature.arg_names):
        variable = parameters.elements.get(name or "")
        own = next((each for each in signature.variables if variable and each.name == variable.name), None)
        if variable is None or not isinstance(own, TypeVarType):
            continue
        if variable.name in first:
            fresh.append(own.copy_modified(id=TypeVarId(_FIRST_ID - len(fresh), namespace=own.id.namespace)))
            types[position] = expand_type(types[position], {own.id: fresh[-1]})
        first.add(variable.name)
    return signature.copy_modified(arg_types=types, variables=[*signature.variables, *fresh])


def generic_hook(ctx: FunctionContext | MethodContext, name: str, parameters: Parameters) -> Type:
    """Check that every type variable has a single size or element type."""
    args = arguments(ctx)
    wrong = _wrong_sizes(args, parameters.sizes)
    if wrong:
        report(ctx.api, SHAPE, f"{name}: {wrong}", ctx.context)
    wrong = _wrong_elements(args, parameters.elements)
    if wrong:
        report(ctx.api, DTYPE, f"{name}: {wrong}; cast one with dtypes.Cast", ctx.context)
    return _in_normal_form(ctx.api, ctx.default_return_type)


def _wrong_sizes(args: Mapping[str, Argument], parameters: Mapping[str, Shape]) -> str:
    values: dict[Dim, tuple[str, Shape]] = {}
    for parameter, shape in parameters.items():
        operand = operand_of(args[parameter].type) if parameter in args else None
        dims = None if operand is None else operand.static.shape.dims
        for variable, value in _matched(shape.known(), dims):
            first, before = values.setdefault(variable, (parameter, value))
            if _disagree(before, value):
                shown = [str(each) if isinstance(variable, Rest) else str(each)[1:-1] for each in (before, value)]
                return f"{str(variable).removeprefix('*')} is {shown[0]} in {first}, but {shown[1]} in {parameter}"
    return ""


def _wrong_elements(args: Mapping[str, Argument], parameters: Mapping[str, TypeVarType]) -> str:
    known: dict[TypeVarId, tuple[str, Type]] = {}
    for parameter, variable in parameters.items():
        operand = operand_of(args[parameter].type) if parameter in args else None
        if operand is None or isinstance(get_proper_type(operand.dtype), AnyType):
            continue
        first, dtype = known.setdefault(variable.id, (parameter, operand.dtype))
        if not is_same_type(dtype, operand.dtype):
            other = type_name(operand.dtype)
            return f"{variable.name} is {type_name(dtype)} in {first}, but {other} in {parameter}"
    return ""


def _matched(parameter: Sequence[Dim], dims: tuple[Dim, ...] | None) -> Iterator[tuple[Dim, Shape]]:
    """Each type variable of a parameter, with the dimensions of the argument in its place."""
    rests = [axis for axis, dim in enumerate(parameter) if isinstance(dim, Rest)]
    more = 0 if dims is None else len(dims) - len(parameter)
    if dims is None or more < -len(rests) or (more and not rests):
        return
    start = 0
    for dim in parameter:
        stop = start + (1 + more if isinstance(dim, Rest) else 1)
        if _is_variable(dim):
            yield dim, Shape(dims[start:stop])
        start = stop


def _disagree(first: Shape, second: Shape) -> bool:
    pairs = zip(first.known(), second.known(), strict=False)
    return first.rank != second.rank or any(None not in (a, b) and differ(a, b) for a, b in pairs)


def _in_normal_form(api: CheckerPluginInterface, type_: Type) -> Type:
    """The type of an operand with its sizes in normal form: `Times[N, Literal[2]]` where N is 4 is `Literal[8]`."""
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance) or not proper.args:
        return type_
    shape = get_proper_type(proper.args[-1])
    if not isinstance(shape, TupleType) or not any(isinstance(dim_of(item), Size | int) for item in shape.items):
        return type_
    static = shape_of(shape)
    written = shape_type(api, static.pattern or static.shape, is_gradual=static.is_gradual)
    return type_ if written is None else proper.copy_modified(args=[*proper.args[:-1], written])
