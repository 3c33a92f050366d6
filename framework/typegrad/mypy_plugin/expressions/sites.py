"""The places in a statement to look at, because mypy has no hook for them: truth values, operators, displays, names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, field, fields
from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    FloatExpr,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    IntExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MatchStmt,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    ReturnStmt,
    SetComprehension,
    SetExpr,
    StarExpr,
    Statement,
    StrExpr,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.types import AnyType, CallableType, get_proper_type

from typegrad.base.types import TBool
from typegrad.mypy_plugin.arguments.equalities import is_equality
from typegrad.mypy_plugin.arrays.numpy_rules import REDUCTIONS
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.operands import OP, OPERAND
from typegrad.mypy_plugin.base.syntax import expressions_of, made_class, nodes_of
from typegrad.mypy_plugin.expressions.displays import (
    Display,
    Operands,
    is_display,
    may_be_operands,
)
from typegrad.mypy_plugin.expressions.refusals import (
    LOGICAL,
    METHODS,
    Change,
    Loop,
    makes_operation,
)
from typegrad.mypy_plugin.expressions.refused_calls import is_asked
from typegrad.mypy_plugin.expressions.sums import Sum, is_sum
from typegrad.mypy_plugin.expressions.unknown_names import (
    is_called_module,
    may_be_graph,
    may_lack,
)

__all__ = ["Sites", "is_order", "makes_bools", "may_be_any", "sites_of"]

_BOOL: Final = "builtins.bool"
_NONE: Final = "builtins.None"
_ASKING: Final = frozenset({"builtins.all", "builtins.any"})
_CHOOSING: Final = frozenset(
    {"builtins.filter", *(f"itertools.{name}" for name in ("dropwhile", "filterfalse", "takewhile"))}
)
"""The functions whose first argument chooses among items by its truth value."""
_ISINSTANCE: Final = "builtins.isinstance"
_PARTS: Final[dict[type[Expression], tuple[str, ...]]] = {
    CallExpr: ("callee", "args"),
    ComparisonExpr: ("operands",),
    ConditionalExpr: ("cond", "if_expr", "else_expr"),
    DictExpr: ("items",),
    IndexExpr: ("base", "index"),
    ListExpr: ("items",),
    MemberExpr: ("expr",),
    OpExpr: ("left", "right"),
    SetExpr: ("items",),
    StarExpr: ("expr",),
    TupleExpr: ("items",),
    UnaryExpr: ("expr",),
}
"""The expressions inside an expression."""
_COMPREHENSIONS: Final = (DictionaryComprehension, GeneratorExpr, ListComprehension, SetComprehension)
_LEAVES: Final = frozenset({FloatExpr, IntExpr, NameExpr, StrExpr})
_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_MANY_OPERATORS: Final = 200
_OF_DICTS: Final = frozenset({"get", "pop", "setdefault"})
"""The methods of dicts that return a value, or what the call states in its place."""


@define
class Sites:
    """The places in a statement to look at: where a truth value is asked for, and arithmetic, innermost first."""

    truths: list[Expression] = field(factory=list)
    later_truths: list[Expression] = field(factory=list)
    """Those with names that have a type once mypy has checked the statement."""
    asked_items: list[Expression] = field(factory=list)
    """What a function goes through to ask each item for its truth value."""
    arithmetic: list[OpExpr] = field(factory=list)
    interpolated: list[OpExpr] = field(factory=list)
    """Texts with the values that they show: `"%.3f" % loss`."""
    logical: list[OpExpr] = field(factory=list)
    orders: list[ComparisonExpr] = field(factory=list)
    equalities: list[OpExpr] = field(factory=list)
    """The operators beside a comparison by `==`."""
    unary: list[UnaryExpr] = field(factory=list)
    calls: list[CallExpr] = field(factory=list)
    entered: list[WithStmt] = field(factory=list)
    loops: list[Loop] = field(factory=list)
    of_known_type: list[Expression] = field(factory=list)
    """What `isinstance` is asked about."""
    displays: list[Display] = field(factory=list)
    operands: list[Operands] = field(factory=list)
    """The displays of operands that a name is bound to, or that a loop goes through."""
    sums: list[Sum] = field(factory=list)
    indexed: list[IndexExpr] = field(factory=list)
    """Items at an index that has a name, or is made there."""
    assigned_items: list[IndexExpr] = field(factory=list)
    changes: list[Change] = field(factory=list)
    """What may change an array."""
    members: list[MemberExpr] = field(factory=list)
    called_modules: list[CallExpr] = field(factory=list)
    comprehensions: list[GeneratorExpr] = field(factory=list)
    returned: list[DictExpr] = field(factory=list)
    """The dicts that a `return` makes, which may be feeds."""
    narrowed: list[Expression] = field(factory=list)
    """Those in a part of an expression where a condition may have narrowed the types of names."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return any(getattr(self, name) for name in _LISTS)

    def read(self, expr: Expression, *, is_narrowed: bool = False) -> None:
        """Add the places in an expression. Names inside a lambda or a comprehension have no type yet."""
        if type(expr) in _LEAVES:
            return
        if isinstance(expr, _COMPREHENSIONS):
            self._read_comprehension(expr, is_narrowed=is_narrowed)
            return
        if isinstance(expr, LambdaExpr):
            self._read_later([each for statement in expr.body.body for each in expressions_of(statement)])
            return
        if isinstance(expr, CallExpr) and isinstance(expr.analyzed, DictExpr):  # `dict(a=x)`, to mypy `{"a": x}`
            expr = expr.analyzed
        for name in _PARTS.get(type(expr), ()):
            for each in _flat(getattr(expr, name)):
                self.read(each, is_narrowed=is_narrowed or _is_on_condition(expr, name))
        if is_narrowed:
            self.narrowed.append(expr)
        if is_display(expr):
            self.displays.append(expr)
        if isinstance(expr, OpExpr):
            self._read_operator(expr)
        elif isinstance(expr, ComparisonExpr) and is_order(expr):
            self.orders.append(expr)
            self.ask_all(expr)
        elif isinstance(expr, UnaryExpr) and expr.op == "not":
            self.ask(expr.expr)
        elif isinstance(expr, UnaryExpr):
            if isinstance(expr.expr, (NameExpr, MemberExpr)) or is_order(expr.expr) or makes_operation(expr.expr):
                self.unary.append(expr)
        elif isinstance(expr, ConditionalExpr):
            self.ask(expr.cond)
        elif isinstance(expr, CallExpr):
            self._read_call(expr)
        elif isinstance(expr, IndexExpr):
            if isinstance(expr.index, (MemberExpr, NameExpr)) or makes_operation(expr.index):
                self.indexed.append(expr)
        elif isinstance(expr, MemberExpr) and may_lack(expr):
            self.members.append(expr)

    def _read_operator(self, expr: OpExpr) -> None:
        sides = expr.left, expr.right
        if expr.op == "%" and isinstance(expr.left, StrExpr):
            self.interpolated.append(expr)
        if expr.op in ("and", "or"):
            self.ask(expr.left)
        elif _is_long(expr):
            return
        elif expr.op in (*METHODS, *LOGICAL) and any(map(is_equality, sides)):
            self.equalities.append(expr)
        elif expr.op in METHODS and any(map(may_be_any, sides)):
            self.arithmetic.append(expr)
        elif expr.op in LOGICAL and any(map(_is_value, sides)):
            self.logical.append(expr)

    def _read_call(self, expr: CallExpr) -> None:
        function = expr.callee.fullname if isinstance(expr.callee, NameExpr) else ""
        chooser = expr.args[0] if function in _CHOOSING and len(expr.args) == 2 else None
        if isinstance(chooser, LambdaExpr):
            self._read_later((), [chooser.expr()])
        is_plain_filter = isinstance(chooser, NameExpr) and chooser.fullname == _NONE
        if is_plain_filter or (function in _ASKING and len(expr.args) == 1):
            self.asked_items.append(expr.args[-1])
        if isinstance(expr.callee, NameExpr) and expr.callee.fullname == _BOOL:
            for argument in expr.args:
                self.ask(argument)
        elif isinstance(expr.callee, NameExpr) and expr.callee.fullname == _ISINSTANCE and expr.args:
            self.of_known_type.append(expr.args[0])
        elif is_asked(expr):
            self.calls.append(expr)
        elif is_called_module(expr):
            self.called_modules.append(expr)

    def _read_comprehension(self, expr: Expression, *, is_narrowed: bool) -> None:
        """Add what is iterated first, which names outside tell, and merged dicts.

        Of what it makes, these are enough: `[session.run(y, {**feeds, x: value}) for value in values]`.
        """
        self.displays += [each for each in nodes_of(expr) if isinstance(each, DictExpr) and is_display(each)]
        generator = expr.generator if isinstance(expr, (ListComprehension, SetComprehension)) else expr
        if isinstance(generator, (DictionaryComprehension, GeneratorExpr)):
            conditions = [each for conditions in generator.condlists for each in conditions]
            values = [generator.value] if isinstance(generator, DictionaryComprehension) else [generator.left_expr]
            self._read_later([*values, *generator.sequences[1:]], conditions)
        if isinstance(generator, GeneratorExpr) and isinstance(generator.left_expr, OpExpr):
            self.comprehensions.append(generator)
        if isinstance(generator, (DictionaryComprehension, GeneratorExpr)):
            self.operands += [each for each in generator.sequences[:1] if may_be_operands(each)]
        if isinstance(generator, (DictionaryComprehension, GeneratorExpr)) and not is_narrowed:
            iterated = Sites()
            iterated.read(generator.sequences[0])
            self.loops += [*iterated.loops, generator]
            self.calls += iterated.calls
            self.displays += [each for each in iterated.displays if each not in self.displays]

    def _read_later(self, exprs: Iterable[Expression], conditions: Iterable[Expression] = ()) -> None:
        """Add the truth values that are asked for where names have no type yet."""
        inner = Sites()
        for expr in (*exprs, *conditions):
            inner.read(expr)
        for condition in conditions:
            inner.ask(condition)
        self.later_truths += [*inner.truths, *inner.later_truths]
        self.asked_items += inner.asked_items

    def ask(self, expr: Expression) -> None:
        """Add an expression whose truth value is asked for."""
        is_comparison = is_order(expr) or is_equality(expr)
        if is_comparison or isinstance(expr, (NameExpr, MemberExpr, CallExpr, IndexExpr)) or _is_arithmetic(expr):
            self.truths.append(expr)
        elif isinstance(expr, OpExpr):
            self.ask(expr.right)

    def ask_all(self, chain: ComparisonExpr) -> None:
        """Add all but the last comparison of a chain: `0 < x < 1` is `0 < x and x < 1`."""
        for position, operator in enumerate(chain.operators[:-1]):
            part = ComparisonExpr([operator], chain.operands[position : position + 2])
            part.set_line(chain)
            self.truths.append(part)


