"""The base classes of optimizers: gradients of the chosen variables, their updates, one operation for all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, cast

from typing_extensions import TypedDict, Unpack

from typegrad.arguments.fixed import fixed_attribute
from typegrad.arguments.options import check_options
from typegrad.base.brief import counted
from typegrad.base.errors import GradientError
from typegrad.base.location import warn
from typegrad.base.types import TFloating
from typegrad.differentiation.api import gradients
from typegrad.differentiation.paths import carries_gradient, explain_cut, lost
from typegrad.functions.rows import replace_rows, subtract_rows
from typegrad.graph.explain import origin
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import AnyVariable
from typegrad.graph.wrapper import Op
from typegrad.op._ops import Ops
from typegrad.op.core import NoOp
from typegrad.training.optimizers.checks import (
    at_least_zero,
    finite,
    floating_scalar,
    in_graph,
    integer_variable,
    none_twice,
    takes_two,
)
from typegrad.training.optimizers.clipping import Clip
from typegrad.training.optimizers.schedules import NO_SCHEDULE
from typegrad.training.optimizers.slots import Slots
from typegrad.training.optimizers.step import Floats, LearningRate, Step, Update

__all__ = ["ByRule", "Change", "CommonOptions", "GradientPair", "Optimizer", "Options", "average"]

_NO_VARIABLES: Final = "there are no variables to train: make one with tg.Variable.create, or pass `var_list`"
_NOT_TRAINABLE: Final = (
    "there are no variables to train: trainable=False was given for {}; pass `var_list` to train them"
)
_EMPTY: Final = "there are no variables to train: `var_list` is empty; leave it out to train all trainable ones"
_NO_CLIP: Final = "clip: a function that clips takes a scope and the gradients: lambda scope, gradients: [...]"

_NAMES: Final = 6
"""How many variables with the same mistake an error names."""

GradientPair: TypeAlias = tuple[AnyOperand | None, AnyVariable]
"""A gradient, None if the loss does not depend on the variable, and the variable."""

if TYPE_CHECKING:
    _Items: TypeAlias = list[AnyOperand] | list[AnyOperand | None] | list[AnyVariable]
    _Mixed: TypeAlias = list[AnyOperand | AnyVariable] | list[AnyOperand | AnyVariable | None]
    PairLike: TypeAlias = GradientPair | _Items | _Mixed
else:
    PairLike: TypeAlias = GradientPair
"""A pair, also as a list, whose items a run checks as those of a tuple. Type checkers know neither order nor length."""

Change: TypeAlias = tuple[Floats, Mapping[str, Floats]]
"""The number to subtract from the variable, and the new values of the slots."""


class CommonOptions(TypedDict, total=False):
    """The options of every optimizer, by keyword."""

    clip: Clip | None
    """How gradients are clipped before they are used: `ClipByValue`, `ClipByNorm`, `ClipByGlobalNorm` or a function."""
    exclude_from_weight_decay: Sequence[AnyVariable]
    """Variables that do not decay, such as biases."""
    lazy: bool
    """Whether a sparse gradient updates only its own rows and their slots, even if the rule would move other rows
    too."""
    name: str
    """The scope of the optimizer's operations, and part of its slots' names; by default the name of the class."""


class Options(CommonOptions, total=False):
    """`CommonOptions`, and the weight decay."""

    weight_decay: float
    """Decoupled weight decay: before each update, `learning_rate * weight_decay * w` is subtracted from a variable
    w."""


class Optimizer(ABC):
    """Adds the operations of one training step to a graph.

    A step reads everything before it writes anything: gradients, learning rate and powers have their values from before
    the step. Then, in this order, gradients are clipped, weights decay, each variable is updated, and the optimizer's
    own state is updated.

    A sparse gradient (`tg.IndexedSlices`, of a table from which rows were gathered) has the same effect as the dense
    gradient with zeros in the other rows. If the rule does not change rows with zero gradient, as in `GradientDescent`
    and `AdaGrad`, only the rows of the gradient are updated, and cost time. Other rules change every row at every step
    (a momentum decays), so the whole variable is updated, as in Keras. With `lazy=True`, only the rows of the gradient
    are updated, by TensorFlow's `ResourceSparseApply*` operations where they exist: the result differs, but the cost of
    a step does not depend on the size of the table. (Weight decay, too, applies to every row, or lazily to the rows of
    the gradient.)

    Slots, such as moving averages, are variables of the graph that no optimizer trains, called
    `variable/optimizer/slot`. They start at zero, unless an argument says otherwise.

    Defaults are TensorFlow Java's, where it has the optimizer and the argument.

    An optimizer of your own is a function that assigns variables; it needs no class.
    """

    _rowwise: ClassVar[bool] = False
    """Whether a zero gradient leaves a variable and its slots unchanged."""

    def __init__(self, graph: Graph, learning_rate: LearningRate, **options: Unpack[Options]) -> None:
        """An optimizer of variables of `graph`.

        Args:
            graph: The graph.
            learning_rate: A number, a floating-point scalar of the graph, or a schedule.
            **options: See `Options`.

        Raises:
            AttributeValueError: A number is out of range, or the learning rate is of another kind; or a function does
                not take what it is called with.
            OptionError: There is no option of that name.
            DTypeError: The learning rate is an operand, but not of a floating-point type.
            ShapeError: The learning rate is not a scalar.
            GraphError: The learning rate or a variable belongs to another graph, or the name is not valid.
        """
        check_options(type(self), Options, options)
        self._learning_rate = _learning_rate(graph, learning_rate)
        self._weight_decay = at_least_zero("weight_decay", options.get("weight_decay", 0.0))
        self._undecayed = frozenset(options.get("exclude_from_weight_decay", ()))
        in_graph(graph, self._undecayed, "optimizer")
        clip = options.get("clip")
        self._clip = None if clip is None else takes_two(_NO_CLIP, clip)
        self._lazy = options.get("lazy", False)
        self._scope = Scope(graph).with_sub_scope(options.get("name", type(self).__name__))
        self._state = Slots(self._scope, self._slots())

    if not TYPE_CHECKING:
        __setattr__ = fixed_attribute

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, learning rate {self.learning_rate!r}>"

    @property
    def learning_rate(self) -> LearningRate:
        """What was given as the learning rate: a number, a scalar of the graph, or a schedule."""
        return self._learning_rate

    @property
    def graph(self) -> Graph:
        """The graph whose variables are trained."""
        return self._scope.graph

    @property
    def name(self) -> str:
        """The name, unique in the graph: `Adam`, `Adam_1`."""
        return self._scope.path

    # The rule. Its methods are called with the scope of the update as the current one: operators add their operations
    # there.

    def _slots(self) -> Mapping[str, float]:
        """The names of the slots, and their initial values."""
        return {}

    @abstractmethod
    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        """The operations that update the whole variable."""

    @abstractmethod
    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        """The operations that update the rows of the gradient. Indices may repeat, except in `update.unique(grad)`."""

    def _finish(self, step: Step) -> Sequence[Op]:  # noqa: ARG002
        """The operations that update the state that all variables share, after every variable has used it."""
        return ()

    # State

    @property
    def slot_names(self) -> list[str]:
        """The names of the slots that each trained variable has."""
        return self._state.names

    def slot(self, variable: AnyVariable, name: str) -> AnyVariable:
        """The slot `name` of a variable.

        Raises:
            GraphError: There is no such slot, or not yet: `apply_gradients` makes them.
        """
        return self._state.get(variable, name)

    @property
    def variables(self) -> list[AnyVariable]:
        """The variables that hold the optimizer's state so far: slots, and the count of steps if there is one."""
        return self._state.variables

    # Steps

    def compute_gradients(
        self,
        loss: AnyOperand,
        var_list: Collection[AnyVariable] | None = None,
        *,
        grad_loss: AnyOperand | None = None,
    ) -> list[GradientPair]:
        """The gradient of `loss` for each of the variables.

        Without `var_list`, a `UserWarning` names the variables that the loss uses and does not train, as something else
        than `core.StopGradient` cuts the path to each, such as a comparison or a rounding.

        Args:
            loss: The operand to minimize. If it is not a scalar, the sum of its elements is minimized.
            var_list: The variables; by default all trainable ones of the graph.
            grad_loss: The weight of each element of `loss`, of its shape and type; ones by default.

        Raises:
            GradientError: The list is empty, or the loss depends on none of its variables. The message says where the
                path to each is cut.
            GraphError: The loss or a variable belongs to another graph, or a variable occurs twice.
        """
        in_graph(self.graph, [loss], "optimizer")
        chosen = self.graph.trainable_variables if var_list is None else list(var_list)
        if not chosen:
            fixed = [variable.name for variable in self.graph.variables]
            none = _NOT_TRAINABLE.format(_listed(fixed)) if fixed else _NO_VARIABLES
            raise GradientError(none if var_list is None else _EMPTY)
        in_graph(self.graph, chosen, "optimizer")
        none_twice(chosen)
        grads = gradients(self._scope, loss, chosen, grad_ys=grad_loss)
        if all(grad is None for grad in grads):
            raise GradientError(f"the loss {origin(loss)} trains no variable:{_cuts(loss, chosen)}")
        if var_list is None:
            _warn_of_lost(loss, [variable for grad, variable in zip(grads, chosen, strict=True) if grad is None])
        return list(zip(grads, chosen, strict=True))

    def apply_gradients(
        self,
        grads_and_vars: Iterable[PairLike],
        *,
        global_step: AnyVariable | None = None,
        name: str | None = None,
    ) -> NoOp:
        """An operation that updates every variable whose gradient is not None.

        The updates also run after the control dependencies of the current scope, as in TensorFlow.

        Args:
            grads_and_vars: The gradients, each with its variable: a list of pairs, or `zip(gradients, variables)`.
            global_step: An integer variable to increment after the updates. A schedule gets it in place of the
                optimizer's own count of steps.
            name: The name of the operation, in the current scope; by default "train", in the scope of the optimizer.

        Raises:
            GradientError: Every gradient is None, or the clipping function returned another number of gradients.
            GraphError: A gradient or variable belongs to another graph, a variable occurs twice, or the name is not
                valid.
            DTypeError: The global step is not an integer.
            AttributeValueError: A number loses its meaning in the type of a variable.
        """
        if isinstance(grads_and_vars, Iterator):  # its pairs are checked once they are in a list
            return self.apply_gradients(list(grads_and_vars), global_step=global_step, name=name)
        given = cast("Iterable[GradientPair]", grads_and_vars)  # those in lists were checked, too
        pairs = [(grad, variable) for grad, variable in given if grad is not None]
        if not pairs:
            names = _listed([variable.name for _, variable in given]) or "there are no pairs"
            raise GradientError(f"there is no gradient to apply: {names}")
        variables = [variable for _, variable in pairs]
        in_graph(self.graph, [*(grad for grad, _ in pairs), *variables], "optimizer")
        none_twice(variables)
        current = Scope.current(self.graph)
        scope = self._scope.with_control_dependencies(current.control_inputs)
        named = scope.with_name("train") if name is None else current.with_name(name)
        step = self._begin(scope.with_sub_scope("step"), global_step)
        grads = self._clipped(step.scope, [grad for grad, _ in pairs])
        done = self._updates(step, grads, variables)
        return Ops.create(named).group(*done)

    def minimize(
        self,
        loss: AnyOperand,
        var_list: Collection[AnyVariable] | None = None,
        *,
        global_step: AnyVariable | None = None,
        grad_loss: AnyOperand | None = None,
        name: str | None = None,
    ) -> NoOp:
        """An operation that runs one training step: `compute_gradients`, then `apply_gradients`; see their arguments.

        Variables that are not in `var_list`, or to which no gradient flows, do not change. Of the latter, a
        `UserWarning` names those that are in `var_list`, and says where the path to each is cut. Without `var_list`, it
        names those that the loss uses, unless `core.StopGradient` cuts the path.
        """
        pairs = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        cut = [variable for grad, variable in pairs if grad is None]
        if var_list is not None and cut:
            warn(f"the loss {origin(loss)} does not train all of `var_list`:{_cuts(loss, cut)}")
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def _begin(self, scope: Scope, global_step: AnyVariable | None) -> Step:
        """Read the inputs of the step other than the gradients."""
        if global_step is not None:
            in_graph(self.graph, [integer_variable("global_step", global_step)], "optimizer")
        return Step(scope, self._learning_rate, self._state, global_step)

    def _clipped(self, scope: Scope, grads: Sequence[AnyOperand]) -> Sequence[AnyOperand]:
        clipped = grads
        if self._clip is not None:
            with scope:
                clipped = self._clip(scope, grads)
        if len(clipped) != len(grads):
            raise GradientError(f"clip got {counted(len(grads), 'gradient')} and returned {len(clipped)}")
        return clipped

    def _updates(self, step: Step, grads: Sequence[AnyOperand], variables: Sequence[AnyVariable]) -> list[Op]:
        """All operations that write, in order: decay, updates, shared state."""
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

    def _decay(self, update: Update, grad: AnyOperand) -> Op:
        scope, variable = update.scope, update.variable
        with scope:
            rate = update.learning_rate * update.constant("weight_decay", self._weight_decay)
            if isinstance(grad, IndexedSlices) and self._lazy:
                rows = update.unique(grad).indices
                return subtract_rows(scope, variable, rows, variable.gather(scope, rows) * rate)
            return variable.assign_sub(scope, variable.read(scope) * rate)


