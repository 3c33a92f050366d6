"""Calls of functions that leave shapes open: `def dense(x: Operand[F], units: int) -> Operand[F]`.

What such a function returns for the arguments of a call follows from its body, which mypy checks again (`outcomes`).
The result gets the shape that all `return` statements have in common. An error in a body without branches is certain,
so it is reported at the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias, cast

from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.literals import literal_hash
from mypy.nodes import (
    ARG_STAR2,
    NOT_ABSTRACT,
    CallExpr,
    Context,
    Expression,
    ForStmt,
    FuncDef,
    MemberExpr,
    NameExpr,
    RefExpr,
    ReturnStmt,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import CallableType, Instance, Type, UnionType, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, SHAPE
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.reporting import is_refused, is_reported, report
from typegrad.mypy_plugin.base.syntax import is_self, may_skip, nodes_of
from typegrad.mypy_plugin.calls.generics import parameters_of, sized_hook
from typegrad.mypy_plugin.flow.outcomes import (
    function_of,
    has_body,
    has_variables,
    is_right_elsewhere,
    known_errors,
    outcome_of,
    own_attributes,
)
from typegrad.mypy_plugin.types.open_shapes import is_open, other_shape, with_shapes
from typegrad.mypy_plugin.values.bindings import has_fields
from typegrad.mypy_plugin.values.exact import exact_type, type_of_call
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.objects import Types, attributes_in, with_attributes
from typegrad.mypy_plugin.values.passed_types import (
    after_init,
    called_with,
    field_types,
    fields_of,
    is_overridden,
    made_object,
    passed_types,
)
from typegrad.mypy_plugin.values.reading import defines

__all__ = ["body_hook", "constructor_of", "held_hook", "is_followed"]

_METACLASSES: Final = frozenset({"abc.ABCMeta", "builtins.type"})
_straight: Final = Memory[FuncDef, bool]()
_refused: Final = Memory[FuncDef, set[Context]]()
"""The calls that fail in the body of a function, which takes the arguments of no other call."""


def constructor_of(info: TypeInfo) -> SymbolNode | None:
    """The `__init__` that a call of a class runs; of a dataclass, the method that runs after it.

    None if `__new__` or a metaclass may do otherwise.
    """
    new, init = info.get("__new__"), info.get("__init__")
    is_usual = info.metaclass_type is None or info.metaclass_type.type.fullname in _METACLASSES
    is_usual &= new is None or new.node is None or new.node.fullname == "builtins.object.__new__"
    return None if init is None or not is_usual else after_init(info) or init.node


def is_followed(function: FuncDef) -> bool:
    """Whether the body of a function may tell more than its signature.

    It may for methods of classes with operands but without type variables, as attributes have open shapes, for
    functions that take objects of such classes of their own file, and for functions with open shapes or type variables
    in their signature.
    """
    type_ = get_proper_type(function.type)
    if not isinstance(type_, CallableType) or function.is_class or not _may_be_followed(function):
        return False
    is_method = bool(function.info) and not (function.info.type_vars or type_.variables)
    is_generic = not function.info and any(map(has_variables, type_.arg_types))
    takes_objects = any(_is_of_module(each, function.fullname.rpartition(".")[0]) for each in type_.arg_types)
    return is_method or is_generic or takes_objects or any(map(is_open, (*type_.arg_types, type_.ret_type)))


def _is_of_module(type_: Type, module: str) -> bool:
    """Whether a value is an object of a class of a module."""
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.module_name == module


def _may_be_followed(function: FuncDef) -> bool:
    """Whether a call runs the body of a function, with parameters that each have a type."""
    type_ = get_proper_type(function.type)
    if not isinstance(type_, CallableType) or ARG_STAR2 in type_.arg_kinds:
        return False
    return not (function.is_generator or function.is_coroutine) and function.abstract_status == NOT_ABSTRACT


_Hook: TypeAlias = Callable[[FunctionContext | MethodContext], Type]


def body_hook(ctx: FunctionContext | MethodContext, function: FuncDef, own: _Hook | None) -> Type:
    """The type of the result with the shapes that follow from the body; an error in the body is reported.

    `own` is the hook that checks type variables, if there are any.
    """
    default = ctx.default_return_type if own is None else own(ctx)
    checker = checker_of(ctx.api)
    if not has_body(checker, function):
        return default
    if own is not None and is_refused(ctx.api, ctx.context):
        return default
    attributes = _attributes(ctx, function)
    if attributes is None:
        return default
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    is_inner = isinstance(callee, NameExpr) and callee.node is function and function.name not in checker.tree.names
    captured = _captured(checker, function) if is_inner else {}
    outcome = outcome_of(ctx.api, function, {**captured, **passed_types(ctx, function)}, attributes)
    if outcome.errors and _is_straight(function) and not _is_of_several(ctx, function):
        _report_error_in_body(ctx, function, outcome.errors)
        return default
    if outcome.common_result is None or len(_refused.get(function, ())) > 1:  # a wrong body tells nothing
        return default
    _report_other_shape(ctx, function, default, outcome.common_result)
    return with_shapes(default, outcome.common_result)


def _report_error_in_body(ctx: FunctionContext | MethodContext, function: FuncDef, errors: Sequence[ErrorInfo]) -> None:
    """Report the first error of a body at the call, unless the body is wrong by itself, as mypy reports that there."""
    # mypy itself compares element types with the declared ones.
    error = next((each for each in errors if each.code in (CALL, SHAPE)), None)
    if error is None or known_errors(ctx.api, function):
        return
    is_of_inner = "; in " in error.message
    message = error.message if is_of_inner else f"{error.message}; in {_shown(function)}, line {error.line}"
    # A line that is wrong for the arguments of each call, of whatever sizes, is one mistake.
    place = message[message.rindex("; in ") :]
    is_right = is_right_elsewhere(function)
    if not is_right:
        _refused.setdefault(function, set()).add(ctx.context)
    is_known = is_reported(ctx.api, place) and not is_right
    if not is_known and not is_reported(ctx.api, error.message, error.line):
        report(ctx.api, error.code or SHAPE, message, ctx.context)


def _report_other_shape(ctx: FunctionContext | MethodContext, function: FuncDef, declared: Type, result: Type) -> None:
    """Report a result of another shape than the declared one."""
    shapes = other_shape(declared, result)
    if shapes is not None and not known_errors(ctx.api, function):
        made = f"{_shown(function)} (line {function.line}) returns an operand of shape {shapes[1]}"
        report(ctx.api, SHAPE, f"{made}, but is declared to return {shapes[0]}", ctx.context)


def _is_of_several(ctx: FunctionContext | MethodContext, function: FuncDef) -> bool:
    """Whether the object whose method is called is one of several, as in a loop: this one may not be called so."""
    owner = _owner(ctx, function)
    if owner is None or not isinstance(ctx, MethodContext) or attributes_in(ctx.type) is None:
        return False
    return isinstance(get_proper_type(expression_type(ctx.api, owner)), UnionType)


def _owner(ctx: FunctionContext | MethodContext, function: FuncDef) -> Expression | None:
    """The object whose method is called, by its name or as `layer(x)`."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    return callee.expr if isinstance(callee, MemberExpr) and callee.name == function.name else callee