_LISTS: Final = tuple(each.name for each in fields(Sites))


def _flat(part: object) -> Iterator[Expression]:
    """The expressions in a part of one: itself, a list, or the pairs of a dict."""
    if isinstance(part, Expression):
        yield part
    elif isinstance(part, (list, tuple)):
        for each in part:
            yield from _flat(each)


def _is_on_condition(expr: Expression, part: str) -> bool:
    """Whether a part of an expression is evaluated on a condition, which narrows types."""
    if isinstance(expr, OpExpr):
        return expr.op in ("and", "or") and part == "right"
    return isinstance(expr, ConditionalExpr) and part != "cond"


def is_order(expr: Expression) -> bool:
    """Whether an expression is a comparison by `<`, for instance, or a chain of them."""
    return isinstance(expr, ComparisonExpr) and set(expr.operators) <= _ORDER


def _is_value(expr: Expression) -> bool:
    """Whether an expression is an attribute or the name of a variable, of which types are known at once."""
    return isinstance(expr, MemberExpr) or (isinstance(expr, NameExpr) and isinstance(expr.node, Var))


def _is_long(expr: Expression) -> bool:
    """Whether an expression has very many operators. What is asked of each takes a walk through its operands."""
    operators = 0
    while isinstance(expr, OpExpr) and operators < _MANY_OPERATORS:
        expr, operators = expr.left, operators + 1
    return operators == _MANY_OPERATORS


