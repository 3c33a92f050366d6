"""What of a program's values is its state: what it assigns or changes after it has made it.

A condition may tell in which state the program is. So nothing is known of the state in a branch whose condition is not
known: where `best` was None at first, it may be an array by then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Final

from typegrad.dry_run.source.aliases import FUNCTIONS, MAKING, OWN, Aliases, last_name
from typegrad.dry_run.source.changes import nodes_in
from typegrad.dry_run.source.returned import Function, returns_new
from typegrad.dry_run.source.trees import Nodes, children, nodes_of

__all__ = ["CHANGING", "CHANGING_FIRST", "State"]

CHANGING: Final = frozenset((
    "__delitem__", "__iadd__", "__iand__", "__imul__", "__ior__", "__isub__", "__ixor__", "__setitem__",
    "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "fill", "insert",
    "intersection_update", "move_to_end", "partition", "pop", "popitem", "popleft", "put", "remove", "resize",
    "reverse", "rotate", "setdefault", "sort", "subtract", "symmetric_difference_update", "update",
))  # fmt: skip
"""The methods that change a list and the like."""
CHANGING_FIRST: Final = frozenset((
    "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right", "shuffle",
))  # fmt: skip
"""The functions of Python's and NumPy's modules that change their first argument."""
_BY_NAME: Final = frozenset(("__delattr__", "__dict__", "__setattr__", "delattr", "patch", "setattr", "vars"))
"""What may assign attributes of any name."""
_CATCHING: Final = (*FUNCTIONS, ast.Try, ast.TryStar)
"""What may be of a context manager that catches errors; so may one that is given to `ExitStack.push`."""
_GLOBALS: Final = "globals"
_READING: Final = ("get", "items", "keys", "values")
"""The methods of a dict that change nothing."""
_OF_TEXTS: Final = ("exec", _GLOBALS)
"""What may bind names of any module."""
_CHANGES: Final = (ast.Attribute, ast.AugAssign, ast.Call, ast.Subscript)
"""What changes an object, or what is in it."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class State:
    """The names of a program's state. Each fact is looked for when somebody asks for it."""

    def __init__(self, nodes: Nodes) -> None:
        """Tell the state of a program of these nodes."""
        self.nodes: Final = nodes

    def may_assign(self, name: str) -> bool:
        """Whether an attribute may be assigned elsewhere than where the object is made."""
        return name in self.attributes or self.is_open

    def may_change(self, name: str) -> bool:
        """Whether a list of this name may be changed."""
        return name in self.containers or self._changes_any

    def gives_away(self, function: Function) -> bool:
        """Whether who calls a function may get what was made elsewhere, and so may change it."""
        return not returns_new(function, self._aliases)

    @cached_property
    def attributes(self) -> Collection[str]:
        """The attributes that are assigned elsewhere than where their object is made."""
        return {each.attr for each in self._uses if not isinstance(each.ctx, ast.Load)}

    @cached_property
    def is_open(self) -> bool:
        """Whether attributes are assigned whose names only a run knows, elsewhere than where their object is made."""
        by_name = (each for each in self.nodes.of(ast.Attribute, ast.Name) if last_name(each) in _BY_NAME)
        is_of_others = any(isinstance(each, ast.Attribute) or id(each) not in self._own for each in by_name)
        return is_of_others or _are_made_again(self.nodes)

    @cached_property
    def only_reads_names(self) -> bool:
        """Whether the program only reads what `globals` returns, where that is called."""
        read = (each for each in self.nodes.of(ast.Attribute, ast.Subscript) if isinstance(each.ctx, ast.Load))
        owners = [each.value for each in read if isinstance(each, ast.Subscript) or each.attr in _READING]
        owners += [right for each in self.nodes.of(ast.Compare) for right in each.comparators]
        calls = [each for each in owners if isinstance(each, ast.Call) and last_name(each.func) == _GLOBALS]
        return len(calls) == sum(last_name(each) == _GLOBALS for each in self.nodes.of(ast.Attribute, ast.Name))

    @cached_property
    def outer(self) -> frozenset[str]:
        """The names that functions assign which are not their own."""
        return frozenset(name for each in self.nodes.of(ast.Global, ast.Nonlocal) for name in each.names)

    @cached_property
    def rebound(self) -> frozenset[str]:
        """The names of modules that are bound more than once."""
        is_of_texts = any(last_name(each) in _OF_TEXTS for each in self.nodes.of(ast.Attribute, ast.Name))
        bound = [Counter(_bound(tree, is_open=is_of_texts)) for tree in self.nodes.trees]
        return frozenset(name for names in bound for name, count in names.items() if count > 1)

    @cached_property
    def catches(self) -> bool:
        """Whether there are context managers that may catch errors."""
        return any(each.attr == "push" for each in self._uses) or any(map(_catches, self.nodes.of(*_CATCHING)))

    @cached_property
    def containers(self) -> Collection[str]:
        """The names, and the attributes, by which lists and the like are changed."""
        return self._aliases.reached(self._lists)

    @cached_property
    def arrays(self) -> Collection[str]:
        """The names, and the attributes, by which arrays are changed, or lists."""
        return self._aliases.reached([*self.reshaped, *(name for name, _ in self._changed)])

    @cached_property
    def reshaped(self) -> Collection[str]:
        """The names, and the attributes, by which arrays are given other shapes."""
        return {last_name(path) for each in self._uses for path in _reshaped(each)}

    @cached_property
    def _changes_any(self) -> bool:
        """Whether a list is changed whose name is not known."""
        return any(map(self._aliases.may_be_any, self._lists)) or any(
            _changes_itself(each, self._aliases) for each in self.nodes.of(ast.Attribute, ast.Subscript)
        )

    @cached_property
    def _own(self) -> Collection[int]:
        """The ids of what a method that makes an object does to this."""
        return _changes_while_made(self.nodes)

    @cached_property
    def _uses(self) -> Sequence[ast.Attribute]:
        """The attributes that are read or assigned elsewhere than where their object is made."""
        return [each for each in self.nodes.of(ast.Attribute) if id(each) not in self._own]

    @cached_property
    def _aliases(self) -> Aliases:
        return Aliases(self.nodes)

    @cached_property
    def _changed(self) -> Sequence[tuple[str, bool]]:
        """The names of what is changed, each with whether only an array can be."""
        changing = (each for each in self.nodes.of(*_CHANGES) if id(each) not in self._own)
        aliases = self._aliases
        return [(aliases.of(path), _is_of_array(each)) for each in changing for path in _changed(each, aliases)]

    @cached_property
    def _lists(self) -> Sequence[str]:
        return [name for name, is_of_array in self._changed if not is_of_array]


