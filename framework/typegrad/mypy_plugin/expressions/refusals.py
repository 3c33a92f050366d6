"""What operands do not do, in the words of the error at run time: `n / 2` of integers, `for row in x`, `x[0] = 1.0`.

`refused_calls` reports functions that do not take operands. mypy has no hook for either. What is reported becomes `Any`
in the tree that mypy checks next, so that it reports nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from mypy.erasetype import erase_typevars
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    DictionaryComprehension,
    Expression,
    FloatExpr,
    ForStmt,
    GeneratorExpr,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    OpExpr,
    UnaryExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_subtype
from mypy.types import AnyType, Instance, ProperType, Type, TypeOfAny, get_proper_type

from typegrad.base.shape import SHAPE_AS_VALUE
from typegrad.base.types import TBool, TComplex, TFloating, TIntegral, TString
from typegrad.graph.definition import OpDef, leaves
from typegrad.graph.refusals import NO_FLOOR, NOT_IN_PLACE, REFUSED, no_division, not_iterated
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.equalities import told_equality
from typegrad.mypy_plugin.arguments.sizes import SIZE, UNKNOWN_SIZE, is_size, may_be_size
from typegrad.mypy_plugin.arguments.wrong_operands import operation_of
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.arrays.ndarrays import is_scalar_of_run
from typegrad.mypy_plugin.base.casts import cast_to
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OPERATORS_CLASS, SHAPE_CLASS
from typegrad.mypy_plugin.base.codes import CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.dtypes import InputType, find_problem, leaf_of, leaves_of, type_name
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, OP, OPERAND, base_of, operand_of
from typegrad.mypy_plugin.base.registry import definition_of, made_by
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.calls.counts import LIST_OP
from typegrad.mypy_plugin.calls.shape_items import is_symbolic, settle_sizes
from typegrad.mypy_plugin.types.declared import forms
from typegrad.mypy_plugin.types.not_operands import returns_operand
from typegrad.mypy_plugin.types.symbols import any_tuple, class_info
from typegrad.mypy_plugin.values.static_values import SIZE_OPERATORS

__all__ = [
    "ABS",
    "LOGICAL",
    "METHODS",
    "MIRRORED",
    "NO_ITEMS",
    "ORDERINGS",
    "Change",
    "Loop",
    "any_operand",
    "is_operand",
    "is_shape",
    "is_unknown_size",
    "iteration_refused",
    "makes_operation",
    "refuse_change",
    "refuse_equalities",
    "refuse_index",
    "refuse_item",
    "refuse_loop",
    "refuse_operator",
    "refuse_order",
    "refuse_part",
    "several_outputs",
    "type_of",
]

NO_ITEMS: Final = "is an array without dimensions, which has no items; .item() is its number"
METHODS: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul",
}  # fmt: skip
"""The methods of binary operators, without underscores."""
LOGICAL: Final = {"&": "and", "|": "or", "^": "xor"}
"""Those of the operators of bools and integers."""
ORDERINGS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
"""Those of comparisons."""
MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
ABS: Final = "abs"
_UNARY: Final = {"-": "__neg__", "~": "__invert__", "+": "__pos__", ABS: "__abs__"}
_INDEXED: Final = ("builtins.bytes", "builtins.list", "builtins.range", "builtins.str", "builtins.tuple", ARRAY)
"""What is indexed by integers."""

Change: TypeAlias = "AssignmentStmt | OperatorAssignmentStmt"
"""What may change an array."""
Loop: TypeAlias = "AssignmentStmt | DictionaryComprehension | ForStmt | GeneratorExpr"
"""What goes through the parts of a value."""

_FRACTIONS: Final = leaves(TFloating, TComplex)
_exists: Final = Memory[tuple[str, Type], bool]()
"""Whether an operator exists for an element type, or for all of those that a type variable may be."""


def type_of(api: CheckerPluginInterface, expr: Expression) -> ProperType:
    """The type of an expression that mypy checks next."""
    checker = checker_of(api)
    if isinstance(expr, NameExpr) and isinstance(expr.node, Var):
        known = get_proper_type(checker.binder.get(expr) or expr.node.type)
        if isinstance(known, Instance):
            return known
    with checker.msg.filter_errors():
        return get_proper_type(checker.expr_checker.accept(expr))


def refuse_operator(api: CheckerPluginInterface, operation: OpExpr | UnaryExpr, operand: Instance, side: str) -> bool:
    """Report an operator that does not exist for an operand's element type."""
    is_unary = isinstance(operation, UnaryExpr)
    method = METHODS.get(operation.op) or LOGICAL.get(operation.op) or ORDERINGS.get(operation.op)
    name = _UNARY[operation.op] if is_unary else f"__{'r' if side == 'right' else ''}{method}__"
    expr = getattr(operation, side)
    if name in REFUSED:
        _silenced(api, operation, side, f"{source_of(expr)} {REFUSED[name]}")
        if name == "__pos__" and isinstance(operation, UnaryExpr):  # checked as what has the same type
            operation.op, operation.expr = "-", expr
        return True
    dtype = operand.args[0]
    leaves = leaves_of(dtype)
    if leaves is None:
        return False
    overloads = forms(class_info(api, OPERATORS_CLASS).names[name].type)
    if (name, dtype) not in _exists:
        _exists[name, dtype] = any(is_subtype(operand, erase_typevars(form.arg_types[0])) for form in overloads)
    if _exists[name, dtype]:
        return False
    if isinstance(operation, OpExpr) and operation.op == "/":
        other = operation.left if side == "right" else operation.right
        text = no_division(
            f"{source_of(expr)}, which is {type_name(dtype)}", leaves, by_fraction=_is_fraction(api, other)
        )
        _silenced(api, operation, side, text, is_dtype=True)
        return True
    definition = made_by(name, min(leaves, key=lambda leaf: leaf.name)).op
    own = definition.inputs[-1 if side == "right" else 0]
    problem = find_problem(definition, [InputType(own.name, dtype, own.type)])
    what = f"{source_of(expr)}, which is {type_name(dtype)}"
    text = f"{definition.class_name}: {problem}" if problem else NO_FLOOR.format(what)
    _silenced(api, operation, side, text, is_dtype=True)
    return True


