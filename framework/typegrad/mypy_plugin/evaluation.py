"""Static evaluation of expressions: numbers, tuples, `Final` names, NumPy calls that state a shape."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, TypeGuard, cast

import numpy as np
from mypy.checker import TypeChecker
from mypy.constant_fold import constant_fold_binary_op, constant_fold_expr, constant_fold_unary_op
from mypy.nodes import (
    CallExpr,
    Expression,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    StarExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    UnionType,
    UnpackType,
    get_proper_type,
)

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import Size
from typegrad.mypy_plugin.dims import Name, dim_of, shape_of

__all__ = [
    "MISSING",
    "NotStatic",
    "array_shape",
    "as_value",
    "evaluate",
    "is_known",
    "nested_shape",
    "shape_value",
    "states_sizes",
    "written_type",
]


class NotStatic(Exception):  # noqa: N818
    """A value is not known before the program runs; the operation keeps mypy's own type."""


class _Missing:
    """The type of `MISSING`, the placeholder of an unknown value."""

    def __repr__(self) -> str:
        return "?"


MISSING: Final = _Missing()

_CREATORS: Final = frozenset({"zeros", "ones", "empty", "full"})
_CONVERTERS: Final = frozenset({"array", "asarray"})
_NUMBERS: Final = frozenset(
    {"builtins.int", "builtins.float", "builtins.bool", "builtins.complex", "builtins.str", "builtins.bytes"}
)


