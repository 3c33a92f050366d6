"""The formulas of gradients: each states the gradient of its own input, in terms that the entry knows."""

from __future__ import annotations

import re
from typing import Final

import pytest
from latex2mathml.converter import convert

from support.entries import entries

_FORMULAS: Final = [(op.name, name) for op in entries().values() for name in op.formulas]
_BARRED: Final = re.compile(r"\\bar\{(?:\\mathrm\{((?:\\_|[^{}])+)\}|([^{}]+))\}")
"""A name with a bar over it, long or short."""


def _barred(formula: str) -> list[str]:
    return [(long or short).replace(r"\_", "_") for long, short in _BARRED.findall(formula)]


@pytest.mark.parametrize(("operation", "name"), _FORMULAS)
def test_formula_is_that_of_the_input(operation: str, name: str) -> None:
    op = entries()[operation]
    given, *others = _barred(op.formulas[name])
    assert given == name
    assert op.formulas[name].startswith(r"\bar")
    outputs = {spec.name for spec in op.outputs}
    letters = {"c", "y", "z"} if len(outputs) == 1 else set[str]()
    assert others
    assert set(others) <= outputs | letters
    assert set(others).isdisjoint({spec.name for spec in op.inputs})


@pytest.mark.parametrize(("operation", "name"), _FORMULAS)
def test_formula_can_be_shown_in_a_browser(operation: str, name: str) -> None:
    shown = convert(entries()[operation].formulas[name])
    assert "<mover>" in shown
    assert "\\" not in shown, "a command that is not known, or an escape in a text"
