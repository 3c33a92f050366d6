# mypy has no public way to check a function again with other types of its parameters.
"""What mypy finds in the body of a function when it checks it with the types that a call passes.

It checks the body with these in place of the declared types; then what it knew before is restored.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, TypeAlias, cast

from attrs import frozen
from mypy.binder import ConditionalTypeBinder
from mypy.checker import TypeChecker
from mypy.checker_shared import CheckerScope
from mypy.errors import ErrorInfo
from mypy.nodes import (
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SuperExpr,
    SymbolNode,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.typeops import get_all_type_vars
from mypy.types import CallableType, FunctionLike, LiteralType, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory, forget_types, rechecking, restore_types
from typegrad.mypy_plugin.base.reporting import errors_in
from typegrad.mypy_plugin.base.syntax import nodes_of, statements_of
from typegrad.mypy_plugin.reports.wording import operands_in
from typegrad.mypy_plugin.types.open_shapes import is_open
from typegrad.mypy_plugin.types.widening import joined
from typegrad.mypy_plugin.values.exact import exact_type
from typegrad.mypy_plugin.values.objects import Types
from typegrad.mypy_plugin.values.passed_types import (
    attributes_of,
    called_with,
)
from typegrad.mypy_plugin.values.reading import bindings_of, defines

__all__ = [
    "function_of",
    "has_body",
    "has_variables",
    "is_right_elsewhere",
    "known_errors",
    "outcome_of",
    "own_attributes",
]

_MOST_NESTED: Final = 6
"""How many calls within calls are followed."""


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
_Key: TypeAlias = tuple[tuple[str, Type, SymbolNode | None], ...]
_outcomes: Final = Memory[tuple[FuncDef, _Key, _Key, int], _Outcome]()
_errors: Final = Memory[tuple[FuncDef, int], Sequence[ErrorInfo]]()
_with_operands: Final = Memory[tuple[FuncDef, int], bool]()


class _RunningBody(NamedTuple):
    """A function whose body is being checked."""

    function: FuncDef
    attributes: Types
    """The types of the attributes of its `self`."""
    scope: CheckerScope
    """Where it was called."""


_running: Final[list[_RunningBody]] = []


def has_variables(type_: Type) -> bool:
    """Whether a value, which is no function, is of a type with type variables that are not narrowed to a number."""
    variables = [] if isinstance(get_proper_type(type_), FunctionLike) else get_all_type_vars(type_)
    return not all(isinstance(get_proper_type(each.upper_bound), LiteralType) for each in variables)


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


def has_body(checker: TypeChecker, function: FuncDef) -> bool:
    """Whether a function has a body in the checked file, which deals with operands if it is a method."""
    is_here = not checker.tree.is_stub and defines(checker.tree, function)
    return is_here and (not function.info or _has_operands(checker, function))


def function_of(type_: Type | None) -> SymbolNode | None:
    """The function that a type is of."""
    proper = None if type_ is None else get_proper_type(type_)
    return proper.definition if isinstance(proper, CallableType) else None


def outcome_of(api: CheckerPluginInterface, function: FuncDef, types: Types, attributes: Types) -> _Outcome:
    """What a check of the body finds, with these types of parameters and attributes."""
    checker = checker_of(api)
    is_running = function in checker.scope.stack or any(function in each.scope.stack for each in _running)
    if is_running or len(_running) == _MOST_NESTED:
        return _NOTHING
    key = (function, _key(types), _key(attributes), checker.pass_num)
    if key not in _outcomes:
        with _entered(function, attributes, checker.scope):
            known = None if types or attributes else _from_first_check(checker, function)
            _outcomes[key] = known or _checked(checker, function, types, attributes)
    return _outcomes[key]


def known_errors(api: CheckerPluginInterface, function: FuncDef) -> Sequence[ErrorInfo]:
    """The errors of a body that mypy reports there, whatever is passed."""
    checker = checker_of(api)
    key = function, checker.pass_num
    if key not in _errors:
        with _entered(function, {}, checker.scope):
            _errors[key] = _checked(checker, function, {}, {}).errors
    return _errors[key]


def is_right_elsewhere(function: FuncDef) -> bool:
    """Whether another call of a function is right, so that a mistake is in the calls and not in the body."""
    return any(
        key[0] is function and key[1] and not outcome.errors and _tells_shapes(function, key[1])
        for key, outcome in _outcomes.items()
    )


def _tells_shapes(function: FuncDef, passed: _Key) -> bool:
    """Whether the shapes of all arguments are known, so that an error would be found."""
    signature, types = get_proper_type(function.type), {name: type_ for name, type_, _ in passed}
    if not isinstance(signature, CallableType):
        return False
    declared = zip(signature.arg_names, signature.arg_types, strict=True)
    return not any(is_open(types.get(name or "", type_)) for name, type_ in declared)


def own_attributes(checker: TypeChecker, own: Var) -> Types:
    """The types of the attributes of the `self` of a function whose body is being checked."""
    known = next((each.attributes for each in reversed(_running) if _self(each.function) is own), {})
    function = checker.scope.current_function()
    is_own = isinstance(function, FuncDef) and _self(function) is own
    if not isinstance(function, FuncDef) or not is_own:
        return known
    return {**known, **attributes_of(checker, function, has_run=False)}


def _self(function: FuncDef) -> Var | None:
    return function.arguments[0].variable if function.info and not function.is_static else None


def _from_first_check(checker: TypeChecker, function: FuncDef) -> _Outcome | None:
    """What mypy has found with the declared types; None if it has not checked the body yet."""
    is_deferred = checker.pass_num > 0 or any(each.node is function for each in checker.deferred_nodes)
    exprs = [each for each in nodes_of(function.body) if isinstance(each, Expression) and checker.has_type(each)]
    if is_deferred or not exprs:
        return None
    return _collected(checker, function, map(checker.lookup_type, exprs), ())


def _key(types: Types) -> _Key:
    """A key that is equal for equal types. Types of functions are equal if their signatures and definitions are."""
    return tuple((name, types[name], function_of(types[name])) for name in sorted(types))


@contextmanager
def _entered(function: FuncDef, attributes: Types, scope: CheckerScope) -> Generator[None]:
    _running.append(_RunningBody(function, attributes, scope))
    try:
        yield
    finally:
        _running.pop()


def _checked(checker: TypeChecker, function: FuncDef, types: Types, attributes: Types) -> _Outcome:
    """What mypy finds in the body with these types of parameters and attributes in place of the declared ones."""
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
        return _collected(checker, function, checker._type_maps[-1].values(), errors)


def _collected(checker: TypeChecker, function: FuncDef, types: Iterable[Type], errors: Sequence[ErrorInfo]) -> _Outcome:
    """What the types of the expressions in a body say."""
    is_generic = any(map(has_variables, cast("CallableType", function.type).arg_types))
    if is_generic and any(map(has_variables, types)):  # no arguments tell their values
        return _NOTHING
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
    if not isinstance(base, FuncDef) or not has_body(checker, base):
        return {}
    types = called_with(checker, call, base, 1)
    return {} if types is None else outcome_of(checker, base, types, {}).attributes


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
