"""Which functions a dry run calls: functions that build graphs, and functions of Python without effects elsewhere."""

from __future__ import annotations

import ast
import builtins
import collections
import contextlib
import functools
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from types import BuiltinMethodType, GenericAlias, MappingProxyType, MethodType, MethodWrapperType, ModuleType
from typing import Any, Final, NoReturn

import numpy as np

from typegrad.dry_run.computing.formats import is_wide
from typegrad.dry_run.functions.blocks import Condition, Lock, RLock, Semaphore
from typegrad.dry_run.functions.draws import DRAWS, Random
from typegrad.dry_run.functions.patterns import is_slow
from typegrad.dry_run.functions.under_pytest import Mark, fixture
from typegrad.dry_run.known.arrays import integer
from typegrad.dry_run.known.unknown import ONLOOKER, UNKNOWN, Identity, Modules
from typegrad.dry_run.known.unsized import Many, Shapeless, Unsized
from typegrad.dry_run.tracking.core import OutOfTimeError

__all__ = [
    "BUILTINS", "IMPORTS", "STUBS", "builds", "evaluated", "import_any", "import_module", "import_top", "is_harmless",
    "is_known_module", "is_moving", "is_pure",
    "is_refused", "leave", "only_looks", "own_names", "printed", "takes_unknown",
]  # fmt: skip

_MODULES: Final = frozenset((
    "__future__", "abc", "argparse", "asyncio", "attr", "attrs", "collections", "collections.abc", "concurrent",
    "concurrent.futures", "contextlib", "copy",
    "bisect", "dataclasses", "enum", "fractions", "functools", "heapq", "itertools", "json", "math", "numbers", "numpy",
    "numpy.typing", "operator", "re", "statistics", "string", "textwrap", "types", "typing", "typing_extensions",
))  # fmt: skip
"""The modules that are imported for real, besides typegrad's."""
_PURE: Final = frozenset((
    "_bisect", "_collections", "_functools", "_heapq", "_operator", "abc", "argparse", "attr", "attrs", "collections",
    "copy", "dataclasses", "enum", "functools", "heapq", "itertools", "math", "operator", "random", "re",
    "statistics", "textwrap", "types", "typing", "typing_extensions",
))  # fmt: skip
"""The packages whose functions and classes have no effects elsewhere."""
_TYPES: Final[tuple[type[Any], ...]] = (
    bool, bytes, collections.deque, complex, contextlib.ExitStack, dict, float, frozenset, int, list, property, range,
    set, slice, str, tuple, MappingProxyType, type({}.items()), type({}.keys()), type({}.values()), object,
)  # fmt: skip
"""Python's types of which all methods may be called."""
_FUNCTIONS: Final = frozenset((
    "abs", "all", "any", "callable", "chr", "divmod", "format", "getattr", "hasattr", "hash", "isinstance",
    "issubclass", "iter", "len", "max", "min", "next", "ord", "pow", "repr", "round", "setattr", "sorted", "sum",
))  # fmt: skip
_OF_NAMES: Final = ("exec", "locals")
_HARMLESS: Final = frozenset((Random, abs, bool, float, int, len, max, min, round))
"""What changes nothing, not even an iterator that is no argument."""
_DRAWING: Final = frozenset((
    "choice", "exponential", "integers", "normal", "permutation", "poisson", "rand", "randint", "randn", "random",
    "standard_normal", "uniform",
))  # fmt: skip
_OF_ARRAYS: Final = frozenset((
    "all", "any", "arange", "argmax", "argmin", "argsort", "array", "asarray", "astype", "broadcast_to", "clip",
    "concatenate", "copy", "cumsum", "empty", "expand_dims", "eye", "flatten", "full", "full_like", "hstack",
    "identity", "item", "linspace", "max", "mean", "min", "ones", "ones_like", "prod", "ravel", "reshape", "squeeze",
    "stack", "std", "sum", "tile", "tolist", "transpose", "var", "vstack", "where", "zeros", "zeros_like",
))  # fmt: skip
"""NumPy's functions and methods that change nothing, if they get no array for their result."""
_CONTAINERS: Final = frozenset(
    (dict, enumerate, filter, getattr, isinstance, iter, len, list, map, next, reversed, set, setattr, tuple, zip)
)
"""What looks at no item, so that unknown ones do no harm."""
_MOVING: Final = (
    *(dict, enumerate, iter, len, list, next, reversed, tuple, zip),
    *(itertools.chain, itertools.cycle, itertools.islice, itertools.pairwise, itertools.product, itertools.tee),
)
"""What returns the items that it takes, and looks into none of them."""
_WITH_EFFECTS: Final = frozenset((
    "typegrad.files", "typegrad.session", "typegrad.tools", "typegrad.functions.checking", "typegrad.training.loop",
    "typegrad.mypy_plugin", "typegrad.dry_run",
))  # fmt: skip
"""The modules of typegrad whose functions run graphs, or read and write files."""
_GROWING: Final = frozenset((math.factorial, math.comb, math.perm, pow))
"""The functions of numbers whose results may have any number of digits."""
_MULTIPLYING: Final = frozenset((math.prod, functools.reduce))
"""Those of several numbers."""
_SMALL: Final = 1000
"""The numbers, and how many of them, up to which their results are small enough."""
_NOT_ASKING: Final = frozenset(("FileType", "attrgetter", "methodcaller"))
"""What opens files or reads attributes without asking the machine."""
_SETTING: Final = frozenset(("set_disabled", "set_run_validators"))
"""What changes how classes behave that others have made with attrs."""
_TEXTS: Final = (str, bytes, bytearray)
_MADE_ANEW: Final = (
    BuiltinMethodType, MethodType, *_TEXTS, complex, float, int, collections.deque, dict, list, tuple,
    Many, Shapeless, Unsized, np.generic, np.ndarray,
)  # fmt: skip
"""What may be another object here where it is the same one in a run, or the other way round."""
_LONGEST: Final = 10**6
"""The length from which the items of a range are not looked at."""


