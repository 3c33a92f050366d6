"""By which names of a program a list or the like may be reached: also by `h` behind `h = self.history`.

A name stands for whatever it is bound to anywhere, and an attribute for that of any object. Besides what a name is
bound to, there is what is in it (`h[]`), what it returns where it is called (`h()`), and what it is given then (`h(`).
What may be the same is united, as in B. Steensgaard, Points-to Analysis in Almost Linear Time (POPL 1996).
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from typegrad.dry_run.source.trees import Nodes, nodes_of

__all__ = ["FUNCTIONS", "MAKING", "OWN", "Aliases", "captured", "last_name"]

MAKING: Final = frozenset(("__attrs_post_init__", "__init__", "__new__", "__post_init__"))
"""The methods that make an object."""
_LEVELS: Final = ("", "[]", "()", "()[]", "(")
_BASE: Final = re.compile(r"[^[(]*")
_GIVEN: Final = re.compile(r"\((?!\))")
OWN: Final = ("cls", "mcs", "self")
"""What methods call their object."""
_SHALLOW: Final = frozenset(("deque", "enumerate", "frozenset", "iter", "list", "reversed", "set", "tuple", "zip"))
"""The functions whose results have the items of their arguments."""
_OF_NUMBERS: Final = frozenset((
    "abs", "all", "any", "bool", "float", "format", "hash", "id", "int", "isinstance", "len", "print", "range", "repr",
    "round", "str",
))  # fmt: skip
"""The functions that return neither their arguments nor what is in these."""
_TAKING: Final = frozenset(("copy", "get", "items", "pop", "popitem", "popleft", "setdefault", "values"))
"""The methods that return something of what a list or dict has."""
_ADDING: Final = frozenset(("add", "append", "appendleft", "insert", "setdefault"))
"""The methods that put an argument into a list or the like."""
_MERGING: Final = frozenset(("extend", "extendleft", "update"))
"""Those that put the items of an argument into it."""
_MODULES: Final = ("numpy", "typegrad")
"""The libraries whose functions return nothing of a program's lists."""
_JOINING: Final = (ast.Add, ast.BitAnd, ast.BitOr, ast.Mult, ast.Sub)
"""The operators that make lists or sets of others."""
_OPERATORS: Final = "<operators>"
"""What the operators of the program's classes return."""
_ANY: Final = "<any>"
"""Attributes whose names only a run knows."""
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_RELATING: Final = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.AsyncFor, ast.For, ast.comprehension, ast.withitem,
    ast.Match, ast.ImportFrom, *FUNCTIONS, ast.Call,
)  # fmt: skip
"""What makes two names stand for the same."""
_Parameters: TypeAlias = tuple[list[str], list[str]]
"""The parameters that are passed by position, and the others."""


