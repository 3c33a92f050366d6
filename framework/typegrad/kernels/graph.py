"""Kernels of `ops/graph.yaml`."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from typegrad.base.errors import InvalidArgumentError


def placeholder(xp: Any) -> NoReturn:
    """A placeholder has no value of its own."""
    raise InvalidArgumentError("a placeholder must be fed")


def placeholder_with_default(xp: Any, x: Any) -> Any:
    """The default: what is fed replaces the result before it is ever computed."""
    return x


def const(xp: Any, *, value: Any) -> Any:
    """The array that the operation holds."""
    return value


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


def ensure_shape(xp: Any, x: Any, *, shape: Any) -> Any:
    """The input, unchanged, if its shape is right."""
    if not shape.accepts(x.shape):
        raise InvalidArgumentError(f"`input` has shape {list(x.shape)}, which is not the `shape` {shape}")
    return x


def shape(xp: Any, x: Any, *, out_type: Any) -> Any:
    """The sizes of the dimensions."""
    return xp.asarray(x.shape, dtype=out_type)


def shape_n(xp: Any, xs: tuple[Any, ...], *, out_type: Any) -> tuple[Any, ...]:
    """The sizes of the dimensions of each input."""
    return tuple(xp.asarray(x.shape, dtype=out_type) for x in xs)


def size(xp: Any, x: Any, *, out_type: Any) -> Any:
    """The number of elements."""
    return xp.asarray(math.prod(x.shape), dtype=out_type)


def rank(xp: Any, x: Any) -> Any:
    """The number of dimensions."""
    return xp.asarray(len(x.shape), dtype=xp.int32)
