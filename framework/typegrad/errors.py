"""The errors typegrad raises. Each is also the built-in error a Python programmer would expect (`ShapeError` is a `ValueError`)."""

from __future__ import annotations

__all__ = [
    "AttributeValueError",
    "CheckpointError",
    "DTypeError",
    "FailedPreconditionError",
    "FeedError",
    "GradientError",
    "GraphError",
    "InvalidArgumentError",
    "OptionError",
    "SessionClosedError",
    "ShapeError",
    "TypegradError",
]


class TypegradError(Exception):
    """Base of every error that typegrad raises on purpose."""


class DTypeError(TypegradError, TypeError):
    """An element type does not fit: another type than an input allows, or two inputs that must agree and do not."""


class ShapeError(TypegradError, ValueError):
    """A shape does not fit the operation."""


class AttributeValueError(TypegradError, ValueError):
    """An attribute has a value that the operation does not allow."""


class OptionError(TypegradError, TypeError):
    """A function was given a keyword that it does not take, such as a misspelt one."""


class GraphError(TypegradError, ValueError):
    """An operand, operation or name does not belong where it is used: another graph, a bad name, a wrong wrapper class."""


class FeedError(TypegradError, ValueError):
    """What is fed or fetched does not fit the graph."""


class GradientError(TypegradError, LookupError):
    """A gradient was asked for that does not exist."""


class InvalidArgumentError(TypegradError, ValueError):
    """A kernel met values it cannot work on, such as an index out of range. TensorFlow's `InvalidArgumentError`."""


class FailedPreconditionError(TypegradError, RuntimeError):
    """State is not ready, such as a variable read before it has a value. TensorFlow's `FailedPreconditionError`."""


class CheckpointError(TypegradError, ValueError):
    """A checkpoint cannot be written, is not sound, or does not fit the graph."""


class SessionClosedError(TypegradError, RuntimeError):
    """A session was used after `close`."""
