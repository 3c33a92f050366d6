"""What the plugin looks at in statements although mypy has no hook for it: truth values, and operators.

mypy infers `Any` for `x * scale` where `scale` is `Any`, and takes a truth value that is never returned for the
end of the function. A statement is added before such a statement (`rebinding`); its hook inspects the expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    ExpressionStmt,
    FloatExpr,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    ReturnStmt,
    SetComprehension,
    StarExpr,
    Statement,
    StrExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, CallableType, Instance, NoneType, ProperType, TupleType, UnionType, get_proper_type

from typegrad.base.types import TBool, TIntegral
from typegrad.graph.operators import NO_TRUTH
from typegrad.mypy_plugin.arguments.equalities import is_equality
from typegrad.mypy_plugin.arguments.wrong_runs import OP
from typegrad.mypy_plugin.arguments.wrong_values import may_be_size
from typegrad.mypy_plugin.arrays.feeds import check_returned, source_of
from typegrad.mypy_plugin.arrays.ndarrays import type_of_array
from typegrad.mypy_plugin.arrays.numpy_rules import REDUCTIONS
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import TRUTH
from typegrad.mypy_plugin.base.dtypes import leaf_of, leaves_below, leaves_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import is_refused, report
from typegrad.mypy_plugin.base.syntax import children, nodes_of
from typegrad.mypy_plugin.expressions.displays import (
    Display,
    is_display,
    may_be_operands,
    settle_display,
    settle_operands,
)
from typegrad.mypy_plugin.expressions.optionals import refuse_optional, refuse_optional_parts
from typegrad.mypy_plugin.expressions.refusals import (
    LOGICAL,
    METHODS,
    Loop,
    is_asked,
    makes_operation,
    refuse_call,
    refuse_equalities,
    refuse_item,
    refuse_loop,
    refuse_operator,
    refuse_order,
    refuse_part,
    type_of,
)
from typegrad.mypy_plugin.expressions.sums import Sum, is_sum, settle_sum
from typegrad.mypy_plugin.expressions.unknown_names import (
    is_called_module,
    may_lack,
    refuse_attribute,
    refuse_module_call,
)
from typegrad.mypy_plugin.types.not_operands import is_no_operand
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.scalars import is_fraction, is_scalar

__all__ = ["Sites", "inspect", "sites_of"]

_BOOL: Final = "builtins.bool"
_PARTS: Final[dict[type[Expression], tuple[str, ...]]] = {
    CallExpr: ("callee", "args"),
    ComparisonExpr: ("operands",),
    ConditionalExpr: ("cond", "if_expr", "else_expr"),
    IndexExpr: ("base", "index"),
    ListExpr: ("items",),
    MemberExpr: ("expr",),
    OpExpr: ("left", "right"),
    StarExpr: ("expr",),
    TupleExpr: ("items",),
    UnaryExpr: ("expr",),
}
"""The expressions inside an expression."""
_COMPREHENSIONS: Final = (DictionaryComprehension, GeneratorExpr, ListComprehension, SetComprehension)
_LEAVES: Final = frozenset({FloatExpr, IntExpr, NameExpr, StrExpr})
_INTEGERS: Final = leaves_below(TIntegral)
_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_OF_DICTS: Final = frozenset({"get", "pop", "setdefault"})
"""The methods of dicts that return a value, or what the call states in its place."""


@define
class Sites:
    """The places in a statement to look at: where a truth value is asked for, and arithmetic, innermost first."""

    truths: list[Expression] = field(factory=list)
    arithmetic: list[OpExpr] = field(factory=list)
    logical: list[OpExpr] = field(factory=list)
    orders: list[ComparisonExpr] = field(factory=list)
    equalities: list[OpExpr] = field(factory=list)
    """The operators beside a comparison by `==`."""
    unary: list[UnaryExpr] = field(factory=list)
    calls: list[CallExpr] = field(factory=list)
    loops: list[Loop] = field(factory=list)
    displays: list[Display] = field(factory=list)
    operands: list[DictExpr | ListExpr] = field(factory=list)
    """The displays of operands that a name is bound to, or that a loop goes through."""
    sums: list[Sum] = field(factory=list)
    assigned_items: list[IndexExpr] = field(factory=list)
    members: list[MemberExpr] = field(factory=list)
    called_modules: list[CallExpr] = field(factory=list)
    comprehensions: list[GeneratorExpr] = field(factory=list)
    returned: list[DictExpr] = field(factory=list)
    """The dicts that a `return` makes, which may be feeds."""
    narrowed: list[Expression] = field(factory=list)
    """Those in a part of an expression where a condition may have narrowed the types of names."""

    def __bool__(self) -> bool:
        """Whether there are any."""
        return any(getattr(self, each.name) for each in fields(Sites))

    def read(self, expr: Expression, *, is_narrowed: bool = False) -> None:
        """Add the places in an expression. Names inside a lambda or a comprehension have no type yet."""
        if isinstance(expr, _COMPREHENSIONS):
            self._read_comprehension(expr, is_narrowed=is_narrowed)
            return
        if isinstance(expr, CallExpr) and isinstance(expr.analyzed, DictExpr):  # `dict(a=x)`, to mypy `{"a": x}`
            expr = expr.analyzed
        for name in _PARTS.get(type(expr), ()):
            part = getattr(expr, name)
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, Expression):
                    self.read(each, is_narrowed=is_narrowed or _is_on_condition(expr, name))
        if type(expr) in _LEAVES:
            return
        if is_narrowed:
            self.narrowed.append(expr)
        if is_display(expr):
            self.displays.append(expr)
        if isinstance(expr, OpExpr):
            self._read_operator(expr)
        elif isinstance(expr, ComparisonExpr) and _is_order(expr):
            self.orders.append(expr)
            self.ask_all(expr)
        elif isinstance(expr, UnaryExpr) and expr.op == "not":
            self.ask(expr.expr)
        elif isinstance(expr, UnaryExpr):
            if isinstance(expr.expr, (NameExpr, MemberExpr)) or _is_order(expr.expr) or makes_operation(expr.expr):
                self.unary.append(expr)
        elif isinstance(expr, ConditionalExpr):
            self.ask(expr.cond)
        elif isinstance(expr, CallExpr):
            self._read_call(expr)
        elif isinstance(expr, MemberExpr) and may_lack(expr):
            self.members.append(expr)

    def _read_operator(self, expr: OpExpr) -> None:
        sides = expr.left, expr.right
        if expr.op in ("and", "or"):
            self.ask(expr.left)
        elif expr.op in (*METHODS, *LOGICAL) and any(map(is_equality, sides)):
            self.equalities.append(expr)
        elif expr.op in METHODS and any(map(_may_be_any, sides)):
            self.arithmetic.append(expr)
        elif expr.op in LOGICAL and any(map(_is_value, sides)):
            self.logical.append(expr)

    def _read_call(self, expr: CallExpr) -> None:
        if isinstance(expr.callee, NameExpr) and expr.callee.fullname == _BOOL:
            for argument in expr.args:
                self.ask(argument)
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
        if isinstance(generator, GeneratorExpr) and isinstance(generator.left_expr, OpExpr):
            self.comprehensions.append(generator)
        if isinstance(generator, (DictionaryComprehension, GeneratorExpr)):
            self.operands += [each for each in generator.sequences[:1] if may_be_operands(each)]
        if isinstance(generator, (DictionaryComprehension, GeneratorExpr)) and not is_narrowed:
            iterated = Sites()
            iterated.read(generator.sequences[0])
            self.loops += [*iterated.loops, generator]
            self.calls += iterated.calls

    def ask(self, expr: Expression) -> None:
        """Add an expression whose truth value is asked for."""
        if _is_order(expr) or isinstance(expr, (NameExpr, MemberExpr, CallExpr, IndexExpr)) or _is_arithmetic(expr):
            self.truths.append(expr)
        elif isinstance(expr, OpExpr):
            self.ask(expr.right)

    def ask_all(self, chain: ComparisonExpr) -> None:
        """Add all but the last comparison of a chain: `0 < x < 1` is `0 < x and x < 1`."""
        for position, operator in enumerate(chain.operators[:-1]):
            part = ComparisonExpr([operator], chain.operands[position : position + 2])
            part.set_line(chain)
            self.truths.append(part)


def _is_on_condition(expr: Expression, part: str) -> bool:
    """Whether a part of an expression is evaluated on a condition, which narrows types."""
    if isinstance(expr, OpExpr):
        return expr.op in ("and", "or") and part == "right"
    return isinstance(expr, ConditionalExpr) and part != "cond"


def _is_order(expr: Expression) -> bool:
    return isinstance(expr, ComparisonExpr) and set(expr.operators) <= _ORDER


def _is_value(expr: Expression) -> bool:
    """Whether an expression is an attribute or the name of a variable, of which types are known at once."""
    return isinstance(expr, MemberExpr) or (isinstance(expr, NameExpr) and isinstance(expr.node, Var))


def _is_arithmetic(expr: Expression) -> bool:
    return isinstance(expr, OpExpr) and expr.op in METHODS


def _returns_any(function: SymbolNode | None) -> bool:
    if not isinstance(function, FuncDef):
        return False
    type_ = get_proper_type(function.type)
    return type_ is None or (isinstance(type_, CallableType) and isinstance(get_proper_type(type_.ret_type), AnyType))


def _made_class(expr: Expression) -> TypeInfo | None:
    """The class of the operation that an expression creates, as `math.Equal.create(...)`."""
    class_ = expr.callee.expr if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) else None
    return class_.node if isinstance(class_, RefExpr) and isinstance(class_.node, TypeInfo) else None


def _makes_bools(expr: Expression) -> bool:
    """Whether an expression creates an operation whose result is always of bools."""
    info = _made_class(expr)
    bases = [] if info is None else [base for base in info.bases if base.type.has_base(OPERAND)]
    return bool(bases) and leaf_of(bases[0].args[0]) is TBool


def _makes_no_operand(expr: Expression) -> bool:
    """Whether an expression creates an operation that does not have exactly one output."""
    info = _made_class(expr)
    return info is not None and info.has_base(OP)


def _may_be_any(expr: Expression) -> bool:
    """Whether an expression may well be `Any` beside an operand, or an operand without this operator."""
    if isinstance(expr, OpExpr):
        return expr.op == "**" or _may_be_any(expr.left) or _may_be_any(expr.right)
    if isinstance(expr, UnaryExpr):
        return _may_be_any(expr.expr)
    if isinstance(expr, CallExpr):
        callee = expr.callee
        if _makes_bools(expr) or _makes_no_operand(expr):
            return True
        if isinstance(callee, MemberExpr) and isinstance(callee.expr, (CallExpr, IndexExpr, OpExpr)):
            return _may_be_any(callee.expr)
        is_numpys = isinstance(callee, MemberExpr) and (
            callee.fullname.startswith("numpy.") or callee.name in REDUCTIONS
        )
        is_value = isinstance(callee, MemberExpr) and callee.name in _OF_DICTS
        return is_numpys or is_value or (isinstance(callee, RefExpr) and _returns_any(callee.node))
    return _is_order(expr) or isinstance(expr, (NameExpr, MemberExpr, IndexExpr))


def sites_of(statement: Statement) -> Sites:
    """The places to look at in a statement, without the statements inside it."""
    sites = Sites()
    for expr in _expressions(statement):
        sites.read(expr)
    if isinstance(statement, (IfStmt, WhileStmt, AssertStmt)):
        sites.ask(statement.expr[0] if isinstance(statement, IfStmt) else statement.expr)
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
    return sites


def _is_unpacked(statement: AssignmentStmt) -> bool:
    """Whether the parts of a name, an attribute or a new operation are assigned to several names."""
    parts = isinstance(statement.lvalues[-1], (ListExpr, TupleExpr))
    value = statement.rvalue
    return parts and (makes_operation(value) or isinstance(value, (IndexExpr, MemberExpr, NameExpr)))


def _expressions(statement: Statement) -> Iterator[Expression]:
    if isinstance(statement, (AssignmentStmt, OperatorAssignmentStmt)):
        yield statement.rvalue
    elif isinstance(statement, IfStmt):
        yield statement.expr[0]
    elif isinstance(statement, WithStmt):
        yield from statement.expr
    elif (
        isinstance(statement, (AssertStmt, ExpressionStmt, ForStmt, ReturnStmt, WhileStmt))
        and statement.expr is not None
    ):
        yield statement.expr


def inspect(api: CheckerPluginInterface, sites: Sites) -> None:
    """Look at the places in a statement that mypy checks next."""
    checker = checker_of(api)
    if checker.current_node_deferred:
        return
    for member in sites.members:
        refuse_attribute(api, member)
    for call in sites.called_modules:
        refuse_module_call(api, call)
    for display in sites.displays:
        settle_display(api, display)
    for made in sites.operands:
        settle_operands(api, made)
    for total in sites.sums:
        settle_sum(api, total)
    _refuse_operators(api, sites)
    for call in sites.calls:
        if not _is_of_narrowed_size(sites, call):
            refuse_call(api, call)
    for feeds in sites.returned:
        check_returned(api, feeds)
    for loop in sites.loops:
        refuse_loop(api, loop)
    for item in sites.assigned_items:
        refuse_item(api, item)
    for expr in sites.truths:
        _refuse_truth(api, expr)


def _refuse_operators(api: CheckerPluginInterface, sites: Sites) -> None:
    """Look at arithmetic, at what is logical, and at comparisons of order."""
    operations: list[OpExpr | UnaryExpr] = [*sites.arithmetic, *sites.unary]
    for operation in operations:
        if operation not in sites.narrowed:
            refuse_optional(api, operation)
    for generator in sites.comprehensions:
        refuse_optional_parts(api, generator)
    for each in sites.arithmetic:
        if not _is_of_narrowed_size(sites, each):
            _settle(api, each)
    for each in sites.logical:
        if each not in sites.narrowed:
            _refuse_sides(api, each)
    for each in sites.equalities:
        refuse_equalities(api, each)
    for order in sites.orders:
        if not _is_of_narrowed_size(sites, order):
            refuse_order(api, order)
    for unary in sites.unary:
        operand = base_of(type_of(api, unary.expr), OPERAND)
        if operand is not None:
            refuse_operator(api, unary, operand, "expr")


def _has_bits(expr: Expression) -> bool:
    """Whether a comparison has an operator of bits on a side: `x > 0 & y < 1` is `x > (0 & y) and (0 & y) < 1`."""
    return isinstance(expr, ComparisonExpr) and any(
        isinstance(side, OpExpr) and side.op in LOGICAL for side in expr.operands
    )


def _refuse_truth(api: CheckerPluginInterface, expr: Expression) -> None:
    """Report an operand whose truth value is asked for."""
    if is_no_operand(api, expr) or (_has_bits(expr) and is_refused(api, expr)):
        return
    type_ = type_of(api, expr)
    items = [get_proper_type(item) for item in (type_.items if isinstance(type_, UnionType) else [type_])]
    are_operands = [base_of(item, OPERAND) is not None for item in items if not isinstance(item, NoneType)]
    if are_operands and all(are_operands):
        report(api, TRUTH, f"{source_of(expr)} {NO_TRUTH}", expr)


def _is_of_narrowed_size(sites: Sites, expr: Expression) -> bool:
    """Whether a part is the name of a size, which mypy may know to be an int: `n * 2 if isinstance(n, int) else n`."""
    return expr in sites.narrowed and any(isinstance(each, NameExpr) and may_be_size(each) for each in children(expr))


def _settle(api: CheckerPluginInterface, operation: OpExpr) -> None:
    """Take what is `Any` beside an operand for the array that it is, or else for an operand of the same element type.

    A number is a scalar.
    """
    possible = [side for side in (operation.left, operation.right) if not is_no_operand(api, side)]
    if not possible:
        return
    if refuse_part(api, operation, "left") or refuse_part(api, operation, "right"):
        return
    if _refuse_sides(api, operation):
        return
    if not (_is_suspicious(api, operation.left) or _is_suspicious(api, operation.right)):
        return
    operand = next(filter(None, (base_of(type_of(api, expr), OPERAND) for expr in possible)), None)
    if operand is None or checker_of(api).current_node_deferred:
        return
    for side in ("left", "right"):
        expr: Expression = getattr(operation, side)
        if _is_any(type_of(api, expr)):
            shape = any_tuple(api)
            scalar = TupleType([], shape) if is_scalar(api, expr) else None
            array = type_of_array(api, expr) if scalar is None else None
            if scalar is not None and is_fraction(api, expr):
                array = _beside_integers(api, operand)
            converted = array or operand.copy_modified(args=[operand.args[0], scalar or shape])
            setattr(operation, side, cast_to(expr, converted))


def _refuse_sides(api: CheckerPluginInterface, operation: OpExpr) -> bool:
    """Report an operator that does not exist for the first operand of the two sides, as far as it is known at once."""
    for side in ("left", "right"):
        expr: Expression = getattr(operation, side)
        is_cheap = _is_cheap(expr) or (operation.op == "/" and _is_of_names(expr))
        known = base_of(type_of(api, expr), OPERAND) if is_cheap else None
        if known is not None:
            return refuse_operator(api, operation, known, side)
    return False


def _beside_integers(api: CheckerPluginInterface, operand: Instance) -> Instance | None:
    """The type of a float beside an operand of integers, which takes none."""
    leaves = leaves_of(operand.args[0])
    return api.named_generic_type("builtins.float", []) if leaves is not None and leaves <= _INTEGERS else None


def _is_cheap(expr: Expression) -> bool:
    return isinstance(expr, (NameExpr, MemberExpr)) or _is_order(expr) or _makes_bools(expr)


def _is_of_names(expr: Expression) -> bool:
    """Whether an expression is computed by operators from names and numbers, as `n + 1`."""
    if isinstance(expr, OpExpr):
        return _is_arithmetic(expr) and _is_of_names(expr.left) and _is_of_names(expr.right)
    return isinstance(expr, (IntExpr, MemberExpr, NameExpr))


def _is_suspicious(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is `Any` or is computed from such; not all of it is evaluated to find out."""
    if isinstance(expr, OpExpr):
        return expr.op == "**" or _is_suspicious(api, expr.left) or _is_suspicious(api, expr.right)
    if isinstance(expr, UnaryExpr):
        return _is_suspicious(api, expr.expr)
    if isinstance(expr, IndexExpr) and base_of(type_of(api, expr.base), OPERAND) is not None:
        return False
    is_name = isinstance(expr, (NameExpr, MemberExpr, IndexExpr))
    return _is_any(type_of(api, expr)) if is_name else isinstance(expr, CallExpr) and _may_be_any(expr)


def _is_any(type_: ProperType) -> bool:
    """Whether a type is `Any`, or a union with it."""
    items = map(get_proper_type, type_.items) if isinstance(type_, UnionType) else [type_]
    return any(isinstance(each, AnyType) for each in items)
