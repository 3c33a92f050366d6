"""Gradients of `ops/graph.yaml`: operations that pass a value on pass its gradient back."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.gradients.common import Gradient, Gradients, OutputGradients
from typegrad.op.core import EnsureShape, Identity, IdentityN, PlaceholderWithDefault
from typegrad.operand import Output
from typegrad.scope import Scope
from typegrad.types import TType

T = TypeVar("T", bound=TType)


def placeholder_with_default(scope: Scope, op: PlaceholderWithDefault[T], grad: Output[T]) -> Gradients:
    """The gradient reaches the default as if nothing were fed, as in TensorFlow."""
    return grad


def identity(scope: Scope, op: Identity[T], grad: Output[T]) -> Gradients:
    """Unchanged."""
    return grad


def identity_n(scope: Scope, op: IdentityN, grads: OutputGradients) -> list[Gradient]:
    """Each output's gradient is that of its input."""
    return [grads[i] if grads.connected(i) else None for i in range(len(grads))]


def ensure_shape(scope: Scope, op: EnsureShape[T], grad: Output[T]) -> Gradients:
    """Unchanged."""
    return grad
