"""The errors typegrad raises.

Each is also a built-in error: `ShapeError` is a `ValueError`. A wrong element type, or a call that does not fit a
signature, is a `TypeError`; an option or a graph of a wrong kind is a `ValueError`.
"""

from __future__ import annotations

from typing import Final

from typegrad.base.brief import shortened

__all__ = [
    "AttributeValueError",
    "CheckpointError",
    "DTypeError",
    "FailedPreconditionError",
    "FeedError",
    "FixedAttributeError",
    "GradientError",
    "GraphError",
    "InvalidArgumentError",
    "OptionError",
    "OutOfRangeError",
    "PicklingError",
    "ResourceExhaustedError",
    "SessionClosedError",
    "ShapeError",
    "TypegradError",
]


_LIMIT: Final = 999
"""How many characters a message has at most."""


class TypegradError(Exception):
    """Base of every error that typegrad raises on purpose.

    Of a message of 1,000 characters or more, the middle is left out.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message, _LIMIT))


class DTypeError(TypegradError, TypeError):
    """An element type does not fit: an input does not allow it, or two inputs that must agree differ."""


class ShapeError(TypegradError, ValueError):
    """A shape does not fit the operation."""


class AttributeValueError(TypegradError, ValueError):
    """An attribute or option has a value, or a kind of value, that is not allowed."""


class OptionError(TypegradError, TypeError):
    """A call does not fit a function: an unknown or misspelt argument, a missing one, or one too many."""


class PicklingError(TypegradError, TypeError):
    """A graph, or something that belongs to one, can be neither pickled nor copied."""


class GraphError(TypegradError, ValueError):
    """An operand, operation or name does not belong here: another graph, a bad name, a wrong wrapper class."""


class FeedError(TypegradError, ValueError):
    """What is fed or fetched does not fit the graph."""


class FixedAttributeError(TypegradError, AttributeError):
    """An attribute was set that does not change: of a scope, a graph or a node, of a session or an optimizer."""


class GradientError(TypegradError, LookupError):
    """A gradient was asked for that does not exist."""


class InvalidArgumentError(TypegradError, ValueError):
    """A kernel got values that it cannot use, such as an index out of range. TensorFlow's `InvalidArgumentError`."""


class FailedPreconditionError(TypegradError, RuntimeError):
    """State is not ready, such as a variable read before it has a value. TensorFlow's `FailedPreconditionError`."""


class OutOfRangeError(TypegradError, ValueError):
    """A counter is at its limit. TensorFlow's `OutOfRangeError`."""


class CheckpointError(TypegradError, ValueError):
    """A checkpoint cannot be written, is not sound, or does not fit the graph."""


class ResourceExhaustedError(TypegradError, MemoryError):
    """An array does not fit into memory. TensorFlow's `ResourceExhaustedError`."""


class SessionClosedError(TypegradError, RuntimeError):
    """A session was used after `close`."""


for _name in __all__:
    globals()[_name].__module__ = "typegrad"  # tracebacks show the name that users import
