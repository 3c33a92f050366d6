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
    ListExpr,
    MemberExpr,
    NameExpr,
    SliceExpr,
    StarExpr,
    TupleExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface, MethodContext
from mypy.types import Instance, TupleType, Type, get_proper_type

from typegrad.base.brief import counted
from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arguments.sizes import known_dims
from typegrad.mypy_plugin.arrays.ndarrays import array_of
from typegrad.mypy_plugin.arrays.numpy_refusals import is_fetched
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL, SHAPE
from typegrad.mypy_plugin.base.dims import shape_of, shape_type
from typegrad.mypy_plugin.base.expected import is_caught
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import report
from typegrad.mypy_plugin.base.syntax import is_plain
from typegrad.mypy_plugin.calls.creation import Call
from typegrad.mypy_plugin.values.evaluation import evaluate, slice_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.following import only_value
from typegrad.mypy_plugin.values.session_calls import fetches_of

__all__ = [
    "LIST_ITEM",
    "LIST_OP",
    "check_unpacking",
    "item_hook",
    "miscounted",
    "narrow_outputs",
    "remember_count",
    "unpacks",
]

LIST_OP: Final = "typegrad.graph.wrapper.ListOp"
LIST_ITEM: Final = "builtins.list.__getitem__"
_RUNNER: Final = "typegrad.session.runner.Runner"


@frozen
class _Outputs:
    """The list of outputs of an operation: its name, and how many there are."""

    operation: str
    attribute: str
    output: str
    count: int
    shapes: tuple[Shape, ...]
    """Their shapes; empty if these are not known."""

    def __str__(self) -> str:
        return f"{self.operation}: {self.attribute} is {self.count}"

    def item(self, api: CheckerPluginInterface, position: int, common: Type) -> Type:
        """The type of one of them, whose shape is more exact than what all have in common."""
        proper = get_proper_type(common)
        if not isinstance(proper, Instance) or not proper.args or len(self.shapes) != self.count:
            return common
        is_gradual = shape_of(proper.args[-1]).is_gradual
        shape = shape_type(api, self.shapes[position], is_gradual=is_gradual)
        return common if shape is None else proper.copy_modified(args=[*proper.args[:-1], shape])


_counts: Final = Memory[Context, _Outputs]()


def remember_count(made: Context, call: Call | None) -> None:
    """Store the number of outputs of the operation that an expression creates, if it is not wrong and has a list."""
    _counts.pop(made, None)
    if call is None:
        return
    definition = call.definition.op
    lists = [output for output in definition.outputs if output.count]
    count = call.attrs[lists[0].count] if len(lists) == 1 and lists[0].count in call.attrs else None
    if isinstance(count, int):
        _counts[made] = _Outputs(definition.class_name, lists[0].count, lists[0].name, count, call.outputs)


def unpacks(statement: Context) -> bool:
    """Whether a statement unpacks a value into a fixed number of names."""
    return isinstance(statement, AssignmentStmt) and any(
        isinstance(lvalue, TupleExpr) and not any(isinstance(item, StarExpr) for item in lvalue.items)
        for lvalue in statement.lvalues
    )


def check_unpacking(api: CheckerPluginInterface, statement: AssignmentStmt) -> None:
    """Report a list of outputs, or of fetches, that is unpacked into more or fewer names."""
    known, fetches = _outputs(api, statement.rvalue), _fetches(api, statement.rvalue)
    dims, rows = known_dims(api, _shape(statement.rvalue)), _rows(api, statement.rvalue)
    if (dims or rows is not None) and is_caught(checker_of(api).tree, statement):
        dims, rows = None, None
    for lvalue in statement.lvalues:
        names = len(lvalue.items) if isinstance(lvalue, TupleExpr) else None
        if known is not None and names not in (None, known.count):
            into = f"unpacked into {counted(names or 0, 'name')}, but there {'is' if known.count == 1 else 'are'}"
            report(api, SHAPE, f"{known}; the outputs are {into} {counted(known.count, 'output')}", statement)
        if fetches is not None and names not in (None, fetches):
            what = "1 fetch is" if fetches == 1 else f"{fetches} fetches are"
            report(api, CALL, f"run: {what} unpacked into {counted(names or 0, 'name')}", statement)
        if dims is not None and names not in (None, len(dims)):
            sizes = f"{Shape(dims)} has {counted(len(dims), 'size')}"
            report(api, SHAPE, f"the shape {sizes}, but is unpacked into {counted(names or 0, 'name')}", statement)
        if rows is not None and names not in (None, rows):
            into = f"unpacked into {counted(names or 0, 'name')}"
            report(api, SHAPE, f"an array with {counted(rows, 'item')} is {into}", statement)


