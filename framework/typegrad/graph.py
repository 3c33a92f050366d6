"""`Graph`: an append-only collection of operations."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, final

from typegrad.errors import GraphError
from typegrad.operation import Operation

if TYPE_CHECKING:
    from typegrad.operand import Operand
    from typegrad.variable import Variable

__all__ = ["Graph", "check_name"]

_NAME: Final = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*")


def check_name(name: str) -> str:
    """`name` if a node may be called so, by TensorFlow's rule, else a `GraphError`."""
    try:
        is_valid = _NAME.fullmatch(name) is not None
    except TypeError:
        is_valid = False
    if not is_valid:
        raise GraphError(
            f"{name!r} is not a valid name: it starts with a letter, digit or dot, and goes on with those or _ \\ / > -"
        )
    return name


@final
class Graph:
    """The operations of a computation, in the order they were made. Operations are added through a `Scope`.

    `seed` fixes every random operation of the graph that has no seeds of its own: the numbers it draws depend on this seed, its
    name and how often it ran, so adding other operations changes nothing. Without a seed each session draws anew.
    """

    def __init__(self, seed: int | None = None) -> None:
        """Make an empty graph."""
        try:
            self.seed = None if seed is None else operator.index(seed)
        except TypeError:
            raise GraphError(f"a seed is an int or None, not {seed!r}") from None
        self._operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._names: dict[str, int] = {}
        self._variables: list[Variable[Any, Any]] = []
        self._initializers: list[Operation] = []

    # Reading

    @property
    def operations(self) -> Sequence[Operation]:
        """All operations in creation order, which is an order in which they can run."""
        return tuple(self._operations)

    def __len__(self) -> int:
        return len(self._operations)

    def __iter__(self) -> Iterator[Operation]:
        return iter(self._operations)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def operation(self, name: str) -> Operation:
        """The operation called `name`; a `GraphError` if there is none."""
        found = self._by_name.get(name)
        if found is None:
            raise GraphError(f"no operation is called {name!r}; the graph has {len(self)} operations")
        return found

    @property
    def variables(self) -> list[Variable[Any, Any]]:
        """All variables in creation order."""
        return list(self._variables)

    @property
    def trainable_variables(self) -> list[Variable[Any, Any]]:
        """The variables that an optimizer trains unless told otherwise."""
        return [variable for variable in self._variables if variable.trainable]

    @property
    def initializers(self) -> Sequence[Operation]:
        """The operations that write state and were made in an init scope: a session runs each once, in this order."""
        return tuple(self._initializers)

    def ancestors(self, targets: Iterable[Operation], stop: Iterable[Operand[Any, Any]] = ()) -> list[Operation]:
        """What must run for `targets`, themselves included, in creation order. `stop`: operands whose value is given."""
        known = {operand.as_output() for operand in stop}
        found: set[Operation] = set()
        waiting = list(targets)
        while waiting:
            op = waiting.pop()
            if op in found:
                continue
            found.add(op)
            waiting.extend(output.op for output in op.inputs if output not in known and output.op not in found)
            waiting.extend(op.control_inputs)
        return sorted(found, key=lambda op: op.id)

    def between(self, sources: Iterable[Operation], targets: Iterable[Operation]) -> list[Operation]:
        """The operations on any path of values from `sources` to `targets`, both included, in creation order."""
        reached = set(sources)
        first = min((op.id for op in reached), default=len(self))
        on_path: set[Operation] = set()
        last = max((op.id for op in targets), default=-1)
        for op in self._operations[first : last + 1]:
            if op not in reached and any(output.op in reached for output in op.inputs):
                reached.add(op)
        waiting = [op for op in targets if op in reached]
        while waiting:
            op = waiting.pop()
            if op not in on_path:
                on_path.add(op)
                waiting.extend(output.op for output in op.inputs if output.op in reached)
        return sorted(on_path, key=lambda op: op.id)

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} operations>"

    # Building: called by Scope and Variable, not by users

    def append(self, operation: Operation) -> None:
        """Add a checked operation."""
        self._operations.append(operation)
        self._by_name[operation.name] = operation
        for output in operation.inputs:
            output.op._consumers.append(operation)

    def unique_name(self, name: str) -> str:
        """`name`, with `_1`, `_2`, ... where it is taken; upper and lower case count as the same, as in TensorFlow."""
        key = name.lower()
        taken = self._names.get(key, 0)
        self._names[key] = taken + 1
        if not taken:
            return name
        while (numbered := f"{key}_{taken}") in self._names:
            taken += 1
        self._names[key] = taken + 1
        self._names[numbered] = 1
        return f"{name}_{taken}"

    def add_variable(self, variable: Variable[Any, Any]) -> None:
        """Remember a variable."""
        self._variables.append(variable)

    def add_initializer(self, operation: Operation) -> None:
        """Remember an operation that every session runs once."""
        self._initializers.append(operation)
