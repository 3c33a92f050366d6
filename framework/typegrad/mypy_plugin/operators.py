"""Python operators on operands: `x + y`, `x @ w`, `x[0:2]`."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen
from mypy.nodes import EllipsisExpr, Expression, SliceExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import Instance, LiteralType, ProperType, Type, UnionType, get_proper_type

from typegrad.errors import DTypeError
from typegrad.indexing import index_spec
from typegrad.mypy_plugin.calls import Call
from typegrad.mypy_plugin.dims import StaticShape
from typegrad.mypy_plugin.dtypes import find_problem, leaf_of, leaves_below, leaves_of, type_name
from typegrad.mypy_plugin.errors import DTYPE, report
from typegrad.mypy_plugin.literals import MISSING, NotStatic, evaluate, expression_type
from typegrad.mypy_plugin.operands import StaticOperand, operand_of
from typegrad.mypy_plugin.operations import finish
from typegrad.mypy_plugin.registry import definition_of
from typegrad.shape import SCALAR
from typegrad.types import TBool, TComplex, TFloating, TIntegral, TType

__all__ = ["OPERATORS", "index_hook", "operator_hook"]

_BINARY: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lt", "le", "gt", "ge", "and", "or",
)  # fmt: skip
_REFLECTED: Final = frozenset(f"__r{name}__" for name in _BINARY)
OPERATORS: Final = frozenset(f"__{name}__" for name in (*_BINARY, "neg", "abs", "invert")) | _REFLECTED
"""The methods behind operators, but for `__getitem__`."""

_NUMBERS: Final[dict[str, tuple[type[TType], ...]]] = {
    "builtins.bool": (TBool, TIntegral, TFloating, TComplex),
    "builtins.int": (TIntegral, TFloating, TComplex),
    "builtins.float": (TFloating, TComplex),
    "builtins.complex": (TComplex,),
}
"""Which element types a Python number may become."""


def operator_hook(ctx: MethodContext, method: str) -> Type:
    """The type of the operation that an operator makes."""
    own = operand_of(ctx.type)
    others = [get_proper_type(types[0]) for types in ctx.arg_types if types]
    operands = [own, *(_operand(other, own) for other in others)]
    known = [operand for operand in operands if operand is not None]
    if own is None or len(known) < len(operands):
        return ctx.default_return_type
    if method in _REFLECTED:
        known.reverse()
    choices = _items(ctx.default_return_type)
    call = _call(ctx, choices[0], known)
    if call is None:
        return ctx.default_return_type
    problem = _number_problem(call, own, others, is_reflected=method in _REFLECTED) or find_problem(
        call.definition.op, call.held
    )
    if problem:
        report(ctx.api, DTYPE, f"{call.definition.op.class_name}: {problem}", ctx.context)
        return ctx.default_return_type
    if len(choices) == 1:
        return finish(call, ctx, choices[0])
    return _product(ctx, choices, known)


def _items(type_: Type) -> list[ProperType]:
    proper = get_proper_type(type_)
    return [get_proper_type(item) for item in proper.items] if isinstance(proper, UnionType) else [proper]


def _operand(type_: ProperType, own: StaticOperand | None) -> StaticOperand | None:
    """The other operand; a Python number becomes a scalar of the same element type."""
    if own is not None and _number(type_) is not None:
        return StaticOperand(own.dtype, StaticShape(SCALAR, is_gradual=False))
    return operand_of(type_)


def _number(type_: ProperType) -> str | None:
    instance = type_.fallback if isinstance(type_, LiteralType) else type_
    return instance.type.fullname if isinstance(instance, Instance) and instance.type.fullname in _NUMBERS else None


def _number_problem(call: Call, own: StaticOperand, others: list[ProperType], *, is_reflected: bool) -> str | None:
    number = _number(others[0]) if others else None
    found = leaves_of(own.dtype)
    if number is None or found is None or found <= leaves_below(*_NUMBERS[number]):
        return None
    names = [spec.name for spec in call.definition.op.inputs]
    mine, other = reversed(names) if is_reflected else names
    kind = number.removeprefix("builtins.")
    return f"{mine} is {type_name(own.dtype)} but {other} is a Python {kind}; cast {mine} with dtypes.Cast"


def _call(ctx: MethodContext, result: ProperType, operands: list[StaticOperand]) -> Call | None:
    definition = definition_of(ctx.api, result)
    if definition is None or len(definition.op.inputs) != len(operands):
        return None
    call = Call(definition, ctx.api)
    for spec, operand in zip(definition.op.inputs, operands, strict=True):
        call.take_operand(spec, operand)
    call.take_rest({})
    stated = [name for name in definition.op.types if name not in definition.fixed_types]
    if isinstance(result, Instance) and len(stated) == 1:
        leaf = leaf_of(result.args[0])
        if leaf is not None:
            call.attrs[stated[0]] = leaf
    return call


def _product(ctx: MethodContext, choices: list[ProperType], operands: list[StaticOperand]) -> Type:
    """`a @ b` is a `MatMul` of two matrices, and a `BatchMatMul` otherwise; either, if the ranks are not known."""
    ranks = [operand.static.shape.rank for operand in operands]
    if all(rank == 2 for rank in ranks):
        chosen = choices[0]
    elif any(rank not in (None, 2) for rank in ranks):
        chosen = choices[1]
    else:
        return ctx.default_return_type
    call = _call(ctx, chosen, operands)
    return ctx.default_return_type if call is None else finish(call, ctx, chosen)


# Indexing


@frozen
class _Unknown:
    """An integer in an index that is not known before the program runs: what a scalar operand is when the graph is built."""

    rank: int = 0

    def as_output(self) -> _Unknown:
        return self

    def __add__(self, other: int) -> _Unknown:
        return self


def index_hook(ctx: MethodContext) -> Type:
    """The type of `x[...]`."""
    own = operand_of(ctx.type)
    result = get_proper_type(ctx.default_return_type)
    definition = definition_of(ctx.api, result)
    if own is None or definition is None:
        return result
    try:
        spec = index_spec(_index(ctx.api, ctx.args[0][0], ctx.arg_types[0][0]))
    except NotStatic:
        return result
    except DTypeError as error:
        report(ctx.api, DTYPE, f"{definition.op.class_name}: {error}", ctx.context)
        return result
    call = Call(definition, ctx.api)
    source, *bounds = definition.op.inputs
    call.take_operand(source, own)
    for each, elements in zip(bounds, (spec.begin, spec.end, spec.strides), strict=True):
        call.take_value(each, tuple(MISSING if isinstance(element, _Unknown) else element for element in elements))
    call.take_rest({})
    call.attrs.update(spec.masks)
    return finish(call, ctx, result)


def _index(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    """The value of an index, with `_Unknown` for integers that are not known."""
    if isinstance(expr, TupleExpr):
        return tuple(_index(api, item, expression_type(api, item)) for item in expr.items)
    if isinstance(expr, EllipsisExpr):
        return ...
    if isinstance(expr, SliceExpr):
        parts = (expr.begin_index, expr.end_index, expr.stride)
        return slice(*(None if part is None else _index(api, part, expression_type(api, part)) for part in parts))
    value = evaluate(api, expr, type_)
    if value is None or isinstance(value, int):
        return value
    proper = get_proper_type(type_)
    is_operand = isinstance(proper, Instance) and operand_of(proper) is not None
    if is_operand or (isinstance(proper, Instance) and proper.type.has_base("builtins.int")):
        return _Unknown()
    raise NotStatic
