"""Loops whose number of passes is known, such as `for _ in range(3)`: what one pass leaves to the next.

mypy checks the body of a loop with what all passes have in common, so it cannot tell that the second one must fail.
If a pass changes the shape of a name, or appends to a list what differs from pass to pass, the plugin has mypy check
the body again with the shapes of each pass. What that finds is certain if there is no branch in the body. Behind the
loop, names have the shapes of the last pass.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

from attrs import define, field
from mypy.checker import TypeChecker
from mypy.nodes import Expression, ForStmt, IndexExpr, NameExpr, Statement, Var
from mypy.plugin import CheckerPluginInterface
from mypy.typeops import make_simplified_union
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.ndarrays import forget_arrays
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory, forget_types, restore_types
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, operand_of, union_items
from typegrad.mypy_plugin.base.passes import failed
from typegrad.mypy_plugin.base.reporting import errors_in, is_refused
from typegrad.mypy_plugin.base.syntax import is_straight, nodes_of
from typegrad.mypy_plugin.calls.operations import forget_answers
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.values.evaluation import evaluate, forget_values, length_of
from typegrad.mypy_plugin.values.exact import appended_types
from typegrad.mypy_plugin.values.following import is_of_scope
from typegrad.mypy_plugin.values.iterables import item_type, items_of, types_of_targets
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.value_types import value_type

__all__ = ["begin_pass", "end_pass", "forget_pass", "settle_made", "types_after"]

_MOST_PASSES: Final = 8
"""How many passes are checked. Behind a loop with more that still change shapes, names have what all have in common."""

_Types: TypeAlias = dict[NameExpr, Type]


@define
class _Loop:
    """What is known of a loop while mypy checks it."""

    before: _Types
    """The types of the operands that the body assigns, before the first pass."""
    after: _Types = field(factory=dict)
    """The same after the last pass, if it is known."""
    has_pass: bool = False
    """Whether there certainly is a pass, if the body assigns names that hold no operands before it."""
    made: frozenset[NameExpr] = frozenset()
    """The names that hold operands after a pass, and did not before the first one, as `total = 0` does."""
    is_done: bool = False


_loops: Final = Memory[Statement, _Loop]()
_running: Final[list[Statement]] = []
"""The loops of which a single pass is checked, and not what all passes have in common."""


def begin_pass(api: CheckerPluginInterface, loop: ForStmt, names: Sequence[NameExpr]) -> None:
    """Note the types before the first pass."""
    if loop not in _loops:
        _loops[loop] = _Loop(_types(api, names))
        appended_types.pop(loop, None)


def end_pass(api: CheckerPluginInterface, loop: ForStmt, names: Sequence[NameExpr]) -> None:
    """After mypy has checked the first pass, check the other ones if it has changed shapes."""
    known = _loops.get(loop)
    if known is None:
        return
    checker, after = checker_of(api), _types(api, names)
    if loop not in _running:
        known.made = frozenset(after.keys() - known.before.keys())
    if known.is_done:
        return
    known.is_done = True
    known.has_pass = len(known.before) < len(names) and _has_pass(api, loop)
    if is_refused(api, loop):
        failed[loop] = checker.path
        return
    is_changed = _shapes(known.before) != _shapes(after)
    items = _items(api, loop.index, loop.expr)
    if not is_changed and not any(_varies(checker, each) for each in _appended(checker, loop)):
        if items is not None and _indexes(checker, loop):
            with _once_more(checker, loop):
                _put(api, items[-1])
                _check_pass(api, loop)
        return
    count = length_of(api, loop.expr) if items is None and is_changed else len(items or ())
    if not isinstance(count, int) or not count:
        return
    with _once_more(checker, loop):
        if items is not None:
            _put(api, {**known.before, **_numbers(api, loop, names)})
        known.after = _check_other_passes(api, loop, items, count, known.before if items is not None else after)


@contextmanager
def _once_more(checker: TypeChecker, loop: ForStmt) -> Generator[None]:
    """Keep what mypy knows of a loop apart from what it finds in single passes."""
    before = forget_types(checker, loop.body)
    binder = checker.binder
    binder.push_frame()
    try:
        yield
    finally:
        binder.frames.pop()
        binder.options_on_return.pop()
        forget_types(checker, loop.body)
        forget_pass()
        restore_types(before)  # mypy may check the body once more, or not


def _indexes(checker: TypeChecker, loop: ForStmt) -> bool:
    """Whether the body takes a part of an operand by what the loop counts, `x[:, t]`: the last one may not be there."""
    counted = loop.index.node if isinstance(loop.index, NameExpr) else None
    parts = [each for each in nodes_of(loop.body) if isinstance(each, IndexExpr)] if counted is not None else []
    return any(
        checker.has_type(part.base)
        and base_of(checker.lookup_type(part.base), OPERAND) is not None
        and any(isinstance(each, NameExpr) and each.node is counted for each in nodes_of(part.index))
        for part in parts
    )


def _numbers(api: CheckerPluginInterface, loop: ForStmt, names: Sequence[NameExpr]) -> _Types:
    """The types of names that are numbers before the first pass, `size = 8`, and that only the loop assigns again."""
    checker = checker_of(api)
    if _running or len(checker.binder.break_frames) > 1:  # an outer loop begins with what this one has left
        return {}
    inside, stores = set(nodes_of(loop.body)), bindings_of(checker.tree).stores
    result: _Types = {}
    for name in names:
        bound = stores.get(name.node, []) if isinstance(name.node, Var) and is_of_scope(checker, name.node) else []
        before = [each for each in bound if each is None or each.expr not in inside]
        first = before[0] if len(before) == 1 else None
        if first is None or first.path or first.expr.line > loop.line or not checker.has_type(first.expr):
            continue
        value = evaluate(api, first.expr, checker.lookup_type(first.expr))
        type_ = value_type(api, value) if type(value) is int else None
        if type_ is not None:
            result[name] = type_
    return result


def _has_pass(api: CheckerPluginInterface, loop: ForStmt) -> bool:
    """Whether a loop certainly has a pass."""
    return bool(length_of(api, loop.expr) or items_of(api, loop.expr))


def settle_made(api: CheckerPluginInterface, loop: Statement) -> None:
    """Behind a loop that has a pass, take from the types of names what they held before the first one."""
    known = _loops.get(loop)
    for name in known.made if known is not None and known.has_pass else ():
        type_ = checker_of(api).binder.get(name)
        items = [] if type_ is None else union_items(type_)
        operands = [each for each in items if base_of(each, OPERAND) is not None]
        if 0 < len(operands) < len(items):
            checker_of(api).binder.put(name, make_simplified_union(operands))


def types_after(loop: Statement) -> Mapping[NameExpr, Type]:
    """The types of operands after the last pass of a loop, if they are known."""
    known = _loops.pop(loop, None)
    return {} if known is None else known.after


def _check_other_passes(
    api: CheckerPluginInterface, loop: ForStmt, items: Sequence[_Types] | None, count: int, types: _Types
) -> _Types:
    """Check the passes that are left, and return the types after the last one, if they are known."""
    added = [_added(api, loop)] if items is None else []
    for number in range(len(added), count):
        if number == _MOST_PASSES:
            return {}
        if items is not None:
            _put(api, items[number])
        if not _check_pass(api, loop):
            return {}
        added.append(_added(api, loop))
        following = _types(api, list(types))
        is_last = items is None and _shapes(following) == _shapes(types)
        types = following
        if is_last:
            added += added[-1:] * (count - len(added))
            break
    appended_types[loop] = added
    return types


def _added(api: CheckerPluginInterface, loop: ForStmt) -> Mapping[Expression, Type]:
    """The types of what a pass appends to lists."""
    checker = checker_of(api)
    return {each: item_type(api, each) for each in _appended(checker, loop) if checker.has_type(each)}


def _appended(checker: TypeChecker, loop: ForStmt) -> Sequence[Expression]:
    return bindings_of(checker.tree).added_in.get(loop, ())


def _varies(checker: TypeChecker, expr: Expression) -> bool:
    """Whether what is appended to a list may be more exact in a single pass."""
    return checker.has_type(expr) and _is_inexact(checker, checker.lookup_type(expr))


def _is_inexact(checker: TypeChecker, type_: Type) -> bool:
    """Whether values of a type are operands with open shapes, or objects of the checked file's classes."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return any(_is_inexact(checker, item) for item in proper.items)
    is_own = isinstance(proper, Instance) and proper.type.module_name == checker.tree.fullname
    return is_own or (base_of(proper, OPERAND) is not None and is_open(proper))


