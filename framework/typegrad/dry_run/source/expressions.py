"""Expressions that are rewritten so that they ask a `Machine`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from types import CodeType
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from typegrad.dry_run.source.places import Place, place_of
from typegrad.dry_run.source.trees import Transformer, nodes_of, placed

__all__ = [
    "MACHINE", "Alone", "Asked", "Branch", "Branching", "ExpressionRewriter", "index", "later",
    "of_machine", "own_arguments",
]  # fmt: skip

MACHINE: Final = "__dry__"
"""The name of the machine in a rewritten program; not private to a class, as it ends in underscores."""

Branching: TypeAlias = ast.BoolOp | ast.If | ast.IfExp | ast.Match | ast.While
"""Where it depends on a condition what runs."""
_OPERATIONS: Final = (ast.BinOp, ast.Call, ast.Compare, ast.IfExp, ast.Subscript, ast.UnaryOp)
_NAMES: Final = (ast.Attribute, ast.Name)
_KEPT: Final = (ast.Constant, ast.Name)
"""The most frequent expressions, which stay as they are."""
_STATED: Final = (
    ast.Attribute, ast.Await, ast.BoolOp, ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Name, ast.NamedExpr,
    ast.Tuple,
)  # fmt: skip
"""The other expressions that may have operands in their values."""
_BOUND_TO_FRAME: Final = (ast.NamedExpr, ast.Yield, ast.YieldFrom)
"""The expressions that a function around them would change."""


class Branch(NamedTuple):
    """A branch as a function of the names that it has."""

    code: CodeType
    names: Sequence[str]


class Alone(NamedTuple):
    """The branches of an `if` or `match` statement, or of a conditional expression, each rewritten as a function."""

    test: ast.expr
    is_expression: bool
    """Whether they are parts of an expression."""
    branches: Callable[[Callable[[str], bool]], Sequence[Branch]]
    """Makes the functions, the first two of which return what the condition compares, and the condition itself.

    It is told which names they have as parameters.
    """
    names: Sequence[str] = ()
    """The names that the branches assign."""
    behind: Callable[[Callable[[str], bool]], Iterator[Branch]] = lambda _: iter(())
    """Makes the same of each branch with what follows it, if it matters behind it which one has run.

    The last one is of the choice itself with what follows it.
    """


class Asked(Protocol):
    """What a machine keeps about the program."""

    places: list[tuple[str, Place]]
    """Where its operations are: file and place."""
    bodies: list[Callable[[], CodeType]]
    """What rewrites each function that is not rewritten yet."""
    attempts: list[Callable[[], Alone]]
    """The `if` statements whose branches may be followed on trial."""
    notes_names: bool
    """Whether the values of names and attributes are noted, too, wherever they are read."""


class ExpressionRewriter(Transformer):
    """Rewrites the expressions of a file, and knows where they are."""

    def __init__(self, text: str, path: str, package: str, asked: Asked) -> None:
        self._lines = StringIO(text, newline=None).read().split("\n")  # as Python counts: no form feed ends one
        self._path = path
        self._package = package
        self._places = asked.places
        self._bodies = asked.bodies
        self._notes_names = asked.notes_names
        self._place_of: dict[ast.AST, Place] = {}
        self._count = 0
        self._loops: list[str] = []
        """The names of the loops around, which tell whether a pass may have ended one."""
        self._functions: list[bool] = [False]
        """Of each function around: whether it may have returned unnoticed."""
        self._is_generator = False
        self._is_in_function = False
        """Whether a function is around."""
        self._is_in_class = False
        """Whether the scope is a class."""
        self._of_class: Collection[str] = ()
        """The names of the class, which functions in it do not see."""

    # Expressions

    def _ask(self, what: str, node: ast.AST, *args: ast.expr) -> ast.Call:
        asked = placed(of_machine(what), node)
        asked.end_lineno = asked.lineno  # Python takes a call to be in the line where its attribute ends
        asked.end_col_offset = asked.col_offset
        return placed(ast.Call(asked, list(args), []), node)

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node; its place is noted before its parts are rewritten."""
        if type(node) in _KEPT and not self._notes_names:
            return node
        if isinstance(node, _OPERATIONS):
            self._place_of[node] = place_of(node)
        if not self._notes_names or not isinstance(node, _NAMES) or not isinstance(node.ctx, ast.Load):
            return super().visit(node)
        self._place_of[node] = place_of(node)
        return self._asked_at("noted", node, super().visit(node))

    def _asked_at(self, what: str, node: ast.expr, *args: ast.expr) -> ast.Call:
        """Ask about an operation at its place."""
        return self._ask(what, node, ast.Constant(self._new_place(node)), *args)

    def _new_place(self, node: ast.expr | ast.stmt | ast.arg) -> int:
        """Note the place of an operation; its index in the places."""
        self._places.append((self._path, self._place_of.get(node) or place_of(node)))
        return len(self._places) - 1

    def _noted(self, node: ast.expr) -> ast.expr:
        """A rewritten value of a statement. What operations result in is noted anyway."""
        is_stated = isinstance(node, _STATED)
        if is_stated:
            self._place_of[node] = place_of(node)
        visited: ast.expr = self.visit(node)
        return self._asked_at("noted", node, visited) if is_stated else visited

    def _can_move(self, *nodes: ast.AST) -> bool:
        """Whether expressions may be evaluated in a function of their own."""
        parts = nodes_of(*nodes)
        is_of_class = any(isinstance(each, ast.Name) and each.id in self._of_class for each in parts)
        return not (is_of_class or any(map(_is_bound_to_frame, parts)))

    def _new_name(self, kind: str) -> str:
        self._count += 1
        return f"__{kind}_{self._count}__"

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            return node  # which finds the class by the frame
        starred = any(isinstance(each, ast.Starred) for each in node.args) or any(
            each.arg is None for each in node.keywords
        )
        self.generic_visit(node)
        if not starred:
            asked = self._asked_at("call", node, node.func, *node.args)
            asked.keywords = node.keywords
            return asked
        items = [
            ast.Tuple(
                [
                    ast.Constant("*" if isinstance(each, ast.Starred) else ""),
                    getattr(each, "value", each) if isinstance(each, ast.Starred) else each,
                ],
                ast.Load(),
            )
            for each in node.args
        ]
        items += [ast.Tuple([ast.Constant(each.arg or "**"), each.value], ast.Load()) for each in node.keywords]
        return self._asked_at("spread_call", node, node.func, *items)

    def visit_Await(self, node: ast.Await) -> ast.expr:
        self.generic_visit(node)
        return self._ask("awaited", node, node.value)

    def _yielded(self, node: ast.Yield | ast.YieldFrom) -> ast.expr:
        self.generic_visit(node)
        if self._loops:
            node.value = self._ask("leaving", node, node.value or ast.Constant(None))
        return node

    visit_Yield = _yielded  # noqa: N815
    visit_YieldFrom = _yielded  # noqa: N815

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return (
            self._ask("attribute", node, node.value, ast.Constant(node.attr))
            if isinstance(node.ctx, ast.Load)
            else node
        )

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        return self._asked_at("item", node, node.value, index(node.slice))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._asked_at("binary", node, ast.Constant(type(node.op).__name__), node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return node
        self.generic_visit(node)
        return self._asked_at("unary", node, ast.Constant(type(node.op).__name__), node.operand)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        names = ast.Tuple([ast.Constant(type(each).__name__) for each in node.ops], ast.Load())
        return self._asked_at("compare", node, names, node.left, *node.comparators)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        can_move = self._can_move(node)
        trial = self._trial(node) if can_move else []
        self.generic_visit(node)
        if not can_move:
            return node
        what = "both" if isinstance(node.op, ast.And) else "either"
        first, *others = node.values
        begun = self._ask("weighed", first, *trial, first) if trial else later(first)
        return self._ask(what, node, begun, *map(later, others))

    def _trial(self, node: Branching) -> list[ast.expr]:
        """The number of an attempt to follow branches on trial; none, if they can only be followed where they are."""
        del node
        return []

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        can_move = self._can_move(node.body, node.orelse)
        trial = (self._trial(node) if can_move else []) or [ast.Constant(None)]
        self.generic_visit(node)
        node.test = self._ask("tried", node.test, *trial, node.test)
        if not can_move:
            return placed(ast.IfExp(self._ask("certain", node.test, node.test), node.body, node.orelse), node)
        arms = [node.body, node.orelse]
        if not all(isinstance(each, ast.List) for each in arms):
            return self._asked_at("choose", node, node.test, *map(later, arms))
        items = [later(ast.Tuple(each.elts, ast.Load())) for each in arms if isinstance(each, ast.List)]
        chosen = self._asked_at("choose", node, node.test, *items)  # which are joined, as nothing else has the list
        return self._ask("display", node, ast.Constant("list"), ast.Tuple([ast.Constant(True), chosen], ast.Load()))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        parts: list[ast.expr] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                spec = self.visit(each.format_spec) if each.format_spec else ast.Constant("")
                parts.append(ast.Tuple([self.visit(each.value), ast.Constant(each.conversion), spec], ast.Load()))
            else:
                parts.append(each)
        return self._ask("text", node, *parts)

    def _displayed(self, node: ast.List | ast.Tuple | ast.Set) -> ast.expr:
        starred = [isinstance(each, ast.Starred) for each in node.elts]
        self.generic_visit(node)
        is_plain = not any(starred) and not isinstance(node, ast.Set)
        if is_plain or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        items = [
            ast.Tuple([ast.Constant(is_star), each.value if isinstance(each, ast.Starred) else each], ast.Load())
            for is_star, each in zip(starred, node.elts, strict=True)
        ]
        return self._ask("display", node, ast.Constant(type(node).__name__.lower()), *items)

    visit_List = _displayed  # noqa: N815
    visit_Tuple = _displayed  # noqa: N815
    visit_Set = _displayed  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        has_open_key = not all(isinstance(each, ast.Constant) for each in node.keys)
        self.generic_visit(node)
        if not has_open_key:
            return node
        items = [
            ast.Tuple([ast.Constant(key is None), ast.Constant(None) if key is None else key, value], ast.Load())
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return self._ask("mapping", node, *items)

    def _comprehended(self, node: Any) -> ast.expr:
        can_move = self._can_move(node)
        kind = ast.Constant(can_move and isinstance(node, ast.ListComp))
        self.generic_visit(node)
        for each in node.generators:
            each.iter = self._ask("items", each.iter, each.iter, kind, *_numbers_of_names(each.target))
            each.ifs = [self._ask("kept", test, test, kind) for test in each.ifs]
        is_iterator = isinstance(node, ast.GeneratorExp)
        if not can_move:
            return self._ask("made_iterator", node, node) if is_iterator else node
        return self._ask("generated" if is_iterator else "made", node, later(node))

    visit_ListComp = _comprehended  # noqa: N815
    visit_SetComp = _comprehended  # noqa: N815
    visit_DictComp = _comprehended  # noqa: N815
    visit_GeneratorExp = _comprehended  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        with self._scope(may_leave=False):
            self.generic_visit(node)
        return node

    @contextmanager
    def _scope(
        self, *, may_leave: bool, class_: ast.ClassDef | None = None, is_generator: bool = False
    ) -> Generator[None]:
        is_class = class_ is not None
        before = self._loops, self._is_in_class, self._of_class, self._is_in_function, self._is_generator
        self._loops, self._is_in_class, self._is_generator = [], is_class, is_generator
        self._of_class = () if class_ is None else _names_of(class_)
        self._is_in_function |= not is_class
        self._functions.append(may_leave)
        yield
        self._functions.pop()
        self._loops, self._is_in_class, self._of_class, self._is_in_function, self._is_generator = before


def _is_bound_to_frame(node: ast.AST) -> bool:
    """Whether it is such an expression, or a comprehension that waits, which only an asynchronous function has."""
    return isinstance(node, _BOUND_TO_FRAME) or (isinstance(node, ast.comprehension) and bool(node.is_async))


def _names_of(class_: ast.ClassDef) -> set[str]:
    """The names that a class may bind, and those that each has."""
    parts = nodes_of(*class_.body)
    stored = {each.id for each in parts if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    named = {getattr(each, field, None) for each in parts for field in ("name", "asname", "rest")}
    return {"__module__", "__qualname__", *stored, *(name.partition(".")[0] for name in named if isinstance(name, str))}


def own_arguments(args: ast.arguments) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call that passes on a function's arguments."""
    plain: list[ast.expr] = [ast.Name(each.arg, ast.Load()) for each in (*args.posonlyargs, *args.args)]
    if args.vararg is not None:
        plain.append(ast.Starred(ast.Name(args.vararg.arg, ast.Load()), ast.Load()))
    named = [ast.keyword(each.arg, ast.Name(each.arg, ast.Load())) for each in args.kwonlyargs]
    if args.kwarg is not None:
        named.append(ast.keyword(None, ast.Name(args.kwarg.arg, ast.Load())))
    return plain, named


def of_machine(name: str) -> ast.expr:
    """An attribute of the machine, as an expression."""
    return ast.Attribute(ast.Name(MACHINE, ast.Load()), name, ast.Load())


def later(node: ast.expr) -> ast.expr:
    """A function that evaluates an expression."""
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return placed(ast.Lambda(nothing, node), node)


def index(node: ast.expr) -> ast.expr:
    """An index as an expression: a slice is an object."""
    if isinstance(node, ast.Slice):
        bounds = [ast.Constant(None) if each is None else each for each in (node.lower, node.upper, node.step)]
        return placed(ast.Call(of_machine("slice"), bounds, []), node)
    if isinstance(node, ast.Tuple):
        return placed(ast.Tuple([index(each) for each in node.elts], ast.Load()), node)
    return node


def _numbers_of_names(target: ast.expr) -> list[ast.expr]:
    """How many parts of each item a comprehension takes, and the place of the starred one, -1 if none is."""
    if not isinstance(target, (ast.Tuple, ast.List)):
        return []
    star = next((place for place, each in enumerate(target.elts) if isinstance(each, ast.Starred)), -1)
    return [ast.Constant(len(target.elts)), ast.Constant(star)]
