# pyright: reportPrivateUsage=false
# mypy has no public way to check a function again with other types of its parameters.
"""Calls of functions that leave shapes open: `def dense(x: Operand[F], units: int) -> Operand[F]`.

What such a function returns for the arguments of a call follows from its body. The plugin has mypy check the body
again, with the types of the arguments in place of the declared ones, and restores what mypy knew before. The result
gets the shape that all `return` statements have in common. An error in a body without branches is certain, so it is
reported at the call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias, cast

from attrs import frozen
from mypy.binder import ConditionalTypeBinder
from mypy.checker import TypeChecker
from mypy.checker_shared import CheckerScope
from mypy.errors import ErrorInfo
from mypy.nodes import (
    ARG_STAR2,
    NOT_ABSTRACT,
    CallExpr,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.subtypes import is_subtype
from mypy.typeops import get_all_type_vars
from mypy.types import CallableType, Instance, TupleType, Type, get_proper_type

from typegrad.mypy_plugin.bindings import has_fields
from typegrad.mypy_plugin.dims import shape_of
from typegrad.mypy_plugin.errors import SHAPE, errors_in, is_refused, report
from typegrad.mypy_plugin.exact import constructs, exact_type
from typegrad.mypy_plugin.loops import may_skip
from typegrad.mypy_plugin.memory import Memory, another_pass, is_another_pass
from typegrad.mypy_plugin.objects import Types, attributes_in, with_attributes
from typegrad.mypy_plugin.operands import OPERAND, VARIABLE, base_of
from typegrad.mypy_plugin.passed import attributes_of, fields_of, is_overridden, made_object, passed_types
from typegrad.mypy_plugin.syntax import nodes_of
from typegrad.mypy_plugin.widening import joined
from typegrad.mypy_plugin.wording import operands_in

__all__ = ["body_hook", "constructor_of", "is_followed", "types_in_calls"]

_MOST_NESTED: Final = 6
"""How many calls within calls are followed."""
_METACLASSES: Final = frozenset({"abc.ABCMeta", "builtins.type"})


@frozen
class _Outcome:
    """What a check of a body has found."""

    result: Type | None
    """The type that all `return` statements have in common."""
    attributes: Types
    """The types of the attributes of `self` that the body assigns."""
    errors: Sequence[ErrorInfo]


_NOTHING: Final = _Outcome(None, {}, ())
_outcomes: Final = Memory["_Call", _Outcome]()
_straight: Final = Memory[FuncDef, bool]()
_with_operands: Final = Memory[tuple[FuncDef, int], bool]()
_Call: TypeAlias = tuple[object, ...]
"""A function, and the types of what is passed to it."""
_in_calls: Final = Memory[Expression, list[tuple[Type, _Call]]]()
"""The types of expressions in calls."""
_inner: Final = Memory[_Call, list[_Call]]()
"""The calls in the body of the function that is called."""
_certain: Final = Memory[_Call, None]()
"""The calls that run when the file does: those outside functions, and those that they lead to."""


@frozen
class _Running:
    """A function whose body is being checked, with the attributes of its `self`, and where it was called."""

    function: FuncDef
    attributes: Types
    scope: CheckerScope
    key: _Call


_running: Final[list[_Running]] = []


def types_in_calls(expr: Expression) -> Sequence[Type]:
    """The types that an expression in the body of a function has in the calls that are followed.

    A call in a function that is checked with the declared types of its parameters tells less than those that run.
    """
    found = _in_calls.get(expr, ())
    certain = [type_ for type_, call in found if call in _certain]
    return certain or [type_ for type_, _ in found]


def constructor_of(info: TypeInfo) -> SymbolNode | None:
    """The `__init__` that a call of a class runs; None if `__new__` or a metaclass may do otherwise."""
    new, init = info.get("__new__"), info.get("__init__")
    is_usual = info.metaclass_type is None or info.metaclass_type.type.fullname in _METACLASSES
    is_usual &= new is None or new.node is None or new.node.fullname == "builtins.object.__new__"
    return None if init is None or not is_usual else init.node


def is_followed(function: FuncDef) -> bool:
    """Whether the body of a function may tell more than its signature.

    It may for methods of classes with operands but without type variables, as attributes have open shapes, and for
    functions with open shapes in their signature.
    """
    type_ = get_proper_type(function.type)
    if not isinstance(type_, CallableType) or ARG_STAR2 in type_.arg_kinds:
        return False
    if function.is_generator or function.is_coroutine or function.is_class or function.abstract_status != NOT_ABSTRACT:
        return False
    is_method = bool(function.info) and not (function.info.type_vars or type_.variables)
    return is_method or any(map(_is_open, (*type_.arg_types, type_.ret_type)))


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


def _is_open(type_: Type) -> bool:
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return any(map(_is_open, proper.items))
    if not isinstance(proper, Instance):
        return False
    operand = base_of(proper, OPERAND)
    if operand is not None:
        static = shape_of(operand.args[1])
        dims = static.shape.dims
        return static.pattern is None if dims is None else None in dims
    return any(map(_is_open, proper.args))


_Hook: TypeAlias = Callable[[FunctionContext | MethodContext], Type]


def body_hook(ctx: FunctionContext | MethodContext, function: FuncDef, own: _Hook | None) -> Type:
    """The type of the result with the shapes that follow from the body; an error in the body is reported.

    `own` is the hook that checks type variables, if there are any.
    """
    default = ctx.default_return_type if own is None else own(ctx)
    module = function.info.module_name if function.info else function.fullname.rpartition(".")[0]
    checker = cast("TypeChecker", ctx.api)
    if module != checker.tree.fullname or (function.info and not _has_operands(checker, function)):
        return default
    if own is not None and is_refused(ctx.api, ctx.context):
        return default
    attributes = _attributes(ctx, function)
    if attributes is None:
        return default
    outcome = _outcome(ctx.api, function, passed_types(ctx, function), attributes)
    if outcome.errors and _is_straight(function):
        known = {(each.line, each.message) for each in _outcome(ctx.api, function, {}, {}).errors}
        # mypy itself compares element types with the declared ones.
        new = [each for each in outcome.errors if each.code is SHAPE and (each.line, each.message) not in known]
        for each in new[:1]:
            place = f"; in {_shown(function)}, line {each.line}"
            report(ctx.api, SHAPE, each.message if "; in " in each.message else each.message + place, ctx.context)
        return default
    return default if outcome.result is None else _with_shapes(default, outcome.result)


def _shown(function: FuncDef) -> str:
    return f"{function.info.name}.{function.name}" if function.info else function.name


def _attributes(ctx: FunctionContext | MethodContext, function: FuncDef) -> Types | None:
    """The types of the attributes of the object whose method is called; None if a subclass may override the method."""
    if not function.info or function.is_static:
        return {}
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo):
        return {}
    is_named = isinstance(callee, MemberExpr) and callee.name == function.name
    owner = callee.expr if isinstance(callee, MemberExpr) and is_named else callee
    if isinstance(ctx, MethodContext) and owner is not None:
        attributes = attributes_in(exact_type(ctx.api, owner, ctx.type))
        if attributes is not None:
            return attributes
    if is_overridden(ctx, function):
        return None
    own = owner.node if isinstance(owner, NameExpr) and isinstance(owner.node, Var) and owner.node.is_self else None
    return next((each.attributes for each in reversed(_running) if _self(each.function) is own), {}) if own else {}


@constructs
def _constructed(api: CheckerPluginInterface, made: CallExpr, info: TypeInfo) -> Type | None:
    """The type of a new object with the attributes that its constructor assigns."""
    if info.type_vars or info.module_name != cast("TypeChecker", api).tree.fullname:
        return None
    whole = Instance(info, [])
    if has_fields(info):
        return with_attributes(whole, fields_of(api, made, info))
    constructor = made_object(api, made, info) if constructor_of(info) is not None else None
    return None if constructor is None else with_attributes(whole, _outcome(api, *constructor, {}).attributes)


def _self(function: FuncDef) -> Var | None:
    return function.arguments[0].variable if function.info and not function.is_static else None


def _outcome(api: CheckerPluginInterface, function: FuncDef, types: Types, attributes: Types) -> _Outcome:
    """What a check of the body finds, with these types of parameters and attributes."""
    checker = cast("TypeChecker", api)
    is_running = function in checker.scope.stack or any(function in each.scope.stack for each in _running)
    if is_running or len(_running) == _MOST_NESTED:
        return _NOTHING
    key = (function, *(tuple(sorted(each.items(), key=_name)) for each in (types, attributes)), checker.pass_num)
    if _running:
        _inner.setdefault(_running[-1].key, []).append(key)
    if key not in _outcomes:
        _running.append(_Running(function, attributes, checker.scope, key))
        try:
            _outcomes[key] = _checked(checker, key, function, types, attributes)
        finally:
            _running.pop()
    if not _running and not any(isinstance(each, FuncItem) for each in checker.scope.stack):
        _note(key)
    return _outcomes[key]


def _note(call: _Call) -> None:
    """Note that a call runs when the file does."""
    if call not in _certain:
        _certain[call] = None
        for each in _inner.get(call, ()):
            _note(each)


def _name(item: tuple[str, Type]) -> str:
    return item[0]


def _checked(checker: TypeChecker, key: _Call, function: FuncDef, types: Types, attributes: Types) -> _Outcome:
    nodes = list(nodes_of(function.body))
    with _as_before(checker, function, nodes), another_pass(), checker.binder.top_frame_context():
        for argument in function.arguments:
            if argument.variable.name in types:
                checker.binder.put(_use(argument.variable), types[argument.variable.name])
        own = _self(function)
        if own is not None:
            for name, type_ in attributes.items():
                checker.binder.put(MemberExpr(_use(own), name), type_)
        with checker.enter_partial_types(is_function=True):
            errors = errors_in(checker, function.body)
        if checker.current_node_deferred:
            return _NOTHING
        for expr, type_ in checker._type_maps[-1].items():
            _in_calls.setdefault(expr, []).append((type_, key))
        returned = [each.expr for each in nodes if isinstance(each, ReturnStmt) and each.expr is not None]
        results = [checker.lookup_type(each) for each in returned if checker.has_type(each)]
        result = joined(checker, results) if results else None
        is_closed = result is not None and not get_all_type_vars(result)
        return _Outcome(result if is_closed else None, attributes_of(checker, function), errors)


def _use(variable: Var) -> NameExpr:
    name = NameExpr(variable.name)
    name.node = variable
    return name


@contextmanager
def _as_before(checker: TypeChecker, function: FuncDef, nodes: Sequence[Node]) -> Generator[None]:
    """Put mypy in the state in which it checks the body of a function, and afterwards back."""
    binder, scope, is_deferred, deferred = (
        checker.binder, checker.scope, checker.current_node_deferred, len(checker.deferred_nodes),
    )  # fmt: skip
    variables = {variable: variable.type for variable in _assigned(function, nodes)}
    exprs = [node for node in nodes if isinstance(node, Expression)]
    known = [(types, [(expr, types.pop(expr)) for expr in exprs if expr in types]) for types in checker._type_maps]
    signature = get_proper_type(function.type)
    assert isinstance(signature, CallableType)
    checker.binder, checker.scope = ConditionalTypeBinder(checker.options), CheckerScope(checker.tree)
    # From the expected type, mypy would infer the declared sizes of a variable.
    is_variable = base_of(signature.ret_type, VARIABLE) is not None
    checker.return_types.append(checker.named_type("builtins.object") if is_variable else signature.ret_type)
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
        for types, before in known:
            types.update(before)
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


def _with_shapes(default: Type, found: Type) -> Type:
    """The type of a result with the shapes of another one, where it leaves them open."""
    proper, other = get_proper_type(default), get_proper_type(found)
    if isinstance(proper, TupleType) and isinstance(other, TupleType) and len(proper.items) == len(other.items):
        items = [_with_shapes(item, each) for item, each in zip(proper.items, other.items, strict=True)]
        return proper.copy_modified(items=items)
    if not isinstance(proper, Instance) or not _is_open(proper):
        return default
    made = base_of(other, proper.type.fullname)
    if made is None or len(made.args) != len(proper.args) or not made.args:
        return default
    if base_of(proper, OPERAND) is None:
        return proper.copy_modified(args=[_with_shapes(*pair) for pair in zip(proper.args, made.args, strict=True)])
    has_rank = shape_of(proper.args[-1]).shape.dims is not None
    if has_rank and proper.type.fullname != OPERAND and not is_another_pass():
        return default  # a name that is bound to several variables keeps what the signature says of their sizes
    narrow = proper.copy_modified(args=[*proper.args[:-1], _with_sizes(proper.args[-1], made.args[-1])])
    return narrow if is_subtype(narrow, proper) else default


def _with_sizes(stated: Type, found: Type) -> Type:
    """A shape with the sizes of another one, where it leaves them open: `Any` is not more exact than `int`."""
    whole, other = get_proper_type(stated), get_proper_type(found)
    if not isinstance(whole, TupleType):
        return found
    dims = shape_of(other).shape.dims
    if not isinstance(other, TupleType) or dims is None or len(whole.items) != len(dims):
        return stated
    pairs = zip(whole.items, other.items, dims, strict=True)
    return whole.copy_modified(items=[item if dim is None else each for item, each, dim in pairs])
