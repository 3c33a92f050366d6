"""The plugin's own error codes, which can be ignored one by one: `# type: ignore[typegrad-shape]`."""

from __future__ import annotations

from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import Context
from mypy.plugin import CheckerPluginInterface

__all__ = ["ATTRIBUTE", "DTYPE", "SHAPE", "report"]

SHAPE: Final = ErrorCode("typegrad-shape", "Shapes that can never fit an operation", "typegrad")
DTYPE: Final = ErrorCode("typegrad-dtype", "Element types that do not fit an operation", "typegrad")
ATTRIBUTE: Final = ErrorCode("typegrad-attribute", "Attributes that an operation does not allow", "typegrad")


def report(api: CheckerPluginInterface, code: ErrorCode, message: str, context: Context) -> None:
    """Show an error in the user's source."""
    api.fail(message, context, code=code)
