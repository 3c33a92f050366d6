"""Checks of values that are fed or assigned: `session.run(y, {x: array})`, `session.assign(v, array)`.

Those of a prepared run, `call = session.callable(y, [x])`, are checked where it is called: `call(array)`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, TypeAlias

from attrs import evolve, frozen
from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    ARG_POS,
    CallExpr,
    CastExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    IndexExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    StrExpr,
    SymbolNode,
    Var,
)
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.types import CallableType, Instance, NoneType, Type, TypeAliasType, UnionType, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.base.types import TFloating, TInt32
from typegrad.graph.tensors import value_cure
from typegrad.mypy_plugin.arrays.conversion import misfit
from typegrad.mypy_plugin.arrays.ndarrays import array_shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import Name
from typegrad.mypy_plugin.base.dtypes import leaves_of, type_name
from typegrad.mypy_plugin.base.memory import Memory, OncePerCall
from typegrad.mypy_plugin.base.operands import VARIABLE, base_of, operand_of, union_items
from typegrad.mypy_plugin.base.reporting import is_reported, report
from typegrad.mypy_plugin.base.syntax import is_plain, is_plain_call
from typegrad.mypy_plugin.values.bindings import Bound
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import bound_values, only_value
from typegrad.mypy_plugin.values.sizes_as_values import made_of_sizes, meant_shape
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = [
    "NO_FEED",
    "UNNAMED",
    "check_feeds",
    "check_returned",
    "feed_hook",
    "feeds_apart",
    "fitting_feeds",
    "has_operands",
    "misfits_of",
    "prepared_hook",
    "session_assign_hook",
    "source_of",
    "told_in_order",
]


_Pairs: TypeAlias = Sequence[tuple[Expression, Expression]]
"""Operands and what they are fed."""
NO_FEED: Final = "the variable {} cannot be fed; give it a value with session.assign, or feed one of its reads"
_FEED: Final = "run: the feed of"
_VALUE: Final = "assign: the value for"
_BOTH: Final = {_FEED: "run: the feeds of", _VALUE: "assign: the values for"}


def check_feeds(ctx: MethodSigContext) -> CallableType:
    """Check the feeds of `run` once: for the overload of operations, before mypy tries any overload.

    If an error were reported while mypy tries the overloads, mypy would only say that none of them fits.
    """
    signature = ctx.default_signature
    if len(ctx.args) < 2 or not ctx.args[1]:
        return signature
    feeds = ctx.args[1][0]
    if isinstance(get_proper_type(signature.ret_type), NoneType):
        written = feeds.items if isinstance(feeds, DictExpr) else []  # whose keys mypy refuses if they are variables
        items = list(_items(ctx.api, feeds))
        _check_each(
            ctx.api, [each for each in items if each not in written or not _is_variable(ctx.api, each[0])], _FEED
        )
    accepted = _several_types.get(ctx, lambda: _of_objects(ctx.api, feeds)) or _of_operands(signature)
    return signature.copy_modified(arg_types=[signature.arg_types[0], accepted, *signature.arg_types[2:]])


@frozen
class _Misfit:
    """Why a value does not fit."""

    code: ErrorCode
    text: str
    mistake: str
    """The same for what is likely the same mistake: for arrays of other sizes where any size fits."""


_told: Final = Memory[SymbolNode, dict[str, list[tuple[int, str]]]]()
"""The lines and the texts of the errors of variables that are fed, or of operands, by the mistake."""
_fitting: Final = Memory[MypyFile, list[Expression]]()
"""The operands that are fed arrays which fit, as far as these are known."""
_misfits: Final = Memory[MypyFile, list[tuple[Expression, Expression]]]()
"""The operands and values of these errors."""
_several_types: Final = OncePerCall["Type | None"]()
_accepted: Final = Memory[SymbolNode, Type]()


def _of_operands(run: CallableType) -> Type:
    """What `run` accepts, without any dict of `object`: here, the keys of a dict of several types are known."""
    node = run.definition
    if node is not None and node in _accepted:
        return _accepted[node]
    items = union_items(run.arg_types[1])
    accepted = UnionType.make_union(
        [item for item in items if not (isinstance(item, Instance) and item.type.fullname in _OBJECTS)]
    )
    if node is not None:
        _accepted[node] = accepted
    return accepted


def _of_objects(api: CheckerPluginInterface, feeds: Expression) -> Type | None:
    """The type of a dict of operands of several types, if mypy infers object for its keys or values.

    The keys of displays are known, those of `dict(zip((x, y), arrays))` are not. It is a union where a loop makes the
    dict anew of what a pass before it has changed.
    """
    displays = [each for each in bound_values(api, feeds) if each is not None and isinstance(each.expr, DictExpr)]
    if isinstance(feeds, DictExpr) or not all(has_operands(api, each) for each in displays):
        return None
    checker = checker_of(api)
    with checker.msg.filter_errors():  # the names in a comprehension have no types before
        is_new = isinstance(feeds, DictionaryComprehension)
        type_ = checker.expr_checker.accept(feeds) if is_new else expression_type(api, feeds)
    dicts = [base_of(each, "builtins.dict") for each in union_items(type_)]
    known = [each for each in dicts if each is not None]
    is_open = len(known) == len(dicts) and any(_is_object(arg) for each in known for arg in each.args)
    return UnionType.make_union(known) if is_open else None


def _is_object(type_: Type) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname == "builtins.object"


def has_operands(api: CheckerPluginInterface, display: Bound | None) -> bool:
    """Whether a value is a dict display whose keys are all operands or names."""
    if display is None or display.path or not isinstance(display.expr, DictExpr):
        return False
    checker = checker_of(api)
    keys = [key for key, _ in display.expr.items if key is not None and checker.has_type(key)]
    types = [checker.lookup_type(key) for key in keys]
    return len(keys) == len(display.expr.items) and all(
        operand_of(each) or base_of(each, "builtins.str") for each in types
    )


def feed_hook(ctx: MethodContext) -> Type:
    """Check `runner.feed(x, array)`."""
    _check_pair(ctx, _FEED)
    return ctx.default_return_type


def check_returned(api: CheckerPluginInterface, feeds: Expression) -> None:
    """Check what a function that is declared to return `Feeds` returns."""
    function = checker_of(api).scope.current_function()
    signature = get_proper_type(function.type) if function is not None else None
    result = signature.ret_type if isinstance(signature, CallableType) else None
    if isinstance(result, TypeAliasType) and result.alias is not None and result.alias.fullname == _FEEDS:
        _check_items(api, feeds, _FEED)


def prepared_hook(ctx: MethodContext) -> Type:
    """Check the values that a prepared run is called with: one for each operand that it is to be fed."""
    call = ctx.context
    feeds = _prepared(ctx.api, call.callee) if isinstance(call, CallExpr) else None
    if feeds is None or not isinstance(call, CallExpr) or any(kind is not ARG_POS for kind in call.arg_kinds):
        return ctx.default_return_type
    if len(feeds) == len(call.args):
        _check_each(ctx.api, zip(feeds, call.args, strict=True), _FEED)
        return ctx.default_return_type
    count = len(call.args)
    report(ctx.api, CALL, f"{_needed(feeds)}, but there {'is' if count == 1 else 'are'} {count}", call)
    return ctx.default_return_type


def told_in_order(api: CheckerPluginInterface, call: CallExpr) -> str:
    """The error message for a value that a prepared run is given by name, or for a dict; "" for other values."""
    name = next((each for each in call.arg_names if each is not None), None)
    is_dict = any(base_of(_type_of(api, each), "builtins.dict") is not None for each in call.args)
    actual = f"`{name}` is given by name" if name is not None else "a dict is given" if is_dict else ""
    return f"{_needed(_prepared(api, call.callee))}, but {actual}" if actual else ""


def _needed(feeds: Sequence[Expression] | None) -> str:
    if feeds is None:
        return "a value for each of the feeds is needed, in their order"
    names = ", ".join(map(source_of, feeds))
    return f"a value for each of [{names}] is needed, in this order" if feeds else "no values are needed"


def _prepared(api: CheckerPluginInterface, callee: Expression) -> Sequence[Expression] | None:
    """The operands that `session.callable` has prepared a run for; None if they are not known."""
    made = only_value(api, callee)
    if not is_plain_call(made) or not isinstance(made.callee, MemberExpr) or made.callee.name != "callable":
        return None
    passed = dict(zip((name or str(place) for place, name in enumerate(made.arg_names)), made.args, strict=True))
    given = passed.get("1", passed.get("feeds"))
    feeds = only_value(api, given)
    return [] if given is None else feeds.items if feeds is not None and is_plain(feeds) else None


def session_assign_hook(ctx: MethodContext) -> Type:
    """Check `session.assign(v, array)` and `session.assign({v: array})`."""
    if len(ctx.args) > 1 and ctx.args[1]:
        _check_pair(ctx, _VALUE)
    else:
        _check_items(ctx.api, ctx.args[0][0], _VALUE)
    return ctx.default_return_type


def _check_pair(ctx: MethodContext, role: str) -> None:
    (key,), (value,) = ctx.args
    (key_type,), (value_type,) = ctx.arg_types
    wrong = _misfit(ctx.api, role, key, key_type, value, value_type)
    if wrong is not None:
        _tell(ctx.api, key, value, wrong)


def _check_items(api: CheckerPluginInterface, feeds: Expression | None, role: str) -> None:
    """Check a dict display, also one that a name is bound to: each value, and that they agree about names."""
    _check_each(api, _items(api, feeds), role)


def _check_each(api: CheckerPluginInterface, feeds: Iterable[tuple[Expression, Expression]], role: str) -> None:
    pairs = list(feeds)
    wrong = [(pair, misfit) for pair in pairs if (misfit := _misfit_of(api, role, *pair)) is not None]
    if len(wrong) == 2:
        ((first, one), misfit), ((second, other), _) = wrong
        if not _misfit_of(api, role, first, other) and not _misfit_of(api, role, second, one):
            text = f"{_BOTH[role]} {_shown(first)} and {_shown(second)} are swapped"
            report(api, misfit.code, text, one)
            return
    if len(wrong) == 1 and role == _FEED:
        wrong = [(wrong[0][0], _of_swapped_number(api, *wrong[0], pairs))]
    for (key, value), misfit in wrong:
        if not _is_told_before(api, value if misfit.code is DTYPE else key, value.line, misfit):
            _tell(api, key, value, misfit)
    sizes: dict[Name, tuple[int, str]] = {}
    for key, value in pairs if role == _FEED and not wrong else ():
        _check_names(api, sizes, key, _type_of(api, key), value, _type_of(api, value))


def _of_swapped_number(
    api: CheckerPluginInterface, fed: tuple[Expression, Expression], misfit: _Misfit, pairs: _Pairs
) -> _Misfit:
    """The same with another remedy, if a float is fed in the place of an integer, and an integer in that of a float."""
    key, value = fed
    if not misfit.text.endswith(value_cure([TInt32])):
        return misfit
    whole = [
        other
        for other, number in pairs
        if isinstance(number, IntExpr)
        and not _misfit_of(api, _FEED, key, number)
        and _is_floating(_type_of(api, other))
        and not _misfit_of(api, _FEED, other, value)
    ]
    remedy = f", or swap it with the feed of {_shown(whole[0])}" if len(whole) == 1 else ""
    return evolve(misfit, text=f"{misfit.text}{remedy}")


def _is_floating(type_: Type) -> bool:
    """Whether an operand is certainly of floating-point numbers."""
    operand = operand_of(type_)
    leaves = None if operand is None else leaves_of(operand.dtype)
    return bool(leaves) and all(issubclass(each, TFloating) for each in leaves or ())


def fitting_feeds(tree: MypyFile) -> Sequence[Expression]:
    """The operands of a file that are fed something of a known shape, or are assigned it, which fits."""
    return tuple(_fitting.get(tree, ()))


def _tell(api: CheckerPluginInterface, key: Expression, value: Expression, misfit: _Misfit) -> None:
    report(api, misfit.code, misfit.text, value)
    _misfits.setdefault(checker_of(api).tree, []).append((key, value))


def misfits_of(tree: MypyFile) -> Sequence[tuple[Expression, Expression]]:
    """The operands of a file and the values that are fed to them, or assigned, and do not fit."""
    return tuple(_misfits.get(tree, ()))


@contextmanager
def feeds_apart(tree: MypyFile) -> Generator[None]:
    """Keep what is known of the feeds of a file apart from what another check of it finds."""
    fitting, misfits = _fitting.pop(tree, []), _misfits.pop(tree, [])
    try:
        yield
    finally:
        _fitting[tree], _misfits[tree] = fitting, misfits


def _is_told_before(api: CheckerPluginInterface, expr: Expression, line: int, misfit: _Misfit) -> bool:
    """Whether the same mistake is reported at another line.

    The dtype of an array is one wherever the same variable is fed, the shape of an operand wherever it gets a value.
    """
    node = expr.node if isinstance(expr, NameExpr) else None
    variable = checker_of(api).tree if isinstance(expr, MemberExpr) and misfit.code is SHAPE else node
    if not isinstance(variable, (MypyFile, Var)):
        return False
    places = _told.setdefault(variable, {}).setdefault(misfit.mistake, [])
    is_told = any(other != line and is_reported(api, text, other) for other, text in places)
    if not is_told:
        places.append((line, misfit.text))
    return is_told


def _type_of(api: CheckerPluginInterface, expr: Expression) -> Type:
    with checker_of(api).msg.filter_errors():
        return expression_type(api, expr)


def _misfit_of(api: CheckerPluginInterface, role: str, key: Expression, value: Expression) -> _Misfit | None:
    if role == _FEED and _is_variable(api, key):
        text = f"run: {NO_FEED.format(source_of(key))}"
        return _Misfit(CALL, text, text)
    return _misfit(api, role, key, _type_of(api, key), value, _type_of(api, value))


def _is_variable(api: CheckerPluginInterface, key: Expression) -> bool:
    return base_of(_type_of(api, key), VARIABLE) is not None


def _check_names(
    api: CheckerPluginInterface,
    sizes: dict[Name, tuple[int, str]],
    key: Expression,
    key_type: Type,
    value: Expression,
    value_type: Type,
) -> None:
    """Report a feed that gives a named dimension another size than an earlier feed, whose sizes are in `sizes`."""
    operand, feed = operand_of(key_type), _shown(key)
    with suppress(NotStatic):
        actual = array_shape(api, value, value_type)
        for name, size in zip(operand.static.shape.dims or () if operand else (), actual.dims or (), strict=False):
            if not isinstance(name, Name) or not isinstance(size, int):
                continue
            expected, first = sizes.setdefault(name, (size, feed))
            if expected != size:
                text = f"run: dimension {name} is {expected} in the feed of {first}, but {size} in the feed of {feed}"
                report(api, SHAPE, text, value)


def _items(api: CheckerPluginInterface, feeds: Expression | None) -> Iterator[tuple[Expression, Expression]]:
    """The items of a dict display, and of those merged in it: `{**feeds, x: value}`. The last value of a key counts."""
    items: dict[object, tuple[Expression, Expression]] = {}
    pending: list[tuple[Expression | None, Expression | None]] = [(None, feeds)]
    while pending:
        key, value = pending.pop()
        if key is not None and value is not None:
            items.setdefault(key.node if isinstance(key, NameExpr) else key, (key, value))
        elif key is None:
            display = only_value(api, value)
            if isinstance(display, CastExpr):
                pending.append((None, display.expr))
            elif isinstance(display, OpExpr):
                pending += [(None, display.left), (None, display.right)]
            elif isinstance(display, DictExpr):
                pending += display.items
    yield from reversed(items.values())


def _misfit(
    api: CheckerPluginInterface, role: str, key: Expression, key_type: Type, value: Expression, value_type: Type
) -> _Misfit | None:
    """What is wrong with a value that does not fit; None if it fits, as far as it is known."""
    operand = operand_of(key_type)
    if operand is None or (role != _FEED and base_of(key_type, VARIABLE) is None):
        return None
    name = _shown(key)
    wrong = misfit(api, operand.dtype, value, value_type)
    if wrong is not None:
        text = wrong.alone(f"{role} {name}", type_name(operand.dtype))
        return _Misfit(DTYPE, text, text)
    with suppress(NotStatic):
        actual, expected = array_shape(api, value, value_type), operand.static.shape
        if not _may_fit(actual, expected):
            text = f"{role} {name} has shape {actual}, which does not fit {expected}"
            meant = meant_shape(api, key)
            if meant is not None and _may_fit(actual, meant.shape):
                text += f"; {made_of_sizes(name, meant)}"
            return _Misfit(SHAPE, text, f"{role} {name}: {_difference(actual, expected)}")
        if actual.dims is not None:
            _fitting.setdefault(checker_of(api).tree, []).append(key)
    return None


_FEEDS: Final = "typegrad.session.run_types.Feeds"
_OBJECTS: Final = frozenset(f"typegrad.session.run_types._FeedsOfSeveral{kind}" for kind in ("Types", "Values"))
UNNAMED: Final = "the operand"


def source_of(expr: Expression) -> str:
    """The name of an expression in messages: `x`, `self.x` or "the operand"."""
    if isinstance(expr, NameExpr):
        return expr.name
    return f"{source_of(expr.expr)}.{expr.name}" if isinstance(expr, MemberExpr) else UNNAMED


def _shown(key: Expression) -> str:
    """The name of what is fed, also of an item: `features["ids"]`."""
    if not isinstance(key, IndexExpr) or not isinstance(key.index, (IntExpr, StrExpr)):
        return source_of(key)
    source = source_of(key.base)
    return UNNAMED if source.startswith(UNNAMED) else f"{source}[{key.index.value!r}]"


def _may_fit(actual: Shape, expected: Shape) -> bool:
    """Whether arrays of this shape may be fed; a named dimension takes any size."""
    return not _difference(actual, expected)


def _difference(actual: Shape, expected: Shape) -> Sequence[tuple[int, Dim, Dim]]:
    """The ranks, or the sizes that differ, each after its axis."""
    if actual.dims is None or expected.dims is None:
        return ()
    if actual.rank != expected.rank:
        return [(-1, actual.rank, expected.rank)]
    pairs = zip(actual.dims, expected.dims, strict=True)
    return [(axis, a, b) for axis, (a, b) in enumerate(pairs) if a != b and isinstance(a, int) and isinstance(b, int)]
