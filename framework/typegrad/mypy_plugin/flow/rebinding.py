"""Variables and attributes that are assigned several times: `h = x`, then `h = relu(h @ w)`.

mypy infers the type of a variable from its first value. With a class for each operation and with exact shapes, the
second assignment would be an error although the program is right. After each assignment to a name that is assigned
again, the variable therefore gets the type of an operand of any operation and any shape, and mypy narrows it to the
exact type, as it does for variables of a union type.

mypy has no hook for assignments. Once the names of a file are resolved, the plugin adds a statement after each of these
assignments: `"".__sizeof__()`, which no program contains and for whose call there is a hook.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, TypeGuard, cast

from mypy.literals import literal_hash
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Expression,
    ExpressionStmt,
    ForStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    RaiseStmt,
    Statement,
    StrExpr,
    TupleExpr,
    Var,
    WhileStmt,
)
from mypy.plugin import AnalyzeTypeContext, CheckerPluginInterface, MethodContext
from mypy.semanal import SemanticAnalyzer
from mypy.subtypes import is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    PartialType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UninhabitedType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.arrays.conversion import is_number
from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.memory import Memory, is_rechecking
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, base_of, union_items
from typegrad.mypy_plugin.base.reporting import is_refused, is_silent
from typegrad.mypy_plugin.base.syntax import is_own_attribute, is_plain, runs_through
from typegrad.mypy_plugin.calls.counts import check_unpacking, miscounted, narrow_outputs, unpacks
from typegrad.mypy_plugin.calls.declared_records import narrow_declared_record
from typegrad.mypy_plugin.expressions.inspection import inspect
from typegrad.mypy_plugin.expressions.sites import Sites, sites_of
from typegrad.mypy_plugin.expressions.sums import Sum, adds_operand, target_of
from typegrad.mypy_plugin.flow.assignments import (
    COMPOUND,
    Assignment,
    adds,
    assigned,
    at_once,
    blocks,
    bound_elsewhere,
    rebound,
    takes_its_targets,
)
from typegrad.mypy_plugin.flow.conditions import begin, bodies_of, end, leaves_open, outcome_behind
from typegrad.mypy_plugin.flow.end_of_file import check_whole
from typegrad.mypy_plugin.flow.loops import begin_pass, end_pass, forget_pass, settle_made, types_after
from typegrad.mypy_plugin.flow.refused_values import MayBeNone, narrow_refused, optionals_in
from typegrad.mypy_plugin.programs.followed import foresee
from typegrad.mypy_plugin.reports.whole_file import is_whole, schedule, written_functions
from typegrad.mypy_plugin.types.array_types import dtype_of, type_of_dtype
from typegrad.mypy_plugin.types.joins import merge
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.symbols import any_tuple, class_info
from typegrad.mypy_plugin.types.widening import (
    CONTAINERS,
    holds_operands,
    narrow_declared,
    narrowed,
    of_any_shape,
    of_any_value,
    of_its_rank,
    of_no_function,
    of_no_variable,
    widened,
)
from typegrad.mypy_plugin.values.exact import assigned_type
from typegrad.mypy_plugin.values.iterables import unpacked
from typegrad.mypy_plugin.values.objects import is_container
from typegrad.mypy_plugin.values.reading import bindings_of

__all__ = ["REBOUND", "prepare", "preparing_hook", "rebound_hook", "redeclare", "variable_of"]

REBOUND: Final = "builtins.str.__sizeof__"
"""The method that the added statements call."""
_METHOD: Final = REBOUND.rpartition(".")[2]
_LAST: Final = 10**6
"""A priority behind everything that mypy itself does once the names are resolved."""


_marks: Final = Memory[Context, list[Assignment]]()
_declared: Final = Memory[Context, AssignmentStmt]()
"""The declarations of names with a value, by the mark behind each."""
_merged: Final = Memory[Context, tuple[Statement, list[NameExpr]]]()
"""The loop or branch before each mark, and the names that it assigns."""
_bodies: Final = Memory[Context, Statement]()
"""The loop at the beginning of whose body each mark is."""
_begun: Final = Memory[Context, tuple[ForStmt, list[NameExpr]]]()
_ended: Final = Memory[Context, tuple[ForStmt, list[NameExpr]]]()
"""The loops of one statement after the other, by the marks at both ends of their bodies, with the same names."""
_asked: Final = Memory[Context, Statement]()
"""The statement behind each mark that may assign names by `:=`."""
_answered: Final = Memory[Context, tuple[Statement, bool | None, bool]]()
"""Such a statement before each mark, the truth value of its expression, and whether the mark is behind it."""
_unpacked: Final = Memory[Context, AssignmentStmt]()
_optional: Final = Memory[Context, MayBeNone]()
"""The assignment before each mark to what may be None."""
_inspected: Final = Memory[Context, Sites]()
_asked_later: Final = Memory[MypyFile, list[Sites]]()
"""The places that are looked at when the whole file is checked."""
_prepared: Final = Memory[MypyFile, bool]()
_checked: Final[list[int]] = []
"""The identities of statements that are checked while statements are added."""
_ends: Final = Memory[MypyFile, CallExpr]()
"""The last added statement of each file."""


# The added statements


def preparing_hook(ctx: AnalyzeTypeContext) -> Type:
    """Analyze a type as mypy does, and see to it that its file is prepared before mypy checks it."""
    analyzer = cast("Any", ctx.api).api
    tree = analyzer.cur_mod_node if isinstance(analyzer, SemanticAnalyzer) else None
    if tree is not None and tree not in _prepared and _is_users(tree):
        _prepared[tree] = False
        analyzer.schedule_patch(_LAST, lambda: _prepare(tree))
    return ctx.api.analyze_type(ctx.type)


def prepare(api: CheckerPluginInterface, call: Context) -> None:
    """Add the statements to the file that is checked, but not before those with `call` in them, which mypy is at."""
    tree = checker_of(api).tree
    if tree not in _prepared and _is_users(tree) and not is_silent(api):
        _checked[:] = [id(each) for block, *_ in blocks(tree) for each in block if each.line <= call.line <= _end(each)]
        _prepare(tree)
        _checked.clear()
    schedule(api, _ends.get(tree))


def _is_users(tree: MypyFile) -> bool:
    """Whether a file is no stub, and none of the package, whose functions do not assign one name several operations."""
    return not (tree.is_stub or tree.fullname.startswith(OWN))


def _end(statement: Statement) -> int:
    return statement.end_line or statement.line


def _prepare(tree: MypyFile) -> None:
    """Add the statements of a file at which hooks run, and note what each of them is for."""
    _prepared[tree] = True
    statements = [(statement, block) for block, *_ in blocks(tree) for statement in block]
    elsewhere = bound_elsewhere(tree)
    for statement, _ in statements:
        if isinstance(statement, AssignmentStmt) and takes_its_targets(statement):
            statement.rvalue = at_once(statement.rvalue)
    inspected = [(statement, block, sites) for statement, block in statements if (sites := sites_of(statement))]
    for each in rebound(tree):
        place = each.block.index(each.statement) + 1 if each.statement in each.block else 0
        _marks.setdefault(_mark(each.statement, each.block, place), []).append(each)
    for statement, block in statements:
        if isinstance(statement, COMPOUND):
            _mark_compound(statement, block)
    for statement, block in statements:
        if isinstance(statement, AssignmentStmt) and statement.unanalyzed_type and _is_local(statement, elsewhere):
            _declared[_mark(statement, block, block.index(statement) + 1)] = statement
    for statement, block in statements:
        if isinstance(statement, AssignmentStmt) and (unpacks(statement) or _starred(statement)):
            _unpacked[_mark(statement, block, block.index(statement) + 1)] = statement
    for block, optional in list(optionals_in(tree)):
        _optional[_mark(optional[0], block, block.index(optional[0]) + 1)] = optional
    for statement, block in statements:
        if leaves_open(statement):
            _mark_condition(statement, block)
    _asked_later[tree] = [sites for *_, sites in inspected if sites.later_truths or sites.asked_items]
    for statement, block, sites in inspected:
        _inspected[_mark(statement, block, block.index(statement))] = sites
    for function in list(written_functions(tree)):
        body = function.body.body
        _mark(body[0], body, 0)  # at which the file is asked for as a whole, once functions are checked
    if tree.defs:
        last = tree.defs[-1]
        _ends[tree] = _mark(last, tree.defs, len(tree.defs) - isinstance(last, RaiseStmt))


def _mark_compound(compound: Statement, block: list[Statement]) -> None:
    """Add statements behind a loop or branch, and at both ends of the body of a loop without branches."""
    names = list(assigned(compound))
    _merged[_mark(compound, block, block.index(compound) + 1)] = compound, names
    if isinstance(compound, (ForStmt, WhileStmt)) and names:  # mypy may check it again, with other types
        _bodies[_mark(compound.body.body[0], compound.body.body, 0)] = compound
    if isinstance(compound, ForStmt) and runs_through(compound) and (names or adds(compound)):
        body = compound.body.body
        _begun[_mark(body[0], body, 0)] = compound, names
        _ended[_mark(body[-1], body, len(body))] = compound, names


def _mark_condition(statement: Statement, block: list[Statement]) -> None:
    """Add statements around one whose expressions may assign a name or not, and at the beginning of its blocks."""
    _asked[_mark(statement, block, block.index(statement))] = statement
    for body, outcome in bodies_of(statement):
        _answered[_mark(body.body[0], body.body, 0)] = statement, outcome, False
    _answered[_mark(statement, block, block.index(statement) + 1)] = statement, outcome_behind(statement), True


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
    if not any(id(each) in _checked for each in block[place:]):  # which mypy would check twice
        block.insert(place, added)
    return call


def _is_mark(expr: Expression) -> TypeGuard[CallExpr]:
    return isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name == _METHOD


def rebound_hook(ctx: MethodContext) -> Type:
    """Check the assignment before an added statement, and the statement after it."""
    tree = checker_of(ctx.api).tree
    if checker_of(ctx.api).binder.is_unreachable():
        return UninhabitedType()  # which mypy does not report as unreachable
    if ctx.context in _merged:
        compound, names = _merged[ctx.context]
        settle_made(ctx.api, compound)
        merge(ctx.api, names, types_after(compound))
    if ctx.context in _answered:
        statement, outcome, is_behind = _answered[ctx.context]
        end(ctx.api, statement, outcome, is_behind=is_behind)
    if ctx.context in _declared:
        narrow_declared(ctx.api, _declared[ctx.context])
        narrow_declared_record(ctx.api, _declared[ctx.context])
    if ctx.context in _optional:
        narrow_refused(ctx.api, _optional[ctx.context])
    if ctx.context in _unpacked:
        _unpack(ctx.api, _unpacked[ctx.context])
    for each in _marks.get(ctx.context, ()):
        _redeclare_assigned(ctx.api, each)
    if ctx.context in _bodies:
        forget_pass()
    if ctx.context in _begun:
        begin_pass(ctx.api, *_begun[ctx.context])
    if ctx.context in _ended:
        end_pass(ctx.api, *_ended[ctx.context])
    if ctx.context in _asked:
        begin(ctx.api, _asked[ctx.context])
    for total in _inspected[ctx.context].sums if ctx.context in _inspected else ():
        _widen_total(ctx.api, total)
    # What is refused changes the tree, which must not depend on the arguments of one call.
    if ctx.context in _inspected and not is_rechecking():
        inspect(ctx.api, _inspected[ctx.context])
    if ctx.context is _ends.get(tree):
        foresee(ctx.api)
    if ctx.context is _ends.get(tree) and not is_rechecking() and is_whole(checker_of(ctx.api)):
        check_whole(ctx.api, _asked_later.get(tree, ()))
    return ctx.default_return_type


def _redeclare_assigned(api: CheckerPluginInterface, each: Assignment) -> None:
    """Let the target of an assignment hold other values of the kind next, and its value now."""
    variable = variable_of(api, each.target)
    type_ = None if variable is None else variable.type
    if variable is None or type_ is None or isinstance(get_proper_type(type_), PartialType):
        return
    if each.is_single and any(base_of(type_, kind) is not None for kind in (OPERAND, ARRAY)):
        return  # which keeps its type, whatever is assigned to its items
    if _is_refused(api, each, type_):
        checker_of(api).binder.put(each.target, of_any_shape(type_))  # not that of its last value
        return
    bindings = bindings_of(checker_of(api).tree, each.target)
    is_mutable = each.is_single or _is_mutable(type_)
    may_change = is_mutable and (
        each.has_changed_part or bindings.may_change_elsewhere(variable, each.changes, _is_closed)
    )
    if each.is_single and not (each.changes or may_change):
        return
    current = checker_of(api).binder.get(each.target) or type_
    array, others = _array(api, each.value), _but_arrays(type_)
    if array is not None and len(others) < len(union_items(type_)):
        # mypy keeps the declared dtype in the place of an unknown one.
        any_array, current = array
        type_ = make_simplified_union([*others, any_array])
    anything = AnyType(TypeOfAny.special_form) if each.takes_anything else None
    collects = (each.collects_variables and _is_collection(type_)) or (each.collects_keys and _is_of_values(type_))
    keeps_variables = each.keeps_variables or collects
    wide = anything or (of_its_rank(type_) if each.keeps_rank else None)
    wide = wide or widened(type_, each.value, keeps_variables=keeps_variables)
    is_wide = may_change or each.is_rebound_elsewhere or each.is_repeated
    if isinstance(each.target, MemberExpr):
        wide = of_no_function(wide)
    elif not is_wide:
        wide = of_no_variable(wide)
    if is_rechecking():
        wide = of_any_value(wide)
    redeclare(api, each.target, variable, wide, wide if is_wide else narrowed(api, current, each.value))
    if is_rechecking() and not is_wide:  # else names that are assigned this one get the more exact type, too
        _put_list(api, each)


def _is_refused(api: CheckerPluginInterface, assignment: Assignment, declared: Type) -> bool:
    """Whether mypy refuses an operand as a value of the target, which holds operands of another element type."""
    checker, value = checker_of(api), assignment.value
    if value is None or base_of(declared, OPERAND) is None or not checker.has_type(value):
        return False
    type_ = checker.lookup_type(value)
    is_other = base_of(type_, OPERAND) is not None and not is_subtype(type_, declared)
    return is_other and is_refused(api, assignment.statement)


def _put_list(api: CheckerPluginInterface, assignment: Assignment) -> None:
    """Give a name that is assigned several lists the types of the items that it has from here on."""
    checker, target, value = checker_of(api), assignment.target, assignment.value
    if not isinstance(target, NameExpr) or value is None or assignment.is_single or not checker.has_type(value):
        return
    known = assigned_type(api, target, value, checker.lookup_type(value))
    if is_container(known):
        checker.binder.put(target, known)


def _widen_total(api: CheckerPluginInterface, statement: Sum) -> None:
    """Redeclare a number that an operand is added to next: it may be an operand from then on."""
    total = target_of(statement)
    variable = variable_of(api, total)
    type_ = None if variable is None else variable.type
    if variable is None or type_ is None or not is_number(type_) or not adds_operand(api, statement):
        return
    operand = Instance(class_info(api, OPERAND), [AnyType(TypeOfAny.special_form), any_tuple(api)])
    current = checker_of(api).binder.get(total) or type_
    redeclare(api, total, variable, UnionType([type_, operand]), current)


def _is_collection(type_: Type) -> bool:
    """Whether a value is a container, or None until it is one."""
    return all(
        isinstance(each, TupleType) or (isinstance(each, Instance) and each.type.fullname in CONTAINERS)
        for each in _but_none(type_)
    )


def _is_of_values(type_: Type) -> bool:
    """Whether a value is a dict whose values are no operands, or None until it is one."""
    return all(
        isinstance(each, Instance) and len(each.args) == 2 and not holds_operands(each.args[1])
        for each in _but_none(type_)
    ) and _is_collection(type_)


def _but_none(type_: Type) -> list[ProperType]:
    """The types of a union, without None."""
    return [each for each in union_items(type_) if not isinstance(each, NoneType)]


def _but_arrays(type_: Type) -> list[ProperType]:
    """The types of a union that are no arrays."""
    return [each for each in union_items(type_) if base_of(each, ARRAY) is None]


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
        narrow_outputs(api, statement)
        for name in miscounted(api, statement):  # with another number, the outputs have other shapes
            _open(api, name)
    elif is_rechecking():  # else a more exact type than mypy's could be another name's
        for name, type_ in unpacked(api, starred, statement.rvalue).items():
            checker_of(api).binder.put(name, type_)


def _open(api: CheckerPluginInterface, name: NameExpr) -> None:
    """Forget the shape of what a name holds."""
    variable = variable_of(api, name)
    if variable is not None and variable.type is not None:
        wide = of_any_shape(variable.type)
        redeclare(api, name, variable, wide, wide)


def _starred(statement: AssignmentStmt) -> TupleExpr | None:
    """The target of a statement that unpacks some items into a list."""
    target = statement.lvalues[0] if len(statement.lvalues) == 1 else None
    return target if isinstance(target, TupleExpr) and not is_plain(target) else None


def _array(api: CheckerPluginInterface, value: Expression | None) -> tuple[Type, Type] | None:
    """The type of an array whose dtype mypy does not know, as in `x.astype(name)`, and with the dtype that is known."""
    checker = checker_of(api)
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
    binder = checker_of(api).binder
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
    if is_own_attribute(target):
        class_ = checker_of(api).scope.enclosing_class()
        symbol = None if class_ is None else class_.names.get(target.name)
        node = None if symbol is None else symbol.node
    if not isinstance(node, Var) or not node.is_inferred or node.is_final:
        return None
    return None if node.explicit_self_type else node


def _is_local(statement: AssignmentStmt, elsewhere: Collection[str]) -> bool:
    """Whether an assignment is to a name, which is no attribute and which no function assigns `elsewhere`."""
    node = statement.lvalues[0].node if isinstance(statement.lvalues[0], NameExpr) else None
    return isinstance(node, Var) and not node.info and node.name not in elsewhere
