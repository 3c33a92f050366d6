"""Calls that fit no overload of a function, reported in one line, in the words of the error at run time.

mypy alone lists every overload, 47 lines for `Constant.create`. A call that is reported here gets a signature that
accepts anything, so that mypy reports nothing else about it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final, TypeAlias

from mypy.binder import ConditionalTypeBinder
from mypy.erasetype import erase_typevars
from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    CastExpr,
    Context,
    Expression,
    MemberExpr,
    NameExpr,
    RefExpr,
    StrExpr,
)
from mypy.plugin import FunctionSigContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    NoneType,
    Overloaded,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from typegrad.arguments.calls import hint, made_by
from typegrad.arguments.instead import SEVERAL_GRADIENTS
from typegrad.base.types import conversion
from typegrad.graph.refusals import SHAPE_OR_LIKE
from typegrad.graph.variable import ASSIGNED, NO_DTYPE, NOT_BOTH, OF_INITIALIZER, OF_NOTHING
from typegrad.mypy_plugin.arguments.passed import is_display, is_variable, item_types, type_of_argument
from typegrad.mypy_plugin.arguments.wrong_arguments import with_order, wrong_arguments, wrong_choices, wrong_scope
from typegrad.mypy_plugin.arguments.wrong_operands import wrong_vectors
from typegrad.mypy_plugin.arguments.wrong_runs import ASSIGN
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of, told_in_order
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OPERATION
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, CALL
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of
from typegrad.mypy_plugin.base.memory import Memory, OncePerCall
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import is_silent, report
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.types.open_shapes import in_generic_shape
from typegrad.mypy_plugin.types.symbols import any_tuple, class_info
from typegrad.mypy_plugin.values.callees import Callee, callee_of

__all__ = ["ANYTHING", "accepting_anything", "called_as", "called_of", "checked_call", "checked_wrapper"]

_Context: TypeAlias = MethodSigContext | FunctionSigContext

ANYTHING: Final = ["anything", "anything_by_name"]
"""The parameters of the signature for a wrong call. No hook of the plugin handles such a call."""

_OTHER: Final = "(from typegrad.op import"
"""What names the operation that is meant in the place of the one that is created."""
_IN_BRACKETS: Final = re.compile(r"\[[^\[\]]*\]")
_LIBRARIES: Final = ("numpy.", "typegrad.op.")
_mistakes: Final = OncePerCall[str]()
_PREPARED: Final = "typegrad.session.run_types.PreparedCall.__call__"
_known: Final = Memory[Context, tuple[tuple[ConditionalTypeBinder, int], ErrorCode, str]]()
"""What is wrong with each call, with the state of mypy's binder, which knows the types that names have there."""


def checked_call(ctx: _Context, fullname: str) -> CallableType | None:
    """Report a wrong call and return a signature that accepts anything; None if nothing is known to be wrong."""
    mistake = _mistakes.get(ctx, lambda: _mistake(ctx, fullname))
    if not mistake:
        return None
    signature = accepting_anything(ctx.default_signature)
    result = get_proper_type(signature.ret_type)
    if mistake.endswith(SEVERAL_GRADIENTS):
        return signature.copy_modified(ret_type=AnyType(TypeOfAny.special_form))
    if _OTHER in mistake and base_of(result, OPERAND) is not None:
        shape = AnyType(TypeOfAny.special_form) if in_generic_shape(ctx.api) else any_tuple(ctx.api)
        result = Instance(class_info(ctx.api, OPERAND), [AnyType(TypeOfAny.special_form), shape])
    elif isinstance(result, Instance) and result.args and isinstance(get_proper_type(result.args[-1]), TupleType):
        # The shape is that of one of the overloads.
        result = result.copy_modified(args=[*result.args[:-1], any_tuple(ctx.api)])
    return signature.copy_modified(ret_type=result)


def _mistake(ctx: _Context, fullname: str) -> str:
    """What is wrong with a call, which is then reported; "" if nothing is.

    mypy checks the call again for each overload of the call that it is an argument of, and the types of lists and dicts
    depend on what is expected there. So what is found first is the answer until a name changes its type.
    """
    binder = checker_of(ctx.api).binder
    state = binder, binder.version
    known = _known.get(ctx.context)
    if known is None or known[0] != state:
        known = state, *_found(ctx, ctx.context, fullname)
        _known[ctx.context] = known
    _, code, text = known
    if text and isinstance(ctx.context, CallExpr) and not any(map(_is_told, ctx.context.args)):
        report(ctx.api, code, text, ctx.context)
    return text


