"""What the statements of a program may change that are not run, such as branches whose condition is unknown."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeAlias, TypeGuard

from typegrad.dry_run.source.trees import children, is_range, placed

__all__ = [
    "Assignment",
    "Changes",
    "appends",
    "branches",
    "changed_names",
    "nodes_in",
    "without_expressions",
]

_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
Assignment: TypeAlias = ast.Assign | ast.AnnAssign | ast.AugAssign


def changed_names(tree: ast.AST) -> frozenset[str]:
    """The names by which a module may change lists and the like: by methods, items and sums in place."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found.update(map(_root, _paths(node.func.value)))
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found.update(map(_root, _paths(node.value)))
        elif isinstance(node, ast.AugAssign):
            found.update(map(_root, _paths(node.target)))
    return frozenset(found)


class Changes:
    """What some statements may change, without the functions and classes that they define."""

    def __init__(self, statements: Sequence[ast.AST]) -> None:
        """The statements are read at once, as they may be rewritten later."""
        self._nodes = list(nodes_in(statements))
        self._run = [*self._nodes, *_of_definitions(self._nodes)]
        """With what is evaluated where functions and classes are defined, and the bodies of lambdas."""
        self._around = list(nodes_in(statements, _without_loops))
        self._bindings = Counter(self._bound())
        self.names = sorted(self._bindings)
        """The names that they bind."""
        self._counters = set(self.names).difference(self._used_otherwise())
        """Those that they only add to and read, which are bound to what they were before, or to something new."""
        self._flows = list(self._flowing())
        """The names that they bind to a value or may change by it, with the names in it."""
        self.attributes = [(_read(owner), name) for owner, name in self._stores()]
        """The attributes that they assign, each with its object."""
        self.objects = _distinct(self._touched())
        """What they assign items of, or all that their names may be bound to if they change it by one of these."""
        self.calls = list(self._called())
        """What they call, what they pass on, and all that their names may be bound to where they pass one of these.

        None for what another expression results in, but for a method of what a call results in, that call without
        arguments.
        """
        self.read = sorted({ast.unparse(each) for each in self._run if _is_read(each)})
        """The names that they read, and the attributes of such."""
        keys = self._keys_of_dicts()
        self.keys = {name: [ast.unparse(each) for each in made if _is_path(each)] for name, made in keys.items()}
        """The names that they bind to dicts and only pass on, such as feeds, each with the keys of these."""
        self._kept = list(self._kept_besides({id(each): name for name, made in keys.items() for each in made}))
        self._passed = list(self._passed_as_they_are())
        self.aliases = list(self._aliases())
        """The names that they bind to what another name is bound to, each with that name, or its attribute."""

    def assigned(
        self, outcomes: Sequence[Sequence[ast.stmt]], *, is_begun: bool = False
    ) -> dict[str, list[Assignment | None]]:
        """The names that each branch assigns by one statement, or not at all, with these statements.

        No value depends on another one of these names, nor on the name itself where a part of a branch may have run.
        """
        found = [_assignments(each) for each in outcomes]
        counts = Counter(name for each in found for name in each)
        if not counts:
            return {}
        single = {name for name, count in counts.items() if count == self._bindings[name]} - set(self._altered())
        used = {name: _read_by([each[name] for each in found if name in each]) for name in single}
        return {
            name: [each.get(name) for each in found]
            for name in sorted(single)
            if single.isdisjoint(used[name] if is_begun else used[name] - {name})
        }

    def returned(self, outcomes: Sequence[Sequence[ast.stmt]]) -> list[ast.Return]:
        """The statements by which branches end the function; none, if others may end it, too."""
        last = [each[-1] for each in outcomes if each and isinstance(each[-1], ast.Return)]
        return last if len(last) == sum(isinstance(each, ast.Return) for each in self._nodes) else []

    @cached_property
    def imports(self) -> Sequence[str]:
        """The modules that they import, or names of these, with dots before relative ones."""
        found = [each.name for node in self._run if isinstance(node, ast.Import) for each in node.names]
        for node in self._run:
            if isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                names = [f"{module}{'.' * (node.module is not None)}{each.name}" for each in node.names]
                found += [*([module] if node.module else []), *names]
        return found

    @cached_property
    def raises(self) -> bool:
        """Whether they raise errors."""
        return any(isinstance(each, (ast.Raise, ast.Assert)) for each in self._nodes)

    @cached_property
    def returns(self) -> bool:
        """Whether they may end the function."""
        return any(isinstance(each, ast.Return) for each in self._nodes)

    @cached_property
    def yields(self) -> bool:
        """Whether they are statements of a generator that may yield items."""
        return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in self._nodes)

    @cached_property
    def leaves_pass(self) -> bool:
        """Whether they may end a pass of the loop around, which goes on."""
        return any(isinstance(each, ast.Continue) for each in self._around)

    @cached_property
    def leaves_loop(self) -> bool:
        """Whether they may end the loop around."""
        return any(isinstance(each, ast.Break) for each in self._around)

    def _bound(self) -> Iterator[str]:
        for node in self._nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                yield from ((each.asname or each.name).partition(".")[0] for each in node.names if each.name != "*")
            elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name is not None:
                yield node.name
            elif isinstance(node, ast.MatchMapping) and node.rest is not None:
                yield node.rest

    def _aliases(self) -> Iterator[tuple[str, ast.expr]]:
        assigns = (each for each in self._nodes if isinstance(each, ast.Assign))
        for target, value in ((target, each.value) for each in assigns for target in each.targets):
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            yield from ((to.id, _read(each)) for to, each in pairs if isinstance(to, ast.Name) and _is_path(each))

    @cached_property
    def _arguments(self) -> set[int]:
        """What they call, and what they pass to it as it is, by identity."""
        return {id(path) for call in self._calls() for path in (call.func, *_given(call))}

    def kept(self, dicts: Collection[str]) -> list[str]:
        """The names that they bind, or read otherwise than to call them or to pass them on, as operators do.

        `dicts` are some names of `keys` that nothing else reads.
        """
        return sorted({*self.names, *(text for text, owner in self._kept if owner not in dicts)})

    def passed(self, dicts: Collection[str]) -> Iterator[tuple[ast.expr | None, list[str]]]:
        """What they call, as in `calls`, and the names that they pass to it as they are, or as keys of these dicts."""
        for function, names in self._passed:
            yield function, sorted({*names, *(key for name in names & {*dicts} for key in self.keys[name])})

    def _keys_of_dicts(self) -> dict[str, list[ast.expr]]:
        inner = (part for each in self._nodes if isinstance(each, _SCOPES) for part in ast.walk(each))
        kept = (each for each in self._run if _is_read(each) and id(each) not in self._arguments)
        read = {each.id for each in (*inner, *kept) if isinstance(each, ast.Name)}
        found: dict[str, list[ast.expr]] = {}
        for node in self._nodes:
            if isinstance(node, (ast.AnnAssign, ast.Assign)) and isinstance(node.value, ast.Dict):
                target, *others = _targets(node)
                if isinstance(target, ast.Name) and not others and target.id not in read:
                    found.setdefault(target.id, []).extend(filter(None, node.value.keys))
        return found

    def _kept_besides(self, keys: Mapping[int, str]) -> Iterator[tuple[str, str | None]]:
        """The names that they read otherwise than to call them or to pass them on, those of keys with their dict."""
        others = self._arguments | {id(each.value) for each in self._run if isinstance(each, ast.Attribute)}
        read = (each for each in self._run if _is_read(each) and id(each) not in others)
        yield from ((ast.unparse(each), keys.get(id(each))) for each in read)

    def _passed_as_they_are(self) -> Iterator[tuple[ast.expr | None, set[str]]]:
        found: dict[str, tuple[ast.expr | None, set[str]]] = {}
        for each in self._calls():
            function = _called_by(each)
            text = "" if function is None else ast.unparse(function)
            found.setdefault(text, (function, set()))[1].update(ast.unparse(p) for p in _given(each) if _is_path(p))
        yield from ((function, names) for function, names in found.values() if names)

    def _stores(self) -> Iterator[tuple[ast.expr, str]]:
        for node in self._nodes:
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and _is_path(node.value):
                yield node.value, node.attr

    def _touched(self) -> Iterator[ast.expr]:
        touched = list(self._changed())
        owners = [owner for owner, _ in self._stores()]
        yield from self._sources((*touched, *owners))
        yield from touched

    def _called(self) -> Iterator[tuple[list[ast.expr | None], list[ast.expr], list[ast.expr]]]:
        of_own: dict[frozenset[str], tuple[list[ast.expr | None], list[ast.expr]]] = {}
        """The functions that are called with something of the same sources."""
        for each in self._nodes:
            if isinstance(each, (ast.Yield, ast.YieldFrom)):  # whoever gets the item may change it
                yield [None], _distinct(_whole_paths(each)), []
        for each in self._calls():
            function, passed = _called_by(each), list(_passed(each))
            yield [function], _distinct(passed), []
            if (owner := _owner_of_dict(each.func)) is not None:
                yield [None], [_read(owner)], []
            if sources := _distinct(self._sources((*_paths(each.func), *passed))):
                of_own.setdefault(frozenset(map(ast.unparse, sources)), ([], sources))[0].append(function)
        for path in self._applied():
            yield [_read(path)], [], []
        for functions, sources in of_own.values():
            yield functions, [], sources

    def _own_in(self, paths: Iterable[ast.expr]) -> set[str]:
        """The names that they bind."""
        return set(map(_root, paths)).intersection(self.names)

    def _sources(self, paths: Iterable[ast.expr]) -> Iterator[ast.expr]:
        """What these are part of, as far as their names are bound to what is."""
        own = self._own_in(paths) - self._counters
        while more := {name for names, values in self._flows if names & own for name in self._own_in(values)} - own:
            own |= more
        for names, values in self._flows:
            if names & own:
                yield from values

    def _flowing(self) -> Iterator[tuple[set[str], list[ast.expr]]]:
        for node in self._nodes:
            targets, values = [*_targets(node)], [path for each in _bound_values(node) for path in _paths(each)]
            if isinstance(node, ast.Call):
                targets = [node.func, *node.args, *(each.value for each in node.keywords)]
                values = [*_passed(node)]
            names = {each.id for part in targets for each in ast.walk(part) if isinstance(each, ast.Name)}
            if isinstance(node, ast.Match):
                names.update(Changes(node.cases).names)
            yield names, values
        opaque = {each for each in self._bound_without_value() if each is not None}
        if opaque:
            yield opaque, [path for each in self._nodes for value in _bound_values(each) for path in _paths(value)]

    def _bound_without_value(self) -> Iterator[str | None]:
        for node in self._nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)):
                yield node.name
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                yield from ((each.asname or each.name).partition(".")[0] for each in node.names)

    def _used_otherwise(self) -> Iterator[str]:
        """The names that they do not only add to and read."""
        added = {id(node.target) for node in self._nodes if isinstance(node, ast.AugAssign)}
        for node in self._run:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in added:
                yield node.id
            elif isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
                yield _root(node.value)
            elif isinstance(node, ast.Call):
                parts = (node.func, *node.args, *(each.value for each in node.keywords))
                yield from (_root(path) for part in parts for path in _paths(part))
        yield from (each for each in self._bound_without_value() if each is not None)

    def _applied(self) -> Iterator[ast.expr]:
        """The decorators that they apply, and the bases of the classes that they define."""
        for node in self._run:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bases = [*node.bases, *(each.value for each in node.keywords)] if isinstance(node, ast.ClassDef) else []
                yield from filter(_is_path, [*node.decorator_list, *bases])

    def _changed(self) -> Iterator[ast.expr]:
        for node in self._run:
            is_stored = isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load)
            if isinstance(node, ast.AugAssign):
                yield from _paths(node.target)
            elif isinstance(node, (ast.Attribute, ast.Subscript)) and is_stored and not _is_path(node):
                yield from _paths(node.value)

    def _altered(self) -> Iterator[str]:
        """The names by which they may change an object."""
        for node in self._nodes:
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
                yield from map(_root, _paths(node.value))
            elif isinstance(node, ast.Call):
                yield from map(_root, _paths(node.func))

    def _calls(self) -> Iterator[ast.Call]:
        return (node for node in self._run if isinstance(node, ast.Call))


