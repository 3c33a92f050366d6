"""A graph as plain data, for the viewer in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import NotRequired

import numpy as np
from typing_extensions import TypedDict

from typegrad.base.shape import Shape
from typegrad.base.types import TType
from typegrad.graph.operand import AnyOutput
from typegrad.graph.operation import Operation
from typegrad.tools.pictures.marks import Mark
from typegrad.tools.pictures.summary import dtype_name, summary
from typegrad.tools.pictures.view import View

__all__ = ["Document", "attributes", "output_names", "place", "render_document", "signature"]


class Value(TypedDict):
    """An output of a node."""

    name: str
    dtype: str
    shape: str
    value: NotRequired[str]


class NodeCost(TypedDict):
    """What a node costs in a run."""

    share: float
    """The part of the time, from 0 to 1."""
    text: str


class Node(TypedDict):
    """An operation. The keys are read by the viewer's JavaScript."""

    name: str
    type: str
    group: str
    where: str
    device: str
    attrs: list[tuple[str, str]]
    inputs: list[tuple[int, int]]
    """For each input, the index of the node that computes it and the position among its outputs."""
    inputNames: list[str]
    control: list[int]
    outputs: list[Value]
    marks: list[Mark]
    pathInputs: list[int]
    """The positions of the inputs to which the gradient flows."""
    cost: NotRequired[NodeCost]


class Document(TypedDict):
    """A picture: its nodes in creation order."""

    title: str
    nodes: list[Node]


def render_document(view: View) -> Document:
    """The picture as JSON-compatible data."""
    index = {op: number for number, op in enumerate(view.operations)}
    return {"title": view.title, "nodes": [_node(view, op, index) for op in view.operations]}


def _node(view: View, op: Operation, index: dict[Operation, int]) -> Node:
    inputs = view.inputs(op)
    node: Node = {
        "name": op.name,
        "type": op.type,
        "group": op.definition.module.rpartition(".")[0].rpartition(".")[2],
        "where": place(op),
        "device": op.device,
        "attrs": attributes(op),
        "inputs": [(index[output.op], output.index) for output in inputs],
        "inputNames": op.input_names() if inputs else [],
        "control": [index[first] for first in view.before(op)],
        "outputs": [_value(view, output, name) for output, name in zip(op.outputs, output_names(op), strict=True)],
        "marks": list(view.marks.get(op, ())),
        "pathInputs": list(view.flow.get(op, ())) if inputs else [],
    }
    cost = view.costs.get(op)
    if cost is not None:
        node["cost"] = {"share": cost.share, "text": f"{cost} of the time"}
    return node


def _value(view: View, output: AnyOutput, name: str) -> Value:
    value: Value = {"name": name, "dtype": dtype_name(output.dtype), "shape": str(output.shape)}
    if output in view.values:
        value["value"] = view.values[output]
    return value


def place(op: Operation) -> str:
    """The place where the operation was created: the name of the file, and the line."""
    return PurePath(op.created_at).name


def signature(output: AnyOutput) -> str:
    """Element type and shape: "float32 [?, 3]"."""
    return f"{dtype_name(output.dtype)} {output.shape}"


def output_names(op: Operation) -> list[str]:
    """The name of each output in the definition, with an index for a list output: "output[1]"."""
    names: list[str] = []
    for output_def in op.definition.outputs:
        count = op.output_count(output_def.count)
        names.extend(
            [f"{output_def.name}[{index}]" for index in range(count)] if output_def.count else [output_def.name]
        )
    return names


def attributes(op: Operation) -> list[tuple[str, str]]:
    """The attributes as text, without types and lengths that follow from the inputs."""
    return [(attr_def.name, _text(op.attrs[attr_def.name])) for attr_def in op.definition.attrs]


def _text(value: object) -> str:
    if isinstance(value, np.ndarray):
        return summary(value)
    if isinstance(value, type) and issubclass(value, TType):
        return dtype_name(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, Shape)):
        return f"[{', '.join(map(_text, value))}]"
    return str(value)
