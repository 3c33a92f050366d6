"""What of a program's values is its state: what it assigns or changes after it has made it.

A condition may tell in which state the program is. So nothing is known of the state in a branch whose condition is not
known: where `best` was None at first, it may be an array by then.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from typegrad.dry_run.source.aliases import FOREIGN, MAKING, Aliases, last_name
from typegrad.dry_run.source.changes import nodes_in
from typegrad.dry_run.source.returned import Function, returns_new
from typegrad.dry_run.source.scopes import FUNCTIONS, OWN, plain
from typegrad.dry_run.source.trees import Nodes, children, nodes_of
from typegrad.dry_run.source.unused import stored_attributes

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
_CLASSES: Final = ("Counter", "OrderedDict", "UserDict", "UserList", "defaultdict", "deque", "dict", "list", "set")
_BY_NAME: Final = frozenset(("__delattr__", "__dict__", "__setattr__", "delattr", "patch", "setattr", "vars"))
"""What may assign attributes of any name."""
_CATCHING: Final = (*FUNCTIONS, ast.Try, ast.TryStar)
"""What may be of a context manager that catches errors; so may one that is given to `ExitStack.push`."""
_GLOBALS: Final = "globals"
_ANY: Final = ""
"""In the place of the class of an object that may be any."""
_OF_ATTRIBUTES: Final = ("delattr", "getattr", "hasattr", "setattr")
"""The functions of one attribute of an object."""
_READING: Final = ("get", "items", "keys", "values")
"""The methods of a dict that change nothing."""
_OF_TEXTS: Final = ("exec", _GLOBALS)
"""What may bind names of any module."""
_CHANGES: Final = (ast.Attribute, ast.AugAssign, ast.Call, ast.Subscript)
"""What changes an object, or what is in it."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class State:
    """The names of a program's state. Each fact is looked for when somebody asks for it."""

    def __init__(self, nodes: Nodes, is_own: Callable[[str], bool] = lambda _: False) -> None:
        """Tell the state of a program of these nodes; `is_own` tells whether a package is the program's own."""
        self.nodes: Final = nodes
        self._is_own: Final = is_own

    def may_assign(self, name: str, owner: object = None, *, in_place: bool = True) -> bool:
        """Whether an attribute may be assigned elsewhere than where the object is made.

        Args:
            name: The attribute.
            owner: Whose; None for that of any object.
            in_place: Whether `a += b` counts, which leaves an array what it is.

        """
        classes = self._assigned[in_place].get(name, ())
        kind = owner if isinstance(owner, type) else type(owner)
        is_of_owner = owner is None or _ANY in classes or any(each.__name__ in classes for each in kind.__mro__)
        return self.is_open or (bool(classes) and is_of_owner)

    def may_change(self, name: str, *, is_local: bool = True, has_parts: bool = True) -> bool:
        """Whether a list of this name may be changed, or what is in it.

        `is_local` tells whether a function may have the name alone, and `has_parts` whether something in the list can
        be changed.
        """
        return name in self._reached[is_local, has_parts] or self._changes_any

    def may_give_away(self, name: str) -> bool:
        """Whether a library has a list of this name, or something in it, that nothing is known of."""
        return name in self._foreign

    def gives_away(self, function: Function) -> bool:
        """Whether who calls a function may get what was made elsewhere, and so may change it."""
        return not returns_new(function, self._aliases)

    @cached_property
    def attributes(self) -> Collection[str]:
        """The attributes that are assigned elsewhere than where their object is made."""
        return self._assigned[True].keys()

    @cached_property
    def _assigned(self) -> Mapping[bool, Mapping[str, Collection[str]]]:
        """These attributes, each with the classes in whose methods the object gets it: with `a += b`, and without."""
        added = {id(each.target) for each in self.nodes.of(ast.AugAssign)}
        owners = _classes_of_owners(self.nodes)
        found: dict[bool, dict[str, set[str]]] = {True: {}, False: {}}
        for each in self._uses:
            if not isinstance(each.ctx, ast.Load):
                for in_place in (True,) if id(each) in added else (True, False):
                    found[in_place].setdefault(each.attr, set()).add(owners.get(id(each.value), _ANY))
        return found

    @cached_property
    def stored(self) -> Collection[str]:
        """The attributes that objects may get anywhere, by code that something calls, if it is not open which."""
        return stored_attributes(self.nodes)

    @cached_property
    def is_open(self) -> bool:
        """Whether attributes are assigned whose names only a run knows, elsewhere than where their object is made."""
        by_name = (each for each in self.nodes.of(ast.Attribute, ast.Name) if last_name(each) in _BY_NAME)
        known = {*self._own, *self._read_as_dicts}
        return any(id(each) not in known for each in by_name) or _are_made_again(self.nodes)

    @cached_property
    def only_reads_names(self) -> bool:
        """Whether the program only reads what `globals` returns, where that is called."""
        by_name = (each for each in self.nodes.of(ast.Attribute, ast.Name) if last_name(each) == _GLOBALS)
        return all(id(each) in self._read_as_dicts for each in by_name)

    @cached_property
    def _read_as_dicts(self) -> Collection[int]:
        """The ids of what is only read as a dict, and of functions whose results are."""
        read = (each for each in self.nodes.of(ast.Attribute, ast.Subscript) if isinstance(each.ctx, ast.Load))
        owners = [each.value for each in read if isinstance(each, ast.Subscript) or each.attr in _READING]
        owners += [right for each in self.nodes.of(ast.Compare) for right in each.comparators]
        return {id(each.func if isinstance(each, ast.Call) else each) for each in owners}

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
        return self._reached[True, True]

    @cached_property
    def _reached(self) -> Mapping[tuple[bool, bool], Collection[str]]:
        """These names: with those that a function has alone, and with those of what has such a list in it."""
        changed, with_it = self._aliases.reached(self._lists)
        both = {False: changed, True: changed | with_it}
        return {
            (is_local, has_parts): {plain(each) for each in names} if is_local else names
            for has_parts, names in both.items()
            for is_local in (False, True)
        }

    @cached_property
    def _foreign(self) -> Collection[str]:
        return {plain(name) for names in self._aliases.reached([FOREIGN]) for name in names}

    @cached_property
    def arrays(self) -> Collection[str]:
        """The names, and the attributes, by which arrays are changed, or lists."""
        reshaped = [self._aliases.of(path) for each in self._uses for path in _reshaped(each)]
        reached = self._aliases.reached([*reshaped, *(name for name, _ in self._changed)])
        return {plain(name) for names in reached for name in names}

    @cached_property
    def reshaped(self) -> Collection[str]:
        """The names, and the attributes, by which arrays are given other shapes."""
        return {last_name(path) for each in self._uses for path in _reshaped(each)}

    @cached_property
    def _changes_any(self) -> bool:
        """Whether a list is changed whose name is not known."""
        is_any = any(map(self._aliases.may_be_any, self._lists))
        is_any = is_any or not self._aliases.operands.isdisjoint(self._reached[False, True])
        used = self.nodes.of(ast.Attribute, ast.Subscript)
        return is_any or any(_changes_itself(each, self._aliases) for each in used)

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
        return Aliases(self.nodes, self._is_own)

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
    """The ids of what a function does to an object that it makes: a method to its own, or before it returns it."""
    making, classes = _making(nodes), {each.name for each in nodes.of(ast.ClassDef)}
    found: list[int] = []
    for function in nodes.of(*FUNCTIONS):
        own = {each.arg for each in function.args.args[:1] if function.name in making}
        own |= _made_in(function, classes)
        waiting = children(function) if own else []
        for node in waiting:
            if isinstance(node, _CHANGES) and _root(node) in own:
                found.append(id(node))
            if isinstance(node, ast.Call) and last_name(node.func) in _OF_ATTRIBUTES and node.args:
                found += [id(node.func)] * (isinstance(node.args[0], ast.Name) and node.args[0].id in own)
            waiting += [] if isinstance(node, FUNCTIONS) else children(node)
    return frozenset(found)


