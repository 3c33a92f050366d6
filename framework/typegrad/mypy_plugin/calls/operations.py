"""Calls that create operations, by `create` or a method of the facade: result types and errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from attrs import frozen
from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, Context, Expression, ListExpr, OpExpr
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import AnyType, Instance, ProperType, Type, get_proper_type

from typegrad.base.errors import DTypeError, ShapeError, TypegradError
from typegrad.base.shape import Shape
from typegrad.graph.definition import OpDef
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import Rest, united_outputs
from typegrad.mypy_plugin.base.dtypes import find_problem
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.reporting import report, report_anyway
from typegrad.mypy_plugin.base.unions import NONE_FITS
from typegrad.mypy_plugin.calls.counts import remember_count
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.calls.dropped import with_option
from typegrad.mypy_plugin.calls.meant_shapes import told_sizes
from typegrad.mypy_plugin.calls.possible_calls import alternatives, completed
from typegrad.mypy_plugin.calls.ranks import remember_ranks
from typegrad.mypy_plugin.calls.results import result_type, unknown_type
from typegrad.mypy_plugin.calls.swapped import misplaced_number, swapped, swapped_shapes
from typegrad.mypy_plugin.calls.variadic_shapes import inferred_at_all_ranks, inferred_with_rests
from typegrad.mypy_plugin.types.symbols import class_info
from typegrad.mypy_plugin.values.arguments import Argument, arguments
from typegrad.mypy_plugin.values.constants import remember
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.static_values import NotStatic
from typegrad.shapes.view import OpView

__all__ = [
    "Problem",
    "check_operand",
    "finish",
    "finish_operand",
    "forget_answers",
    "operation_hook",
    "own_operand",
    "with_report",
]


Problem: TypeAlias = tuple[ErrorCode, str]
"""The code and the message of an error."""


@frozen
class _Answer:
    """The cached result of a call. mypy checks an argument once for each overload of the enclosing call."""

    arg_types: list[list[Type]]
    default: Type
    problem: Problem | None
    type: Type


_SHAPE: Final = "Shape"
"""The operation whose value is a shape, also one of any number of dimensions."""
_MAX_OUTPUTS: Final = 2**16
"""No shapes are computed for operations with more outputs: a typing error must not exhaust the memory."""

_answers: Final = Memory[Context, _Answer](per_recheck=True)


def forget_answers() -> None:
    """Forget the results: mypy is about to check their statements again, with other values of names."""
    _answers.clear()


def operation_hook(ctx: MethodContext) -> Type:
    """The type of the operation that a call creates, with its static shapes."""
    known = _answers.get(ctx.context)
    if known is not None and known.arg_types == ctx.arg_types and known.default == ctx.default_return_type:
        return _with_report_of_create(ctx, known.problem, known.type)
    definition = definition_of(ctx.api, ctx.default_return_type)
    if definition is None:
        return ctx.default_return_type
    call = Call(definition, ctx.api)
    args = arguments(ctx)
    call.take(args)
    problem, result = _check(call, get_proper_type(ctx.default_return_type))
    if problem is not None:
        code, problem = problem[0], _reordered(call, args, problem)
        if code is not problem[0]:
            result = unknown_type(call, get_proper_type(ctx.default_return_type), has_types=False)
    remember(ctx.context, _value(call))
    remember_ranks(ctx.context, call.ranked)
    remember_count(ctx.context, None if problem else call)
    if not call.has_values and not any(isinstance(expr, ListExpr) for exprs in ctx.args for expr in exprs):
        _answers[ctx.context] = _Answer(ctx.arg_types, ctx.default_return_type, problem, result)
    return _with_report_of_create(ctx, problem, result)


def _reordered(call: Call, args: Mapping[str, Argument], problem: Problem) -> Problem:
    """The error, or the one that tells that arguments are in each other's place."""
    code, text = problem
    if code is DTYPE:
        return code, swapped(call, args, text, _infer) or text
    told = swapped_shapes(call, args, _infer) if code is SHAPE else None
    number = misplaced_number(call, args, _infer) if code is SHAPE and told is None else None
    if number is not None:
        return DTYPE, number
    return code, text if told is None else f"{call.definition.op.class_name}: {told}"