def _is_fraction(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a float, or an operand of floating-point or complex numbers."""
    if isinstance(expr, FloatExpr):
        return True
    type_ = type_of(api, expr)
    operand = base_of(type_, OPERAND)
    leaves = None if operand is None else leaves_of(operand.args[0])
    return leaves <= _FRACTIONS if leaves else base_of(type_, "builtins.float") is not None


def refuse_part(api: CheckerPluginInterface, operation: OpExpr, side: str) -> bool:
    """Report an operation with several outputs, or a size that may be unknown, in arithmetic."""
    expr = getattr(operation, side)
    definition = operation_of(api, expr)
    if _is_list_of_operands(api, operation, side):
        listed = "the list" if source_of(expr) == UNNAMED else source_of(expr)
        remedy = f"write [x {operation.op} ... for x in {listed}]"
        _silenced(api, operation, side, f"{listed} holds operands, and is none itself; {remedy}")
    elif definition is not None:
        what = definition.class_name if source_of(expr) == UNNAMED else source_of(expr)
        _silenced(api, operation, side, f"{what} is not an operand; {named_outputs(definition)}")
    elif operation.op in SIZE_OPERATORS and is_symbolic(api, expr):
        setattr(operation, side, cast_to(expr, Instance(class_info(api, SIZE), [])))
        return False
    elif is_unknown_size(api, expr):
        _silenced(api, operation, side, UNKNOWN_SIZE)
    elif _is_shape_beside_operand(api, operation, side):
        what = "it" if source_of(expr) == UNNAMED else source_of(expr)
        _silenced(api, operation, side, SHAPE_AS_VALUE.format(what))
    else:
        return False
    return True


def _is_shape_beside_operand(api: CheckerPluginInterface, operation: OpExpr, side: str) -> bool:
    """Whether one side is a shape, and the other an operand."""
    expr = getattr(operation, side)
    other = operation.right if side == "left" else operation.left
    return (
        isinstance(expr, (MemberExpr, NameExpr))  # the types of other expressions are asked for at a cost
        and is_shape(api, expr)
        and base_of(type_of(api, other), OPERAND) is not None
    )


def _is_list_of_operands(api: CheckerPluginInterface, operation: OpExpr, side: str) -> bool:
    """Whether one side is a list of operands, and the other a number or an operand, which lists do not take."""
    expr = getattr(operation, side)
    if side != "left" or not isinstance(expr, (IndexExpr, MemberExpr, NameExpr)):
        return False
    listed = base_of(type_of(api, expr), "builtins.list")
    if listed is None or base_of(listed.args[0], OPERAND) is None:
        return False
    other = type_of(api, operation.right)
    return base_of(other, OPERAND) is not None or base_of(other, "builtins.float") is not None


def is_shape(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is the shape of an operand."""
    return base_of(type_of(api, expr), SHAPE_CLASS) is not None


def is_unknown_size(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an expression is a size that may be unknown before the run."""
    return may_be_size(expr) and is_size(type_of(api, expr))


def refuse_equalities(api: CheckerPluginInterface, operation: OpExpr) -> None:
    """Report `x == 1` beside an operand: `(x > 0) & (x == 1)`."""
    for side, other in (("left", operation.right), ("right", operation.left)):
        expr: Expression = getattr(operation, side)
        text = told_equality(api, expr)
        if text and not told_equality(api, other) and base_of(type_of(api, other), OPERAND) is not None:
            report(api, CALL, text, expr)
            setattr(operation, side, cast_to(expr, any_operand(api)))


def refuse_order(api: CheckerPluginInterface, comparison: ComparisonExpr) -> None:
    """Report sizes that may be unknown in comparisons such as `x.shape[0] > 1`, once, and operands without an order."""
    operands = comparison.operands
    wrong = [position for position, expr in enumerate(operands) if is_unknown_size(api, expr)]
    if wrong:
        report(api, CALL, UNKNOWN_SIZE, comparison)
    for position in wrong:
        operands[position] = cast_to(operands[position])
    operator = comparison.operators[0]
    if not wrong and len(operands) == 2 and not _refuse_side(api, comparison, operator, 0):
        _refuse_side(api, comparison, MIRRORED[operator], 1)


def _refuse_side(api: CheckerPluginInterface, comparison: ComparisonExpr, operator: str, position: int) -> bool:
    """Report the operand on one side of a comparison if its element type has no order."""
    operands = comparison.operands
    own = base_of(type_of(api, operands[position]), OPERAND) if is_operand(api, operands[position]) else None
    if own is None:
        return False
    operation = OpExpr(operator, operands[position], operands[1 - position])
    operation.set_line(comparison)
    is_refused = refuse_operator(api, operation, own, "left")
    operands[position], operands[1 - position] = operation.left, operation.right
    return is_refused


def is_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether a name, an attribute, what a function returns, an item of such or what is computed from it is an operand.

    Others cost too much.
    """
    if isinstance(expr, (MemberExpr, NameExpr)) or makes_operation(expr) or returns_operand(expr):
        parts: Sequence[Expression] = ()
    elif isinstance(expr, OpExpr):
        parts = [expr.left, expr.right]
    elif isinstance(expr, ComparisonExpr):
        parts = expr.operands
    elif isinstance(expr, IndexExpr):
        parts = [expr.base]
    elif isinstance(expr, UnaryExpr):
        parts = [expr.expr]
    elif isinstance(expr, CallExpr) and isinstance(expr.callee, NameExpr) and expr.callee.fullname == f"builtins.{ABS}":
        parts = expr.args
    else:
        return False
    if parts and not any(is_operand(api, part) for part in parts):
        return False
    type_ = type_of(api, expr)
    return not isinstance(type_, AnyType) and operand_of(type_) is not None


def iteration_refused(api: CheckerPluginInterface, expr: Expression) -> str:
    """What is said of an operand that is iterated."""
    operand = operand_of(type_of(api, expr))
    is_scalar = operand is not None and operand.static.shape.rank == 0
    return f"{source_of(expr)} {not_iterated(is_scalar=is_scalar)}"


def refuse_loop(api: CheckerPluginInterface, loop: Loop) -> None:
    """Report a loop over an operand or an operation with several outputs, or an assignment of their parts to names."""
    if isinstance(loop, AssignmentStmt) and settle_sizes(api, loop):
        return
    expr = _iterated(loop)
    definition = None if is_operand(api, expr) else several_outputs(api, expr)
    if definition is not None:
        report(api, CALL, f"{definition.class_name} is not an operand; {named_outputs(definition)}", expr)
    elif is_operand(api, expr):
        report(api, CALL, iteration_refused(api, expr), expr)
    elif is_scalar_of_run(api, expr):
        report(api, SHAPE, f"{source_of(expr)} {NO_ITEMS}", expr)
    else:
        return
    anything = cast_to(expr)
    if isinstance(loop, (DictionaryComprehension, GeneratorExpr)):
        loop.sequences[0] = anything
    elif isinstance(loop, ForStmt):
        loop.expr = anything
    else:
        loop.rvalue = anything


def _iterated(loop: Loop) -> Expression:
    """What a loop iterates, first of all."""
    if isinstance(loop, (DictionaryComprehension, GeneratorExpr)):
        return loop.sequences[0]
    return loop.expr if isinstance(loop, ForStmt) else loop.rvalue


def refuse_index(api: CheckerPluginInterface, item: IndexExpr) -> None:
    """Report an operand as the index of a list or an array, which need its value."""
    if is_operand(api, item.index) and any(base_of(type_of(api, item.base), each) for each in _INDEXED):
        text = f"{source_of(item.index)} {REFUSED['__index__']}{_gathered(api, item)}"
        report(api, CALL, text, item)
        item.index = cast_to(item.index)


def _gathered(api: CheckerPluginInterface, item: IndexExpr) -> str:
    """What takes the rows of an array at an operand of integers, after a punctuation mark; "" for other items."""
    index, base = source_of(item.index), source_of(item.base)
    operand = base_of(type_of(api, item.index), OPERAND)
    known = None if operand is None else leaves_of(operand.args[0])
    are_rows = known and known <= leaves(TIntegral) and base_of(type_of(api, item.base), ARRAY) is not None
    is_named = UNNAMED not in (index, base)
    return (
        f"; core.Gather.create(scope, {base}, {index}, 0) takes these rows in the graph"
        if are_rows and is_named
        else ""
    )


def makes_operation(expr: Expression) -> bool:
    """Whether an expression may be a call of `create`."""
    return isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and expr.callee.name == "create"


def several_outputs(api: CheckerPluginInterface, expr: Expression) -> OpDef | None:
    """The definition of an operation with several outputs that is no list of outputs."""
    type_ = type_of(api, expr) if isinstance(expr, NameExpr) or makes_operation(expr) else None
    if type_ is None or base_of(type_, OP) is None or base_of(type_, LIST_OP) is not None:
        return None
    definition = definition_of(api, type_)
    return None if definition is None else definition.op


def refuse_item(api: CheckerPluginInterface, target: IndexExpr) -> None:
    """Report an assignment to an item of an operand or a variable."""
    if is_operand(api, target.base):
        report(api, CALL, f"{source_of(target.base)} {REFUSED['__setitem__']}", target)
        target.base = cast_to(target.base)


def refuse_change(api: CheckerPluginInterface, change: Change) -> None:
    """Report an operand that is to change an array: `array[0] = x`, `array += x`."""
    is_item = isinstance(change, AssignmentStmt)
    target = change.lvalues[-1] if isinstance(change, AssignmentStmt) else change.lvalue
    changed = target.base if isinstance(target, IndexExpr) and is_item else target
    if not isinstance(changed, (MemberExpr, NameExpr)) or base_of(type_of(api, changed), ARRAY) is None:
        return
    if is_operand(api, change.rvalue):
        text = REFUSED["__array__"] if is_item else NOT_IN_PLACE
        report(api, CALL, f"{source_of(change.rvalue)} {text}", change)
        change.rvalue = cast_to(change.rvalue)


def _silenced(
    api: CheckerPluginInterface, operation: OpExpr | UnaryExpr, side: str, text: str, *, is_dtype: bool = False
) -> None:
    report(api, DTYPE if is_dtype else CALL, text, operation)
    if is_dtype and isinstance(operation, OpExpr):
        for each in ("left", "right"):  # of both, so that mypy does not refuse the other
            setattr(operation, each, cast_to(getattr(operation, each), any_operand(api)))
    else:
        setattr(operation, side, cast_to(getattr(operation, side), _silent(api, operation, side, is_dtype=is_dtype)))


def _silent(api: CheckerPluginInterface, operation: OpExpr | UnaryExpr, side: str, *, is_dtype: bool) -> Type:
    """The type of a side that was reported: an operand, unless mypy would report this one, too.

    Of an operation with `Any`, mypy would say that a function returns `Any`.
    """
    anything = AnyType(TypeOfAny.special_form)
    if not isinstance(operation, OpExpr):
        return any_operand(api) if is_dtype else anything
    beside = operand_of(type_of(api, operation.left if side == "right" else operation.right))
    is_refused = beside is not None and leaf_of(beside.dtype) in (TBool, TString)
    is_number = beside is None and may_be_size(getattr(operation, side))
    return anything if is_refused or is_number else any_operand(api)


def any_operand(api: CheckerPluginInterface) -> Instance:
    """The type of an operand of any element type and shape."""
    return Instance(class_info(api, OPERAND), [AnyType(TypeOfAny.special_form), any_tuple(api)])