def _is_arithmetic(expr: Expression) -> bool:
    return isinstance(expr, OpExpr) and expr.op in METHODS


def _returns_any(function: SymbolNode | None) -> bool:
    if not isinstance(function, FuncDef):
        return False
    type_ = get_proper_type(function.type)
    return type_ is None or (isinstance(type_, CallableType) and isinstance(get_proper_type(type_.ret_type), AnyType))


def makes_bools(expr: Expression) -> bool:
    """Whether an expression creates an operation whose result is always of bools."""
    info = made_class(expr)
    bases = [] if info is None else [base for base in info.bases if base.type.has_base(OPERAND)]
    return bool(bases) and leaf_of(bases[0].args[0]) is TBool


def _makes_no_operand(expr: Expression) -> bool:
    """Whether an expression creates an operation that does not have exactly one output."""
    info = made_class(expr)
    return info is not None and info.has_base(OP)


def may_be_any(expr: Expression) -> bool:
    """Whether an expression may well be `Any` beside an operand, or an operand without this operator."""
    if isinstance(expr, OpExpr):
        return expr.op == "**" or may_be_any(expr.left) or may_be_any(expr.right)
    if isinstance(expr, UnaryExpr):
        return may_be_any(expr.expr)
    if isinstance(expr, CallExpr):
        callee = expr.callee
        if makes_bools(expr) or _makes_no_operand(expr):
            return True
        if isinstance(callee, MemberExpr) and isinstance(callee.expr, (CallExpr, IndexExpr, OpExpr)):
            return may_be_any(callee.expr)
        is_numpys = isinstance(callee, MemberExpr) and (
            callee.fullname.startswith("numpy.") or callee.name in REDUCTIONS
        )
        is_value = isinstance(callee, MemberExpr) and callee.name in _OF_DICTS
        return is_numpys or is_value or (isinstance(callee, RefExpr) and _returns_any(callee.node))
    return is_order(expr) or isinstance(expr, (NameExpr, MemberExpr, IndexExpr))