def finish(call: Call, ctx: MethodContext, result: ProperType) -> Type:
    """Check an operation whose arguments were read, report its error, and return its type with static shapes."""
    problem, type_ = _check_and_remember(call, ctx, result)
    return with_report(ctx, problem, type_)


def finish_operand(call: Call, ctx: MethodContext) -> Type:
    """The same for a method that tells mypy no more than that its result is an operand."""
    problem, type_ = check_operand(call, ctx)
    return with_report(ctx, problem, type_)


def check_operand(call: Call, ctx: MethodContext) -> tuple[Problem | None, Type]:
    """The error of such a method, None if there is none, and the type of its result."""
    info = class_info(ctx.api, call.definition.fullname)
    element, shape = own_operand(ctx).args
    made = Instance(info, [*[element] * (len(info.type_vars) - 1), shape])
    problem, type_ = _check_and_remember(call, ctx, made)
    return problem, base_of(type_, OPERAND) or ctx.default_return_type


def with_report(ctx: MethodContext, problem: Problem | None, type_: Type) -> Type:
    """Report an error, if there is one, and return the type."""
    if problem is not None:  # unseen by mypy, which would try the reflected operator, and take the result for `Any`
        report_anyway(ctx.api, *problem, ctx.context)
    return type_


def _check_and_remember(call: Call, ctx: MethodContext, result: ProperType) -> tuple[Problem | None, Type]:
    """The error and the type; what other calls ask about the result is noted."""
    remember(ctx.context, _value(call))
    checked = _check(call, result)
    remember_ranks(ctx.context, call.ranked)
    return checked


def own_operand(ctx: MethodContext) -> Instance:
    """The operand that a method returns, as mypy itself knows it."""
    result = get_proper_type(ctx.default_return_type)
    if not isinstance(result, Instance) or result.type.fullname != OPERAND:
        raise NotStatic
    return result


def _with_report_of_create(ctx: MethodContext, problem: Problem | None, result: Type) -> Type:
    """The same for `create`: mypy tries its other overloads behind an error, unless it would lose the error."""
    if problem is not None:
        definition = definition_of(ctx.api, ctx.default_return_type)
        is_lost = definition is not None and _loses_errors(definition.op)
        (report_anyway if is_lost else report)(ctx.api, *problem, ctx.context)
    return result


def _loses_errors(definition: OpDef) -> bool:
    """Whether mypy would only say that no overload fits, or that an item of a list does not fit one of them.

    If all overloads fail, mypy reports the error of one that fits the types of the arguments without their context: a
    string, which is no `Literal`.
    """
    if any(attr.kind == "tensor" for attr in definition.attrs):
        return True
    fixed = {each.type for each in definition.inputs}
    return any(attr.allowed for attr in definition.attrs) and not definition.types.keys() <= fixed


def _check(call: Call, result: ProperType) -> tuple[Problem | None, Type]:
    """The error code and message, None if there is no error, and the result type."""
    definition = call.definition.op
    called = call.called or definition.class_name
    wrong = find_problem(definition, call.input_types)
    inferred = _infer(call)
    problem = None
    if wrong and any(_is_beside_unknown(call.api, each) for each in call.exprs.values()):
        return None, unknown_type(call, result, has_types=False)
    if wrong:
        problem = DTYPE, f"{called}: {wrong}"
    elif isinstance(inferred, TypegradError):
        code = SHAPE if isinstance(inferred, ShapeError) else DTYPE if isinstance(inferred, DTypeError) else ATTRIBUTE
        text = with_option(call.api, str(inferred), call.exprs.values())
        told = told_sizes(call, text, _infer) if code is SHAPE else None
        problem = code, f"{called}: {told or text}"
    if problem is not None:
        return problem, unknown_type(call, result, has_types=problem[0] is not DTYPE)
    call.outputs = inferred if isinstance(inferred, tuple) else ()
    return None, result_type(call, result, call.outputs)