def miscounted(api: CheckerPluginInterface, statement: AssignmentStmt) -> list[NameExpr]:
    """The names for a list of outputs of which there are more or fewer."""
    known = _outputs(api, statement.rvalue)
    targets = [each.items for each in statement.lvalues if isinstance(each, TupleExpr)]
    wrong = [items for items in targets if known is not None and len(items) != known.count]
    return [item for items in wrong for item in items if isinstance(item, NameExpr)]


def _shape(expr: Expression) -> Expression:
    """The shape whose sizes are taken: that of `x.shape.as_ints()`, or the expression itself."""
    callee = expr.callee if isinstance(expr, CallExpr) else None
    return callee.expr if isinstance(callee, MemberExpr) and callee.name == "as_ints" else expr


def _rows(api: CheckerPluginInterface, expr: Expression) -> int | None:
    """The number of rows of an array that a run returns."""
    known = array_of(api, expr, expression_type(api, expr)) if is_fetched(api, expr) else None
    dims = None if known is None else known.shape.dims
    return dims[0] if dims and isinstance(dims[0], int) else None


def _fetches(api: CheckerPluginInterface, expr: Expression) -> int | None:
    """The number of results of `session.run([x, y])`; mypy knows it for tuples alone."""
    checker = checker_of(api)
    callee = expr.callee if isinstance(expr, CallExpr) else None
    runner = callee.expr if isinstance(callee, MemberExpr) and callee.name == "run" else None
    if runner is not None and checker.has_type(runner) and base_of(checker.lookup_type(runner), _RUNNER) is not None:
        return _fetches_of_runner(api, runner)
    fetches = fetches_of(checker, expr)
    return len(fetches.items) if isinstance(fetches, ListExpr) and is_plain(fetches) else None


def _fetches_of_runner(api: CheckerPluginInterface, expr: Expression) -> int | None:
    """The number of fetches of `session.runner().feed(x, a).fetch(y)`; None if a name for it is in between."""
    count = 0
    while isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr):
        if expr.callee.name == "runner":
            return count
        if expr.callee.name == "fetch":
            if len(expr.args) != 1 or not _is_one(checker_of(api).lookup_type(expr.args[0])):
                return None
            count += 1
        expr = expr.callee.expr
    return None


def _is_one(fetch: Type) -> bool:
    """Whether a fetch has exactly one value."""
    return any(base_of(fetch, each) is not None for each in (OPERAND, "builtins.str"))


def item_hook(ctx: MethodContext) -> Type:
    """Report an index out of range of a list of outputs; a slice has as many outputs as its bounds say."""
    expr, result = ctx.context, get_proper_type(ctx.default_return_type)
    known = _outputs(ctx.api, expr.base) if isinstance(expr, IndexExpr) else None
    if known is None or not isinstance(expr, IndexExpr):
        return result
    if isinstance(expr.index, SliceExpr):
        bounds = slice_of(ctx.api, expr.index)
        if bounds is None or not isinstance(result, Instance) or result.type.fullname != "builtins.tuple":
            return result
        return TupleType([known.item(ctx.api, each, result.args[0]) for each in range(known.count)[bounds]], result)
    index = evaluate(ctx.api, ctx.args[0][0], ctx.arg_types[0][0])
    if not isinstance(index, int):
        return result
    if not -known.count <= index < known.count:
        report(ctx.api, SHAPE, f"{known}; there is no output {index}", expr)
        return result
    return known.item(ctx.api, index, result)


def narrow_outputs(api: CheckerPluginInterface, statement: AssignmentStmt) -> None:
    """Give each name the shape of its output: `a, b = core.SplitV.create(scope, x, [1, 3], 1, 2)`."""
    known, binder = _outputs(api, statement.rvalue), checker_of(api).binder
    if known is None or not known.shapes:
        return
    for lvalue in statement.lvalues:
        names = lvalue.items if isinstance(lvalue, TupleExpr) and len(lvalue.items) == known.count else []
        for position, name in enumerate(names):
            variable = name.node if isinstance(name, NameExpr) else None
            if isinstance(name, NameExpr) and isinstance(variable, Var) and variable.type is not None:
                binder.put(name, known.item(api, position, binder.get(name) or variable.type))


def _outputs(api: CheckerPluginInterface, expr: Expression | None) -> _Outputs | None:
    if isinstance(expr, MemberExpr):
        owner = _outputs(api, expr.expr)
        return owner if owner is not None and owner.output == expr.name else None
    expr = only_value(api, expr)
    return _counts.get(expr) if isinstance(expr, CallExpr) else None