def _found(ctx: _Context, call: Context, fullname: str) -> tuple[ErrorCode, str]:
    """What is wrong with a call, and the code of the error; "" if nothing is."""
    if not isinstance(call, CallExpr) or is_silent(ctx.api):
        return CALL, ""
    callee = callee_of(ctx.api, fullname)
    called = called_as(ctx, fullname)
    if not is_plain_call(call):
        return CALL, _unpacked_list(ctx, callee, called, call)
    pairs = zip(call.arg_names, call.args, strict=True)
    names = {name: each.value if isinstance(each, StrExpr) else None for name, each in pairs if name is not None}
    text = told_in_order(ctx.api, call) if fullname == _PREPARED else ""
    text = text or wrong_scope(
        ctx.api, callee, called, call
    )  # first: without it, the last argument seems to be missing
    text = text or callee.mistake(called, len(call.args) - len(names), names) or _without_value(ctx, called, call)
    text = text or _with_name(ctx, called, call) or _of_pair(ctx, callee, called, call)
    text = text or _wrong_option(ctx.default_signature, callee, called, call)
    if text:
        return CALL, text
    choice = next(wrong_choices(ctx.api, callee, called, call), "")
    if choice:
        return ATTRIBUTE, choice
    text = next(wrong_arguments(ctx.api, callee, called, call), "")
    return CALL, text and with_order(ctx.api, callee, called, call, text)


def _unpacked_list(ctx: _Context, callee: Callee, called: str, call: CallExpr) -> str:
    """The error message for `create(scope, *xs)` where the list itself is taken; "" for any other call."""
    position = next((each for each, kind in enumerate(call.arg_kinds) if kind == ARG_STAR), 0)
    is_alone = call.arg_kinds[:position] == [ARG_POS] * position and 0 < position < len(callee.by_position)
    name = callee.by_position[position] if is_alone else ""
    if not _is_list(callee.accepted.get(name, "")) or call.arg_kinds[position] != ARG_STAR:
        return ""
    listed = call.args[position]
    if not (is_display(listed) or isinstance(listed, (MemberExpr, NameExpr))):
        return ""
    items = item_types(type_of_argument(ctx.api, listed))
    if not items or any(base_of(each, OPERAND) is None for each in items):
        return ""
    text = source_of(listed)
    return f"{called}(): `{name}` is a list of operands; write {'the list' if text == UNNAMED else text} without *"


@cache
def _is_list(annotation: str) -> bool:
    """Whether a parameter takes a list, and nothing else."""
    while annotation != (outer := _IN_BRACKETS.sub("", annotation)):
        annotation = outer
    return set(annotation.split(" | ")) == {"Sequence"}


def _is_told(expr: Expression) -> bool:
    """Whether an argument is the result of a method that does not exist: `Sum.create(scope, x, Sum.keepDims(True))`."""
    return isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) and isinstance(expr.callee.expr, CastExpr)


def called_as(ctx: _Context, fullname: str) -> str:
    """What is called, as in the error at run time: "Session.run", or the class of an object that is called."""
    owner = get_proper_type(ctx.type) if isinstance(ctx, MethodSigContext) else None
    callee = callee_of(ctx.api, fullname)
    if isinstance(owner, Instance) and fullname.endswith(".__call__"):
        return owner.type.name
    return called_of(callee, owner)


def called_of(callee: Callee, owner: Type | None) -> str:
    """What is called, by the type of the object whose method it is."""
    if not isinstance(owner, Instance):
        return callee.name
    of_base = f"{callee.names[0]}."  # a subclass may be all that the program knows
    return f"{owner.type.name}.{callee.name.removeprefix(of_base)}" if callee.name.startswith(of_base) else callee.name


def checked_wrapper(ctx: FunctionSigContext, fullname: str) -> CallableType:
    """The signature of a wrapper class; it wraps operations, not operands."""
    signature = ctx.default_signature
    arguments = [expr for exprs in ctx.args for expr in exprs]
    if arguments and base_of(type_of_argument(ctx.api, arguments[0]), OPERATION) is not None:
        return signature
    class_ = getattr(import_module(fullname.rpartition(".")[0]), fullname.rpartition(".")[2])
    report(ctx.api, CALL, f"{class_.__name__}() wraps a node that is there already; {made_by(class_)}", ctx.context)
    return accepting_anything(signature)


def accepting_anything(signature: CallableType) -> CallableType:
    """A signature for a wrong call, so that mypy reports nothing more."""
    anything = AnyType(TypeOfAny.special_form)
    return signature.copy_modified(
        arg_types=[anything, anything],
        arg_kinds=[ARG_STAR, ARG_STAR2],
        arg_names=ANYTHING,
        variables=[],
        unpack_kwargs=False,
        ret_type=anything if base_of(signature.ret_type, OPERAND) is None else erase_typevars(signature.ret_type),
        fallback=_plain(signature.fallback),
    )


def _plain(fallback: Instance) -> Instance:
    """The class of functions for a signature of a class, as mypy expects a class to return an instance."""
    if not fallback.type.is_metaclass():
        return fallback
    return Instance(fallback.type.mro[-1], [])


