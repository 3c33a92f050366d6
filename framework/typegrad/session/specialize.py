"""Checking a plan against the shapes of what is fed: the shape functions run once more, before anything executes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from typegrad.base.errors import FeedError, TypegradError
from typegrad.base.shape import Shape
from typegrad.graph.explain import input_lines, origin
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.shapes.view import OpView, Value

__all__ = ["check_shapes"]

_Known: TypeAlias = tuple[Shape, Value | None]


def check_shapes(feeds: Sequence[AnyOutput], sizes: Sequence[tuple[int, ...]], operations: Sequence[Operation]) -> None:
    """Infer the shapes that follow from feeds of these sizes; raise the error that the first operation that refuses them gives."""
    names = _bind_names(feeds, sizes)
    known: dict[AnyOutput, _Known] = {
        output: (Shape(size), None) for output, size in zip(feeds, sizes, strict=True) if Shape(size) != output.shape
    }
    if known:
        inference: Final = _Inference(known, names)
        for op in operations:
            if any(output in known for output in op.inputs):
                inference.infer(op)


def _bind_names(feeds: Sequence[AnyOutput], sizes: Sequence[tuple[int, ...]]) -> dict[str, int]:
    """The size of each named dimension; a `FeedError` if two feeds disagree."""
    bound: dict[str, tuple[int, AnyOutput]] = {}
    for output, size in zip(feeds, sizes, strict=True):
        for dim, actual in zip(output.shape.dims or (), size, strict=False):
            if isinstance(dim, str):
                expected, first = bound.setdefault(dim, (actual, output))
                if expected != actual:
                    raise FeedError(
                        f"dimension {dim} is {expected} in the feed of {origin(first)}, "
                        f"but {actual} in that of {origin(output)}"
                    )
    return {name: size for name, (size, _) in bound.items()}


class _Inference:
    """Shapes and small values that are known better than in the graph itself."""

    def __init__(self, known: dict[AnyOutput, _Known], names: dict[str, int]) -> None:
        self._known = known
        self._names = names

    def infer(self, op: Operation) -> None:
        definition = op.definition
        shapes: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for input_def, group in zip(definition.inputs, op.input_groups(), strict=True):
            if isinstance(group, tuple):
                shapes[input_def.name] = tuple(self._of(output)[0] for output in group)
                values[input_def.name] = tuple(self._of(output)[1] for output in group)
            else:
                shapes[input_def.name], value = self._of(group)
                if value is not None:
                    values[input_def.name] = value
        view = OpView(shapes, values, op.attrs)
        try:
            inferred = definition.shape_function(view, *definition.shape_args)
            value = None if definition.value_function is None else definition.value_function(view)
        except TypegradError as error:
            raise self._explained(op, error) from None
        self._remember(op, inferred, value)

    def _of(self, output: AnyOutput) -> _Known:
        known = self._known.get(output)
        if known is None:
            return (self._named(output.shape), self._named_value(output.static_value))
        return known

    def _named_value(self, value: Value | None) -> Value | None:
        """A static value with the sizes of the names that the feeds fixed."""
        if not self._names:
            return value
        if isinstance(value, tuple):
            if value[:1] == ("handle",):
                return (*value[:2], self._named_value(value[2]))
            return tuple(self._named_value(element) for element in value)
        return self._names.get(value, value) if isinstance(value, str) else value

    def _named(self, shape: Shape) -> Shape:
        """`shape` with the sizes of the names that the feeds fixed."""
        if not self._names or shape.dims is None or not any(isinstance(dim, str) for dim in shape.dims):
            return shape
        return Shape(tuple(self._names.get(dim, dim) if isinstance(dim, str) else dim for dim in shape.dims))

    def _remember(self, op: Operation, inferred: Any, value: Any) -> None:
        if len(op.outputs) == 1 and not isinstance(inferred, (tuple, list)):
            inferred, value = (inferred,), (value,)
        values = (None,) * len(op.outputs) if value is None else value
        for output, shape, known in zip(op.outputs, inferred, values, strict=True):
            if output not in self._known and (shape != output.shape or known != output.static_value):
                self._known[output] = (shape, known)

    def _explained(self, op: Operation, error: TypegradError) -> TypegradError:
        named = zip(op.input_names(), op.inputs, strict=True)
        inputs = input_lines((name, output, self._of(output)[0]) for name, output in named)
        where = f"{op.type} '{op.name}' (created at {op.created_at})"
        return type(error)(f"{where}: with the shapes of the feeds, {error}{inputs}")
