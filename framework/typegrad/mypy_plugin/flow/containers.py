"""Lists, sets and dicts of operands that grow: `states = [x]`, then `states.append(relu(x))`.

mypy infers the type of a list from its first items, the operation that made them included. A list without annotation
takes any operand; from then on, its items have what the shapes and element types have in common. One of updates
takes any operation, too.
"""

from __future__ import annotations

from typing import Final, cast

from mypy.nodes import (
    CallExpr,
    Context,
    Expression,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    StrExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import AnyType, CallableType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from typegrad.mypy_plugin.arguments.wrong_calls import accepting_anything
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import DTYPE
from typegrad.mypy_plugin.base.dtypes import leaf_of, type_name
from typegrad.mypy_plugin.base.operands import ARRAY, OP, OPERAND, VARIABLE, base_of, maps_operands, operand_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.calls.counts import item_hook
from typegrad.mypy_plugin.calls.runs import fetched_type
from typegrad.mypy_plugin.expressions.displays import chooses_function
from typegrad.mypy_plugin.expressions.keys import check_key, fetch_at, report_key
from typegrad.mypy_plugin.flow.rebinding import redeclare, variable_of
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.widening import (
    CONTAINERS,
    any_of,
    functions_around,
    holds_operands,
    joined,
    of_no_function,
    of_one_element,
    widened,
)
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.exact import exact_type
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_to, growth_before
from typegrad.mypy_plugin.values.objects import items_in
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["DICT_ITEM", "GROWING", "growing_signature", "item_type_hook", "list_item_hook"]

DICT_ITEM: Final = "builtins.dict.__getitem__"
_LISTS: Final = ("builtins.list", "collections.deque")
_MAPPINGS: Final = ("builtins.dict", "collections.OrderedDict", "collections.defaultdict")
GROWING: Final = {
    "builtins.set.add": 0,
    **dict.fromkeys(("builtins.dict.__ior__", "builtins.dict.update", "typing.MutableMapping.update"), 0),
    **{f"{name}.{method}": 0 for name in _LISTS for method in ("append", "appendleft", "extend", "__iadd__")},
    **{f"{name}.{method}": 1 for name in (*_LISTS, *_MAPPINGS) for method in ("insert", "setdefault", "__setitem__")},
}
"""The methods that add to a container, with the position of the parameter for what is added."""
_SEVERAL: Final = {"typing.Iterable": "typing.Iterable", "_typeshed.SupportsKeysAndGetItem": "typing.Mapping"}
"""The types of parameters for several items, each with the base of an argument whose last type argument is the item."""


def growing_signature(ctx: MethodSigContext, position: int) -> CallableType:
    """The signature of a method for other operands than those in the container, which changes its type."""
    signature, container = ctx.default_signature, get_proper_type(ctx.type)
    if maps_operands(container):
        return _feeding(ctx)
    if not isinstance(container, Instance) or not ctx.args[position] or not _is_widened(container.args[-1]):
        return signature
    added, checker = ctx.args[position][0], checker_of(ctx.api)
    with checker.msg.filter_errors():  # without what is expected, and not as in the pass of a loop before
        is_part = isinstance(added, (MemberExpr, IndexExpr))
        actual = expression_type(ctx.api, added) if is_part else checker.expr_checker.accept(added)
    parameter = get_proper_type(signature.arg_types[position])
    several = _SEVERAL.get(parameter.type.fullname) if isinstance(parameter, Instance) else None
    added_type = actual if several is None else base_of(actual, several)
    item = added_type.args[-1] if several and isinstance(added_type, Instance) else added_type
    pair = get_proper_type(item) if item is not None else None
    if container.type.has_base("typing.Mapping") and isinstance(pair, TupleType):
        item = pair.items[-1]
    if item is None:
        return signature
    common = joined(ctx.api, [container.args[-1], item]) or any_of(
        [container.args[-1], item], replaces=_replaces_any(ctx.context)
    )
    if common is None or not _redeclared(ctx, _with_last(container, common)):
        is_reported = _report_other_type(ctx, container.args[-1], item, added)
        return accepting_anything(signature) if is_reported else signature
    types = list(signature.arg_types)
    types[position] = _with_last(parameter, pair or item) if several and isinstance(parameter, Instance) else item
    return signature.copy_modified(arg_types=types)


def _is_widened(item: Type) -> bool:
    """Whether a container of such items takes others: operands, and operations without any such as updates."""
    return holds_operands(item) or base_of(item, OP) is not None


def _replaces_any(context: Context) -> bool:
    """Whether a statement assigns an item that is not known: `hs[i] = h`."""
    return isinstance(context, IndexExpr) and not isinstance(context.index, (IntExpr, StrExpr, UnaryExpr))


def _redeclared(ctx: MethodSigContext, narrow: Instance) -> bool:
    """Let the variable that holds the container take other operands: `states.append(h)`, `groups["a"].append(h)`."""
    expr = _receiver(ctx.context)
    receiver = expr.base if isinstance(expr, IndexExpr) else expr
    variable = variable_of(ctx.api, receiver) if isinstance(receiver, (MemberExpr, NameExpr)) else None
    if not isinstance(receiver, (MemberExpr, NameExpr)) or variable is None or variable.type is None:
        return False
    wide = widened(narrow, keeps_variables=True)
    if not isinstance(expr, IndexExpr):
        redeclare(ctx.api, receiver, variable, wide, narrow)
        return True
    outer = get_proper_type(variable.type)
    if not isinstance(outer, Instance) or outer.type.fullname not in CONTAINERS:
        return False
    redeclare(ctx.api, receiver, variable, _with_last(outer, wide), _with_last(outer, wide))
    return True


def _with_last(whole: Instance, item: Type) -> Instance:
    return whole.copy_modified(args=[*whole.args[:-1], item])


def item_type_hook(ctx: MethodContext) -> Type:
    """The type of an item of a display, which is more exact than what all items have in common.

    An item that the results of a run do not have is reported.
    """
    default, checker = of_one_element(ctx.default_return_type), checker_of(ctx.api)
    if isinstance(ctx.context, IndexExpr) and check_key(ctx.api, ctx.context):
        return AnyType(TypeOfAny.from_error)
    if isinstance(ctx.context, IndexExpr) and isinstance(get_proper_type(default), AnyType):
        fetch = fetch_at(ctx.api, ctx.context)
        return default if fetch is None else fetched_type(ctx.api, fetch) or default
    items = items_in(ctx.type)
    if items is None and isinstance(ctx.context, IndexExpr):
        items = items_in(exact_type(ctx.api, ctx.context.base, ctx.type)) if holds_operands(default) else None
    if items is not None:
        key = evaluate(ctx.api, ctx.args[0][0], ctx.arg_types[0][0])
        if isinstance(key, str) and key not in items and isinstance(ctx.context, IndexExpr):
            report_key(ctx.api, ctx.context, key, items)
        known = items.get(key) if isinstance(key, str) else None
        return default if known is None else of_no_function(known, functions_around(ctx.api))
    is_function = isinstance(ctx.context, IndexExpr) and chooses_function(default)
    expr = ctx.context if isinstance(ctx.context, IndexExpr) and (is_function or holds_operands(default)) else None
    if expr is None:
        return default
    bound = bound_to(ctx.api, expr)
    if is_function:
        return default if bound is None else expression_type(ctx.api, as_written(bound.expr))
    if bound is not None:
        value = as_written(bound.expr)
        return _narrowed(ctx.api, checker.lookup_type(value), default) if checker.has_type(value) else default
    if growth_before(ctx.api, expr.base) is None:
        return default
    items = items_in(exact_type(ctx.api, expr.base, ctx.type)) or {}
    item = items.get(evaluate(ctx.api, expr.index, ctx.arg_types[0][0]))
    return default if item is None else _narrowed(ctx.api, item, default)


def list_item_hook(ctx: MethodContext) -> Type:
    """The type of an item of a list whose items are known, that was appended just before, or that a run returned."""
    default, expr, checker = of_one_element(item_hook(ctx)), ctx.context, checker_of(ctx.api)
    if isinstance(expr, IndexExpr) and base_of(default, ARRAY) is not None:
        return _fetched(ctx.api, expr, default)
    if isinstance(expr, IndexExpr) and isinstance(get_proper_type(default), AnyType):
        return _as_expected(ctx.api, expr, default)
    if not isinstance(expr, IndexExpr) or not holds_operands(default) or not is_open(default):
        return default
    last = bindings_of(checker.tree).last.get(expr)
    if last is not None and checker.has_type(last):
        return _narrowed(ctx.api, checker.lookup_type(last), default)
    whole, index = (
        get_proper_type(exact_type(ctx.api, expr.base, ctx.type)),
        evaluate(ctx.api, expr.index, ctx.arg_types[0][0]),
    )
    if not isinstance(whole, TupleType) or type(index) is not int or not -len(whole.items) <= index < len(whole.items):
        return default
    return _narrowed(ctx.api, whole.items[index], default)


def _fetched(api: CheckerPluginInterface, item: IndexExpr, default: Type) -> Type:
    """The type of an item of the list that a run returns, of which the arrays may differ in shape."""
    fetch = fetch_at(api, item)
    found = None if fetch is None else fetched_type(api, fetch)
    return default if found is None or not is_subtype(found, default) else found


def _as_expected(api: CheckerPluginInterface, item: IndexExpr, default: Type) -> Type:
    """The array that a run returns beside what mypy does not know, where that is expected: `run([step, loss])[1]`."""
    expected = api.type_context[-1]
    found = default if expected is None else _fetched(api, item, default)
    return found if expected is not None and is_subtype(found, expected) else default


def _narrowed(api: CheckerPluginInterface, item: Type, default: Type) -> Type:
    """The type that mypy gives an item, with the shapes that it has if it is an operand or a tuple."""
    whole, parts = get_proper_type(default), get_proper_type(item)
    if isinstance(whole, TupleType) and isinstance(parts, TupleType) and len(whole.items) == len(parts.items):
        pairs = zip(parts.items, whole.items, strict=True)
        return whole.copy_modified(items=[_narrowed(api, *pair) for pair in pairs])
    operand = base_of(default, OPERAND)
    made = None if operand is None else base_of(item, cast("Instance", get_proper_type(default)).type.fullname)
    known = None if made is None else of_no_function(made, functions_around(api))
    return known if known is not None and is_subtype(known, default) else default


def _feeding(ctx: MethodSigContext) -> CallableType:
    """The signature for other operands as keys than those in a dict of feeds."""
    signature = ctx.default_signature
    if not ctx.args[0]:
        return signature
    with checker_of(ctx.api).msg.filter_errors():
        added = expression_type(ctx.api, ctx.args[0][0])
    if base_of(added, OPERAND) is None and not maps_operands(added):
        return signature
    anything: list[Type] = [AnyType(TypeOfAny.special_form)] * len(signature.arg_types)
    return signature.copy_modified(arg_types=anything)


def _report_other_type(ctx: MethodSigContext, inside: Type, item: Type, added: Expression) -> bool:
    """Report an operand of another element type than those in the container; return whether it is one."""
    own, other = operand_of(inside), operand_of(item)
    leaves = [None if each is None else leaf_of(each.dtype) for each in (own, other)]
    if own is None or other is None or None in leaves or leaves[0] is leaves[1]:
        return False
    kind = cast("Instance", get_proper_type(ctx.type)).type.name
    message = f"the {kind} holds operands of {type_name(own.dtype)}, but {source_of(added)} is {type_name(other.dtype)}"
    are_variables = base_of(inside, VARIABLE) is not None is not base_of(item, VARIABLE)
    made = f"create it as {type_name(own.dtype)}, as a cast makes no variable"
    report(ctx.api, DTYPE, f"{message}; {made if are_variables else 'cast one with dtypes.Cast'}", added)
    return True


def _receiver(context: Context) -> Expression | None:
    """The container of a call, of `hs[0] = h` or of `hs += [h]`."""
    if isinstance(context, CallExpr) and isinstance(context.callee, MemberExpr):
        return context.callee.expr
    if isinstance(context, IndexExpr):
        return context.base
    return context.lvalue if isinstance(context, OperatorAssignmentStmt) else None
