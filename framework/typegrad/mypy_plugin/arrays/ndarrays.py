"""The shape and the dtype of NumPy arrays, from the expressions that make them.

NumPy's own types have no sizes, and no dtype after many functions. This module reads `np.zeros((784, 10))`,
`rng.normal(size=(5, 5)).astype(np.float32)`, `data[:100] / 255` and names that are bound to such expressions.
Statements that change an array in place change neither its shape nor its dtype.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
from attrs import evolve
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    EllipsisExpr,
    Expression,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, Type, TypeOfAny, UnionType, get_proper_type

from typegrad.base.shape import SCALAR, UNKNOWN, Shape, shared
from typegrad.mypy_plugin.arrays import numpy_rules as rules
from typegrad.mypy_plugin.arrays.numpy_rules import Array, Part
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import is_of_typegrad
from typegrad.mypy_plugin.base.dims import in_array, shape_of, shape_type
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, base_of
from typegrad.mypy_plugin.base.provided import Provided
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.types.array_types import dtype_of, type_of_dtype
from typegrad.mypy_plugin.types.not_operands import returns_operand
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.bindings import Bound
from typegrad.mypy_plugin.values.evaluation import evaluate, known_value, shape_of_array
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, bound_values, iterated, may_reshape, only_value, returned
from typegrad.mypy_plugin.values.scalars import check_scalars, is_scalar
from typegrad.mypy_plugin.values.static_values import NotStatic, is_known, nested_shape

__all__ = [
    "array_at",
    "array_of",
    "array_of_call",
    "array_shape",
    "arrays_of_call",
    "as_stated",
    "forget_arrays",
    "is_scalar_of_run",
    "listed",
    "operated",
    "part_of",
    "states_sizes",
    "type_beside_any",
    "type_beyond_any",
    "type_of_array",
]

_SAMPLES: Final[dict[str, rules.Number]] = {
    "builtins.bool": True,
    "builtins.int": 1,
    "builtins.float": 1.0,
    "builtins.complex": 1j,
}

array_of_call: Final = Provided[[CheckerPluginInterface, CallExpr], "Array | None"]()
"""The array that a call returns, None if it is not known; of `numpy_calls`, which itself reads arrays."""
arrays_of_call: Final = Provided[[CheckerPluginInterface, CallExpr], "list[Array]"]()
"""The arrays in the list that a call returns, none if they are not known; of the same module."""


def array_shape(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Shape:
    """The shape of a number, nested list or array for a constant; `NotStatic` if its rank is not known."""
    array = array_of(api, expr, type_)
    if array is not None:
        if array.shape.dims is None:
            raise NotStatic
        return array.shape
    display, display_type = _display(api, expr, type_)
    value = evaluate(api, display, display_type)
    if not (isinstance(value, tuple) and is_known(value)):
        check_scalars(api, display, display_type)
    return nested_shape(value)


def _display(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> tuple[Expression | None, Type]:
    """The list or tuple that a name is bound to, with its type."""
    bound = bound_to(api, expr) if isinstance(expr, (NameExpr, MemberExpr)) else None
    checker = checker_of(api)
    if bound is None or bound.path or not isinstance(bound.expr, (ListExpr, TupleExpr)):
        return expr, type_
    return (bound.expr, checker.lookup_type(bound.expr)) if checker.has_type(bound.expr) else (expr, type_)


def states_sizes(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is an array whose sizes follow from the source, though not from its type."""
    if not _may_be_array(expr):
        return False
    with checker_of(api).msg.filter_errors():
        array = _written(api, expr) or array_of(api, expr, expression_type(api, expr))
    return array is not None and array.shape.is_static


