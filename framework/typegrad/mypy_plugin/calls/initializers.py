"""Calls of initializers: `GlorotUniform()(scope, (784, 10), tg.TFloat32)` has the shape (784, 10)."""

from __future__ import annotations

from typing import Final

from mypy.plugin import MethodContext
from mypy.types import AnyType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.dims import shape_type
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.calls.shape_variables import shape_variable
from typegrad.mypy_plugin.values.arguments import arguments
from typegrad.mypy_plugin.values.evaluation import evaluate, shape_value

__all__ = ["INITIALIZER", "initializer_hook"]

INITIALIZER: Final = "typegrad.training.initializers.initializer.Initializer"


def initializer_hook(ctx: MethodContext) -> Type:
    """The type of the value, with the requested shape if the initializer's own result type has none."""
    result = get_proper_type(ctx.default_return_type)
    operand = base_of(result, OPERAND)
    if operand is None or not isinstance(result, Instance) or result.type.fullname != OPERAND:
        return result
    shape = get_proper_type(operand.args[1])
    if not isinstance(shape, Instance) or not isinstance(get_proper_type(shape.args[0]), AnyType):
        return result
    argument = arguments(ctx)["shape"]
    static = shape_variable(ctx.api, argument.expr)
    if static is None:
        sizes = shape_value(ctx.api, evaluate(ctx.api, argument.expr, argument.type))
        static = shape_type(ctx.api, sizes, is_gradual=False)
    if static is None:
        return result
    return result.copy_modified(args=[operand.args[0], static])
