"""`Scope`: where in a graph, and under which name, the next operations go."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, final

import numpy as np

from typegrad.arguments.fixed import fixed_attribute
from typegrad.base.brief import brief, described
from typegrad.base.errors import AttributeValueError, GraphError
from typegrad.base.location import caller
from typegrad.base.pickling import Unpicklable
from typegrad.base.types import TType
from typegrad.graph.construction import add_operation
from typegrad.graph.explain import describe, foreign
from typegrad.graph.graph import Graph, check_name
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.operation import Operation

if TYPE_CHECKING:
    from typegrad.graph.definition import OpDef
    from typegrad.graph.wrapper import Op, Wrapper

__all__ = ["Scope"]

_SEEDS: Final = range(-(2**63), 2**63)

_entered: Final[ContextVar[tuple[tuple[Scope, int], ...]]] = ContextVar("typegrad_scopes", default=())
"""The scopes whose `with` blocks are open in this thread or task, the innermost last, each with how many operations its
graph had before.
"""


@final
class Scope(Unpicklable):
    """An immutable position in a graph: name prefix, control inputs, device. The `with_*` methods return a new scope.

    A `with` block makes a scope current: the operations that Python operators, indexing, plain values and reads of
    variables add to its graph go there. `create` takes its scope as an argument, whichever scope is current.

        with scope.with_sub_scope("layer") as layer:
            y = nn.Relu.create(layer, x @ w + b)

    A block of a scope with control inputs ends in a `GraphError` if it added operations, but none to that scope.
    """

    __slots__ = ("_name", "_prefix", "control_inputs", "device", "graph", "is_gradient", "is_init", "seed")

    graph: Final[Graph]
    control_inputs: Final[tuple[Operation, ...]]
    """Operations that run before every operation made in this scope."""
    device: Final[str]
    """The device written into the nodes, such as "/cpu:0"; "" for any."""
    seed: Final[int | None]
    """What the random operations made in this scope draw from; None for the graph's seed."""
    is_init: Final[bool]
    """Whether an operation made here that writes state runs once per session."""
    is_gradient: Final[bool]
    """Whether what is made here computes a gradient."""

    if not TYPE_CHECKING:
        __setattr__ = fixed_attribute

    def __init__(self, graph: Graph) -> None:
        """The top scope of `graph`."""
        self.graph = graph
        self.control_inputs = ()
        self.device = ""
        self.seed = None
        self._prefix = ""
        self._name: str | None = None
        self.is_init = False
        self.is_gradient = False

    @staticmethod
    def current(graph: Graph) -> Scope:
        """The scope of the innermost open `with` block that belongs to `graph`; the top scope without one."""
        for scope, _ in reversed(_entered.get()):
            if scope.graph is graph:
                return scope
        return graph.top_scope

    def __enter__(self) -> Scope:
        _entered.set((*_entered.get(), (self, len(self.graph))))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        blocks = _entered.get()
        last = len(blocks) - 1
        while blocks[last][0] is not self:  # blocks of generators may end in another order than they began
            last -= 1
        _entered.set(blocks[:last] + blocks[last + 1 :])
        if kind is None and self.control_inputs:
            self._check_used(before=blocks[last][1])

    def _check_used(self, before: int) -> None:
        """Refuse a `with` block that added operations, none of them with its control inputs: it would order nothing."""
        added = list(islice(reversed(self.graph), len(self.graph) - before))
        if added and not any(set(self.control_inputs).issubset(operation.control_inputs) for operation in added):
            raise GraphError(
                f"nothing in this `with` block runs after {describe(self.control_inputs[-1])}: {describe(added[0])} "
                "was added to another scope. Write `with scope.with_control_dependencies(...) as after:` and pass "
                "`after` to `create`"
            )

    def _with(self, **changes: object) -> Scope:
        other = object.__new__(Scope)
        for slot in Scope.__slots__:
            object.__setattr__(other, slot, changes[slot] if slot in changes else getattr(self, slot))
        return other

    def with_sub_scope(self, name: str) -> Scope:
        """A scope inside this one: names are prefixed with "name/" (made unique in the graph)."""
        unique = self.graph.unique_name(self._prefix + check_name(self._name or name))
        return self._with(_prefix=unique + "/", _name=None)

    def with_name(self, name: str) -> Scope:
        """A scope whose next operations are called `name` (made unique), instead of after their class."""
        return self._with(_name=check_name(name))

    def with_control_dependencies(self, operations: Iterable[Operation | Op | AnyOperand]) -> Scope:
        """A scope whose operations also run after `operations`."""
        new = dict.fromkeys((*self.control_inputs, *(self._control(item) for item in operations)))
        return self._with(control_inputs=tuple(new))

    def with_device(self, device: str) -> Scope:
        """A scope whose operations are marked with this device."""
        return self._with(device=device)

    def with_init_scope(self) -> Scope:
        """A scope for initialization, without control inputs; its operations that write state run once per session."""
        return self._with(control_inputs=(), is_init=True)

    def with_gradient_scope(self) -> Scope:
        """The sub-scope "gradients"; the graph lists its operations as computing a gradient."""
        return self.with_sub_scope("gradients")._with(is_gradient=True)

    def with_seed(self, seed: SupportsIndex | None) -> Scope:
        """A scope whose random operations draw from `seed` instead of the graph's seed; None restores the graph's.

        The numbers depend on this seed, the operation's name and how often it ran, so each operation has its own. They
        are written into the node: attribute `seed` is this one, `seed2` derives from the name. An operation with seeds
        of its own keeps them.

        Raises:
            AttributeValueError: The seed is not an integer of 64 bits.
        """
        number = None if seed is None else operator.index(seed)
        if number is not None and number not in _SEEDS:
            raise AttributeValueError(f"a seed is an integer from -2**63 to 2**63 - 1, not {brief(seed)}")
        return self._with(seed=number)

    @property
    def path(self) -> str:
        """The names of the scopes this one is in, joined by slashes; "" at the top."""
        return self._prefix.rstrip("/")

    def _control(self, item: Operation | Op | AnyOperand) -> Operation:
        operation = as_operation(item.output_in(self) if isinstance(item, Operand) else item)
        if operation.graph is not self.graph:
            raise foreign(f"control dependency {describe(operation)}", "this scope")
        return operation

    # Building: called by generated code

    def add(self, definition: OpDef, inputs: Sequence[object], attrs: dict[str, Any]) -> Operation:
        """Add an operation.

        Generated `create` methods call `Scope.add`; `inputs` has one element per input of the definition.
        """
        if type(self) is not Scope:
            remedy = "the scope is the first argument" if _is_argument(self) else "write tg.Scope(graph)"
            raise GraphError(
                f"{definition.class_name}.create(): argument `scope` must be a Scope, not {described(self)}; {remedy}"
            )
        name = self._prefix + (self._name or definition.class_name)
        return add_operation(self, name, caller(), definition, inputs, attrs)

    def for_input(self, definition: OpDef, name: str) -> Scope:
        """The scope for a constant that becomes input `name` of the next operation: "Sum/axis"."""
        operation = self.graph.free_name(self._prefix + (self._name or definition.class_name))
        return self._with(_prefix=operation + "/", _name=name, control_inputs=())

    def for_rule(self, operation: Operation) -> Scope:
        """The sub-scope for what an operation's gradient function adds, on its device: "Sum_grad", unique as "Sum"."""
        return self._with(_prefix=f"{self._prefix}{operation.name}_grad/", device=operation.device)

    def unnamed(self) -> Scope:
        """This scope without the name from `with_name`, for operations made beside the named one."""
        return self if self._name is None else self._with(_name=None)

    def __repr__(self) -> str:
        return f"<Scope {self._prefix or '/'} of {self.graph!r}>"


def as_operation(item: Operation | Wrapper | AnyOperand) -> Operation:
    """The node of an operation, a wrapper or an operand."""
    operation = item if isinstance(item, Operation) else getattr(item, "op", None)
    if not isinstance(operation, Operation):
        raise GraphError(f"a control dependency is an operation or an operand, not {described(item)}")
    return operation


def _is_argument(value: object) -> bool:
    """Whether what is in the place of the scope is the argument that comes after it."""
    is_type = isinstance(value, type) and issubclass(value, TType)
    return is_type or hasattr(value, "as_output") or isinstance(value, (int, float, list, np.ndarray))
