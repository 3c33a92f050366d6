"""The shape and the dtype of NumPy arrays, from the expressions that make them.

NumPy's own types have no sizes, and no dtype after many functions. This module reads `np.zeros((784, 10))`,
`rng.normal(size=(5, 5)).astype(np.float32)`, `data[:100] / 255` and names that are bound to such expressions.
Statements that change an array in place change neither its shape nor its dtype.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias, cast

import numpy as np
from attrs import evolve, frozen
from mypy.checker import TypeChecker
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    CallExpr,
    ComparisonExpr,
    EllipsisExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SliceExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, LiteralType, Type, get_proper_type

from typegrad.base.shape import SCALAR, UNKNOWN, Shape
from typegrad.mypy_plugin import numpy_rules as rules
from typegrad.mypy_plugin.arrays import ARRAY, dtype_of
from typegrad.mypy_plugin.dims import shape_of
from typegrad.mypy_plugin.evaluation import (
    MISSING,
    NotStatic,
    check_scalars,
    evaluate,
    expression_type,
    is_known,
    nested_shape,
    reads_arrays,
    shape_value,
)
from typegrad.mypy_plugin.following import bound_to, bound_values, may_reshape
from typegrad.mypy_plugin.memory import Memory
from typegrad.mypy_plugin.numpy_rules import Array, Part

__all__ = ["array_of", "array_shape", "states_sizes"]

_RANDOM: Final = ("numpy.random.mtrand.", "numpy.random._generator.")
_GENERATORS: Final = frozenset({"numpy.random._generator.Generator", "numpy.random.mtrand.RandomState"})
_SAMPLES: Final[dict[str, rules.Number]] = {
    "builtins.bool": True,
    "builtins.int": 1,
    "builtins.float": 1.0,
    "builtins.complex": 1j,
}
_ABSTRACT: Final = frozenset(
    {"floating", "generic", "inexact", "integer", "number", "signedinteger", "unsignedinteger"}
)
"""NumPy's scalar classes that are no dtypes."""
_CONVERTERS: Final = frozenset({"array", "asarray", "ascontiguousarray", "copy"})
_SAME_SHAPE: Final = frozenset({"copy", "clip", "round", "conj", "tril", "triu", "flip", "roll"})


