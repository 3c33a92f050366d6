"""Functions of typegrad that make one operation, or a variable, and nothing else; what they and others refuse."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from functools import cache, reduce
from traceback import walk_tb
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from typegrad.arguments import guarding
from typegrad.base.errors import GraphError
from typegrad.functions.facade import GroupOps
from typegrad.graph.construction import add_operation
from typegrad.graph.definition import OpDef
from typegrad.graph.explain import foreign
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import METHODS, Variable
from typegrad.op import core

__all__ = [
    "LostError", "as_creation", "bound", "creates", "definition_of", "is_of_arguments", "is_of_graphs",
    "is_of_operation", "makes_variable", "scope_of",
]  # fmt: skip

_REFUSING: Final = (add_operation.__code__, inspect.unwrap(Operand.expect).__code__)
"""What refuses only what is wrong whatever is not known."""


class LostError(Exception):
    """Nothing is known of a value, not even its element type, or an operand is not what it may be replaced by."""


def creates(function: Any) -> bool:
    """Whether a function makes an operation or a variable, and nothing else."""
    function = _of_facade(function) or function
    return definition_of(function) is not None or makes_variable(function) or _method(function) is not None


def makes_variable(function: Any) -> bool:
    """Whether a function makes a variable."""
    return getattr(function, "__func__", function) is Variable.create


def is_of_operation(error: Exception) -> bool:
    """Whether it is an operation that was refused, or an operand that is not what was expected of it."""
    frames = (each.f_code for each, _ in walk_tb(error.__traceback__))
    return any(each in _REFUSING for each in frames)


def is_of_graphs(error: Exception) -> bool:
    """Whether something was refused as it belongs to another graph, whatever is not known of its shape."""
    *_, last = (each.f_code for each, _ in walk_tb(error.__traceback__))
    return isinstance(error, GraphError) and foreign.__name__ in last.co_names


def is_of_arguments(error: Exception, caller: CodeType) -> bool:
    """Whether the function that `caller` calls refused its arguments before it ran."""
    codes = [each.f_code for each, _ in walk_tb(error.__traceback__)]
    within = codes[codes.index(caller) + 1 :] if caller in codes else []
    if not within or any(each.co_filename != guarding.__file__ for each in within):
        return False
    traceback = getattr(error.__context__, "__traceback__", None)  # of what Python says of a call that does not fit
    return len(within) > 1 or (traceback is not None and traceback.tb_next is None)


def _method(function: Any) -> str | None:
    """The operation that a method of a variable makes, and nothing else."""
    name = f"Variable.{getattr(function, '__name__', '')}"
    is_method = isinstance(getattr(function, "__self__", None), Variable)
    return next((op for op, method in METHODS.items() if is_method and method == name), None)


def as_creation(
    function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Any, Sequence[Any], Mapping[str, Any]]:
    """For a method of a variable or of a facade, the call of what makes the operation."""
    made = _of_facade(function)
    if made is not None:
        return made, (scope_of(function.__self__), *args), kwargs
    name = _method(function)
    if name is None:
        return function, args, kwargs
    class_: Any = getattr(core, name)
    variable: Variable = function.__self__
    scope, value = bound(function, args, kwargs).args
    dtype = {"dtype": variable.dtype} if class_ is core.ResourceGather else {}
    return class_.create, (scope, variable.handle, value), dtype


def scope_of(facade: GroupOps) -> Scope:
    """Where the operations go that the methods of a facade make."""
    scope: Scope = vars(facade)["_scope"]
    return scope


def _of_facade(function: Any) -> Any:
    """What a method of a facade calls with its scope and the same arguments; None for any other function."""
    is_method = isinstance(getattr(function, "__self__", None), GroupOps) and isinstance(function, MethodType)
    return _called_with_scope(inspect.unwrap(function.__func__)) if is_method else None


@cache
def _called_with_scope(method: FunctionType) -> Any:
    names = method.__code__.co_names  # such as of `_linalg.MatMul.create(self._scope, ...)`
    path = names[: names.index("_scope")] if "_scope" in names else ()
    if not path or path[0] not in method.__globals__:
        return None
    called: Any = reduce(getattr, path[1:], method.__globals__[path[0]])
    return called if _parameters(called)[1:] == _parameters(method)[1:] else None


def _parameters(function: Any) -> list[str]:
    return [*inspect.signature(function).parameters]


def bound(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> inspect.BoundArguments:
    """The arguments of a call, by the parameters of the function."""
    try:
        return inspect.signature(function).bind(*args, **kwargs)
    except TypeError as error:
        raise LostError from error


def definition_of(function: Any) -> OpDef | None:
    """The definition of the operation that a generated function makes."""
    if getattr(function, "__name__", "") != "create":
        return None
    found = getattr(sys.modules.get(getattr(function, "__module__", "")), "DEF", None)
    return found if isinstance(found, OpDef) else None
