"""The type variable that another operand's shape states: the S of `x.shape`, and of an array of these sizes."""

from __future__ import annotations

from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, NameExpr, OpExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type

from typegrad.mypy_plugin.arrays.numpy_calls import is_of_generator
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, called, only_value
from typegrad.mypy_plugin.values.scalars import is_scalar

__all__ = ["shape_variable", "shape_variable_of_array"]

_OF_SIZES: Final = frozenset((
    "beta", "binomial", "chisquare", "empty", "exponential", "full", "gamma", "geometric", "gumbel", "integers",
    "laplace", "logistic", "lognormal", "normal", "ones", "pareto", "poisson", "randint", "random", "random_sample",
    "rayleigh", "standard_cauchy", "standard_exponential", "standard_gamma", "standard_normal", "standard_t", "uniform",
    "zeros",
))  # fmt: skip
"""NumPy's functions that make arrays of given sizes."""


def shape_variable(api: CheckerPluginInterface, expr: Expression | None) -> Type | None:
    """The `S` of `x.shape`, or of its sizes, for an operand x of that shape: a type variable, or a tuple with one."""
    bound = bound_to(api, expr) if isinstance(expr, NameExpr) else None
    if bound is not None and not bound.path:
        expr = bound.expr
    if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name == "as_ints":
        return shape_variable(api, expr.callee.expr)
    if not isinstance(expr, MemberExpr) or expr.name != "shape":
        return None
    base = base_of(expression_type(api, expr.expr), OPERAND)
    return base.args[1] if base is not None and shape_of(base.args[1]).pattern is not None else None


def shape_variable_of_array(api: CheckerPluginInterface, expr: Expression | None) -> Type | None:
    """The same of an array of these sizes: `np.zeros(x.shape.as_ints())`, and a multiple of it."""
    expr = only_value(api, expr)
    if isinstance(expr, OpExpr):
        sides = [side for side in (expr.left, expr.right) if not is_scalar(api, side)]
        return shape_variable_of_array(api, sides[0]) if len(sides) == 1 else None
    callee = called(api, expr) if isinstance(expr, CallExpr) else None
    if not isinstance(expr, CallExpr) or not isinstance(callee, (MemberExpr, NameExpr)):
        return None
    if isinstance(callee, MemberExpr) and callee.name == "astype":
        return shape_variable_of_array(api, callee.expr)
    is_random = isinstance(callee, MemberExpr) and is_of_generator(api, callee)
    if callee.name not in _OF_SIZES or not (is_random or callee.fullname.startswith("numpy.")):
        return None
    return next(filter(None, (shape_variable(api, argument) for argument in expr.args)), None)
