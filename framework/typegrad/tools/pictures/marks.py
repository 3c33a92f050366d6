"""The marks in a picture: the path of a gradient, operations that it does not reach, operations that it added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from typegrad.differentiation.builder import carries_gradient, paths
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation

__all__ = ["WORDS", "Mark", "marked"]


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
