"""A program's syntax tree, rewritten so that it asks a `Machine` about everything that it does.

`x.f(y)` becomes `__dry__.call(0, __dry__.attribute(x, "f"), y)`. Python itself keeps names, closures, classes and
generators. Where a condition is unknown, neither branch runs, and what the branches assign is unknown from there on.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.util import resolve_name
from typing import Any, Final, TypeAlias

from typegrad.dry_run.changes import Changes, is_unwritten, may_return_early
from typegrad.dry_run.places import Place, place_of

__all__ = ["MACHINE", "rewritten"]

MACHINE: Final = "__dry__"
"""The name of the machine in a rewritten program; not private to a class, as it ends in underscores."""


_OPERATIONS: Final = (ast.BinOp, ast.Call, ast.Compare, ast.IfExp, ast.Subscript, ast.UnaryOp)
_UNCERTAIN: Final = "__uncertain__"
"""A local name: whether the function may have returned already."""
_BOUND_TO_FRAME: Final = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
"""The expressions that a function around them would change."""
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def rewritten(tree: ast.Module, path: str, package: str, places: list[tuple[str, Place]]) -> ast.Module:
    """The tree of a module in `package`, changed so that it asks a machine.

    Its path and the places of its operations are appended to `places`. An `ImportError` if it imports from above its
    package.
    """
    tree = _Rewriter(path, package, places).visit(tree)
    assert isinstance(tree, ast.Module)
    return ast.fix_missing_locations(tree)


class _Rewriter(ast.NodeTransformer):
    def __init__(self, path: str, package: str, places: list[tuple[str, Place]]) -> None:
        self._path = path
        self._package = package
        self._places = places
        self._place_of: dict[ast.expr, Place] = {}
        self._count = 0
        self._loops: list[str] = []
        """The names of the loops around, which tell whether a pass may have ended one."""
        self._functions: list[bool] = [False]
        """Of each function around: whether it may have returned unnoticed."""
        self._is_generator = False
        self._is_in_class = False
        """Whether the scope is a class, whose names functions in it do not see."""

    # Expressions

    def _ask(self, what: str, node: ast.AST, *args: ast.expr) -> ast.Call:
        asked = ast.Attribute(ast.Name(MACHINE, ast.Load()), what, ast.Load())
        return ast.copy_location(ast.Call(asked, list(args), []), node)

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node; its place is noted before its parts are rewritten."""
        if isinstance(node, _OPERATIONS):
            self._place_of[node] = place_of(node)
        return super().visit(node)

    def _asked_at(self, what: str, node: ast.expr, *args: ast.expr) -> ast.Call:
        """Ask about an operation at its place."""
        self._places.append((self._path, self._place_of.get(node) or place_of(node)))
        return self._ask(what, node, ast.Constant(len(self._places) - 1), *args)

    def _can_move(self, *nodes: ast.AST) -> bool:
        """Whether expressions may be evaluated in a function of their own."""
        is_bound = any(isinstance(each, _BOUND_TO_FRAME) for node in nodes for each in ast.walk(node))
        return not (is_bound or self._is_in_class)

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
        return self._asked_at("item", node, node.value, _index(node.slice))

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
        self.generic_visit(node)
        if not can_move:
            return node
        what = "both" if isinstance(node.op, ast.And) else "either"
        return self._ask(what, node, *map(_later, node.values))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        can_move = self._can_move(node.body, node.orelse)
        self.generic_visit(node)
        if not can_move:
            return ast.copy_location(
                ast.IfExp(self._ask("certain", node.test, node.test), node.body, node.orelse), node
            )
        return self._asked_at("choose", node, node.test, _later(node.body), _later(node.orelse))

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
        can_move = self._can_move(node) and not isinstance(node, ast.GeneratorExp)
        self.generic_visit(node)
        for each in node.generators:
            each.iter = self._ask("items", each.iter, each.iter)
            each.ifs = [self._ask("certain", test, test) for test in each.ifs]
        return self._ask("made", node, _later(node)) if can_move else node

    visit_ListComp = _comprehended  # noqa: N815
    visit_SetComp = _comprehended  # noqa: N815
    visit_DictComp = _comprehended  # noqa: N815
    visit_GeneratorExp = _comprehended  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        with self._scope(may_leave=False):
            self.generic_visit(node)
        return node

    @contextmanager
    def _scope(self, *, may_leave: bool, is_class: bool = False, is_generator: bool = False) -> Generator[None]:
        before = self._loops, self._is_in_class, self._is_generator
        self._loops, self._is_in_class, self._is_generator = [], is_class, is_generator
        self._functions.append(may_leave)
        yield
        self._functions.pop()
        self._loops, self._is_in_class, self._is_generator = before

    # Assignments

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        value = self.visit(node.value)
        if len(node.targets) == 1:
            return self._assigned(node.targets[0], value, node)
        name = self._new_name("value")
        first = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)
        rest = [each for target in node.targets for each in self._assigned(target, ast.Name(name, ast.Load()), node)]
        return [first, *rest]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return node
        node.value = self.visit(node.value)
        if isinstance(node.target, ast.Name):
            return node
        assert node.value is not None
        return self._assigned(node.target, node.value, node)

    def _assigned(self, target: ast.expr, value: ast.expr, node: ast.stmt) -> list[ast.stmt]:
        """Statements that assign a value to a target."""
        if isinstance(target, ast.Attribute):
            asked = self._ask("store_attribute", node, self.visit(target.value), ast.Constant(target.attr), value)
            return [ast.copy_location(ast.Expr(asked), node)]
        if isinstance(target, ast.Subscript):
            asked = self._ask("store_item", node, self.visit(target.value), _index(self.visit(target.slice)), value)
            return [ast.copy_location(ast.Expr(asked), node)]
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [self._new_name("part") for _ in target.elts]
            star = next((place for place, each in enumerate(target.elts) if isinstance(each, ast.Starred)), -1)
            parts = self._ask("unpack", node, value, ast.Constant(len(names)), ast.Constant(star))
            stores: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
            result: list[ast.stmt] = [ast.copy_location(ast.Assign([ast.Tuple(stores, ast.Store())], parts), node)]
            for name, each in zip(names, target.elts, strict=True):
                inner = each.value if isinstance(each, ast.Starred) else each
                result += self._assigned(inner, ast.Name(name, ast.Load()), node)
            return result
        return [ast.copy_location(ast.Assign([target], value), node)]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        operation, value = ast.Constant(type(node.op).__name__), self.visit(node.value)
        target = node.target
        place = ast.copy_location(ast.Name("_", ast.Load()), node)
        if isinstance(target, ast.Name):
            name = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            return ast.copy_location(
                ast.Assign([target], self._asked_at("augment", place, operation, name, value)), node
            )
        owner = self.visit(target.value)
        key = ast.Constant(target.attr) if isinstance(target, ast.Attribute) else _index(self.visit(target.slice))
        what = "augment_attribute" if isinstance(target, ast.Attribute) else "augment_item"
        return ast.copy_location(ast.Expr(self._asked_at(what, place, operation, owner, key, value)), node)

    def visit_Delete(self, node: ast.Delete) -> Any:
        result: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                asked = self._ask("delete_item", node, self.visit(target.value), _index(self.visit(target.slice)))
                result.append(ast.copy_location(ast.Expr(asked), node))
            elif isinstance(target, ast.Name):
                result.append(ast.copy_location(ast.Delete([target]), node))
        return result or ast.copy_location(ast.Pass(), node)

    # Statements

    def _body(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in statements:
            made = self.visit(statement)
            result += made if isinstance(made, list) else [made]
        return result

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        name = self._new_name("test")
        first = ast.copy_location(
            ast.Assign([ast.Name(name, ast.Store())], self._ask("condition", node, self.visit(node.test))), node
        )
        forgetting = self._forgetting([*node.body, *node.orelse], node)
        inner = ast.If(
            _is(name, True),
            self._body(node.body),
            [ast.If(_is(name, False), self._body(node.orelse) or [ast.Pass()], forgetting)],
        )
        return [first, ast.copy_location(inner, node)]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        name, loop = self._new_name("test"), self._new_name("loop")
        forgetting = self._forgetting([*node.body, *node.orelse], node)
        self._loops.append(loop)
        asked = self._ask("loop_condition", node, ast.Constant(loop), self.visit(node.test))
        test = ast.Compare(ast.NamedExpr(ast.Name(name, ast.Store()), asked), [ast.Is()], [ast.Constant(True)])
        body = self._body(node.body)
        self._loops.pop()
        main = ast.copy_location(ast.While(test, body, self._body(node.orelse)), node)
        begin = ast.copy_location(ast.Expr(self._ask("begin_loop", node, ast.Constant(loop))), node)
        end = ast.If(self._ask("end_loop", node, ast.Constant(loop)), forgetting, [])
        return [begin, main, ast.copy_location(end, node)]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        loop, item = self._new_name("loop"), self._new_name("item")
        forgetting = self._forgetting([node.target, *node.body, *node.orelse], node)
        self._loops.append(loop)
        items = self._ask("passes", node.iter, ast.Constant(loop), self.visit(node.iter))
        body = [*self._assigned(node.target, ast.Name(item, ast.Load()), node), *self._body(node.body)]
        self._loops.pop()
        main = ast.copy_location(ast.For(ast.Name(item, ast.Store()), items, body, self._body(node.orelse)), node)
        begin = ast.copy_location(ast.Expr(self._ask("begin_loop", node, ast.Constant(loop))), node)
        end = ast.If(self._ask("end_loop", node, ast.Constant(loop)), forgetting, [])
        return [begin, main, ast.copy_location(end, node)]

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        self.generic_visit(node)
        node.subject = self._ask("certain", node.subject, node.subject)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._ask("assure", node, self.visit(node.test))), node)

    def visit_With(self, node: ast.With) -> list[ast.stmt]:
        name, forgetting = self._new_name("skips"), self._forgetting(node.body, node)
        for each in node.items:
            callee = each.context_expr.func if isinstance(each.context_expr, ast.Call) else each.context_expr
            last = ast.Constant(ast.unparse(callee).rpartition(".")[2])
            each.context_expr = self._ask("manager", each.context_expr, self.visit(each.context_expr), last)
        node.body = self._body(node.body)
        skips = ast.Attribute(ast.Name(MACHINE, ast.Load()), "skips", ast.Load())
        begin = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], skips), node)
        changed = ast.Compare(ast.Name(name, ast.Load()), [ast.NotEq()], [skips])
        return [begin, node, ast.copy_location(ast.If(changed, forgetting, []), node)]

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        forgetting = self._forgetting([*node.body, *node.handlers, *node.orelse], node)
        may_go_on = any(_goes_on(each) for each in node.handlers)
        for each in node.handlers:
            if each.type is None or (isinstance(each.type, ast.Name) and each.type.id == "BaseException"):
                each.type = ast.copy_location(ast.Name("Exception", ast.Load()), each)  # not what the machine raises
        self.generic_visit(node)
        if not may_go_on:
            return node
        begin, end = ast.Expr(self._ask("begin_try", node)), ast.Expr(self._ask("end_try", node))
        node.body = [begin, ast.Try(node.body, [], [], [end])]
        skipped = ast.Attribute(ast.Name(MACHINE, ast.Load()), "skipped", ast.Load())
        handler = ast.ExceptHandler(skipped, None, forgetting)
        return ast.copy_location(ast.Try([node], [handler], [], []), node)

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        value = ast.Constant(None) if node.value is None else self.visit(node.value)
        if self._functions[-1]:
            value = self._ask("returned", node, value, ast.Name(_UNCERTAIN, ast.Load()))
        return ast.copy_location(ast.Return(value), node)

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for alias in node.names:
            asked = self._ask("module", node, ast.Constant(alias.name), ast.Constant(alias.asname is None))
            target = ast.Name(alias.asname or alias.name.partition(".")[0], ast.Store())
            result.append(ast.copy_location(ast.Assign([target], asked), node))
        return result

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        relative = "." * node.level + (node.module or "")
        module = ast.Constant(resolve_name(relative, self._package) if node.level else relative)
        result: list[ast.stmt] = []
        for alias in node.names:
            if alias.name == "*":
                result.append(ast.copy_location(ast.Expr(self._ask("import_all", node, module)), node))
                continue
            target = ast.Name(alias.asname or alias.name, ast.Store())
            asked = self._ask("imported", node, module, ast.Constant(alias.name))
            result.append(ast.copy_location(ast.Assign([target], asked), node))
        return result

    def _function(self, node: _Function) -> list[ast.stmt]:
        before, after = self._decorated(node)
        may_leave = may_return_early(node)
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
        with self._scope(may_leave=may_leave, is_generator=Changes(node.body).yields):
            node.body = [_unwritten(node)] if is_unwritten(node) else self._body(node.body)
            if may_leave:
                node.body.append(self.visit_Return(ast.copy_location(ast.Return(None), node)))
        if may_leave:
            first = ast.Assign([ast.Name(_UNCERTAIN, ast.Store())], ast.Constant(False))
            node.body.insert(0, ast.copy_location(first, node))
        return [*before, node, *after]

    visit_FunctionDef = _function  # noqa: N815
    visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> list[ast.stmt]:
        before, after = self._decorated(node)
        node.bases = [self._ask("base", each, self.visit(each)) for each in node.bases]
        for each in node.keywords:
            each.value = self.visit(each.value)
        with self._scope(may_leave=False, is_class=True):
            node.body = self._body(node.body)
        return [*before, node, *after]

    def _decorated(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    ) -> tuple[list[ast.stmt], list[ast.stmt]]:
        """Statements before and behind a function or class: what its decorators are, and what they make of it."""
        before: list[ast.stmt] = []
        made: ast.expr = ast.Name(node.name, ast.Load())
        names = [self._new_name("decorator") for _ in node.decorator_list]
        for name, decorator in zip(names, node.decorator_list, strict=True):
            stored = ast.Assign([ast.Name(name, ast.Store())], self.visit(decorator))
            before.append(ast.copy_location(stored, decorator))
        for name, decorator in reversed([*zip(names, node.decorator_list, strict=True)]):
            made = self._asked_at("call", decorator, ast.Name(name, ast.Load()), made)
        node.decorator_list = []
        if not names:
            return [], []
        after = [
            ast.Assign([ast.Name(node.name, ast.Store())], made),
            ast.Delete([ast.Name(n, ast.Del()) for n in names]),
        ]
        return before, [ast.copy_location(each, node) for each in after]

    # What is unknown behind code that may run or not

    def _forgetting(self, statements: Sequence[ast.AST], node: ast.stmt) -> list[ast.stmt]:
        """Statements behind code that was not run, or not as often as it may be."""
        changes = Changes(statements)
        unknown = ast.Attribute(ast.Name(MACHINE, ast.Load()), "unknown", ast.Load())
        result: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], unknown) for name in changes.names]
        asked = [self._ask("forget", node, _later(each)) for each in changes.objects]
        for function, passed in changes.calls:
            asked.append(self._ask("forget_call", node, _later(function or unknown), *map(_later, passed)))
        for owner, attribute in changes.attributes:
            asked.append(self._ask("forget_attribute", node, _later(owner), ast.Constant(attribute)))
        if changes.raises:
            asked.append(self._ask("unsure", node))
        if changes.returns or (self._loops and changes.leaves_pass):
            asked.append(self._ask("mute", node))
        if self._loops and changes.leaves_pass:
            asked.append(self._ask("loosen", node, ast.Constant(self._loops[-1])))
        result += [ast.Expr(each) for each in asked]
        if changes.yields or (self._is_generator and changes.returns):  # so that nothing is known of the items
            result.append(ast.Expr(self._ask("certain", node, unknown)))
        if self._functions[-1] and changes.returns:
            result.append(ast.Assign([ast.Name(_UNCERTAIN, ast.Store())], ast.Constant(True)))
        return [ast.copy_location(each, node) for each in result] or [ast.copy_location(ast.Pass(), node)]


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Whether the program may go on behind a handler, which is not for the end of the program alone."""
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    is_of_end = all(isinstance(each, ast.Name) and each.id == "KeyboardInterrupt" for each in parts)
    changes = Changes(handler.body)
    return not is_of_end and (not isinstance(handler.body[-1], ast.Raise) or changes.returns or changes.leaves_pass)


def _unwritten(node: _Function) -> ast.stmt:
    """The body of a function of which nothing is known."""
    return ast.copy_location(ast.Return(ast.Attribute(ast.Name(MACHINE, ast.Load()), "unknown", ast.Load())), node)


def _later(node: ast.expr) -> ast.expr:
    """A function that evaluates an expression."""
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, node), node)


def _is(name: str, value: bool) -> ast.expr:
    return ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [ast.Constant(value)])


def _index(node: ast.expr) -> ast.expr:
    """An index as an expression: a slice is an object."""
    if isinstance(node, ast.Slice):
        bounds = [ast.Constant(None) if each is None else each for each in (node.lower, node.upper, node.step)]
        made = ast.Attribute(ast.Name(MACHINE, ast.Load()), "slice", ast.Load())
        return ast.copy_location(ast.Call(made, bounds, []), node)
    if isinstance(node, ast.Tuple):
        return ast.copy_location(ast.Tuple([_index(each) for each in node.elts], ast.Load()), node)
    return node
