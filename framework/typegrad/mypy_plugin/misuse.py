"""Calls that fit no overload of a function, reported in one line, in the words of the error at run time.

mypy alone lists every overload, 47 lines for `Constant.create`. A call that is reported here gets a signature that
accepts anything, so that mypy reports nothing else about it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeAlias, cast

from mypy.checker import TypeChecker
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    CallExpr,
    Context,
    DictExpr,
    Expression,
    ListExpr,
    MemberExpr,
    NameExpr,
    StarExpr,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface, FunctionSigContext, MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Type,
    TypedDictType,
    TypeOfAny,
    TypeType,
    get_proper_type,
)

from typegrad.arguments.calls import by_name, by_position, form, hint, made_by, mistake
from typegrad.base.types import type_hint
from typegrad.graph.variable import NO_DTYPE
from typegrad.mypy_plugin.dtypes import class_argument, leaves_of
from typegrad.mypy_plugin.errors import CALL, report
from typegrad.mypy_plugin.evaluation import NotStatic, expression_type
from typegrad.mypy_plugin.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.memory import OncePerCall
from typegrad.mypy_plugin.operands import OPERAND, base_of
from typegrad.mypy_plugin.symbols import short_name

__all__ = ["ANYTHING", "accepting_anything", "called_as", "checked_call", "checked_wrapper", "type_of_argument"]

_Context: TypeAlias = MethodSigContext | FunctionSigContext

ANYTHING: Final = ["anything", "anything_by_name"]
"""The parameters of the signature for a wrong call. No hook of the plugin handles such a call."""
_RUN: Final = "Session.run"
_OPERATION: Final = "typegrad.graph.operation.Operation"
_FETCHES: Final = (OPERAND, "typegrad.graph.wrapper.Op", _OPERATION, "builtins.str")
_NO_FETCHES: Final = ("builtins.int", "builtins.float", "builtins.complex", "numpy.generic", "numpy.ndarray")
_TAKE_VALUES: Final = ("Constant.create", "Variable.create", ".constant", ".variable")
_NO_VALUES: Final = ("typing.Mapping", "typing.AbstractSet")
_OWN: Final = "typegrad."
_LIST: Final = "Sequence[Operand"
_NO_FEED: Final = (
    "Session.run(): the variable {} cannot be fed; give it a value with session.assign, or feed one of its reads"
)

_is_wrong: Final = OncePerCall[bool]()


def checked_call(ctx: _Context, fullname: str) -> CallableType | None:
    """Report a wrong call and return a signature that accepts anything; None if nothing is known to be wrong."""
    is_wrong = _is_wrong.get(ctx, lambda: _is_reported(ctx, ctx.context, fullname))
    return accepting_anything(ctx.default_signature) if is_wrong else None


def _is_reported(ctx: _Context, call: Context, fullname: str) -> bool:
    if not isinstance(call, CallExpr) or not all(kind in (ARG_POS, ARG_NAMED) for kind in call.arg_kinds):
        return False
    function = _function(fullname)
    called = called_as(ctx, fullname)
    text = _wrong_form(function, called, call) or _without_type(called, call)
    text = text or _wrong_option(ctx.default_signature, function, called, call)
    text = text or next(_wrong_arguments(ctx.api, function, called, call), "")
    if text:
        report(ctx.api, CALL, text, call)
    return bool(text)


def called_as(ctx: _Context, fullname: str) -> str:
    """What is called, as in the error at run time: "Session.run", or the class of an object that is called."""
    owner = get_proper_type(ctx.type) if isinstance(ctx, MethodSigContext) else None
    if fullname.endswith(".__call__") and isinstance(owner, Instance):
        return owner.type.name
    return _called(_function(fullname))


def checked_wrapper(ctx: FunctionSigContext, fullname: str) -> CallableType:
    """The signature of a wrapper class; it wraps operations, not operands."""
    signature = ctx.default_signature
    arguments = [expr for exprs in ctx.args for expr in exprs]
    if arguments and base_of(type_of_argument(ctx.api, arguments[0]), _OPERATION) is not None:
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
        ret_type=anything,
        fallback=_plain(signature.fallback),
    )


def _plain(fallback: Instance) -> Instance:
    """The class of functions for a signature of a class, as mypy expects a class to return an instance."""
    if not fallback.type.is_metaclass():
        return fallback
    return Instance(fallback.type.mro[-1], [])


@cache
def _function(fullname: str) -> Callable[..., Any]:
    """The function object that is called."""
    module, *names = fullname.rsplit(".", 2)
    if not names[0].lstrip("_")[:1].isupper():  # a function
        module, names = f"{module}.{names[0]}", names[1:]
    value: Any = import_module(module)
    for name in names:
        value = getattr(value, name, None)
    if not inspect.isroutine(value) and not isinstance(value, type):  # an attribute that holds a function
        raise NotStatic
    return cast("Callable[..., Any]", value)


@cache
def _called(function: Callable[..., Any]) -> str:
    return {"TypedRun.run": _RUN}.get(function.__qualname__, function.__qualname__.replace("CoreOps.", "Ops."))


def _wrong_form(function: Callable[..., Any], called: str, call: CallExpr) -> str:
    """The error message for the number and the names of the arguments; "" if they fit."""
    names = [name for name in call.arg_names if name is not None]
    return mistake(function, called, len(call.args) - len(names), names)


def _wrong_option(signature: CallableType, function: Callable[..., Any], called: str, call: CallExpr) -> str:
    """The error message for a keyword that `**options` do not have."""
    options = get_proper_type(signature.arg_types[-1]) if signature.unpack_kwargs else None
    if not isinstance(options, TypedDictType):
        return ""
    known = {*options.items, *by_name(function)}
    wrong = next((name for name in call.arg_names if name is not None and name not in known), None)
    return "" if wrong is None else f"{called} takes no option `{wrong}`; {hint(wrong, known)}"


def _without_type(called: str, call: CallExpr) -> str:
    """The error message for a variable made of a shape alone."""
    is_variable = called.endswith(("Variable.create", ".variable"))
    is_untyped = "shape" in call.arg_names and "dtype" not in call.arg_names
    return f"{called}(): {NO_DTYPE}" if is_variable and is_untyped else ""


def _wrong_arguments(
    api: CheckerPluginInterface, function: Callable[..., Any], called: str, call: CallExpr
) -> Iterator[str]:
    """The error messages for the arguments that select an overload."""
    positions = iter(by_position(function))
    for expr, written in zip(call.args, call.arg_names, strict=True):
        name = written or next(positions, "")
        if name == "scope":
            yield from _wrong_scope(api, function, called, expr)
        elif name in ("dtype", "tout", "dst_t"):
            yield from _wrong_type(api, called, name, expr)
        elif name in ("value", "initial_value") and called.endswith(_TAKE_VALUES):
            yield from _wrong_value(api, called, name, expr)
        elif name in _list_parameters(function):
            yield from _wrong_list(api, called, name, expr)
        elif name == "xs" and called.endswith("gradients") and _is_operand(api, expr):
            yield f"{called}(): xs is a list or tuple; write [{source_of(expr)}] for one operand"
        elif called == _RUN and name == "fetches":
            yield from _wrong_fetch(api, expr)
        elif called == _RUN and name == "feeds":
            yield from _wrong_feeds(api, expr)


def _wrong_scope(
    api: CheckerPluginInterface, function: Callable[..., Any], called: str, expr: Expression
) -> Iterator[str]:
    type_ = type_of_argument(api, expr)
    if isinstance(type_, Instance) and not type_.type.has_base("typegrad.graph.scope.Scope") and not _may_be_any(type_):
        is_graph = type_.type.has_base("typegrad.graph.graph.Graph")
        remedy = "write tg.Scope(graph)" if is_graph else form(function, called)
        yield f"{called}(): argument `scope` must be a Scope, not {short_name(type_)}; {remedy}"


def _wrong_type(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    type_ = type_of_argument(api, expr)
    if isinstance(type_, Instance) and type_.type.fullname == "builtins.str":
        literal = type_.last_known_value
        remedy = type_hint(literal.value if literal else "")
        yield f"{called}(): `{name}` must be an element type, not a string; {remedy}"
    actual = class_argument(type_)
    if isinstance(actual, Instance) and leaves_of(actual) is None and not _may_be_any(actual):
        what = short_name(actual) if source_of(expr) == UNNAMED else source_of(expr)
        yield f"{called}(): `{name}` must be an element type, not {what}; {_hint(expr, actual)}"


def _wrong_value(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    type_ = type_of_argument(api, expr)
    is_own = isinstance(type_, Instance) and type_.type.fullname.startswith(_OWN) and base_of(type_, OPERAND) is None
    if is_own or (isinstance(type_, Instance) and any(type_.type.has_base(base) for base in _NO_VALUES)):
        what = short_name(type_)
        yield f"{called}(): `{name}` is a number, bool, string, (nested) list or array of them, not {what}"


@cache
def _list_parameters(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters that take a list of operands."""
    hints = inspect.unwrap(function).__annotations__
    return frozenset(name for name, hint in hints.items() if str(hint).startswith(_LIST))


