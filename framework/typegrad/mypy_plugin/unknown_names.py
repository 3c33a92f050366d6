"""Names that modules and operands of typegrad lack: `math.Relu`, `x.reshape`; and modules that are called.

The messages are those at run time, which say what was meant. mypy alone says "Module has no attribute".
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from mypy.nodes import CallExpr, CastExpr, Expression, MemberExpr, MypyFile, NameExpr, RefExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, TypeOfAny

from typegrad.arguments.elsewhere import remedy
from typegrad.arguments.unknown import UnknownNameError
from typegrad.graph.operand import Operand
from typegrad.mypy_plugin.errors import CALL, report
from typegrad.mypy_plugin.operands import OPERAND, base_of
from typegrad.mypy_plugin.refusals import type_of

__all__ = ["is_called_module", "may_lack", "refuse_attribute", "refuse_module_call"]

_PACKAGE: Final = "typegrad"


def may_lack(member: MemberExpr) -> bool:
    """Whether an attribute is one that a module of typegrad lacks, or that all operands do."""
    if member.node is not None:
        return False
    module = _module(member.expr)
    if module is not None:
        return member.name not in module.names
    return isinstance(member.expr, (MemberExpr, NameExpr)) and _has_counterpart(member.name)


def refuse_attribute(api: CheckerPluginInterface, member: MemberExpr) -> None:
    """Report an attribute that does not exist, with what was meant."""
    owner, names = _owner(api, member)
    error = None if owner is None else UnknownNameError(owner, member.name, names)
    if error is not None and error.remedy:
        report(api, CALL, str(error), member)
        member.expr = _any(member.expr)


def is_called_module(call: CallExpr) -> bool:
    """Whether what is called is a module of typegrad."""
    return _module(call.callee) is not None


def refuse_module_call(api: CheckerPluginInterface, call: CallExpr) -> None:
    """Report a module that is called, with the class that was meant."""
    module = _module(call.callee)
    if module is not None:
        package, _, name = module.fullname.rpartition(".")
        report(api, CALL, f"module {module.fullname!r} is not a function{remedy(package, name)}", call)
        call.callee = _any(call.callee)


def _owner(api: CheckerPluginInterface, member: MemberExpr) -> tuple[type | str | None, list[str]]:
    """What lacks an attribute, and the attributes that a module has."""
    module = _module(member.expr)
    if module is not None:
        return module.fullname, list(module.names)
    type_ = type_of(api, member.expr)
    if not isinstance(type_, Instance) or base_of(type_, OPERAND) is None or type_.type.get(member.name) is not None:
        return None, []
    class_ = type_.type
    is_own = class_.fullname.startswith(f"{_PACKAGE}.")
    return (getattr(import_module(class_.module_name), class_.name) if is_own else None), []


def _module(expr: Expression) -> MypyFile | None:
    """The module of typegrad that an expression means."""
    node = expr.node if isinstance(expr, RefExpr) else None
    is_own = isinstance(node, MypyFile) and f"{node.fullname}.".startswith(f"{_PACKAGE}.")
    return node if isinstance(node, MypyFile) and is_own else None


@cache
def _has_counterpart(name: str) -> bool:
    """Whether operands lack an attribute that arrays or tensors have elsewhere."""
    return not name.startswith("_") and not hasattr(Operand, name) and bool(remedy(Operand, name))


def _any(expr: Expression) -> CastExpr:
    cast_expr = CastExpr(expr, AnyType(TypeOfAny.special_form))
    cast_expr.set_line(expr)
    return cast_expr
