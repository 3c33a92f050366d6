"""What mypy says of operands that are stored where there was None: in `states = [None] * 3`, or in a dict."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import AssignmentStmt, Context, Expression, IndexExpr, SymbolNode
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, NoneType, get_proper_type

from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.base.syntax import nodes_of, variable_key
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["reword_nones"]

_STORED: Final = re.compile(
    r'No overload variant of "__setitem__" of "(?P<list>list)" matches|'
    r'Incompatible types in assignment \(.*target has type "None"'
)
_NONE: Final = '"None"'
_LIST_OF_NONE: Final = "    def __setitem__(self, SupportsIndex, None, /) -> None"
_OF_NONE: Final = "; to type checkers it holds None alone, as it began so"
_TOLD: Final = {
    "builtins.list": f"{{0}} takes no operand{_OF_NONE}: begin with [] and append, or declare {{0}}: list[Any]",
    "builtins.dict": f"{{0}} takes no operand{_OF_NONE}: begin with {{{{}}}}, or declare {{0}}: dict[{{1}}, Any]",
}


def reword_nones(api: CheckerPluginInterface) -> None:
    """Replace what mypy says of operands in such a list or dict, and of what is read from it, by one error of each."""
    checker = checker_of(api)
    errors = errors_of(checker)
    is_list = any(each.message == _LIST_OF_NONE for each in errors)
    lines = {each.line for each in errors if _is_of_none(each, is_list=is_list)}
    told: set[SymbolNode | str] = set()
    for item in _items_stored(api, lines):
        key, type_ = variable_key(item.base), _type(api, item.base)
        if key is None or key in told or type_ is None:
            continue
        told.add(key)
        reading = (each for each in nodes_of(checker.tree) if isinstance(each, IndexExpr))
        read = {each.line for each in reading if variable_key(each.base) == key}
        drop(errors, [each for each in errors if each.line in read and (_NONE in each.message or each.line in lines)])
        keys = getattr(type_.args[0], "type", None)
        told_of = _TOLD[type_.type.fullname].format(source_of(item.base), getattr(keys, "name", "Any"))
        report(api, codes.ASSIGNMENT, told_of, Context(item.line, item.column))


def _is_of_none(error: ErrorInfo, *, is_list: bool) -> bool:
    found = _STORED.match(error.message)
    return found is not None and (is_list or found["list"] is None)


def _items_stored(api: CheckerPluginInterface, lines: Collection[int]) -> Iterator[IndexExpr]:
    """The items in some lines to which operands are assigned."""
    for node in nodes_of(checker_of(api).tree) if lines else ():
        if isinstance(node, AssignmentStmt) and node.line in lines:
            is_operand = base_of(expression_type(api, node.rvalue), OPERAND) is not None
            yield from (each for each in node.lvalues if is_operand and isinstance(each, IndexExpr))


def _type(api: CheckerPluginInterface, expr: Expression) -> Instance | None:
    """The type of a list or a dict of None; None for any other one."""
    type_ = get_proper_type(expression_type(api, expr))
    if not isinstance(type_, Instance) or type_.type.fullname not in _TOLD:
        return None
    return type_ if isinstance(get_proper_type(type_.args[-1]), NoneType) else None
