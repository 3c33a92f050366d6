"""The parts of mypy's syntax trees: what a node contains, and which names it binds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeGuard

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    AssertStmt,
    AssignmentExpr,
    AssignmentStmt,
    Block,
    BreakStmt,
    BytesExpr,
    CallExpr,
    ClassDef,
    ComplexExpr,
    ConditionalExpr,
    Context,
    ContinueStmt,
    DelStmt,
    Expression,
    ExpressionStmt,
    FloatExpr,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    IfStmt,
    Import,
    ImportAll,
    ImportFrom,
    IntExpr,
    LambdaExpr,
    ListExpr,
    MatchStmt,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RaiseStmt,
    RefExpr,
    ReturnStmt,
    StarExpr,
    Statement,
    StrExpr,
    SymbolNode,
    TryStmt,
    TupleExpr,
    TypeInfo,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.patterns import AsPattern, MappingPattern, StarredPattern

__all__ = [
    "children",
    "expressions_of",
    "holds",
    "imported_names",
    "is_own_attribute",
    "is_plain",
    "is_plain_call",
    "is_self",
    "is_straight",
    "last_line",
    "made_class",
    "may_skip",
    "nodes_of",
    "runs_through",
    "split_text",
    "statements_of",
    "unknown_targets",
    "variable_key",
]

_PARTS: Final = (
    "args", "arguments", "base", "base_type_exprs", "begin_index", "bodies", "body", "call", "callee", "capture",
    "cond", "condlists", "decorators", "defs", "else_body", "else_expr", "end_index", "expr", "finally_body",
    "from_expr", "func", "generator", "guards", "handlers", "if_expr", "impl", "index", "indices", "initializer",
    "items", "key", "keys", "keyword_values", "keywords", "left", "left_expr", "lvalue", "lvalues", "metaclass", "msg",
    "name", "operands", "pattern", "patterns", "positionals", "rest", "right", "rvalue", "sequences", "stride",
    "subject", "target", "types", "value", "values", "vars",
)  # fmt: skip
"""The attributes in which nodes hold the statements and expressions within them."""
_LEAVES: Final = (BytesExpr, ComplexExpr, FloatExpr, IntExpr, NameExpr, StrExpr)
"""Expressions that contain no other ones."""
_BRANCHES: Final = (
    AssignmentExpr, BreakStmt, ClassDef, ConditionalExpr, ContinueStmt, FuncDef, IfStmt, LambdaExpr, MatchStmt,
    RaiseStmt, ReturnStmt, TryStmt, WhileStmt,
)  # fmt: skip
"""What may leave out a part of a pass, or end the loop."""
_JUMPS: Final = (BreakStmt, ContinueStmt, TryStmt)
"""What may leave out the rest of a pass while the program goes on behind the loop."""


def is_straight(loop: Statement) -> bool:
    """Whether each pass of a loop runs all statements of its body."""
    return isinstance(loop, ForStmt) and loop.else_body is None and not any(map(may_skip, nodes_of(loop.body)))


def runs_through(loop: ForStmt | WhileStmt) -> bool:
    """Whether each pass of a loop runs the statements that are directly in its body, if the loop comes to its end."""
    return loop.else_body is None and not any(isinstance(node, _JUMPS) for node in nodes_of(loop.body))


def may_skip(node: Node) -> bool:
    """Whether a node may leave out a part of the statements around it."""
    if isinstance(node, OpExpr):
        return node.op in ("and", "or")
    return isinstance(node, _BRANCHES) or (isinstance(node, GeneratorExpr) and any(node.condlists))


def is_self(expr: Expression) -> TypeGuard[NameExpr]:
    """Whether an expression is the `self` of a method."""
    return isinstance(expr, NameExpr) and isinstance(expr.node, Var) and expr.node.is_self


def is_own_attribute(expr: Node) -> TypeGuard[MemberExpr]:
    """Whether a node is an attribute of `self`."""
    return isinstance(expr, MemberExpr) and is_self(expr.expr)


def variable_key(node: Node) -> SymbolNode | str | None:
    """The variable of a name, or the name of an attribute of `self`; None for any other node."""
    if isinstance(node, NameExpr):
        return node.node
    return node.name if is_own_attribute(node) else None


def is_plain(expr: Expression | None) -> TypeGuard[TupleExpr | ListExpr]:
    """Whether an expression is a tuple or list display without starred items."""
    return isinstance(expr, (TupleExpr, ListExpr)) and not any(isinstance(item, StarExpr) for item in expr.items)


def is_plain_call(node: Context | None) -> TypeGuard[CallExpr]:
    """Whether a node is a call without `*args` and `**kwargs`, so that all of its arguments are known."""
    return isinstance(node, CallExpr) and all(kind in (ARG_POS, ARG_NAMED) for kind in node.arg_kinds)


def made_class(expr: Expression) -> TypeInfo | None:
    """The class of the operation that an expression creates, as `math.Equal.create(...)`."""
    class_ = expr.callee.expr if isinstance(expr, CallExpr) and isinstance(expr.callee, MemberExpr) else None
    return class_.node if isinstance(class_, RefExpr) and isinstance(class_.node, TypeInfo) else None


def last_line(block: Node) -> int:
    """The line at which a block ends."""
    statements = block.defs if isinstance(block, MypyFile) else block.body if isinstance(block, Block) else []
    return max((each.end_line or 0 for each in statements), default=0)


def split_text(expr: Expression | None) -> Expression | None:
    """The `text` of a call `text.split()`; None for any other expression."""
    callee = expr.callee if isinstance(expr, CallExpr) and not expr.args else None
    return callee.expr if isinstance(callee, MemberExpr) and callee.name == "split" else None


def unknown_targets(node: Node) -> Iterator[Expression | None]:
    """The targets that a node binds to something unknown."""
    if isinstance(node, OperatorAssignmentStmt):
        yield node.lvalue
    elif isinstance(node, TryStmt):
        yield from node.vars
    elif isinstance(node, DelStmt):
        yield node.expr
    elif isinstance(node, AssignmentExpr):
        yield node.target
    elif isinstance(node, AsPattern):
        yield node.name
    elif isinstance(node, MappingPattern):
        yield node.rest
    elif isinstance(node, StarredPattern):
        yield node.capture


def imported_names(node: Node) -> Iterator[str]:
    """The names that an import binds; "*" for all."""
    if isinstance(node, ImportFrom):
        yield from (alias or name for name, alias in node.names)
    elif isinstance(node, Import):
        yield from (alias or name.partition(".")[0] for name, alias in node.ids)
    elif isinstance(node, ImportAll):
        yield "*"


def children(node: Node) -> list[Node]:
    """The statements and expressions directly within a node."""
    class_ = type(node)
    parts = _parts_of.get(class_)
    if parts is None:
        is_leaf = issubclass(class_, _LEAVES)
        parts = _parts_of[class_] = tuple(name for name in _PARTS if hasattr(class_, name) and not is_leaf)
    nodes: list[Node] = []
    for name in parts:
        value = getattr(node, name, None)
        if isinstance(value, Node):
            nodes.append(value)
        elif value and not isinstance(value, str):
            _collect(value, nodes)
    return nodes


def statements_of(function: FuncDef) -> Iterator[Node]:
    """The nodes of a function, without the functions and classes inside it."""
    stack: list[Node] = [function.body]
    while stack:
        node = stack.pop()
        if not isinstance(node, (ClassDef, Expression, FuncItem)):
            yield node
            stack += children(node)


def expressions_of(statement: Statement) -> Iterator[Expression]:
    """The expressions that a statement evaluates, without the statements inside it."""
    if isinstance(statement, (AssignmentStmt, OperatorAssignmentStmt)):
        yield statement.rvalue
    elif isinstance(statement, IfStmt):
        yield statement.expr[0]
    elif isinstance(statement, WithStmt):
        yield from statement.expr
    elif (
        isinstance(statement, (AssertStmt, ExpressionStmt, ForStmt, ReturnStmt, WhileStmt))
        and statement.expr is not None
    ):
        yield statement.expr


def holds(node: Node, kind: type[Node]) -> bool:
    """Whether a node is of this kind, or one within it."""
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, kind):
            return True
        left += children(node)
    return False


def nodes_of(node: Node) -> Iterator[Node]:
    """The node and all nodes within it."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        left += reversed(children(node))


_parts_of: Final[dict[type[Node], tuple[str, ...]]] = {}


def _collect(value: object, nodes: list[Node]) -> None:
    if isinstance(value, (list, tuple)):
        for item in value:
            if isinstance(item, Node):
                nodes.append(item)
            elif item:
                _collect(item, nodes)
    elif isinstance(value, dict):
        _collect(list(value.values()), nodes)
