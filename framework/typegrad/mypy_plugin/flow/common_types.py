"""Generic functions whose arguments hold operands that differ: `merge({"w": w}, {"b": b})`, `zip((w, b), gradients)`.

Lists and dicts are invariant in what they hold, so mypy finds no type for the `T` of `dict[str, T]` if the shapes
differ. There, the operands may have any shape, also those in a variable: the function may add the others to it. A
display beside a declared dict may hold what this one may: `ChainMap({x: 1.0}, feeds)`.

Operands are invariant in their element type, so the items of a tuple with several have only `object` in common. For a
function that goes through the tuple, they are operands of any type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

from mypy.checkexpr import has_uninhabited_component
from mypy.constraints import SUPERTYPE_OF, infer_constraints
from mypy.expandtype import expand_type
from mypy.nodes import (
    DictExpr,
    Expression,
    FuncDef,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OverloadedFuncDef,
    SetExpr,
    SymbolNode,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface, FunctionSigContext, MethodSigContext
from mypy.solve import solve_constraints
from mypy.subtypes import is_same_type
from mypy.typeops import get_all_type_vars
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    NoneType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE, base_of
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.expressions.refusals import type_of
from typegrad.mypy_plugin.flow.rebinding import redeclare, variable_of
from typegrad.mypy_plugin.types.symbols import any_tuple, instance
from typegrad.mypy_plugin.types.widening import CONTAINERS, holds_operands, of_any_shape

__all__ = ["common_signature", "shares_types"]

_DISPLAYS: Final = (DictExpr, ListExpr, SetExpr)
_OBJECT: Final = "builtins.object"
_ITERABLES: Final = ("typing.Collection", "typing.Iterable", "typing.Reversible", "typing.Sequence")
_Argument: TypeAlias = tuple[Type, Expression, Type]
"""The type of a parameter, the argument, and its type."""


def shares_types(function: SymbolNode | None) -> bool:
    """Whether a type variable of a function or a class may be in the types of several arguments."""
    if isinstance(function, TypeInfo):
        return bool(function.defn.type_vars)
    type_ = get_proper_type(function.type) if isinstance(function, (FuncDef, OverloadedFuncDef)) else None
    return any(map(_shared, type_.items)) if isinstance(type_, FunctionLike) else False


def _shared(signature: CallableType) -> frozenset[TypeVarId]:
    """The type variables of several parameters, or of one that takes several arguments."""
    uses: Counter[TypeVarId] = Counter()
    for type_, kind in zip(signature.arg_types, signature.arg_kinds, strict=True):
        uses.update({each.id: 1 + kind.is_star() for each in get_all_type_vars(type_)})
    return frozenset(name for name, count in uses.items() if count > 1)


def common_signature(ctx: FunctionSigContext | MethodSigContext) -> CallableType:
    """The signature for operands of any shape, if mypy finds no common type for the arguments as they are."""
    call, signature = ctx.context, _through_tuples(ctx)
    shared = _shared(signature)
    if not shared or not is_plain_call(call):
        return signature
    pairs = [
        (parameter, expr)
        for parameter, exprs in zip(signature.arg_types, ctx.args, strict=True)
        for expr in exprs
        if not isinstance(expr, LambdaExpr) and any(each.id in shared for each in get_all_type_vars(parameter))
    ]
    if len(pairs) < 2:
        return signature
    arguments: list[_Argument] = [(parameter, expr, type_of(ctx.api, expr)) for parameter, expr in pairs]
    if not any(_is_container(type_) for _, _, type_ in arguments) or _solved(signature, arguments):
        return signature
    opened: list[_Argument] = [(parameter, expr, of_any_shape(type_)) for parameter, expr, type_ in arguments]
    solution = _solved(signature, opened)
    if not solution:
        return _by_others(ctx.api, signature, arguments)
    for (_, expr, type_), (_, _, wide) in zip(arguments, opened, strict=True):
        _widen(ctx.api, expr, type_, wide)
    return _with_types(signature, solution)


def _by_others(api: CheckerPluginInterface, signature: CallableType, arguments: Sequence[_Argument]) -> CallableType:
    """The signature for the types that all arguments but displays have, if these displays can have them, too."""
    displays = [each for each in arguments if isinstance(each[1], _DISPLAYS)]
    solution = _solved(signature, [each for each in arguments if each not in displays]) if displays else {}
    if not solution:
        return signature
    checker = checker_of(api)
    with checker.msg.filter_errors() as errors:
        for parameter, expr, _ in displays:
            checker.expr_checker.accept(expr, expand_type(parameter, solution))
    return signature if errors.has_new_errors() else _with_types(signature, solution)


def _with_types(signature: CallableType, known: dict[TypeVarId, Type]) -> CallableType:
    """The signature with types in the place of type variables."""
    *types, result = [expand_type(each, known) for each in (*signature.arg_types, signature.ret_type)]
    others = [each for each in signature.variables if each.id not in known]
    return signature.copy_modified(arg_types=types, ret_type=result, variables=others)


def _through_tuples(ctx: FunctionSigContext | MethodSigContext) -> CallableType:
    """The signature for tuples of operands of several element types where it takes anything to iterate."""
    signature, known = ctx.default_signature, dict[TypeVarId, Type]()
    for parameter, exprs in zip(signature.arg_types, ctx.args, strict=True):
        variable = _item_of(parameter)
        item = _any_of(ctx.api, type_of(ctx.api, exprs[0])) if variable is not None and len(exprs) == 1 else None
        if variable is not None and item is not None:
            known[variable] = item
    return _with_types(signature, known) if known else signature


def _item_of(parameter: Type) -> TypeVarId | None:
    """The type variable of the items, of a parameter that takes anything to iterate."""
    proper = get_proper_type(parameter)
    is_iterable = isinstance(proper, Instance) and proper.type.fullname in _ITERABLES
    item = get_proper_type(proper.args[0]) if isinstance(proper, Instance) and is_iterable else None
    return item.id if isinstance(item, TypeVarType) else None


def _any_of(api: CheckerPluginInterface, type_: Type) -> Type | None:
    """The type of the items of a tuple of operands, or of variables, of several element types; None for others."""
    proper = get_proper_type(type_)
    items = UnionType.make_union(proper.items) if isinstance(proper, TupleType) else None
    parts = [get_proper_type(each) for each in items.items] if isinstance(items, UnionType) else []
    values = [each for each in parts if not isinstance(each, NoneType)]  # of gradients
    for class_ in (VARIABLE, OPERAND):
        known = [each for each in (base_of(item, class_) for item in values) if each is not None]
        if len(known) == len(values) and any(not is_same_type(each.args[0], known[0].args[0]) for each in known):
            item = instance(api, class_, [AnyType(TypeOfAny.special_form), any_tuple(api)])
            return item if len(values) == len(parts) else UnionType([item, NoneType()])
    return None


def _is_container(type_: Type) -> bool:
    """Whether a type is an object that holds operands, in containers if need be."""
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance) or base_of(proper, OPERAND) is not None:
        return False
    return any(holds_operands(each) or _is_container(each) for each in proper.args)


def _solved(signature: CallableType, arguments: Sequence[_Argument]) -> dict[TypeVarId, Type]:
    """The types of the type variables; none if a type variable has none but `object`."""
    constraints = [
        each for parameter, _, type_ in arguments for each in infer_constraints(parameter, type_, SUPERTYPE_OF)
    ]
    ids = {each.type_var for each in constraints}
    variables = [each for each in signature.variables if each.id in ids]
    types, _ = solve_constraints(variables, constraints)
    pairs = zip(variables, types, strict=True)
    known = {variable.id: type_ for variable, type_ in pairs if type_ and _is_useful(type_)}
    return known if len(known) == len(variables) else {}


def _is_useful(type_: Type) -> bool:
    proper = get_proper_type(type_)
    is_object = isinstance(proper, Instance) and proper.type.fullname == _OBJECT
    return not is_object and not has_uninhabited_component(proper)


def _widen(api: CheckerPluginInterface, expr: Expression, type_: Type, wide: Type) -> None:
    """Let a variable that holds a container of operands hold one of the type `wide`."""
    proper = get_proper_type(type_)
    is_container = isinstance(proper, Instance) and proper.type.fullname in CONTAINERS
    if not isinstance(expr, (MemberExpr, NameExpr)) or not is_container or is_same_type(type_, wide):
        return
    variable = variable_of(api, expr)
    if variable is not None:
        redeclare(api, expr, variable, wide, wide)