class ByRule(Optimizer):
    """An optimizer with an elementwise rule, which applies to whole variables and to some of their rows."""

    @abstractmethod
    def _rule(self, update: Update, grad: Floats, slots: Mapping[str, Floats]) -> Change:
        """The change that a gradient makes, and the slots after it. All slots are of the gradient's shape."""

    def _dense(self, update: Update, grad: AnyOperand) -> Sequence[Op]:
        scope, variable = update.scope, update.variable
        change, new = self._rule(update, grad, {name: slot.read(scope) for name, slot in update.slots.items()})
        assigned = [update.slots[name].assign(scope, value) for name, value in new.items()]
        return [*assigned, variable.assign_sub(scope, change)]

    def _sparse(self, update: Update, grad: IndexedSlices[TFloating]) -> Sequence[Op]:
        scope, variable = update.scope, update.variable
        unique = update.unique(grad)
        rows = unique.indices
        slots = {name: slot.gather(scope, rows) for name, slot in update.slots.items()}
        change, new = self._rule(update, unique.values, slots)
        assigned = [replace_rows(scope, update.slots[name], rows, value) for name, value in new.items()]
        return [*assigned, subtract_rows(scope, variable, rows, change)]


def average(old: Floats, new: Floats, decay: Floats) -> Floats:
    """A step of an exponential moving average: `decay * old + (1 - decay) * new`.

    Computed as `old + (1 - decay) * (new - old)`.
    """
    return old + (1.0 - decay) * (new - old)


