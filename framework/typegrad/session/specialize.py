"""Checking a plan against the shapes of what is fed: the shape functions run once more, before anything executes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias, final

from typegrad.base.errors import ShapeError, TypegradError
from typegrad.base.handle import Handle
from typegrad.base.shape import SCALAR, Dim, Shape
from typegrad.base.size import Size, bind, names_of
from typegrad.base.types import TBool, TIntegral, TResource
from typegrad.graph.definition import leaves
from typegrad.graph.explain import located
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.session.names import bound_names
from typegrad.shapes.view import Value, WatchedView

__all__ = ["NO_VALUES", "Inference", "Known", "check_shapes", "is_open"]

_ASKED: Final = leaves(TIntegral, TBool, TResource)
"""The element types of the inputs for whose values shape functions ask."""

_INT: Final = frozenset({int})

Known: TypeAlias = tuple[Shape, Value | None]
"""The shape of an output, and its value if it is a small integer or a handle."""


NO_VALUES: Final[Mapping[AnyOutput, Value]] = {}


def is_open(op: Operation) -> bool:
    """Whether the shape function may need to know more about the inputs than the graph does."""
    return any(map(_is_open, op.inputs))


def _is_open(output: AnyOutput) -> bool:
    """Whether a dimension is unknown or a name, or a value that a shape function may ask for is not fully known."""
    dims = output.shape.dims
    if dims is None or not _INT.issuperset(map(type, dims)):
        return True
    return output.dtype in _ASKED and not isinstance(output.static_value, int)


def check_shapes(
    feeds: Sequence[AnyOutput],
    sizes: Sequence[tuple[int, ...]],
    operations: Sequence[Operation],
    handles: Mapping[AnyOutput, Handle],
    values: Mapping[AnyOutput, Value] = NO_VALUES,
) -> Inference:
    """Infer the shapes that follow from feeds of these sizes.

    Args:
        feeds: What is fed.
        sizes: The shape of each feed.
        operations: The operations to run, in creation order.
        handles: The handles of variables whose shape is another than the handle's operation states.
        values: The integers that are known of feeds, or better than in the graph.

    Raises:
        ShapeError: An operation refuses the shapes; the first one gives the error.
        FeedError: Two feeds disagree about a named dimension, or one about arithmetic with the names of others.
    """
    names = bound_names(feeds, sizes)
    known: dict[AnyOutput, Known] = {
        output: (Shape(size), values.get(output))
        for output, size in zip(feeds, sizes, strict=True)
        if Shape(size) != output.shape or output in values
    }
    known.update({output: (output.shape, value) for output, value in values.items() if output not in known})
    known.update({output: (SCALAR, handle) for output, handle in handles.items()})
    doubtful = {*known, *filter(_is_open, feeds)}
    doubtful.update([output for op in operations for output in op.outputs if _is_open(output)])
    return Inference(known, names, doubtful, operations if doubtful else (), "with these feeds, " if feeds else "")


@final
class Inference:
    """Shapes and small values that are known better than in the graph itself."""

    def __init__(
        self,
        known: dict[AnyOutput, Known],
        names: dict[str, int],
        doubtful: set[AnyOutput],
        operations: Iterable[Operation],
        lead: str,
    ) -> None:
        self._known = known
        self._lead = lead
        """How an error begins."""
        self._doubtful = doubtful
        """The outputs that are known better than in the graph, or not well enough there."""
        self._names = names
        self.unproved = frozenset([op for op in operations if not (doubtful.isdisjoint(op.inputs) or self._proves(op))])
        """The operations whose inputs must be checked in the run, because it takes values that are known only then."""

    def shape(self, output: AnyOutput) -> Shape:
        """The shape of an output in the run, as far as it is known."""
        return self._of(output)[0]

    def _proves(self, op: Operation) -> bool:
        """Whether the shape function, which raises for what it refuses, can accept the inputs of `op` for good."""
        known = self._known
        view = self._view(op)
        definition = op.definition
        try:
            shapes = definition.infer_shapes(view)
            is_proved = view.is_exact
            values = definition.infer_values(view)
            self._check_agreement(op, shapes)
        except TypegradError as error:
            raise located(op, type(error)(f"{self._lead}{error}"), self.shape) from None
        for output, shape, value in zip(op.outputs, shapes, values or (None,) * len(shapes), strict=True):
            if output not in known and (shape != output.shape or value != output.static_value):
                known[output] = (shape, value)
                self._doubtful.add(output)
        return is_proved

    def _check_agreement(self, op: Operation, shapes: Sequence[Shape]) -> None:
        """Refuse sizes for which arithmetic with names does not hold: `x[5:]` of 3 rows has not 3 - 5."""
        for output, shape in zip(op.outputs, shapes, strict=True):
            stated = output.shape.dims
            if stated is None or shape.dims is None or stated == shape.dims:
                continue
            for dim, actual in zip(stated, shape.dims, strict=True):
                if isinstance(actual, int) and isinstance(dim, (int, Size)) and self._sized(dim) not in (actual, None):
                    names = [f"{name} is {self._names[name]}" for name in sorted(names_of(dim))]
                    where = f", where {' and '.join(names)}" if names else ""
                    raise ShapeError(f"the result has shape {shape}, but in the graph {output.shape}{where}")

    def _sized(self, dim: Dim) -> Dim:
        """The size of a dimension; None if it depends on names that no feed fixed."""
        size = bind(dim, self._names)
        return size if isinstance(size, int) else None

    def _view(self, op: Operation) -> WatchedView:
        shapes: dict[str, Shape | tuple[Shape, ...]] = {}
        values: dict[str, Value] = {}
        for input_def, group in zip(op.definition.inputs, op.input_groups(), strict=True):
            if isinstance(group, tuple):
                shapes[input_def.name] = tuple(self._of(output)[0] for output in group)
                values[input_def.name] = tuple(self._of(output)[1] for output in group)
            else:
                shapes[input_def.name], values[input_def.name] = self._of(group)
        return WatchedView(shapes, values, op.attrs)

    def _of(self, output: AnyOutput) -> Known:
        return self._known.get(output) or (self._named(output.shape), self._named_value(output.static_value))

    def _named_value(self, value: Value | None) -> Value | None:
        """A static value with the sizes of the names that the feeds fixed."""
        if not self._names:
            return value
        if isinstance(value, tuple):
            return tuple(self._named_value(element) for element in value)
        if isinstance(value, Handle):
            return type(value)(value.dtype, self._named(value.shape))
        return bind(value, self._names) if isinstance(value, (str, Size)) else value

    def _named(self, shape: Shape) -> Shape:
        """`shape` with the sizes of the names that the feeds fixed."""
        if not self._names or shape.dims is None or _INT.issuperset(map(type, shape.dims)):
            return shape
        return Shape(tuple(bind(dim, self._names) for dim in shape.dims))
