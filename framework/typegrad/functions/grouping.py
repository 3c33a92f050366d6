"""Several operations as one."""

from __future__ import annotations

from typegrad.graph.operand import AnyOperand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.wrapper import Op
from typegrad.op.core import NoOp

__all__ = ["group"]


def group(scope: Scope, *operations: Operation | Op | AnyOperand) -> NoOp:
    """One operation that runs all of `operations`, such as the updates of a step: a `core.NoOp` that waits for them.

    Args:
        scope: Where in the graph the operation goes, and under which name.
        *operations: Operations or operands. Without any, it does nothing.

    Raises:
        GraphError: One is neither operation nor operand, or belongs to another graph.

    Source: TensorFlow's `tf.group`.
    """
    return NoOp.create(scope.with_control_dependencies(operations))
