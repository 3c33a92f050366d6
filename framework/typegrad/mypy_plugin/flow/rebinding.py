"""Variables and attributes that are assigned several times: `h = x`, then `h = relu(h @ w)`.

mypy infers the type of a variable from its first value. With a class for each operation and with exact shapes, the
second assignment would be an error although the program is right. After each assignment to a name that is assigned
again, the variable therefore gets the type of an operand of any operation and any shape, and mypy narrows it to the
exact type, as it does for variables of a union type.

mypy has no hook for assignments. Once the names of a file are resolved, the plugin adds a statement after each of these
assignments: `"".__sizeof__()`, which no program contains and for whose call there is a hook.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeGuard, cast

from attrs import evolve, frozen
from mypy.checker import TypeChecker
from mypy.literals import literal_hash
from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Context,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GlobalDecl,
    IfStmt,
    IndexExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    NonlocalDecl,
    OperatorAssignmentStmt,
    RaiseStmt,
    RefExpr,
    StarExpr,
    Statement,
    StrExpr,
    SymbolNode,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.plugin import AnalyzeTypeContext, CheckerPluginInterface, MethodContext
from mypy.semanal import SemanticAnalyzer
from mypy.types import AnyType, CallableType, Instance, PartialType, Type, TypeOfAny, get_proper_type

from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.base.memory import Memory, is_another_pass
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of
from typegrad.mypy_plugin.base.syntax import runs_through
from typegrad.mypy_plugin.calls.counts import check_unpacking, unpacks
from typegrad.mypy_plugin.expressions.displays import is_own_function
from typegrad.mypy_plugin.expressions.inspection import Sites, inspect, sites_of
from typegrad.mypy_plugin.flow.loops import begin_pass, end_pass, types_after
from typegrad.mypy_plugin.reports.lints import lint
from typegrad.mypy_plugin.reports.program import follow
from typegrad.mypy_plugin.reports.whole_file import is_whole, schedule, written_functions
from typegrad.mypy_plugin.types.array_types import ARRAY, dtype_of, type_of_dtype
from typegrad.mypy_plugin.types.joins import merge
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.widening import CONTAINERS, narrow_declared, narrowed, widened
from typegrad.mypy_plugin.values.bindings import holds_mutable
from typegrad.mypy_plugin.values.exact import assigned_type, is_container, unpacked
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["REBOUND", "prepare", "preparing_hook", "rebound_hook", "redeclare", "variable_of"]

REBOUND: Final = "builtins.str.__sizeof__"
"""The method that the added statements call."""
_ADDING: Final = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault", "update"})
"""The methods that add to a container."""
_METHOD: Final = REBOUND.rpartition(".")[2]
_PARTS: Final = ("defs", "body", "else_body", "finally_body", "handlers", "bodies", "items", "func")
"""The attributes in which statements hold other statements."""
_OWN: Final = "typegrad."
"""The package itself, whose functions do not assign one name several operations."""
_COMPOUND: Final = (ForStmt, IfStmt, MatchStmt, TryStmt, WhileStmt, WithStmt)
_RUN: Final = "run"
"""The method whose results for several fetches mypy alone takes for `Any`."""
_UNUSED: Final = "_"
"""A name for values that nobody reads."""
_LAST: Final = 10**6
"""A priority behind everything that mypy itself does once the names are resolved."""


@frozen
class _Assignment:
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


_marks: Final = Memory[Context, list[_Assignment]]()
_declared: Final = Memory[Context, AssignmentStmt]()
"""The declarations of names with a value, by the mark behind each."""
_merged: Final = Memory[Context, tuple[Statement, list[NameExpr]]]()
"""The loop or branch before each mark, and the names that it assigns."""
_begun: Final = Memory[Context, tuple[ForStmt, list[NameExpr]]]()
_ended: Final = Memory[Context, tuple[ForStmt, list[NameExpr]]]()
"""The loops of one statement after the other, by the marks at both ends of their bodies, with the same names."""
_unpacked: Final = Memory[Context, AssignmentStmt]()
_inspected: Final = Memory[Context, Sites]()
_prepared: Final = Memory[MypyFile, bool]()
_ends: Final = Memory[MypyFile, CallExpr]()
"""The last added statement of each file."""


# The added statements


def preparing_hook(ctx: AnalyzeTypeContext) -> Type:
    """Analyze a type as mypy does, and see to it that its file is prepared before mypy checks it."""
    analyzer = cast("Any", ctx.api).api
    if isinstance(analyzer, SemanticAnalyzer) and analyzer.cur_mod_node not in _prepared:
        tree = analyzer.cur_mod_node
        _prepared[tree] = False
        analyzer.schedule_patch(_LAST, lambda: _prepare(tree))
    return ctx.api.analyze_type(ctx.type)


def prepare(api: CheckerPluginInterface) -> None:
    """Add the statements to the file that is checked."""
    tree = cast("TypeChecker", api).tree
    if tree not in _prepared:
        _prepare(tree)
    schedule(api, _ends.get(tree))


def _prepare(tree: MypyFile) -> None:
    _prepared[tree] = True
    if tree.is_stub or tree.fullname.startswith(_OWN):
        return
    by_variable: dict[Hashable, list[_Assignment]] = defaultdict(list)
    attributes: dict[str, dict[Hashable, TypeInfo]] = defaultdict(dict)
    of_others: set[str] = set()
    changed: dict[Hashable, Counter[FuncDef | None]] = defaultdict(Counter)
    elsewhere: set[str] = set()
    declarations: list[tuple[AssignmentStmt, list[Statement]]] = []
    compounds: list[tuple[Statement, list[Statement]]] = []
    unpacking: list[tuple[AssignmentStmt, list[Statement]]] = []
    inspected: list[tuple[Statement, list[Statement], Sites]] = []
    for block, class_, function in list(_blocks(tree)):
        for statement in block:
            for target in _changed(statement):
                changed[_key(target, class_)][function] += 1
            elsewhere.update(statement.names if isinstance(statement, (GlobalDecl, NonlocalDecl)) else ())
            if isinstance(statement, _COMPOUND):
                compounds.append((statement, block))
            sites = sites_of(statement)
            if sites:
                inspected.append((statement, block, sites))
            if isinstance(statement, AssignmentStmt) and (unpacks(statement) or _starred(statement)):
                unpacking.append((statement, block))
            if isinstance(statement, AssignmentStmt) and statement.unanalyzed_type and not _is_member(statement):
                declarations.append((statement, block))
            of_others.update(_attributes_of_others(statement))
            for target, value in _targets(statement):
                where = statement.body.body if isinstance(statement, ForStmt) else block
                key = _key(target, class_)
                by_variable[key].append(_Assignment(target, value, statement, where, function))
                if class_ is not None and (isinstance(target, MemberExpr) or function is None):
                    attributes[target.name][key] = class_.info
    with_parts = _wholes(changed, by_variable)
    for key, assignments in by_variable.items():
        name = assignments[0].target.name
        is_shared = _is_shared(key, attributes.get(name, {}), is_of_others=name in of_others)
        is_shared &= not all(map(_is_variable, assignments))  # what replaces a variable is of its rank
        if (
            len(assignments) > 1
            or is_shared
            or key in changed
            or key in with_parts
            or holds_mutable(assignments[0].value)
        ):
            takes_anything = any(map(_is_of_any_type, assignments))
            is_single = len(assignments) == 1 and not is_shared
            keeps_variables = is_single or all(map(_is_variable, assignments))
            for assignment in assignments:
                each = evolve(
                    assignment,
                    takes_anything=takes_anything,
                    is_single=is_single,
                    changes=changed[key][assignment.function] if key in changed else 0,
                    has_changed_part=key in with_parts,
                    is_rebound_elsewhere=assignment.target.name in elsewhere,
                    keeps_variables=keeps_variables,
                )
                place = 0 if isinstance(each.statement, ForStmt) else each.block.index(each.statement) + 1
                _marks.setdefault(_mark(each.statement, each.block, place), []).append(each)
    for compound, block in compounds:
        names = list(_assigned(compound))
        _merged[_mark(compound, block, block.index(compound) + 1)] = compound, names
        if isinstance(compound, ForStmt) and runs_through(compound) and (names or _adds(compound)):
            body = compound.body.body
            _begun[_mark(body[0], body, 0)] = compound, names
            _ended[_mark(body[-1], body, len(body))] = compound, names
    for statement, block in declarations:
        _declared[_mark(statement, block, block.index(statement) + 1)] = statement
    for statement, block in unpacking:
        _unpacked[_mark(statement, block, block.index(statement) + 1)] = statement
    for later, block, sites in inspected:
        _inspected[_mark(later, block, block.index(later))] = sites

    for function in list(written_functions(tree)):
        body = function.body.body
        _mark(body[0], body, 0)  # at which the file is asked for as a whole, once functions are checked
    if tree.defs:
        last = tree.defs[-1]
        _ends[tree] = _mark(last, tree.defs, len(tree.defs) - isinstance(last, RaiseStmt))


def _is_of_any_type(assignment: _Assignment) -> bool:
    """Whether mypy alone takes the value for `Any`, as each of `_, value = session.run((step, loss))`.

    A name that is assigned such a value holds values of other types, too, and most often is `_`. Two functions of
    typegrad have no type in common.
    """
    made = assignment.statement.rvalue if isinstance(assignment.statement, AssignmentStmt) else None
    is_part = assignment.value is not made
    is_run = isinstance(made, CallExpr) and isinstance(made.callee, MemberExpr) and made.callee.name == _RUN
    is_function = assignment.value is not None and is_own_function(assignment.value)
    return (is_run and is_part) or is_function or assignment.target.name == _UNUSED


def _is_variable(assignment: _Assignment) -> bool:
    """Whether the value is the result of `Variable.create`, or of a function that states that it returns a variable."""
    callee = assignment.value.callee if isinstance(assignment.value, CallExpr) else None
    if isinstance(callee, MemberExpr) and callee.name == "create" and isinstance(callee.expr, RefExpr):
        return callee.expr.fullname == VARIABLE
    function = callee.node if isinstance(callee, RefExpr) else None
    type_ = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    return isinstance(type_, CallableType) and base_of(type_.ret_type, VARIABLE) is not None


def _mark(statement: Statement, block: list[Statement], place: int) -> CallExpr:
    """The call in the added statement at a place, which may be there from an earlier check of the same file."""
    for known in block[max(place - 1, 0) : place + 1]:
        if isinstance(known, ExpressionStmt) and _is_mark(known.expr):
            return known.expr
    callee = MemberExpr(StrExpr(""), _METHOD)
    call = CallExpr(callee, [], [], [])
    added = ExpressionStmt(call)
    for node in (callee.expr, callee, call, added):
        node.set_line(statement.line, statement.column)  # without an end, so that no tool takes it for the user's
    block.insert(place, added)
    return call


def _is_mark(expr: Expression) -> TypeGuard[CallExpr]:
    return isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name == _METHOD


def rebound_hook(ctx: MethodContext) -> Type:
    """Check the assignment before an added statement, and the statement after it."""
    tree = cast("TypeChecker", ctx.api).tree
    if ctx.context in _merged:
        compound, names = _merged[ctx.context]
        merge(ctx.api, names, types_after(compound))
    if ctx.context in _declared:
        narrow_declared(ctx.api, _declared[ctx.context])
    if ctx.context in _unpacked:
        _unpack(ctx.api, _unpacked[ctx.context])
    for each in _marks.get(ctx.context, ()):
        variable = variable_of(ctx.api, each.target)
        type_ = None if variable is None else variable.type
        if variable is None or type_ is None or isinstance(get_proper_type(type_), PartialType):
            continue
        is_operand = base_of(type_, OPERAND) is not None
        if each.is_single and is_operand:
            continue
        bindings = bindings_of(tree, each.target)
        is_mutable = each.is_single or _is_mutable(type_)
        may_change = is_mutable and (
            each.has_changed_part or bindings.may_change_elsewhere(variable, each.changes, _is_closed)
        )
        if each.is_single and not (each.changes or may_change):
            continue
        current = cast("TypeChecker", ctx.api).binder.get(each.target) or type_
        array = _array(ctx.api, each.value)
        if array is not None:  # mypy keeps the declared dtype in the place of an unknown one
            type_, current = array
        anything = AnyType(TypeOfAny.special_form) if each.takes_anything else None
        wide = anything or widened(type_, each.value, keeps_variables=each.keeps_variables)
        is_wide = may_change or each.is_rebound_elsewhere
        redeclare(ctx.api, each.target, variable, wide, wide if is_wide else narrowed(ctx.api, current, each.value))
        if is_another_pass() and not is_wide:  # else names that are assigned this one get the more exact type, too
            _put_list(ctx.api, each)
    if ctx.context in _begun:
        begin_pass(ctx.api, *_begun[ctx.context])
    if ctx.context in _ended:
        end_pass(ctx.api, *_ended[ctx.context])
    # What is refused changes the tree, which must not depend on the arguments of one call.
    if ctx.context in _inspected and not is_another_pass():
        inspect(ctx.api, _inspected[ctx.context])
    if ctx.context is _ends.get(tree) and is_whole(cast("TypeChecker", ctx.api)):
        lint(ctx.api)
        follow(ctx.api)
    return ctx.default_return_type


def _put_list(api: CheckerPluginInterface, assignment: _Assignment) -> None:
    """Give a name that is assigned several lists the types of the items that it has from here on."""
    checker, target, value = cast("TypeChecker", api), assignment.target, assignment.value
    if not isinstance(target, NameExpr) or value is None or assignment.is_single or not checker.has_type(value):
        return
    known = assigned_type(api, target, value, checker.lookup_type(value))
    if is_container(known):
        checker.binder.put(target, known)


def _is_mutable(type_: Type) -> bool:
    """Whether a value is a container whose items a second name may change."""
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname in CONTAINERS - {"builtins.tuple"}


def _is_closed(parameter: Var) -> bool:
    """Whether a parameter takes a container of items with stated shapes, so that no other ones come into it."""
    return parameter.type is not None and not is_open(parameter.type)


def _unpack(api: CheckerPluginInterface, statement: AssignmentStmt) -> None:
    """Check the number of names, or give the names of `*hidden, last = layers` the types of the items."""
    starred = _starred(statement)
    if starred is None:
        check_unpacking(api, statement)
    elif is_another_pass():  # else types that are more exact than mypy's could be those of other names
        for name, type_ in unpacked(api, starred, statement.rvalue).items():
            cast("TypeChecker", api).binder.put(name, type_)


def _starred(statement: AssignmentStmt) -> TupleExpr | None:
    """The target of a statement that unpacks some items into a list."""
    target = statement.lvalues[0] if len(statement.lvalues) == 1 else None
    return target if isinstance(target, TupleExpr) and not _is_plain(target) else None


def _array(api: CheckerPluginInterface, value: Expression | None) -> tuple[Type, Type] | None:
    """The type of an array whose dtype mypy does not know, as in `x.astype(name)`, and with the dtype that is known."""
    checker = cast("TypeChecker", api)
    type_ = get_proper_type(checker.lookup_type(value)) if value is not None and checker.has_type(value) else None
    if not isinstance(type_, Instance) or type_.type.fullname != ARRAY or dtype_of(api, type_.args[1]) is not None:
        return None
    array = array_of(api, value, type_)
    known = None if array is None or array.dtype is None else type_of_dtype(api, array.dtype)
    return type_, type_.copy_modified(args=[type_.args[0], known or type_.args[1]])


def redeclare(
    api: CheckerPluginInterface, target: NameExpr | MemberExpr, variable: Var, wide: Type, current: Type
) -> None:
    """Redeclare an inferred variable with the type `wide`, narrowed to `current` from here on."""
    binder = cast("TypeChecker", api).binder
    key = literal_hash(target)
    if key is None or (wide == variable.type and current == binder.get(target)):
        return
    variable.type = wide
    binder.declarations[key] = wide
    binder.put(target, current)
    for frame in binder.try_frames:
        binder.allow_jump(frame)


def variable_of(api: CheckerPluginInterface, target: Expression) -> Var | None:
    """The variable of a name or of an attribute of `self`, if mypy infers its type."""
    node = target.node if isinstance(target, NameExpr) else None
    if isinstance(target, MemberExpr) and _is_own(target):
        class_ = cast("TypeChecker", api).scope.enclosing_class()
        symbol = None if class_ is None else class_.names.get(target.name)
        node = None if symbol is None else symbol.node
    if not isinstance(node, Var) or not node.is_inferred or node.is_final:
        return None
    return None if node.explicit_self_type else node


def _is_member(statement: AssignmentStmt) -> bool:
    """Whether an assignment is to an attribute, or declares one in the body of a class."""
    node = statement.lvalues[0].node if isinstance(statement.lvalues[0], NameExpr) else None
    return not isinstance(node, Var) or bool(node.info)


def _is_own(target: Expression) -> TypeGuard[MemberExpr]:
    """Whether an expression is an attribute of `self`."""
    owner = target.expr if isinstance(target, MemberExpr) else None
    return isinstance(owner, NameExpr) and isinstance(owner.node, Var) and owner.node.is_self


# Assignments


def _blocks(
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
                yield from _blocks(child, class_, function)


_parts_of: Final[dict[type[Node], list[str]]] = {}


def _assigned(compound: Statement) -> Iterator[NameExpr]:
    """A use of each name that the statements inside another one assign."""
    names = (
        target
        for block, *_ in _blocks(compound)
        for statement in block
        for target, _ in _targets(statement)
        if isinstance(target, NameExpr)
    )
    yield from {name.node: name for name in names}.values()


def _adds(compound: Statement) -> bool:
    """Whether a statement inside another one adds to a container."""
    return any(True for block, *_ in _blocks(compound) for statement in block for _ in _changed(statement))


def _key(target: NameExpr | MemberExpr, class_: ClassDef | None) -> Hashable:
    """The same for all targets that are one variable."""
    return target.node if isinstance(target, NameExpr) else (class_, target.name)


def _attributes_of_others(statement: Statement) -> Iterator[str]:
    """The names of the attributes that a statement assigns to other objects than `self`."""
    lvalues = statement.lvalues if isinstance(statement, AssignmentStmt) else ()
    for lvalue in lvalues:
        for target in lvalue.items if isinstance(lvalue, (TupleExpr, ListExpr)) else [lvalue]:
            if isinstance(target, MemberExpr) and not _is_own(target):
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
        if isinstance(each, NameExpr) or _is_own(each):
            yield each


def _whole(container: Expression) -> Expression:
    """The outermost container: `d` of `d["a"]`."""
    return _whole(container.base) if isinstance(container, IndexExpr) else container


def _wholes(changed: Iterable[Hashable], by_variable: Mapping[Hashable, Sequence[_Assignment]]) -> set[Hashable]:
    """The containers a part of which has a name that a statement adds to: `d` where `inner = d["a"]`."""
    result, left = set[Hashable](), list(changed)
    while left:
        for assignment in by_variable.get(left.pop(), ()):
            whole = _whole_of(assignment)
            if whole is not None and whole not in result:
                result.add(whole)
                left.append(whole)
    return result


def _whole_of(assignment: _Assignment) -> SymbolNode | None:
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


def _pairs(target: Expression, value: Expression | None) -> Iterator[tuple[NameExpr | MemberExpr, Expression | None]]:
    """The names in a target, each with its part of the value; `c, h = zeros, ones` is two assignments."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, Var):
            yield target, value
    elif _is_own(target):
        yield target, value
    elif isinstance(target, (TupleExpr, ListExpr)):
        parts = value.items if _is_plain(target) and _is_plain(value) and len(target.items) == len(value.items) else ()
        for position, each in enumerate(target.items):
            yield from _pairs(each, parts[position] if parts else None)
    elif isinstance(target, StarExpr):
        yield from _pairs(target.expr, None)


def _is_plain(expr: Expression | None) -> TypeGuard[TupleExpr | ListExpr]:
    """Whether an expression is a tuple or list display without starred items."""
    return isinstance(expr, (TupleExpr, ListExpr)) and not any(isinstance(item, StarExpr) for item in expr.items)
