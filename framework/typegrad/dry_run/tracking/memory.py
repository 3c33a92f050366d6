"""The objects of a program of which nothing is known any more, as code that was not followed may have changed them."""

from __future__ import annotations

import collections
import dis
import functools
import gc
import itertools
import operator
from argparse import Namespace
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from types import (
    CellType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from typegrad.dry_run.known.arrays import StandIn, hidden
from typegrad.dry_run.known.ends import forget_ends
from typegrad.dry_run.known.open_shapes import is_of_library, open_graph_of
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.dry_run.known.unsized import Many
from typegrad.dry_run.source.expressions import MACHINE
from typegrad.dry_run.source.state import CHANGING
from typegrad.dry_run.tracking.code import assigned_outside, cells_of, codes_in, read_by, reshapes, texts_in, used_by

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.undo import Undo

__all__ = [
    "CACHED",
    "CONTAINERS",
    "IMPORTING",
    "Tainted",
    "changes_when_read",
    "has_lists",
    "has_no_parts",
    "inside",
    "work_of",
]

CONTAINERS: Final = (list, dict, set, collections.deque)
"""What can be changed in place."""
_PLAIN_CONTAINERS: Final = (*CONTAINERS, tuple)
"""The classes of what is not changed where it is only read, or what is in it."""
_NAMES: Final = (dict, MappingProxyType)
"""What has the attributes of an object or a class."""
_LISTS: Final = (list, collections.deque)
_DICTS: Final = (dict, collections.OrderedDict, collections.defaultdict)
CACHED: Final = type(functools.cache(len))
"""The class of functions that remember their results."""
_WRAPPERS: Final = (FunctionType, classmethod, staticmethod, CACHED)
"""What a function may be in."""
_DICT_TYPES: Final[tuple[dict[Any, Any], ...]] = ({}, collections.OrderedDict())
_VIEWS: Final = frozenset(type(each) for d in _DICT_TYPES for each in (d.items(), d.keys(), d.values()))
"""What has the keys or the values of a dict, also those that it gets later."""
_ITERATORS: Final = frozenset((
    enumerate, filter, map, reversed, zip, itertools.chain, itertools.islice,
    type(iter([])), type(reversed([])), type(iter(set())),
    *(type(turn(each)) for d in _DICT_TYPES for each in (d.items(), d.keys(), d.values()) for turn in (iter, reversed)),
))  # fmt: skip
"""What takes its items from a container when it is asked for them."""
_OF_SEVERAL: Final = (map, zip)
_PLAIN: Final = frozenset((bool, bytes, complex, float, int, range, str, type(None)))
_MAKING: Final = frozenset((
    "__attrs_post_init__", "__dict__", "__init__", "__init_subclass__", "__new__", "__post_init__", "__weakref__",
))  # fmt: skip
"""The names of a class of what makes objects, and of what Python itself puts into it."""
_STORES: Final = frozenset(("DELETE_ATTR", "DELETE_SUBSCR", "STORE_ATTR", "STORE_GLOBAL", "STORE_SUBSCR"))
_STORING: Final = frozenset((
    "augment_attribute", "augment_item", "delattr", "delete_attribute", "delete_item", "setattr", "store_attribute",
    "store_item",
))  # fmt: skip
"""What changes objects, in a rewritten program."""
_OF_THREADS: Final = ("contextvars", "threading")
"""The modules whose classes have other values in each thread, or each task."""
IMPORTING: Final = frozenset(("__import__", "exec_module", "import_module", "load_module", "run_module", "run_path"))
"""What imports, or runs, modules by names that are values."""
_MOST: Final = 1000
"""Of how many items it is looked at what they are."""
_DEPTH: Final = 6
"""How deep the parts of an object, or of an argument, are looked at."""
_T = TypeVar("_T")


class Tainted:
    """A set of objects, by identity."""

    def __init__(self, is_users: Callable[[type], bool], may_change: Callable[[str, Any, bool], bool]) -> None:
        """Know nothing of no object.

        Args:
            is_users: Whether a class is the program's own.
            may_change: Whether the program may change a list of this name, which a function may have alone.

        """
        self._objects: dict[int, object] = {}
        self._shapeless: set[int] = set()
        """The arrays among them of which not even the shape is known, by identity."""
        self._namespaces: dict[int, tuple[Any, object]] = {}
        """The dicts of attributes that a program has, each with its object, by identity."""
        self._grown: dict[int, Many | None] = {}
        """Lists among them to which only items of one kind may have been appended; None for one that was empty."""
        self._moved: set[int] = set()
        """The objects among them, by identity, that only the program's own code may have changed."""
        self._is_own_code = False
        """Whether it is such code that may have changed what is added."""
        self._mentioned: set[str] = set()
        """The names that such code has, by which it may call methods."""
        self._classes: set[Any] = set()
        """The classes of the objects that it may call methods of."""
        self._lost: list[Any] | None = None
        """The lists that are added, while somebody asks for them."""
        self.threads = 0
        """How many threads and tasks the current code is in: nothing is known of what each has of its own."""
        self.undo: Undo | None = None
        """What undoes changes, while code is followed on trial."""
        self.forget_registered: Callable[[], object] = bool
        """Forgets what modules may change that are imported by such a name."""
        self.gives_away: Callable[[FunctionType], bool] = callable
        """Whether who calls a function of the program may get what was made elsewhere, and so may change it."""
        self._is_users = is_users
        self._may_change = may_change

    def __contains__(self, value: object) -> bool:
        if self.threads and _is_of_threads(type(value)):
            self.lose(value)
        if type(value) is GeneratorType and value.gi_frame is None:  # which may have more items in a run
            return True
        if isinstance(value, _NAMES) and id(value) in self._namespaces:
            return self._namespaces[id(value)][1] in self
        if type(value) in _VIEWS or type(value) in _ITERATORS:
            return id(value) in self._objects or any(each in self for each in _sources(value))
        is_real = isinstance(value, np.ndarray) and not isinstance(value, StandIn)
        base = value.base if is_real and isinstance(value, np.ndarray) else None  # which views of one array share
        return id(value) in self._objects or (base is not None and base in self)

    def add(self, value: Any, depth: int = _DEPTH) -> None:
        """Add an object, what is in it, and what its methods may change; of a function, what it may change."""
        kind: Any = type(value)  # which mypy does not take for hashable
        if is_of_library(value):
            open_graph_of(value)
            return
        if depth == 0 or value is UNKNOWN or has_no_parts(kind):
            return
        forget_ends(value)
        if not self._is_own_code and self._is_only_called(value):
            self._is_own_code = True
            self.add(value, depth)
            self._is_own_code = False
            return
        if value in self and (self._is_own_code or not self.is_moved(value)):
            if not isinstance(value, np.ndarray):
                self._grown.clear()  # a list in it may be changed otherwise
            return
        if isinstance(value, FunctionType):
            if MACHINE in value.__globals__:
                self.lose(value)
                self._add_used(value, depth - 1)
            else:  # the library's own functions stay, but not what they have of the program
                self.add(cells_of(value), depth - 1)
        elif (
            _can_be_changed(kind)
            or (isinstance(value, np.ndarray) and not isinstance(value, StandIn))
            or self._is_users(value if isinstance(value, type) else kind)
        ):
            self.lose(value)
        for part in self._parts(value):
            self.add(part, depth - 1)
        if self.is_moved(value):
            self._classes.add(type(value))
            for name, part in [*_attributes(value), *self._called_of(type(value), self._mentioned)]:
                self.add_named(name, part, depth - 1)

    def _is_only_called(self, value: Any) -> bool:
        """Whether what a value has is changed by the program's own code alone, which others may call."""
        function: Any = value.__func__ if isinstance(value, MethodType) else value
        return isinstance(function, FunctionType) and MACHINE in function.__globals__ and not self.gives_away(function)

    def add_moved(self, value: Any, names: Sequence[str] = ()) -> None:
        """Add what the program's own code may have changed: of an object, the attributes that it assigns anywhere.

        `names` are those by which the code has it, each an attribute of the one before, if it is known that it has.
        """
        before, self._is_own_code = self._is_own_code, True
        if names:
            self.add_named(names[-1], value, is_local=len(names) == 1)
        else:
            self.add(value)
        self._is_own_code = before

    def is_moved(self, value: object) -> bool:
        """Whether only the program's own code may have changed an object."""
        return id(value) in self._moved

    def add_named(self, name: str, value: Any, depth: int = _DEPTH, *, is_local: bool = False) -> None:
        """Add the value of a name or an attribute; what is in it, if it is a list that the program does not change."""
        is_list = self._is_own_code and type(value) in _PLAIN_CONTAINERS
        if is_list and not self._may_change(name, value, is_local):
            self._add_inside(value, depth)
        else:
            self.add(value, depth)

    def _add_inside(self, items: Any, depth: int) -> None:
        """Add what is in a list or the like, but for others of these."""
        for each in self._parts(items) if depth else ():
            if type(each) in _PLAIN_CONTAINERS:
                self._add_inside(each, depth - 1)
            else:
                self.add(each, depth - 1)

    def add_changes(self, changes: Iterable[object]) -> None:
        """Add what some functions have changed, and may change again, and forget the names that they assign."""
        for each in changes:
            function = each.func if isinstance(each, functools.partial) else each
            function = function.__func__ if isinstance(function, MethodType) else function
            if isinstance(function, FunctionType):
                self._forget_names(function)
            else:
                self.add_moved(each)

    def lose(self, value: Any) -> None:
        """Add an object of any kind; for a dict of attributes, the object."""
        if isinstance(value, _NAMES) and id(value) in self._namespaces:
            _, value = self._namespaces[id(value)]
        if self._lost is not None and type(value) in _LISTS and id(value) not in self._objects:
            self._lost.append(value)
        if self._is_own_code and self._is_users(type(value)) and (value not in self or self.is_moved(value)):
            self._moved.add(id(value))
        else:
            self._moved.discard(id(value))
        self._objects[id(value)] = value
        self._grown.pop(id(value), None)

    def lose_moved(self, value: Any) -> None:
        """Add an object whose attributes the program's own code may have assigned, and not what is in it."""
        before, self._is_own_code = self._is_own_code, True
        self.lose(value)
        self._is_own_code = before

    def lists_lost_by(self, forget: Callable[[], object]) -> tuple[list[tuple[Any, Any]], list[Any]]:
        """The lists that are forgotten: those that had items of one kind, with what they are like, and known ones."""
        grown = [(self._objects[number], known) for number, known in self._grown.items()]
        lost: list[Any] = []
        self._lost = lost
        forget()
        self._lost = None
        return grown, lost

    def grow(self, items: Any, known: Any) -> None:
        """Add a list of which all items are known to be like those of another one; None for an empty one."""
        self.lose(items)
        if known is None or (isinstance(known, Many) and known.is_fixed):
            self._grown[id(items)] = known

    def grown(self, items: Any) -> Any:
        """What such a list is like; unknown for any other one."""
        return self._grown.get(id(items), UNKNOWN)

    def namespace(self, owner: Any, attributes: Any) -> Any:
        """The attributes of an object or a class, by their names. Where one of both is lost, so is the other."""
        dicts = gc.get_referents(attributes) if isinstance(attributes, MappingProxyType) else ()
        for each in (attributes, *dicts) if attributes is not owner else ():  # a view of a class's own dict
            self._namespaces[id(each)] = each, owner
        return attributes

    def lose_shape(self, value: Any) -> None:
        """Add an array of which not even the shape is known any more."""
        self.lose(value)
        self._shapeless.add(id(value))

    def functions(self) -> list[FunctionType]:
        """The functions among them, which code that was not followed may call."""
        return [each for each in self._objects.values() if isinstance(each, FunctionType)]

    def _parts(self, value: Any) -> list[Any]:
        """What is in an object, or belongs to it."""
        if isinstance(value, dict):
            return [*value.values()]
        if isinstance(value, (list, tuple, set, collections.deque)):
            return [*value]
        if isinstance(value, np.ndarray):  # which a view shares its numbers with
            return [] if value.base is None or isinstance(value, StandIn) else [value.base]
        if isinstance(value, functools.partial):
            return [value.func, *value.args, *value.keywords.values()]
        if isinstance(value, np.vectorize):
            return [value.pyfunc]
        if isinstance(value, GeneratorType):  # which goes on when somebody asks for an item
            return work_of(value)
        if isinstance(value, type) and value in self:
            return [*vars(value).values(), *value.__bases__]
        if self.is_moved(value):
            return []  # which depend on their names
        if value in self and not isinstance(value, FunctionType):
            return [*(each for _, each in _attributes(value)), type(value)]
        if isinstance(value, property):
            return [value.fget, value.fset]
        if isinstance(value, MethodType):
            return [value.__self__, value.__func__]
        return [getattr(value, "__wrapped__" if isinstance(value, _WRAPPERS) else "__self__", None)]

    def _called_of(self, class_: type, names: Collection[str]) -> Iterator[tuple[str, Any]]:
        """What of a class code may call or change that has these names, each with its name. Operators have none."""
        for owner in filter(self._is_users, class_.__mro__):
            for name, value in vars(owner).items():
                is_operator = name.startswith("__") and name not in _MAKING
                if name in names or is_operator or isinstance(value, (*CONTAINERS, np.ndarray)):
                    yield name, value

    def _add_used(self, function: FunctionType, depth: int) -> None:
        """Add what a function of the program may change besides its arguments."""
        self._forget_names(function)
        read = read_by(function)
        if not read.isdisjoint(IMPORTING):
            self.forget_registered()
        if self._is_own_code:
            read |= {"__init__"} if "type" in read else set()  # of an object's class, which may make another one
            new = read - self._mentioned
            self._mentioned |= new
            for name, method in [each for class_ in [*self._classes] for each in self._called_of(class_, new)]:
                self.add_named(name, method, depth)
        own = cells_of(function)
        for name, value in (*used_by(function, read), *own.items()):
            if isinstance(value, np.ndarray) and reshapes(function.__code__):
                self.lose_shape(value)
            self.add_named(name, value, depth, is_local=name in own)

    def _forget_names(self, function: FunctionType) -> None:
        """Forget the values of the names outside it that a function of the program assigns."""
        if MACHINE in function.__globals__:
            if self.undo is not None:
                self.undo.note(function)
            names, cells = assigned_outside(function)
            function.__globals__.update(dict.fromkeys(names, UNKNOWN))
            for cell in cells:
                cell.cell_contents = UNKNOWN

    def saved(self) -> tuple[Any, ...]:
        """What is known of objects."""
        dicts = {**self._objects}, {**self._namespaces}, {**self._grown}
        return *dicts, {*self._shapeless}, {*self._moved}, {*self._mentioned}, {*self._classes}

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Know again what was saved."""
        self._objects, self._namespaces, self._grown = saved[:3]
        self._shapeless, self._moved, self._mentioned, self._classes = saved[3:]

    def known(self, value: _T, depth: int = 4) -> _T:
        """A value with unknown ones in the place of these objects."""
        if not self._objects or depth == 0:
            return value
        result: Any = value
        if value in self:
            if isinstance(self.grown(value), Many):
                return cast("_T", Many(self.grown(value).item))
            is_shaped = isinstance(value, np.ndarray) and id(value) not in self._shapeless
            return cast("_T", hidden(result) if is_shaped else UNKNOWN)
        if isinstance(value, Many):
            return cast("_T", UNKNOWN) if has_unknown(value.item, self.__contains__) else value
        if type(value) in _DICTS:
            made = {key: self.known(each, depth - 1) for key, each in result.items()}
            return value if all(made[key] is each for key, each in result.items()) else cast("_T", made)
        if type(value) in (tuple, *_LISTS):
            parts = [self.known(each, depth - 1) for each in result]
            return value if all(map(operator.is_, parts, result)) else cast("_T", type(result)(parts))
        return value

    def is_in(self, value: Any, depth: int = _DEPTH) -> bool:
        """Whether one of these objects is in a value, or is an attribute of an object in it."""
        return value in self or (depth > 0 and any(self.is_in(each, depth - 1) for each in inside(value)))


def _is_of_threads(kind: type) -> bool:
    """Whether objects of a class have other values in each thread or task."""
    return any(each.__module__ in _OF_THREADS for each in kind.__mro__)


@functools.lru_cache(maxsize=1000)  # which keeps the classes of programs
def _can_be_changed(kind: type) -> bool:
    """Whether objects of a class of Python's library may be changed in place, or have attributes or other items."""
    return issubclass(kind, (Iterator, Many, MutableMapping, MutableSequence, MutableSet, Namespace, SimpleNamespace))


@functools.lru_cache(maxsize=1000)
def has_no_parts(kind: type) -> bool:
    """Whether objects of a class are neither changed nor have parts that are: numbers, texts, and the library's."""
    is_library = kind.__module__.startswith("typegrad.") and not kind.__module__.startswith("typegrad.dry_run.")
    return kind in _PLAIN or is_library or issubclass(kind, np.generic)


def _sources(value: object) -> Iterator[object]:
    """The containers of which a view or an iterator has the items."""
    for each in _taken_from(value):
        if type(each) in _VIEWS or type(each) in _ITERATORS:
            yield from _sources(each)
        elif isinstance(each, CONTAINERS):
            yield each


def _taken_from(value: object) -> Iterator[object]:
    """What an iterator takes its items from: of several iterators, these are in a tuple."""
    for each in gc.get_referents(value):
        if type(value) in _OF_SEVERAL:
            yield from each if isinstance(each, tuple) else ()
        elif type(value) is itertools.chain:
            yield each
            yield from (part for parts in gc.get_referents(each) if isinstance(parts, tuple) for part in parts)
        else:
            yield each


def work_of(items: object) -> list[Any]:
    """The values of a generator's own names, and what it does, as a function; none for others."""
    if not isinstance(items, GeneratorType) or items.gi_frame is None:
        return []
    names, code = items.gi_frame.f_locals, items.gi_code
    cells = (CellType(names[each]) if each in names else CellType() for each in code.co_freevars)
    return [*names.values(), FunctionType(code, items.gi_frame.f_globals, closure=tuple(cells))]


@functools.lru_cache(maxsize=1000)  # which keeps the classes of programs
def changes_when_read(kind: type) -> bool:
    """Whether objects of a class may change where a program only reads them, by an operator or a property."""
    methods = {name for class_ in kind.__mro__ for name, each in vars(class_).items() if isinstance(each, FunctionType)}
    return issubclass(kind, collections.defaultdict) or any(_may_change(each, methods) for each in _reading(kind))


def _reading(kind: type) -> Iterator[FunctionType]:
    """The methods of the program that operators and properties of a class call."""
    for name, value in ((name, each) for class_ in kind.__mro__ for name, each in vars(class_).items()):
        is_operator = name.startswith("__") and name not in (*_MAKING, "__call__")
        getter = getattr(value, "fget", None) or getattr(value, "func", None) or (value if is_operator else None)
        if isinstance(getter, FunctionType) and MACHINE in getter.__globals__:
            yield getter


def _may_change(function: FunctionType, methods: Collection[str]) -> bool:
    """Whether a method of the program may change something, or call what does."""
    for code in codes_in(function.__code__):
        names = {*code.co_names, *texts_in(code)}
        called = [*map(function.__globals__.get, names), *cells_of(function).values()]
        if not names.isdisjoint((*CHANGING, *_STORING, *methods)) or any(map(_is_of_program, called)):
            return True
        if any(each.opname in _STORES for each in dis.get_instructions(code)):
            return True
    return False


def _is_of_program(value: object) -> bool:
    """Whether it is a function or a module of the program, or an object of which the program defines methods."""
    if isinstance(value, (FunctionType, ModuleType)):
        return MACHINE in (value.__globals__ if isinstance(value, FunctionType) else vars(value))
    return any(isinstance(each, FunctionType) and _is_of_program(each) for each in vars(type(value)).values())


def has_lists(items: Any) -> bool:
    """Whether something in a list or the like can be changed by its items."""
    parts = items.values() if isinstance(items, dict) else items
    return len(items) > _MOST or any(isinstance(each, (*CONTAINERS, np.ndarray, tuple)) for each in parts)


def inside(value: Any) -> Iterable[Any]:
    """The items of a container, and the values of an object's attributes."""
    items = [*value.values()] if isinstance(value, dict) else value if isinstance(value, (set, tuple, *_LISTS)) else ()
    kind: Any = type(value)  # which mypy does not take for hashable
    return [*items, *(() if has_no_parts(kind) else (each for _, each in _attributes(value)))]


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object."""
    yield from getattr(value, "__dict__", {}).items()
    for class_ in type(value).__mro__:
        slots = vars(class_).get("__slots__", ())
        yield from ((name, getattr(value, name, None)) for name in ((slots,) if isinstance(slots, str) else slots))
