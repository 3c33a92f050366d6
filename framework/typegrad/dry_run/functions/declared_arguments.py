"""Arguments for functions that nothing calls: of each is known what the annotation of its parameter tells."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from typegrad.base.location import shared
from typegrad.base.shape import UNKNOWN as ANY_SHAPE
from typegrad.base.shape import Shape
from typegrad.base.types import TType
from typegrad.dry_run.computing.open_values import declared
from typegrad.dry_run.functions.instead import is_opened
from typegrad.dry_run.known.arrays import integer
from typegrad.dry_run.known.unknown import UNKNOWN
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand, Output
from typegrad.graph.scope import Scope
from typegrad.session.session import Session

__all__ = ["declared_arguments", "is_annotated", "methods_of", "plain_fields"]

_MAKING: Final = ("__init__", "__new__", "__post_init__", "__init_subclass__", "__class_getitem__", "__set_name__")
_NAMED: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


def is_annotated(function: Callable[..., object], owned: int = 0) -> bool:
    """Whether a function has annotations, for all parameters but the first ones, and takes no others."""
    try:
        parameters = [*signature(function).parameters.values()][owned:]
    except (TypeError, ValueError):
        return False
    is_stated = all(each.kind in _NAMED and each.annotation is not Parameter.empty for each in parameters)
    return is_stated and bool(function.__annotations__)


def methods_of(class_: type) -> Iterator[FunctionType]:
    """The methods of objects that are as the class defines them, without those that make objects."""
    for name, value in vars(class_).items():
        if isinstance(value, FunctionType) and name not in _MAKING and not hasattr(value, "__wrapped__"):
            yield value


def plain_fields(class_: type) -> Iterator[str]:
    """The attributes of a class for which a class derived from it may have other values."""
    for name, value in vars(class_).items():
        if not (name.startswith("__") or callable(value) or hasattr(type(value), "__get__")):
            yield name


def declared_arguments(
    function: Any, owned: int, graph: Graph, session: Callable[[], Any]
) -> tuple[list[Any], dict[str, Any]]:
    """Arguments of a function, by position and by name, but for the first `owned` parameters.

    Args:
        function: A function, all of whose parameters have annotations.
        owned: How many parameters get none.
        graph: What operands, scopes and sessions are of.
        session: Makes a session of the graph.

    """
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for each in [*signature(function).parameters.values()][owned:]:
        with shared((function.__code__, 0)):  # an error names the parameter, and its line
            value = _argument(_type(each.annotation, function.__globals__), Scope(graph).with_name(each.name), session)
        if each.kind is Parameter.POSITIONAL_ONLY:
            args.append(value)
        else:
            kwargs[each.name] = value
    return args, kwargs


def _argument(type_: Any, scope: Scope, session: Callable[[], Any]) -> Any:
    """What is known of all values of a type."""
    if type_ is int:
        return integer()
    if type_ is Graph:
        return scope.graph
    if type_ is Scope:
        return Scope(scope.graph)
    if type_ is Session or is_opened(type_):
        return session()
    if (get_origin(type_) or type_) not in (Operand, Output):
        return UNKNOWN
    dtype, *shape = get_args(type_) or (None,)
    is_known = isinstance(dtype, type) and issubclass(dtype, TType) and "numpy" in vars(dtype)
    return declared(scope, dtype, _shape(*shape)) if is_known else UNKNOWN


def _type(annotation: Any, names: dict[str, Any]) -> Any:
    """The type that an annotation states, as far as its names are known."""
    while isinstance(annotation, str):
        try:
            tree = ast.parse(annotation.strip(), mode="eval")
            if any(isinstance(each, (ast.Call, ast.Await, ast.NamedExpr)) for each in ast.walk(tree)):
                return UNKNOWN
            annotation = eval(compile(tree, "", "eval"), names)
        except Exception:  # noqa: BLE001  # whatever is not what it looks like
            return UNKNOWN
    return annotation


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
