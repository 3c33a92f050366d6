"""Kernels behind the check of their shape function, for inputs about which not enough is known before a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

from typegrad.base.errors import InvalidArgumentError, ShapeError
from typegrad.base.shape import SCALAR, Shape
from typegrad.graph.operation import Operation
from typegrad.session.state import VariableState
from typegrad.shapes.view import OpView, Value

__all__ = ["Checked"]


@final
class Checked:
    """A kernel that trusts its inputs, behind the check of all that its shape function looks at.

    Inputs are checked again when their shapes, or the values that the shape function asks for, change.
    """

    __slots__ = ("_asked", "_attrs", "_draws", "_kernel", "_last", "_names", "_op")

    def __init__(self, op: Operation, kernel: Callable[..., Any]) -> None:
        """Nothing was checked yet."""
        self._op = op
        self._kernel = kernel
        self._attrs = op.attrs
        self._draws = op.definition.effect == "random"
        self._names = tuple(each.name for each in op.definition.inputs)
        self._asked: tuple[str, ...] = ()
        self._last: object = None

    def __call__(self, *inputs: Any) -> Any:
        """Check the inputs and run the kernel."""
        named = dict(zip(self._names, inputs[1:] if self._draws else inputs, strict=True))
        asked = self._asked
        if self._last != (asked, self._seen(named, asked)):
            asked = self._check(named, asked)
            self._last = asked, self._seen(named, asked)
        return self._kernel(*inputs)

    def _seen(self, named: Mapping[str, Any], asked: tuple[str, ...]) -> object:
        """What the answer of the shape function depends on."""
        return [_sizes(x) for x in named.values()], [_value(named[name]) for name in asked]

    def _check(self, named: Mapping[str, Any], asked: tuple[str, ...]) -> tuple[str, ...]:
        """Refuse what the shape function refuses; the inputs whose values it has asked for so far."""
        view = _RunView(named, self._attrs)
        try:
            self._op.definition.infer_shapes(view)
        except ShapeError as error:
            raise InvalidArgumentError(str(error)) from None
        self._asked = asked = tuple(sorted({*asked, *view.asked}))
        return asked


@final
class _RunView(OpView):
    """The inputs of an operation in a run; it notes whose values are asked for."""

    __slots__ = ("_inputs", "asked")

    def __init__(self, inputs: Mapping[str, Any], attrs: Mapping[str, Any]) -> None:
        """Take the arrays, tuples of arrays and states of variables by name."""
        replaces = attrs.get("validate_shape") is False  # an assignment to which the present shape is no obstacle
        shapes = {name: _shapes(x) for name, x in inputs.items()}
        values = {name: _handle(x, replaces) for name, x in inputs.items() if type(x) is VariableState}
        super().__init__(shapes, values, attrs)
        self._inputs = inputs
        self.asked: set[str] = set()

    def value(self, name: str) -> Value | None:
        """The value of input `name`, whatever its size and type."""
        x = self._inputs[name]
        if type(x) is VariableState:
            return super().value(name)
        self.asked.add(name)
        return _value(x)


def _sizes(x: Any) -> object:
    if type(x) is VariableState:
        return x.sizes if x.is_initialized else None
    return tuple([each.shape for each in x]) if type(x) is tuple else x.shape


def _shapes(x: Any) -> Shape | tuple[Shape, ...]:
    if type(x) is VariableState:
        return SCALAR
    return tuple([Shape(each.shape) for each in x]) if type(x) is tuple else Shape(x.shape)


def _handle(state: VariableState, replaces: bool) -> Value:
    shape = state.shape if replaces or not state.is_initialized else Shape(state.sizes)
    return "handle", state.dtype, shape.dims


def _value(x: Any) -> Value:
    return tuple(map(_value, x)) if type(x) is tuple else _nested(x.tolist())


def _nested(value: Any) -> Value:
    return tuple(map(_nested, value)) if type(value) is list else value
