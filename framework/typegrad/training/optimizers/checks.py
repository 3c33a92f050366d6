"""Checks of the arguments of optimizers, schedules and clipping."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from inspect import signature
from numbers import Real
from typing import Any, TypeAlias, TypeVar

import numpy as np
from attrs import Attribute

from typegrad.base.errors import AttributeValueError, DTypeError, GraphError, ShapeError
from typegrad.base.types import TFloating, TIntegral, TType
from typegrad.graph.explain import foreign, origin
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand
from typegrad.graph.variable import AnyVariable

__all__ = [
    "at_least_zero",
    "finite",
    "fits",
    "floating_scalar",
    "in_graph",
    "integer_variable",
    "none_twice",
    "positive",
    "takes_two",
    "unit",
    "validator",
]

F = TypeVar("F", bound=Callable[..., object])

_Validator: TypeAlias = "Callable[[object, Attribute[float], float], None]"


def validator(check: Callable[[str, float], float]) -> _Validator:
    """A check of a number as a validator of an attrs field."""

    def validate(_: object, attribute: Attribute[float], value: float) -> None:
        check(attribute.name, value)

    return validate


def finite(name: str, value: float | np.floating[Any]) -> float:
    """`value` if it is a finite number, which may be one of NumPy."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
        raise AttributeValueError(f"{name} must be a finite number, but is {value!r}")
    return float(value)


def at_least_zero(name: str, value: float) -> float:
    """`value` if it is a finite number that is not negative."""
    if finite(name, value) < 0:
        raise AttributeValueError(f"{name} must not be negative, but is {value!r}")
    return float(value)


def positive(name: str, value: float) -> float:
    """`value` if it is a finite number above zero."""
    if finite(name, value) <= 0:
        raise AttributeValueError(f"{name} must be positive, but is {value!r}")
    return float(value)


def unit(name: str, value: float) -> float:
    """`value` if it is at least 0 and less than 1, as the decay of a moving average must be."""
    if not 0 <= finite(name, value) < 1:
        raise AttributeValueError(f"{name} must be at least 0 and less than 1, but is {value!r}")
    return float(value)


def fits(name: str, value: float, dtype: type[TType]) -> float:
    """`value`, rounded to `dtype`; refused if it becomes zero, one or infinity, as a decay of 0.999 in bfloat16."""
    rounded = float(dtype.numpy.type(value).real)
    if rounded != value and (rounded in (0.0, 1.0) or not math.isfinite(rounded)):
        raise AttributeValueError(
            f"{name} = {value!r} becomes {rounded:g} in {dtype.name}, the type of the variable: choose another number, "
            "or keep the variable in a wider type"
        )
    return rounded


def in_graph(graph: Graph, items: Iterable[AnyOperand | AnyVariable], what: str) -> None:
    """A `GraphError` unless all `items` belong to `graph`."""
    for item in items:
        if item.graph is not graph:
            raise foreign(origin(item), f"this {what}")


def none_twice(variables: Iterable[AnyVariable]) -> None:
    """A `GraphError` if a variable occurs twice: its updates would interfere."""
    seen: set[AnyVariable] = set()
    for variable in variables:
        if variable in seen:
            raise GraphError(f"variable '{variable.name}' occurs twice; add its gradients instead")
        seen.add(variable)


def takes_two(message: str, function: F) -> F:
    """`function`, if it can be called with two arguments."""
    try:
        signature(function).bind(None, None)
    except TypeError:
        raise AttributeValueError(message) from None
    except ValueError:  # of a function of C, Python may not know the parameters
        pass
    return function


def floating_scalar(name: str, operand: AnyOperand) -> AnyOperand:
    """`operand` if it can be one floating-point number."""
    if not issubclass(operand.dtype, TFloating):
        raise DTypeError(f"{name} must be floating point, but is {origin(operand)}")
    if operand.rank not in (None, 0):
        raise ShapeError(f"{name} must be a scalar, but is {origin(operand)}")
    return operand


def integer_variable(name: str, variable: AnyVariable) -> AnyVariable:
    """`variable` if it can count steps."""
    if not issubclass(variable.dtype, TIntegral) or variable.shape.rank not in (None, 0):
        raise DTypeError(
            f"{name} must be a scalar integer, but '{variable.name}' is {variable.dtype.name} {variable.shape}"
        )
    return variable
