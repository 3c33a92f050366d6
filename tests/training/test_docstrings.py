"""The docstring of every loss and metric tells its shapes and its source."""

from __future__ import annotations

import inspect
import re
from typing import Final

import pytest

from typegrad_reference.entries.api import public

_MODULES: Final = ("typegrad.training.losses", "typegrad.training.metrics")
_SHAPE: Final = re.compile(r"\b(shape|scalar)\b")
_SOURCE: Final = re.compile(r"^Source: ", re.MULTILINE)


def _documented() -> list[tuple[str, object]]:
    """Functions, and classes that are not base classes."""
    return [
        (f"{module}.{name}", value)
        for module in _MODULES
        for name, value in public(module).items()
        if inspect.isfunction(value) or getattr(value, "__final__", False)
    ]


@pytest.mark.parametrize(("name", "value"), _documented(), ids=lambda value: value if isinstance(value, str) else "")
def test_a_docstring_names_shape_and_source(name: str, value: object) -> None:
    doc = inspect.getdoc(value) or ""
    assert _SHAPE.search(doc.partition("\n\n")[2]), f"{name}: no shape"
    assert _SOURCE.search(doc), f"{name}: no source"


def test_all_of_them_are_asked() -> None:
    assert len(_documented()) >= 60
