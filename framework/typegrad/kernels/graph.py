"""Kernels of `ops/graph.yaml`."""

from __future__ import annotations

from typing import Any, NoReturn

from typegrad.base.errors import InvalidArgumentError


def placeholder(xp: Any) -> NoReturn:
    """A placeholder has no value of its own."""
    raise InvalidArgumentError("a placeholder must be fed")


def placeholder_with_default(xp: Any, x: Any) -> Any:
    """The default: what is fed replaces the result before it is ever computed."""
    return x


def identity(xp: Any, x: Any) -> Any:
    """The input, unchanged."""
    return x


def identity_n(xp: Any, x: tuple[Any, ...]) -> tuple[Any, ...]:
    """The inputs, unchanged."""
    return x


def no_op(xp: Any) -> tuple[()]:
    """Nothing."""
    return ()


def stop_gradient(xp: Any, x: Any) -> Any:
    """The input, unchanged: only the gradient builder knows the difference."""
    return x


def prevent_gradient(xp: Any, x: Any) -> Any:
    """The input, unchanged: only the gradient builder knows the difference."""
    return x