def _may_be_array(expr: Expression) -> bool:
    """Whether an expression looks like an array, before mypy has checked it."""
    if isinstance(expr, (NameExpr, MemberExpr)) and isinstance(expr.node, Var):
        return _is_numpy(expr.node.type)
    if isinstance(expr, MemberExpr):
        return expr.fullname.startswith("numpy.") or _may_be_array(expr.expr) or isinstance(expr.expr, NameExpr)
    if isinstance(expr, CallExpr):
        return _may_be_array(expr.callee) and not returns_operand(expr)
    if isinstance(expr, IndexExpr):
        return _may_be_array(expr.base)
    if isinstance(expr, OpExpr):
        return _may_be_array(expr.left) or _may_be_array(expr.right)
    return isinstance(expr, UnaryExpr) and _may_be_array(expr.expr)


def _is_numpy(type_: Type | None) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname.startswith("numpy.")


_arrays: Final = Memory[tuple[Expression, int], "Array | None"](per_recheck=True)


def forget_arrays() -> None:
    """Forget the arrays: mypy is about to check their statements again, with other sizes."""
    _arrays.clear()


def array_of(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Array | None:
    """What is known of an array; None for any other expression."""
    proper = get_proper_type(type_)
    typed = None
    if isinstance(proper, Instance) and proper.type.fullname == ARRAY:
        shape = UNKNOWN if may_reshape(api) else in_array(shape_of(proper.args[0]).shape)
        is_known = shape.rank != 0 or (expr is not None and _is_of_run(api, expr))
        typed = Array(shape if is_known else UNKNOWN, dtype_of(api, proper.args[1]))
    elif isinstance(proper, UnionType):
        typed = _one_of(api, proper)
        if typed is None:
            return None
    elif not isinstance(proper, AnyType) and not _is_number(proper):
        return None
    written = None if expr is None else _written(api, expr)
    if isinstance(proper, Instance) and typed is None:  # a number, or what mypy takes for one, of a guessed dtype
        is_known = written is not None and written.dtype is not None and written.shape.dims is not None
        return written if is_known else None
    return rules.both(written, typed) if written is not None and typed is not None else written or typed


def _one_of(api: CheckerPluginInterface, union: UnionType) -> Array | None:
    """What several arrays have in common, one of which it is behind a branch or a loop; None for anything else."""
    arrays = [array_of(api, None, each) if base_of(each, ARRAY) is not None else None for each in union.items]
    known = [each for each in arrays if each is not None]
    dtype = known[0].dtype if known and all(each.dtype is known[0].dtype for each in known) else None
    return Array(shared([each.shape for each in known]), dtype) if len(known) == len(arrays) else None


def _is_number(type_: Type) -> bool:
    """Whether it is a number of NumPy."""
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.has_base("numpy.generic")


def _is_of_run(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether typegrad says what an array is.

    Of `np.zeros(a.shape)` with any number of dimensions, mypy says that it has none, the first of NumPy's choices.
    """
    base = expr.base if isinstance(expr, IndexExpr) else expr  # an item of what a run returns
    bound = bound_to(api, base) if isinstance(base, (NameExpr, MemberExpr)) else None
    source = base if bound is None else bound.expr
    callee = source.callee if isinstance(source, CallExpr) else None
    return isinstance(callee, MemberExpr) and is_of_typegrad(expression_type(api, callee.expr))


def is_scalar_of_run(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether a name or an item is an array without dimensions, as a run returns it for a scalar."""
    if not isinstance(expr, (IndexExpr, MemberExpr, NameExpr)) or not _is_of_run(api, expr):
        return False
    array = array_of(api, expr, expression_type(api, expr))
    return array is not None and array.shape.rank == 0


def type_of_array(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The type of an array or a number of NumPy that mypy takes for `Any`; None if its rank or dtype is not known."""
    array = array_of(api, expr, AnyType(TypeOfAny.special_form))
    dtype = None if array is None or array.dtype is None else type_of_dtype(api, array.dtype)
    if array is None or not isinstance(dtype, Instance) or (array.may_be_number and not array.is_number):
        return None
    if array.is_number:
        return dtype.args[0]
    return api.named_generic_type(ARRAY, [shape_type(api, array.shape, is_gradual=False) or any_tuple(api), dtype])


def type_beyond_any(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Type:
    """The type of an expression, of the array or number that it is where mypy says `Any`."""
    if expr is None or not isinstance(get_proper_type(type_), AnyType):
        return type_
    return type_of_array(api, expr) or type_


def type_beside_any(api: CheckerPluginInterface, expr: Context, type_: Type) -> Type:
    """The type of an array, where NumPy's types say `array | Any` of what is no array for numbers."""
    union = get_proper_type(type_)
    if not isinstance(union, UnionType) or not isinstance(expr, CallExpr) or len(union.items) != 2:
        return type_
    stated, other = sorted(map(get_proper_type, union.items), key=lambda each: isinstance(each, AnyType))
    if base_of(stated, ARRAY) is None or not isinstance(other, AnyType):
        return type_
    array = array_of(api, expr, other)
    return type_ if array is None or array.may_be_number else stated


@shape_of_array.provide
def _shape(api: CheckerPluginInterface, expr: Expression) -> Shape:
    array = array_of(api, expr, expression_type(api, expr))
    return UNKNOWN if array is None else array.shape


def _written(api: CheckerPluginInterface, expr: Expression) -> Array | None:
    """The array that an expression makes, as far as its parts say; None if they say nothing."""
    checker = checker_of(api)
    key = expr, checker.pass_num
    if key in _arrays:
        return _arrays[key]
    _arrays[key] = None  # of a name that is bound to itself
    array = None
    with suppress(NotStatic):
        array = _array_made(api, expr)
    is_open = array is None or array.dtype is None
    if is_open and any(_is_misstated(api, part, is_argument=True) for part in _parts(expr)):
        array = evolve(array or Array(), is_doubtful=True)
    _arrays[key] = array
    if is_open and not checker.has_type(expr):
        del _arrays[key]  # asked before mypy has checked it
    return array


def _parts(expr: Expression) -> Sequence[Expression]:
    """What a function of NumPy or Python, a method or an attribute of an array, or an index makes an array of."""
    if isinstance(expr, CallExpr) and isinstance(expr.callee, (MemberExpr, NameExpr)):
        callee = expr.callee
        if callee.fullname.startswith(("builtins.", "numpy.")):
            return expr.args
        return [callee.expr] if isinstance(callee, MemberExpr) and not callee.fullname else []
    base = expr.base if isinstance(expr, IndexExpr) else expr.expr if isinstance(expr, MemberExpr) else None
    return [] if base is None or (isinstance(expr, MemberExpr) and expr.fullname) else [base]


def _is_misstated(api: CheckerPluginInterface, expr: Expression, *, is_argument: bool = False) -> bool:
    """Whether the type of an array, or of one in a list, may state a wrong dtype.

    Of an argument, mypy may have left the dtype open, and have guessed that of the result from the parameter.
    """
    if isinstance(expr, (ListExpr, TupleExpr)):
        return any(_is_misstated(api, item, is_argument=is_argument) for item in expr.items)
    checker = checker_of(api)
    array = _written(api, expr) if checker.has_type(expr) else None
    if array is None or array.dtype is None:
        return array is not None and array.is_doubtful
    type_ = get_proper_type(checker.lookup_type(expr))
    is_array = isinstance(type_, Instance) and type_.type.fullname == ARRAY
    if not isinstance(type_, Instance) or not is_array:
        return False
    stated = dtype_of(api, type_.args[1])
    return is_argument if stated is None else array.dtype != stated


def _array_made(api: CheckerPluginInterface, expr: Expression) -> Array | None:
    if isinstance(expr, (NameExpr, MemberExpr)):
        return _followed(api, expr) or (_attribute(api, expr) if isinstance(expr, MemberExpr) else None)
    if isinstance(expr, CallExpr):
        return array_of_call(api, expr)
    if isinstance(expr, OpExpr):
        return operated(api, expr.op, expr.left, expr.right)
    if isinstance(expr, UnaryExpr):
        return operated(api, expr.op, expr.expr)
    if isinstance(expr, ComparisonExpr) and len(expr.operands) == 2:
        return operated(api, expr.operators[0], *expr.operands)
    if isinstance(expr, IndexExpr):
        return _followed(api, expr) or _part(api, expr) or _indexed(api, expr)
    return None


def _part(api: CheckerPluginInterface, expr: IndexExpr) -> Array | None:
    """The array at an index of the list that a call returns."""
    call, index = only_value(api, expr.base), evaluate(api, expr.index, expression_type(api, expr.index))
    if not isinstance(call, CallExpr) or type(index) is not int:
        return None
    parts = arrays_of_call(api, call)
    return parts[index] if -len(parts) <= index < len(parts) else None


def _indexed(api: CheckerPluginInterface, expr: IndexExpr) -> Array:
    """An item or a slice of an array: of the array's dtype, whatever the index."""
    array, items = _array(api, expr.base), _items(expr.index)
    may_be_number = not any(isinstance(item, (EllipsisExpr, SliceExpr)) for item in items)
    try:
        return rules.indexed(array, [_index_item(api, item) for item in items])
    except NotStatic:
        return evolve(array, shape=UNKNOWN, is_computed=may_be_number)


def _array(api: CheckerPluginInterface, expr: Expression) -> Array:
    array = array_of(api, expr, expression_type(api, expr))
    if array is None:
        raise NotStatic
    return array


def _followed(api: CheckerPluginInterface, name: NameExpr | MemberExpr | IndexExpr) -> Array | None:
    """The array that a name is bound to. A name that is bound several times has the type that mypy infers."""
    bound = bound_to(api, name)
    checker = checker_of(api)
    if bound is None:
        return _of_many(api, name)
    if bound.path:
        part = array_at(api, _part_of(returned(api, bound.expr), bound.path))
        array = as_stated(api, part, name) or _of_list(api, bound)
        if array is None and _is_misstated(api, bound.expr):
            array = Array(is_doubtful=True)
    else:
        is_local = isinstance(name.node, Var) and name.node.type is None if isinstance(name, NameExpr) else False
        is_followed = is_local or isinstance(name, MemberExpr) or checker.has_type(bound.expr)
        array = array_at(api, bound.expr) if is_followed else None
    return evolve(array, shape=UNKNOWN) if array is not None and may_reshape(api) else array


def as_stated(api: CheckerPluginInterface, array: Array | None, expr: Expression) -> Array | None:
    """The array that a function makes, of unknown dtype if the function declares another one than it seems to make.

    Either may be the mistake: NumPy's types are wrong about some arrays, and the declared type is then, too.
    """
    stated = None if array is None else array_of(api, None, expression_type(api, expr))
    dtypes = [each.dtype for each in (array, stated) if each is not None and each.dtype is not None]
    is_other = len(dtypes) == 2 and dtypes[0] != dtypes[1]
    return evolve(array, dtype=None, is_doubtful=True) if array is not None and is_other else array


def _of_list(api: CheckerPluginInterface, bound: Bound) -> Array | None:
    """The array at a place of the list that a call returns: of `left, right = np.split(x, 2)`."""
    if not isinstance(bound.expr, CallExpr) or len(bound.path) != 1:
        return None
    parts = arrays_of_call(api, bound.expr)
    return parts[bound.path[0]] if bound.path[0] < len(parts) else None


def array_at(api: CheckerPluginInterface, expr: Expression | None) -> Array | None:
    """What is known of the array that an expression makes, also in a function that mypy has not checked yet."""
    if expr is None:
        return None
    with checker_of(api).msg.filter_errors():
        return array_of(api, expr, expression_type(api, expr))


def _part_of(expr: Expression | None, path: Sequence[int]) -> Expression | None:
    """The part of a display at a path: what `x, y = batch(32)` assigns."""
    for position in path:
        if not isinstance(expr, (ListExpr, TupleExpr)) or not is_plain(expr) or position >= len(expr.items):
            return None
        expr = expr.items[position]
    return expr


def _of_many(api: CheckerPluginInterface, name: Expression) -> Array | None:
    """An array of unknown dtype, if NumPy's types state a wrong one for a value of a name.

    For them `0.1 * Any` is a float64, and so is the quotient of a float32 and an int.
    """
    values = [each.expr for each in bound_values(api, name) if each is not None and not each.path]
    computed = [each for each in (*values, iterated(api, name)) if isinstance(each, (CallExpr, OpExpr))]
    return Array(is_doubtful=True) if any(_is_misstated(api, each) for each in computed) else None


def _attribute(api: CheckerPluginInterface, expr: MemberExpr) -> Array | None:
    if expr.name == "T" and not expr.fullname:
        array = _array(api, expr.expr)
        return array if array.shape.dims is None else evolve(array, shape=Shape(array.shape.dims[::-1]))
    if expr.name in ("imag", "real") and not expr.fullname:
        array = _array(api, expr.expr)
        return evolve(array, dtype=None if array.dtype is None else np.real(np.zeros(1, array.dtype)).dtype)
    return None


def operated(api: CheckerPluginInterface, name: str, *operands: Expression) -> Array | None:
    """The result of an operator. If it is an array, though of unknown dtype, NumPy's types do not know better."""
    parts = [part_of(api, operand) for operand in operands]
    known = [part for part in parts if part is not None]
    if not any(isinstance(part, Array) for part in known):
        return None
    return rules.operated(name, *known) if len(known) == len(parts) else Array(is_doubtful=True)


def part_of(api: CheckerPluginInterface, expr: Expression) -> Part | None:
    """An operand of arithmetic; None if it is not known."""
    type_ = expression_type(api, expr)
    array = array_of(api, expr, type_)
    if array is not None:
        return array
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.type.has_base("numpy.generic"):  # of its own dtype, whatever the value
        return Array(SCALAR, dtype_of(api, proper), is_computed=True)
    value = evaluate(api, expr, type_)
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(proper, AnyType) and is_scalar(api, expr):
        return _number(api, expr)
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname in _SAMPLES:
        return _SAMPLES[proper.type.fullname]
    if isinstance(expr, (ListExpr, TupleExpr)):
        return listed(api, expr)
    return None


def _number(api: CheckerPluginInterface, expr: Expression) -> Part | None:
    """A number whose type mypy does not tell: `np.sqrt(n)` and `1 / np.sqrt(n)` are float64, `n**-0.5` is a float."""
    known = only_value(api, expr)
    if isinstance(known, CallExpr) and isinstance(known.callee, (MemberExpr, NameExpr)):
        name, operands = known.callee.name, known.args
    elif isinstance(known, OpExpr):
        name, operands = known.op, [known.left, known.right]
    elif isinstance(known, UnaryExpr):
        name, operands = known.op, [known.expr]
    else:
        return None
    parts = [part_of(api, operand) for operand in operands]
    numbers = [part for part in parts if part is not None]
    if len(numbers) < len(parts):
        return None
    return rules.operated(name, *numbers) if isinstance(known, CallExpr) else rules.calculated(name, *numbers)


def listed(api: CheckerPluginInterface, expr: Expression) -> Array:
    """The array that NumPy makes of a nested list of numbers."""
    display, type_ = _display(api, expr, expression_type(api, expr))
    value = evaluate(api, display, type_)
    if not isinstance(value, tuple):
        raise NotStatic
    check_scalars(api, display, type_)
    shape = nested_shape(value)
    return Array(shape, np.asarray(value).dtype if is_known(value) else None)


def _items(index: Expression) -> Sequence[Expression]:
    """The items of an index."""
    return index.items if isinstance(index, TupleExpr) else [index]


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
        return listed(api, expr)
    value = evaluate(api, expr, type_)
    if value is None or type(value) is int:
        return value
    proper = get_proper_type(type_)
    if isinstance(proper, Instance) and proper.type.fullname == "builtins.int":
        return NotImplemented
    raise NotStatic


def _bound(api: CheckerPluginInterface, expr: Expression | None) -> Any:
    value = None if expr is None else known_value(api, expr)
    return value if value is None or type(value) is int else NotImplemented
