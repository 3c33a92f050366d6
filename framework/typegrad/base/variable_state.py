"""The value of a variable in a session: what kernels of variables work on, and checkpoints hold."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final

import numpy as np

from typegrad.base.array import Array
from typegrad.base.errors import FailedPreconditionError, InvalidArgumentError
from typegrad.base.handle import Handle
from typegrad.base.shape import Shape
from typegrad.base.types import TType

__all__ = ["NO_VALUE", "VariableState"]

NO_VALUE: Final = "call session.initialize(), or session.assign if it has no initial value"
"""How a variable gets its first value."""


class VariableState:
    """The value of one variable in one session.

    A value that was read is never written in place: reading makes the array read-only, and an update in place of a
    read-only array starts with a copy. So reading and writing some rows of a large variable costs only those rows.
    """

    __slots__ = ("_undo", "_value", "dtype", "name", "shape")
    KIND: ClassVar = "variable"
    HANDLE: ClassVar[type[Handle]] = Handle

    def __init__(self, name: str, dtype: type[TType], shape: Shape) -> None:
        """A variable without a value."""
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self._value: Array | None = None
        self._undo: list[tuple[Array, Any, Array]] = []

    @property
    def current(self) -> Array | None:
        """The value itself, not to be written to or kept: unlike `read`, this does not prevent later writes."""
        return self._value

    @property
    def is_initialized(self) -> bool:
        """Whether a value was assigned."""
        return self._value is not None

    @property
    def handle(self) -> Handle:
        """What shape functions see of the variable in a run."""
        value = self._value
        return self.HANDLE(self.dtype, self.shape, None if value is None else Shape(value.shape))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The shape of the current value; a `FailedPreconditionError` if there is none yet."""
        return self._held().shape

    def read(self) -> Array:
        """The value, read-only; a `FailedPreconditionError` if there is none yet."""
        value = self._held()
        if value.flags.writeable:
            value.setflags(write=False)
        return value

    def borrow(self) -> Array:
        """The value, to be let go before the next update: unlike `read`, this does not make the update copy it."""
        return self._held()

    def copy(self) -> Array:
        """A copy of the value; unlike `read`, it does not make the next update in place copy the array."""
        return self._held().copy()

    def _held(self) -> Array:
        return self.expect(self._value)

    def expect(self, value: Array | None) -> Array:
        """`value`, or a `FailedPreconditionError` if it is missing."""
        if value is None:
            raise FailedPreconditionError(f"variable '{self.name}' has no value yet; {NO_VALUE}")
        return value

    def assign(self, value: Array) -> None:
        """Replace the value; an `InvalidArgumentError` if the shape does not fit the variable's."""
        value = np.asarray(value, self.dtype.numpy)
        if self.shape.dims != value.shape and not self.shape.accepts(value.shape):
            raise InvalidArgumentError(
                f"{self.KIND} '{self.name}' has shape {self.shape}, but the value has shape {list(value.shape)}"
            )
        if value.base is not None:
            value = value.copy()  # memory that others have too, such as what the caller feeds, might change later
        value.setflags(write=False)
        self._value = value

    def take(self, indices: Array, axes: int = 1) -> Array:
        """Copy some rows, counted over the first `axes` dimensions.

        Unlike `read`, it does not make the next update in place copy the array.
        """
        value = self._held()
        rows = value.reshape(math.prod(value.shape[:axes]), *value.shape[axes:])
        return np.asarray(rows.take(indices, axis=0), dtype=value.dtype)  # a single string comes as bytes

    def rows_to_write(self, indices: Array) -> Array:
        """The array whose rows `indices` may now be written in place; `roll_back` knows what they held."""
        return self.part_to_write(np.unique(indices)) if self._held().flags.writeable else self._copied()

    def part_to_write(self, index: Any) -> Array:
        """The array, in C order, whose part at a NumPy index may now be written in place, as `rows_to_write` says."""
        value = self._held()
        if not value.flags.writeable:
            return self._copied()
        part = value[index]
        self._undo.append((value, index, part if part.base is None else part.copy()))
        return value

    def _copied(self) -> Array:
        self._value = value = self._held().copy()
        return value

    def snapshot(self) -> Array | None:
        """What `roll_back` needs to undo everything that is written from now on."""
        self._undo.clear()
        return self._value

    def roll_back(self, before: Array | None) -> None:
        """Undo what was written since `snapshot` returned `before`. After an interrupt, it can be called again."""
        while self._undo:
            array, rows, values = self._undo[-1]
            array.flags.writeable = True
            array[rows] = values
            self._undo.pop()
        self._value = before

    def held_at(self, before: Array) -> Array:
        """What `roll_back` would put back, without doing it: not to be written to, nor kept once writing continues."""
        changed = [(rows, values) for array, rows, values in self._undo if array is before]
        if changed:
            before = before.copy()
            for rows, values in reversed(changed):
                before[rows] = values
        return before
