"""A program's syntax tree, rewritten so that it asks a `Machine` about everything that it does.

`x.f(y)` becomes `__dry__.call(0, __dry__.attribute(x, "f"), y)`. Python itself keeps names, closures, classes and
generators. Where a condition is unknown, the branches are followed on trial, and what they assign is unknown behind it.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from importlib.util import resolve_name
from types import CodeType
from typing import Any, Final, TypeAlias

from typegrad.dry_run.source.alone import OF_PLACE, AloneRewriter
from typegrad.dry_run.source.asynchronous import plain_function
from typegrad.dry_run.source.bodies import goes_on, is_ellipsis, is_generator, may_return_early, waits_in_blocks
from typegrad.dry_run.source.changes import Changes, appends, branches, nodes_in, without_expressions
from typegrad.dry_run.source.declared import Kind
from typegrad.dry_run.source.expressions import MACHINE, Asked, index, later, of_machine, own_arguments
from typegrad.dry_run.source.forgetting import UNCERTAIN
from typegrad.dry_run.source.places import place_of
from typegrad.dry_run.source.private_names import parsed
from typegrad.dry_run.source.scopes import captured
from typegrad.dry_run.source.trees import placed
from typegrad.dry_run.source.ways import outcomes_of

__all__ = ["rewritten"]

_NO_FIELDS: Final = frozenset(("ClassVar", "InitVar", "KW_ONLY"))
"""The annotations of what is no field of a dataclass."""
_PLAIN: Final = frozenset(("Any", "bool", "float", "int", "object", "str"))
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def rewritten(text: str, path: str, package: str, asked: Asked) -> CodeType:
    """The code of a module in `package`, changed so that it asks a machine.

    The places of its operations are appended to `asked`. Most functions are rewritten when they are called for
    the first time. An `ImportError` if the module imports from above its package.
    """
    rewriter = _Rewriter(text, path, package, asked)
    return rewriter.code(rewriter.visit(parsed(text)))


class _Rewriter(AloneRewriter):
    def __init__(self, text: str, path: str, package: str, asked: Asked) -> None:
        super().__init__(text, path, package, asked)
        self._returns = False
        """Whether the function around declares what it returns."""

    @contextmanager
    def _named(self, name: str, *, returns: bool = False) -> Generator[None]:
        """The parts of a function or class."""
        before = self._owner, self._returns
        inside = f"{self._owner}.<locals>" if self._is_in_function else self._owner
        self._owner, self._returns = f"{inside}.{name}".lstrip("."), returns
        yield
        self._owner, self._returns = before

    # Assignments

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        value = node.value = self._noted(node.value)
        if len(node.targets) == 1:
            return self._assigned(node.targets[0], value, node)
        name = self._new_name("value")
        first = placed(ast.Assign([ast.Name(name, ast.Store())], value), node)
        rest = [each for target in node.targets for each in self._assigned(target, ast.Name(name, ast.Load()), node)]
        return [first, *rest]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return node
        node.value = self._declared("name", node.target, f"`{ast.unparse(node.target)}`", self._noted(node.value))
        if isinstance(node.target, ast.Name):
            return node
        assert node.value is not None
        return self._assigned(node.target, node.value, node)

    def _assigned(self, target: ast.expr, value: ast.expr, node: ast.expr | ast.stmt) -> list[ast.stmt]:
        """Statements that assign a value to a target."""
        if isinstance(target, ast.Attribute):
            asked = self._ask("store_attribute", node, self.visit(target.value), ast.Constant(target.attr), value)
            return [placed(ast.Expr(asked), node)]
        if isinstance(target, ast.Subscript):
            asked = self._ask("store_item", node, self.visit(target.value), index(self.visit(target.slice)), value)
            return [placed(ast.Expr(asked), node)]
        if isinstance(target, (ast.Tuple, ast.List)):
            names = [self._new_name("part") for _ in target.elts]
            star = next((place for place, each in enumerate(target.elts) if isinstance(each, ast.Starred)), -1)
            parts = self._ask("unpack", node, value, ast.Constant(len(names)), ast.Constant(star))
            stores: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
            result: list[ast.stmt] = [placed(ast.Assign([ast.Tuple(stores, ast.Store())], parts), node)]
            for name, each in zip(names, target.elts, strict=True):
                inner = each.value if isinstance(each, ast.Starred) else each
                result += self._assigned(inner, self._asked_at("noted", inner, ast.Name(name, ast.Load())), node)
            return result
        return [placed(ast.Assign([target], value), node)]

    def _declared(self, kind: Kind, node: ast.expr | ast.stmt, name: str, value: ast.expr) -> ast.expr:
        """A value for which there is a declaration, which `node` tells the place of."""
        place = self._new_place(node)
        return self._ask("declare", node, ast.Constant(kind), ast.Constant(name), ast.Constant(place), value)

    def _declare_parameters(self, node: _Function) -> list[ast.stmt]:
        """A statement that tells what the parameters with annotations are."""
        args = [each for each in _parameters(node) if _may_be_operand(each)]
        if not args:
            return []
        places = [ast.Constant(self._new_place(each)) for each in args]
        names = ast.Tuple([ast.Constant(f"`{each.arg}` of {self._owner}") for each in args], ast.Load())
        values = [ast.Name(each.arg, ast.Load()) for each in args]
        return [placed(ast.Expr(self._ask("declare_parameters", node, names, places[0], *values)), node)]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        operation, value = ast.Constant(type(node.op).__name__), self.visit(node.value)
        target = node.target
        place = placed(ast.Name("_", ast.Load()), node)
        if isinstance(target, ast.Name):
            name = placed(ast.Name(target.id, ast.Load()), target)
            node.value = self._asked_at("augment", place, operation, name, value)
            return placed(ast.Assign([target], node.value), node)
        owner = self.visit(target.value)
        key = ast.Constant(target.attr) if isinstance(target, ast.Attribute) else index(self.visit(target.slice))
        what = "augment_attribute" if isinstance(target, ast.Attribute) else "augment_item"
        return placed(ast.Expr(self._asked_at(what, place, operation, owner, key, value)), node)

    def visit_Delete(self, node: ast.Delete) -> Any:
        result: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                asked = self._ask("delete_item", node, self.visit(target.value), index(self.visit(target.slice)))
                result.append(placed(ast.Expr(asked), node))
            elif isinstance(target, ast.Attribute):
                asked = self._ask("delete_attribute", node, self.visit(target.value), ast.Constant(target.attr))
                result.append(placed(ast.Expr(asked), node))
            elif isinstance(target, ast.Name):
                result.append(placed(ast.Delete([target]), node))
        return result or placed(ast.Pass(), node)

    # Statements

    def _tested(self, node: ast.expr) -> ast.expr:
        """A condition: where one part of `a and b` is known to be false, so is all of it."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._place_of[node] = place_of(node)
            return self._asked_at("unary", node, ast.Constant("Not"), self._tested(node.operand))
        if not isinstance(node, ast.BoolOp) or not self._can_move(node):
            visited: ast.expr = self.visit(node)
            return visited
        what = "all_true" if isinstance(node.op, ast.And) else "any_true"
        return self._ask(what, node, *map(later, map(self._tested, node.values)))

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        name, trial = self._new_name("test"), self._trial(node) or [ast.Constant(None)]
        test = self._ask("tried", node, *trial, self._tested(node.test))
        first = placed(ast.Assign([ast.Name(name, ast.Store())], test), node)
        changes, outcomes = Changes([*node.body, *node.orelse]), branches(node)
        assigned, returned = self._kept(changes, outcomes)
        added, rest = ([], []) if changes.yields or self._is_in_class else appends(node, changes.names)
        forgotten = self._forgotten(Changes(rest) if added else changes, node)
        first_body, second_body = self._body(node.body), self._body(node.orelse) or [ast.Pass()]
        forgotten += [self._ask("may_append", node, *map(later, _call_of(each).args[1:])) for each in added]
        forgetting = self._forgetting(changes, node, assigned=assigned, returned=returned, forgotten=forgotten)
        if len(returned) == len(outcomes):
            forgetting.append(placed(ast.Return(_what_it_returned()), node))
        inner = ast.If(_is(name, True), first_body, [ast.If(_is(name, False), second_body, forgetting)])
        return [first, placed(inner, node)]

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        name, loop, trial = self._new_name("test"), self._new_name("loop"), self._trial(node)
        begin, first, end = self._around_loop(node, loop, Changes([*node.body, *node.orelse]))
        if first and trial:
            first.append(ast.Expr(self._ask("tried_pass", node, ast.Constant(loop), *trial)))
        self._loops.append(loop)
        asked = self._ask("loop_condition", node, ast.Constant(loop), self.visit(node.test))
        test = ast.Compare(ast.NamedExpr(ast.Name(name, ast.Store()), asked), [ast.Is()], [ast.Constant(True)])
        body = self._passes(node, loop, first, self._body(node.body))
        self._loops.pop()
        main = placed(ast.While(test, body, self._body(node.orelse)), node)
        return [begin, main, end]

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        loop, item = self._new_name("loop"), self._new_name("item")
        begin, first, end = self._around_loop(node, loop, Changes([node.target, *node.body, *node.orelse]))
        name = self._new_name("items")
        taken = placed(ast.Assign([ast.Name(name, ast.Store())], self.visit(node.iter)), node.iter)
        self._loops.append(loop)
        items = self._ask("passes", node.iter, ast.Constant(loop), ast.Name(name, ast.Load()))
        value = self._asked_at("noted", node.target, ast.Name(item, ast.Load()))
        body = [*self._assigned(node.target, value, node.target), *self._body(node.body)]
        self._loops.pop()
        body = self._passes(node, loop, first, body)
        main = placed(ast.For(ast.Name(item, ast.Store()), items, body, self._body(node.orelse)), node)
        return [taken, begin, main, end]

    def _around_loop(
        self, node: ast.For | ast.While, loop: str, changes: Changes
    ) -> tuple[ast.stmt, list[ast.stmt], ast.stmt]:
        """Statements before and behind a loop, and those with which a pass begins, if one may stand for any."""
        name = ast.Constant(loop)
        begin, end = self._ask("begin_loop", node, name), self._ask("end_loop", node, name)
        first: list[ast.stmt] = []
        exact: list[ast.stmt] = []
        is_left, can_stand_for_any = changes.returns or changes.yields, not (node.orelse or self._is_in_class)
        names = Changes(node.body).names
        if can_stand_for_any:
            forget = ast.Tuple([*self._adding(changes, node), *self._forgotten(changes, node)], ast.Load())
            parts = [later(each) for each in (forget, *(ast.Name(each, ast.Load()) for each in names))]
            begin.args += [ast.Constant(is_left), *parts]
            everything = [later(ast.Name(each, ast.Load())) for each in changes.names]
            widened = self._bound(names, "widened", node, name, *everything)
            first = [ast.If(self._ask("is_any_pass", node, name), [widened], [])]
            exact = [ast.If(self._ask("was_exact", node), [self._bound(changes.names, "exact", node)], [])]
        if is_left or not can_stand_for_any:
            behind = self._forgetting(changes, node, leaving=node.orelse)
        else:
            behind = [*map(ast.Expr, self._aliased(changes, node)), self._bound(names, "settled", node)]
            behind += [*self._lost(set(changes.names).difference(names))]
            behind += map(ast.Expr, self._leaving(changes, Changes([]), node))
        ends = ast.If(end, [placed(each, node) for each in behind], exact)
        return placed(ast.Expr(begin), node), first, placed(ends, node)

    def _bound(self, names: Sequence[str], what: str, node: ast.stmt, *args: ast.expr) -> ast.stmt:
        """A statement that gives names the values that the machine knows of them."""
        targets: list[ast.expr] = [ast.Name(each, ast.Store()) for each in names]
        asked = self._ask(what, node, *args)
        made = ast.Assign([ast.Tuple(targets, ast.Store())], asked) if targets else ast.Expr(asked)
        return placed(made, node)

    def _passes(self, node: ast.stmt, loop: str, first: Sequence[ast.stmt], body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """The body of a loop. An error in a pass that stands for any ends this pass alone."""
        if not first:
            return [*body]
        anything = of_machine("anything")
        is_other = ast.UnaryOp(ast.Not(), self._ask("given_up", node, ast.Constant(loop)))
        handler = ast.ExceptHandler(anything, None, [ast.If(is_other, [ast.Raise()], [])])
        return [placed(ast.Try([*first, *body], [handler], [], []), node)]

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        subject, name, trial = self._new_name("subject"), self._new_name("test"), self._trial(node)
        changes, outcomes = Changes(node.cases), outcomes_of(node)
        assigned, returned = ({}, []) if captured(node) else self._kept(changes, outcomes)
        taken = placed(ast.Assign([ast.Name(subject, ast.Store())], self.visit(node.subject)), node)
        test = self._ask("matched" if trial else "knows", node, *trial, ast.Name(subject, ast.Load()))
        first = placed(ast.Assign([ast.Name(name, ast.Store())], test), node)
        node.subject = placed(ast.Name(subject, ast.Load()), node.subject)
        for case in node.cases:  # whose patterns Python compares
            case.guard = case.guard and self._ask("certain", case.guard, self.visit(case.guard))
            case.body = self._body(case.body)
        forgetting = self._forgetting(changes, node, assigned=assigned, returned=returned)
        if len(returned) == len(outcomes):
            forgetting.append(placed(ast.Return(_what_it_returned()), node))
        return [taken, first, placed(ast.If(_is(name, True), [node], forgetting), node)]

    def visit_Raise(self, node: ast.Raise) -> Any:
        """An error: where the function may have returned, the program goes on with what it has returned."""
        made = self.generic_visit(node)
        if not self._functions[-1] or self._loops:
            return made
        gone_on: list[ast.stmt] = [ast.Expr(self._ask("unsure", node)), ast.Return(_what_it_returned())]
        return [placed(ast.If(ast.Name(UNCERTAIN, ast.Load()), gone_on, []), node), made]

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        return placed(ast.Expr(self._ask("assure", node, self.visit(node.test))), node)

    def visit_With(self, node: ast.With) -> list[ast.stmt]:
        name, forgetting = self._new_name("skips"), self._forgetting(Changes(node.body), node)
        for each in node.items:
            callee = each.context_expr.func if isinstance(each.context_expr, ast.Call) else each.context_expr
            last = ast.Constant(ast.unparse(callee).rpartition(".")[2])
            each.context_expr = self._ask("manager", each.context_expr, self.visit(each.context_expr), last)
        node.body = self._body(node.body)
        skips = of_machine("skips")
        begin = placed(ast.Assign([ast.Name(name, ast.Store())], skips), node)
        changed = ast.Compare(ast.Name(name, ast.Load()), [ast.NotEq()], [skips])
        return [begin, node, placed(ast.If(changed, forgetting, []), node)]

    def visit_Try(self, node: ast.Try) -> ast.stmt:
        changes = Changes([*node.body, *node.handlers, *node.orelse])
        parts = (node.body, *(each.body for each in node.handlers), node.orelse)
        assigned, _ = self._kept(changes, [[*part] for part in parts if part], is_begun=True)
        may_go_on = any(goes_on(each) for each in node.handlers)
        for each in node.handlers:
            if each.type is None or (isinstance(each.type, ast.Name) and each.type.id == "BaseException"):
                each.type = placed(ast.Name("Exception", ast.Load()), each)  # not what the machine raises
        self.generic_visit(node)
        if not may_go_on:
            return node
        forgetting = self._forgetting(changes, node, assigned=assigned)
        begin, end = ast.Expr(self._ask("begin_try", node)), ast.Expr(self._ask("end_try", node))
        node.body = [begin, ast.Try(node.body, [], [], [end])]
        skipped = of_machine("skipped")
        handler = ast.ExceptHandler(skipped, None, forgetting)
        return placed(ast.Try([node], [handler], [], []), node)

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        made = self._returned(node)
        return [placed(ast.Expr(self._ask("leaving", node)), node), made] if self._loops else made

    def _returned(self, node: ast.Return) -> ast.stmt:
        if node.value is None and not self._functions[-1]:
            return node  # an asynchronous generator returns no value, not even None
        value = node.value = ast.Constant(None) if node.value is None else self._noted(node.value)
        if self._functions[-1]:
            value = self._ask("returned", node, value, ast.Name(UNCERTAIN, ast.Load()))
        if self._returns:
            value = self._declared("result", node, self._owner, value)
        return placed(ast.Return(value), node)

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for alias in node.names:
            asked = self._ask("module", node, ast.Constant(alias.name), ast.Constant(alias.asname is None))
            target = ast.Name(alias.asname or alias.name.partition(".")[0], ast.Store())
            result.append(placed(ast.Assign([target], asked), node))
        return result

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        relative = "." * node.level + (node.module or "")
        module = ast.Constant(resolve_name(relative, self._package) if node.level else relative)
        result: list[ast.stmt] = []
        for alias in node.names:
            if alias.name == "*":
                result.append(placed(ast.Expr(self._ask("import_all", node, module)), node))
                continue
            target = ast.Name(alias.asname or alias.name, ast.Store())
            asked = self._ask("imported", node, module, ast.Constant(alias.name))
            result.append(placed(ast.Assign([target], asked), node))
        return result

    # Functions and classes

    def _function(self, node: _Function) -> list[ast.stmt]:
        before, after = self._decorated(node)
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
        if self._can_wait(node):
            self._postpone(node)
        else:
            self._write(node, yields=is_generator(node))
        return [*before, node, *after]

    visit_FunctionDef = _function  # noqa: N815

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> list[ast.stmt]:
        """A function that waits becomes a generator that yields nothing: like it, it begins when somebody asks.

        One that yields items is a generator already.
        """
        if waits_in_blocks(node):
            return self._function(node)
        plain, mark = plain_function(node)
        result = self._function(plain)
        plain.body.insert(0, mark)
        return result

    def _can_wait(self, node: _Function) -> bool:
        """Whether a function can be rewritten when it is called: it reads no names of another function."""
        text = "\n".join(self._lines[node.lineno - 1 : node.end_lineno])
        is_generic = bool(getattr(node, "type_params", []))
        return not (self._is_in_function or is_generic or OF_PLACE.search(text) or "yield" in text)

    def _postpone(self, node: _Function) -> None:
        """Have a function rewritten when it is called for the first time."""
        alone = copy(node)
        alone.args = copy(node.args)
        alone.args.defaults, alone.args.kw_defaults = [], [None] * len(node.args.kw_defaults)
        number = ast.Constant(len(self._bodies))
        self._bodies.append(partial(self._code_of, alone, self._owner))
        call = self._ask("rewritten", node, number)
        call = placed(ast.Call(call, *own_arguments(node.args)), node)
        first = ast.If(ast.Name(MACHINE, ast.Load()), [ast.Return(call)], [])
        self._postponed.append((node, node.body))
        node.body = [placed(first, node)]
        node.decorator_list = [self._ask("postponed", node, number)]

    def _code_of(self, node: _Function, owner: str) -> CodeType:
        self._owner = owner
        self._write(node, yields=False)  # or it could not wait
        module = self.code(ast.Module([node], []))
        return next(each for each in module.co_consts if isinstance(each, CodeType))

    def _write(self, node: _Function, *, yields: bool) -> None:
        may_leave = not yields and may_return_early(node)
        with (
            self._named(node.name, returns=node.returns is not None and not yields),
            self._scope(may_leave=may_leave, is_generator=yields),
        ):
            declared, outer = [] if yields else self._declare_parameters(node), _outer(node)
            node.body = [_unknown_body(node)] if is_ellipsis(node) else self._body(node.body)
            if outer:  # which it may not have come to
                muted = of_machine("muted")
                lost = placed(ast.If(muted, self._lost(outer), []), node)
                node.body = [placed(ast.Try(node.body, [], [], [lost]), node)]
            if may_leave:
                node.body.append(self._returned(placed(ast.Return(None), node)))
        node.body[:0] = declared
        if may_leave:
            first = ast.Assign([ast.Name(UNCERTAIN, ast.Store())], ast.Tuple([], ast.Load()))
            node.body.insert(0, placed(first, node))

    def visit_ClassDef(self, node: ast.ClassDef) -> list[ast.stmt]:
        before, after = self._decorated(node)
        node.bases = [self._ask("base", each, self.visit(each)) for each in node.bases]
        for each in node.keywords:
            each.value = self.visit(each.value)
        annotations = list(_annotations(node.body))
        with self._named(node.name), self._scope(may_leave=False, class_=node):
            node.body = [*self._body(node.body), *annotations]
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
            before.append(placed(stored, decorator))
        for name, decorator in reversed([*zip(names, node.decorator_list, strict=True)]):
            made = self._asked_at("call", decorator, ast.Name(name, ast.Load()), made)
        node.decorator_list = []
        if not names:
            return [], []
        after = [
            ast.Assign([ast.Name(node.name, ast.Store())], made),
            ast.Delete([ast.Name(n, ast.Del()) for n in names]),
        ]
        return before, [placed(each, node) for each in after]


def _call_of(statement: ast.Expr) -> ast.Call:
    """The call of a statement, which asks for the function and its arguments behind its place."""
    assert isinstance(statement.value, ast.Call)
    return statement.value


def _what_it_returned() -> ast.expr:
    """What is known of what a function may have returned already."""
    return ast.Subscript(ast.Name(UNCERTAIN, ast.Load()), ast.Constant(0), ast.Load())


def _unknown_body(node: _Function) -> ast.stmt:
    """The body of a function of which nothing is known."""
    return placed(ast.Return(of_machine("unknown")), node)


def _parameters(node: _Function) -> list[ast.arg]:
    """The parameters of a function, without those for any number of arguments."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def _outer(node: _Function) -> set[str]:
    """The names that a function binds which are not its own."""
    stated = [each for each in nodes_in(node.body, without_expressions) if isinstance(each, (ast.Global, ast.Nonlocal))]
    return {name for each in stated for name in each.names}.intersection(Changes(node.body).names if stated else ())


def _may_be_operand(parameter: ast.arg) -> bool:
    """Whether a parameter has an annotation, which is no plain type of Python."""
    annotation = parameter.annotation
    return annotation is not None and not (isinstance(annotation, ast.Name) and annotation.id in _PLAIN)


def _is(name: str, value: bool) -> ast.expr:
    return ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [ast.Constant(value)])


def _annotations(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Types in place of the texts in a class's annotations, whose names dataclasses would look for in no module."""
    for each in body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            written = each.annotation.value if isinstance(each.annotation, ast.Subscript) else each.annotation
            name = getattr(written, "attr", getattr(written, "id", ""))
            key = ast.Subscript(ast.Name("__annotations__", ast.Load()), ast.Constant(each.target.id), ast.Store())
            value = of_machine(name if name in _NO_FIELDS else "field")
            yield placed(ast.Assign([key], value), each)
