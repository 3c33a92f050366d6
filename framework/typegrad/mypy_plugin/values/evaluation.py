"""Static evaluation of expressions: numbers, tuples, and names that are bound to them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

from mypy.constant_fold import constant_fold_expr, constant_fold_unary_op
from mypy.nodes import (
    ARG_POS,
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    FloatExpr,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import Size
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Name, dim_of, has_fetched
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.base.provided import Provided
from typegrad.mypy_plugin.base.syntax import is_plain, split_text
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, equal_to, only_value
from typegrad.mypy_plugin.values.imported import imported_constant
from typegrad.mypy_plugin.values.static_values import (
    MISSING,
    NotStatic,
    agreed,
    are_ints,
    is_complete,
    is_known,
    names_sizes,
    operated,
    or_missing,
    value_of_type,
)

__all__ = ["evaluate", "forget_values", "known_value", "length_of", "shape_of_array", "shape_value", "slice_of"]

_LARGEST: Final = 2**53
_NO_OVERFLOW: Final = 2**31
"""The product of two smaller numbers is one of NumPy's integers."""
_SAME_LENGTH: Final = frozenset(
    {"builtins.enumerate", "builtins.list", "builtins.reversed", "builtins.sorted", "builtins.tuple"}
)
"""Python's functions whose result has as many items as their first argument."""
_VIEWS: Final = frozenset({"items", "keys", "values"})
"""The methods of dicts whose result has as many items as the dict."""
_SETS: Final = frozenset({"builtins.frozenset", "builtins.set"})
_OF_KNOWN_LENGTH: Final = frozenset({"builtins.range", "builtins.zip", "itertools.pairwise"}) | _SAME_LENGTH | _SETS
_ITERATORS: Final = frozenset({"builtins.enumerate", "builtins.reversed", "builtins.zip"})
"""Those whose result has no items left once it is iterated."""
_NUMPY_INTEGERS: Final = frozenset({"numpy.int64", "numpy.int_", "numpy.intp"})
_PRODUCTS: Final = frozenset({"math.prod", "numpy.prod", "numpy._core.fromnumeric.prod"})