def held_hook(ctx: FunctionContext | MethodContext) -> Type:
    """The type of a call of a function inside another one, or of a function that a parameter or an attribute holds."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(callee, (MemberExpr, NameExpr)) or literal_hash(callee) is None:
        return ctx.default_return_type
    is_inner = isinstance(callee.node, FuncDef)
    function = callee.node if is_inner else function_of(checker_of(ctx.api).binder.get(callee))
    if not isinstance(function, FuncDef):
        return ctx.default_return_type
    parameters = parameters_of(function)
    own = partial(sized_hook, parameters=parameters) if parameters.sizes else None
    if is_followed(function):
        return body_hook(ctx, function, own)
    return ctx.default_return_type if own is None else own(ctx)


def _captured(checker: TypeChecker, function: FuncDef) -> Types:
    """The types of the names of the enclosing function that one inside it uses, at its call."""
    result: dict[str, Type] = {}
    parameters = {argument.variable for argument in function.arguments}
    for node in nodes_of(function.body):
        name = node.expr if isinstance(node, MemberExpr) else node
        if not isinstance(node, (MemberExpr, NameExpr)) or not isinstance(name, NameExpr) or name.node in parameters:
            continue
        known = checker.binder.get(node) if isinstance(name.node, Var) else None
        if known is not None:
            result[name.name if name is node else f"{name.name}.{node.name}"] = known
    return result


def _shown(function: FuncDef) -> str:
    return f"{function.info.name}.{function.name}" if function.info else function.name


def _attributes(ctx: FunctionContext | MethodContext, function: FuncDef) -> Types | None:
    """The types of the attributes of the object whose method is called; None if a subclass may override the method."""
    if not function.info or function.is_static:
        return {}
    fields = field_types(ctx)
    if fields:
        return _with_last(ctx.api, function.info, fields, function)
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo):
        return {}
    owner = _owner(ctx, function)
    if owner is not None and is_self(owner):
        is_known = not is_overridden(ctx, function)
        return own_attributes(checker_of(ctx.api), cast("Var", owner.node)) if is_known else None
    if isinstance(ctx, MethodContext) and owner is not None:
        attributes = attributes_in(exact_type(ctx.api, owner, ctx.type))
        if attributes is not None:
            names = function.info.names
            return {name: each for name, each in attributes.items() if name not in names or each != names[name].type}
    return None if is_overridden(ctx, function) else {}


def _with_last(api: CheckerPluginInterface, info: TypeInfo, fields: Types, function: FuncDef | None = None) -> Types:
    """The fields of an object, and the attributes that its class assigns behind the constructor."""
    last = after_init(info)
    return fields if last in (None, function) else {**outcome_of(api, last, {}, fields).attributes, **fields}


@type_of_call.provide
def _constructed(api: CheckerPluginInterface, made: CallExpr, callee: TypeInfo | FuncDef) -> Type | None:
    """The type of what a call makes: of a new object with its attributes, or of what a function returns."""
    return _returned(api, made, callee) if isinstance(callee, FuncDef) else _object(api, made, callee)


def _returned(api: CheckerPluginInterface, call: CallExpr, function: FuncDef) -> Type | None:
    """The type of what a function of this file returns, with the types of its parts."""
    if not _may_be_followed(function) or not defines(checker_of(api).tree, function):
        return None
    types = called_with(api, call, function, int(function.is_class))
    if types is not None and function.is_class and isinstance(call.callee, MemberExpr):
        types = {**types, function.arguments[0].variable.name: expression_type(api, call.callee.expr)}
    return None if types is None else outcome_of(api, function, types, {}).exact_result


def _object(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> Type | None:
    """The type of a new object with the attributes that its constructor assigns."""
    if info.type_vars or info.module_name != checker_of(api).tree.fullname:
        return None
    whole = Instance(info, [])
    if has_fields(info):
        return with_attributes(whole, _with_last(api, info, fields_of(api, made, info)))
    constructor = made_object(api, made, info) if constructor_of(info) is not None else None
    return None if constructor is None else with_attributes(whole, outcome_of(api, *constructor, {}).attributes)


def _is_straight(function: FuncDef) -> bool:
    """Whether a call runs all statements of the body."""
    if function not in _straight:
        nodes = list(nodes_of(function.body))
        returns = [node for node in nodes if isinstance(node, ReturnStmt)]
        in_loops = [node for loop in nodes if isinstance(loop, ForStmt) for node in nodes_of(loop)]
        branches = any(may_skip(node) for node in nodes if not isinstance(node, ReturnStmt))
        _straight[function] = not branches and (not returns or (len(returns) == 1 and returns[0] not in in_loops))
    return _straight[function]