def _wrong_list(api: CheckerPluginInterface, called: str, name: str, expr: Expression) -> Iterator[str]:
    if _is_operand(api, expr):
        yield f"{called}(): `{name}` is a list of operands, not an operand; write [{source_of(expr)}]"


def _is_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    return isinstance(expr, (NameExpr, MemberExpr)) and base_of(type_of_argument(api, expr), OPERAND) is not None


def _hint(expr: Expression, actual: Instance) -> str:
    """The element type to write for a Python or NumPy class, by the name in the source, which may be an alias."""
    module, _, name = actual.type.fullname.rpartition(".")
    source = expr.fullname if isinstance(expr, NameExpr) else getattr(expr, "fullname", "")
    name = source.rpartition(".")[2] or name
    return type_hint(getattr(import_module(module), name, name) if module in ("builtins", "numpy") else name)


def _wrong_fetch(api: CheckerPluginInterface, expr: Expression) -> Iterator[str]:
    if isinstance(expr, (ListExpr, TupleExpr)):
        for item in expr.items:
            yield from _wrong_fetch(api, item.expr) if isinstance(item, StarExpr) else _wrong_fetch(api, item)
        return
    type_ = type_of_argument(api, expr)
    if isinstance(type_, (FunctionLike, TypeType)) or (isinstance(type_, Instance) and _is_no_fetch(type_)):
        what = short_name(type_) if isinstance(type_, Instance) else "a function or a class"
        yield (
            f"{_RUN}(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of "
            f"fetches, not {what}"
        )


