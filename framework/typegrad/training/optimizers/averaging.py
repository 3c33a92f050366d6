"""Moving averages of variables, which often predict better than the variables themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, final

from typegrad.base.errors import GradientError, GraphError
from typegrad.base.types import TFloat64
from typegrad.graph.graph import Graph
from typegrad.graph.operand import Operand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import Op
from typegrad.op.core import NoOp
from typegrad.training.optimizers.checks import in_graph, integer_variable, none_twice, unit
from typegrad.training.optimizers.formula import Formula

__all__ = ["ExponentialMovingAverage"]

_Variable: TypeAlias = Variable[Any, Any]


@final
class ExponentialMovingAverage:
    """Keeps, for each variable, an average that holds on to `decay` of itself: `average = decay * average + (1 - decay) * value`.

    An average starts at the value its variable has when the session first sees it. It is itself a variable of the graph, called
    `variable/ExponentialMovingAverage`, that no optimizer trains.

        step = optimizer.minimize(loss)
        average = ExponentialMovingAverage(graph, 0.999)
        train = average.apply(after=[step])     # runs the step, then moves the averages

    Source: Polyak and Juditsky, Acceleration of Stochastic Approximation by Averaging (1992); TensorFlow's `ExponentialMovingAverage`.
    """

    def __init__(
        self,
        graph: Graph,
        decay: float = 0.999,
        *,
        num_updates: _Variable | None = None,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        """Averages of variables of `graph`.

        Args:
            graph: The graph.
            decay: How much of an average is kept at each step, at least 0 and less than 1.
            num_updates: A count of steps, with which averages move faster at first: the decay is at most `(1 + n) / (10 + n)`.
            name: The scope of the operations, and part of the averages' names.

        Raises:
            AttributeValueError: The decay is out of range.
            DTypeError: The count is not an integer variable.
            GraphError: The count belongs to another graph.
        """
        self._decay = unit("decay", decay)
        if num_updates is not None:
            in_graph(graph, [integer_variable("num_updates", num_updates)], "moving average")
        self._num_updates = num_updates
        self._scope = Scope(graph).with_sub_scope(name)
        self._averages: dict[_Variable, _Variable] = {}

    def apply(
        self,
        variables: Sequence[_Variable] | None = None,
        *,
        after: Iterable[Operation | Op | Operand[Any, Any]] = (),
    ) -> NoOp:
        """An operation that moves the averages of `variables`, by default of all trainable ones.

        `after` runs before it, such as a training step: the averages then see the new values.

        Raises:
            GradientError: There are no variables.
            GraphError: A variable belongs to another graph, or occurs twice.
        """
        chosen = self._scope.graph.trainable_variables if variables is None else list(variables)
        if not chosen:
            raise GradientError(
                "there are no variables to average: make one with tg.Variable.create, or pass `variables`"
            )
        in_graph(self._scope.graph, chosen, "moving average")
        none_twice(chosen)
        scope = self._scope.with_sub_scope("apply").with_control_dependencies(after)
        decay = self._current_decay(scope)
        done = [self._move(scope, variable, decay) for variable in chosen]
        return NoOp.create(scope.with_control_dependencies(done).with_name("moved"))

    def average(self, variable: _Variable) -> _Variable:
        """The average of `variable`; a `GraphError` if `apply` was not called for it."""
        found = self._averages.get(variable)
        if found is None:
            raise GraphError(f"there is no average of '{variable.name}' yet; apply makes it")
        return found

    def _current_decay(self, scope: Scope) -> Operand[Any, Any]:
        f = Formula(scope, TFloat64)
        if self._num_updates is None:
            return f.term(self._decay)
        count = f.term(self._num_updates.read(scope))
        return f.minimum(self._decay, f.div(f.add(1.0, count), f.add(10.0, count)))

    def _move(self, scope: Scope, variable: _Variable, decay: Operand[Any, Any]) -> Op:
        if variable not in self._averages:
            top = Scope(self._scope.graph)
            name = f"{variable.name}/{self._scope.path}"
            start = variable.read(top.with_name(f"{name}/initial_value"))
            self._averages[variable] = Variable.create(top.with_name(name), start, trainable=False)
        average = self._averages[variable]
        f = Formula(scope, variable.dtype)
        share = f.term(Formula(scope, TFloat64).sub(1.0, decay))
        missing = f.sub(average.read(scope), variable.read(scope))
        return average.assign_sub(scope, f.mul(share, missing))
