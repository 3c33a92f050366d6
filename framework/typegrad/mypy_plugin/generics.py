"""Users' functions with sizes as type variables: `def project(x: Operand[F, tuple[M, N]], w: Operand[F, tuple[N, K]])`.

Sizes are covariant, so mypy alone accepts 9 for the N of `x` and 8 for the N of `w`: it infers `int`. Here each type
variable must have a single size.
"""

from __future__ import annotations

from mypy.nodes import FuncDef, SymbolNode
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import CallableType, Type, TypeVarType, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.calls import arguments
from typegrad.mypy_plugin.dims import Name, shape_of
from typegrad.mypy_plugin.errors import SHAPE, report
from typegrad.mypy_plugin.operands import OPERAND, base_of, operand_of

__all__ = ["generic_hook", "sized_parameters"]


def sized_parameters(function: SymbolNode | None) -> dict[str, Shape]:
    """The shapes of the parameters that are operands with a type variable as a size."""
    type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    if not isinstance(type_, CallableType):
        return {}
    operands = {name: base_of(each, OPERAND) for name, each in zip(type_.arg_names, type_.arg_types, strict=True)}
    shapes = {name: shape_of(base.args[1]).shape for name, base in operands.items() if name and base is not None}
    return {name: shape for name, shape in shapes.items() if any(map(_is_variable, shape.dims or ()))}


def _is_variable(dim: Dim) -> bool:
    return isinstance(dim, Name) and isinstance(dim.type, TypeVarType)


def generic_hook(ctx: FunctionContext | MethodContext, name: str, parameters: dict[str, Shape]) -> Type:
    """Check that every type variable of a size has a single value."""
    args = arguments(ctx)
    sizes: dict[Dim, tuple[str, Dim]] = {}
    for parameter, shape in parameters.items():
        operand = operand_of(args[parameter].type) if parameter in args else None
        dims = None if operand is None else operand.static.shape.dims
        if dims is None or len(dims) != len(shape.known()):
            continue
        for variable, dim in zip(shape.known(), dims, strict=True):
            if not _is_variable(variable) or dim is None:
                continue
            first, size = sizes.setdefault(variable, (parameter, dim))
            if size != dim:
                message = f"{name}: {_short(variable)} is {_short(size)} in {first}, but {_short(dim)} in {parameter}"
                report(ctx.api, SHAPE, message, ctx.context)
    return ctx.default_return_type


def _short(dim: Dim) -> str:
    return str(Shape((dim,)))[1:-1]
