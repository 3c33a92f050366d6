"""Overloads that arguments do not fit, which mypy need not try.

mypy checks the arguments of a call again for each overload that it tries, as what is expected there may change their
types. For `tg.Variable.create(scope, np.zeros((8, 4), np.float32))` it tries two overloads of `create`, and so comes
four times to `np.zeros`, of which it tries seven. What is expected changes neither the type of a plain argument, nor
that of an array whose dtype is known without it, nor does it make an array of an operand, if they are made of numbers
and classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.erasetype import erase_typevars, remove_instance_last_known_values
from mypy.nodes import (
    CallExpr,
    Expression,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    TupleExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    Overloaded,
    Type,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.arguments.wrong_calls import is_of_library
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.memory import Memory, OncePerCall
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, VARIABLE, base_of, union_items
from typegrad.mypy_plugin.base.syntax import is_plain_call, nodes_of
from typegrad.mypy_plugin.values.expression_types import has_types

__all__ = ["MADE_OF_ARRAYS", "MAKES_ARRAY", "fitting_signature", "may_fit", "without_arguments"]

MADE_OF_ARRAYS: Final = (f"{VARIABLE}.create", "typegrad.op.core.Constant.create")
"""The methods with many overloads that take an array."""
MAKES_ARRAY: Final = "numpy._core.multiarray._ConstructorEmpty.__call__"
"""The method by which `np.zeros` and the like are called."""
_PLAIN: Final = (IntExpr, MemberExpr, NameExpr, OpExpr, TupleExpr)
_Question = tuple[SymbolNode, tuple[str | None, ...], tuple[Type, ...]]

_overloads: Final = OncePerCall[frozenset[SymbolNode]]()
_known: Final = Memory[_Question, frozenset[SymbolNode]]()


def fitting_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of an overload of `np.zeros`, without parameters if another one is to be tried."""
    return ctx.default_signature if may_fit(ctx) else without_arguments(ctx.default_signature)


def without_arguments(signature: CallableType) -> CallableType:
    """The signature of an overload that mypy leaves out, as it takes another number of arguments."""
    return signature.copy_modified(arg_types=[], arg_kinds=[], arg_names=[])


def may_fit(ctx: MethodSigContext) -> bool:
    """Whether mypy has to try an overload: if the arguments may fit it, or if they are not known to fit any."""
    overload = ctx.default_signature.definition
    if overload is None:
        return True
    fitting = _overloads.get(ctx, lambda: _fitting(ctx))
    return not fitting or overload in fitting


def _fitting(ctx: MethodSigContext) -> frozenset[SymbolNode]:
    """The overloads that the arguments of a call may fit; none if that is not known."""
    call, method = ctx.context, _method(ctx)
    if not isinstance(call, CallExpr) or method is None or not is_plain_call(call):
        return frozenset()
    types = [_type(ctx.api, each) for each in call.args]
    known = [each for each in types if each is not None]
    if len(known) < len(types):
        return frozenset()
    question = method, tuple(call.arg_names), tuple(known)
    if question not in _known:
        overloads = method.type.items if isinstance(method.type, Overloaded) else []
        fitting = (each for each in overloads if _takes(each, not method.is_static, call.arg_names, known))
        _known[question] = frozenset(each.definition for each in fitting if each.definition is not None)
    return _known[question]


def _method(ctx: MethodSigContext) -> OverloadedFuncDef | None:
    """The overloaded method that is called: of the class by its name, or what calls an object."""
    owner, name = get_proper_type(ctx.type), "__call__"
    info = owner.type if isinstance(owner, Instance) else None
    if isinstance(owner, FunctionLike) and owner.is_type_obj() and isinstance(ctx.context, CallExpr):
        info, name = owner.type_object(), getattr(ctx.context.callee, "name", "")
    symbol = None if info is None else info.get(name)
    node = None if symbol is None else symbol.node
    return node if isinstance(node, OverloadedFuncDef) else None


def _type(api: CheckerPluginInterface, expr: Expression) -> Type | None:
    """The type of an argument, if it is the same whatever is expected; None for any other."""
    is_of_names = isinstance(expr, CallExpr) and is_of_library(expr) and all(map(_is_stated, expr.args))
    if not ((_is_plain(expr) or is_of_names) and has_types(expr)):
        return None
    checker = checker_of(api)
    with checker.msg.filter_errors():  # not what mypy knows from another pass of a loop
        type_ = get_proper_type(checker.expr_checker.accept(expr))
    is_made = _is_array(type_) or base_of(type_, OPERAND) is not None
    if isinstance(type_, (AnyType, UnionType)) or not (_is_plain(expr) or is_made):
        return None
    return remove_instance_last_known_values(type_)


def _is_plain(expr: Expression) -> bool:
    """Whether an expression consists of names, integers and tuples of such."""
    return all(isinstance(each, _PLAIN) for each in nodes_of(expr))


def _is_stated(expr: Expression) -> bool:
    """Whether it consists of these, without variables, of which more may be known when mypy asks again."""
    refs = [each for each in nodes_of(expr) if isinstance(each, RefExpr)]
    return _is_plain(expr) and all(each.fullname and not isinstance(each.node, Var) for each in refs)


def _is_array(type_: Type) -> bool:
    """Whether a type is that of an array with a known dtype."""
    dtype = get_proper_type(type_.args[1]) if isinstance(type_, Instance) and type_.type.fullname == ARRAY else None
    return isinstance(dtype, Instance) and all(isinstance(get_proper_type(each), Instance) for each in dtype.args)


def _takes(overload: CallableType, has_self: bool, names: Sequence[str | None], types: Sequence[Type]) -> bool:
    """Whether an overload may take arguments of these names and types."""
    parameters = [*zip(overload.arg_names, overload.arg_kinds, overload.arg_types, strict=True)][has_self:]
    taken: set[int] = set()
    for position, (name, type_) in enumerate(zip(names, types, strict=True)):
        named = (each for each, (parameter, _, _) in enumerate(parameters) if parameter == name)
        place = position if name is None else next(named, len(parameters))
        if place >= len(parameters) or (name is None and not parameters[place][1].is_positional()):
            return False
        if not any(is_subtype(type_, each) for each in _widest(parameters[place][2])):
            return False
        taken.add(place)
    return all(place in taken or not kind.is_required() for place, (_, kind, _) in enumerate(parameters))


def _widest(parameter: Type) -> Iterator[Type]:
    """Types that hold all that a parameter takes."""
    for item in union_items(parameter):
        types = (item.values or [item.upper_bound]) if isinstance(item, TypeVarType) else [item]
        yield from map(erase_typevars, types)