def _is_no_fetch(type_: Instance) -> bool:
    if any(base_of(type_, name) is not None for name in _FETCHES):
        return False
    is_own = type_.type.fullname.startswith(_OWN) and not _is_record(type_)
    return is_own or any(type_.type.has_base(name) for name in _NO_FETCHES)


def _is_record(type_: Instance) -> bool:
    return bool({"dataclass", "attrs"} & type_.type.metadata.keys())


def _wrong_feeds(api: CheckerPluginInterface, expr: Expression) -> Iterator[str]:
    if isinstance(expr, DictExpr):
        yield from (
            _NO_FEED.format(source_of(key)) for key, _ in expr.items if key and _is_variable(type_of_argument(api, key))
        )
    type_ = type_of_argument(api, expr)
    is_mapping = isinstance(type_, Instance) and type_.type.get("items") is not None
    if isinstance(type_, Instance) and not is_mapping and not _may_be_any(type_):
        yield f"{_RUN}(): feeds maps operands to values, but is {short_name(type_)}; write {{x: value}}"


def _is_variable(type_: Type) -> bool:
    return base_of(type_, "typegrad.graph.variable.Variable") is not None


def _may_be_any(type_: Instance) -> bool:
    """Whether a class has a base class that mypy does not know."""
    return type_.type.fallback_to_any


def type_of_argument(api: CheckerPluginInterface, expr: Expression) -> Type:
    """The type of an argument before mypy has checked the call."""
    with cast("TypeChecker", api).msg.filter_errors():
        return get_proper_type(expression_type(api, expr))
