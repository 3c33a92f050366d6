"""Arrays that calls of NumPy's functions, of methods of arrays and of random generators return."""

from __future__ import annotations

from typing import Final

import numpy as np
from attrs import evolve, frozen
from mypy.nodes import (
    CallExpr,
    Expression,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from typegrad.base.shape import UNKNOWN, Shape
from typegrad.dry_run.known.unknown import UNKNOWN as NOTHING
from typegrad.mypy_plugin.arrays import numpy_rules as rules
from typegrad.mypy_plugin.arrays.ndarrays import array_at, array_of, as_stated, listed, operated
from typegrad.mypy_plugin.arrays.numpy_arguments import NumpyCall, function_of, is_replaced
from typegrad.mypy_plugin.arrays.numpy_results import AnyOf, method_of, of_numpy, result_of
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.arrays.numpy_types import has_wrong_dtype
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.values.evaluation import length_of
from typegrad.mypy_plugin.values.exact import returned_type
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_values, called, only_value, returned
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["is_of_generator", "returned_array"]

_RANDOM: Final = "numpy.random."
_GENERATORS: Final = {
    "numpy.random._generator.Generator": "default_rng",
    "numpy.random.mtrand.RandomState": "RandomState",
}
"""What makes random generators, by their types."""
_NUMBERS: Final = (False, 1, 0.5)
_CONVERTERS: Final = frozenset({"array", "asarray", "ascontiguousarray", "copy"})
_CONVERTING: Final = frozenset({"astype", "clip"})
_SAME_SHAPE: Final = frozenset({"conj", "flip", "roll", "round", "tril", "triu"}) | _CONVERTING
"""The functions and methods that keep the shape of their first argument. Some of them may not keep the dtype."""
_ARRAYS: Final = frozenset((
    "astype", "broadcast_to", "copy", "empty", "empty_like", "full", "full_like", "ones", "ones_like", "reshape",
    "squeeze", "transpose", "where", "zeros", "zeros_like",
))  # fmt: skip
"""The functions that return arrays without dimensions, not numbers, and the methods that do so of such arrays."""


def returned_array(api: CheckerPluginInterface, call: CallExpr) -> Array | None:
    """The array that a call returns; None if the function is not known."""
    return _Returned(api, call).result()


def is_of_generator(api: CheckerPluginInterface, callee: MemberExpr) -> bool:
    """Whether a method is one of a random generator."""
    return _maker(api, callee) is not None


def _maker(api: CheckerPluginInterface, callee: MemberExpr) -> str | None:
    """What makes a random generator like the owner of a method."""
    owner = get_proper_type(expression_type(api, callee.expr))
    return _GENERATORS.get(owner.type.fullname) if isinstance(owner, Instance) else None


@frozen
class _Returned(NumpyCall):
    """The array that a call returns."""

    def result(self) -> Array | None:
        """The array that the call returns; None if the function is not known."""
        callee = called(self.api, self.call)
        if not isinstance(callee, (MemberExpr, NameExpr)) or not is_plain_call(self.call):
            return None
        if callee.fullname.startswith("numpy."):
            return self._function(callee)
        if not isinstance(callee, MemberExpr):
            return self._own()
        maker = _maker(self.api, callee)
        if maker is not None and is_replaced(self.api, maker):
            raise NotStatic
        if maker is not None:
            draw = getattr(getattr(np.random, maker)(0), callee.name, None)
            return result_of(of_numpy(draw), self.arguments())
        array = array_of(self.api, callee.expr, expression_type(self.api, callee.expr))
        return None if array is None else self._method(callee.name, array)

    def _own(self) -> Array | None:
        """The array of a function of this file, whose sizes may follow from the arguments."""
        array = as_stated(self.api, array_at(self.api, returned(self.api, self.call)), self.call)
        if array is None or array.shape.is_static:
            return array
        made = returned_type(self.api, self.call)
        typed = None if made is None else array_of(self.api, None, made)
        return array if typed is None else evolve(array, shape=typed.shape)

    def _function(self, callee: MemberExpr | NameExpr) -> Array | None:
        """What a function returns; of unknown dtype, if NumPy's types may be wrong about it."""
        name, function = callee.name, function_of(self.api, callee)
        if function is None:
            raise NotStatic
        if name in rules.UFUNCS:
            return Array(is_doubtful=True) if any(self.call.arg_names) else operated(self.api, name, *self.call.args)
        if name in _CONVERTERS:
            return self._converted()
        try:
            positional, keywords = self.arguments()
            if name == "full":  # of any number
                positional = [AnyOf(_NUMBERS) if each is NOTHING else each for each in positional]
            array = result_of(of_numpy(function), (positional, keywords))
        except NotStatic:
            if has_wrong_dtype(callee.fullname):
                return Array(is_doubtful=True)
            if name in _SAME_SHAPE and self.call.args:
                return _of_shape(name, self.array(self.call.args[0]))
            raise
        return evolve(array, is_computed=name not in _ARRAYS and not callee.fullname.startswith(_RANDOM))

    def _method(self, name: str, array: Array) -> Array:
        positional, keywords = self.arguments()
        try:
            made = result_of(method_of(name), ([array, *positional], keywords))
        except NotStatic:
            if name in _SAME_SHAPE:
                return _of_shape(name, array)
            raise
        return evolve(made, is_computed=name not in _ARRAYS or array.is_computed)

    def _converted(self) -> Array:
        first, arguments = self.call.args[0], self.named("object", "dtype")
        type_ = expression_type(self.api, first)
        array = array_of(self.api, first, type_)
        if array is None:
            try:
                array = self._of_list(first)
            except NotStatic:
                if self._is_inferred(first):
                    array = _of_type(type_)
                elif "dtype" in arguments:
                    array = Array()
                else:
                    raise
        if "dtype" in arguments:
            return Array(array.shape, self.dtype(arguments["dtype"]))
        return Array(array.shape, array.dtype, array.dtypes)

    def _is_inferred(self, expr: Expression) -> bool:
        """Whether mypy infers the type of a list from its items. A declared one may hold what mypy takes for Any."""
        if not isinstance(expr, NameExpr) or not isinstance(expr.node, Var) or not expr.node.is_inferred:
            return False
        made = bound_values(self.api, expr)
        return all(each is not None and not each.path and isinstance(each.expr, ListExpr) for each in made)

    def _of_list(self, expr: Expression) -> Array:
        """The array of a nested list, or of a comprehension, as `np.array([state for state, _ in batch])`."""
        known = only_value(self.api, expr)
        if not isinstance(known, ListComprehension):
            return listed(self.api, expr)
        checker = checker_of(self.api)
        if not checker.has_type(known.generator.left_expr):  # its names have types once mypy has checked it
            with checker.msg.filter_errors():
                checker.expr_checker.accept(known)
        item, count = self.array(known.generator.left_expr), length_of(self.api, known)
        shape = UNKNOWN if item.shape.dims is None else Shape((count, *item.shape.dims))
        return Array(shape, item.dtype)


def _of_shape(name: str, array: Array) -> Array:
    """What a function returns that keeps the shape, for arguments that are not known."""
    return array if name not in _CONVERTING else evolve(array, dtype=None, is_doubtful=name != "astype")


_DTYPES: Final = {
    "builtins.bool": (np.dtype(np.bool_),),
    "builtins.int": (np.dtype(np.int64), np.dtype(np.bool_)),
    "builtins.float": (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_)),
}
"""The dtypes that NumPy gives a list, by the type of its items, of which a list may hold none."""


def _of_type(type_: Type) -> Array:
    """The array of a list of which the type alone is known."""
    rank, item = 0, get_proper_type(type_)
    while isinstance(item, Instance) and item.type.has_base("typing.Sequence") and item.args:
        rank, item = rank + 1, get_proper_type(item.args[0])
    if not rank or not isinstance(item, Instance) or item.type.fullname not in _DTYPES:
        raise NotStatic
    return Array(Shape((None,) * rank), dtypes=_DTYPES[item.type.fullname])
