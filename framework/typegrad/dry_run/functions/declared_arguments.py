"""Arguments for functions that nothing calls: of each is known what the annotation of its parameter tells."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from inspect import CO_VARARGS, CO_VARKEYWORDS, Parameter, signature
from types import CodeType, FunctionType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import numpy as np

from typegrad.base.location import shared
from typegrad.base.shape import UNKNOWN as ANY_SHAPE
from typegrad.base.shape import Shape
from typegrad.base.types import ALL_TYPES, TComplex64, TFloat32, TFloat64, TInt32, TInt64, TResource, TType
from typegrad.dry_run.computing.open_values import declared
from typegrad.dry_run.functions.draws import Random
from typegrad.dry_run.functions.instead import is_opened
from typegrad.dry_run.known.arrays import integer
from typegrad.dry_run.known.unknown import UNKNOWN
from typegrad.dry_run.tracking.memory import CACHED
from typegrad.functions.facade import GroupOps
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.session.session import Session

__all__ = [
    "DeclaredArguments", "generator_for", "is_annotated", "is_of_graph", "methods_of", "plain_fields", "plain_function",
    "takes_rests", "with_named_rests",
]  # fmt: skip

_MAKING: Final = ("__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__", "__set_name__")
_FIRST: Final = (TFloat32, TFloat64, TInt32, TInt64, TComplex64)
"""The element types that a type variable is taken for first."""
_GENERATORS: Final = (
    (np.random.Generator, np.random.default_rng),
    (np.random.RandomState, np.random.RandomState),
    (Random, Random),
)
"""Generators of random numbers, and what makes one of each: of what they draw, type and shape are known."""
_RESTS: Final = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def is_annotated(function: Callable[..., object], owned: int = 0) -> bool:
    """Whether a function has annotations, for all parameters but the first ones."""
    try:
        parameters = [*signature(function).parameters.values()][owned:]
    except (TypeError, ValueError):
        return False
    is_stated = all(each.annotation is not Parameter.empty for each in parameters)
    return is_stated and bool(function.__annotations__)


def is_of_graph(function: FunctionType, name: str) -> bool:
    """Whether a parameter is for a graph, or for something that belongs to one."""
    type_ = _type_of(function, name)
    is_whole = type_ in (Graph, Scope, Session) or is_opened(type_) or _is_facade(type_)
    return is_whole or get_origin(type_) in (Operand, Output)


def generator_for(function: FunctionType, name: str) -> Any:
    """What is known of the argument for a parameter, if that is for a generator of random numbers."""
    return _generator(_type_of(function, name))


def takes_rests(function: Callable[..., object]) -> bool:
    """Whether a function has `*args` or `**kwargs`."""
    return any(each.kind in _RESTS for each in signature(function).parameters.values())


def plain_function(value: Any, is_own: Callable[[FunctionType], bool]) -> FunctionType | None:
    """The function itself, of one that `lru_cache`, `contextmanager` or a decorator of the program has wrapped.

    `is_own` tells whether the program defines a function.
    """
    while hasattr(value, "__wrapped__"):
        is_function = isinstance(value, FunctionType)
        if not isinstance(value, CACHED) and not (is_function and (_is_of_manager(value) or is_own(value))):
            return None
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None


def _is_of_manager(function: FunctionType) -> bool:
    return bool(function.__globals__["__name__"] == contextmanager.__module__)


def methods_of(class_: type) -> Iterator[tuple[Any, str]]:
    """The methods as the class defines them, without those that make objects, and what is their first argument.

    This is "object", "class", or "" if there is none.
    """
    for name, value in vars(class_).items():
        if name in _MAKING:
            continue
        if isinstance(value, (classmethod, staticmethod)):
            yield value.__func__, "class" if isinstance(value, classmethod) else ""
        elif isinstance(value, property):
            yield from ((each, "object") for each in (value.fget, value.fset) if each is not None)
        else:
            yield value.func if isinstance(value, cached_property) else value, "object"


def with_named_rests(function: FunctionType) -> FunctionType:
    """A function whose `*args` and `**kwargs` are given by their names, as nothing is known of what is in them."""
    code = function.__code__
    is_rest = [bool(code.co_flags & each) for each in (CO_VARARGS, CO_VARKEYWORDS)]
    named = code.replace(  # they come after the parameters that are given by name alone
        co_flags=code.co_flags & ~(CO_VARARGS | CO_VARKEYWORDS),
        co_kwonlyargcount=code.co_kwonlyargcount + sum(is_rest),
    )
    made = FunctionType(named, function.__globals__, code.co_name, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def plain_fields(class_: type) -> Iterator[str]:
    """The attributes of a class for which a class derived from it may have other values."""
    for name, value in vars(class_).items():
        if not (name.startswith("__") or callable(value) or hasattr(type(value), "__get__")):
            yield name


class DeclaredArguments:
    """Arguments of one graph, of which is known what the annotations of parameters tell."""

    def __init__(self, graph: Graph, session: Callable[[], Any], names: dict[str, Any], choice: int) -> None:
        """Make arguments.

        Args:
            graph: What operands, scopes and sessions are of.
            session: Makes a session of the graph.
            names: The names of the module.
            choice: Which of the element types each type variable stands for that it may stand for.

        """
        self.graph: Final = graph
        self.choices = 1
        """How many choices there are, as far as there were such type variables."""
        self._session = session
        self._names = names
        self._choice = choice

    def of(self, function: Any, owned: int) -> tuple[list[Any], dict[str, Any]]:
        """Arguments of a function, by position and by name, but for the first `owned` parameters.

        All others have annotations. What `*args` and `**kwargs` take is unknown, and given by their names.
        """
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for each in [*signature(function).parameters.values()][owned:]:
            if each.kind in _RESTS:
                kwargs[each.name] = UNKNOWN
                continue
            value = self.named(function, each.name)
            if each.kind is Parameter.POSITIONAL_ONLY:
                args.append(value)
            else:
                kwargs[each.name] = value
        return args, kwargs

    def named(self, function: Any, name: str) -> Any:
        """What is known of the argument for a parameter."""
        annotation = signature(function).parameters[name].annotation
        with shared((function.__code__, 0)):  # an error names the parameter, and its line
            return self._argument(_type(annotation, self._names), Scope(self.graph).with_name(name))

    def _argument(self, type_: Any, scope: Scope) -> Any:
        """What is known of all values of a type."""
        if type_ is int:
            return integer()
        if type_ is Graph:
            return scope.graph
        if type_ is Scope:
            return Scope(scope.graph)
        if type_ is Session or is_opened(type_):
            return self._session()
        if _is_facade(type_):
            return type_(Scope(scope.graph))
        if (get_origin(type_) or type_) not in (Operand, Output):
            return _generator(type_)
        dtype, *shape = get_args(type_) or (None,)
        if isinstance(dtype, TypeVar):
            dtype = self._chosen(dtype)
        is_known = isinstance(dtype, type) and issubclass(dtype, TType) and "numpy" in vars(dtype)
        return declared(scope, dtype, _shape(*shape)) if is_known else UNKNOWN

    def _chosen(self, variable: TypeVar) -> type[TType] | None:
        """An element type that a type variable may stand for."""
        bounds = variable.__constraints__ or (variable.__bound__,)
        if not all(isinstance(each, type) and issubclass(each, TType) for each in bounds):
            return None
        types = [each for each in ALL_TYPES if issubclass(each, bounds) and each is not TResource]
        types.sort(key=lambda each: each not in _FIRST)
        self.choices = max(self.choices, len(types))
        return types[self._choice % len(types)]


def _generator(type_: Any) -> Any:
    """A generator of random numbers, of such a type; of others, nothing is known."""
    return next((make() for kind, make in _GENERATORS if type_ is kind), UNKNOWN)


def _is_facade(type_: Any) -> bool:
    """Whether it is a class of operations as methods, such as `tg.Ops`."""
    return isinstance(type_, type) and issubclass(type_, GroupOps)


def _type_of(function: FunctionType, name: str) -> Any:
    """The type that a function states for a parameter, if it has one of this name."""
    parameter = signature(function).parameters.get(name)
    return UNKNOWN if parameter is None else _type(parameter.annotation, function.__globals__)


def _type(annotation: Any, names: dict[str, Any]) -> Any:
    """The type that an annotation states, as far as its names are known."""
    while isinstance(annotation, str):
        try:
            annotation = eval(_code(annotation), names)
        except Exception:  # noqa: BLE001  # whatever is not what it looks like
            return UNKNOWN
    return annotation


@lru_cache(maxsize=1000)
def _code(annotation: str) -> CodeType:
    """The code of an annotation, which calls nothing; most are those of several parameters."""
    tree = ast.parse(annotation.strip(), mode="eval")
    if any(isinstance(each, (ast.Call, ast.Await, ast.NamedExpr)) for each in ast.walk(tree)):
        raise ValueError(annotation)
    code: CodeType = compile(tree, "", "eval")
    return code


def _shape(stated: Any = None) -> Shape:
    """A shape, with None for what is not a number: of a named dimension, each call may pass another size."""
    dims = get_args(stated) if get_origin(stated) is tuple else (...,)
    if not all(_is_dim(each) for each in dims):
        return ANY_SHAPE
    return Shape(tuple(get_args(each)[0] if get_origin(each) is Literal else None for each in dims))


def _is_dim(stated: Any) -> bool:
    """Whether it is a single dimension."""
    if get_origin(stated) is Literal:
        size, *others = get_args(stated)
        return not others and type(size) is int and size >= 0
    return stated in (int, Any) or isinstance(stated, TypeVar) or getattr(stated, "__supertype__", None) is int
