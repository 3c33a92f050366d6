"""What every optimizer does: gradients for the chosen variables, one update for each, and an operation that waits for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from typegrad.errors import GradientError, GraphError
from typegrad.gradients.api import gradients
from typegrad.gradients.cuts import explain_cut
from typegrad.graph import Graph
from typegrad.operand import Operand
from typegrad.operation import Operation
from typegrad.scope import Scope
from typegrad.variable import Variable

if TYPE_CHECKING:
    from typegrad.op.core import NoOp

__all__ = ["GradientPair", "Optimizer"]

GradientPair: TypeAlias = tuple[Operand[Any, Any] | None, Variable[Any, Any]]
"""A gradient, None if the loss does not depend on the variable, and the variable."""


class Optimizer(ABC):
    """Adds the operations of one training step to a graph."""

    def __init__(self, graph: Graph) -> None:
        """An optimizer of variables of `graph`."""
        self._scope = Scope(graph)

    @property
    def graph(self) -> Graph:
        """The graph whose variables are trained."""
        return self._scope.graph

    @abstractmethod
    def _update(self, scope: Scope, grad: Operand[Any, Any], variable: Variable[Any, Any]) -> Operation:
        """The operation that moves one variable."""

    def compute_gradients(
        self, loss: Operand[Any, Any], var_list: Sequence[Variable[Any, Any]] | None = None
    ) -> list[GradientPair]:
        """The gradient of the sum of `loss` for each of the variables, by default all trainable ones of the graph.

        Raises:
            GradientError: There is nothing to train: the list is empty, or the loss depends on none of its variables. The message
                says for each where the path is cut.
        """
        chosen = list(self.graph.trainable_variables if var_list is None else var_list)
        self._check(loss, chosen)
        found = gradients(self._scope, loss, chosen)
        if all(grad is None for grad in found):
            cuts = "".join(
                f"\n  {variable.name}: {explain_cut([loss.as_output()], variable.handle)}" for variable in chosen
            )
            raise GradientError(
                f"the loss '{loss.name}' (created at {loss.as_output().op.created_at}) trains no variable:{cuts}"
            )
        return list(zip(found, chosen, strict=True))

    def apply_gradients(self, grads_and_vars: Sequence[GradientPair]) -> NoOp:
        """An operation that updates every variable whose gradient is not None.

        Raises:
            GradientError: Every gradient is None.
        """
        from typegrad.op.core import NoOp

        pairs = [(grad, variable) for grad, variable in grads_and_vars if grad is not None]
        if not pairs:
            names = ", ".join(variable.name for _, variable in grads_and_vars) or "no variables were given"
            raise GradientError(f"there is no gradient to apply: {names}")
        scope = self._scope.with_sub_scope(type(self).__name__)
        updates = [self._update(scope.with_name(f"update_{variable.name}"), grad, variable) for grad, variable in pairs]
        return NoOp.create(scope.with_control_dependencies(updates).with_name("step"))

    def minimize(self, loss: Operand[Any, Any], var_list: Sequence[Variable[Any, Any]] | None = None) -> NoOp:
        """An operation that does one training step: `compute_gradients`, then `apply_gradients`.

        Variables that are not in `var_list`, or that the loss does not depend on, stay as they are, bit for bit.
        """
        return self.apply_gradients(self.compute_gradients(loss, var_list))

    def _check(self, loss: Operand[Any, Any], chosen: Sequence[Variable[Any, Any]]) -> None:
        if not chosen:
            raise GradientError("there are no variables to train: make one with tg.Variable.create, or pass `var_list`")
        found: list[Operand[Any, Any] | Variable[Any, Any]] = [loss, *chosen]
        for item in found:
            if item.graph is not self.graph:
                raise GraphError(f"'{item.name}' belongs to another graph than this optimizer")
