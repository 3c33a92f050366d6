"""What every program uses, besides the types. `typegrad` has it all under the same names."""

from __future__ import annotations

from typing import Final

from typegrad.arguments.unknown import UnknownNameError
from typegrad.base.annotations import FloorDiv, Minus, Over, Plus, Times
from typegrad.base.errors import (
    AttributeValueError,
    CheckpointError,
    DTypeError,
    FailedPreconditionError,
    FeedError,
    GradientError,
    GraphError,
    InvalidArgumentError,
    OptionError,
    OutOfRangeError,
    PicklingError,
    ResourceExhaustedError,
    SessionClosedError,
    ShapeError,
    TypegradError,
)
from typegrad.base.shape import Shape
from typegrad.graph.graph import Graph
from typegrad.graph.indexed_slices import IndexedSlices
from typegrad.graph.operand import Operand, Output
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable

__all__ = [
    "AttributeValueError",
    "CheckpointError",
    "DTypeError",
    "FailedPreconditionError",
    "FeedError",
    "FloorDiv",
    "GradientError",
    "Graph",
    "GraphError",
    "IndexedSlices",
    "InvalidArgumentError",
    "Minus",
    "Operand",
    "Operation",
    "OptionError",
    "OutOfRangeError",
    "Output",
    "Over",
    "PicklingError",
    "Plus",
    "ResourceExhaustedError",
    "Scope",
    "SessionClosedError",
    "Shape",
    "ShapeError",
    "Times",
    "TypegradError",
    "UnknownNameError",
    "Variable",
]

TRUSTED: Final = (
    Graph.add_variable,
    Graph.append,
    Graph.free_name,
    Graph.unique_name,
    Graph.withdraw,
    Operation.__init__,
    Output.__init__,
    Scope.add,
    Scope.current,
    Scope.for_input,
    Scope.for_rule,
    Scope.unnamed,
    Shape.__init__,
    UnknownNameError.__init__,
)
"""Functions whose arguments go unchecked: the package calls them for all operations, or they check it themselves."""