def _making(nodes: Nodes) -> frozenset[str]:
    """The methods by which objects are made: `__init__`, and what such methods alone call, of the same object."""
    uses = Counter(each.attr for each in nodes.of(ast.Attribute))
    functions: dict[str, list[_Function]] = {}
    for each in nodes.of(*FUNCTIONS):
        functions.setdefault(each.name, []).append(each)
    found = frozenset(MAKING)
    while True:
        calls = Counter(called for name in found for each in functions.get(name, ()) for called in _own_calls(each))
        more = {name for name, count in calls.items() if count == uses[name] and name not in found}
        more = {name for name in more if _runs_at_once(name, functions.get(name, ()))}
        if not more:
            return found
        found |= more


def _runs_at_once(name: str, functions: Sequence[_Function]) -> bool:
    """Whether the functions of a name run when they are called, and only then."""
    if len(functions) > 1 and not name.startswith("_"):
        return False  # a library may call the other one, such as a thread's `run`
    waiting = (ast.AsyncFunctionDef, ast.Yield, ast.YieldFrom)
    return not any(each.decorator_list or any(isinstance(n, waiting) for n in nodes_of(each)) for each in functions)


def _own_calls(function: _Function) -> Iterator[str]:
    """The methods of its own object that a method calls at once."""
    waiting: list[ast.AST] = [*function.body] if function.args.args else []
    while waiting:
        node = waiting.pop()
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            yield from [called.attr] * (called.value.id == function.args.args[0].arg)
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.GeneratorExp, ast.Lambda)):
            waiting += children(node)


def _changes_while_made(nodes: Nodes) -> Collection[int]:
    """The ids of what a method that makes an object does to this."""
    making = _making(nodes)
    found: list[int] = []
    for function in nodes.of(*FUNCTIONS):
        own = function.args.args[0].arg if function.name in making and function.args.args else ""
        waiting = children(function) if own else []
        for node in waiting:
            if isinstance(node, _CHANGES) and _root(node) == own:
                found.append(id(node))
            if isinstance(node, ast.Call) and last_name(node.func) == "setattr" and node.args:
                found += [id(node.func)] * (isinstance(node.args[0], ast.Name) and node.args[0].id == own)
            waiting += [] if isinstance(node, FUNCTIONS) else children(node)
    return frozenset(found)


