"""The state of a session: variables, and how often each random operation has drawn."""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from typegrad.checkpoint.random_state import COUNT_LIMIT, RandomState
from typegrad.errors import CheckpointError, FailedPreconditionError, InvalidArgumentError
from typegrad.graph import Graph
from typegrad.operation import Operation
from typegrad.shape import Shape
from typegrad.types import TType

__all__ = ["Draws", "Resources", "VariableState"]


@final
class VariableState:
    """The value of one variable in one session.

    A value that was read is never written in place: reading makes the array read-only, and an update in place of a read-only array
    starts with a copy. A variable of which only rows are read and written thus costs the rows touched.
    """

    __slots__ = ("_undo", "_value", "dtype", "name", "shape")

    def __init__(self, name: str, dtype: type[TType], shape: Shape) -> None:
        """A variable without a value."""
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self._value: NDArray[Any] | None = None
        self._undo: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    @property
    def is_initialized(self) -> bool:
        """Whether a value was assigned."""
        return self._value is not None

    @property
    def sizes(self) -> tuple[int, ...]:
        """The shape of the value that is there now; a `FailedPreconditionError` if there is none yet."""
        return self._held().shape

    def read(self) -> NDArray[Any]:
        """The value, read-only; a `FailedPreconditionError` if there is none yet."""
        value = self._held()
        value.flags.writeable = False
        return value

    def _held(self) -> NDArray[Any]:
        if self._value is None:
            raise FailedPreconditionError(
                f"variable '{self.name}' has no value yet; call session.initialize(), or assign to it first"
            )
        return self._value

    def assign(self, value: NDArray[Any]) -> None:
        """Replace the value; an `InvalidArgumentError` if the shape does not fit the variable's."""
        value = np.asarray(value, self.dtype.numpy)
        if not self.shape.accepts(value.shape):
            raise InvalidArgumentError(
                f"variable '{self.name}' has shape {self.shape}, but the value has shape {list(value.shape)}"
            )
        if value.base is not None:
            value = value.copy()  # memory that others have too, such as what the caller feeds, might change later
        value.flags.writeable = False
        self._value = value

    def take(self, indices: NDArray[Any], axes: int = 1) -> NDArray[Any]:
        """Copies of some rows, counted over the first `axes` dimensions.

        Unlike `read` it hands out no array, so the next update in place needs no copy.
        """
        value = self._held()
        rows = value.reshape(math.prod(value.shape[:axes]), *value.shape[axes:])
        return np.asarray(rows.take(indices, axis=0), dtype=value.dtype)  # a single string comes as bytes

    def rows_to_write(self, indices: NDArray[Any]) -> NDArray[Any]:
        """The array whose rows `indices` may now be written in place; `roll_back` knows what they held."""
        value = self._held()
        if value.flags.writeable:
            rows = np.unique(indices)
            self._undo.append((value, rows, value[rows]))
        else:
            self._value = value = value.copy()
        return value

    def snapshot(self) -> NDArray[Any] | None:
        """What `roll_back` needs to undo everything that is written from now on."""
        self._undo.clear()
        return self._value

    def roll_back(self, before: NDArray[Any] | None) -> None:
        """Undo what was written since `snapshot` returned `before`."""
        while self._undo:
            array, rows, values = self._undo.pop()
            array.flags.writeable = True
            array[rows] = values
        self._value = before


class Resources:
    """The variables of one session, by container and name."""

    def __init__(self) -> None:
        """No variables yet."""
        self._variables: dict[tuple[str, str], VariableState] = {}

    def variable(self, handle: Operation) -> VariableState:
        """The variable that a handle is for; the same object for all handles of one name."""
        attrs = handle.attrs
        name, dtype = attrs["shared_name"] or handle.name, attrs["dtype"]
        key = (attrs["container"], name)
        state = self._variables.get(key)
        if state is None:
            # Threads may get here together; all of them take what the first has put there.
            state = self._variables.setdefault(key, VariableState(name, dtype, attrs["shape"]))
        if state.dtype is not dtype:
            raise InvalidArgumentError(
                f"variable '{name}' is {state.dtype.name}, but another handle of the same name says {dtype.name}"
            )
        return state

    def written_by(self, operation: Operation) -> set[VariableState]:
        """The variables that an operation that writes state is given."""
        return {self.variable(o.op) for o in operation.inputs if o.op.definition.effect == "handle"}

    def of_graph(self, graph: Graph) -> dict[str, VariableState]:
        """Every variable that the graph has a handle for, by the name it is saved under: "name", or "container:name"."""
        found: dict[str, VariableState] = {}
        for op in graph.operations:
            if op.definition.effect == "handle":
                state = self.variable(op)
                container = op.attrs["container"]
                name = f"{container}:{state.name}" if container else state.name
                if found.setdefault(name, state) is not state:
                    raise CheckpointError(f"two variables would be saved under one name, '{name}'")
        return found

    def __iter__(self) -> Iterator[VariableState]:
        return iter(self._variables.values())


class Draws:
    """Which numbers each random operation draws next.

    A run that writes state is a step, any other run a look. Numbers depend on the seed, the operation's name, the steps it has
    taken part in and the looks since: looking at a value, however often, never changes what the next step draws.
    """

    def __init__(self, seed: int | None) -> None:
        """`seed` is the graph's; None draws differently in every session."""
        self._seed = seed
        self._entropy = secrets.randbits(128) if seed is None else 0
        self._counts: dict[str, tuple[int, int]] = {}

    def begin(self, operations: Sequence[Operation], *, is_step: bool) -> list[tuple[int, int]]:
        """The counts that one run's operations draw with; the next run gets others."""
        counts: list[tuple[int, int]] = []
        for op in operations:
            steps, looks = self._counts.get(op.name, (0, 0))
            look = (steps, (looks + 1) % COUNT_LIMIT)
            counts.append((steps, 0) if is_step else look)
            self._counts[op.name] = ((steps + 1) % COUNT_LIMIT, 0) if is_step else look
        return counts

    def mark(self, operations: Sequence[Operation]) -> dict[str, tuple[int, int]]:
        """What `restore` needs to put the counts of these operations back."""
        return {op.name: self._counts.get(op.name, (0, 0)) for op in operations}

    def restore(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Put the counts back to what they were at `mark`."""
        self._counts.update(counts)

    def state(self) -> RandomState:
        """Everything that later numbers depend on."""
        return RandomState(self._seed, self._entropy, dict(self._counts))

    def resume(self, state: RandomState) -> None:
        """Go on as the session did that `state` is of."""
        self._seed, self._entropy, self._counts = state.seed, state.entropy, dict(state.counts)

    def generator(self, operation: Operation, count: tuple[int, int]) -> np.random.Generator:
        """The source of numbers of one operation in one run: Philox4x64 (Salmon et al., 2011), keyed by seed and name."""
        steps, looks = count
        return np.random.Generator(np.random.Philox(key=self._key(operation), counter=(0, 0, looks, steps)))

    def _key(self, operation: Operation) -> int:
        seeds = (operation.attrs["seed"], operation.attrs["seed2"])
        root = self._entropy if self._seed is None else self._seed
        identity = f"{root} name {operation.name}" if seeds == (0, 0) else f"seeds {seeds}"
        return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=16).digest(), "little")
