"""What every optimizer does: gradients for the chosen variables, one update for each, and an operation that waits for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from typing_extensions import TypedDict, Unpack

from typegrad.arguments.options import check_options
from typegrad.base.errors import DTypeError, GradientError
from typegrad.differentiation.api import gradients
from typegrad.differentiation.cuts import explain_cut
from typegrad.functions.rows import gather, subtract_rows
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable
from typegrad.graph.wrapper import Op
from typegrad.op.core import NoOp
from typegrad.training.optimizers.checks import (
    all_variables,
    at_least_zero,
    finite,
    floating_scalar,
    in_graph,
    integer_variable,
    none_twice,
)
from typegrad.training.optimizers.clipping import Clip
from typegrad.training.optimizers.slots import Slots
from typegrad.training.optimizers.step import LearningRate, Step, Update

__all__ = ["CommonOptions", "GradientPair", "Optimizer", "Options"]

GradientPair: TypeAlias = tuple[Operand[Any, Any] | None, Variable[Any, Any]]
"""A gradient, None if the loss does not depend on the variable, and the variable."""


class CommonOptions(TypedDict, total=False):
    """What every optimizer can be told by keyword, whatever its rule."""

    clip: Clip | None
    """How gradients are clipped before they are used: `ClipByValue`, `ClipByNorm`, `ClipByGlobalNorm` or a function of yours."""
    exclude_from_weight_decay: Sequence[Variable[Any, Any]]
    """Variables that do not decay, such as biases."""
    lazy: bool
    """Whether a sparse gradient updates only the rows that it has, and their slots, even if the rule would move the others too."""
    name: str
    """The scope of the optimizer's operations, and part of its slots' names; by default the name of the class."""


class Options(CommonOptions, total=False):
    """`CommonOptions`, and the weight decay."""

    weight_decay: float
    """Before each update, a variable loses this times the learning rate of its value. Decoupled: the gradient knows nothing of it."""


class Optimizer(ABC):
    """Adds the operations of one training step to a graph.

    In a step, everything is read before anything is written: gradients, learning rate and powers are those from before the step.
    Then gradients are clipped, weights decay, each variable is updated, and the optimizer's own state moves on, in this order.

    A sparse gradient (`tg.IndexedSlices`, of a table from which rows were gathered) has the same effect as the dense one with zeros in
    the other rows. Where the rule leaves rows with zero gradient alone, as those of `GradientDescent` and `AdaGrad` do, only the rows
    touched are updated, at their cost. Other rules move every row at every step (a momentum decays), so the whole variable is
    updated, as Keras does. With `lazy=True` only the rows touched are updated, by TensorFlow's `ResourceSparseApply*` operations
    where there are any: another result, but the cost of a step no longer depends on the size of the table. (Weight decay,
    too, is for every row, or lazily for the rows touched.)

    Slots, such as moving averages, are variables of the graph that no optimizer trains, called `variable/optimizer/slot`. They start at
    zero, unless an argument says otherwise.

    Defaults are those of TensorFlow Java's optimizers, where it has the optimizer and the argument.
    """

    _rowwise: ClassVar[bool] = False
    """Whether a zero gradient leaves a variable and its slots alone."""

    def __init__(self, graph: Graph, learning_rate: LearningRate, **options: Unpack[Options]) -> None:
        """An optimizer of variables of `graph`.

        Args:
            graph: The graph.
            learning_rate: A number, a floating-point scalar of the graph, or a schedule.
            **options: See `Options`.

        Raises:
            AttributeValueError: A number is out of range.
            OptionError: There is no option of that name.
            DTypeError: The learning rate is not of these kinds.
            ShapeError: The learning rate is not a scalar.
            GraphError: The learning rate or a variable belongs to another graph, or the name is not valid.
        """
        check_options(type(self), Options, options)
        self._learning_rate = _learning_rate(graph, learning_rate)
        self._weight_decay = at_least_zero("weight_decay", options.get("weight_decay", 0.0))
        self._undecayed = frozenset(options.get("exclude_from_weight_decay", ()))
        in_graph(graph, self._undecayed, "optimizer")
        self._clip = options.get("clip")
        self._lazy = options.get("lazy", False)
        self._scope = Scope(graph).with_sub_scope(options.get("name", type(self).__name__))
        self._state = Slots(self._scope, self._slots())

    @property
    def graph(self) -> Graph:
        """The graph whose variables are trained."""
        return self._scope.graph

    @property
    def name(self) -> str:
        """The name, unique in the graph: `Adam`, `Adam_1`."""
        return self._scope.path

    # What a rule says. It is asked with the scope of the update as the current one: operators add their operations there.

    def _slots(self) -> Mapping[str, float]:
        """The names of the slots, and what they are filled with at first."""
        return {}

    @abstractmethod
    def _dense(self, update: Update, grad: Operand[Any, Any]) -> Sequence[Op]:
        """The operations that update the whole variable."""

    @abstractmethod
    def _sparse(self, update: Update, grad: IndexedSlices[Any, Any]) -> Sequence[Op]:
        """The operations that update the rows of the gradient. An index may occur again, unless in `update.unique(grad)`."""

    def _finish(self, step: Step) -> Sequence[Op]:  # noqa: ARG002
        """The operations that move on what all variables share, after every variable has used it."""
        return ()

    # State

    @property
    def slot_names(self) -> list[str]:
        """The names of the slots that each trained variable has."""
        return self._state.names

    def slot(self, variable: Variable[Any, Any], name: str) -> Variable[Any, Any]:
        """The slot `name` of a variable.

        Raises:
            GraphError: There is no such slot, or not yet: `apply_gradients` makes them.
        """
        return self._state.get(variable, name)

    @property
    def variables(self) -> list[Variable[Any, Any]]:
        """The variables that hold the optimizer's state so far: slots, and the count of steps where one is kept."""
        return self._state.variables

    # Steps

    def compute_gradients(
        self,
        loss: Operand[Any, Any],
        var_list: Sequence[Variable[Any, Any]] | None = None,
        *,
        grad_loss: Operand[Any, Any] | None = None,
    ) -> list[GradientPair]:
        """The gradient of `loss` for each of the variables.

        Args:
            loss: What is to become small. If it is not a scalar, the sum of its elements.
            var_list: The variables; by default all trainable ones of the graph.
            grad_loss: The weight of each element of `loss`, of its shape and type; ones by default.

        Raises:
            GradientError: There is nothing to train: the list is empty, or the loss depends on none of its variables. The message
                says for each where the path is cut.
            GraphError: The loss or a variable belongs to another graph, or a variable occurs twice.
        """
        chosen = self.graph.trainable_variables if var_list is None else all_variables(var_list)
        if not chosen:
            raise GradientError("there are no variables to train: make one with tg.Variable.create, or pass `var_list`")
        in_graph(self.graph, [loss, *chosen], "optimizer")
        none_twice(chosen)
        found = gradients(self._scope, loss, chosen, grad_ys=grad_loss)
        if all(grad is None for grad in found):
            cuts = "".join(
                f"\n  {variable.name}: {explain_cut([loss.as_output()], variable.handle)}" for variable in chosen
            )
            raise GradientError(
                f"the loss '{loss.name}' (created at {loss.as_output().op.created_at}) trains no variable:{cuts}"
            )
        return list(zip(found, chosen, strict=True))

    def apply_gradients(
        self, grads_and_vars: Sequence[GradientPair], *, global_step: Variable[Any, Any] | None = None
    ) -> NoOp:
        """An operation that updates every variable whose gradient is not None.

        Args:
            grads_and_vars: The gradients, each with its variable.
            global_step: An integer variable to increment after the updates. A schedule goes by it, rather than by the
                optimizer's own count of steps.

        Raises:
            GradientError: Every gradient is None, or the clipping function returned another number of gradients.
            GraphError: A gradient or variable belongs to another graph, or a variable occurs twice.
            DTypeError: The global step is not an integer.
            AttributeValueError: A number loses its meaning in the type of a variable.
        """
        try:
            pairs = [(grad, variable) for grad, variable in grads_and_vars if grad is not None]
        except (TypeError, ValueError):
            raise GradientError(
                f"gradients are applied as pairs of a gradient and its variable, not as {grads_and_vars!r}"
            ) from None
        if not pairs:
            names = ", ".join(variable.name for _, variable in grads_and_vars) or "no variables were given"
            raise GradientError(f"there is no gradient to apply: {names}")
        variables = all_variables(variable for _, variable in pairs)
        in_graph(self.graph, [*(grad for grad, _ in pairs), *variables], "optimizer")
        none_twice(variables)
        scope = self._scope.with_sub_scope("step")
        step = self._begin(scope, global_step)
        grads = self._clipped(scope, [grad for grad, _ in pairs])
        done = self._updates(step, grads, variables)
        return NoOp.create(self._scope.with_control_dependencies(done).with_name("train"))

    def minimize(
        self,
        loss: Operand[Any, Any],
        var_list: Sequence[Variable[Any, Any]] | None = None,
        *,
        global_step: Variable[Any, Any] | None = None,
        grad_loss: Operand[Any, Any] | None = None,
    ) -> NoOp:
        """An operation that does one training step: `compute_gradients`, then `apply_gradients`, where the arguments are described.

        Variables that are not in `var_list`, or that the loss does not depend on, stay as they are, bit for bit.
        """
        return self.apply_gradients(
            self.compute_gradients(loss, var_list, grad_loss=grad_loss), global_step=global_step
        )

    def _begin(self, scope: Scope, global_step: Variable[Any, Any] | None) -> Step:
        """Read what the step depends on, besides the gradients."""
        if global_step is not None:
            in_graph(self.graph, [integer_variable("global_step", global_step)], "optimizer")
        return Step(scope, self._learning_rate, self._state, global_step)

    def _clipped(self, scope: Scope, grads: Sequence[Operand[Any, Any]]) -> Sequence[Operand[Any, Any]]:
        clipped = grads
        if self._clip is not None:
            with scope:
                clipped = self._clip(scope, grads)
        if len(clipped) != len(grads):
            raise GradientError(f"clip got {len(grads)} gradients and returned {len(clipped)}")
        return clipped

    def _updates(
        self, step: Step, grads: Sequence[Operand[Any, Any]], variables: Sequence[Variable[Any, Any]]
    ) -> list[Op]:
        """All that is written, in order: decay, updates, and what the variables share."""
        done: list[Op] = []
        updates = [
            Update(step, step.scope.with_sub_scope(f"update_{variable.name}"), variable, self._state.of(variable))
            for variable in variables
        ]
        for update, grad in zip(updates, grads, strict=True):
            if self._weight_decay and update.variable not in self._undecayed:
                done.append(self._decay(update, grad))
        for update, grad in zip(updates, grads, strict=True):
            with update.scope:
                if isinstance(grad, IndexedSlices) and (self._rowwise or self._lazy):
                    done.extend(self._sparse(update, grad))
                else:
                    done.extend(self._dense(update, grad))
        with step.scope:
            done.extend(self._finish(step))
        return [*done, *step.finish()]

    def _decay(self, update: Update, grad: Operand[Any, Any]) -> Op:
        f = update.formula()
        rate = f.mul(update.learning_rate, update.constant("weight_decay", self._weight_decay))
        if isinstance(grad, IndexedSlices) and self._lazy:
            rows = update.unique(grad).indices
            return subtract_rows(
                update.scope, update.variable, rows, f.mul(gather(update.scope, update.variable, rows), rate)
            )
        return update.variable.assign_sub(update.scope, f.mul(update.variable.read(update.scope), rate))


def _learning_rate(graph: Graph, value: LearningRate) -> LearningRate:
    """What the user gave, checked as far as it can be before a step is built."""
    if isinstance(value, Operand):
        in_graph(graph, [value], "optimizer")
        return floating_scalar("learning_rate", value)
    if isinstance(value, (int, float)):
        return finite("learning_rate", value)
    if not callable(value):
        raise DTypeError(
            f"learning_rate must be a number, an operand or a schedule (a function of scope and step), not "
            f"{type(value).__name__} {value!r}"
        )
    return value
