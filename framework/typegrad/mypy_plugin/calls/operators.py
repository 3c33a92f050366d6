"""Python operators on operands: `x + y`, `x @ w`, `x[0:2]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen
from mypy.erasetype import erase_typevars
from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    EllipsisExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.subtypes import is_same_type, is_subtype
from mypy.types import Instance, ProperType, TupleType, Type, UnionType, get_proper_type

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.shape import Shape
from typegrad.base.types import TBool, TType
from typegrad.graph import later
from typegrad.graph.indexing import HINTS, INDEXED, check_mask, slice_arguments
from typegrad.graph.refusals import NO_PRODUCT
from typegrad.mypy_plugin.arguments.equalities import told_equality
from typegrad.mypy_plugin.arrays.conversion import is_number
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.base.classes import OPERATORS_CLASS
from typegrad.mypy_plugin.base.codes import CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import shape_type
from typegrad.mypy_plugin.base.dtypes import find_problem, leaf_of, leaves_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import ARRAY, StaticOperand, base_of, operand_of
from typegrad.mypy_plugin.base.registry import Definition, definition_in, made_by
from typegrad.mypy_plugin.base.reporting import accept_operator, of_operator, report, report_anyway
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.base.unions import NONE_FITS
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.calls.operations import Problem, check_operand, own_operand, with_report
from typegrad.mypy_plugin.calls.solved_shapes import alone
from typegrad.mypy_plugin.types.declared import forms, is_accepted, is_relaxed
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.symbols import class_info, short_name
from typegrad.mypy_plugin.values.arguments import Argument
from typegrad.mypy_plugin.values.constants import value_of
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import MISSING, NotStatic

__all__ = ["OPERATORS", "index_hook", "operator_hook"]

_BINARY: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lt", "le", "gt", "ge", "and", "or", "xor",
)  # fmt: skip
_PRODUCTS: Final = ("__matmul__", "__rmatmul__")
_NUMBERS: Final = (FloatExpr, IntExpr)
_REFLECTED: Final = frozenset(f"__r{name}__" for name in _BINARY)
OPERATORS: Final = frozenset(f"__{name}__" for name in (*_BINARY, "neg", "abs", "invert")) | _REFLECTED
"""The methods of operators, except `__getitem__`."""


@frozen
class _Answer:
    """The cached result of an operator of operands. mypy asks for each overload, and for each type that it expects."""

    question: tuple[str, Type, list[list[Type]], Type]
    """The method, the types of the operand and of the others, and what mypy itself takes for the result."""
    type: Type


_answers: Final = Memory[Context, _Answer](per_recheck=True)


def _question(ctx: MethodContext, method: str) -> tuple[str, Type, list[list[Type]], Type]:
    return method, ctx.type, ctx.arg_types, ctx.default_return_type


def operator_hook(ctx: MethodContext, method: str) -> Type:
    """The type of the operation that an operator creates."""
    if operand_of(ctx.type) is None:
        return ctx.default_return_type
    is_tried = isinstance(ctx.context, (ComparisonExpr, OpExpr))
    known = _answers.get(ctx.context)
    if known is not None and known.question == _question(ctx, method):
        if is_tried:
            accept_operator(ctx.api)
        return known.type
    given = [(exprs[0], types[0]) for exprs, types in zip(ctx.args, ctx.arg_types, strict=True) if types]
    # Of a generic call, mypy expects any shape on the right, and solves it so.
    others = [Argument(expr, alone(ctx, expr, type_) if is_open(type_) else type_) for expr, type_ in given]
    args, is_reflected = _sides(ctx, method, others)
    accepted = _accepted(ctx, method)
    if not accepted or _is_the_others(ctx) or (is_reflected and operand_of(others[0].type) is not None):
        return ctx.default_return_type  # without such an operator, or with the other one's: mypy says so
    are_relaxed = all(is_relaxed(ctx.api, each.type) for each in others)
    if is_tried and are_relaxed:
        accept_operator(ctx.api)
    call = _call(ctx, method, args, accepted)
    problem, type_ = check_operand(call, ctx)
    problem = (_by_number(ctx, args) if method in _PRODUCTS else None) or problem
    problem = problem and (_of_equality(ctx.api, args) or problem)
    if problem is None and are_relaxed and _is_the_same_each_time(call):
        _answers[ctx.context] = _Answer(_question(ctx, method), type_)
    else:
        _answers.pop(ctx.context, None)
    if not is_tried:
        return with_report(ctx, problem, type_)
    with of_operator(ctx.api, is_for_all=problem is not None and problem[1].endswith(NONE_FITS)):
        return with_report(ctx, problem, type_)


def _sides(ctx: MethodContext, method: str, others: list[Argument]) -> tuple[list[Argument], bool]:
    """The arguments from left to right, and whether the operand is the one on the right."""
    left = ctx.context.left if isinstance(ctx.context, OpExpr) else None
    only = ctx.context.expr if isinstance(ctx.context, UnaryExpr) else None
    args = [Argument(left or only, _whole(ctx, left)), *others]
    # Older versions of mypy report a reflected method under the name of the other one.
    whole = None if left is None else get_proper_type(expression_type(ctx.api, left))
    is_other = whole is not None and not isinstance(whole, UnionType) and operand_of(whole) is None
    if method not in _REFLECTED and not is_other:
        return args, False
    return [Argument(left, each.type) for each in others] + [Argument(_right(ctx.context), ctx.type)], True


def _is_the_same_each_time(call: Call) -> bool:
    """Whether nothing that a call is checked with may be another one in another pass."""
    are_written = all(isinstance(each.expr, _NUMBERS) for each in call.input_values)
    return are_written and not (call.has_values or call.options)


def _right(operation: Context) -> Expression | None:
    return operation.right if isinstance(operation, OpExpr) else None


def _by_number(ctx: MethodContext, args: Sequence[Argument]) -> tuple[ErrorCode, str] | None:
    """The error of a product of matrices with a number, if it is one."""
    scalars = [_is_scalar(each) for each in args]
    if not any(scalars):
        return None
    sides = (ctx.context.left, ctx.context.right) if isinstance(ctx.context, OpExpr) else (None, None)
    matrix = sides[1] if scalars[0] else sides[0]
    side = "left" if scalars[0] else "right"
    return SHAPE, NO_PRODUCT.format(side, UNNAMED if matrix is None else source_of(matrix))


def _is_scalar(argument: Argument) -> bool:
    operand = operand_of(argument.type)
    shape = None if operand is None else operand.static.shape
    return is_number(argument.type) or (shape is not None and shape.rank == 0)


def _whole(ctx: MethodContext, left: Expression | None) -> Type:
    """The type of the left operand; mypy tries the operator with each of several that a name may have."""
    whole = ctx.type if left is None else expression_type(ctx.api, left)
    return whole if isinstance(get_proper_type(whole), UnionType) and operand_of(whole) is not None else ctx.type


def _is_the_others(ctx: MethodContext) -> bool:
    """Whether this is the reflected method of the right operand, with an operand on the left, too."""
    if not isinstance(ctx.context, OpExpr):
        return False
    left, right = (expression_type(ctx.api, side) for side in (ctx.context.left, ctx.context.right))
    return operand_of(left) is not None and is_same_type(ctx.type, right) and not is_same_type(ctx.type, left)


_accepted_types: Final = Memory[tuple[str, Type], list[Type]]()


def _accepted(ctx: MethodContext, method: str) -> list[Type]:
    """The types of the other operand in the overloads of an operator that accept this one."""
    key = method, ctx.type
    if key not in _accepted_types:
        symbol = class_info(ctx.api, OPERATORS_CLASS).names[method]
        parameters = [form.arg_types for form in forms(symbol.type)]
        _accepted_types[key] = [types[-1] for types in parameters if is_subtype(ctx.type, erase_typevars(types[0]))]
    return _accepted_types[key]


def _definition(method: str, args: Sequence[Argument]) -> Definition:
    """The operation that an operator makes; `NotStatic` if it differs for the possible element types."""
    operands = filter(None, (operand_of(each.type) for each in args))
    leaves = next(filter(None, (leaves_of(operand.dtype) for operand in operands)), {TType})
    definitions = {made_by(method, leaf) for leaf in leaves}
    if len(definitions) > 1:
        raise NotStatic
    return definitions.pop()


def _call(ctx: MethodContext, method: str, args: list[Argument], accepted: Sequence[Type]) -> Call:
    """The operation that an operator makes: of products, a batch of them where there are other ranks than 2."""
    call = _call_of(ctx, _definition(method, args), args, accepted)
    is_settled = method not in _PRODUCTS or call.problem or find_problem(call.definition.op, call.input_types)
    if is_settled or _are_matrices(call):
        return call
    return _call_of(ctx, definition_in(later.train.BatchMatMul), args, accepted)


def _call_of(ctx: MethodContext, definition: Definition, args: list[Argument], accepted: Sequence[Type]) -> Call:
    call = Call(definition, ctx.api, accepted=accepted)
    for input_def, argument in zip(definition.op.inputs, args, strict=True):
        call.take_input(input_def, argument)
    call.take_rest({})
    stated = [name for name in definition.op.types if name not in definition.fixed_types]
    leaf = leaf_of(own_operand(ctx).args[0])
    if leaf is not None and len(stated) == 1:
        call.attrs[stated[0]] = leaf
    return call


def _are_matrices(call: Call) -> bool:
    """Whether the operands of `@` are two matrices; `NotStatic` if it is not known."""
    ranks = [shape.rank if isinstance(shape, Shape) else None for shape in call.shapes.values()]
    if not call.patterns and None in ranks and all(rank in (None, 2) for rank in ranks):
        raise NotStatic
    return all(rank == 2 for rank in ranks)


# Indexing


_SLICE: Final = "builtins.slice"
_INTEGERS: Final = ("builtins.int", "numpy.integer")
_NONE: Final = "builtins.None"
_NO_INDICES: Final = ("builtins.float", "builtins.str")
"""Types that mypy accepts as bounds of a slice."""


@frozen
class _UnknownInteger:
    """An unknown integer in an index, in place of a scalar operand."""

    rank: int = 0

    def as_reference(self) -> _UnknownInteger:
        """What has such a method counts as an operand (`operand_like`)."""
        return self

    def __add__(self, other: int) -> _UnknownInteger:
        return self


def index_hook(ctx: MethodContext) -> Type:
    """The type of `x[...]`."""
    known = _answers.get(ctx.context)
    value = value_of(ctx.api, ctx.context.base) if isinstance(ctx.context, IndexExpr) else None
    if value is None and known is not None and known.question == _question(ctx, "__getitem__"):
        return known.type
    own = operand_of(ctx.type)
    result = get_proper_type(ctx.default_return_type)
    array = array_of(ctx.api, ctx.args[0][0], ctx.arg_types[0][0])
    array = None if array is None or array.may_be_number else array
    wrong = ""
    if array is not None and array.dtype not in (None, "bool"):
        wrong = f"an array of {array.dtype}{HINTS['rows']}"
    elif not is_accepted(ctx.arg_types[0][0], _accepted(ctx, "__getitem__")):
        wrong = _no_index(ctx)
    if wrong:
        report_anyway(ctx.api, DTYPE, f"{INDEXED} {wrong}", ctx.context)
        return result
    if own is None:
        return result
    mask = operand_of(ctx.arg_types[0][0])
    if mask is not None and leaf_of(mask.dtype) is TBool:
        return _selection(ctx, result, own, mask.static.shape)
    if array is not None and array.dtype == "bool":
        return _selection(ctx, result, own, array.shape)
    if (mask is not None and leaves_of(mask.dtype) is None) or base_of(ctx.arg_types[0][0], ARRAY) is not None:
        return result
    return _sliced(ctx, own, value, result)


def _of_equality(api: CheckerPluginInterface, args: Sequence[Argument]) -> Problem | None:
    """The error of `mask * x` where the mask is `y == 1.0`, which asks whether two objects are the same."""
    texts = (told_equality(api, each.expr) for each in args if each.expr is not None)
    return next(((CALL, text) for text in texts if text), None)


def _sliced(ctx: MethodContext, own: StaticOperand, value: Any, result: ProperType) -> Type:
    """The type of a part that integers, slices and None select; `result` where they are not known."""
    definition = definition_in(later.core.StridedSlice)
    try:
        index = slice_arguments(_index(ctx.api, ctx.args[0][0], ctx.arg_types[0][0]))
    except NotStatic:
        return result
    except DTypeError as error:
        report(ctx.api, DTYPE, f"{definition.op.class_name}: {error}", ctx.context)
        return result
    call = Call(definition, ctx.api)
    source, *bounds = definition.op.inputs
    base = ctx.context.base if isinstance(ctx.context, IndexExpr) else None
    call.take_operand(source, own, value, base)
    call.take_options(source.name, None, base, ctx.type)
    for each, elements in zip(bounds, (index.begin, index.end, index.strides), strict=True):
        call.take_value(
            each, tuple(MISSING if isinstance(element, _UnknownInteger) else element for element in elements)
        )
    call.take_rest({})
    call.attrs.update(index.masks)
    problem, type_ = check_operand(call, ctx)
    if problem is None and not (call.has_values or call.options) and _is_written(ctx.args[0][0]):
        _answers[ctx.context] = _Answer(_question(ctx, "__getitem__"), type_)
    return with_report(ctx, problem, type_)


def _is_written(index: Expression) -> bool:
    """Whether an index consists of numbers and None. The value of a name may be another one in another pass."""
    return all(getattr(each, "fullname", _NONE) == _NONE and not isinstance(each, CallExpr) for each in nodes_of(index))


def _no_index(ctx: MethodContext) -> str:
    """What an index is that is none, or an element of it, and what to write instead."""
    type_, accepted = get_proper_type(ctx.arg_types[0][0]), _accepted(ctx, "__getitem__")
    elements = list(map(get_proper_type, type_.items)) if isinstance(type_, TupleType) else []
    wrong = [each for each in elements if not is_accepted(each, accepted)]
    arrays = (each for each in elements if base_of(each, ARRAY) is not None)  # taken as the only index
    return _with_hint([*wrong, *arrays, type_][0])


def _with_hint(type_: ProperType) -> str:
    sequence = base_of(type_, "typing.Sequence")
    if base_of(type_, "builtins.float") is not None:
        hint = HINTS["fraction"]
    elif sequence is not None and base_of(type_, "builtins.str") is None:
        hint = HINTS["mask" if base_of(sequence.args[0], "builtins.bool") is not None else "rows"]
    else:
        hint = HINTS["rows"] if operand_of(type_) is not None or base_of(type_, ARRAY) is not None else ""
    return f"{short_name(type_)}{hint}"


def _selection(ctx: MethodContext, result: ProperType, own: StaticOperand, selected: Shape) -> Type:
    """The type of `x[mask]` for a mask of this shape; its first dimension is not known before the program runs."""
    whole = own.static.shape
    if whole.dims is None or selected.rank is None or not isinstance(result, Instance):
        return result
    try:
        check_mask(selected, whole)
    except ShapeError as error:
        report(ctx.api, SHAPE, str(error), ctx.context)
        return result
    rest = Shape((None, *whole.dims[selected.rank :]))
    shape = shape_type(ctx.api, rest, is_gradual=own.static.is_gradual)
    return result if shape is None else result.copy_modified(args=[result.args[0], shape])


def _named_index(api: CheckerPluginInterface, expr: Expression | None) -> Expression | None:
    """The tuple or the call of `slice` that a name is bound to; any other index is the value of its type."""
    known = only_value(api, expr) if isinstance(expr, (CallExpr, MemberExpr, NameExpr)) else expr
    is_slice = isinstance(known, CallExpr) and isinstance(known.callee, RefExpr) and known.callee.fullname == _SLICE
    return known if is_slice or isinstance(known, TupleExpr) else None if isinstance(expr, CallExpr) else expr


def _index(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Any:
    """The value of an index, with `_UnknownInteger` for integers that are not known."""
    expr = _named_index(api, expr)
    if isinstance(expr, TupleExpr):
        return tuple(_index(api, item, expression_type(api, item)) for item in expr.items)
    if isinstance(expr, EllipsisExpr) or (isinstance(expr, NameExpr) and expr.fullname == "builtins.Ellipsis"):
        return ...
    if isinstance(expr, CallExpr):
        return slice(*(_index(api, each, expression_type(api, each)) for each in expr.args))
    if isinstance(expr, SliceExpr):
        parts = (expr.begin_index, expr.end_index, expr.stride)
        return slice(*(None if part is None else _index(api, part, expression_type(api, part)) for part in parts))
    value = evaluate(api, expr, type_)
    if value is None or isinstance(value, int):
        return value
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance):
        raise NotStatic
    if operand_of(proper) is not None or any(map(proper.type.has_base, _INTEGERS)):
        return _UnknownInteger()
    if proper.type.fullname in _NO_INDICES:
        raise DTypeError(f"{INDEXED} {_with_hint(proper)}")
    raise NotStatic