def printed(*args: object, **kwargs: object) -> None:
    """Make texts of what a program prints, and print nothing."""
    for each in args:
        str(each)


def _revealed(value: object = None) -> object:
    """What type checkers know, who show the type of a value, or of all names."""
    return value


class _Interrupt(SystemExit):
    """A `KeyboardInterrupt` that the program raises, which ends it; another one is for whoever follows it."""


def _ended(*args: object) -> NoReturn:
    """End the program."""
    raise SystemExit


def leave(*args: object) -> NoReturn:
    """Follow no program that reads or writes its own names by texts."""
    raise OutOfTimeError


def evaluated(text: object, *names: object) -> object:
    """The value of a literal, in the place of `eval`. No program is followed any further that evaluates other texts."""
    if isinstance(text, str) and not names:
        with contextlib.suppress(MemoryError, RecursionError, SyntaxError, TypeError, ValueError):
            return ast.literal_eval(text)
    return leave()


def _identity(value: object) -> object:
    """What tells objects apart, in the place of `id`."""
    return integer() if isinstance(value, _MADE_ANEW) else Identity(value)


def own_names() -> object:
    """The names of the module that asks for them, in the place of `globals`."""
    return UNKNOWN


def import_module(*args: object, **kwargs: object) -> object:
    """Import nothing: a dry run knows which modules there are."""
    return UNKNOWN


def import_top(*args: object, **kwargs: object) -> object:
    """Import nothing, in the place of `__import__`."""
    return UNKNOWN


def import_any(*args: object, **kwargs: object) -> object:
    """Import nothing, in the place of what runs a file, or a module once more."""
    return UNKNOWN


def _tested(*args: object, **kwargs: object) -> int:
    """Run no tests: they are followed after the program."""
    del args, kwargs
    return 0


