"""What every program uses. Importing this module adds it, and the types, to the names of `typegrad`.

So do `typegrad` itself, when one of the names is used first, and any module of graphs: the arguments of their functions
are checked from then on.
"""

from __future__ import annotations

import sys
from typing import Final

from typegrad.arguments.calls import explained
from typegrad.arguments.guarding import guard
from typegrad.arguments.unknown import UnknownNameError
from typegrad.base import types
from typegrad.base.annotations import FloorDiv, Minus, Over, Plus, Times
from typegrad.base.errors import (
    AttributeValueError,
    CheckpointError,
    DTypeError,
    FailedPreconditionError,
    FeedError,
    FixedAttributeError,
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
    "FixedAttributeError",
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

_PACKAGE: Final = "typegrad"

vars(sys.modules[_PACKAGE]).update({name: globals()[name] for name in __all__})
vars(sys.modules[_PACKAGE]).update({name: getattr(types, name) for name in types.__all__})
guard(
    _PACKAGE,
    trusted=[
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
    ],
)
setattr(Shape, "__init__", explained(Shape.__init__))  # noqa: B010  # it checks its argument; Shape(2, 3) is a mistake
