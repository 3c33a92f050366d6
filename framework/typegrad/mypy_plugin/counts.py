"""The number of outputs of operations with a list of them: `a, b = core.Split.create(scope, 1, x, num_split=3)`."""

from __future__ import annotations

from typing import Final

from attrs import frozen
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    StarExpr,
    TupleExpr,
)
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import Type

from typegrad.mypy_plugin.assignments import only_value
from typegrad.mypy_plugin.calls import Call
from typegrad.mypy_plugin.errors import SHAPE, report
from typegrad.mypy_plugin.evaluation import evaluate
from typegrad.mypy_plugin.memory import Memory

__all__ = ["LIST_ITEM", "LIST_OP", "check_unpacking", "item_hook", "remember_count", "unpacks"]

LIST_OP: Final = "typegrad.graph.wrapper.ListOp"
LIST_ITEM: Final = "builtins.list.__getitem__"


@frozen
class _Outputs:
    """The list of outputs of an operation: its name, and how many there are."""

    operation: str
    attribute: str
    output: str
    count: int

    def __str__(self) -> str:
        return f"{self.operation}: {self.attribute} is {self.count}"


_counts: Final = Memory[Context, _Outputs]()


def remember_count(made: Context, call: Call) -> None:
    """Store the number of outputs of the operation that an expression creates, if it has a list of them."""
    definition = call.definition.op
    lists = [output for output in definition.outputs if output.count]
    count = call.attrs[lists[0].count] if len(lists) == 1 and lists[0].count in call.attrs else None
    _counts.pop(made, None)
    if isinstance(count, int):
        _counts[made] = _Outputs(definition.class_name, lists[0].count, lists[0].name, count)


def unpacks(statement: Context) -> bool:
    """Whether a statement unpacks a value into a fixed number of names."""
    return isinstance(statement, AssignmentStmt) and any(
        isinstance(lvalue, TupleExpr) and not any(isinstance(item, StarExpr) for item in lvalue.items)
        for lvalue in statement.lvalues
    )


def check_unpacking(api: CheckerPluginInterface, statement: AssignmentStmt) -> None:
    """Report a list of outputs that is unpacked into more or fewer names."""
    known = _outputs(api, statement.rvalue)
    for lvalue in statement.lvalues:
        if known is not None and isinstance(lvalue, TupleExpr) and len(lvalue.items) != known.count:
            names = f"{len(lvalue.items)} names, but there are {known.count} outputs"
            report(api, SHAPE, f"{known}; the outputs are unpacked into {names}", statement)


def item_hook(ctx: MethodContext) -> Type:
    """Report an index out of range of a list of outputs."""
    expr = ctx.context
    known = _outputs(ctx.api, expr.base) if isinstance(expr, IndexExpr) else None
    index = None if known is None else evaluate(ctx.api, ctx.args[0][0], ctx.arg_types[0][0])
    if known is not None and isinstance(index, int) and not -known.count <= index < known.count:
        report(ctx.api, SHAPE, f"{known}; there is no output {index}", expr)
    return ctx.default_return_type


def _outputs(api: CheckerPluginInterface, expr: Expression | None) -> _Outputs | None:
    if isinstance(expr, NameExpr):
        expr = only_value(api, expr)
    if isinstance(expr, MemberExpr):
        owner = _outputs(api, expr.expr)
        return owner if owner is not None and owner.output == expr.name else None
    return _counts.get(expr) if isinstance(expr, CallExpr) else None