class Aliases:
    """The names of some modules that may be bound to the same."""

    def __init__(self, nodes: Nodes) -> None:
        """Take all nodes of the modules."""
        self._parents: dict[str, str] = {}
        self._count = 0
        self._functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        self._classes: dict[str, list[ast.ClassDef]] = {}
        for function in nodes.of(*FUNCTIONS):
            self._functions.setdefault(function.name, []).append(function)
        for class_ in nodes.of(ast.ClassDef):
            self._classes.setdefault(class_.name, []).append(class_)
        bound = {each.id for each in nodes.of(ast.Name) if not isinstance(each.ctx, ast.Load)}
        imports = nodes.of(ast.Import, ast.ImportFrom)
        self._imported = dict(pair for each in imports for pair in _imported(each) if pair[0] not in bound)
        """The packages of what is imported, by name."""
        gathered = (last for each in nodes.of(ast.arguments) for last in (each.vararg, each.kwarg))
        self._gathered = {each.arg for each in gathered if each is not None}
        """The parameters that take any number of arguments."""
        called = {id(each.func) for each in nodes.of(ast.Call)}
        paths = nodes.of(ast.Attribute, ast.Name)
        self._passed_on = {last_name(each) for each in paths if id(each) not in called and _is_read(each)}
        """The names that are read where nothing is called by them, so that it may be called by others."""
        for node in nodes.of(*_RELATING):
            self._relate(node)

    def of(self, path: ast.expr) -> str:
        """What an expression results in."""
        if isinstance(path, (ast.Name, ast.Attribute)):
            return last_name(path)
        self._count += 1
        name = f"<{self._count}>"
        self._is(name, path)
        return name

    def reached(self, changed: Iterable[str]) -> set[str]:
        """The names of what may be changed where one of these is, or in which something may be changed."""
        changed = [*changed]
        roots = set(map(self._root, changed))
        names = {*changed, *self._parents, *self._parents.values()}
        bases = {match[0] for match in map(_BASE.match, names) if match is not None}
        return {each for each in bases if not roots.isdisjoint((self._root(each), self._root(f"{each}[]")))}

    def may_be_any(self, name: str) -> bool:
        """Whether something may be an attribute whose name only a run knows."""
        return self._root(name) == self._root(_ANY)

    def defines(self, name: str) -> bool:
        """Whether the program has a function or class of this name."""
        return name in self._functions or name in self._classes

    def is_of_library(self, function: ast.expr) -> bool:
        """Whether it is a function of a library that has none of the program's lists."""
        root = _root_of(function)
        return isinstance(root, ast.Name) and self._imported.get(root.id, "") in _MODULES

    def _is_of_python(self, function: ast.expr) -> bool:
        """Whether it is a function of Python, or of another library."""
        root, name = _root_of(function), last_name(function)
        if not isinstance(root, ast.Name) or self.defines(name):
            return False
        return root.id in self._imported or (root is function and hasattr(builtins, name))

    # What may be the same

    def _root(self, name: str) -> str:
        parents, root = self._parents, name
        while (parent := parents.get(root)) is not None:
            root = parent
        if name != root:
            parents[name] = root
        return root

    def _join(self, first: str, second: str) -> None:
        root, other = self._root(first), self._root(second)
        if root != other:
            self._parents[root] = other

    def _are(self, first: str, second: str) -> None:
        """Both may be the same."""
        if first != second:
            for one, other in zip(_levels(first), _levels(second), strict=True):
                self._join(one, other)

    def _holds(self, owner: str, value: ast.expr) -> None:
        """A value may be in the other one."""
        self._are(_leveled(owner, "[]"), self.of(value))

    def _shares(self, owner: str, value: ast.expr) -> None:
        """The items of a value may be in the other one."""
        self._are(_leveled(owner, "[]"), _leveled(self.of(value), "[]"))

    def _mixes(self, name: str, values: Iterable[ast.expr]) -> None:
        """Something may be any of some values, hold it, return it, or call it with any."""
        for each in values:
            self._are(name, self.of(each))
        for level in _levels(name):
            self._join(name, level)

    # What functions are given

    def _given(self, call: ast.Call) -> None:
        """Relate the arguments of a call to the parameters of the program's function."""
        name, args = last_name(call.func), call.args
        if not self.defines(name):
            for given in (*args, *(each.value for each in call.keywords)):
                self._join(f"{name}(", self.of(given))
        if args and isinstance(args[0], ast.Name) and args[0].id in OWN:  # as in `Base.__init__(self, size)`
            args = args[1:]
        is_open = any(isinstance(each, ast.Starred) for each in args)
        for names, others in self._parameters_of(name):
            everything = [*names, *others]
            for place, each in enumerate(args):
                self._passed(everything if is_open else names[place : place + 1] or others, each)
            for keyword in call.keywords:
                self._passed([str(keyword.arg)] if keyword.arg in everything else everything, keyword.value)

    def _parameters_of(self, name: str) -> list[_Parameters]:
        """The parameters of functions and classes of a name; of objects, if there are none."""
        functions = self._functions.get(name if self.defines(name) else "__call__", [])
        made = [each for class_ in self._classes.get(name, []) for each in self._made(class_, ())]
        return [*map(_parameters, functions), *made]

    def _made(self, node: ast.ClassDef, seen: tuple[str, ...]) -> list[_Parameters]:
        """What makes the objects of a class takes: its own method, or that of a base; without one, their fields."""
        own = [each for each in node.body if isinstance(each, FUNCTIONS) and each.name in MAKING]
        if own or node.name in seen:
            return [*map(_parameters, own)]
        bases = [each for base in node.bases for each in self._classes.get(last_name(base), [])]
        inherited = [each for base in bases for each in self._made(base, (*seen, node.name))]
        targets = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        fields = [each.id for each in targets if isinstance(each, ast.Name)]
        return [([*names, *fields], others) for names, others in inherited or [([], [])]]

    def _passed(self, names: Iterable[str], value: ast.expr) -> None:
        inner = value.value if isinstance(value, ast.Starred) else value
        given = self.of(inner)
        for name in names:
            self._are(name, given)
            if name in self._gathered:
                self._are(_leveled(name, "[]"), given)
            if inner is not value:
                self._are(name, _leveled(given, "[]"))

    # What statements and expressions do

    def _relate(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._binds(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            self._binds(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._shares(self.of(node.target), node.value)
        elif isinstance(node, (ast.AsyncFor, ast.For, ast.comprehension)):
            self._binds(node.target, _item_of(node.iter))
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._binds(node.optional_vars, node.context_expr)
            self._binds(node.optional_vars, ast.Name(_OPERATORS, ast.Load()))
        elif isinstance(node, ast.Match):
            for name in captured(node):
                self._mixes(name, [node.subject])
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                self._are(each.asname or each.name, each.name)
        elif isinstance(node, FUNCTIONS):
            self._defined(node)
        elif isinstance(node, ast.Call):
            self._called(node)

    def _binds(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            if len(parts) != len(target.elts) or any(isinstance(each, ast.Starred) for each in (*target.elts, *parts)):
                parts = [_item_of(value)] * len(target.elts)
            for inner, each in zip(target.elts, parts, strict=True):
                self._binds(inner, each)
        elif isinstance(target, (ast.Starred, ast.Subscript)):
            self._holds(self.of(target.value), value)
        else:
            self._are(self.of(target), self.of(value))

    def _defined(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Relate what a function returns or yields to its name; that of a property is its attribute."""
        name = node.name
        is_operator = name.startswith("__") and name not in ("__call__", *MAKING)
        names = [f"{name}()", *([name] if node.decorator_list else []), *([_OPERATORS] if is_operator else [])]
        for each in nodes_of(node):
            if isinstance(each, (ast.Return, ast.Yield, ast.YieldFrom)) and each.value is not None:
                value = self.of(each.value)
                for result in names:
                    self._are(result, value)
                    if isinstance(each, ast.Yield):  # an item, or what a `with` statement enters
                        self._are(_leveled(result, "[]"), value)
        args = node.args
        positional = [*args.posonlyargs, *args.args]
        defaults = [*zip(reversed(positional), reversed(args.defaults), strict=False)]
        for arg, default in (*defaults, *zip(args.kwonlyargs, args.kw_defaults, strict=True)):
            if default is not None:
                self._are(arg.arg, self.of(default))
        if name in self._passed_on or node.decorator_list:
            for parameter in (each for parameters in _parameters(node) for each in parameters):
                self._join(f"{name}(", parameter)

    def _called(self, node: ast.Call) -> None:
        name = last_name(node.func)
        if isinstance(node.func, ast.Attribute) and name in _ADDING | _MERGING:
            owner = self.of(node.func.value)
            for each in node.args:
                (self._holds if name in _ADDING else self._shares)(owner, each)
        if self._is_of_python(node.func):
            self.of(node)  # which may call a function that it is given
        elif not self.is_of_library(node.func):
            self._given(node)

    def _is(self, name: str, value: ast.expr) -> None:
        """Relate a new name to what an expression results in."""
        if isinstance(value, ast.Subscript):
            owner = _leveled(self.of(value.value), "[]")
            self._are(_leveled(name, "[]") if isinstance(value.slice, ast.Slice) else name, owner)
            self._are(name, _OPERATORS)
        elif isinstance(value, ast.Lambda):
            self._are(_leveled(name, "()"), self.of(value.body))
            for parameter in (each for names in _parameters(value) for each in names):
                self._join(_leveled(name, "("), parameter)
        elif isinstance(value, ast.Call):
            self._is_result(name, value)
        elif isinstance(value, (ast.BinOp, ast.UnaryOp)):
            parts = (value.left, value.right) if isinstance(value, ast.BinOp) and isinstance(value.op, _JOINING) else ()
            for each in parts:
                self._shares(name, each)
            self._are(name, _OPERATORS)
        else:
            for each in _same(value):
                self._are(name, self.of(each))
            for each in _held(value):
                (self._shares if isinstance(each, ast.Starred) else self._holds)(name, each)

    def _is_result(self, name: str, call: ast.Call) -> None:
        function, called = call.func, last_name(call.func)
        if self.is_of_library(function):
            return
        if self._is_of_python(function):
            if called in _SHALLOW and not call.keywords:
                for each in call.args:
                    self._shares(name, each)
            elif called == "getattr" and len(call.args) > 1:
                named = call.args[1]
                self._are(name, str(named.value) if isinstance(named, ast.Constant) else _ANY)
            elif called not in _OF_NUMBERS:
                self._mixes(name, [*call.args, *(each.value for each in call.keywords)])
            return
        if isinstance(function, ast.Attribute) and called in _TAKING:
            owner = _leveled(self.of(function.value), "[]")
            self._are(name, owner)
            self._are(_leveled(name, "[]"), owner)
            for each in call.args[1:]:  # a default
                self._are(name, self.of(each))
        self._are(name, _leveled(self.of(function), "()"))
        if not self.defines(called):
            self._are(name, "__call__()")


def last_name(path: ast.AST) -> str:
    """The name of an attribute, a name, or what an item is of; "" for another expression."""
    while isinstance(path, ast.Subscript):
        path = path.value
    return path.attr if isinstance(path, ast.Attribute) else path.id if isinstance(path, ast.Name) else ""


def _is_read(node: ast.Attribute | ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _root_of(path: ast.expr) -> ast.expr:
    while isinstance(path, ast.Attribute):
        path = path.value
    return path


def _levels(name: str) -> Sequence[str]:
    """A name, what is in it, what it returns, what is in that, and what it is given."""
    is_deep = name.endswith(("(", ")", "]"))
    return [_leveled(name, each) if is_deep else name + each for each in _LEVELS]


@lru_cache(maxsize=1000)
def _leveled(name: str, level: str) -> str:
    """What belongs to a name; what is deeper counts as what is in it, returned, or given."""
    base = _BASE.match(name)
    assert base is not None
    whole = name[base.end() :] + level
    if _GIVEN.search(whole):
        level = "("
    elif "()" in whole:
        level = "()[]" if whole.endswith("[]") else "()"
    else:
        level = whole[:2]
    return base[0] + level


def _item_of(items: ast.expr) -> ast.expr:
    return ast.Subscript(items, ast.Constant(0), ast.Load())


def _same(value: ast.expr) -> Sequence[ast.expr]:
    """What an expression may result in."""
    if isinstance(value, ast.IfExp):
        return value.body, value.orelse
    if isinstance(value, ast.BoolOp):
        return value.values
    return [value.value] if isinstance(value, (ast.Await, ast.NamedExpr, ast.Starred)) else []


def _held(value: ast.expr) -> Sequence[ast.expr]:
    """What a display or a comprehension holds; with a star, all that is in it."""
    if isinstance(value, (ast.List, ast.Set, ast.Tuple)):
        return value.elts
    if isinstance(value, ast.Dict):
        pairs = zip(value.keys, value.values, strict=True)
        return [each if key is not None else ast.Starred(each, ast.Load()) for key, each in pairs]
    if isinstance(value, ast.DictComp):
        return [value.value]
    return [value.elt] if isinstance(value, (ast.GeneratorExp, ast.ListComp, ast.SetComp)) else []


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> _Parameters:
    """The parameters without a method's object."""
    args = function.args
    names = [each.arg for each in (*args.posonlyargs, *args.args)]
    last = [each for each in (args.vararg, args.kwarg) if each is not None]
    return names[1:] if names and names[0] in OWN else names, [each.arg for each in (*args.kwonlyargs, *last)]


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a statement imports, each with the package that it is from."""
    if isinstance(node, ast.Import):
        yield from ((each.asname or each.name.partition(".")[0], each.name.partition(".")[0]) for each in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from ((each.asname or each.name, (node.module or "").partition(".")[0]) for each in node.names)


def captured(node: ast.Match) -> Collection[str]:
    """The names that the patterns of a statement bind."""
    patterns = [part for case in node.cases for part in ast.walk(case.pattern)]
    names = [each.name for each in patterns if isinstance(each, (ast.MatchAs, ast.MatchStar))]
    names += [each.rest for each in patterns if isinstance(each, ast.MatchMapping)]
    return [each for each in names if each is not None]