def _wrong_option(signature: CallableType, callee: Callee, called: str, call: CallExpr) -> str:
    """The error message for a keyword that `**options` do not have."""
    options = get_proper_type(signature.arg_types[-1]) if signature.unpack_kwargs else None
    if not isinstance(options, TypedDictType):
        return ""
    known = {*options.items, *callee.by_name}
    wrong = next((name for name in call.arg_names if name is not None and name not in known), None)
    return "" if wrong is None else f"{called} takes no option `{wrong}`; {hint(wrong, known)}"


def _with_name(ctx: _Context, called: str, call: CallExpr) -> str:
    """The error message for a variable that gets its name before its value, as elsewhere."""
    if not called.endswith("Variable.create") or call.arg_kinds[:3] != [ARG_POS] * 3:
        return ""
    name, value = call.args[1:3]
    is_type = class_argument(type_of_argument(ctx.api, value)) is not None
    return "" if is_type or not isinstance(name, StrExpr) else f'{called}() takes no name; write scope.with_name("w")'


def _of_pair(ctx: _Context, callee: Callee, called: str, call: CallExpr) -> str:
    """The error message for two arguments that do not go together."""
    by_position = [*callee.by_position, *[""] * len(call.args)]
    names = (name or by_position[each] for each, name in enumerate(call.arg_names))
    args = dict(zip(names, call.args, strict=True))
    if _makes_variable(called):
        return _of_other_type(ctx, called, args)
    if called.endswith(".expect") and {"like", "shape"} <= args.keys():
        is_shape = not isinstance(type_of_argument(ctx.api, args["shape"]), NoneType)
        return SHAPE_OR_LIKE if is_shape else ""
    if called == ASSIGN and "variable" in args:
        type_ = type_of_argument(ctx.api, args["variable"])
        is_alone = "value" not in args
        is_wrong = is_variable(type_) if is_alone else base_of(type_, "builtins.dict") is not None
        return ASSIGNED if is_wrong else ""
    return wrong_vectors(ctx.api, called, args["xs"], args["vs"]) if {"xs", "vs"} <= args.keys() else ""


def _of_other_type(ctx: _Context, called: str, args: Mapping[str, Expression]) -> str:
    """The error message for a variable whose initial value is an operand of another element type than is stated."""
    if not {"dtype", "initial_value"} <= args.keys():
        return ""
    operand = base_of(type_of_argument(ctx.api, args["initial_value"]), OPERAND)
    actual = None if operand is None else leaf_of(operand.args[0])
    class_ = class_argument(type_of_argument(ctx.api, args["dtype"]))
    stated = None if class_ is None else leaf_of(class_)
    if actual is None or stated is None or actual is stated:
        return ""
    remedy = conversion("it", [stated], [actual])
    return f"{called}(): the initial value is {actual.name}, but `dtype` is {stated.name}; {remedy}"


def _makes_variable(called: str) -> bool:
    return called.endswith(("Variable.create", ".variable"))


def _is_of_library(value: Expression) -> bool:
    """Whether a value is what a function of NumPy or an operation returns, whose types take mypy long."""
    function = value.callee if isinstance(value, CallExpr) else None
    while isinstance(function, MemberExpr) and not function.fullname:
        function = function.expr
    return isinstance(function, RefExpr) and function.fullname.startswith(_LIBRARIES)


def _without_value(ctx: _Context, called: str, call: CallExpr) -> str:
    """The error message for a variable made of an initializer, of a shape alone or beside a value, or of nothing."""
    if not _makes_variable(called):
        return ""
    given = [each for name, each in zip(call.arg_names, call.args, strict=True) if name in (None, "initial_value")]
    given = given[called == "Variable.create" and call.arg_names[0] is None :]
    type_ = None if not given or _is_of_library(given[0]) else type_of_argument(ctx.api, given[0])
    if type_ is not None and _is_function(type_):
        return f"{called}(): {OF_INITIALIZER}"
    has_value = bool(given) and not isinstance(type_, NoneType)
    shapes = [each for name, each in zip(call.arg_names, call.args, strict=True) if name == "shape"]
    if not shapes:
        return "" if has_value else f"{called}(): {OF_NOTHING}"
    if has_value:
        may_be_none = any(_may_be_none(each) for each in (type_, type_of_argument(ctx.api, shapes[0])))
        return "" if may_be_none else f"{called}(): {NOT_BOTH}"
    return "" if "dtype" in call.arg_names or len(given) > 1 else f"{called}(): {NO_DTYPE}"


def _may_be_none(type_: Type | None) -> bool:
    if isinstance(type_, UnionType):
        return any(map(_may_be_none, map(get_proper_type, type_.items)))
    return isinstance(type_, (AnyType, NoneType))


def _is_function(type_: Type) -> bool:
    """Whether values of a type are called, and are no operands."""
    if isinstance(type_, Instance):
        return type_.type.has_readable_member("__call__") and base_of(type_, OPERAND) is None
    return isinstance(type_, (CallableType, Overloaded))
