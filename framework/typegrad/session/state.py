"""The state of a session: variables, and how often each random operation has drawn."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from typegrad.errors import FailedPreconditionError, InvalidArgumentError
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
        value.flags.writeable = False
        self._value = value

    def take(self, indices: NDArray[Any]) -> NDArray[Any]:
        """Copies of some rows. Unlike `read` it hands out no array, so the next update in place needs no copy."""
        return self._held().take(indices, axis=0)

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

    def variable(self, container: str, name: str, dtype: type[TType], shape: Shape) -> VariableState:
        """The variable of this name; the same object every time."""
        key = (container, name)
        state = self._variables.get(key)
        if state is None:
            state = self._variables[key] = VariableState(name, dtype, shape)
        if state.dtype is not dtype:
            raise InvalidArgumentError(
                f"variable '{name}' is {state.dtype.tf_name}, but another handle of the same name says {dtype.tf_name}"
            )
        return state

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
        self._entropy = secrets.randbits(128)
        self._counts: dict[Operation, tuple[int, int]] = {}

    def begin(self, operations: Sequence[Operation], *, is_step: bool) -> dict[Operation, tuple[int, int]]:
        """The counts that one run's operations draw with; the next run gets others."""
        counts: dict[Operation, tuple[int, int]] = {}
        for op in operations:
            steps, looks = self._counts.get(op, (0, 0))
            counts[op] = (steps, 0) if is_step else (steps, looks + 1)
            self._counts[op] = (steps + 1, 0) if is_step else counts[op]
        return counts

    def mark(self, operations: Sequence[Operation]) -> dict[Operation, tuple[int, int]]:
        """What `restore` needs to put the counts of these operations back."""
        return {op: self._counts.get(op, (0, 0)) for op in operations}

    def restore(self, counts: dict[Operation, tuple[int, int]]) -> None:
        """Put the counts back to what they were at `mark`."""
        self._counts.update(counts)

    def generator(self, operation: Operation, count: tuple[int, int]) -> np.random.Generator:
        """The source of numbers of one operation in one run: Philox4x64 (Salmon et al., 2011), keyed by seed and name."""
        steps, looks = count
        return np.random.Generator(np.random.Philox(key=self._key(operation), counter=(0, 0, looks, steps)))

    def _key(self, operation: Operation) -> int:
        seeds = (operation.attrs["seed"], operation.attrs["seed2"])
        if seeds != (0, 0):
            identity = f"{self._seed or 0} seeds {seeds}"
        else:
            identity = f"{self._entropy if self._seed is None else self._seed} name {operation.name}"
        return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=16).digest(), "little")