def _builtins() -> dict[str, Any]:
    """Python's own names; what has effects is unknown."""
    types = {name: value for name, value in vars(builtins).items() if isinstance(value, type)}
    functions = {name: vars(builtins)[name] for name in (*_FUNCTIONS, "__build_class__", "dir", "vars")}
    values = {name: vars(builtins)[name] for name in ("None", "True", "False", "NotImplemented", "Ellipsis")}
    revealing = dict.fromkeys(("reveal_type", "reveal_locals"), _revealed)
    ending = {"exit": _ended, "quit": _ended, "KeyboardInterrupt": _Interrupt}
    instead = (
        {"__import__": import_top, "eval": evaluated, "globals": own_names, "id": _identity, "print": printed}
        | ending
        | dict.fromkeys(_OF_NAMES, leave)
        | revealing
    )
    return {**dict.fromkeys(vars(builtins), UNKNOWN), **types, **functions, **values, **instead}


BUILTINS: Final = _builtins()


def _stub(name: str, others: object = UNKNOWN, **known: object) -> ModuleType:
    """A module of which nothing else is known."""
    made = ModuleType(name)
    vars(made).update({"__getattr__": lambda _: others, **known})
    return made


STUBS: Final = {
    "importlib": _stub("importlib", __import__=import_top, import_module=import_module, reload=import_any),
    **{each: _stub(each) for each in ("contextvars", "queue", "weakref")},
    **{each: _stub(each, ONLOOKER) for each in ("csv", "logging", "pprint", "warnings")},
    "os": _stub("os", _exit=_ended, abort=_ended),
    "pickle": _stub("pickle", dump=ONLOOKER, dumps=ONLOOKER),
    "pytest": _stub(
        "pytest", exit=_ended, fail=_ended, fixture=fixture, main=_tested, mark=Mark(), skip=_ended, xfail=_ended
    ),
    "random": _stub("random", **DRAWS),
    "runpy": _stub("runpy", run_module=import_any, run_path=import_any),
    "sys": _stub("sys", exit=_ended, modules=Modules()),
    "threading": _stub("threading", **{each.__name__: each for each in (Condition, Lock, RLock, Semaphore)}),
}
"""Modules in the place of Python's own."""


def is_known_module(name: str) -> bool:
    """Whether a dry run imports a module for real."""
    top = name.partition(".")[0]
    is_own = top == "typegrad" and not name.startswith(("typegrad.tools", "typegrad.mypy_plugin", "typegrad.dry_run"))
    return is_own or top in ("attr", "attrs", "numpy") or name in _MODULES or name in STUBS


def builds(function: Any) -> bool:
    """Whether it is a function, class or method of typegrad that runs no graph and touches no file."""
    owner = getattr(function, "__self__", None)
    module = getattr(getattr(function, "__func__", function), "__module__", None)
    if not isinstance(module, str):  # an object that is called, such as an initializer
        module = type(function).__module__
    if owner is not None and not isinstance(owner, type) and not isinstance(owner, ModuleType):
        module = type(owner).__module__ if not module.startswith("typegrad") else module
    parts = module.split(".")
    is_shown = getattr(function, "__name__", "") == "show"
    outer = {".".join(parts[:count]) for count in range(2, len(parts) + 1)}
    return parts[0] == "typegrad" and not is_shown and outer.isdisjoint(_WITH_EFFECTS)


def only_looks(function: Any) -> bool:
    """Whether it is a function that writes files, or shows something, and only looks at what it is given."""
    return function is json.dump or str(getattr(function, "__module__", "")).startswith("typegrad.")


def is_pure(function: Any) -> bool:
    """Whether it is a function, class or method of Python's library without effects elsewhere."""
    if isinstance(function, GenericAlias) or any(function is each for each in _SINGLE):
        return True
    is_partial = isinstance(function, functools.partial)  # of a method, if a `partialmethod` makes it
    owner = None if is_partial else getattr(function, "__self__", None)
    if getattr(function, "__name__", "") in _SETTING:
        return False
    if _does_nothing(function):
        return True
    if owner is not None and not isinstance(owner, ModuleType):
        kind = owner if isinstance(owner, type) else type(owner)
        is_known = kind in _TYPES or issubclass(kind, _TYPES[:-1]) or _is_pure_module(kind.__module__)
        return is_known or _is_pure_module(getattr(getattr(function, "__func__", None), "__module__", ""))
    if isinstance(function, type):
        return _is_pure_module(function.__module__) or function.__module__ == "builtins"
    module = getattr(function, "__module__", None) or type(function).__module__
    if module == "builtins":
        return getattr(function, "__name__", "") in _FUNCTIONS or getattr(function, "__objclass__", None) in _TYPES
    return _is_pure_module(module) or _is_pure_module(type(function).__module__)


