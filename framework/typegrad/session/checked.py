"""Kernels behind the check of their shape function, for inputs about which not enough is known before a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, final

import numpy as np

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.base.shape import SCALAR, Shape
from typegrad.base.variable_state import VariableState
from typegrad.graph.operation import Operation
from typegrad.session.program import Kernel
from typegrad.shapes.view import OpView, Value

__all__ = ["CheckedKernel"]


@final
class CheckedKernel:
    """A kernel that trusts its inputs, behind the check of all that its shape function looks at.

    Inputs are checked again when their shapes, or the values that the shape function asks for, change.
    """

    __slots__ = ("_kernel", "_last", "_op")

    def __init__(self, op: Operation, kernel: Kernel) -> None:
        """Nothing was checked yet."""
        self._op = op
        self._kernel = kernel
        self._last: tuple[tuple[int, ...], object] = (), None
        """The positions of the inputs whose values were asked for, and what was accepted last: one object, so that
        threads see both together."""

    def __call__(self, *inputs: Any) -> Any:
        """Check the inputs and run the kernel."""
        positions, accepted = self._last
        if _state(inputs, positions) != accepted:
            positions = tuple({*positions, *self._check(inputs)})
            self._last = positions, _state(inputs, positions)
        return self._kernel(*inputs)

    def _check(self, inputs: tuple[Any, ...]) -> Iterator[int]:
        """Refuse what the shape function refuses; the inputs whose values it has asked for."""
        definition = self._op.definition
        first = 1 if definition.effect == "random" else 0  # after the generator
        names = [each.name for each in definition.inputs]
        view = _RunView(dict(zip(names, inputs[first:], strict=True)), self._op.attrs)
        try:
            definition.infer_shapes(view)
        except ShapeError as error:
            raise InvalidArgumentError(str(error)) from None
        return (first + names.index(name) for name in view.asked)


def _state(inputs: tuple[Any, ...], positions: tuple[int, ...]) -> object:
    """What the answer of the shape function depends on: the shapes, and the values at these positions."""
    state = [x.shape if type(x) is np.ndarray else _sizes(x) for x in inputs]
    state.extend([_bits(inputs[position]) for position in positions])
    return state


def _bits(x: Any) -> object:
    """A value, to compare with others: of many elements in less time than with `_value`."""
    if type(x) is tuple:
        return tuple(map(_bits, x))
    return _value(x) if x.dtype.hasobject else x.tobytes()


@final
class _RunView(OpView):
    """The inputs of an operation in a run; it notes whose values are asked for."""

    __slots__ = ("_inputs", "asked")

    def __init__(self, inputs: Mapping[str, Any], attrs: Mapping[str, object]) -> None:
        """Take the arrays, tuples of arrays and states of variables by name."""
        shapes = {name: _shapes(x) for name, x in inputs.items()}
        values = {name: x.handle for name, x in inputs.items() if isinstance(x, VariableState)}
        super().__init__(shapes, values, attrs)
        self._inputs = inputs
        self.asked: set[str] = set()

    def value(self, name: str) -> Value | None:
        """The value of input `name`, whatever its size and type."""
        x = self._inputs[name]
        if isinstance(x, VariableState):
            return super().value(name)
        self.asked.add(name)
        return _value(x)


def _sizes(x: Any) -> object:
    if isinstance(x, VariableState):
        return x.sizes if x.is_initialized else None
    return tuple([each.shape for each in x]) if type(x) is tuple else getattr(x, "shape", None)


def _shapes(x: Any) -> Shape | tuple[Shape, ...]:
    if isinstance(x, VariableState):
        return SCALAR
    return tuple([Shape(each.shape) for each in x]) if type(x) is tuple else Shape(x.shape)


def _value(x: Any) -> Value:
    if type(x) is tuple:
        return tuple(map(_value, x))
    value = x.tolist()
    return tuple(value) if x.ndim == 1 else _nested(value)


def _nested(value: Any) -> Value:
    return tuple(map(_nested, value)) if type(value) is list else value
