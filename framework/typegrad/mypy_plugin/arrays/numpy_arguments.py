"""Calls of NumPy, and their arguments as arrays, shapes, dtypes and values."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any, Final, cast

import numpy as np
from attrs import frozen
from mypy.nodes import (
    CallExpr,
    Expression,
    GeneratorExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    StrExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import FunctionLike, Instance, TupleType, Type, TypeType, get_proper_type

from typegrad.base.array import DType
from typegrad.base.shape import SCALAR
from typegrad.base.size import Size
from typegrad.dry_run.known.unknown import UNKNOWN
from typegrad.mypy_plugin.arrays.ndarrays import array_of, part_of
from typegrad.mypy_plugin.arrays.numpy_results import SHAPES, AnyOf, of_numpy, results_of
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Name, has_fetched
from typegrad.mypy_plugin.base.operands import base_of
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.values.evaluation import known_value, length_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, only_value
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.static_values import NotStatic, is_known
from typegrad.shapes.values import MAX_VALUE

__all__ = ["NumpyCall", "function_of", "is_replaced", "returned_parts"]

_PUBLIC: Final = (np, np.linalg, np.fft)
"""The modules of NumPy whose functions are followed, besides those for random numbers."""
_RANDOM: Final = "numpy.random."
_ABSTRACT: Final = frozenset(
    {"floating", "generic", "inexact", "integer", "number", "signedinteger", "unsignedinteger"}
)
"""NumPy's scalar classes that are not dtypes."""
_INT: Final = "builtins.int"
_VALUES: Final = {"builtins.bool": (False, True), "builtins.float": (0.5, 0.75)}
"""What values that are not known are taken for."""


def function_of(api: CheckerPluginInterface, callee: Expression) -> Any:
    """The function of NumPy that is called; None for one that is not followed, or that may be replaced."""
    from typegrad.dry_run.computing.numpy_calls import is_numpy

    if not isinstance(callee, (MemberExpr, NameExpr)) or is_replaced(api, callee.name):
        return None
    module, _, name = callee.fullname.rpartition(".")
    function = getattr(sys.modules.get(module), name, None)
    is_public = callee.fullname.startswith(_RANDOM) or any(vars(each).get(name) is function for each in _PUBLIC)
    return function if function is not None and is_public and is_numpy(function) else None


def is_replaced(api: CheckerPluginInterface, name: str) -> bool:
    """Whether the program may assign a name of NumPy, as `mock.patch("numpy.random.rand")` does."""
    return name in bindings_of(checker_of(api).tree).hidden


def returned_parts(api: CheckerPluginInterface, call: CallExpr) -> list[Array]:
    """The arrays in the list that a call returns; none if the function is not known."""
    function = function_of(api, call.callee)
    if function is None:
        return []
    try:
        return results_of(of_numpy(function), NumpyCall(api, call).arguments())
    except NotStatic:
        return []


@frozen
class NumpyCall:
    """A call of a function of NumPy, or of a method of an array or a random generator.

    The methods raise `NotStatic` where what they read is not known.
    """

    api: CheckerPluginInterface
    call: CallExpr

    def named(self, *names: str) -> dict[str, Expression]:
        """The arguments by the names of the parameters; `NotStatic` for others, such as `out` and `where`."""
        positional = [arg for arg, name in zip(self.call.args, self.call.arg_names, strict=True) if name is None]
        arguments = dict(zip(names, positional, strict=False))
        arguments |= {name: arg for arg, name in zip(self.call.args, self.call.arg_names, strict=True) if name}
        if len(positional) > len(names) or not arguments.keys() <= {*names, "order"}:
            raise NotStatic
        return arguments

    def dtype(self, expr: Expression) -> DType | None:
        """The dtype that an argument states; None if it is not known."""
        bound = bound_to(self.api, expr)
        if bound is not None and not bound.path:
            return self.dtype(bound.expr)
        if isinstance(expr, MemberExpr) and expr.name == "dtype":
            array = array_of(self.api, expr.expr, expression_type(self.api, expr.expr))
            return None if array is None else array.dtype
        named: object = expr.value if isinstance(expr, StrExpr) else None
        if isinstance(expr, (NameExpr, MemberExpr)) and expr.fullname.startswith("numpy."):
            named = None if expr.name in _ABSTRACT else getattr(np, expr.name, None)
        elif isinstance(expr, NameExpr) and expr.fullname.startswith("builtins."):
            named = expr.name
        with suppress(TypeError):
            return np.dtype(cast("Any", named)) if named is not None else None
        return None

    def array(self, expr: Expression) -> Array:
        """The array that an argument is, or that NumPy makes of a number."""
        part = part_of(self.api, expr)
        if part is None:
            raise NotStatic
        return part if isinstance(part, Array) else Array(SCALAR, np.asarray(part).dtype)

    def arrays(self, expr: Expression) -> list[Array]:
        """The arrays in a comprehension, or in the list that a call returns."""
        known = only_value(self.api, expr)
        if isinstance(known, ListComprehension):
            known = known.generator
        if isinstance(known, GeneratorExpr):
            count = length_of(self.api, known)
            if not isinstance(count, int) or not 0 < count <= MAX_VALUE:
                raise NotStatic
            return [self.array(known.left_expr)] * count
        if isinstance(known, CallExpr) and (parts := returned_parts(self.api, known)):
            return parts
        raise NotStatic

    def arguments(self) -> tuple[list[object], dict[str, object]]:
        """The arguments by position and by keyword, as `Arguments`; `UNKNOWN` if not even their types are known."""
        pairs = list(zip(self.call.arg_names, self.call.args, strict=True))
        positional = [self._argument(expr) for keyword, expr in pairs if keyword is None]
        return positional, {keyword: self._argument(expr, keyword) for keyword, expr in pairs if keyword is not None}

    def _argument(self, expr: Expression, keyword: str = "") -> object:
        expr = as_written(expr)
        type_ = get_proper_type(expression_type(self.api, expr))
        array = array_of(self.api, expr, type_)
        if array is not None:
            return array
        value = known_value(self.api, expr)
        if isinstance(value, (Name, Size)):  # also of a parameter `size: type[Batch]`
            return _unknown(value, type_)
        is_dtype = isinstance(type_, (FunctionLike, TypeType)) or base_of(type_, "numpy.dtype") is not None
        if is_dtype or keyword == "dtype":
            return self.dtype(expr) or AnyOf((np.dtype(np.float64), np.dtype(np.int64)))
        if is_known(value):
            return value
        known = only_value(self.api, expr)
        if known is not None and is_plain(known):
            items = map(self._argument, known.items)
            return list(items) if isinstance(known, ListExpr) else tuple(items)
        with suppress(NotStatic):
            return self.arrays(expr)
        return _unknown(value, type_)


def _unknown(value: Any, type_: Type) -> object:
    """An argument of which the type is known, or a part of the value; `UNKNOWN` for any other one."""
    proper = get_proper_type(type_)
    if isinstance(value, tuple):
        types = proper.items if isinstance(proper, TupleType) else [proper] * len(value)
        return tuple(each if is_known(each) else _unknown(each, item) for each, item in zip(value, types, strict=False))
    if isinstance(value, (Name, Size)):
        return AnyOf() if has_fetched(value) else value
    name = proper.type.fullname if isinstance(proper, Instance) else ""
    if name in _VALUES:
        return AnyOf(_VALUES[name])
    if base_of(proper, _INT) is not None:
        return AnyOf()
    items = base_of(proper, "typing.Sequence")
    is_shape = items is not None and base_of(items.args[0], _INT) is not None
    return AnyOf(SHAPES) if is_shape else UNKNOWN