def _check_pass(api: CheckerPluginInterface, loop: ForStmt) -> bool:
    """Check the body once more, and report its first error, if no branch may leave it out."""
    checker = checker_of(api)
    forget_types(checker, loop.body)
    forget_pass()
    _running.append(loop)
    try:
        errors = errors_in(checker, loop.body)
    finally:
        _running.pop()
    for each in errors[:1] if is_straight(loop) else ():
        checker.errors.add_error_info(each)
    return not errors and not checker.binder.is_unreachable()


def forget_pass() -> None:
    """Forget the values of expressions, as the sizes in the body of a loop are from another pass."""
    forget_values()
    forget_arrays()
    forget_answers()


def _items(api: CheckerPluginInterface, target: Expression, iterable: Expression) -> list[_Types] | None:
    """The types of the targets in each pass over something whose items are known."""
    items = items_of(api, iterable) or ()
    targets = [types_of_targets(target, each) for each in items]
    known = [each for each in targets if each is not None]
    return known if known and len(known) == len(targets) <= _MOST_PASSES else None


def _types(api: CheckerPluginInterface, names: Sequence[NameExpr]) -> _Types:
    """The types of the names that are operands."""
    found = {name: checker_of(api).binder.get(name) for name in names}
    return {name: type_ for name, type_ in found.items() if type_ is not None and operand_of(type_) is not None}


def _put(api: CheckerPluginInterface, types: _Types) -> None:
    for name, type_ in types.items():
        checker_of(api).binder.put(name, type_)


def _shapes(types: _Types) -> dict[NameExpr, Shape]:
    operands = {name: operand_of(type_) for name, type_ in types.items()}
    return {name: operand.static.shape for name, operand in operands.items() if operand is not None}
