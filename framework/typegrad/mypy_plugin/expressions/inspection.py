"""What the plugin looks at in statements although mypy has no hook for it: truth values, and operators.

mypy infers `Any` for `x * scale` where `scale` is `Any`, and takes a truth value that is never returned for the
end of the function. A statement is added before such a statement (`rebinding`); its hook inspects the expressions.
"""

from __future__ import annotations

from typing import Final

from mypy.literals import literal_hash
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, ProperType, TupleType, TypeOfAny, UnionType, get_proper_type

from typegrad.base.types import TIntegral
from typegrad.graph.definition import leaves
from typegrad.graph.refusals import NO_TRUTH
from typegrad.mypy_plugin.arguments.equalities import told_truth_of_equality
from typegrad.mypy_plugin.arguments.sizes import may_be_size
from typegrad.mypy_plugin.arrays.feeds import check_returned, source_of
from typegrad.mypy_plugin.arrays.ndarrays import type_of_array
from typegrad.mypy_plugin.arrays.numpy_refusals import check_array_truth
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import TRUTH
from typegrad.mypy_plugin.base.dtypes import leaves_of
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, are_operands, base_of
from typegrad.mypy_plugin.base.reporting import is_refused, report
from typegrad.mypy_plugin.base.syntax import children
from typegrad.mypy_plugin.expressions.displays import (
    settle_display,
    settle_grown,
    settle_operands,
)
from typegrad.mypy_plugin.expressions.formats import check_interpolation
from typegrad.mypy_plugin.expressions.optionals import refuse_optional, refuse_optional_parts
from typegrad.mypy_plugin.expressions.refusals import (
    LOGICAL,
    METHODS,
    MIRRORED,
    refuse_change,
    refuse_equalities,
    refuse_index,
    refuse_item,
    refuse_loop,
    refuse_operator,
    refuse_order,
    refuse_part,
    type_of,
)
from typegrad.mypy_plugin.expressions.refused_calls import refuse_call
from typegrad.mypy_plugin.expressions.sites import Sites, is_order, makes_bools, may_be_any
from typegrad.mypy_plugin.expressions.sums import settle_sum
from typegrad.mypy_plugin.expressions.unknown_names import (
    refuse_attribute,
    refuse_graph,
    refuse_module_call,
)
from typegrad.mypy_plugin.types.not_operands import is_no_operand
from typegrad.mypy_plugin.types.open_shapes import in_generic_shape
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.scalars import is_fraction, is_scalar

__all__ = ["inspect"]

_INTEGERS: Final = leaves(TIntegral)


def inspect(api: CheckerPluginInterface, sites: Sites) -> None:
    """Look at the places in a statement that mypy checks next."""
    checker = checker_of(api)
    if checker.current_node_deferred:
        return
    for member in sites.members:
        refuse_attribute(api, member)
    for statement in sites.entered:
        refuse_graph(api, statement)
    for call in sites.called_modules:
        refuse_module_call(api, call)
    for display in sites.displays:
        settle_display(api, display)
    for made in sites.operands:
        settle_operands(api, made)
    for total in sites.sums:
        settle_sum(api, total)
    _refuse_operators(api, sites)
    for call in sites.calls:
        if not _is_of_narrowed_size(sites, call):
            refuse_call(api, call)
    for feeds in sites.returned:
        check_returned(api, feeds)
    for loop in sites.loops:
        refuse_loop(api, loop)
    for item in sites.indexed:
        refuse_index(api, item)
    for item in sites.assigned_items:
        refuse_item(api, item)
        settle_grown(api, item)
    for change in sites.changes:
        refuse_change(api, change)
    for expr in sites.truths:
        _refuse_truth(api, expr)


def _refuse_operators(api: CheckerPluginInterface, sites: Sites) -> None:
    """Look at arithmetic, at what is logical, and at comparisons of order."""
    operations: list[OpExpr | UnaryExpr] = [*sites.arithmetic, *sites.unary]
    for operation in operations:
        if operation not in sites.narrowed:
            refuse_optional(api, operation)
    for generator in sites.comprehensions:
        refuse_optional_parts(api, generator)
    for each in sites.arithmetic:
        if not _is_of_narrowed_size(sites, each):
            _settle(api, each)
    for each in sites.interpolated:
        if each not in sites.narrowed:
            check_interpolation(api, each)
    for each in sites.logical:
        if each not in sites.narrowed:
            _refuse_sides(api, each)
    for each in sites.equalities:
        refuse_equalities(api, each)
    for order in sites.orders:
        if not _is_of_narrowed_size(sites, order):
            _mirror(api, order)
            refuse_order(api, order)
    for unary in sites.unary:
        operand = base_of(type_of(api, unary.expr), OPERAND)
        if operand is not None:
            refuse_operator(api, unary, operand, "expr")


def _has_bits(expr: Expression) -> bool:
    """Whether a comparison has an operator of bits on a side: `x > 0 & y < 1` is `x > (0 & y) and (0 & y) < 1`."""
    return isinstance(expr, ComparisonExpr) and any(
        isinstance(side, OpExpr) and side.op in LOGICAL for side in expr.operands
    )


def _refuse_truth(api: CheckerPluginInterface, expr: Expression) -> None:
    """Report an operand whose truth value is asked for."""
    if is_no_operand(api, expr) or (_has_bits(expr) and is_refused(api, expr)):
        return
    never = told_truth_of_equality(api, expr)
    if never:
        report(api, TRUTH, never, expr)
    elif are_operands(type_of(api, expr)):
        report(api, TRUTH, f"{source_of(expr)} {NO_TRUTH}", expr)
    else:
        check_array_truth(api, expr)


