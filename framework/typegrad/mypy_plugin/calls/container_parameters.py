"""Parameters that hold several operands: `list[Operand[F, S]]`, `tuple[Operand[F, S], Operand[F, S]]`, `*ys`, `**ys`.

mypy takes the shape that all of them share for S, which is no shape in particular, and says of element types that
differ that it cannot infer one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from mypy.nodes import ARG_NAMED, ARG_POS, ARG_STAR, ARG_STAR2, ArgKind, DictExpr, Expression, StrExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.values.arguments import Argument, listed
from typegrad.mypy_plugin.values.exact import exact_type
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.objects import items_in
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["Held", "Part", "held_by", "parts"]

Held: TypeAlias = Sequence[Instance | None]
"""The operands that a tuple holds, or a single one for each item of another container."""
Part: TypeAlias = tuple[str, Instance, Type]
"""An item in words, as `ys[0]`, the operand that it should be, and its type."""


def held_by(function: CallableType) -> dict[str, Held]:
    """The operands that each parameter holds, if it is a container of operands."""
    rows = zip(function.arg_names, function.arg_types, function.arg_kinds, strict=True)
    held = {name: _held(type_, kind) for name, type_, kind in rows if name}
    return {name: operands for name, operands in held.items() if any(operands)}


def _held(type_: Type, kind: ArgKind) -> Held:
    proper = get_proper_type(type_)
    if kind in (ARG_STAR, ARG_STAR2):
        return [base_of(proper, OPERAND)]
    if isinstance(proper, TupleType):
        return [base_of(item, OPERAND) for item in proper.items]
    container = base_of(proper, "typing.Mapping") or base_of(proper, "typing.Iterable")
    return [] if container is None else [base_of(container.args[-1], OPERAND)]


def parts(ctx: FunctionContext | MethodContext, held: Mapping[str, Held]) -> Iterator[Part]:
    """The items of such arguments, as far as they are known."""
    for position, name in enumerate(ctx.callee_arg_names):
        operands = held.get(name or "", ())
        items = list(_items(ctx, position)) if operands else []
        expected = list(operands) * len(items) if len(operands) == 1 else operands
        for (key, type_), operand in zip(items, expected, strict=False):
            if operand is not None:
                yield f"{name}[{key}]", operand, type_


def _items(ctx: FunctionContext | MethodContext, position: int) -> Iterator[tuple[str, Type]]:
    """The items of an argument, or the arguments of `*ys` and `**ys`, each with its index or key."""
    exprs, types, kinds = ctx.args[position], ctx.arg_types[position], ctx.arg_kinds[position]
    names = ctx.arg_names[position]
    if len(exprs) > 1 or (exprs and kinds[0] is ARG_NAMED and names[0] != ctx.callee_arg_names[position]):
        if set(kinds) <= {ARG_POS, ARG_NAMED}:
            keys = [str(index) if name is None else f'"{name}"' for index, name in enumerate(names)]
            yield from zip(keys, types, strict=True)
    elif exprs and kinds[0] in (ARG_POS, ARG_NAMED):
        of_kind = _of_dict if base_of(types[0], "typing.Mapping") is not None else _of_list
        yield from of_kind(ctx.api, exprs[0], types[0])


def _of_dict(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Iterator[tuple[str, Type]]:
    if isinstance(expr, DictExpr):
        pairs = [(key, value) for key, value in expr.items if isinstance(key, StrExpr)]
        items = {key.value: expression_type(api, value) for key, value in pairs}
    else:
        items = dict(items_in(exact_type(api, expr, type_)) or {})
    for key, item in items.items():
        yield f'"{key}"', item


def _of_list(api: CheckerPluginInterface, expr: Expression, type_: Type) -> Iterator[tuple[str, Type]]:
    with suppress(NotStatic):
        items = listed(api, Argument(expr, exact_type(api, expr, type_)))
        if not any(each.is_many for each in items):
            yield from ((str(index), each.type) for index, each in enumerate(items))
