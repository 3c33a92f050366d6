"""Kernels of `ops/graph.yaml`."""

from __future__ import annotations

from typing import NoReturn

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace


def placeholder(xp: Namespace) -> NoReturn:
    """A placeholder has no value of its own."""
    raise InvalidArgumentError("a placeholder must be fed")


def placeholder_with_default(xp: Namespace, x: Array) -> Array:
    """The default; a feed replaces the result before it is computed."""
    return x


def identity(xp: Namespace, x: Array) -> Array:
    """The input, unchanged."""
    return x


def identity_n(xp: Namespace, x: tuple[Array, ...]) -> tuple[Array, ...]:
    """The inputs, unchanged."""
    return x


def no_op(xp: Namespace) -> tuple[()]:
    """Nothing."""
    return ()


def stop_gradient(xp: Namespace, x: Array) -> Array:
    """The input, unchanged: only the gradient builder knows the difference."""
    return x


def prevent_gradient(xp: Namespace, x: Array) -> Array:
    """The input, unchanged: only the gradient builder knows the difference."""
    return x
