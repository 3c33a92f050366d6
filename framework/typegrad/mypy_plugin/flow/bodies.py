# pyright: reportPrivateUsage=false
# mypy has no public way to check a function again with other types of its parameters.
"""Calls of functions that leave shapes open: `def dense(x: Operand[F], units: int) -> Operand[F]`.

What such a function returns for the arguments of a call follows from its body. The plugin has mypy check the body
again, with the types of the arguments in place of the declared ones, and restores what mypy knew before. The result
gets the shape that all `return` statements have in common. An error in a body without branches is certain, so it is
reported at the call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, NamedTuple, TypeAlias, cast

from attrs import frozen
from mypy.binder import ConditionalTypeBinder
from mypy.checker import TypeChecker
from mypy.checker_shared import CheckerScope
from mypy.errors import ErrorInfo
from mypy.literals import literal_hash
from mypy.nodes import (
    ARG_STAR2,
    NOT_ABSTRACT,
    CallExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    SuperExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.typeops import get_all_type_vars
from mypy.types import CallableType, FunctionLike, Instance, LiteralType, Type, UnionType, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, SHAPE
from typegrad.mypy_plugin.base.memory import Memory, forget_types, rechecking, restore_types
from typegrad.mypy_plugin.base.reporting import errors_in, is_refused, is_reported, report
from typegrad.mypy_plugin.base.syntax import is_self, may_skip, nodes_of, statements_of
from typegrad.mypy_plugin.calls.generics import parameters_of, sized_hook
from typegrad.mypy_plugin.flow.checks import Caller, Check, followed, note_types
from typegrad.mypy_plugin.flow.loops import is_certain, is_single_pass
from typegrad.mypy_plugin.reports.wording import operands_in
from typegrad.mypy_plugin.types.open_shapes import is_open, other_shape, with_shapes
from typegrad.mypy_plugin.types.widening import joined
from typegrad.mypy_plugin.values.bindings import has_fields
from typegrad.mypy_plugin.values.evaluation import expression_type
from typegrad.mypy_plugin.values.exact import exact_type, type_of_call
from typegrad.mypy_plugin.values.objects import Types, attributes_in, with_attributes
from typegrad.mypy_plugin.values.passed import (
    after_init,
    attributes_of,
    called_with,
    field_types,
    fields_of,
    is_overridden,
    made_object,
    passed_types,
)
from typegrad.mypy_plugin.values.reading import bindings_of, defines

__all__ = ["body_hook", "constructor_of", "held_hook", "is_followed"]

_MOST_NESTED: Final = 6
"""How many calls within calls are followed."""
_METACLASSES: Final = frozenset({"abc.ABCMeta", "builtins.type"})


@frozen
class _Outcome:
    """What a check of a body has found."""

    common_result: Type | None
    """The type that all `return` statements have in common."""
    exact_result: Type | None
    """The type of what the only `return` makes, with the types of its parts."""
    attributes: Types
    """The types of the attributes of `self` that the body assigns."""
    errors: Sequence[ErrorInfo]


_NOTHING: Final = _Outcome(None, None, {}, ())
_outcomes: Final = Memory[tuple[object, ...], _Outcome]()
_checks: Final = Memory[tuple[object, ...], Check]()
_errors: Final = Memory[tuple[FuncDef, int], Sequence[ErrorInfo]]()
_straight: Final = Memory[FuncDef, bool]()
_with_operands: Final = Memory[tuple[FuncDef, int], bool]()


class _RunningBody(NamedTuple):
    """A function whose body is being checked."""

    function: FuncDef
    attributes: Types
    """The types of the attributes of its `self`."""
    scope: CheckerScope
    """Where it was called."""
    check: Check


_running: Final[list[_RunningBody]] = []


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
    is_generic = not function.info and any(map(_has_variables, type_.arg_types))
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


def _has_operands(checker: TypeChecker, function: FuncDef) -> bool:
    """Whether a method has operands in its signature, or in the attributes of its class."""
    key = function, checker.pass_num
    if key not in _with_operands:
        signature = get_proper_type(function.type)
        names = {name: symbol.type for info in reversed(function.info.mro) for name, symbol in info.names.items()}
        types = [each for each in names.values() if not isinstance(get_proper_type(each), CallableType)]
        if isinstance(signature, CallableType):
            types += [*signature.arg_types, signature.ret_type]
        _with_operands[key] = any(any(operands_in(type_)) for type_ in types)
    return _with_operands[key]


def _has_variables(type_: Type) -> bool:
    """Whether a value, which is no function, is of a type with type variables that are not narrowed to a number."""
    variables = [] if isinstance(get_proper_type(type_), FunctionLike) else get_all_type_vars(type_)
    return not all(isinstance(get_proper_type(each.upper_bound), LiteralType) for each in variables)


_Hook: TypeAlias = Callable[[FunctionContext | MethodContext], Type]


def body_hook(ctx: FunctionContext | MethodContext, function: FuncDef, own: _Hook | None) -> Type:
    """The type of the result with the shapes that follow from the body; an error in the body is reported.

    `own` is the hook that checks type variables, if there are any.
    """
    default = ctx.default_return_type if own is None else own(ctx)
    checker = checker_of(ctx.api)
    if not _has_body(checker, function):
        return default
    if own is not None and is_refused(ctx.api, ctx.context):
        return default
    attributes = _attributes(ctx, function)
    if attributes is None:
        return default
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    is_inner = isinstance(callee, NameExpr) and callee.node is function and function.name not in checker.tree.names
    captured = _captured(checker, function) if is_inner else {}
    call = ctx.context if isinstance(ctx.context, CallExpr) else None
    outcome = _outcome(ctx.api, function, {**captured, **passed_types(ctx, function)}, attributes, call)
    if outcome.errors and _is_straight(function) and not _is_of_several(ctx, function):
        _report_error_in_body(ctx, function, outcome.errors)
        return default
    if outcome.common_result is None:
        return default
    _report_other_shape(ctx, function, default, outcome.common_result)
    return with_shapes(default, outcome.common_result)


def _report_error_in_body(ctx: FunctionContext | MethodContext, function: FuncDef, errors: Sequence[ErrorInfo]) -> None:
    """Report the first error of a body at the call, unless the body is wrong by itself, as mypy reports that there."""
    # mypy itself compares element types with the declared ones.
    error = next((each for each in errors if each.code in (CALL, SHAPE)), None)
    if error is None or _known_errors(ctx.api, function):
        return
    place = "" if "; in " in error.message else f"; in {_shown(function)}, line {error.line}"
    message = error.message + place
    is_known = is_reported(ctx.api, message) and not _is_right_elsewhere(function)
    if not is_known and not is_reported(ctx.api, error.message, error.line):
        report(ctx.api, error.code or SHAPE, message, ctx.context)


def _report_other_shape(ctx: FunctionContext | MethodContext, function: FuncDef, declared: Type, result: Type) -> None:
    """Report a result of another shape than the declared one."""
    shapes = other_shape(declared, result)
    if shapes is not None and not _known_errors(ctx.api, function):
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


def _is_right_elsewhere(function: FuncDef) -> bool:
    """Whether another call of a function is right, so that a mistake is in the calls and not in the body."""
    return any(key[0] is function and key[1] and not outcome.errors for key, outcome in _outcomes.items())


def _has_body(checker: TypeChecker, function: FuncDef) -> bool:
    """Whether a function has a body in the checked file, which deals with operands if it is a method."""
    is_here = not checker.tree.is_stub and defines(checker.tree, function)
    return is_here and (not function.info or _has_operands(checker, function))


def held_hook(ctx: FunctionContext | MethodContext) -> Type:
    """The type of a call of a function inside another one, or of a function that a parameter or an attribute holds."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(callee, (MemberExpr, NameExpr)) or literal_hash(callee) is None:
        return ctx.default_return_type
    is_inner = isinstance(callee.node, FuncDef)
    function = callee.node if is_inner else _definition(checker_of(ctx.api).binder.get(callee))
    if not isinstance(function, FuncDef):
        return ctx.default_return_type
    parameters = parameters_of(function)
    own = partial(sized_hook, parameters=parameters) if parameters.sizes else None
    if is_followed(function):
        return body_hook(ctx, function, own)
    return ctx.default_return_type if own is None else own(ctx)


