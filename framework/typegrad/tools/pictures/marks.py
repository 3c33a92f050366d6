"""The marks in a picture and their look: the path of a gradient, operations not on it, operations that it added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from typegrad.differentiation.paths import carries_gradient, paths
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation

__all__ = ["LOOKS", "WORDS", "Look", "Mark", "look", "marked"]


Mark: TypeAlias = Literal["y", "x", "path", "masked", "added", "stop", "state"]

WORDS: Final[Mapping[Mark, str]] = {
    "y": "y",
    "x": "x",
    "path": "gradient path",
    "masked": "masked",
    "added": "added by a gradient",
    "stop": "stops gradients",
    "state": "state",
}
"""The descriptions of marks. "masked": values flow from an x through the operation to a y, but no gradient flows."""


def marked(
    graph: Graph, ys: Sequence[AnyOutput], xs: Sequence[AnyOutput]
) -> tuple[Mapping[Operation, Sequence[Mark]], Mapping[Operation, Sequence[int]]]:
    """The marks of operations; for operations on the gradient path, the positions of the inputs to which it flows."""
    flow = paths([y for y in ys if carries_gradient(y.dtype)], xs)
    on_path = {*flow, *_reached(flow, [y for y in ys if carries_gradient(y.dtype)], xs)}
    values = paths(ys, xs, every_edge=True)
    between = {*values, *_reached(values, ys, xs)}
    sets: dict[Mark, set[Operation]] = {
        "y": {y.op for y in ys},
        "x": {x.op for x in xs},
        "path": on_path,
        "masked": between - on_path,
        "added": set(graph.gradient_operations),
        "stop": {op for op in graph if op.definition.stops_gradients},
        "state": {op for op in graph if op.definition.effect in ("handle", "read", "write")},
    }
    marks: dict[Operation, list[Mark]] = {}
    for mark, operations in sets.items():
        for op in operations:
            marks.setdefault(op, []).append(mark)
    return marks, flow


def _reached(
    edges_of: Mapping[Operation, Sequence[int]], ys: Sequence[AnyOutput], xs: Sequence[AnyOutput]
) -> set[Operation]:
    """The operations of the xs that the paths from the ys reach."""
    ends = {*ys, *(op.inputs[index] for op, edges in edges_of.items() for index in edges)}
    return {x.op for x in xs if x in ends}


# Looks


@frozen
class Look:
    """The colours of a box in Graphviz and Mermaid; its shape and style carry the same information.

    The viewer in the browser has its own style sheet.
    """

    border: str
    inside: str
    width: float = 1
    dashed: bool = False


LOOKS: Final[Mapping[Mark, Look]] = {
    "path": Look("#1d4ed8", "#dbe7ff", width=2.5),
    "stop": Look("#b42318", "#fde7e4", width=2),
    "masked": Look("#6b7280", "#f1f2f4", dashed=True),
    "added": Look("#8a5a00", "#fff3d6"),
}
"""The look of each mark; a box gets the look of its first mark in this order."""


def look(marks: Sequence[Mark]) -> Mark | None:
    """The mark that determines the look of a box, if any."""
    return next((mark for mark in LOOKS if mark in marks), None)
