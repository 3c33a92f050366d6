"""Graphs as boxes and arrows with folded scopes, for Graphviz and Mermaid."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import field, frozen

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.tools.pictures.document import output_names, signature
from typegrad.tools.pictures.marks import WORDS, Mark
from typegrad.tools.pictures.view import View, scope_of

__all__ = ["Arrow", "Box", "Drawing", "Frame", "draw"]


_FEW: Final = 2
"""The maximum number of values listed at an arrow; above it, the arrow shows only their number."""


@frozen
class Box:
    """An operation, or all operations of a folded scope."""

    number: int
    path: str
    """The full name of the operation or of the scope."""
    is_folded: bool
    operations: Sequence[Operation]
    marks: Sequence[Mark]

    @property
    def size(self) -> str:
        """The number of operations."""
        return counted(len(self.operations), "operation")

    @property
    def look(self) -> Sequence[Mark]:
        """The marks to show; for a folded scope, without state and stopped gradients."""
        return [mark for mark in self.marks if not (self.is_folded and mark in ("stop", "state"))]

    @property
    def lines(self) -> Sequence[str]:
        """The label: the operation's type and own name, or the scope's name and size, and whether it is an x or a y."""
        own = self.path.rpartition("/")[2]
        ends = [f"({mark})" for mark in self.marks if mark in ("y", "x")]
        if self.is_folded:
            return [own, self.size, *ends]
        return [*dict.fromkeys([self.operations[0].type, own]), *ends]


@frozen
class Arrow:
    """The values that one box takes from another, or only the order of execution if `is_control`."""

    source: int
    target: int
    text: str
    """Element type and shape, if it is a single value."""
    is_control: bool
    on_path: bool


@frozen
class Frame:
    """An open scope: its boxes, and the open scopes within it."""

    path: str
    boxes: list[Box] = field(factory=list)
    frames: dict[str, Frame] = field(factory=dict)

    @property
    def label(self) -> str:
        """The scope's own name."""
        return self.path.rpartition("/")[2]


@frozen
class Drawing:
    """A picture of boxes and arrows."""

    title: str
    top: Frame
    boxes: Sequence[Box]
    """All boxes, in the creation order of their first operations."""
    arrows: Sequence[Arrow]

    def legend(self) -> Mapping[Mark, str]:
        """The marks in use with their descriptions, except "x" and "y", which are in the labels."""
        marks = {mark for box in self.boxes for mark in box.look} - {"x", "y"}
        return {mark: words for mark, words in WORDS.items() if mark in marks}


def draw(view: View, depth: int | None) -> Drawing:
    """The boxes and arrows of a view, with `depth` levels of scopes opened."""
    depth = _checked(depth)
    groups: dict[tuple[bool, str], list[Operation]] = {}
    for op in view.operations:
        folded = _folded(scope_of(op), depth)
        groups.setdefault((bool(folded), folded or op.name), []).append(op)
    boxes = [
        Box(number, path, is_folded, operations, _joined(view, operations))
        for number, ((is_folded, path), operations) in enumerate(groups.items())
    ]
    return Drawing(view.title, _framed(boxes), boxes, _arrows(view, boxes))


def _checked(depth: int | None) -> int | None:
    count = None if depth is None else operator.index(depth)
    if count is not None and count < 0:
        raise AttributeValueError(
            f"depth is how many levels of scopes to open, an int from 0 up, or None for all; got {count}"
        )
    return count


def _folded(scope: str, depth: int | None) -> str:
    """The outermost enclosing scope that is folded, "" if there is none."""
    names = scope.split("/") if scope else []
    return "" if depth is None or len(names) <= depth else "/".join(names[: depth + 1])


def _joined(view: View, operations: Sequence[Operation]) -> Sequence[Mark]:
    """The marks of all `operations`; a box on the gradient path is never masked."""
    marks = {mark for op in operations for mark in view.marks.get(op, ())}
    if "path" in marks:
        marks.discard("masked")
    return [mark for mark in WORDS if mark in marks]


def _framed(boxes: Sequence[Box]) -> Frame:
    """The open scopes with their boxes, nested."""
    top = Frame("")
    for box in boxes:
        around = box.path.split("/")[:-1]
        frame = top
        for level in range(len(around)):
            path = "/".join(around[: level + 1])
            frame = frame.frames.setdefault(path, Frame(path))
        frame.boxes.append(box)
    return top


def _arrows(view: View, boxes: Sequence[Box]) -> Sequence[Arrow]:
    """The single arrow from a box to another."""
    number = {op: box.number for box in boxes for op in box.operations}
    values: dict[tuple[int, int], dict[AnyOutput, None]] = {}
    on_path: set[tuple[int, int]] = set()
    for op in view.operations:
        flow = frozenset(view.flow.get(op, ()))
        for index, output in enumerate(view.inputs(op)):
            ends = number[output.op], number[op]
            values.setdefault(ends, {})[output] = None
            if index in flow:
                on_path.add(ends)
        for first in view.before(op):
            values.setdefault((number[first], number[op]), {})
    return [
        Arrow(source, target, _text(list(passing)), not passing, (source, target) in on_path)
        for (source, target), passing in values.items()
        if source != target
    ]


def _text(outputs: Sequence[AnyOutput]) -> str:
    """The element types and shapes of a few values, with the output's name for operations with several outputs."""
    if len(outputs) > _FEW:
        return f"{len(outputs)} values"
    names = (f"{output_names(output.op)[output.index]}: " if len(output.op.outputs) > 1 else "" for output in outputs)
    return ", ".join(name + signature(output) for name, output in zip(names, outputs, strict=True))
