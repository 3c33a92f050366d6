"""Arrays that calls of NumPy's functions, of methods of arrays and of random generators return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np
from attrs import evolve, frozen
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
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

from typegrad.base.shape import SCALAR, UNKNOWN, Shape
from typegrad.mypy_plugin.arrays import numpy_rules as rules
from typegrad.mypy_plugin.arrays.ndarrays import array_at, array_of, listed, operated, part_of
from typegrad.mypy_plugin.arrays.numpy_arguments import NumpyCall, name_in_numpy
from typegrad.mypy_plugin.arrays.numpy_probes import METHODS, PROBED, probed
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.arrays.numpy_types import has_wrong_dtype
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.values.evaluation import length_of, shape_value
from typegrad.mypy_plugin.values.exact import returned_type
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_values, called, only_value, returned
from typegrad.mypy_plugin.values.static_values import MISSING, NotStatic, is_known

__all__ = ["is_of_generator", "returned_array"]

_RANDOM: Final = ("numpy.random.mtrand.", "numpy.random._generator.")
_GENERATORS: Final = frozenset({"numpy.random._generator.Generator", "numpy.random.mtrand.RandomState"})
_CONVERTERS: Final = frozenset({"array", "asarray", "ascontiguousarray", "copy"})
_SAME_SHAPE: Final = frozenset({"copy", "clip", "round", "conj", "tril", "triu", "flip", "roll"})


def returned_array(api: CheckerPluginInterface, call: CallExpr) -> Array | None:
    """The array that a call returns; None if the function is not known."""
    return _Returned(api, call).result()


def is_of_generator(api: CheckerPluginInterface, callee: MemberExpr) -> bool:
    """Whether a method is one of a random generator."""
    owner = get_proper_type(expression_type(api, callee.expr))
    return isinstance(owner, Instance) and owner.type.fullname in _GENERATORS


@frozen
class _Returned(NumpyCall):
    """The array that a call returns."""

    def result(self) -> Array | None:
        """The array that the call returns; None if the function is not known."""
        callee = called(self.api, self.call)
        if not isinstance(callee, (MemberExpr, NameExpr)) or not set(self.call.arg_kinds) <= {ARG_POS, ARG_NAMED}:
            return None
        if callee.fullname.startswith(_RANDOM):
            return self._random(callee.name)
        if callee.fullname.startswith("numpy."):
            known = self._probed(name_in_numpy(callee))
            is_wrong = known is None and has_wrong_dtype(callee.fullname)
            return Array(is_doubtful=True) if is_wrong else known or self._function(callee.name)
        if not isinstance(callee, MemberExpr):
            return self._own()
        if is_of_generator(self.api, callee):
            return self._random(callee.name)
        array = array_of(self.api, callee.expr, expression_type(self.api, callee.expr))
        if array is None:
            return None
        known = self._probed(callee.name, array) if callee.name in METHODS else None
        return known or self._method(callee.name, array, self.call.args)

    def _own(self) -> Array | None:
        """The array of a function of this file, whose sizes may follow from the arguments."""
        array = array_at(self.api, returned(self.api, self.call))
        stated = None if array is None else array_of(self.api, None, expression_type(self.api, self.call))
        if array is not None and stated is not None and stated.dtype is not None:
            array = evolve(array, dtype=stated.dtype)  # where NumPy's types of its parts are wrong
        if array is None or array.shape.is_static:
            return array
        made = returned_type(self.api, self.call)
        typed = None if made is None else array_of(self.api, None, made)
        return array if typed is None else evolve(array, shape=typed.shape)

    # Functions

    def _function(self, name: str) -> Array | None:
        make = _FUNCTIONS.get(name)
        if make is not None:
            return make(self)
        if name in rules.UFUNCS:
            if any(self.call.arg_names):
                return Array(is_doubtful=True)
            return operated(self.api, name, *self.call.args)
        if name.endswith("_like"):
            return self._like(name)
        if name in _CONVERTERS:
            return self._converted()
        if self.call.args and (name in rules.REDUCTIONS or name in _METHODS or name in _SAME_SHAPE):
            return self._method(
                {"amax": "max", "amin": "min"}.get(name, name),
                self.array(self.call.args[0]),
                self.call.args[1:],
                skip=1,
            )
        return None

    def _probed(self, name: str, *owner: Array) -> Array | None:
        """What NumPy itself returns for such arrays, of which one may be the owner of a method."""
        try:
            positional, keywords = self.arguments()
            return probed(name, [*owner, *positional], keywords) if name in PROBED else None
        except NotStatic:
            return None

    def created(self) -> Array:
        arguments = self.named("shape", "dtype")
        return Array(self.shape(arguments.get("shape")), self.dtype(arguments.get("dtype"), float))

    def full(self) -> Array:
        arguments = self.named("shape", "fill_value", "dtype")
        filled = None if "dtype" in arguments else self.array(arguments["fill_value"]).dtype
        return Array(self.shape(arguments.get("shape")), self.dtype(arguments.get("dtype"), filled))

    def _like(self, name: str) -> Array:
        arguments = self.named(*(("a", "fill_value") if name == "full_like" else ("a",)), "dtype")
        first = arguments.get("a") or arguments["prototype"]
        array = self.array(first)
        return Array(array.shape, self.dtype(arguments.get("dtype"), array.dtype))

    def eye(self) -> Array:
        arguments = self.named("N", "M", "k", "dtype")
        rows, columns = arguments["N"], arguments.get("M", arguments["N"])
        sizes = (*self.sizes(rows).known(), *self.sizes(columns).known())
        return Array(Shape(sizes), self.dtype(arguments.get("dtype"), float))

    def identity(self) -> Array:
        arguments = self.named("n", "dtype")
        return Array(Shape(self.sizes(arguments["n"]).known() * 2), self.dtype(arguments.get("dtype"), float))

    def range(self) -> Array:
        arguments = self.named("start", "stop", "step", "dtype")
        if "stop" in arguments and "start" not in arguments:
            raise NotStatic
        bounds = [self.value(arguments[name]) for name in ("start", "stop", "step") if name in arguments]
        return rules.counted(bounds, self.dtype(arguments.get("dtype"), None))

    def spaced(self) -> Array:
        arguments = self.named("start", "stop", "num", "endpoint", "dtype")
        bounds = [part_of(self.api, arguments[name]) for name in ("start", "stop")]
        known = [bound for bound in bounds if bound is not None]
        if len(known) < len(bounds) or rules.operated("/", *known).shape != SCALAR:
            raise NotStatic
        dtype = self.dtype(arguments.get("dtype"), rules.operated("/", *known).dtype)
        return rules.spaced(self.value(arguments.get("num"), 50), dtype)

    def _converted(self) -> Array:
        first, arguments = self.call.args[0], self.named("object", "dtype")
        type_ = expression_type(self.api, first)
        array = array_of(self.api, first, type_)
        if array is None:
            try:
                array = self._of_list(first)
            except NotStatic:
                if not self._is_inferred(first):
                    raise
                array = _of_type(type_)
        dtype = self.dtype(arguments.get("dtype"), array.dtype)
        return Array(array.shape, dtype, () if "dtype" in arguments else array.dtypes)

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

    def joined(self) -> Array:
        arguments = self.named("arrays", "axis")
        return rules.concatenated(self.arrays(arguments["arrays"]), self.value(arguments.get("axis"), 0))

    def stacked(self) -> Array:
        arguments = self.named("arrays", "axis")
        return rules.stacked(self.arrays(arguments["arrays"]), self.value(arguments.get("axis"), 0))

    def expanded(self) -> Array:
        arguments = self.named("a", "axis")
        return rules.expanded(self.array(arguments["a"]), self.value(arguments["axis"]))

    def tiled(self) -> Array:
        arguments = self.named("A", "reps")
        return rules.repeated(self.array(arguments["A"]), self.sizes(arguments["reps"]).known())

    def padded(self) -> Array:
        arguments = self.named("array", "pad_width", "mode")
        array, widths = self.array(arguments["array"]), self.value(arguments["pad_width"], MISSING)
        if not is_known(widths) or array.shape.dims is None:
            raise NotStatic
        return rules.padded(array, widths)

    def broadcast(self) -> Array:
        arguments = self.named("array", "shape", "subok")
        return Array(self.sizes(arguments["shape"]), self.array(arguments["array"]).dtype)

    def repeated(self) -> Array:
        arguments = self.named("a", "repeats", "axis")
        array, axis = self.array(arguments["a"]), self.value(arguments.get("axis"))
        rank = array.shape.rank
        if type(axis) is not int or rank is None or not -rank <= axis < rank:
            raise NotStatic
        factors = [self.value(arguments["repeats"]) if i == axis % rank else 1 for i in range(rank)]
        return rules.repeated(array, factors)

    def accumulated(self) -> Array:
        arguments = self.named("a", "axis", "dtype")
        array, axis = self.array(arguments["a"]), self.value(arguments.get("axis"))
        shape = Shape((array.shape.size,)) if axis is None else array.shape if type(axis) is int else UNKNOWN
        dtype = self.dtype(arguments.get("dtype"), rules.reduced(array, "sum", None, keeps=False).dtype)
        return Array(shape, dtype, is_computed=True)

    def chosen(self) -> Array:
        arguments = self.named("condition", "x", "y")
        parts = [part_of(self.api, arguments[name]) for name in ("condition", "x", "y")]
        condition, x, y = (part for part in parts if part is not None) if None not in parts else (Array(),) * 3
        shape = rules.operated("logical_and", condition, rules.operated("logical_and", x, y)).shape
        return Array(shape, rules.operated("maximum", x, y).dtype)

    def as_set(self) -> Array:
        """A sorted vector of the distinct elements of arrays. What options add to it is not known."""
        if any(self.call.arg_names):
            raise NotStatic
        return Array(Shape((None,)))

    # Methods

    def _method(self, name: str, array: Array, args: Sequence[Expression], *, skip: int = 0) -> Array | None:
        if name in rules.REDUCTIONS:
            arguments = self.named(*_REDUCTION.get(name, ("axis", "dtype", "out", "keepdims")), skip=skip)
            if arguments.keys() & {"dtype", "out"}:
                return Array()
            axis, keeps = self.value(arguments.get("axis")), self.value(arguments.get("keepdims"), False)
            if not isinstance(keeps, bool):
                raise NotStatic
            return rules.reduced(array, name, axis, keeps=keeps)
        if name in _SAME_SHAPE:
            return evolve(array, dtype=None, is_doubtful=True) if name == "clip" else array
        method = _METHODS.get(name)
        if method is None or (any(self.call.arg_names) and name != "astype"):
            return None
        return method(self, array, args)

    def reshape(self, array: Array, args: Sequence[Expression]) -> Array:
        sizes = self.value(args[0]) if len(args) == 1 else tuple(map(self.value, args))
        if isinstance(sizes, tuple):
            return rules.reshaped(array, sizes)
        is_one = self.is_int(args[0])
        return rules.reshaped(array, (sizes,)) if is_one or type(sizes) is int else evolve(array, shape=UNKNOWN)

    def transpose(self, array: Array, args: Sequence[Expression]) -> Array:
        axes = self.value(args[0]) if len(args) == 1 else tuple(map(self.value, args)) or None
        if axes is not None and not isinstance(axes, tuple):
            raise NotStatic
        return rules.transposed(array, axes)

    def swapaxes(self, array: Array, args: Sequence[Expression]) -> Array:
        first, second = map(self.value, args)
        return rules.swapped(array, first, second)

    def astype(self, array: Array, args: Sequence[Expression]) -> Array:
        dtype = self.dtype(args[0], None) if args else None  # NumPy's types know it, too
        return evolve(array, dtype=dtype, is_doubtful=False)

    def flat(self, array: Array, _args: Sequence[Expression]) -> Array:
        return evolve(array, shape=Shape((array.shape.size,)))

    def squeeze(self, array: Array, args: Sequence[Expression]) -> Array:
        if args or not array.shape.is_static:
            raise NotStatic
        return evolve(array, shape=Shape(tuple(dim for dim in array.shape.known() if dim != 1)))

    # Random numbers

    def _random(self, name: str) -> Array | None:
        args = self.call.args
        if name in ("rand", "randn"):
            return Array(shape_value(self.api, tuple(map(self.value, args))), np.dtype(float)) if args else None
        if name in ("permutation", "permuted") and args:
            array = array_of(self.api, args[0], expression_type(self.api, args[0]))
            count = self.value(args[0])
            return array or (Array(Shape((count,)), np.dtype(int)) if type(count) is int else None)
        if name == "choice":
            return self._choice()
        if name in rules.VECTORS:
            return self._vectors(*rules.VECTORS[name])
        if name not in rules.SIZED:
            return None
        position, default = rules.SIZED[name]
        named = dict(zip(self.call.arg_names, args, strict=True))
        positional = args[: self.call.arg_names.count(None)]
        size = named.get("size") or (positional[position] if len(positional) > position else None)
        dtype = named.get("dtype") or (positional[position + 1] if len(positional) > position + 1 else None)
        return None if size is None else Array(self.sizes(size), self.dtype(dtype, default))

    def _choice(self) -> Array | None:
        arguments = self.named("a", "size", "replace", "p", "axis", "shuffle")
        if "size" not in arguments or "axis" in arguments:
            return None
        pool = array_of(self.api, arguments["a"], expression_type(self.api, arguments["a"]))
        size = self.sizes(arguments["size"])
        if pool is None:
            return Array(size, np.dtype(int) if type(self.value(arguments["a"])) is int else None)
        dims = pool.shape.dims
        return Array(Shape((*size.known(), *dims[1:])) if dims else Shape(None), pool.dtype)

    def _vectors(self, parameters: Sequence[str], of_length: str, dtype: type[float]) -> Array:
        arguments = self.named(*parameters)
        if of_length not in arguments:
            raise NotStatic
        vector = self.array(arguments[of_length])
        if vector.shape.rank != 1 or ("n" in arguments and not self.is_int(arguments["n"])):
            raise NotStatic
        size = self.sizes(arguments["size"]) if "size" in arguments else SCALAR
        return Array(Shape((*size.known(), *vector.shape.known())), np.dtype(dtype))


_Make: TypeAlias = Callable[[_Returned], Array]
_Method: TypeAlias = Callable[[_Returned, Array, Sequence[Expression]], Array]

_FUNCTIONS: Final[dict[str, _Make]] = {
    "zeros": _Returned.created,
    "ones": _Returned.created,
    "empty": _Returned.created,
    "full": _Returned.full,
    "eye": _Returned.eye,
    "identity": _Returned.identity,
    "arange": _Returned.range,
    **dict.fromkeys(("geomspace", "linspace"), _Returned.spaced),
    "broadcast_to": _Returned.broadcast,
    "concatenate": _Returned.joined,
    "repeat": _Returned.repeated,
    "stack": _Returned.stacked,
    "expand_dims": _Returned.expanded,
    "pad": _Returned.padded,
    "tile": _Returned.tiled,
    **dict.fromkeys(("cumprod", "cumsum"), _Returned.accumulated),
    "where": _Returned.chosen,
    **dict.fromkeys(("intersect1d", "setdiff1d", "setxor1d", "union1d", "unique"), _Returned.as_set),
}
"""The functions of which NumPy itself is not asked (`PROBED`), or cannot be: for large arrays and unknown values."""
_METHODS: Final[dict[str, _Method]] = {
    "astype": _Returned.astype,
    "flatten": _Returned.flat,
    "ravel": _Returned.flat,
    "reshape": _Returned.reshape,
    "squeeze": _Returned.squeeze,
    "swapaxes": _Returned.swapaxes,
    "transpose": _Returned.transpose,
}
_REDUCTION: Final = {
    **dict.fromkeys(("argmax", "argmin"), ("axis", "out", "keepdims")),
    **dict.fromkeys(("max", "min", "all", "any"), ("axis", "out", "keepdims")),
    **dict.fromkeys(("std", "var"), ("axis", "dtype", "out", "ddof", "keepdims")),
    "median": ("axis", "out", "overwrite_input", "keepdims"),
    "ptp": ("axis", "out", "keepdims"),
}


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
