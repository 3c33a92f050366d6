"""Gradients of `ops/state.yaml`."""

from __future__ import annotations

from typing_extensions import TypeVar

from typegrad.gradients.common import Gradients
from typegrad.op.core import ReadVariableOp
from typegrad.operand import Output
from typegrad.scope import Scope
from typegrad.types import TType

T = TypeVar("T", bound=TType)


def read_variable_op(scope: Scope, op: ReadVariableOp[T], grad: Output[T]) -> Gradients:
    """The gradient for the handle is the gradient for the value."""
    return grad