def evaluate(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    """The value of an expression: a number, string, None, nested tuple (also for a list), size, or `MISSING`."""
    if isinstance(expr, (TupleExpr, ListExpr)) and not any(isinstance(item, StarExpr) for item in expr.items):
        return tuple(evaluate(api, item, expression_type(api, item)) for item in expr.items)
    if expr is not None:
        folded = constant_fold_expr(expr, cast("TypeChecker", api).tree.fullname)
        if folded is not None:
            return folded
    value = _from_type(type_)
    return _computed(api, expr) if value is MISSING else value


def _computed(api: CheckerPluginInterface, expr: Expression | None) -> Any:
    """Evaluate arithmetic that mypy's constant folding does not cover, such as with elements of a `Final` tuple."""
    if isinstance(expr, UnaryExpr):
        operand = evaluate(api, expr.expr, expression_type(api, expr.expr))
        return _or_missing(constant_fold_unary_op(expr.op, operand) if isinstance(operand, int) else None)
    if isinstance(expr, OpExpr):
        left, right = (evaluate(api, side, expression_type(api, side)) for side in (expr.left, expr.right))
        are_numbers = isinstance(left, int) and isinstance(right, int)
        return _or_missing(constant_fold_binary_op(expr.op, left, right) if are_numbers else None)
    return MISSING


def _or_missing(value: Any) -> Any:
    return MISSING if value is None else value


def expression_type(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of a part of an argument that mypy has already checked."""
    checker = cast("TypeChecker", api)
    return checker.lookup_type(expr) if checker.has_type(expr) else checker.expr_checker.accept(expr)


def written_type(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Type:
    """The type of a value, from its items for a list display: mypy's own type depends on the expected type."""
    if not isinstance(expr, (TupleExpr, ListExpr)) or any(isinstance(item, StarExpr) for item in expr.items):
        return type_
    items = [written_type(api, item, expression_type(api, item)) for item in expr.items]
    return api.named_generic_type("builtins.tuple", [UnionType.make_union(items)])


def _from_type(type_: Type) -> Any:
    proper = get_proper_type(type_)
    if isinstance(proper, NoneType):
        return None
    if isinstance(proper, LiteralType):
        return proper.value if proper.fallback.type.fullname in _NUMBERS else MISSING
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        return _from_type(proper.last_known_value)
    if isinstance(proper, TupleType) and not any(isinstance(item, UnpackType) for item in proper.items):
        return tuple(_from_type(item) for item in proper.items)
    size = dim_of(proper)
    return MISSING if size is None else size


def is_known(value: Any) -> bool:
    """Whether all of a value is known; the size of a name is not."""
    return all(map(is_known, value)) if isinstance(value, tuple) else not isinstance(value, (_Missing, Name, Size))


def as_value(value: Any) -> Any:
    """A value in the form that shape functions take: None where it is not known."""
    if isinstance(value, tuple):
        return tuple(as_value(element) for element in value)
    return None if isinstance(value, _Missing) else value


def nested_shape(value: Any) -> Shape:
    """The shape of nested tuples; `NotStatic` if they are ragged or do not consist of numbers."""
    if not isinstance(value, tuple):
        return Shape(())
    shapes = [nested_shape(element) for element in value]
    if any(shape != shapes[0] for shape in shapes):
        raise NotStatic
    return Shape((len(value), *(shapes[0].known() if shapes else ())))


def shape_value(api: CheckerPluginInterface, value: Any) -> Shape:
    """The shape of a `shape` argument: a tuple of sizes, names (also as strings), and None or -1 for unknown."""
    if value is None:
        return Shape(None)
    if not isinstance(value, tuple):
        raise NotStatic
    return Shape(tuple(_dim(api, element) for element in value))


def _dim(api: CheckerPluginInterface, element: Any) -> Dim:
    if isinstance(element, (Name, Size)):
        return element
    if isinstance(element, str):
        return _name_in_module(api, element)
    return element if type(element) is int and element >= 0 else None


def _name_in_module(api: CheckerPluginInterface, name: str) -> Dim:
    symbol = cast("TypeChecker", api).tree.names.get(name)
    info = symbol.node if symbol is not None else None
    return dim_of(Instance(info, [])) if isinstance(info, TypeInfo) and info.is_newtype else None


def array_shape(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Shape:
    """The shape of a number, nested list or array for a constant; `NotStatic` if its rank is not known."""
    if isinstance(expr, CallExpr) and _may_state_shape(expr):
        with suppress(NotStatic):
            return _call_shape(api, expr)
    proper = get_proper_type(type_)
    if _is_array(proper):
        return _known(shape_of(proper.args[0]).shape)
    value = evaluate(api, expr, type_)
    _check_scalars(api, expr, type_)
    return nested_shape(value)


def _known(shape: Shape) -> Shape:
    if shape.dims is None:
        raise NotStatic
    return shape


def _is_array(type_: Type) -> TypeGuard[Instance]:
    return isinstance(type_, Instance) and type_.type.fullname == "numpy.ndarray"


def states_sizes(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a NumPy call that states all sizes of its result."""
    with suppress(NotStatic):
        return isinstance(expr, CallExpr) and _may_state_shape(expr) and _call_shape(api, expr).is_static
    return False


def _may_state_shape(expr: Expression) -> bool:
    """Whether an expression is a NumPy call that may state a shape, such as `np.zeros((784, 10))`."""
    if not isinstance(expr, CallExpr) or not isinstance(expr.callee, (MemberExpr, NameExpr)) or not expr.args:
        return False
    callee = expr.callee
    if isinstance(callee, MemberExpr) and callee.name == "astype" and isinstance(callee.expr, CallExpr):
        return _may_state_shape(callee.expr)
    if not callee.fullname.startswith("numpy.") or expr.arg_names[0] not in (None, "shape", "object"):
        return False
    return callee.name in _CREATORS or (callee.name in _CONVERTERS and isinstance(expr.args[0], ListExpr))


def _call_shape(api: CheckerPluginInterface, call: CallExpr) -> Shape:
    """The shape that a NumPy call states."""
    callee, argument = call.callee, call.args[0]
    if isinstance(callee, MemberExpr) and isinstance(callee.expr, CallExpr):
        return _call_shape(api, callee.expr)
    if isinstance(argument, ListExpr) and isinstance(callee, (MemberExpr, NameExpr)) and callee.name in _CONVERTERS:
        return array_shape(api, argument, expression_type(api, argument))
    size = evaluate(api, argument, expression_type(api, argument))
    if isinstance(size, _Missing):
        raise NotStatic
    return shape_value(api, size if isinstance(size, tuple) else (size,))


def _check_scalars(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> None:
    """Raise `NotStatic` unless the elements of a nested list are numbers or strings: a name in it could be an array."""
    if isinstance(expr, (TupleExpr, ListExpr)):
        for item in expr.items:
            _check_scalars(api, item, expression_type(api, item))
        return
    proper = get_proper_type(type_)
    items = proper.items if isinstance(proper, TupleType) else [proper]
    for part in map(get_proper_type, items):
        if isinstance(part, TupleType):
            _check_scalars(api, None, part)
        elif not (isinstance(part, Instance) and _is_scalar(part)) and not isinstance(part, LiteralType):
            raise NotStatic


def _is_scalar(type_: Instance) -> bool:
    return any(type_.type.has_base(name) for name in _NUMBERS) or type_.type.has_base("numpy.generic")


def stand_in(shape: Shape, value: Any) -> np.ndarray[Any, np.dtype[Any]]:
    """An array of this shape for the shape functions of constants, with the integers of `value` if they are known."""
    if not shape.is_static:
        raise NotStatic
    sizes = shape.as_ints()
    if is_known(value) and shape.size is not None:
        array = np.asarray(value)
        if array.dtype.kind in "biu" and array.shape == sizes:
            return array
    return np.broadcast_to(np.float32(0), sizes)
