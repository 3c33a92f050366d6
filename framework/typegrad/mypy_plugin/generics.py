"""Users' functions with sizes or shapes as type variables.

In `def project(x: Operand[F, tuple[M, N]], w: Operand[F, tuple[N, K]])` sizes are covariant, so mypy alone accepts 9
for the N of `x` and 8 for the N of `w`: it infers `int`. The same holds for the shapes of `def add(x: Operand[F, S], y:
Operand[F, S])`. Here each type variable must have a single value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mypy.nodes import FuncDef, SymbolNode
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, TupleType, Type, TypeVarLikeType, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import Size
from typegrad.base.size_ranges import differ
from typegrad.mypy_plugin.calls import arguments
from typegrad.mypy_plugin.dims import Name, Rest, dim_of, shape_of, shape_type
from typegrad.mypy_plugin.errors import SHAPE, report
from typegrad.mypy_plugin.operands import OPERAND, base_of, operand_of

__all__ = ["generic_hook", "sized_parameters"]


def sized_parameters(function: SymbolNode | None) -> dict[str, Shape]:
    """The shapes of the parameters that are operands with a type variable as a size, or for any number of them."""
    type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    if not isinstance(type_, CallableType):
        return {}
    operands = {name: base_of(each, OPERAND) for name, each in zip(type_.arg_names, type_.arg_types, strict=True)}
    statics = {name: shape_of(base.args[1]) for name, base in operands.items() if name and base is not None}
    shapes = {name: static.pattern or static.shape for name, static in statics.items()}
    return {name: shape for name, shape in shapes.items() if any(map(_is_variable, shape.dims or ()))}


def _is_variable(dim: Dim) -> bool:
    return isinstance(dim, Name) and isinstance(dim.type, TypeVarLikeType)


def generic_hook(ctx: FunctionContext | MethodContext, name: str, parameters: dict[str, Shape]) -> Type:
    """Check that every type variable has a single value; the result type with its sizes in normal form."""
    args = arguments(ctx)
    values: dict[Dim, tuple[str, Shape]] = {}
    for parameter, shape in parameters.items():
        operand = operand_of(args[parameter].type) if parameter in args else None
        dims = None if operand is None else operand.static.shape.dims
        for variable, value in _matched(shape.known(), dims):
            first, before = values.setdefault(variable, (parameter, value))
            if _disagree(before, value):
                told = [str(each) if isinstance(variable, Rest) else str(each)[1:-1] for each in (before, value)]
                short = str(variable).removeprefix("*")
                message = f"{name}: {short} is {told[0]} in {first}, but {told[1]} in {parameter}"
                report(ctx.api, SHAPE, message, ctx.context)
    return _in_normal_form(ctx.api, ctx.default_return_type)


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
