"""Values that the next pass of a loop fetches in the place of operands: `_, loss = session.run([step, loss], data)`.

To mypy, each value of a run of several fetches may be anything, and so is the name behind it. Here a loop is looked at
that surely makes a second pass if it makes a first one, or may make any number of them, in functions that the followed
program does not call: in those that it calls, it knows how many there are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    Expression,
    ForStmt,
    FuncDef,
    GlobalDecl,
    IntExpr,
    MemberExpr,
    NameExpr,
    NonlocalDecl,
    RaiseStmt,
    RefExpr,
    ReturnStmt,
    Var,
    WhileStmt,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)
from mypy.plugin import CheckerPluginInterface

from typegrad.graph.refusals import NO_FETCH
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.expected import is_expected
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import is_refused, report
from typegrad.mypy_plugin.base.syntax import is_plain, last_line, nodes_of, runs_through, statements_of, variable_key
from typegrad.mypy_plugin.values.bindings import Bound
from typegrad.mypy_plugin.values.evaluation import length_of
from typegrad.mypy_plugin.values.iterables import items_of
from typegrad.mypy_plugin.values.passed_types import part_of_type
from typegrad.mypy_plugin.values.reading import bindings_of
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = ["refuse_fetched_again"]

_ENDING: Final = (RaiseStmt, ReturnStmt, YieldExpr, YieldFromExpr)
"""What may end the function in the first pass."""
_ITEM_BY_ITEM: Final = ("builtins.enumerate", "builtins.reversed")
_RANGE: Final = "builtins.range"
_FLAGS: Final = ("builtins.False", "builtins.True")

_Loop: TypeAlias = "ForStmt | WhileStmt"


def refuse_fetched_again(api: CheckerPluginInterface, ran: Collection[tuple[str, str]]) -> None:
    """Report them in functions that the program of a file does not call; `ran` has those that it calls."""
    checker = checker_of(api)
    functions = (each for each in nodes_of(checker.tree) if isinstance(each, FuncDef))
    for function in functions:
        if (checker.path, function.name) not in ran:
            for loop in statements_of(function):
                if isinstance(loop, (ForStmt, WhileStmt)):
                    _refuse_in(api, function, loop)


def _refuse_in(api: CheckerPluginInterface, function: FuncDef, loop: _Loop) -> None:
    """Report them in a loop of a function."""
    checker = checker_of(api)
    found = _fetched(checker, loop.body)
    wrong = [each for each in found if _is_operand_before(checker, function, loop, *each)]
    if not wrong or not _repeats(api, function, loop):
        return
    for statement, fetch in wrong:
        if not (is_refused(api, statement) or is_expected(checker.tree, statement)):
            hint = f"{source_of(fetch)} is what the pass before has fetched; give that another name"
            report(api, CALL, f"Session.run(): {NO_FETCH.format('ndarray')}; {hint}", fetch)


def _fetched(checker: TypeChecker, block: Block) -> Iterator[tuple[AssignmentStmt, NameExpr | MemberExpr]]:
    """The names and attributes that one statement of a block fetches and assigns the value."""
    for statement in block.body:
        if isinstance(statement, WithStmt):
            yield from _fetched(checker, statement.body)
        elif isinstance(statement, AssignmentStmt):
            fetches = fetches_of(checker, statement.rvalue)
            if fetches is not None and len(statement.lvalues) == 1:
                yield from ((statement, fetch) for fetch in _same(statement.lvalues[0], fetches))


def _same(target: Expression, fetch: Expression) -> Iterator[NameExpr | MemberExpr]:
    """The variables that are at the same place of a target and of what is fetched."""
    if is_plain(target) and is_plain(fetch) and len(target.items) == len(fetch.items):
        for part, each in zip(target.items, fetch.items, strict=True):
            yield from _same(part, each)
    elif isinstance(fetch, (MemberExpr, NameExpr)) and type(target) is type(fetch):
        yield from [fetch] if variable_key(target) == variable_key(fetch) is not None else []


def _is_operand_before(
    checker: TypeChecker, function: FuncDef, loop: _Loop, statement: AssignmentStmt, fetch: NameExpr | MemberExpr
) -> bool:
    """Whether a session fetches an operand in the first pass of a loop, and no other statement in it assigns one."""
    variable = _variable(function, fetch)
    stores = [] if variable is None else bindings_of(checker.tree).stores.get(variable, [])
    others = [each for each in stores if each is None or each.expr is not statement.rvalue]
    inside = {id(node) for node in nodes_of(loop.body)}
    is_one_way = not any(each is not None and id(each.expr) in inside for each in others)
    return (
        variable is not None
        and bool(others)
        and is_one_way
        and _is_of_function(checker, function, variable, others)
        and all(_is_operand(checker, variable, each) for each in others)
    )


def _variable(function: FuncDef, fetch: NameExpr | MemberExpr) -> Var | None:
    """The variable of a name, or of an attribute of `self`."""
    if isinstance(fetch, NameExpr):
        return fetch.node if isinstance(fetch.node, Var) else None
    symbol = function.info.names.get(fetch.name) if function.info else None
    return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None


def _is_of_function(checker: TypeChecker, function: FuncDef, variable: Var, others: Sequence[Bound | None]) -> bool:
    """Whether a variable is assigned in the function alone, or an attribute in the constructor besides."""
    if not variable.info:
        nodes = nodes_of(function)
        shared = {name for each in nodes if isinstance(each, (GlobalDecl, NonlocalDecl)) for name in each.names}
        return "." not in variable.fullname and variable.name not in shared
    bindings, made = bindings_of(checker.tree), variable.info.get_method("__init__")
    is_known = not bindings.is_opaque and variable.name not in bindings.assigned_abroad
    derived = (each for each in bindings.classes if variable.info in each.mro and each is not variable.info)
    lines = range(made.line, last_line(made.body) + 1) if isinstance(made, FuncDef) else ()
    is_first = all(each is not None and each.expr.line in lines for each in others)
    return is_known and is_first and not any(variable.name in each.names for each in derived)


def _is_operand(checker: TypeChecker, variable: Var, bound: Bound | None) -> bool:
    """Whether a variable is bound to an operand, or declared as one."""
    if bound is None:
        type_ = None if variable.is_inferred else variable.type
    else:
        known = checker.has_type(bound.expr)
        type_ = part_of_type(bound.path, checker.lookup_type(bound.expr)) if known else None
    return type_ is not None and base_of(type_, OPERAND) is not None


def _repeats(api: CheckerPluginInterface, function: FuncDef, loop: _Loop) -> bool:
    """Whether nothing ends a loop in its first pass, and it has several passes or any number of them."""
    if not runs_through(loop) or any(isinstance(node, _ENDING) for node in nodes_of(loop.body)):
        return False
    if isinstance(loop, WhileStmt):
        return not _is_ended_by_flag(loop)
    items = items_of(api, loop.expr)
    count = length_of(api, loop.expr) if items is None else len(items)
    if isinstance(count, int):
        return count > 1
    iterable = loop.expr
    while isinstance(iterable, CallExpr) and isinstance(iterable.callee, RefExpr) and iterable.args:
        if iterable.callee.fullname == _RANGE:
            return not any(_is_one_by_default(function, each) for each in iterable.args)
        if iterable.callee.fullname not in _ITEM_BY_ITEM:
            return False
        iterable = iterable.args[0]
    return isinstance(iterable, NameExpr) and any(iterable.node is each.variable for each in function.arguments)


def _is_one_by_default(function: FuncDef, expr: Expression) -> bool:
    """Whether an expression is a parameter that is a number of passes, of which calls make one if they do not say."""
    found = (each for each in function.arguments if isinstance(expr, NameExpr) and each.variable is expr.node)
    return any(isinstance(each.initializer, IntExpr) and each.initializer.value <= 1 for each in found)


def _is_ended_by_flag(loop: WhileStmt) -> bool:
    """Whether a pass may set a flag that ends the loop: `done = True`."""
    asked = {variable_key(node) for node in nodes_of(loop.expr)} - {None}
    statements = (node for node in nodes_of(loop.body) if isinstance(node, AssignmentStmt))
    flags = (each for each in statements if isinstance(each.rvalue, NameExpr) and each.rvalue.fullname in _FLAGS)
    return any(variable_key(target) in asked for each in flags for target in each.lvalues)
