"""Names that may be None, behind an assignment that mypy refuses: the program has assigned a value, though a wrong one.

mypy keeps what a name was before, and so would refuse each use of `self.w` behind `if self.w is None: self.w = wrong`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from mypy import errorcodes as codes
from mypy.nodes import AssignmentStmt, MypyFile, NameExpr, Statement, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import Type
from mypy.types_utils import is_overlapping_none, remove_optional

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.reporting import told
from typegrad.mypy_plugin.base.syntax import is_own_attribute
from typegrad.mypy_plugin.flow.assignments import blocks
from typegrad.mypy_plugin.flow.stated_types import parameters_of, stated_type
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["MayBeNone", "narrow_refused", "optionals_in"]

MayBeNone: TypeAlias = tuple[AssignmentStmt, Type]
"""An assignment to a name or an attribute of `self`, and the declared type of that, which has None in it."""


def optionals_in(tree: MypyFile) -> Iterator[tuple[list[Statement], MayBeNone]]:
    """The assignments of a file to what may be None, each with the block that it is in."""
    for block, _, function in blocks(tree):
        parameters = {} if function is None else parameters_of(function)
        for statement in block:
            target = statement.lvalues[0] if isinstance(statement, AssignmentStmt) else None
            is_name = isinstance(target, NameExpr) and isinstance(target.node, Var) and not target.node.info
            is_known = is_name or (target is not None and is_own_attribute(target))
            type_ = stated_type(target, parameters) if is_known else None
            if isinstance(statement, AssignmentStmt) and type_ is not None and is_overlapping_none(type_):
                yield block, (statement, type_)


def narrow_refused(api: CheckerPluginInterface, optional: MayBeNone) -> None:
    """Let the target of such an assignment hold no None, if mypy refuses the value, which is not None."""
    statement, declared = optional
    lines = range(statement.line, (statement.end_line or statement.line) + 1)
    errors = (each for several in told(checker_of(api)) for each in several if each.line in lines)
    is_refused = any(each.code is codes.ASSIGNMENT for each in errors)
    if is_refused and not is_overlapping_none(expression_type(api, statement.rvalue)):
        checker_of(api).binder.put(statement.lvalues[0], remove_optional(declared))