def _is_of_narrowed_size(sites: Sites, expr: Expression) -> bool:
    """Whether a part is a size that mypy may know to be an int: `n * 2 if isinstance(n, int) else n`."""
    if expr not in sites.narrowed:
        return False
    asked = set(map(literal_hash, sites.of_known_type))
    sizes = [each for each in children(expr) if isinstance(each, Expression) and may_be_size(each)]
    return any(isinstance(each, NameExpr) or literal_hash(each) in asked for each in sizes)


def _settle(api: CheckerPluginInterface, operation: OpExpr) -> None:
    """Take what is `Any` beside an operand for the array that it is, or else for an operand of the same element type.

    A number is a scalar. An array of elements that are `Any` to mypy, such as `np.array([[1.0, 2.0]])`, would make
    `Any` of an operand on its right.
    """
    possible = [side for side in (operation.left, operation.right) if not is_no_operand(api, side)]
    if not possible:
        return
    if refuse_part(api, operation, "left") or refuse_part(api, operation, "right"):
        return
    if _refuse_sides(api, operation):
        return
    is_untyped = _is_untyped_array(api, operation.left)
    if not (is_untyped or _is_suspicious(api, operation.left) or _is_suspicious(api, operation.right)):
        return
    operand = next(filter(None, (base_of(type_of(api, expr), OPERAND) for expr in possible)), None)
    if operand is None or checker_of(api).current_node_deferred:
        return
    for side in ("left", "right"):
        expr: Expression = getattr(operation, side)
        if _is_any(type_of(api, expr)) or (is_untyped and side == "left"):
            shape = any_tuple(api)
            scalar = TupleType([], shape) if is_scalar(api, expr) else None
            array = type_of_array(api, expr) if scalar is None else None
            if scalar is not None and is_fraction(api, expr):
                array = _beside_integers(api, operand)
            unknown = AnyType(TypeOfAny.special_form) if in_generic_shape(api) else shape
            converted = array or operand.copy_modified(args=[operand.args[0], scalar or unknown])
            setattr(operation, side, cast_to(expr, converted))


def _mirror(api: CheckerPluginInterface, order: ComparisonExpr) -> None:
    """Check `x < array` in the place of `array > x`, of which NumPy's types say that it is an array."""
    if len(order.operands) != 2:
        return
    left, right = order.operands
    of_numpy = any(base_of(type_of(api, left), each) for each in ("numpy.generic", ARRAY))
    if of_numpy and base_of(type_of(api, right), OPERAND) is not None:
        order.operands[:], order.operators[0] = [right, left], MIRRORED[order.operators[0]]


def _refuse_sides(api: CheckerPluginInterface, operation: OpExpr) -> bool:
    """Report an operator that does not exist for the first operand of the two sides, as far as it is known at once."""
    for side in ("left", "right"):
        expr: Expression = getattr(operation, side)
        is_cheap = _is_cheap(expr) or (operation.op == "/" and _is_of_names(expr))
        known = base_of(type_of(api, expr), OPERAND) if is_cheap else None
        if known is not None:
            return refuse_operator(api, operation, known, side)
    return False


def _beside_integers(api: CheckerPluginInterface, operand: Instance) -> Instance | None:
    """The type of a float beside an operand of integers, which takes none."""
    leaves = leaves_of(operand.args[0])
    return api.named_generic_type("builtins.float", []) if leaves is not None and leaves <= _INTEGERS else None


def _is_cheap(expr: Expression) -> bool:
    return isinstance(expr, (NameExpr, MemberExpr)) or is_order(expr) or makes_bools(expr)


def _is_of_names(expr: Expression) -> bool:
    """Whether an expression is computed by operators from names and numbers, as `n + 1`."""
    if isinstance(expr, OpExpr):
        return expr.op in METHODS and _is_of_names(expr.left) and _is_of_names(expr.right)
    return isinstance(expr, (IntExpr, MemberExpr, NameExpr))


def _is_suspicious(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is `Any` or is computed from such; not all of it is evaluated to find out."""
    if isinstance(expr, OpExpr):
        return expr.op == "**" or _is_suspicious(api, expr.left) or _is_suspicious(api, expr.right)
    if isinstance(expr, UnaryExpr):
        return _is_suspicious(api, expr.expr)
    if isinstance(expr, IndexExpr) and base_of(type_of(api, expr.base), OPERAND) is not None:
        return False
    is_name = isinstance(expr, (NameExpr, MemberExpr, IndexExpr))
    return _is_any(type_of(api, expr)) if is_name else isinstance(expr, CallExpr) and may_be_any(expr)


def _is_untyped_array(api: CheckerPluginInterface, expr: Expression) -> bool:
    is_named = isinstance(expr, (CallExpr, IndexExpr, MemberExpr, NameExpr))
    array = base_of(type_of(api, expr), ARRAY) if is_named else None
    dtype = None if array is None else get_proper_type(array.args[1])
    return isinstance(dtype, Instance) and any(isinstance(get_proper_type(each), AnyType) for each in dtype.args)


def _is_any(type_: ProperType) -> bool:
    """Whether a type is `Any`, or a union with it."""
    items = map(get_proper_type, type_.items) if isinstance(type_, UnionType) else [type_]
    return any(isinstance(each, AnyType) for each in items)
