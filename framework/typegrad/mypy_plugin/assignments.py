"""Variables that are assigned several times.

mypy infers the type of a variable from its first assignment. With exact shapes, the second assignment would be an error
in `h = relu(h @ w1)`, `h = relu(h @ w2)`, although the program is right. The variable therefore gets the type of an
operand of any operation and any shape, and mypy narrows it to the exact type at each assignment, as it does for
variables of a union type.
"""

from __future__ import annotations

from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import Context, MypyFile, NameExpr, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import AnyType, Instance, TupleType, Type, TypeOfAny, get_proper_type

from typegrad.mypy_plugin.bindings import bindings_of
from typegrad.mypy_plugin.memory import Memory
from typegrad.mypy_plugin.operands import OPERAND, base_of

__all__ = ["assigned"]


def assigned(ctx: FunctionContext | MethodContext, type_: Type) -> Type:
    """The type of a call, widened if the call is the first value of a variable that is reassigned."""
    checker = cast("TypeChecker", ctx.api)
    target = _first_values(checker.tree).get(ctx.context)
    if target is None:
        return type_
    wide = _widened(type_)
    checker.binder.assign_type(target, type_, wide)
    return wide


def _widened(type_: Type) -> Type:
    """The type with its exact shape, operation and tuple length replaced by any."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return _any_tuple(proper)
    whole = base_of(proper, OPERAND) or proper
    if not isinstance(whole, Instance):
        return type_
    args = map(get_proper_type, whole.args)
    return whole.copy_modified(args=[_any_tuple(arg) if isinstance(arg, TupleType) else arg for arg in args])


def _any_tuple(tuple_: TupleType) -> Instance:
    return tuple_.partial_fallback.copy_modified(args=[AnyType(TypeOfAny.special_form)])


_files: Final = Memory[MypyFile, dict[Context, NameExpr]]()


def _first_values(tree: MypyFile) -> dict[Context, NameExpr]:
    """The first values of reassigned variables without annotation, each with its variable."""
    if tree not in _files:
        bindings = bindings_of(tree)
        _files[tree] = {
            bound.expr: target
            for target, bound in bindings.targets
            if bound is not None
            and not bound.path
            and target.is_inferred_def
            and isinstance(target.node, Var)
            and len(bindings.stores[target.node]) > 1
        }
    return _files[tree]