def array_shape(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Shape:
    """The shape of a number, nested list or array for a constant; `NotStatic` if its rank is not known."""
    array = array_of(api, expr, type_)
    if array is not None:
        if array.shape.dims is None:
            raise NotStatic
        return array.shape
    display, display_type = _display(api, expr, type_)
    value = evaluate(api, display, display_type)
    check_scalars(api, display, display_type)
    return nested_shape(value)


def _display(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> tuple[Expression | None, Type]:
    """The list or tuple that a name is bound to, with its type."""
    bound = bound_to(api, expr) if isinstance(expr, (NameExpr, MemberExpr)) else None
    checker = cast("TypeChecker", api)
    if bound is None or bound.path or not isinstance(bound.expr, (ListExpr, TupleExpr)):
        return expr, type_
    return (bound.expr, checker.lookup_type(bound.expr)) if checker.has_type(bound.expr) else (expr, type_)


def states_sizes(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is an array whose sizes follow from the source, though not from its type."""
    if not _may_be_array(expr):
        return False
    with cast("TypeChecker", api).msg.filter_errors():
        array = array_of(api, expr, expression_type(api, expr))
    return array is not None and array.shape.is_static


def _may_be_array(expr: Expression) -> bool:
    """Whether an expression looks like an array, before mypy has checked it."""
    if isinstance(expr, (NameExpr, MemberExpr)) and isinstance(expr.node, Var):
        return _is_numpy(expr.node.type)
    if isinstance(expr, MemberExpr):
        return expr.fullname.startswith("numpy.") or _may_be_array(expr.expr) or isinstance(expr.expr, NameExpr)
    if isinstance(expr, CallExpr):
        return _may_be_array(expr.callee)
    if isinstance(expr, IndexExpr):
        return _may_be_array(expr.base)
    if isinstance(expr, OpExpr):
        return _may_be_array(expr.left) or _may_be_array(expr.right)
    return isinstance(expr, UnaryExpr) and _may_be_array(expr.expr)


def _is_numpy(type_: Type | None) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname.startswith("numpy.")


_arrays: Final = Memory[tuple[Expression, int], "Array | None"]()


def array_of(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Array | None:
    """What is known of an array; None for any other expression."""
    proper = get_proper_type(type_)
    typed = None
    if isinstance(proper, Instance) and proper.type.fullname == ARRAY:
        typed = Array(shape_of(proper.args[0]).shape, dtype_of(api, proper.args[1]))
    elif not isinstance(proper, AnyType):
        return None
    written = None if expr is None else _written(api, expr)
    return rules.both(written, typed) if written is not None and typed is not None else written or typed


@reads_arrays
def _shape(api: CheckerPluginInterface, expr: Expression) -> Shape:
    array = array_of(api, expr, expression_type(api, expr))
    return UNKNOWN if array is None else array.shape


def _written(api: CheckerPluginInterface, expr: Expression) -> Array | None:
    """The array that an expression makes, as far as its parts say; None if they say nothing."""
    key = expr, cast("TypeChecker", api).pass_num
    if key not in _arrays:
        _arrays[key] = None  # of a name that is bound to itself
        with suppress(NotStatic):
            _arrays[key] = _made(api, expr)
    return _arrays[key]


def _made(api: CheckerPluginInterface, expr: Expression) -> Array | None:
    if isinstance(expr, (NameExpr, MemberExpr)):
        return _followed(api, expr) or (_attribute(api, expr) if isinstance(expr, MemberExpr) else None)
    if isinstance(expr, CallExpr):
        return _Called(api, expr).result()
    if isinstance(expr, OpExpr):
        return _operated(api, expr.op, expr.left, expr.right)
    if isinstance(expr, UnaryExpr):
        return _operated(api, expr.op, expr.expr)
    if isinstance(expr, ComparisonExpr) and len(expr.operands) == 2:
        return _operated(api, expr.operators[0], *expr.operands)
    if isinstance(expr, IndexExpr):
        return rules.indexed(_array(api, expr.base), _index(api, expr.index))
    return None


def _array(api: CheckerPluginInterface, expr: Expression) -> Array:
    array = array_of(api, expr, expression_type(api, expr))
    if array is None:
        raise NotStatic
    return array


def _followed(api: CheckerPluginInterface, name: NameExpr | MemberExpr) -> Array | None:
    """The array that a name is bound to. A name that is bound several times has the type that mypy infers."""
    bound = bound_to(api, name)
    checker = cast("TypeChecker", api)
    if bound is None:
        return _of_many(api, name)
    if bound.path or may_reshape(api) or not checker.has_type(bound.expr):
        return None
    return array_of(api, bound.expr, checker.lookup_type(bound.expr))


def _of_many(api: CheckerPluginInterface, name: Expression) -> Array | None:
    """An array of unknown dtype, if NumPy's types hide that a value of a name has one: `0.1 * Any` is no float64."""
    checker = cast("TypeChecker", api)
    for each in bound_values(api, name):
        if each is not None and not each.path and isinstance(each.expr, OpExpr) and checker.has_type(each.expr):
            array = _written(api, each.expr)
            if array is not None and array.is_doubtful:
                return Array(is_doubtful=True)
    return None


def _attribute(api: CheckerPluginInterface, expr: MemberExpr) -> Array | None:
    if expr.name == "T" and not expr.fullname:
        return rules.transposed(_array(api, expr.expr), None)
    return None


def _operated(api: CheckerPluginInterface, name: str, *operands: Expression) -> Array | None:
    """The result of an operator. If it is an array, though of unknown dtype, NumPy's types do not know better."""
    parts = [_part(api, operand) for operand in operands]
    known = [part for part in parts if part is not None]
    if not any(isinstance(part, Array) for part in known):
        return None
    return rules.operated(name, *known) if len(known) == len(parts) else Array(is_doubtful=True)


def _part(api: CheckerPluginInterface, expr: Expression) -> Part | None:
    """An operand of arithmetic; None if it is not known."""
    type_ = expression_type(api, expr)
    array = array_of(api, expr, type_)
    if array is not None:
        return array
    value = evaluate(api, expr, type_)
    if isinstance(value, (bool, int, float)):
        return value
    proper = get_proper_type(type_)
    if isinstance(proper, LiteralType):
        proper = proper.fallback
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname in _SAMPLES:
        return _SAMPLES[proper.type.fullname]
    if proper.type.has_base("numpy.generic"):
        return Array(SCALAR, dtype_of(api, proper))
    if isinstance(expr, (ListExpr, TupleExpr)):
        return _listed(api, expr)
    return None


def _listed(api: CheckerPluginInterface, expr: Expression) -> Array:
    """The array that NumPy makes of a nested list of numbers."""
    display, type_ = _display(api, expr, expression_type(api, expr))
    value = evaluate(api, display, type_)
    if not isinstance(value, tuple):
        raise NotStatic
    check_scalars(api, display, type_)
    shape = nested_shape(value)
    return Array(shape, np.asarray(value).dtype if is_known(value) else None)


def _index(api: CheckerPluginInterface, expr: Expression) -> list[Any]:
    """The items of an index."""
    items: Sequence[Expression] = expr.items if isinstance(expr, TupleExpr) else [expr]
    return [_index_item(api, item) for item in items]


def _index_item(api: CheckerPluginInterface, expr: Expression) -> Any:
    if isinstance(expr, EllipsisExpr):
        return ...
    if isinstance(expr, SliceExpr):
        return slice(*(_bound(api, part) for part in (expr.begin_index, expr.end_index, expr.stride)))
    type_ = expression_type(api, expr)
    array = array_of(api, expr, type_)
    if array is not None:
        return array
    if isinstance(expr, ListExpr):
        return _listed(api, expr)
    value = evaluate(api, expr, type_)
    if value is None or type(value) is int:
        return value
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.int":
        return NotImplemented
    raise NotStatic


def _bound(api: CheckerPluginInterface, expr: Expression | None) -> Any:
    value = None if expr is None else evaluate(api, expr, expression_type(api, expr))
    return value if value is None or type(value) is int else NotImplemented


# Calls


@frozen
class _Called:
    """A call of a function of NumPy, or of a method of an array or a random generator."""

    api: CheckerPluginInterface
    call: CallExpr

    def result(self) -> Array | None:
        """The array that the call returns; None if the function is not known."""
        callee = self.call.callee
        if not isinstance(callee, (MemberExpr, NameExpr)) or not set(self.call.arg_kinds) <= {ARG_POS, ARG_NAMED}:
            return None
        if callee.fullname.startswith(_RANDOM):
            return self._random(callee.name)
        if callee.fullname.startswith("numpy."):
            return self._function(callee.name)
        if not isinstance(callee, MemberExpr):
            return None
        owner = get_proper_type(expression_type(self.api, callee.expr))
        if isinstance(owner, Instance) and owner.type.fullname in _GENERATORS:
            return self._random(callee.name)
        array = array_of(self.api, callee.expr, owner)
        return None if array is None else self._method(callee.name, array, self.call.args)

    # Arguments

    def _named(self, *names: str, skip: int = 0) -> dict[str, Expression]:
        """The arguments by the names of the parameters; `NotStatic` for others, such as `out` and `where`."""
        positional = [arg for arg, name in zip(self.call.args, self.call.arg_names, strict=True) if name is None]
        arguments = dict(zip(names, positional[skip:], strict=False))
        arguments |= {name: arg for arg, name in zip(self.call.args, self.call.arg_names, strict=True) if name}
        if len(positional) - skip > len(names) or not arguments.keys() <= {*names, "order"}:
            raise NotStatic
        return arguments

    def _value(self, expr: Expression | None, default: Any = None) -> Any:
        return default if expr is None else evaluate(self.api, expr, expression_type(self.api, expr))

    def _dtype(self, expr: Expression | None, default: Any) -> np.dtype[Any] | None:
        """The dtype that an argument states; None if it is not known."""
        if expr is None:
            return None if default is None else np.dtype(default)
        bound = bound_to(self.api, expr)
        if bound is not None and not bound.path:
            return self._dtype(bound.expr, default)
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

    def _sizes(self, expr: Expression | None) -> Shape:
        value = self._value(expr, MISSING)
        if value is MISSING or value is None:
            raise NotStatic
        return shape_value(self.api, value if isinstance(value, tuple) else (value,))

    def _array(self, expr: Expression) -> Array:
        part = _part(self.api, expr)
        if part is None:
            raise NotStatic
        return part if isinstance(part, Array) else Array(SCALAR, np.asarray(part).dtype)

    def _arrays(self, expr: Expression) -> list[Array]:
        if not isinstance(expr, (ListExpr, TupleExpr)) or not expr.items:
            raise NotStatic
        return [self._array(item) for item in expr.items]

    # Functions

    def _function(self, name: str) -> Array | None:
        make = _FUNCTIONS.get(name)
        if make is not None:
            return make(self)
        if name in rules.UFUNCS:
            if any(self.call.arg_names):
                return Array(is_doubtful=True)
            return _operated(self.api, name, *self.call.args)
        if name.endswith("_like"):
            return self._like(name)
        if name in _CONVERTERS:
            return self._converted()
        if self.call.args and (name in rules.REDUCTIONS or name in _METHODS or name in _SAME_SHAPE):
            return self._method(
                {"amax": "max", "amin": "min"}.get(name, name),
                self._array(self.call.args[0]),
                self.call.args[1:],
                skip=1,
            )
        return None

    def created(self) -> Array:
        arguments = self._named("shape", "dtype")
        return Array(self._sizes(arguments.get("shape")), self._dtype(arguments.get("dtype"), float))

    def full(self) -> Array:
        arguments = self._named("shape", "fill_value", "dtype")
        filled = None if "dtype" in arguments else self._array(arguments["fill_value"]).dtype
        return Array(self._sizes(arguments.get("shape")), self._dtype(arguments.get("dtype"), filled))

    def _like(self, name: str) -> Array:
        arguments = self._named(*(("a", "fill_value") if name == "full_like" else ("a",)), "dtype")
        first = arguments.get("a") or arguments["prototype"]
        array = self._array(first)
        return Array(array.shape, self._dtype(arguments.get("dtype"), array.dtype))

    def eye(self) -> Array:
        arguments = self._named("N", "M", "k", "dtype")
        rows, columns = arguments["N"], arguments.get("M", arguments["N"])
        sizes = (*self._sizes(rows).known(), *self._sizes(columns).known())
        return Array(Shape(sizes), self._dtype(arguments.get("dtype"), float))

    def identity(self) -> Array:
        arguments = self._named("n", "dtype")
        return Array(Shape(self._sizes(arguments["n"]).known() * 2), self._dtype(arguments.get("dtype"), float))

    def range(self) -> Array:
        arguments = self._named("start", "stop", "step", "dtype")
        if "stop" in arguments and "start" not in arguments:
            raise NotStatic
        bounds = [self._value(arguments[name]) for name in ("start", "stop", "step") if name in arguments]
        return rules.counted(bounds, self._dtype(arguments.get("dtype"), None))

    def spaced(self) -> Array:
        arguments = self._named("start", "stop", "num", "endpoint", "dtype")
        for bound in ("start", "stop"):
            if self._array(arguments[bound]).shape != SCALAR:
                raise NotStatic
        return rules.spaced(self._value(arguments.get("num"), 50), self._dtype(arguments.get("dtype"), float))

    def _converted(self) -> Array:
        first, arguments = self.call.args[0], self._named("object", "dtype")
        array = array_of(self.api, first, expression_type(self.api, first)) or _listed(self.api, first)
        return Array(array.shape, self._dtype(arguments.get("dtype"), array.dtype))

    def joined(self) -> Array:
        arguments = self._named("arrays", "axis")
        return rules.concatenated(self._arrays(arguments["arrays"]), self._value(arguments.get("axis"), 0))

    def stacked(self) -> Array:
        arguments = self._named("arrays", "axis")
        return rules.stacked(self._arrays(arguments["arrays"]), self._value(arguments.get("axis"), 0))

    def expanded(self) -> Array:
        arguments = self._named("a", "axis")
        return rules.expanded(self._array(arguments["a"]), self._value(arguments["axis"]))

    def tiled(self) -> Array:
        arguments = self._named("A", "reps")
        return rules.repeated(self._array(arguments["A"]), self._sizes(arguments["reps"]).known())

    def chosen(self) -> Array:
        arguments = self._named("condition", "x", "y")
        parts = [_part(self.api, arguments[name]) for name in ("condition", "x", "y")]
        condition, x, y = (part for part in parts if part is not None) if None not in parts else (Array(),) * 3
        shape = rules.operated("logical_and", condition, rules.operated("logical_and", x, y)).shape
        return Array(shape, rules.operated("maximum", x, y).dtype)

    # Methods

    def _method(self, name: str, array: Array, args: Sequence[Expression], *, skip: int = 0) -> Array | None:
        if name in rules.REDUCTIONS:
            arguments = self._named(*_REDUCTION.get(name, ("axis", "dtype", "out", "keepdims")), skip=skip)
            if arguments.keys() & {"dtype", "out"}:
                return Array()
            axis, keeps = self._value(arguments.get("axis")), self._value(arguments.get("keepdims"), False)
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
        sizes = self._value(args[0]) if len(args) == 1 else tuple(map(self._value, args))
        return rules.reshaped(array, sizes if isinstance(sizes, tuple) else (sizes,))

    def transpose(self, array: Array, args: Sequence[Expression]) -> Array:
        axes = self._value(args[0]) if len(args) == 1 else tuple(map(self._value, args)) or None
        if axes is not None and not isinstance(axes, tuple):
            raise NotStatic
        return rules.transposed(array, axes)

    def swapaxes(self, array: Array, args: Sequence[Expression]) -> Array:
        first, second = map(self._value, args)
        return rules.swapped(array, first, second)

    def astype(self, array: Array, args: Sequence[Expression]) -> Array:
        return Array(array.shape, self._dtype(args[0], None) if args else None)  # NumPy's types know it, too

    def flat(self, array: Array, _args: Sequence[Expression]) -> Array:
        return evolve(array, shape=Shape((array.shape.size,)))

    def squeeze(self, array: Array, args: Sequence[Expression]) -> Array:
        if args or array.shape.dims is None or None in array.shape.dims:
            raise NotStatic
        return evolve(array, shape=Shape(tuple(dim for dim in array.shape.dims if dim != 1)))

    # Random numbers

    def _random(self, name: str) -> Array | None:
        args = self.call.args
        if name in ("rand", "randn"):
            return Array(shape_value(self.api, tuple(map(self._value, args))), np.dtype(float)) if args else None
        if name in ("permutation", "permuted") and args:
            array = array_of(self.api, args[0], expression_type(self.api, args[0]))
            count = self._value(args[0])
            return array or (Array(Shape((count,)), np.dtype(int)) if type(count) is int else None)
        if name == "choice":
            return self._choice()
        if name not in rules.SIZED:
            return None
        position, default = rules.SIZED[name]
        named = dict(zip(self.call.arg_names, args, strict=True))
        positional = args[: self.call.arg_names.count(None)]
        size = named.get("size") or (positional[position] if len(positional) > position else None)
        dtype = named.get("dtype") or (positional[position + 1] if len(positional) > position + 1 else None)
        return None if size is None else Array(self._sizes(size), self._dtype(dtype, default))

    def _choice(self) -> Array | None:
        arguments = self._named("a", "size", "replace", "p", "axis", "shuffle")
        if "size" not in arguments or "axis" in arguments:
            return None
        pool = array_of(self.api, arguments["a"], expression_type(self.api, arguments["a"]))
        size = self._sizes(arguments["size"])
        if pool is None:
            return Array(size, np.dtype(int) if type(self._value(arguments["a"])) is int else None)
        dims = pool.shape.dims
        return Array(Shape((*size.known(), *dims[1:])) if dims else Shape(None), pool.dtype)


_Make: TypeAlias = Callable[[_Called], Array]
_Method: TypeAlias = Callable[[_Called, Array, Sequence[Expression]], Array]

_FUNCTIONS: Final[dict[str, _Make]] = {
    "zeros": _Called.created,
    "ones": _Called.created,
    "empty": _Called.created,
    "full": _Called.full,
    "eye": _Called.eye,
    "identity": _Called.identity,
    "arange": _Called.range,
    "linspace": _Called.spaced,
    "concatenate": _Called.joined,
    "stack": _Called.stacked,
    "expand_dims": _Called.expanded,
    "tile": _Called.tiled,
    "where": _Called.chosen,
}
_METHODS: Final[dict[str, _Method]] = {
    "astype": _Called.astype,
    "flatten": _Called.flat,
    "ravel": _Called.flat,
    "reshape": _Called.reshape,
    "squeeze": _Called.squeeze,
    "swapaxes": _Called.swapaxes,
    "transpose": _Called.transpose,
}
_REDUCTION: Final = {
    **dict.fromkeys(("argmax", "argmin"), ("axis", "out", "keepdims")),
    **dict.fromkeys(("max", "min", "all", "any"), ("axis", "out", "keepdims")),
    **dict.fromkeys(("std", "var"), ("axis", "dtype", "out", "ddof", "keepdims")),
    "median": ("axis", "out", "overwrite_input", "keepdims"),
    "ptp": ("axis", "out", "keepdims"),
}
