"""What calls assign by the names of attributes: `setattr`, and the functions of tests that replace attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mypy.nodes import ARG_POS, CallExpr, Expression, MemberExpr, NameExpr, StrExpr

__all__ = ["assigned_by"]

_SETTING: Final = frozenset({"delattr", "setattr"})
"""Python's functions, and the methods of pytest's `monkeypatch`."""
_PATCHING: Final = "patch"
"""The function of `unittest.mock`, whose `object` and `multiple` are functions, too."""


def assigned_by(call: CallExpr) -> Iterator[tuple[Expression, str]]:
    """The attributes that a call assigns: whose, and their names; "" for a name that only a run knows."""
    if not call.args or not isinstance(call.callee, (MemberExpr, NameExpr)):
        return
    owner = call.args[0]
    if call.callee.name in _SETTING or _patches(call.callee):
        named = owner if isinstance(owner, StrExpr) else _second(call)  # `patch("model.WIDTH", 4)`
        yield owner, named.value.rpartition(".")[2] if isinstance(named, StrExpr) else ""
        yield from ((owner, each) for each in call.arg_names if each is not None)  # `patch.multiple(model, WIDTH=4)`


def _patches(callee: MemberExpr | NameExpr) -> bool:
    if callee.name == _PATCHING:
        return True
    owner = callee.expr if isinstance(callee, MemberExpr) and callee.name in ("multiple", "object") else None
    return isinstance(owner, (MemberExpr, NameExpr)) and owner.name == _PATCHING


def _second(call: CallExpr) -> Expression | None:
    return call.args[1] if call.arg_kinds[1:2] == [ARG_POS] else None