def branches(node: ast.If) -> list[Sequence[ast.stmt]]:
    """The statements of an `if`, its `elif`s and its `else`, of which one runs."""
    rest = node.orelse
    return [node.body, *(branches(rest[0]) if len(rest) == 1 and isinstance(rest[0], ast.If) else [rest])]


def appends(node: ast.If, bound: Iterable[str]) -> tuple[list[ast.Expr], list[ast.AST]]:
    """The statements of two branches that append to a list and use none of these names, and what else they evaluate."""
    made: list[ast.Expr] = []
    rest: list[ast.AST] = []
    for each in (*node.body, *node.orelse):
        names = {part.id for part in ast.walk(each) if isinstance(part, ast.Name)}
        if isinstance(each, ast.Expr) and names.isdisjoint(bound) and _is_append(each.value):
            made.append(each)
            rest += each.value.args
        else:
            rest.append(each)
    return made, rest


def _is_append(value: ast.expr) -> TypeGuard[ast.Call]:
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or not _is_path(value.func):
        return False
    is_single = len(value.args) == 1 and not value.keywords and not isinstance(value.args[0], ast.Starred)
    return value.func.attr == "append" and is_single


def _assignments(statements: Sequence[ast.stmt]) -> dict[str, Assignment]:
    """The statements that assign a name, by the name."""
    made: dict[str, Assignment] = {}
    for each in statements:
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target = each.targets[0]
        elif isinstance(each, (ast.AugAssign, ast.AnnAssign)) and each.value is not None:
            target = each.target
        else:
            continue
        if isinstance(target, ast.Name):
            made[target.id] = each
    return made


