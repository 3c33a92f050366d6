"""`Operation`: a node of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, final

from typegrad.arguments.fixed import draft, fixed_attribute
from typegrad.base.brief import brief, counted
from typegrad.base.errors import GraphError
from typegrad.base.location import Place, show
from typegrad.graph.explain import describe
from typegrad.graph.operand import AnyOutput, Output
from typegrad.graph.part import Part

if TYPE_CHECKING:
    from typegrad.graph.definition import OpDef
    from typegrad.graph.graph import Graph
    from typegrad.graph.inference import Inferred


__all__ = ["NewOperation", "Operation"]


@final
class Operation(Part):
    """A node: its definition, inputs, attributes and outputs.

    It is complete when it is made, and does not change afterwards.
    """

    __slots__ = (
        "_counts",
        "_place",
        "attrs",
        "control_inputs",
        "definition",
        "device",
        "graph",
        "id",
        "inputs",
        "name",
        "outputs",
    )

    graph: Final[Graph]
    definition: Final[OpDef]
    id: Final[int]
    """The number of operations that were in the graph before this one; inputs always have smaller numbers."""
    name: Final[str]
    inputs: Final[tuple[AnyOutput, ...]]
    """All inputs in order; list inputs are flattened. `input_groups` separates them."""
    attrs: Final[Mapping[str, Any]]
    """The attributes, type attributes and list lengths included; read-only."""
    outputs: Final[tuple[AnyOutput, ...]]
    control_inputs: Final[tuple[Operation, ...]]
    """Operations that run first although they pass no value."""
    device: Final[str]

    if not TYPE_CHECKING:
        __setattr__ = fixed_attribute

    def __init__(
        self,
        graph: Graph,
        definition: OpDef,
        name: str,
        inputs: tuple[AnyOutput, ...],
        counts: tuple[int, ...] | None,
        control_inputs: tuple[Operation, ...],
        device: str,
        place: Place,
        inferred: Inferred,
    ) -> None:
        """Operations are made by `Scope.add`, which checks everything first."""
        self.graph = graph
        self.definition = definition
        self.id = len(graph)
        self.name = name
        self.inputs = inputs
        self.control_inputs = control_inputs
        self.device = device
        self.attrs = inferred.attrs
        self._counts = counts
        self._place = place
        self.outputs = tuple([Output(self, index, known) for index, known in enumerate(inferred.outputs)])
        if not TYPE_CHECKING:  # what is created is a draft, whose attributes are set
            self.__class__ = Operation

    @property
    def type(self) -> str:
        """TensorFlow's name of the operation: "MatMul"."""
        return self.definition.name

    @property
    def consumers(self) -> Sequence[Operation]:
        """The operations that take an output of this one, in creation order, listed once per use."""
        return tuple(self.graph.consumers(self))

    @property
    def created_at(self) -> str:
        """The file, or the cell of a notebook, and the line in the user's code that made this node."""
        return show(self._place)

    def input_groups(self) -> tuple[AnyOutput | tuple[AnyOutput, ...], ...]:
        """One element per input of the definition: an output, or a tuple of them for a list input."""
        if self._counts is None:
            return self.inputs
        groups: list[AnyOutput | tuple[AnyOutput, ...]] = []
        start = 0
        for count, input_def in zip(self._counts, self.definition.inputs, strict=True):
            groups.append(self.inputs[start] if input_def.kind == "one" else self.inputs[start : start + count])
            start += count
        return tuple(groups)

    def input_names(self) -> list[str]:
        """For each of `inputs`, its name in the definition; the operands of a list input are numbered: "values[1]"."""
        names: list[str] = []
        for input_def, group in zip(self.definition.inputs, self.input_groups(), strict=True):
            names.extend(
                [f"{input_def.name}[{i}]" for i in range(len(group))] if isinstance(group, tuple) else [input_def.name]
            )
        return names

    @property
    def num_outputs(self) -> int:
        """The number of outputs; each element of a list output counts."""
        return len(self.outputs)

    def output(self, index: int) -> AnyOutput:
        """The output at `index`; a `GraphError` if there is none."""
        if index not in range(len(self.outputs)):
            raise GraphError(
                f"{describe(self)} has {counted(len(self.outputs), 'output')}, counted from 0; "
                f"{brief(index)} is none of them"
            )
        return self.outputs[index]

    def output_list(self, name: str) -> list[AnyOutput]:
        """The outputs of the list output called `name`; a `GraphError` if the definition has none of that name."""
        start = 0
        for output_def in self.definition.outputs:
            count = self.output_count(output_def.count)
            if output_def.name == name:
                return list(self.outputs[start : start + count])
            start += count
        known = ", ".join(f"'{output_def.name}'" for output_def in self.definition.outputs) or "none"
        raise GraphError(f"{describe(self)} has no output called {brief(name)}; its outputs are {known}")

    def output_count(self, attribute: str) -> int:
        """The number of outputs in an output definition with this `count` attribute."""
        if not attribute:
            return 1
        if attribute not in self.attrs:
            raise GraphError(f"{describe(self)} has no attribute {brief(attribute)}")
        count = self.attrs[attribute]
        return count if isinstance(count, int) else len(count)

    def __repr__(self) -> str:
        return f"<Operation {self.name!r} {self.type}>"


NewOperation: Final = draft(Operation)