def _does_nothing(function: Any) -> bool:
    """Whether it is what `super().__init__` or `super().__init_subclass__` is where no base class has its own."""
    if isinstance(function, MethodWrapperType):
        return function.__name__ == "__init__" and function.__objclass__ in (object, type)
    return isinstance(function, BuiltinMethodType) and function.__name__ == "__init_subclass__"


def _is_pure_module(name: str) -> bool:
    return name.partition(".")[0] in _PURE


IMPORTS: Final = (import_any, import_module, import_top)
"""What imports modules by names that are values."""
_SINGLE: Final = (
    *(printed, _revealed, _ended, _identity, evaluated, leave, _tested, *IMPORTS, json.dumps, json.loads),
    *(contextlib.ExitStack, contextlib.closing, contextlib.contextmanager, contextlib.nullcontext, type.__new__),
)
"""Functions without effects in modules with others."""


def is_moving(function: Any, owner: object) -> bool:
    """Whether a function, or a method of a container, looks into none of the items that it takes."""
    return isinstance(owner, (list, dict, set, collections.deque)) or any(function is each for each in _MOVING)


def takes_unknown(function: Any) -> bool:
    """Whether a function may be called although a part of an argument is unknown."""
    if isinstance(getattr(function, "__self__", None), (list, dict, set, collections.deque)):
        return True
    kind = function if isinstance(function, type) else type(function)
    is_container = function in _CONTAINERS if getattr(type(function), "__hash__", None) else False
    return is_container or kind.__module__ in ("collections", "functools", "itertools", "dataclasses", "operator")


def is_harmless(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call certainly changes nothing, not even an array, or what an iterator gives next."""
    if any(isinstance(each, Iterator) for each in args):
        return False
    if isinstance(function, type):
        return function in _HARMLESS or issubclass(function, np.generic)
    if isinstance(function, np.ufunc):
        return len(args) <= function.nin and "out" not in kwargs
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if isinstance(owner, Random):
        return name != "shuffle"
    if isinstance(owner, (np.random.Generator, np.random.RandomState)):
        return name in _DRAWING
    is_method = isinstance(owner, (np.ndarray, np.generic))
    if is_method or str(getattr(function, "__module__", "")).partition(".")[0] == "numpy":
        others = args if is_method else args[2:]
        has_result = name != "where" and any(isinstance(each, np.ndarray) for each in others)
        return name in _OF_ARRAYS and "out" not in kwargs and not has_result
    return any(function is each for each in _HARMLESS)


def is_refused(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call of Python's library may take much time or memory, or asks no machine for what it reads."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, re.Pattern) or getattr(function, "__module__", "") == "re":
        return is_slow((owner, *args, *kwargs.values()))
    is_repeated = (function is itertools.repeat and len(args) < 2) or (function is iter and len(args) > 1)
    is_growing = function in _GROWING and not all(isinstance(each, int) and abs(each) <= _SMALL for each in args)
    numbers = [each for each in args if isinstance(each, (list, range))] if function in _MULTIPLYING else []
    is_other = (
        is_growing or any(len(each) > _SMALL for each in numbers) or getattr(function, "__name__", "") in _NOT_ASKING
    )
    is_text = function in _TEXTS or isinstance(owner, _TEXTS)
    is_large = is_text and any(_is_large(each) for each in (owner, *args))
    return is_other or is_repeated or is_large or any(len(each) > _LONGEST for each in args if isinstance(each, range))


def _is_large(value: object) -> bool:
    """Whether a number or a format makes a text longer than any program needs."""
    return (isinstance(value, int) and value > _LONGEST) or (isinstance(value, str) and is_wide(value))
