"""The plugin's error codes, which can be ignored one by one: `# type: ignore[typegrad-shape]`."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode

__all__ = [
    "ATTRIBUTE",
    "BROADCAST",
    "CALL",
    "DTYPE",
    "LINTS",
    "LOSS",
    "REFUSALS",
    "RUN",
    "SHAPE",
    "TRUTH",
    "UNKNOWN",
    "UNUSED",
    "WARNING",
]

SHAPE: Final = ErrorCode("typegrad-shape", "Shapes that can never fit an operation", "typegrad")
DTYPE: Final = ErrorCode("typegrad-dtype", "Element types that do not fit an operation", "typegrad")
CALL: Final = ErrorCode("typegrad-call", "Calls that fit no form of a function", "typegrad")
TRUTH: Final = ErrorCode("typegrad-truth", "Truth values of operands, which have none", "typegrad")
ATTRIBUTE: Final = ErrorCode("typegrad-attribute", "Attributes that an operation does not allow", "typegrad")
RUN: Final = ErrorCode("typegrad-run", "What fails when the program builds its graphs", "typegrad")
REFUSALS: Final = frozenset((ATTRIBUTE, CALL, DTYPE, SHAPE))
"""The codes of what the plugin says of an operation or a call."""
UNKNOWN: Final = ErrorCode(
    "typegrad-unknown", "Operations whose element type or shape is not known", "typegrad", default_enabled=False
)
BROADCAST: Final = ErrorCode(
    "typegrad-broadcast", "Broadcasting of [N] and [N, 1] to [N, N]", "typegrad", default_enabled=False
)
LOSS: Final = ErrorCode(
    "typegrad-loss", "Losses that are no scalars, the sums of which are minimized", "typegrad", default_enabled=False
)
WARNING: Final = ErrorCode(
    "typegrad-warning", "Warnings of typegrad when the program builds its graphs", "typegrad", default_enabled=False
)
UNUSED: Final = ErrorCode(
    "typegrad-unused", "Operands that a statement makes and nothing uses", "typegrad", default_enabled=False
)
LINTS: Final = frozenset((BROADCAST, LOSS, UNKNOWN, UNUSED))
"""The codes of what is found in right programs, each of which is off by default."""
