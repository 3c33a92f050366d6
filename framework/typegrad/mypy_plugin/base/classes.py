"""The full names of typegrad's classes that several modules ask for; `operands` has those of operands and sessions."""

from __future__ import annotations

from typing import Final

from mypy.types import Instance, Type, get_proper_type

__all__ = [
    "ELEMENT_TYPE",
    "GRAPH",
    "OPERATION",
    "OPERATORS_CLASS",
    "OPTIMIZER",
    "OWN",
    "PART",
    "SCOPE",
    "SHAPE_CLASS",
    "WRAPPER",
    "is_of_typegrad",
]

OWN: Final = "typegrad."
"""How the names of typegrad begin."""
ELEMENT_TYPE: Final = "typegrad.base.types.TType"
GRAPH: Final = "typegrad.graph.graph.Graph"
OPERATION: Final = "typegrad.graph.operation.Operation"
OPERATORS_CLASS: Final = "typegrad.graph.operators.Operators"
OPTIMIZER: Final = "typegrad.training.optimizers.optimizer.Optimizer"
PART: Final = "typegrad.graph.part.Part"
SCOPE: Final = "typegrad.graph.scope.Scope"
SHAPE_CLASS: Final = "typegrad.base.shape.Shape"
WRAPPER: Final = "typegrad.graph.wrapper.Wrapper"


def is_of_typegrad(type_: Type) -> bool:
    """Whether values of a type are objects of a class of typegrad."""
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname.startswith(OWN)