def _made_in(function: _Function, classes: Collection[str]) -> set[str]:
    """The names of objects that a function makes, and that nobody else has before it returns them."""
    nodes = nodes_of(function)
    made = {
        target.id: target
        for each in nodes
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call) and last_name(each.value.func) in classes
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    if not made:
        return set()
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    kept = {id(part) for each in nodes if id(each) not in called for part in _keeping(each)}
    names = (each for each in nodes if isinstance(each, ast.Name) and id(each) not in kept)
    given = {each.id for each in names if each is not made.get(each.id)}
    inner = nodes_of(*(each for each in nodes[1:] if isinstance(each, (*FUNCTIONS, ast.Lambda))))
    given.update(each.id for each in inner if isinstance(each, ast.Name))
    given.update(each.arg for each in nodes if isinstance(each, ast.arg))
    given.update(name for each in nodes if isinstance(each, (ast.Global, ast.Nonlocal)) for name in each.names)
    return made.keys() - given


def _keeping(node: ast.AST) -> Iterator[ast.AST | None]:
    """What a node returns, or asks for an attribute: nobody has it for that."""
    if isinstance(node, (ast.Attribute, ast.Return)):
        yield node.value
    elif isinstance(node, ast.Call) and last_name(node.func) in _OF_ATTRIBUTES:
        yield from node.args[:1]


def _classes_of_owners(nodes: Nodes) -> Mapping[int, str]:
    """The class whose method reads or changes its own object, by the id of the name that it has for this."""
    found: dict[int, str] = {}
    lent = _lent(nodes)
    for class_ in (each for each in nodes.of(ast.ClassDef) if not {each.name, "__class__"} & lent):
        for method in (each for each in class_.body if isinstance(each, FUNCTIONS) and each.args.args):
            own, parts = method.args.args[0].arg, nodes_of(method)
            names = [each for each in parts if isinstance(each, ast.Name) and each.id == own]
            is_other = any(last_name(each) == "staticmethod" for each in method.decorator_list)
            is_other |= sum(isinstance(each, ast.arg) and each.arg == own for each in parts) > 1
            if not is_other and all(isinstance(each.ctx, ast.Load) for each in names):
                found |= {id(each): class_.name for each in names}
    return found


def _lent(nodes: Nodes) -> set[str]:
    """The classes whose methods may have other objects, as by `step = Base.step`; `__class__` for all of them."""
    supers = (each for each in nodes.of(ast.Call) if each.args and last_name(each.args[0]) in OWN)
    usual = {id(each.func) for each in supers}  # as in `Base.step(self)`
    read = (each for each in nodes.of(ast.Attribute) if id(each) not in usual)
    return {last_name(each.value) if isinstance(each.ctx, ast.Load) else each.attr for each in read}


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
    elif isinstance(node, ast.Call) and (last_name(node.func) in CHANGING_FIRST or _is_of_class(node.func)):
        yield from node.args[:1]


def _is_of_class(method: ast.expr) -> bool:
    """Whether a method that changes a list is called by its class: `list.append(rows, row)`."""
    owner = method.value if isinstance(method, ast.Attribute) and method.attr in CHANGING else None
    return owner is not None and last_name(owner) in _CLASSES


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
