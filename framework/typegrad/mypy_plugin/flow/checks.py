"""What checks of the bodies of functions with the types of calls, and of the passes of loops, say of expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen
from mypy.nodes import CallExpr, Expression, FuncItem
from mypy.types import Type

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.flow.loops import is_certain, types_by_pass

__all__ = ["Caller", "Check", "followed", "note_types", "types_in_calls"]


@frozen
class Caller:
    """A call in code that is not itself checked for a call."""

    function: FuncItem | None
    """The function around the call."""
    call: CallExpr | None
    is_single_pass: bool
    """Whether a single pass of a loop makes the call, and not what all passes have in common."""


@frozen(eq=False)
class Check:
    """A check of a body with certain types, and the calls that pass these types."""

    callers: set[Caller | Check] = field(factory=set)


followed: Final = Memory[FuncItem | None, bool]()
"""The functions of which a call was followed that passes more than the signature says."""
_in_calls: Final = Memory[Expression, list[tuple[Check, Type]]]()


def note_types(check: Check, types: Mapping[Expression, Type]) -> None:
    """Note the types of the expressions in a body that a check has found."""
    for expr, type_ in types.items() if is_certain() else ():
        _in_calls.setdefault(expr, []).extend((check, each) for each in types_by_pass.get(expr, [type_]))


def types_in_calls(expr: Expression) -> Sequence[Type]:
    """The types that an expression has in the calls that are followed, or in the passes of a loop."""
    types = _in_calls.get(expr, ())
    known = [type_ for check, type_ in types if _says_most(check)] or [type_ for _, type_ in types]
    return known or types_by_pass.get(expr, ())


def _says_most(check: Check) -> bool:
    """Whether a check is for a call whose arguments no other check knows better.

    Another one does if the call is in a function that is itself followed, or in a loop whose single passes are checked.
    """
    return any(_says_most(each) if isinstance(each, Check) else _is_last(each) for each in check.callers)


def _is_last(caller: Caller) -> bool:
    return caller.function not in followed and (caller.is_single_pass or caller.call not in types_by_pass)
