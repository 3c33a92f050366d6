"""Calls that create or assign variables: the shape of the initial value, and the check of assigned values."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from mypy.nodes import CallExpr, MemberExpr
from mypy.plugin import MethodContext, MethodSigContext
from mypy.types import AnyType, CallableType, Instance, NoneType, Type, get_proper_type

from typegrad.base.handle import Handle
from typegrad.base.shape import SCALAR
from typegrad.graph import later
from typegrad.graph.variable import METHODS
from typegrad.mypy_plugin.arrays.conversion import array_element, wrong_constant
from typegrad.mypy_plugin.arrays.ndarrays import array_shape
from typegrad.mypy_plugin.base.codes import DTYPE
from typegrad.mypy_plugin.base.dims import numbered, shape_of, shape_type
from typegrad.mypy_plugin.base.dtypes import THE_VARIABLE, InputType, leaf_of
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.base.registry import Definition, definition_in
from typegrad.mypy_plugin.base.reporting import report_anyway
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.calls.operations import finish, finish_operand
from typegrad.mypy_plugin.calls.shape_variables import shape_variable, shape_variable_of_array
from typegrad.mypy_plugin.calls.signatures import input_signature, value_signature
from typegrad.mypy_plugin.types.open_shapes import in_generic_shape, with_shapes
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.arguments import arguments
from typegrad.mypy_plugin.values.evaluation import evaluate, shape_value
from typegrad.mypy_plugin.values.sizes_as_values import remember_sizes
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = [
    "ASSIGNMENTS",
    "assign_hook",
    "assign_signature",
    "create_hook",
    "create_signature",
    "gather_hook",
    "gather_signature",
]

ASSIGNMENTS: Final = {
    method.removeprefix("Variable."): operation
    for operation, method in METHODS.items()
    if operation.startswith("Assign")
}
"""The methods that assign, and the operations that they make."""


def create_hook(ctx: MethodContext) -> Type:
    """The type of a new variable, with the shape of its initial value."""
    result = get_proper_type(ctx.default_return_type)
    passed = arguments(ctx)
    args = {name: each for name, each in passed.items() if not isinstance(get_proper_type(each.type), NoneType)}
    if "shape" in args and isinstance(result, Instance):
        static = shape_variable(ctx.api, args["shape"].expr)
        if static is None:
            shape = shape_value(ctx.api, evaluate(ctx.api, args["shape"].expr, args["shape"].type))
            static = shape_type(ctx.api, shape, is_gradual=False)
        return result if static is None else result.copy_modified(args=[result.args[0], static])
    value = passed["initial_value"]
    if "dtype" in args:
        remember_sizes(ctx.api, ctx.context, value)
    wrong = wrong_constant(ctx.api, value, args.get("dtype"))
    if wrong is not None:
        report_anyway(ctx.api, DTYPE, f"Variable.create: initial_value: {wrong}", ctx.context)
        return result
    element = None if "dtype" in args else array_element(ctx.api, value.expr, value.type)
    operand = base_of(value.type, OPERAND)
    if element is None and operand is not None and isinstance(result, Instance):
        return with_shapes(result, result.copy_modified(args=[result.args[0], operand.args[1]]))
    if not isinstance(result, Instance) or (element is None and operand_of(value.type) is not None):
        return result
    if element is not None:
        result = result.copy_modified(args=[element, result.args[1]])
    # For `Any`, mypy tries all overloads, and takes their answer if it is the same.
    is_array = not isinstance(get_proper_type(element or value.type), AnyType)
    static = any_tuple(ctx.api) if is_array and isinstance(get_proper_type(value.type), AnyType) else None
    with suppress(NotStatic):
        shape = array_shape(ctx.api, value.expr, value.type)
        static = shape_type(ctx.api, numbered(shape), is_gradual=True) or static
    if static is None and in_generic_shape(ctx.api):
        static = shape_variable_of_array(ctx.api, value.expr)
    return result if static is None else result.copy_modified(args=[result.args[0], static])


def create_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `create`, in which the type of the initial value needs no sizes."""
    has_value = "initial_value" in ctx.default_signature.arg_names
    return value_signature(ctx, "initial_value") if has_value else ctx.default_signature


def gather_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `gather` for indices of any element type, so that `gather_hook` can name it."""
    return input_signature(ctx, "indices", takes_values=False)


def assign_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `assign` for a value of any element type, so that `assign_hook` can name both types."""
    return input_signature(ctx, "value")


def gather_hook(ctx: MethodContext) -> Type:
    """The rows of a variable; the check of the indices."""
    return finish_operand(_use(ctx, definition_in(later.core.ResourceGather), "indices"), ctx)


def assign_hook(ctx: MethodContext, operation: str) -> Type:
    """The check of the value that a method assigns to a variable by an operation."""
    definition = definition_in(getattr(later.core, operation))
    return finish(_use(ctx, definition, "value"), ctx, get_proper_type(ctx.default_return_type))


def _use(ctx: MethodContext, definition: Definition, parameter: str) -> Call:
    """The operation that a method of a variable creates, whose other input is the argument for `parameter`."""
    variable = base_of(ctx.type, VARIABLE)
    if variable is None:
        raise NotStatic
    handle, target = definition.op.inputs
    call, value = Call(definition, ctx.api, METHODS[definition.op.name]), arguments(ctx)[parameter]
    leaf = leaf_of(variable.args[0])
    call.shapes[handle.name] = SCALAR
    if isinstance(ctx.context, CallExpr) and isinstance(ctx.context.callee, MemberExpr):
        call.exprs[handle.name, None] = ctx.context.callee.expr
    if leaf is not None:
        call.values[handle.name] = Handle(leaf, shape_of(variable.args[1]).shape)
        call.attrs["dtype"] = leaf
    if parameter == "value":
        call.input_types.append(InputType(THE_VARIABLE, variable.args[0], target.type))
    call.take_input(target, value)
    call.take_rest({})
    return call
