"""Operations that refuse what they are given, and with which words."""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

import typegrad as tg
from typegrad.op import core

Refused: TypeAlias = list[tuple[Any, tuple[Any, ...], dict[str, Any], str]]
"""An operation, its inputs as `operand` takes them, its attributes, and the message."""


def operand(scope: tg.Scope, each: Any) -> Any:
    """Any array of float32 of a shape; the operands of a list of shapes; other arguments as they are."""
    if isinstance(each, list) and any(isinstance(item, tuple) for item in each):
        return [operand(scope, item) for item in each]
    return core.Placeholder.create(scope, tg.TFloat32, shape=each) if isinstance(each, tuple) else each


def check_refusal(operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str) -> None:
    """The operation is refused with this message, alone on the line that names the node."""
    scope = tg.Scope(tg.Graph())
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        operation.create(scope, *(operand(scope, each) for each in inputs), **attributes)
    assert f"{raised.value!s}\n".partition("): ")[2].startswith(f"{message}\n")
