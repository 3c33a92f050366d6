"""Calls of NumPy, and their arguments as arrays, shapes, dtypes and values."""

from __future__ import annotations

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
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, get_proper_type

from typegrad.base.array import DType
from typegrad.base.shape import SCALAR, UNKNOWN, Shape
from typegrad.mypy_plugin.arrays.ndarrays import array_of, part_of
from typegrad.mypy_plugin.arrays.numpy_probes import SPLITTING, probed_parts
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.values.evaluation import known_value, length_of, shape_value
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, only_value
from typegrad.mypy_plugin.values.static_values import MISSING, NotStatic, is_known
from typegrad.shapes.values import MAX_VALUE

__all__ = ["NumpyCall", "name_in_numpy", "returned_parts"]

_MODULES: Final = ("fft", "linalg")
"""The modules of NumPy whose names are part of a function's."""
_ABSTRACT: Final = frozenset(
    {"floating", "generic", "inexact", "integer", "number", "signedinteger", "unsignedinteger"}
)
"""NumPy's scalar classes that are not dtypes."""


def name_in_numpy(callee: MemberExpr | NameExpr) -> str:
    """A function of NumPy by its name there: "sum", "linalg.inv"."""
    module = next((each for each in _MODULES if callee.fullname.startswith(f"numpy.{each}.")), "")
    return f"{module}.{callee.name}" if module else callee.name


def returned_parts(api: CheckerPluginInterface, call: CallExpr) -> list[Array]:
    """The arrays in the list that a call returns; none if the function is not known."""
    callee = call.callee
    if not isinstance(callee, (MemberExpr, NameExpr)) or not callee.fullname.startswith("numpy."):
        return []
    name = name_in_numpy(callee)
    try:
        return probed_parts(name, *NumpyCall(api, call).arguments()) if name in SPLITTING else []
    except NotStatic:
        return []


@frozen
class NumpyCall:
    """A call of a function of NumPy, or of a method of an array or a random generator.

    The methods raise `NotStatic` where what they read is not known.
    """

    api: CheckerPluginInterface
    call: CallExpr

    def named(self, *names: str, skip: int = 0) -> dict[str, Expression]:
        """The arguments by the names of the parameters; `NotStatic` for others, such as `out` and `where`."""
        positional = [arg for arg, name in zip(self.call.args, self.call.arg_names, strict=True) if name is None]
        arguments = dict(zip(names, positional[skip:], strict=False))
        arguments |= {name: arg for arg, name in zip(self.call.args, self.call.arg_names, strict=True) if name}
        if len(positional) - skip > len(names) or not arguments.keys() <= {*names, "order"}:
            raise NotStatic
        return arguments

    def value(self, expr: Expression | None, default: Any = None) -> Any:
        """The value of an argument; the default if it is not passed, `MISSING` if it is not known."""
        return default if expr is None else known_value(self.api, expr)

    def dtype(self, expr: Expression | None, default: Any) -> DType | None:
        """The dtype that an argument states; None if it is not known."""
        if expr is None:
            return None if default is None else np.dtype(default)
        bound = bound_to(self.api, expr)
        if bound is not None and not bound.path:
            return self.dtype(bound.expr, default)
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

    def sizes(self, expr: Expression | None) -> Shape:
        """The shape that an argument states as a size or a tuple of sizes."""
        value = self.value(None if expr is None else as_written(expr), MISSING)
        if value is MISSING and expr is not None and self.is_int(expr):
            return Shape((None,))
        if value is MISSING or value is None:
            raise NotStatic
        return shape_value(self.api, value if isinstance(value, tuple) else (value,))

    def shape(self, expr: Expression | None) -> Shape:
        """The shape that an argument states; unknown if its sizes are, but for their number in an array."""
        try:
            return self.sizes(expr)
        except NotStatic:
            sizes = None if expr is None else array_of(self.api, expr, expression_type(self.api, expr))
            dims = None if sizes is None else sizes.shape.dims
            count = dims[0] if dims is not None and len(dims) == 1 else None
            return Shape((None,) * count) if isinstance(count, int) and count <= MAX_VALUE else UNKNOWN

    def is_int(self, expr: Expression) -> bool:
        """Whether an argument is an integer, known or not."""
        type_ = get_proper_type(expression_type(self.api, expr))
        return isinstance(type_, Instance) and type_.type.has_base("builtins.int")

    def array(self, expr: Expression) -> Array:
        """The array that an argument is, or that NumPy makes of a number."""
        part = part_of(self.api, expr)
        if part is None:
            raise NotStatic
        return part if isinstance(part, Array) else Array(SCALAR, np.asarray(part).dtype)

    def arrays(self, expr: Expression) -> list[Array]:
        """The arrays in a list, a tuple or a comprehension, or in the list that a call returns."""
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
        if not isinstance(known, (ListExpr, TupleExpr)) or not known.items:
            raise NotStatic
        return [self.array(item) for item in known.items]

    def arguments(self) -> tuple[list[object], dict[str, object]]:
        """The arguments by position and by keyword, each as an array, a list of arrays, or a value."""
        pairs = list(zip(self.call.arg_names, self.call.args, strict=True))
        positional = [self._argument(expr) for keyword, expr in pairs if keyword is None]
        return positional, {keyword: self._argument(expr, keyword) for keyword, expr in pairs if keyword is not None}

    def _argument(self, expr: Expression, keyword: str = "") -> object:
        if keyword == "dtype":
            dtype = self.dtype(expr, None)
            if dtype is None:
                raise NotStatic
            return dtype
        array = array_of(self.api, expr, expression_type(self.api, expr))
        if array is not None:
            return array
        value = self.value(expr, MISSING)
        return value if is_known(value) else self.arrays(expr)