def _definition(type_: Type | None) -> SymbolNode | None:
    """The function that a type is of."""
    proper = None if type_ is None else get_proper_type(type_)
    return proper.definition if isinstance(proper, CallableType) else None


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
        return _own_attributes(checker_of(ctx.api), cast("Var", owner.node)) if is_known else None
    if isinstance(ctx, MethodContext) and owner is not None:
        attributes = attributes_in(exact_type(ctx.api, owner, ctx.type))
        if attributes is not None:
            names = function.info.names
            return {name: each for name, each in attributes.items() if name not in names or each != names[name].type}
    return None if is_overridden(ctx, function) else {}


def _with_last(api: CheckerPluginInterface, info: TypeInfo, fields: Types, function: FuncDef | None = None) -> Types:
    """The fields of an object, and the attributes that its class assigns behind the constructor."""
    last = after_init(info)
    return fields if last in (None, function) else {**_outcome(api, last, {}, fields).attributes, **fields}


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
    return None if types is None else _outcome(api, function, types, {}).exact_result


def _object(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> Type | None:
    """The type of a new object with the attributes that its constructor assigns."""
    if info.type_vars or info.module_name != checker_of(api).tree.fullname:
        return None
    whole = Instance(info, [])
    if has_fields(info):
        return with_attributes(whole, _with_last(api, info, fields_of(api, made, info)))
    constructor = made_object(api, made, info) if constructor_of(info) is not None else None
    return None if constructor is None else with_attributes(whole, _outcome(api, *constructor, {}).attributes)


def _own_attributes(checker: TypeChecker, own: Var) -> Types:
    """The types of the attributes of the `self` of a function whose body is being checked."""
    known = next((each.attributes for each in reversed(_running) if _self(each.function) is own), {})
    function = checker.scope.current_function()
    is_own = isinstance(function, FuncDef) and _self(function) is own
    if not isinstance(function, FuncDef) or not is_own:
        return known
    return {**known, **attributes_of(checker, function, has_run=False)}


def _self(function: FuncDef) -> Var | None:
    return function.arguments[0].variable if function.info and not function.is_static else None


def _outcome(
    api: CheckerPluginInterface, function: FuncDef, types: Types, attributes: Types, call: CallExpr | None = None
) -> _Outcome:
    """What a check of the body finds, with these types of parameters and attributes."""
    checker = checker_of(api)
    is_running = function in checker.scope.stack or any(function in each.scope.stack for each in _running)
    if is_running or len(_running) == _MOST_NESTED:
        return _NOTHING
    key = (function, _key(types), _key(attributes), checker.pass_num, is_certain())
    if types or attributes:
        followed[function] = True
    check = _checks.setdefault(key, Check())
    caller = Caller(checker.scope.current_function(), call, is_single_pass())
    check.callers.add(_running[-1].check if _running else caller)
    if key not in _outcomes:
        with _entered(function, attributes, checker.scope, check):
            known = None if types or attributes else _from_first_check(checker, function)
            _outcomes[key] = known or _checked(checker, function, types, attributes)
    return _outcomes[key]


def _known_errors(api: CheckerPluginInterface, function: FuncDef) -> Sequence[ErrorInfo]:
    """The errors of a body that mypy reports there, whatever is passed."""
    checker = checker_of(api)
    key = function, checker.pass_num
    if key not in _errors:
        with _entered(function, {}, checker.scope, Check()):
            _errors[key] = _checked(checker, function, {}, {}).errors
    return _errors[key]


def _from_first_check(checker: TypeChecker, function: FuncDef) -> _Outcome | None:
    """What mypy has found with the declared types; None if it has not checked the body yet."""
    is_deferred = checker.pass_num > 0 or any(each.node is function for each in checker.deferred_nodes)
    exprs = [each for each in nodes_of(function.body) if isinstance(each, Expression) and checker.has_type(each)]
    if is_deferred or not exprs:
        return None
    return _collected(checker, function, {expr: checker.lookup_type(expr) for expr in exprs}, ())


def _key(types: Types) -> tuple[object, ...]:
    """A key that is equal for equal types. Types of functions are equal if their signatures and definitions are."""
    return tuple((name, types[name], _definition(types[name])) for name in sorted(types))


@contextmanager
def _entered(function: FuncDef, attributes: Types, scope: CheckerScope, check: Check) -> Generator[None]:
    _running.append(_RunningBody(function, attributes, scope, check))
    try:
        yield
    finally:
        _running.pop()


def _checked(checker: TypeChecker, function: FuncDef, types: Types, attributes: Types) -> _Outcome:
    nodes = list(nodes_of(function.body))
    with _as_before(checker, function, nodes), rechecking(), checker.binder.top_frame_context():
        variables = {
            each.name: each.node for each in nodes if isinstance(each, NameExpr) and isinstance(each.node, Var)
        }
        variables |= {argument.variable.name: argument.variable for argument in function.arguments}
        for name, type_ in types.items():
            first, *fields = name.split(".")
            checker.binder.put(_member(variables[first], fields), type_)
        own = _self(function)
        if own is not None:
            for name, type_ in attributes.items():
                checker.binder.put(_member(own, name.split(".")), type_)
        with checker.enter_partial_types(is_function=True):
            errors = errors_in(checker, function.body)
        if checker.current_node_deferred:
            return _NOTHING
        return _collected(checker, function, checker._type_maps[-1], errors)


def _collected(
    checker: TypeChecker, function: FuncDef, types: Mapping[Expression, Type], errors: Sequence[ErrorInfo]
) -> _Outcome:
    """What the types of the expressions in a body say."""
    is_generic = any(map(_has_variables, cast("CallableType", function.type).arg_types))
    if is_generic and any(map(_has_variables, types.values())):  # no arguments tell their values
        return _NOTHING
    note_types(_running[-1].check, types)
    returned = [each.expr for each in statements_of(function) if isinstance(each, ReturnStmt) and each.expr is not None]
    results = [checker.lookup_type(each) for each in returned if checker.has_type(each)]
    result = joined(checker, results) if results else None
    made = exact_type(checker, returned[0], results[0]) if len(results) == len(returned) == 1 else None
    is_closed = result is not None and not get_all_type_vars(result)
    attributes = {**_of_base(checker, function), **attributes_of(checker, function)}
    return _Outcome(result if is_closed else None, made, attributes, errors)


def _of_base(checker: TypeChecker, function: FuncDef) -> Types:
    """The attributes that a constructor has its base class assign, by a statement `super().__init__(8, 4)`."""
    statements = function.body.body if function.name == "__init__" else ()
    calls = [each.expr for each in statements if isinstance(each, ExpressionStmt) and isinstance(each.expr, CallExpr)]
    call = next((each for each in calls if isinstance(each.callee, SuperExpr) and each.callee.name == "__init__"), None)
    below = [info for info in bindings_of(checker.tree).classes if function.info in info.mro]
    if call is None or any(len(info.bases) > 1 for info in below):  # else `super()` may mean another class
        return {}
    base = next((info.names["__init__"].node for info in function.info.mro[1:] if "__init__" in info.names), None)
    if not isinstance(base, FuncDef) or not _has_body(checker, base):
        return {}
    types = called_with(checker, call, base, 1)
    return {} if types is None else _outcome(checker, base, types, {}).attributes


def _member(variable: Var, fields: Sequence[str]) -> NameExpr | MemberExpr:
    """A use of a variable, or of a field of a field of it."""
    result: NameExpr | MemberExpr = NameExpr(variable.name)
    result.node = variable
    for field in fields:
        result = MemberExpr(result, field)
    return result


@contextmanager
def _as_before(checker: TypeChecker, function: FuncDef, nodes: Sequence[Node]) -> Generator[None]:
    """Put mypy in the state in which it checks the body of a function, and afterwards back."""
    binder, scope, is_deferred, deferred = (
        checker.binder, checker.scope, checker.current_node_deferred, len(checker.deferred_nodes),
    )  # fmt: skip
    variables = {variable: variable.type for variable in _assigned(function, nodes)}
    known = forget_types(checker, function.body)
    signature = get_proper_type(function.type)
    assert isinstance(signature, CallableType)
    checker.binder, checker.scope = ConditionalTypeBinder(checker.options), CheckerScope(checker.tree)
    checker.return_types.append(signature.ret_type)
    checker._type_maps.append({})
    checker.current_node_deferred = False
    if function.info:
        checker.scope.stack.append(function.info)
    checker.scope.stack.append(function)
    try:
        yield
    finally:
        checker.binder, checker.scope, checker.current_node_deferred = binder, scope, is_deferred
        del checker.deferred_nodes[deferred:]
        checker.return_types.pop()
        checker._type_maps.pop()
        restore_types(known)
        for variable, type_ in variables.items():
            variable.type = type_


def _assigned(function: FuncDef, nodes: Sequence[Node]) -> Iterator[Var]:
    """The variables and attributes of `self` whose types mypy may infer in a body."""
    for node in nodes:
        if isinstance(node, NameExpr) and isinstance(node.node, Var):
            yield node.node
        elif isinstance(node, MemberExpr) and function.info:
            symbol = function.info.get(node.name)
            if symbol is not None and isinstance(symbol.node, Var):
                yield symbol.node


def _is_straight(function: FuncDef) -> bool:
    """Whether a call runs all statements of the body."""
    if function not in _straight:
        nodes = list(nodes_of(function.body))
        returns = [node for node in nodes if isinstance(node, ReturnStmt)]
        in_loops = [node for loop in nodes if isinstance(loop, ForStmt) for node in nodes_of(loop)]
        branches = any(may_skip(node) for node in nodes if not isinstance(node, ReturnStmt))
        _straight[function] = not branches and (not returns or (len(returns) == 1 and returns[0] not in in_loops))
    return _straight[function]