def evaluate(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    """The value of an expression: number, string, None, tuple (also for a list), `Name`, `Size`, or `MISSING`."""
    if isinstance(expr, (TupleExpr, ListExpr)):
        items = _items(api, expr.items)
        return value_of_type(type_) if items is MISSING else items
    if expr is not None:
        folded = constant_fold_expr(expr, checker_of(api).tree.fullname)
        if folded is not None:
            return folded
    value = value_of_type(type_)
    is_whole = is_complete(value)
    if is_whole and not names_sizes(value):
        return value
    computed = _computed(api, expr)
    is_better = has_fetched(computed) if is_whole else computed is not MISSING
    return computed if is_better else value


def known_value(api: CheckerPluginInterface, expr: Expression) -> Any:
    """The value of an expression that mypy may not have checked yet; `MISSING` if it is not known."""
    return evaluate(api, expr, expression_type(api, expr))


def _items(api: CheckerPluginInterface, items: Sequence[Expression]) -> Any:
    """The values of the items of a display; MISSING if their number is not known."""
    result: list[Any] = []
    for item in items:
        if isinstance(item, (FloatExpr, IntExpr)):  # at once, as data may be thousands of numbers
            result.append(item.value)
        elif isinstance(item, StarExpr):
            values = known_value(api, item.expr)
            if not isinstance(values, tuple):
                return MISSING
            result += values
        else:
            result.append(known_value(api, item))
    return tuple(result)


def _computed(api: CheckerPluginInterface, expr: Expression | None) -> Any:
    """Evaluate what mypy's types and constant folding do not cover: names, arithmetic, items, sizes of arrays."""
    if isinstance(expr, (NameExpr, MemberExpr)):
        value = _followed(api, expr)
        if value is not MISSING:
            return value
        return _of_shaped(api, expr) if isinstance(expr, MemberExpr) else _guarded(api, expr)
    if isinstance(expr, UnaryExpr):
        operand = known_value(api, expr.expr)
        return or_missing(constant_fold_unary_op(expr.op, operand) if isinstance(operand, (int, float)) else None)
    if isinstance(expr, OpExpr):
        left, right = (known_value(api, side) for side in (expr.left, expr.right))
        return operated(expr.op, left, right)
    if isinstance(expr, IndexExpr):
        return _item(api, expr)
    if isinstance(expr, ConditionalExpr):
        branches = expr.if_expr, expr.else_expr
        return agreed(*(known_value(api, branch) for branch in branches))
    if isinstance(expr, CallExpr) and isinstance(expr.callee, RefExpr) and len(expr.args) == 1:
        value = _called(api, expr.callee.fullname, expr.args[0])
        return _formatted(api, expr) if value is MISSING else value
    if isinstance(expr, CallExpr) and len(expr.args) == 2:
        return _formatted(api, expr)
    if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name == "as_ints":
        sizes = known_value(api, expr.callee.expr)
        return sizes if isinstance(sizes, tuple) and are_ints(sizes) else MISSING
    split = split_text(expr)
    if split is not None:
        text = known_value(api, split)
        return tuple(text.split()) if isinstance(text, str) and not isinstance(text, Name) else MISSING
    return MISSING


def _formatted(api: CheckerPluginInterface, call: CallExpr) -> Any:
    """The value of `f"layer_{i}"`, which mypy reads as `"".join(["layer_", "{:{}}".format(i, "")])`."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or not isinstance(callee.expr, StrExpr):
        return MISSING
    method = callee.expr.value, callee.name
    if method not in (("", "join"), ("{:{}}", "format")):
        return MISSING
    values = [known_value(api, each) for each in call.args]
    if method[1] == "format":
        return str(values[0]) if type(values[0]) in (int, str) and values[1:] == [""] else MISSING
    if not isinstance(values[0], tuple) or any(type(part) is not str for part in values[0]):
        return MISSING
    return "".join(values[0])


def _item(api: CheckerPluginInterface, expr: IndexExpr) -> Any:
    """An item or a slice of a tuple, or an item of a dict."""
    whole = known_value(api, expr.base)
    if not isinstance(whole, tuple):
        return MISSING if bound_to(api, expr) is None else _followed(api, expr)
    index = expr.index
    if not isinstance(index, SliceExpr):
        position = known_value(api, index)
        return whole[position] if type(position) is int and -len(whole) <= position < len(whole) else MISSING
    bounds = slice_of(api, index)
    return MISSING if bounds is None else whole[bounds]


def slice_of(api: CheckerPluginInterface, expr: SliceExpr) -> slice | None:
    """The slice that an index is; None if it is not known."""
    parts = (expr.begin_index, expr.end_index, expr.stride)
    bounds = [None if part is None else known_value(api, part) for part in parts]
    is_known = all(bound is None or type(bound) is int for bound in bounds) and bounds[2] != 0
    return slice(*bounds) if is_known else None


def _called(api: CheckerPluginInterface, function: str, argument: Expression) -> Any:
    """The value of a call of one of Python's functions or of NumPy's integers, with a single argument."""
    if function == "builtins.len":
        return or_missing(length_of(api, argument))
    value = known_value(api, argument)
    if function in ("builtins.tuple", "builtins.list"):
        return value if isinstance(value, tuple) else MISSING
    if function == "builtins.int" and isinstance(value, (int, float)) and abs(value) < _LARGEST:
        return int(value)
    if function in _PRODUCTS and isinstance(value, tuple) and are_ints(value):
        return prod(value)
    if function in _NUMPY_INTEGERS and isinstance(value, int) and abs(value) < _NO_OVERFLOW:
        return value
    return MISSING


def length_of(api: CheckerPluginInterface, expr: Expression | None) -> Dim:
    """The number of items of a display, a range, an array, or a comprehension over such; None if it is not known."""
    known = only_value(api, expr)
    if known is not expr and _is_iterator(known):
        return None
    if isinstance(known, ListComprehension):
        known = known.generator
    if isinstance(known, DictExpr):
        keys = {key.value for key, _ in known.items if isinstance(key, (IntExpr, StrExpr))}
        return len(keys) if len(keys) == len(known.items) else None
    if isinstance(known, GeneratorExpr):
        counts = [None] if any(known.condlists) else [length_of(api, each) for each in known.sequences]
        return prod(count for count in counts if isinstance(count, int)) if are_ints(counts) else None
    if isinstance(known, CallExpr) and isinstance(known.callee, RefExpr):
        view = known.callee
        if isinstance(view, MemberExpr) and view.name in _VIEWS and not known.args:
            return length_of(api, view.expr)
        if known.callee.fullname in _OF_KNOWN_LENGTH and set(known.arg_kinds) == {ARG_POS}:
            return _length_of_call(api, known.callee.fullname, known.args)
    value = MISSING if expr is None else known_value(api, expr)
    if isinstance(value, (str, tuple)) and not isinstance(value, Name):
        return len(value)
    dims = () if expr is None else shape_of_array(api, expr).dims
    return dims[0] if dims else None


def _length_of_call(api: CheckerPluginInterface, function: str, args: Sequence[Expression]) -> Dim:
    """The number of items that one of Python's functions returns."""
    if function == "builtins.range":
        bounds = [known_value(api, each) for each in args]
        return len(range(*bounds)) if are_ints(bounds) and bounds[2:] != [0] else None
    if function == "builtins.zip":
        counts = [length_of(api, each) for each in args]
        return min(count for count in counts if isinstance(count, int)) if are_ints(counts) else None
    if function == "itertools.pairwise":
        count = length_of(api, args[0])
        return max(count - 1, 0) if isinstance(count, int) else None
    if function in _SETS:
        items = known_value(api, args[0])
        return len(set(items)) if isinstance(items, (str, tuple)) and is_known(items) else None
    return length_of(api, args[0])


def _is_iterator(expr: Expression | None) -> bool:
    """Whether a value is iterated once: where a name is bound to it, something else may have taken its items."""
    if isinstance(expr, CallExpr):
        return isinstance(expr.callee, RefExpr) and expr.callee.fullname in _ITERATORS
    return isinstance(expr, GeneratorExpr)


def _of_shaped(api: CheckerPluginInterface, expr: MemberExpr) -> Any:
    """The value of `array.shape`, `array.ndim` or `array.size`; of the shape of an operand, only the numbers in it."""
    if expr.name not in ("shape", "ndim", "size"):
        return MISSING
    operand = operand_of(expression_type(api, expr.expr)) if expr.name == "shape" else None
    if operand is not None:
        dims = operand.static.shape.dims
        return MISSING if dims is None else tuple(dim if type(dim) is int else MISSING for dim in dims)
    shape = shape_of_array(api, expr.expr)
    if shape.dims is None:
        return MISSING
    if expr.name == "size":
        return or_missing(shape.size)
    return shape.rank if expr.name == "ndim" else tuple(map(or_missing, shape.dims))


shape_of_array: Final = Provided[[CheckerPluginInterface, Expression], Shape]()
"""The shape of an array, unknown for any other expression; of `arrays/ndarrays`, which itself evaluates sizes."""

_followed_values: Final = Memory[tuple[Expression, tuple[int, ...], int], Any](per_recheck=True)


def forget_values() -> None:
    """Forget the values of names: mypy is about to check their statements again, with other shapes."""
    _followed_values.clear()


def _followed(api: CheckerPluginInterface, name: Expression) -> Any:
    """The value of a name or attribute that is bound once."""
    bound = bound_to(api, name)
    if bound is None:
        return or_missing(imported_constant(api, name))
    checker = checker_of(api)
    key = (bound.expr, bound.path, checker.pass_num)
    if key not in _followed_values:
        _followed_values[key] = MISSING  # of a name that is bound to itself
        is_checked = checker.has_type(bound.expr)
        value = evaluate(api, bound.expr, checker.lookup_type(bound.expr)) if is_checked else _written(api, bound.expr)
        for position in bound.path:
            value = value[position] if isinstance(value, tuple) and position < len(value) else MISSING
        _followed_values[key] = value
    return _followed_values[key]


def _guarded(api: CheckerPluginInterface, name: NameExpr) -> Any:
    """The number that a condition tells that a name is."""
    equal = equal_to(api, name)
    number = None if equal is None else constant_fold_expr(equal, checker_of(api).tree.fullname)
    if number is None and isinstance(equal, RefExpr):
        number = _followed(api, equal)
    type_ = get_proper_type(expression_type(api, name)) if type(number) is int else None
    return number if isinstance(type_, Instance) and type_.type.fullname == "builtins.int" else MISSING


def _written(api: CheckerPluginInterface, expr: Expression) -> Any:
    """The value of a constant or of a display of constants, which mypy has not checked yet."""
    if is_plain(expr):
        return tuple(_written(api, item) for item in expr.items)
    return or_missing(constant_fold_expr(expr, checker_of(api).tree.fullname))


def shape_value(api: CheckerPluginInterface, value: Any) -> Shape:
    """The shape of a `shape` argument: a tuple of sizes, names (also as strings), and None or -1 for unknown."""
    if value is None:
        return Shape(None)
    if not isinstance(value, tuple):
        raise NotStatic
    return Shape(tuple(_dim(api, element) for element in value))


def _dim(api: CheckerPluginInterface, element: Any) -> Dim:
    if isinstance(element, (Name, Size)):
        return None if has_fetched(element) else element
    if isinstance(element, str):
        return _name_in_module(api, element)
    return element if type(element) is int and element >= 0 else None


def _name_in_module(api: CheckerPluginInterface, name: str) -> Dim:
    symbol = checker_of(api).tree.names.get(name)
    info = symbol.node if symbol is not None else None
    return dim_of(Instance(info, [])) if isinstance(info, TypeInfo) and info.is_newtype else None