def _learning_rate(graph: Graph, value: LearningRate) -> LearningRate:
    """`value`, checked as far as possible before a step is built."""
    if isinstance(value, Operand):
        in_graph(graph, [value], "optimizer")
        return floating_scalar("learning_rate", value)
    if not callable(value):
        return finite("learning_rate", value)
    return takes_two(f"learning_rate: {NO_SCHEDULE}", value)


def _warn_of_lost(loss: AnyOperand, untrained: Sequence[AnyVariable]) -> None:
    """Warn about the variables that the loss uses, and that it does not train though the program does not say so."""
    by_handle = {each.handle.as_output(): each for each in untrained if carries_gradient(each.dtype)}
    if by_handle:
        cut = [by_handle[each] for each in lost([loss.as_output()], list(by_handle))]
        if cut:
            warn(f"the loss {origin(loss)} does not train all variables that it uses:{_cuts(loss, cut)}")


def _cuts(loss: AnyOperand, variables: Iterable[AnyVariable]) -> str:
    """Why no gradient reaches any of the variables, once for those with the same reason."""
    names: dict[str, list[str]] = {}
    for variable in variables:
        names.setdefault(explain_cut([loss.as_output()], variable.handle), []).append(variable.name)
    if len(names) == 1:
        ((reason, own),) = names.items()
        if len(own) > 1:
            return f" no gradient reaches {_listed(own)}: {reason}"
    return "".join(f"\n  {_listed(own)}: {reason}" for reason, own in names.items())


def _listed(names: Sequence[str]) -> str:
    """Names, as far as they are worth reading."""
    more = len(names) - _NAMES
    return ", ".join(f"'{name}'" for name in names[:_NAMES]) + (f" and {more} more" if more > 0 else "")
