"""Operands, and sizes that may be unknown, as arguments of functions of Python and NumPy: `len(x)`, `np.sum(x)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.graph.refusals import NUMPY_OPERATORS, REFUSED, beside_numpy
from typegrad.mypy_plugin.arguments.sizes import SHAPE_AS_SIZES, UNKNOWN_SIZE
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.arrays.ndarrays import is_scalar_of_run
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, SHAPE
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.expressions.reducing import SUM, total_of
from typegrad.mypy_plugin.expressions.refusals import (
    ABS,
    NO_ITEMS,
    any_operand,
    is_operand,
    is_shape,
    is_unknown_size,
    iteration_refused,
    makes_operation,
    refuse_operator,
    type_of,
)

__all__ = ["is_asked", "refuse_call"]

_ITERATING: Final = ("all", "any", "enumerate", "iter", "list", "set", "sorted", "sum", "tuple", "zip")
_BUILTINS: Final = {
    "builtins.complex": "__complex__", "builtins.float": "__float__", "builtins.int": "__int__",
    "builtins.len": "__len__", "builtins.max": "max", "builtins.min": "min", "builtins.range": "__index__",
    "builtins.round": "__round__",
    **dict.fromkeys((f"builtins.{name}" for name in _ITERATING), "__iter__"),
}  # fmt: skip
"""The methods of operands that these functions call."""
_ITEMS: Final = ("__iter__", "__len__")
"""The methods that need items."""
_ZIP: Final = "builtins.zip"
"""The one of these that iterates all of its arguments, not just the first."""
_NOT_COMPARED: Final = "which are not compared before the run"
_COMPARED: Final = {
    "builtins.max": "core.Max finds the largest of its elements",
    "builtins.min": "core.Min finds the smallest of its elements",
    "builtins.sorted": "functions.sort sorts it",
}
"""The functions that compare the items of one argument, with what does so with an operand that is made of them."""
_ORDERS: Final = {
    method: f"is not compared with others before the run; write math.{name}.create(scope, x, y)"
    for method, name in (("max", "Maximum"), ("min", "Minimum"))
}
_NUMPY: Final = "numpy."
_MATH: Final = "math."
_NUMBERS: Final = (_NUMPY, _MATH)
"""The modules whose functions take numbers."""
_OF_NUMBERS: Final = frozenset(f"builtins.{name}" for name in ("abs", "float", "int", "max", "min", "range", "round"))
_OF_ANYTHING: Final = ("array", "asarray")


def is_asked(call: CallExpr) -> bool:
    """Whether a call is one that operands may refuse."""
    callee = call.callee
    if isinstance(callee, NameExpr) and callee.fullname in _BUILTINS:
        return True
    is_sort = isinstance(callee, MemberExpr) and callee.name == "sort" and "key" in call.arg_names
    return is_sort or (isinstance(callee, RefExpr) and (_takes_numbers(callee.fullname) or _is_of_numpy(callee)))


def refuse_call(api: CheckerPluginInterface, call: CallExpr) -> None:
    """Report operands, and sizes that may be unknown, as arguments of a function of Python or NumPy, once."""
    callee = call.callee
    if isinstance(callee, RefExpr) and _takes_numbers(callee.fullname) and _refuse_sizes(api, call):
        return
    method = _BUILTINS.get(callee.fullname, "") if isinstance(callee, NameExpr) else ""
    is_one = isinstance(callee, NameExpr) and method == "__iter__" and callee.fullname != _ZIP
    exprs = call.args[:1] if is_one else call.args
    is_ordered = method in _ORDERS or (isinstance(callee, MemberExpr) and callee.name == "sort")
    if is_ordered and "key" in call.arg_names:  # which is what is compared
        _refuse_key(api, call)
        return
    is_compared = isinstance(callee, NameExpr) and callee.fullname in _COMPARED and call.arg_names.count(None) == 1
    if is_compared and not (method in _ORDERS and is_plain(call.args[0])):
        _refuse_key(api, call)
        if isinstance(callee, NameExpr) and _refuse_compared(api, call, _COMPARED[callee.fullname]):
            return
    given = [_first(each) if not method or method in _ORDERS else each for each in exprs]
    positions = [position for position, expr in enumerate(given) if is_operand(api, expr)]
    if not positions:
        if isinstance(callee, NameExpr) and callee.fullname == SUM:
            _refuse_sum(api, call)
        _refuse_scalar(api, call, exprs if method in _ITEMS or is_compared else ())
        return
    what = source_of(given[positions[0]])
    if method == "__iter__":
        report(api, CALL, iteration_refused(api, given[positions[0]]), call)
    elif method:
        report(api, CALL, f"{what} {_ORDERS.get(method) or REFUSED[method]}", call)
    elif isinstance(callee, MemberExpr) and _is_of_numpy(callee):
        report(api, CALL, beside_numpy(what, _name_in_numpy(callee)), call)
    elif isinstance(callee, RefExpr) and callee.fullname.startswith(_MATH):
        name = callee.fullname.removeprefix(_MATH)
        report(api, CALL, beside_numpy(what, name, "math.{} of Python takes numbers"), call)
        call.callee = cast_to(callee)
    else:
        if isinstance(callee, NameExpr) and callee.fullname == f"builtins.{ABS}":
            _refuse_absolute(api, call)
        return
    for position in positions:
        call.args[position] = cast_to(call.args[position])


def _refuse_absolute(api: CheckerPluginInterface, call: CallExpr) -> None:
    """Report `abs(x)` of an element type that has no absolute value: to mypy, every operand has `__abs__`."""
    operand = base_of(type_of(api, call.args[0]), OPERAND)
    if operand is not None:
        operation = UnaryExpr(ABS, call.args[0])
        operation.set_line(call)
        refuse_operator(api, operation, operand, "expr")
        call.args[0] = operation.expr


def _is_of_numpy(callee: RefExpr) -> bool:
    """Whether a function is one of NumPy that operands do not have."""
    return isinstance(callee, MemberExpr) and callee.fullname.startswith(_NUMPY) and callee.name not in NUMPY_OPERATORS


def _name_in_numpy(callee: MemberExpr) -> str:
    """The name by which programs read a function from NumPy, "linalg.inv": its own module may be a private one."""
    module = callee.expr.node if isinstance(callee.expr, RefExpr) else None
    name = f"{module.fullname}.{callee.name}" if isinstance(module, MypyFile) else callee.name
    return name.removeprefix(_NUMPY)


def _takes_numbers(function: str) -> bool:
    """Whether a function takes numbers alone."""
    return function in _OF_NUMBERS or (
        function.startswith(_NUMBERS) and function.rpartition(".")[2] not in _OF_ANYTHING
    )


def _refuse_scalar(api: CheckerPluginInterface, call: CallExpr, exprs: Sequence[Expression]) -> None:
    """Report an array without dimensions, as a run returns it for a scalar, where its items are asked for."""
    for position, expr in enumerate(exprs):
        if is_scalar_of_run(api, expr):
            report(api, SHAPE, f"{source_of(expr)} {NO_ITEMS}", call)
            call.args[position] = cast_to(expr)
            return


def _refuse_sizes(api: CheckerPluginInterface, call: CallExpr) -> bool:
    """Report sizes that may be unknown among the arguments, or in a display of sizes, and shapes for numbers."""
    wrong = {position: _of_size(api, expr) for position, expr in enumerate(call.args)}
    for text in dict.fromkeys(filter(None, wrong.values())):
        report(api, CALL, text, call)
    for position in (position for position, text in wrong.items() if text):
        call.args[position] = cast_to(call.args[position])
    return any(wrong.values())


def _of_size(api: CheckerPluginInterface, expr: Expression) -> str:
    """The error message for a size, for a display of sizes, or for a shape; "" for any other number."""
    parts = expr.items if isinstance(expr, (ListExpr, TupleExpr)) else [expr]
    if any(is_unknown_size(api, each) for each in parts):
        return UNKNOWN_SIZE
    whole = expr.base if isinstance(expr, IndexExpr) else expr
    if isinstance(whole, MemberExpr) and whole.name == "shape" and is_shape(api, expr):
        return SHAPE_AS_SIZES.format(source_of(whole))
    return ""


def _refuse_sum(api: CheckerPluginInterface, call: CallExpr) -> None:
    """Report operands in a display that cannot be added: mypy would say that each of them is no bool."""
    display = call.args[0] if call.args else None
    if display is None or not is_plain(display) or len(display.items) < 2:
        return
    operands = [base_of(type_of(api, item), OPERAND) for item in display.items]
    known = [each for each in operands if each is not None]
    if len(known) < len(operands):
        return
    addition = OpExpr("+", display.items[0], display.items[1])
    addition.set_line(call)
    messages = checker_of(api).msg
    # An error that is reported anyway passes the inner filter.
    with (
        messages.filter_errors(save_filtered_errors=True) as outer,
        messages.filter_errors(save_filtered_errors=True) as inner,
    ):
        if not refuse_operator(api, addition, known[0], "left"):
            total_of(api, known, call)
    errors = [*outer.filtered_errors(), *inner.filtered_errors()]
    if errors:
        messages.add_errors(errors)
        call.args[0] = cast_to(ListExpr([]), api.named_generic_type("builtins.list", [any_operand(api)]))


def _refuse_compared(api: CheckerPluginInterface, call: CallExpr, remedy: str) -> bool:
    """Report a list of operands whose items are compared by themselves; return whether it is one."""
    items = None if "key" in call.arg_names else base_of(type_of(api, call.args[0]), "typing.Iterable")
    is_wrong = items is not None and base_of(items.args[0], OPERAND) is not None
    if is_wrong:
        what = source_of(call.args[0]) if isinstance(call.args[0], (MemberExpr, NameExpr)) else "the list"
        text = f"{what} holds operands, {_NOT_COMPARED}; core.Stack makes one operand of several, and {remedy}"
        report(api, CALL, text, call)
        call.args[:] = [cast_to(each) for each in call.args]
    return is_wrong


def _refuse_key(api: CheckerPluginInterface, call: CallExpr) -> None:
    """Report what compares things by operands: `min(parts, key=lambda h: math.Mean.create(scope, h))`."""
    for position, (name, key) in enumerate(zip(call.arg_names, call.args, strict=True)):
        made = key.expr() if name == "key" and isinstance(key, LambdaExpr) else None
        if made is not None and makes_operation(made) and isinstance(call.callee, (MemberExpr, NameExpr)):
            remedy = "compare what session.run returns"
            report(api, CALL, f"{call.callee.name}(): `key` makes operands, {_NOT_COMPARED}; {remedy}", call)
            call.args[position] = cast_to(key)


def _first(expr: Expression) -> Expression:
    """The first item of a nested display, as NumPy reads it."""
    return _first(expr.items[0]) if isinstance(expr, (ListExpr, TupleExpr)) and expr.items else expr
