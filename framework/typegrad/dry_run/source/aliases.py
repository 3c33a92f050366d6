"""By which names of a program a list or the like may be reached: also by `h` behind `h = self.history`.

A name stands for whatever it is bound to anywhere, and an attribute for that of any object. Besides what a name is
bound to, there is what is in it (`h[]`), what it returns where it is called (`h()`), and what it is given then (`h(`).
What may be the same is united, as in B. Steensgaard, Points-to Analysis in Almost Linear Time (POPL 1996).
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from typegrad.dry_run.source.scopes import FUNCTIONS, OWN, captured, local_names, plain
from typegrad.dry_run.source.trees import Nodes, nodes_of

__all__ = ["FOREIGN", "MAKING", "Aliases", "imported", "last_name", "root_of"]

MAKING: Final = frozenset(("__attrs_post_init__", "__init__", "__new__", "__post_init__"))
"""The methods that make an object."""
_LEVELS: Final = ("", "[]", "()", "()[]", "(")
_BASE: Final = re.compile(r"[^[(]*")
_GIVEN: Final = re.compile(r"\((?!\))")
_SHALLOW: Final = frozenset(("deque", "enumerate", "frozenset", "iter", "list", "reversed", "set", "tuple", "zip"))
"""The functions whose results have the items of their arguments."""
_OF_NUMBERS: Final = frozenset((
    "abs", "all", "any", "bool", "delattr", "float", "format", "hasattr", "hash", "id", "int", "isinstance", "len",
    "print", "range", "repr", "round", "str",
))  # fmt: skip
"""The functions that return neither their arguments nor what is in these."""
_NUMBERS: Final = frozenset(("abs", "float", "int", "len", "round"))
"""Those of them that return numbers."""
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
_NAMESPACES: Final = ("globals", "locals", "vars")
"""The functions that return what names or attributes have."""
_BY_TEXT: Final = frozenset((
    "__dict__", "__setattr__", "exec", "globals", "make_class", "make_dataclass", "namedtuple", "patch", "setattr",
    "vars",
))  # fmt: skip
"""What may bind attributes of any name."""
_FINDING: Final = ("__getattr__", "__getattribute__")
"""The methods that tell what an attribute of any name is."""
FOREIGN: Final = "<foreign>"
"""What libraries have that a dry run knows nothing of, so that they may change it."""
_RELATING: Final = (
    ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.AugAssign, ast.AsyncFor, ast.For, ast.comprehension, ast.withitem,
    ast.Match, ast.ImportFrom, *FUNCTIONS, ast.Call,
)  # fmt: skip
"""What makes two names stand for the same."""
_Parameters: TypeAlias = tuple[list[str], list[str]]
"""The parameters that are passed by position, and the others."""


class Aliases:
    """The names of some modules that may be bound to the same."""

    def __init__(self, nodes: Nodes, is_own: Callable[[str], bool]) -> None:
        """Take all nodes of the modules; `is_own` tells whether a package is one of the program."""
        self._parents: dict[str, str] = {}
        self._locals = local_names(nodes.trees)
        self._count = 0
        self._functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        self._classes: dict[str, list[ast.ClassDef]] = {}
        for function in nodes.of(*FUNCTIONS):
            self._functions.setdefault(function.name, []).append(function)
        for class_ in nodes.of(ast.ClassDef):
            self._classes.setdefault(class_.name, []).append(class_)
        bound = {each.id for each in nodes.of(ast.Name) if not isinstance(each.ctx, ast.Load)}
        imports = nodes.of(ast.Import, ast.ImportFrom)
        pairs = [(name, package) for each in imports for name, package in imported(each) if name not in bound]
        self._imported = {name: package for name, package in pairs if not is_own(package)}
        """The packages of what is imported from others, by name."""
        gathered = (last for each in nodes.of(ast.arguments) for last in (each.vararg, each.kwarg))
        self._gathered = {self._parameter(each) for each in gathered if each is not None}
        """The parameters that take any number of arguments."""
        called = {id(each.func) for each in nodes.of(ast.Call)}
        read = [each for each in nodes.of(ast.Attribute, ast.Name) if _is_read(each)]
        self._passed_on = {last_name(each) for each in read if id(each) not in called}
        """The names that are read where nothing is called by them, so that it may be called by others."""
        operators = [each for name in filter(_is_operator, self._functions) for each in self._functions[name]]
        self.operands = {name for each in operators for names in self._parameters(each) for name in names}
        """What operators of the program's classes are given."""
        self._has_operators = bool(operators)
        self._named = None if _names_by_text(nodes) else {*bound, *_named(nodes)}
        """The names that something is bound to, also as an attribute; None if a run may bind any."""
        self._unread = {"_"}.difference(map(last_name, read))
        """The names that are bound where a value is not used."""
        self._are("__dict__[]", _ANY)
        for node in nodes.of(*_RELATING):
            self._relate(node)

    def of(self, path: ast.expr) -> str:
        """What an expression results in."""
        if isinstance(path, (ast.Name, ast.Attribute)):
            return self._locals.get(id(path), last_name(path))
        self._count += 1
        name = f"<{self._count}>"
        self._is(name, path)
        return name

    def reached(self, changed: Iterable[str]) -> tuple[set[str], set[str]]:
        """The names of what may be changed where one of these is, and of that in which something may be changed."""
        changed = [*changed]
        roots = set(map(self._root, changed))
        names = {*changed, *self._parents, *self._parents.values()}
        bases = {match[0] for match in map(_BASE.match, names) if match is not None}
        return {each for each in bases if self._root(each) in roots}, {
            each for each in bases if self._root(f"{each}[]") in roots
        }

    def may_be_any(self, name: str) -> bool:
        """Whether something may be an attribute whose name only a run knows."""
        return self._root(name) == self._root(_ANY)

    def defines(self, name: str) -> bool:
        """Whether the program has a function or class of this name."""
        return name in self._functions or name in self._classes

    def is_of_library(self, function: ast.expr) -> bool:
        """Whether it is a function of a library that has none of the program's lists."""
        root = root_of(function)
        return isinstance(root, ast.Name) and self._imported.get(root.id, "") in _MODULES

    def _is_of_python(self, function: ast.expr) -> bool:
        """Whether it is a function of Python, or of another library."""
        root, name = root_of(function), last_name(function)
        if not isinstance(root, ast.Name) or self.defines(name):
            return False
        return root.id in self._imported or (root is function and hasattr(builtins, name))

    def _is_foreign(self, function: ast.expr) -> bool:
        """Whether it is a function of a library that nothing is known of."""
        root = root_of(function)
        package = self._imported.get(root.id, _MODULES[0]) if isinstance(root, ast.Name) else _MODULES[0]
        return package not in _MODULES and package not in sys.stdlib_module_names

    def _may_be_own(self, function: ast.expr) -> bool:
        """Whether the program may have bound what is called to a function or an object of its own."""
        name = last_name(function)
        is_named = self._named is None or name in self._named or self.defines(name)
        return is_named or not isinstance(function, ast.Attribute)

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
        function = self.of(call.func)
        if function != name or not self.defines(name):
            for given in (*args, *(each.value for each in call.keywords)):
                self._join(_leveled(function, "("), self.of(given))
                if self._named is None:
                    self._join(f"{_ANY}(", self.of(given))
        if args and isinstance(args[0], ast.Name) and args[0].id in OWN:  # as in `Base.__init__(self, size)`
            args = args[1:]
        is_open = any(isinstance(each, ast.Starred) for each in args)
        for names, others in self._parameters_of(name):
            everything = [*names, *others]
            for place, each in enumerate(args):
                self._passed(everything if is_open else names[place : place + 1] or others, each)
            for keyword in call.keywords:
                named = [each for each in everything if plain(each) == keyword.arg]
                self._passed(named or everything, keyword.value)

    def _parameters_of(self, name: str) -> list[_Parameters]:
        """The parameters of functions and classes of a name; of objects, if there are none."""
        functions = self._functions.get(name if self.defines(name) else "__call__", [])
        made = [each for class_ in self._classes.get(name, []) for each in self._made(class_, ())]
        return [*map(self._parameters, functions), *made]

    def _made(self, node: ast.ClassDef, seen: tuple[str, ...]) -> list[_Parameters]:
        """What makes the objects of a class takes: its own method, or that of a base; without one, their fields."""
        own = [each for each in node.body if isinstance(each, FUNCTIONS) and each.name in MAKING]
        if own or node.name in seen:
            return [*map(self._parameters, own)]
        bases = [each for base in node.bases for each in self._classes.get(last_name(base), [])]
        inherited = [each for base in bases for each in self._made(base, (*seen, node.name))]
        targets = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        fields = [each.id for each in targets if isinstance(each, ast.Name)]
        return [([*names, *fields], others) for names, others in inherited or [([], [])]]

    def _parameters(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> _Parameters:
        """The parameters without a method's object."""
        args = function.args
        names = [self._parameter(each) for each in (*args.posonlyargs, *args.args)]
        last = [each for each in (args.vararg, args.kwarg) if each is not None]
        others = [self._parameter(each) for each in (*args.kwonlyargs, *last)]
        return names[1:] if names and names[0] in OWN else names, others

    def _parameter(self, node: ast.arg) -> str:
        return self._locals.get(id(node), node.arg)

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
        elif not (isinstance(target, ast.Name) and target.id in self._unread):
            self._are(self.of(target), self.of(value))

    def _defined(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Relate what a function returns or yields to its name; that of a property is its attribute."""
        name = node.name
        names = [f"{name}()", *([name] if node.decorator_list else []), *([_OPERATORS] if _is_operator(name) else [])]
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
                self._are(self._parameter(arg), self.of(default))
        if name in self._passed_on or node.decorator_list:
            for parameter in (each for parameters in self._parameters(node) for each in parameters):
                self._join(f"{name}(", parameter)

    def _called(self, node: ast.Call) -> None:
        name = last_name(node.func)
        if isinstance(node.func, ast.Attribute) and name in _ADDING | _MERGING:
            owner = self.of(node.func.value)
            for each in node.args:
                (self._holds if name in _ADDING else self._shares)(owner, each)
        if self._is_of_python(node.func):
            self.of(node)  # which may call a function that it is given
        elif isinstance(node.func, ast.Attribute) and not self.defines(name):
            for each in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._join(_leveled(self.of(node.func.value), "("), self.of(each))
            if self._may_be_own(node.func):
                self._given(node)
        elif not self.is_of_library(node.func):
            self._given(node)

    def _is(self, name: str, value: ast.expr) -> None:
        """Relate a new name to what an expression results in."""
        if isinstance(value, ast.Subscript):
            owner = _leveled(self.of(value.value), "[]")
            self._are(_leveled(name, "[]") if isinstance(value.slice, ast.Slice) else name, owner)
            self._is_of_operator(name)
        elif isinstance(value, ast.Lambda):
            self._are(_leveled(name, "()"), self.of(value.body))
            for parameter in (each for names in self._parameters(value) for each in names):
                self._join(_leveled(name, "("), parameter)
        elif isinstance(value, ast.Call):
            self._is_result(name, value)
        elif isinstance(value, (ast.BinOp, ast.UnaryOp)):
            for each in _joined(value):
                self._shares(name, each)
            self._is_of_operator(name)
        else:
            for each in _same(value):
                self._are(name, self.of(each))
            for each in _held(value):
                (self._shares if isinstance(each, ast.Starred) else self._holds)(name, each)

    def _is_of_operator(self, name: str) -> None:
        """Relate a name to what the program's operators return, if it has any."""
        if self._has_operators:
            self._are(name, _OPERATORS)

    def _is_result(self, name: str, call: ast.Call) -> None:
        function, called = call.func, last_name(call.func)
        if self.is_of_library(function):
            return
        if self._is_of_python(function):
            if called in _SHALLOW and not call.keywords:
                for each in call.args:
                    self._shares(name, each)
            elif called in ("getattr", "setattr") and len(call.args) > 1:
                *_, last = call.args
                self._are(name if called == "getattr" else self.of(last), _named_by(call.args[1]))
            elif called in _NAMESPACES:
                self._are(_leveled(name, "[]"), _ANY)
            elif called not in _OF_NUMBERS:
                self._mixes(name, [*call.args, *(each.value for each in call.keywords)])
                if self._is_foreign(function):
                    self._are(name, FOREIGN)
            return
        if isinstance(function, ast.Attribute) and called in _TAKING:
            owner = _leveled(self.of(function.value), "[]")
            self._are(name, owner)
            self._are(_leveled(name, "[]"), owner)
            for each in call.args[1:]:  # a default
                self._are(name, self.of(each))
        self._are(name, _leveled(self.of(function), "()"))
        if not self.defines(called) and self._may_be_own(function):
            for other in (*filter(self.defines, ["__call__"]), *([_ANY] if self._named is None else [])):
                self._are(name, f"{other}()")


def last_name(path: ast.AST) -> str:
    """The name of an attribute, a name, or what an item is of; "" for another expression."""
    while isinstance(path, ast.Subscript):
        path = path.value
    return path.attr if isinstance(path, ast.Attribute) else path.id if isinstance(path, ast.Name) else ""


def _is_operator(method: str) -> bool:
    """Whether it is by an operator or a statement that a method of this name is called."""
    return method.startswith("__") and method not in ("__call__", *MAKING)


def _is_read(node: ast.Attribute | ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def root_of(path: ast.expr) -> ast.expr:
    """What an attribute is of, and that of what this is."""
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


def _named_by(name: ast.expr) -> str:
    """The attribute that a text names."""
    return str(name.value) if isinstance(name, ast.Constant) else _ANY


def _item_of(items: ast.expr) -> ast.expr:
    return ast.Subscript(items, ast.Constant(0), ast.Load())


def _same(value: ast.expr) -> Sequence[ast.expr]:
    """What an expression may result in."""
    if isinstance(value, ast.IfExp):
        return value.body, value.orelse
    if isinstance(value, ast.BoolOp):
        return value.values
    return [value.value] if isinstance(value, (ast.Await, ast.NamedExpr, ast.Starred)) else []


def _joined(value: ast.BinOp | ast.UnaryOp) -> Sequence[ast.expr]:
    """The operands whose items the result of an operator may have."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, _JOINING) or _is_number(value):
        return ()
    return [each for each in (value.left, value.right) if not _is_number(each)]


def _is_number(value: ast.expr) -> bool:
    """Whether an expression is certainly a number: nothing but one is added to a number, or subtracted."""
    if isinstance(value, ast.BinOp):
        both = [_is_number(value.left), _is_number(value.right)]
        return any(both) if isinstance(value.op, (ast.Add, ast.Sub)) else all(both)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in _NUMBERS
    return isinstance(value, ast.Constant) and isinstance(value.value, (int, float))


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


def _names_by_text(nodes: Nodes) -> bool:
    """Whether a program binds attributes by names that are values."""
    makes_class = any(last_name(each.func) == "type" and len(each.args) > 1 for each in nodes.of(ast.Call))
    finds_any = any(each.name in _FINDING for each in nodes.of(*FUNCTIONS))
    return makes_class or finds_any or any(last_name(n) in _BY_TEXT for n in nodes.of(ast.Attribute, ast.Name))


def _named(nodes: Nodes) -> Iterator[str]:
    """The names of parameters, arguments, attributes and imports that something is bound to."""
    yield from (each.arg for each in nodes.of(ast.arg, ast.keyword) if each.arg is not None)
    yield from (each.attr for each in nodes.of(ast.Attribute) if not _is_read(each))
    yield from (each.asname or each.name for each in nodes.of(ast.alias))


def imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a statement imports, each with the package that it is from."""
    if isinstance(node, ast.Import):
        yield from ((each.asname or each.name.partition(".")[0], each.name.partition(".")[0]) for each in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        yield from ((each.asname or each.name, (node.module or "").partition(".")[0]) for each in node.names)
