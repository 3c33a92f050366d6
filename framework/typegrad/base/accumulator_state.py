"""The state of an accumulator of gradients in a session: what kernels of accumulators work on."""

from __future__ import annotations

from typing import ClassVar, NoReturn, final

from typegrad.base.array import Array
from typegrad.base.errors import InvalidArgumentError
from typegrad.base.handle import AccumulatorHandle, Handle
from typegrad.base.shape import Shape
from typegrad.base.types import TType
from typegrad.base.variable_state import VariableState

__all__ = ["AccumulatorState"]


@final
class AccumulatorState(VariableState):
    """The gradients that one accumulator holds in one session: their sum is the value."""

    __slots__ = ("_before", "count", "is_mean", "step")
    KIND: ClassVar = "accumulator"
    HANDLE: ClassVar[type[Handle]] = AccumulatorHandle

    def __init__(self, name: str, dtype: type[TType], shape: Shape, *, is_mean: bool) -> None:
        """No gradients, at step 0."""
        super().__init__(name, dtype, shape)
        self.is_mean = is_mean
        self.count = 0
        """How many gradients are in the sum."""
        self.step = 0
        """The global step; gradients of earlier steps are not added."""
        self._before = 0, 0

    def add(self, gradient: Array) -> None:
        """Add a gradient to the sum; an `InvalidArgumentError` if its shape differs from the others'."""
        if self.count:
            total = self.read()
            if total.shape != gradient.shape:
                raise InvalidArgumentError(
                    f"accumulator '{self.name}' holds gradients of shape {list(total.shape)}, "
                    f"but `gradient` has shape {list(gradient.shape)}"
                )
            gradient = total + gradient
        self.assign(gradient)
        self.count += 1

    def clear(self) -> None:
        """Forget the gradients, and go on to the next step."""
        self._value = None
        self.count = 0
        self.step += 1

    def copy(self) -> NoReturn:
        """An accumulator cannot be fetched."""
        raise InvalidArgumentError(
            f"accumulator '{self.name}' has no value to fetch; fetch what train.ResourceAccumulatorTakeGradient returns"
        )

    def snapshot(self) -> Array | None:
        """What `roll_back` needs to undo everything that is written from now on."""
        self._before = self.count, self.step
        return super().snapshot()

    def roll_back(self, before: Array | None) -> None:
        """Undo what was written since `snapshot` returned `before`."""
        super().roll_back(before)
        self.count, self.step = self._before