def _root(node: ast.AST) -> str:
    """The name that a path begins with."""
    while not isinstance(node, ast.Name):
        inner = getattr(node, "func", None) or getattr(node, "target", None) or getattr(node, "value", None)
        if inner is None:
            return ""
        node = inner
    return node.id


def _are_made_again(nodes: Nodes) -> bool:
    """Whether objects may be made a second time: `self.__init__()`, but not where `super().__init__()` makes one."""
    making = [each for each in nodes.of(*FUNCTIONS) if each.name in MAKING]
    usual = {id(each) for each in nodes_of(*making) if _makes(each, of_super=True)}
    return any(_makes(each) and id(each) not in usual for each in nodes.of(ast.Call))


def _makes(node: ast.AST, *, of_super: bool = False) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    if not isinstance(function, ast.Attribute) or function.attr not in MAKING - {"__new__"}:
        return False
    owner = function.value
    return not of_super or (isinstance(owner, ast.Call) and last_name(owner.func) == "super")


def _catches(node: _Function | ast.Try | ast.TryStar) -> bool:
    """Whether a node is of a context manager that may catch an error: it returns something, or yields in a `try`."""
    if isinstance(node, (ast.Try, ast.TryStar)):
        return bool(node.handlers) and any(isinstance(each, ast.Yield) for each in nodes_in(node.body))
    if node.name not in ("__aexit__", "__exit__"):
        return False
    returned = (each.value for each in nodes_of(node) if isinstance(each, ast.Return))
    return any(not isinstance(each, ast.Constant) or each.value for each in returned if each is not None)


def _changed(node: ast.AST, aliases: Aliases) -> Iterator[ast.expr]:
    """What a node changes the items of, or may."""
    if (isinstance(node, ast.Attribute) and node.attr in CHANGING) or (
        isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
    ):
        yield node.value
    elif isinstance(node, ast.AugAssign) and not _is_of_numbers(node.value, aliases):
        yield node.target
    elif isinstance(node, ast.Call) and last_name(node.func) in CHANGING_FIRST:
        yield from node.args[:1]


def _is_of_array(node: ast.AST) -> bool:
    """Whether a node changes items that only arrays have: `a[:, 0] = b`."""
    index = node.slice if isinstance(node, ast.Subscript) else None
    return isinstance(index, ast.Tuple) and any(isinstance(each, ast.Slice) for each in index.elts)


def _is_of_numbers(value: ast.expr, aliases: Aliases) -> bool:
    """Whether `a += value` cannot change a list."""
    if isinstance(value, ast.Call):
        return last_name(value.func) in ("abs", "float", "int", "len", "round") or aliases.is_of_library(value.func)
    return isinstance(value, ast.Constant) and not isinstance(value.value, str)


def _changes_itself(node: ast.AST, aliases: Aliases) -> bool:
    """Whether a method changes its object, as that of a class of lists does."""
    if isinstance(node, ast.Subscript):
        is_changed = not isinstance(node.ctx, ast.Load)
    else:
        is_changed = isinstance(node, ast.Attribute) and node.attr in CHANGING
    owner = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) and is_changed else None
    if isinstance(owner, ast.Call):
        return last_name(owner.func) == "super"
    is_own = isinstance(owner, ast.Name) and owner.id in OWN
    return is_own and not (isinstance(node, ast.Attribute) and aliases.defines(node.attr))


def _reshaped(node: ast.AST) -> Iterator[ast.expr]:
    """What array a node gives another shape."""
    if isinstance(node, ast.Attribute) and (node.attr == "resize" or _is_shape(node)):
        yield node.value


def _is_shape(node: ast.Attribute) -> bool:
    return node.attr in ("dtype", "shape") and not isinstance(node.ctx, ast.Load)


def _bound(tree: ast.Module, *, is_open: bool) -> Iterator[str]:
    """The names of a module, as often as they are bound; twice in a loop, or where texts may bind them."""
    is_open = is_open and any(last_name(each) in _OF_TEXTS for each in nodes_of(tree))
    waiting: list[tuple[ast.AST, bool]] = [(each, is_open) for each in tree.body]
    while waiting:
        node, is_repeated = waiting.pop()
        names = [node.name] if isinstance(node, (*FUNCTIONS, ast.ClassDef)) else []
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names = [node.id]
        yield from names * (1 + is_repeated)
        is_loop = isinstance(node, (ast.AsyncFor, ast.For, ast.While, ast.With, ast.AugAssign))
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting += [(each, is_repeated or is_loop) for each in children(node)]
