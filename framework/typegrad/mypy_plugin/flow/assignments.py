"""The assignments of a file to names and attributes that are assigned again, or whose containers change."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from attrs import evolve, frozen
from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    GlobalDecl,
    IfStmt,
    IndexExpr,
    IntExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    NonlocalDecl,
    OperatorAssignmentStmt,
    StarExpr,
    Statement,
    SymbolNode,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.types import Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.syntax import is_own_attribute, is_plain, nodes_of, variable_key
from typegrad.mypy_plugin.expressions.displays import is_own_function
from typegrad.mypy_plugin.flow.conditions import assigned_in, bodies_of, naming_in
from typegrad.mypy_plugin.flow.stated_types import declared_type, parameters_of, stated_type, stated_type_of_target
from typegrad.mypy_plugin.flow.variable_containers import (
    Holders,
    is_declared_variable,
    takes_other_keys,
    takes_others,
)
from typegrad.mypy_plugin.values.bindings import holds_mutable

__all__ = [
    "COMPOUND",
    "Assignment",
    "adds",
    "assigned",
    "at_once",
    "blocks",
    "bound_elsewhere",
    "rebound",
    "takes_its_targets",
]

COMPOUND: Final = (ForStmt, IfStmt, MatchStmt, TryStmt, WhileStmt, WithStmt)
_ADDING: Final = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update"})
"""The methods that add to a container."""
_PARTS: Final = ("defs", "body", "else_body", "finally_body", "handlers", "bodies", "items", "func")
"""The attributes in which statements hold other statements."""
_RUN: Final = "run"
"""The method whose results for several fetches mypy alone takes for `Any`."""
_UNUSED: Final = "_"
"""A name for values that nobody reads."""


@frozen
class Assignment:
    """An assignment to a name or an attribute of `self`; `value` is None where no expression is the new value."""

    target: NameExpr | MemberExpr
    value: Expression | None
    statement: Statement
    block: list[Statement]
    """Where a statement after the assignment goes: the block of `statement`, or the body of a `for` statement."""
    function: FuncDef | None
    """The function around it."""
    takes_anything: bool = False
    """Whether the name may hold values of any type."""
    is_single: bool = False
    """Whether it is the only one to its target: a container that may change later."""
    changes: int = 0
    """How many statements of the same function add to the container."""
    has_changed_part: bool = False
    """Whether another name has a container that is in this one, and a statement adds to that."""
    is_rebound_elsewhere: bool = False
    """Whether a function assigns a name outside itself, so that each call may do so."""
    keeps_variables: bool = False
    """Whether the target holds no operands but variables."""
    keeps_rank: bool = False
    """Whether the target is an attribute of a variable that other code replaces, by one of its rank for mypy alone."""
    collects_variables: bool = False
    """Whether no operands but variables come into the container that the target holds."""
    collects_keys: bool = False
    """Whether no operands but variables become keys of the dict that the target holds."""
    is_repeated: bool = False
    """Whether it is one of several that a comprehension makes: `[h := layer(h) for layer in layers]`."""


class _Changes(NamedTuple):
    """What the statements of a file assign and change, each by the variable."""

    assignments: dict[Hashable, list[Assignment]]
    additions: dict[Hashable, Counter[FuncDef | None]]
    """How many statements of each function add to a container."""
    classes: dict[str, dict[Hashable, TypeInfo]]
    """The classes that assign an attribute, by its name."""
    of_others: set[str]
    """The attributes that are assigned in other objects than `self`."""


def _changes(tree: MypyFile) -> _Changes:
    changes = _Changes(defaultdict(list), defaultdict(Counter), defaultdict(dict), set())
    for block, class_, function in blocks(tree):
        for statement in block:
            for target in _changed(statement):
                changes.additions[_key(target, class_)][function] += 1
            changes.of_others.update(_attributes_of_others(statement))
            for target, value in _targets(statement):
                where = statement.body.body if isinstance(statement, ForStmt) else block
                key = _key(target, class_)
                changes.assignments[key].append(Assignment(target, value, statement, where, function))
                if class_ is not None and (isinstance(target, MemberExpr) or function is None):
                    changes.classes[target.name][key] = class_.info
            for target, is_repeated in _named(statement):
                for where in (block, *(body.body for body, _ in bodies_of(statement))):
                    made = Assignment(target, None, statement, where, function, is_repeated=is_repeated)
                    changes.assignments[_key(target, class_)].append(made)
    return changes


def rebound(tree: MypyFile) -> Iterator[Assignment]:
    """The assignments to what is assigned several times, or is a container that may change later."""
    changes = _changes(tree)
    by_variable, additions, classes, of_others = changes
    elsewhere = bound_elsewhere(tree)
    with_parts = _wholes(additions, by_variable)
    variables = _variables_among(changes, _parameters(tree))
    for key, assignments in by_variable.items():
        name = assignments[0].target.name
        is_shared = _is_shared(key, classes.get(name, {}), is_of_others=name in of_others)
        may_change = key in additions or key in with_parts or holds_mutable(assignments[0].value)
        is_rebound = len({each.target for each in assignments}) > 1
        if is_rebound or is_shared or may_change:
            takes_anything = any(map(_is_of_any_type, assignments))
            is_single = not is_rebound and not is_shared
            keeps_variables = is_single or key in variables
            wholes = list(map(_whole_value, assignments))
            collects_variables = not any(takes_others(whole, variables) for whole in wholes)
            collects_keys = not any(takes_other_keys(whole, variables) for whole in wholes)
            for each in assignments:
                yield evolve(
                    each,
                    takes_anything=takes_anything,
                    is_single=is_single,
                    changes=additions[key][each.function] if key in additions else 0,
                    has_changed_part=key in with_parts,
                    is_rebound_elsewhere=name in elsewhere,
                    keeps_variables=keeps_variables,
                    keeps_rank=not is_rebound and key in variables,
                    collects_variables=collects_variables,
                    collects_keys=collects_keys,
                )


def bound_elsewhere(tree: MypyFile) -> set[str]:
    """The names that functions assign outside themselves."""
    statements = (each for block, *_ in blocks(tree) for each in block)
    return {name for each in statements if isinstance(each, (GlobalDecl, NonlocalDecl)) for name in each.names}


def takes_its_targets(statement: AssignmentStmt) -> bool:
    """Whether a part of the value takes what a part before it is assigned to, as in `a, b = b, a`."""
    value, targets = statement.rvalue, statement.lvalues[-1]
    if not (is_plain(value) and is_plain(targets)):
        return False
    before: set[SymbolNode | str] = set()
    for target, part in zip(targets.items, value.items, strict=False):
        if not before.isdisjoint(_variables(nodes_of(part))):
            return True
        before |= _variables(each for each, _ in _pairs(target, None))
    return False


def at_once(value: Expression) -> IndexExpr:
    """`(b, a)` as `((b, a),)[0]`: the parts of a tuple alone mypy assigns one after the other."""
    tuple_, zero = TupleExpr([value]), IntExpr(0)
    item = IndexExpr(tuple_, zero)
    for node in (tuple_, zero, item):
        node.set_line(value.line, value.column)
    return item


def together(value: Expression | None) -> Expression | None:
    """The `(b, a)` of an expression that `at_once` made; None for any other expression."""
    whole = value.base if isinstance(value, IndexExpr) else None
    return whole.items[0] if isinstance(whole, TupleExpr) and len(whole.items) == 1 else None


def _variables(nodes: Iterable[Node]) -> set[SymbolNode | str]:
    return {key for each in nodes if (key := variable_key(each)) is not None}


def _is_of_any_type(assignment: Assignment) -> bool:
    """Whether mypy alone takes the value for `Any`, as each of `_, value = session.run((step, loss))`.

    A name that is assigned such a value holds values of other types, too, and most often is `_`. Two functions of
    typegrad have no type in common.
    """
    made = assignment.statement.rvalue if isinstance(assignment.statement, AssignmentStmt) else None
    is_part = assignment.value is not made
    is_run = isinstance(made, CallExpr) and isinstance(made.callee, MemberExpr) and made.callee.name == _RUN
    is_function = assignment.value is not None and is_own_function(assignment.value)
    return (is_run and is_part) or is_function or assignment.target.name == _UNUSED


def _parameters(tree: MypyFile) -> dict[SymbolNode, Type]:
    """The declared types of the parameters of all functions."""
    functions = {function for *_, function in blocks(tree) if function is not None}
    return {parameter: type_ for function in functions for parameter, type_ in parameters_of(function).items()}


def _variables_among(changes: _Changes, parameters: Mapping[SymbolNode, Type]) -> set[Hashable]:
    """The names and attributes that hold nothing but variables, also where one is assigned what another holds."""
    by_variable = changes.assignments
    declared = {each for each, type_ in parameters.items() if is_declared_variable(type_)}
    stated = {
        each.target: _is_stated_variable(each, parameters) for several in by_variable.values() for each in several
    }
    keys_of = partial(_keys_of, changes.classes, parameters)
    variables, containers = by_variable.keys() | declared, set[Hashable](by_variable)
    while True:
        holders = Holders(variables, containers, keys_of)
        left = declared | {
            key
            for key in variables & by_variable.keys()
            if all(_is_variable(each, holders, stated[each.target]) for each in by_variable[key])
        }
        left_containers = {
            key for key in containers if all(holders.is_container(each.value) for each in by_variable[key])
        }
        if left == variables and left_containers == containers:
            return variables
        variables, containers = left, left_containers


def _is_variable(assignment: Assignment, holders: Holders, is_stated: bool | None) -> bool:
    statement = assignment.statement
    if is_stated is not None:
        return is_stated
    if isinstance(statement, ForStmt):
        return statement.index is assignment.target and holders.is_container(statement.expr)
    return holders.is_variable(assignment.value)


def _keys_of(
    classes: Mapping[str, Mapping[Hashable, TypeInfo]],
    parameters: Mapping[SymbolNode, Type],
    expr: NameExpr | MemberExpr,
) -> Collection[Hashable]:
    """The name, or the attributes of this name that an object may have: of any class unless its own is stated."""
    if isinstance(expr, NameExpr):
        return [expr.node]
    owner = stated_type(expr.expr, parameters)
    own = owner.type if isinstance(owner, Instance) else None
    return [
        key for key, info in classes.get(expr.name, {}).items() if own is None or info in own.mro or own in info.mro
    ]


def _is_stated_variable(assignment: Assignment, parameters: Mapping[SymbolNode, Type]) -> bool | None:
    """Whether annotations state that a variable is assigned: `self.w = by_name["w"]`. None if they do not tell."""
    target, value = assignment.target, assignment.value
    type_ = None if target.node is None else get_proper_type(declared_type(target.node))
    if type_ is None and value is None:
        type_ = stated_type_of_target(assignment.statement, target, parameters)
    elif type_ is None:
        type_ = stated_type(value, parameters)
    return None if type_ is None else is_declared_variable(type_)


def _whole_value(assignment: Assignment) -> Expression | None:
    """What is assigned, or added by `+=`."""
    statement = assignment.statement
    return statement.rvalue if isinstance(statement, OperatorAssignmentStmt) else assignment.value


def blocks(
    node: Node, class_: ClassDef | None = None, function: FuncDef | None = None
) -> Iterator[tuple[list[Statement], ClassDef | None, FuncDef | None]]:
    """The lists of statements in a file, each with the class and the function around it."""
    if isinstance(node, (MypyFile, Block)):
        yield (node.defs if isinstance(node, MypyFile) else node.body), class_, function
    if isinstance(node, ClassDef):
        class_ = node
    if isinstance(node, FuncDef):
        function = node
    class_of_node = type(node)
    if class_of_node not in _parts_of:
        _parts_of[class_of_node] = [name for name in _PARTS if hasattr(class_of_node, name)]
    for part in _parts_of[class_of_node]:
        value: Any = getattr(node, part, None)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, Node):
                yield from blocks(child, class_, function)


_parts_of: Final[dict[type[Node], list[str]]] = {}


def assigned(compound: Statement) -> Iterator[NameExpr]:
    """A use of each name that the statements inside another one assign."""
    statements = [statement for block, *_ in blocks(compound) for statement in block]
    targets = (target for statement in statements for target, _ in _targets(statement))
    named = (each.target for statement in (compound, *statements) for each in assigned_in(statement))
    names = [*(each for each in targets if isinstance(each, NameExpr)), *named]
    yield from {name.node: name for name in names}.values()


def adds(compound: Statement) -> bool:
    """Whether a statement inside another one adds to a container."""
    return any(True for block, *_ in blocks(compound) for statement in block for _ in _changed(statement))


def _key(target: NameExpr | MemberExpr, class_: ClassDef | None) -> Hashable:
    """The same for all targets that are one variable."""
    return target.node if isinstance(target, NameExpr) else (class_, target.name)


def _attributes_of_others(statement: Statement) -> Iterator[str]:
    """The names of the attributes that a statement assigns to other objects than `self`."""
    lvalues = statement.lvalues if isinstance(statement, AssignmentStmt) else ()
    for lvalue in lvalues:
        for target in lvalue.items if isinstance(lvalue, (TupleExpr, ListExpr)) else [lvalue]:
            if isinstance(target, MemberExpr) and not is_own_attribute(target):
                yield target.name


def _is_shared(key: Hashable, attributes: Mapping[Hashable, TypeInfo], *, is_of_others: bool) -> bool:
    """Whether an attribute is also assigned from outside of its class, or in a class above or below it."""
    own = attributes.get(key)
    if own is None:
        return False
    others = [info for other, info in attributes.items() if other != key]
    return is_of_others or any(info in own.mro or own in info.mro for info in others)


def _changed(statement: Node) -> Iterator[NameExpr | MemberExpr]:
    """The containers that a statement adds to: `hs.append(h)` or `hs[0] = h`."""
    containers: list[Expression] = []
    if isinstance(statement, ExpressionStmt) and isinstance(statement.expr, CallExpr):
        callee = statement.expr.callee
        containers += [callee.expr] if isinstance(callee, MemberExpr) and callee.name in _ADDING else []
    elif isinstance(statement, AssignmentStmt):
        containers += [_whole(lvalue.base) for lvalue in statement.lvalues if isinstance(lvalue, IndexExpr)]
    for each in containers:
        if isinstance(each, NameExpr) or is_own_attribute(each):
            yield each


def _whole(container: Expression) -> Expression:
    """The outermost container: `d` of `d["a"]`."""
    return _whole(container.base) if isinstance(container, IndexExpr) else container


def _wholes(changed: Iterable[Hashable], by_variable: Mapping[Hashable, Sequence[Assignment]]) -> set[Hashable]:
    """The containers a part of which has a name that a statement adds to: `d` where `inner = d["a"]`."""
    result, left = set[Hashable](), list(changed)
    while left:
        for assignment in by_variable.get(left.pop(), ()):
            whole = _whole_of(assignment)
            if whole is not None and whole not in result:
                result.add(whole)
                left.append(whole)
    return result


def _whole_of(assignment: Assignment) -> SymbolNode | None:
    """What an assigned value is a part of, as in `inner = d["a"]` and `for inner in d.values()`."""
    statement = assignment.statement
    expr = statement.expr if isinstance(statement, ForStmt) else assignment.value
    while isinstance(expr, (CallExpr, IndexExpr, MemberExpr)):
        expr = expr.callee if isinstance(expr, CallExpr) else expr.base if isinstance(expr, IndexExpr) else expr.expr
    return expr.node if isinstance(expr, NameExpr) else None


def _targets(statement: Node) -> Iterator[tuple[NameExpr | MemberExpr, Expression | None]]:
    """The names that a statement assigns, each with the expression assigned to it, if there is a single one."""
    if isinstance(statement, AssignmentStmt):
        for lvalue in statement.lvalues:
            yield from _pairs(lvalue, statement.rvalue)
    elif isinstance(statement, OperatorAssignmentStmt):
        yield from _pairs(statement.lvalue, None)
    elif isinstance(statement, ForStmt):
        yield from _pairs(statement.index, None)
    elif isinstance(statement, WithStmt):
        for target in statement.target:
            if target is not None:
                yield from _pairs(target, None)


def _named(statement: Statement) -> Iterator[tuple[NameExpr, bool]]:
    """The names that expressions in a statement assign by `:=`, and whether a comprehension does."""
    yield from ((each.target, False) for each in assigned_in(statement))
    for expr in naming_in(statement):
        for node in nodes_of(expr):
            if isinstance(node, (DictionaryComprehension, GeneratorExpr)):
                yield from ((each.target, True) for each in nodes_of(node) if isinstance(each, AssignmentExpr))


def _pairs(target: Expression, value: Expression | None) -> Iterator[tuple[NameExpr | MemberExpr, Expression | None]]:
    """The names in a target, each with its part of the value; `c, h = zeros, ones` is two assignments."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, Var):
            yield target, value
    elif is_own_attribute(target):
        yield target, value
    elif isinstance(target, (TupleExpr, ListExpr)):
        value = together(value) or value
        parts = value.items if is_plain(target) and is_plain(value) and len(target.items) == len(value.items) else ()
        for position, each in enumerate(target.items):
            yield from _pairs(each, parts[position] if parts else None)
    elif isinstance(target, StarExpr):
        yield from _pairs(target.expr, None)