def _is_beside_unknown(api: CheckerPluginInterface, expr: Expression) -> bool:
    """Whether an operand is made of one of unknown element type and others, which its element type is taken from.

    Where these differ, what makes it is the mistake, and not what takes it.
    """
    made = only_value(api, expr)
    parts = [made.left, made.right] if isinstance(made, OpExpr) else made.args if isinstance(made, CallExpr) else []
    operands = [base_of(expression_type(api, each), OPERAND) for each in parts]
    elements = [get_proper_type(each.args[0]) for each in operands if each is not None]
    unknown = [isinstance(each, AnyType) for each in elements]
    return (any(unknown) and not all(unknown)) or any(_is_beside_unknown(api, each) for each in parts)


def _value(call: Call) -> Any:
    """The value of the only output, if it is known before the program runs."""
    definition = call.definition.op
    if len(definition.outputs) != 1 or definition.counts or any(map(_has_rest, call.values.values())):
        return None
    pattern = call.patterns.get("input")
    if definition.name == _SHAPE and isinstance(pattern, Shape):
        return pattern.dims
    with suppress(Exception):
        values = definition.infer_values(call.view())
        return None if values is None else values[0]
    return None


def _has_rest(value: Any) -> bool:
    """Whether a value is the shape of an operand with any number of dimensions."""
    return isinstance(value, tuple) and any(isinstance(dim, Rest) for dim in value)


def _infer(call: Call) -> tuple[Shape, ...] | TypegradError:
    """The shapes of all outputs, by the runtime's shape function, or its error; empty if too little is known."""
    if call.problem is not None:
        return call.problem
    definition = call.definition.op
    # A shape function may raise anything on partial knowledge; that is not an error of the program.
    with suppress(Exception):
        views = [each.view() for each in completed(call)]
        counts = [call.attrs[output.count] for output in definition.outputs if output.count]
        if any(isinstance(count, int) and count > _MAX_OUTPUTS for count in counts):
            return ()
        answers = [_shapes_or_error(definition, view) for view in views]
        known = [answer for answer in answers if not isinstance(answer, TypegradError)]
        if not known:
            return answers[0]
        refusal = _refusal_of_options(call)
        if refusal is not None:
            return refusal
        shapes = _common(known)
        if call.patterns:
            return inferred_with_rests(call, shapes)
        return inferred_at_all_ranks(call, shapes) if call.by_rank else shapes
    return ()


def _refusal_of_options(call: Call) -> TypegradError | None:
    """The error of a call that fits none of the shapes that its inputs may have."""
    calls = [each for alternative in alternatives(call) for each in completed(alternative)]
    answers = [_shapes_or_error(call.definition.op, each.view()) for each in calls]
    errors = [answer for answer in answers if isinstance(answer, TypegradError)]
    if not errors or len(errors) < len(answers):
        return None
    options = " and ".join(dict.fromkeys(map(str, call.options)))
    return type(errors[0])(f"{errors[0]}; here {options}, {NONE_FITS}")


def _shapes_or_error(definition: OpDef, view: OpView) -> tuple[Shape, ...] | TypegradError:
    try:
        return definition.infer_shapes(view)
    except TypegradError as error:
        return error


def _common(shapes: Sequence[tuple[Shape, ...]]) -> tuple[Shape, ...]:
    """What the shapes for different arguments have in common; nothing if the numbers of outputs differ."""
    if len(shapes) == 1:
        return shapes[0]
    if len({len(each) for each in shapes}) > 1:
        return ()
    return united_outputs(shapes)