def sites_of(statement: Statement) -> Sites:
    """The places to look at in a statement, without the statements inside it."""
    sites = Sites()
    for expr in expressions_of(statement):
        sites.read(expr)
    if isinstance(statement, (IfStmt, WhileStmt, AssertStmt)):
        sites.ask(statement.expr[0] if isinstance(statement, IfStmt) else statement.expr)
    if isinstance(statement, MatchStmt):
        sites._read_later((), [each for each in statement.guards if each is not None])
    if isinstance(statement, WithStmt) and may_be_graph(statement):
        sites.entered.append(statement)
    if is_sum(statement):
        sites.sums.append(statement)
    made = statement.expr if isinstance(statement, ForStmt) else None
    made = statement.rvalue if isinstance(statement, AssignmentStmt) and not statement.unanalyzed_type else made
    if made is not None and may_be_operands(made):
        sites.operands.append(made)
    if isinstance(statement, ForStmt) or (isinstance(statement, AssignmentStmt) and _is_unpacked(statement)):
        sites.loops.append(statement)
    if isinstance(statement, ReturnStmt) and isinstance(statement.expr, DictExpr):
        sites.returned.append(statement.expr)
    targets = statement.lvalues if isinstance(statement, AssignmentStmt) else []
    targets = [statement.lvalue] if isinstance(statement, OperatorAssignmentStmt) else targets
    sites.assigned_items += [target for target in targets if isinstance(target, IndexExpr)]
    is_item = isinstance(statement, AssignmentStmt) and isinstance(targets[-1], IndexExpr)
    if isinstance(statement, OperatorAssignmentStmt) or (isinstance(statement, AssignmentStmt) and is_item):
        sites.changes.append(statement)
    return sites


def _is_unpacked(statement: AssignmentStmt) -> bool:
    """Whether the parts of a name, an attribute or a new operation are assigned to several names."""
    parts = isinstance(statement.lvalues[-1], (ListExpr, TupleExpr))
    value = statement.rvalue
    return parts and (makes_operation(value) or isinstance(value, (IndexExpr, MemberExpr, NameExpr)))
