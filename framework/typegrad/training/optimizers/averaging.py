"""Moving averages of variables, which often predict better than the variables themselves."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import final

from typegrad.base.errors import GradientError, GraphError
from typegrad.base.types import TFloat64
from typegrad.functions.casting import as_type
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.variable import AnyVariable, Variable
from typegrad.graph.wrapper import Op
from typegrad.op._ops import Ops
from typegrad.op.core import NoOp
from typegrad.training.optimizers.checks import in_graph, integer_variable, none_twice, unit

__all__ = ["ExponentialMovingAverage"]


@final
class ExponentialMovingAverage:
    """Keeps an exponential moving average of each variable: `average = decay * average + (1 - decay) * value`.

    An average starts at the value that its variable has when the session initializes the average. It is itself a
    variable of the graph, called `variable/ExponentialMovingAverage`, that no optimizer trains.

        step = optimizer.minimize(loss)
        average = ExponentialMovingAverage(graph, 0.999)
        train = average.apply(after=[step])     # runs the step, then moves the averages

    Source: Polyak and Juditsky, Acceleration of Stochastic Approximation by Averaging (1992); TensorFlow's
    `ExponentialMovingAverage`.
    """

    def __init__(
        self,
        graph: Graph,
        decay: float = 0.999,
        *,
        num_updates: AnyVariable | None = None,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        """Averages of variables of `graph`.

        Args:
            graph: The graph.
            decay: The weight of the previous average in each step, at least 0 and less than 1.
            num_updates: A count of steps, with which averages move faster at first: the decay is at most
                `(1 + n) / (10 + n)`.
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
        self._averages: dict[AnyVariable, AnyVariable] = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._scope.path!r}, decay {self._decay}>"

    def apply(
        self,
        variables: Collection[AnyVariable] | None = None,
        *,
        after: Iterable[Operation | Op | AnyOperand] = (),
    ) -> NoOp:
        """An operation that moves the averages of `variables`, by default of all trainable ones.

        `after` runs before it, such as a training step: the averages then see the new values. So do the control
        dependencies of the current scope.

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
        current = Scope.current(self._scope.graph).control_inputs
        scope = self._scope.with_sub_scope("apply").with_control_dependencies([*current, *after])
        tf = Ops.create(scope)
        with tf:
            share = self._share(tf)
            updates = [self._update(tf, variable, share) for variable in chosen]
        return tf.with_name("moved").group(*updates)

    def average(self, variable: AnyVariable) -> AnyVariable:
        """The average of `variable`; a `GraphError` if `apply` was not called for it."""
        average = self._averages.get(variable)
        if average is None:
            raise GraphError(f"there is no average of '{variable.name}' yet; apply makes it")
        return average

    def _share(self, tf: Ops) -> Operand[TFloat64]:
        """The weight of the new value, 1 - decay."""
        decay: Operand[TFloat64] = tf.constant(self._decay, TFloat64)
        if self._num_updates is not None:
            count = as_type(tf.scope, self._num_updates.read(tf.scope), TFloat64)
            decay = tf.math.minimum(decay, (1.0 + count) / (10.0 + count))
        return 1.0 - decay

    def _update(self, tf: Ops, variable: AnyVariable, share: Operand[TFloat64]) -> Op:
        if variable not in self._averages:
            top = Scope(self._scope.graph)
            name = f"{variable.name}/{self._scope.path}"
            start = variable.read(top.with_name(f"{name}/initial_value"))
            self._averages[variable] = Variable.create(top.with_name(name), start, trainable=False)
        average = self._averages[variable]
        difference = average.read(tf.scope) - variable.read(tf.scope)
        return average.assign_sub(tf.scope, as_type(tf.scope, share, variable.dtype) * difference)