def _read_by(statements: Sequence[Assignment]) -> set[str]:
    """The names that some statements read: `a += b` reads both."""
    nodes = (node for each in statements for node in ast.walk(each) if isinstance(node, ast.Name))
    added = {
        each.target.id for each in statements if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
    }
    return added | {node.id for node in nodes if isinstance(node.ctx, ast.Load)}


def _passed(call: ast.Call) -> Iterator[ast.expr]:
    """The names in the arguments of a call, and in what is called if it is no name."""
    parts = [*([] if _is_path(call.func) else [call.func]), *call.args, *(each.value for each in call.keywords)]
    return (path for part in parts for path in _whole_paths(part))


def _called_by(call: ast.Call) -> ast.expr | None:
    return _read(call.func) if _is_path(call.func) else _begun(call.func)


def _begun(method: ast.expr) -> ast.Call | None:
    """The first call of `session.runner().feed(x, a).fetch`, or `session.run(y)[0].sum`, without arguments."""
    while isinstance(method, (ast.Attribute, ast.Call, ast.Subscript)):
        if isinstance(method, ast.Call) and _is_path(method.func):
            return placed(ast.Call(_read(method.func), [], []), method)
        method = method.func if isinstance(method, ast.Call) else method.value
    return None


def _given(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call, and the items of those that are displays."""
    waiting = [*call.args, *(each.value for each in call.keywords)]
    while waiting:
        each = waiting.pop()
        yield each
        if isinstance(each, (ast.List, ast.Set, ast.Starred, ast.Tuple)):
            waiting += [each.value] if isinstance(each, ast.Starred) else each.elts
        elif isinstance(each, ast.Dict):
            waiting += [*filter(None, each.keys), *each.values]


def _owner_of_dict(path: ast.expr) -> ast.expr | None:
    """The object whose dict of attributes a path reads: `a.b` of `a.b.__dict__.update`."""
    while isinstance(path, ast.Attribute):
        if path.attr == "__dict__" and _is_path(path.value):
            return path.value
        path = path.value
    return None


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    """What a node binds to a value, or to parts of it, or changes by it."""
    if isinstance(node, ast.Assign):
        yield from node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AsyncFor, ast.AugAssign, ast.For, ast.NamedExpr, ast.comprehension)):
        yield node.target
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars


def _bound_values(node: ast.AST) -> Iterator[ast.expr]:
    """What a node binds names to, or parts of it."""
    if isinstance(node, (ast.AnnAssign, ast.Assign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
        yield node.value
    elif isinstance(node, (ast.AsyncFor, ast.For, ast.comprehension)) and not is_range(node.iter):
        yield node.iter
    elif isinstance(node, ast.withitem):
        yield node.context_expr
    elif isinstance(node, ast.Match):
        yield node.subject


def _whole_paths(node: ast.AST) -> Iterator[ast.expr]:
    """The names in an expression with their attributes: in `f(a.b) + a.c(d)`, these are `a.b`, `a` and `d`."""
    if isinstance(node, ast.expr) and _is_path(node):
        yield node
        return
    method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    for each in children(node):
        yield from _whole_paths(method.value if method is not None and each is method else each)


def _distinct(paths: Iterable[ast.expr]) -> list[ast.expr]:
    """New expressions for these names, each once."""
    return [_read(path) for path in {ast.unparse(path): path for path in paths}.values()]


def nodes_in(nodes: Iterable[ast.AST], parts: Callable[[ast.AST], Sequence[ast.AST]] = children) -> Iterator[ast.AST]:
    """The nodes and those in them that belong to the same scope."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting += parts(node)[::-1]


def without_expressions(node: ast.AST) -> Sequence[ast.AST]:
    """What is right in a node, without expressions, which have no statements in them."""
    return [each for each in children(node) if not isinstance(each, ast.expr)]


def _of_definitions(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What is evaluated where some nodes define functions and classes; of lambdas, also what is evaluated later."""
    for node in nodes:
        if isinstance(node, _SCOPES):
            body = [node.body] if isinstance(node, ast.Lambda) else node.body if isinstance(node, ast.ClassDef) else []
            args = [] if isinstance(node, ast.ClassDef) else [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            bases = [*node.bases, *node.keywords] if isinstance(node, ast.ClassDef) else []
            inner = [*nodes_in([*getattr(node, "decorator_list", []), *args, *bases, *body])]
            yield from (*inner, *_of_definitions(inner))


def _is_read(node: ast.AST) -> bool:
    return isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load) and _is_path(node)


def _without_loops(node: ast.AST) -> Sequence[ast.AST]:
    """What is in a node that may leave the loop around it: of a loop, its `else` alone."""
    return node.orelse if isinstance(node, (ast.For, ast.AsyncFor, ast.While)) else children(node)


def _paths(node: ast.expr) -> Iterator[ast.expr]:
    """The names in an expression with their attributes, and the objects that have these."""
    for each in nodes_in([node]):
        if isinstance(each, (ast.Name, ast.Attribute)) and _is_path(each):
            yield each


def _is_path(node: ast.expr) -> bool:
    """Whether an expression is a name, or an attribute of such."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _root(path: ast.expr) -> str:
    """The name that a path begins with."""
    while isinstance(path, ast.Attribute):
        path = path.value
    return path.id if isinstance(path, ast.Name) else ""


def _read(path: ast.expr) -> ast.expr:
    """An expression that reads a name or its attribute, made of new nodes."""
    if isinstance(path, ast.Attribute):
        return placed(ast.Attribute(_read(path.value), path.attr, ast.Load()), path)
    assert isinstance(path, ast.Name)
    return placed(ast.Name(path.id, ast.Load()), path)
