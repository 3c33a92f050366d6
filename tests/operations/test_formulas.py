"""The formulas of gradients, printed from the rules: how they read, and that they are what runs."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from latex2mathml.converter import convert

import typegrad as tg
from support.entries import entries
from support.own_registry import Make
from support.own_registry import own_registry as own_registry
from typegrad.graph.definition import Flow
from typegrad.op import core
from typegrad_codegen.load import load
from typegrad_codegen.unicode_math import formula as shown
from typegrad_reference.entries import notation
from typegrad_reference.entries.formulas import Formula, formulas
from typegrad_reference.entries.terms import Term

COMPLEX: Final = "complex numbers"

PRINTED: Final = [
    ("AddN", "inputs", {"": "∇inputsᵢ = ∇sum"}),
    ("Mul", "x", {"": "x̄ = z̄ y", COMPLEX: "x̄ = z̄ y*"}),
    ("Div", "x", {"": "x̄ = z̄/y", COMPLEX: "x̄ = z̄/y*"}),
    ("Div", "y", {"": "ȳ = -(z̄ z)/y", COMPLEX: "ȳ = -(z̄ z*)/y*"}),
    ("Sub", "y", {"": "ȳ = -z̄"}),
    (
        "MatMul",
        "a",
        {
            "": "ā = ∇product bᵀ",
            COMPLEX: "ā = ∇product b†",
            "`transpose_a=True`": "ā = b ∇productᵀ",
            "`transpose_b=True`": "ā = ∇product b",
        },
    ),
    ("BatchMatMulV3", "y", {"": "ȳ = xᵀ ∇output", COMPLEX: "ȳ = x† ∇output"}),
    ("Tanh", "x", {"": "x̄ = ȳ (1 - y²)", COMPLEX: "x̄ = ȳ (1 - (y*)²)"}),
    ("Sigmoid", "x", {"": "x̄ = ȳ y (1 - y)", COMPLEX: "x̄ = ȳ y* (1 - y*)"}),
    ("Softmax", "logits", {"": "∇logits = (∇softmax - ∑_(axis -1) ∇softmax softmax) softmax"}),
    ("Fill", "value", {"": "∇value = ∑∇output"}),
    ("Square", "x", {"": "x̄ = 2 ȳ x", COMPLEX: "x̄ = 2 ȳ x*"}),
    ("Log", "x", {"": "x̄ = ȳ/x", COMPLEX: "x̄ = ȳ/x*"}),
    ("Atan2", "x", {"": "x̄ = -(y z̄)/(x² + y²)"}),
    ("Asin", "x", {"": "x̄ = ȳ/√(1 - x²)", COMPLEX: "x̄ = ȳ/√(1 - (x*)²)"}),
    ("SquaredDifference", "x", {"": "x̄ = 2 z̄ (x - y)", COMPLEX: "x̄ = (z̄ + z̄*) (x - y)"}),
    ("Abs", "x", {"": "x̄ = ȳ sign(x)"}),
    ("Maximum", "x", {"": "x̄ = {z̄, if x ≥ y; 0, otherwise}"}),
    ("LeakyRelu", "features", {"": "∇features = {∇activations, if features > 0; alpha ∇activations, otherwise}"}),
    ("Pow", "x", {"": "x̄ = z̄ MulNoNan(x^(y - 1), y)", COMPLEX: "x̄ = z̄ MulNoNan((x*)^(y* - 1), y*)"}),
    ("Rsqrt", "x", {"": "x̄ = -(ȳ y³)/2", COMPLEX: "x̄ = -(ȳ (y*)³)/2"}),
    ("Erf", "x", {"": "x̄ = (2 ȳ exp(-x²))/√π"}),
    ("FloorMod", "y", {"": "ȳ = -z̄ ⌊x/y⌋"}),
    ("Imag", "input", {"": "∇input = i ∇output"}),
    ("Polygamma", "x", {"": "x̄ = z̄ ψ^(a + 1)(x)"}),
    ("Xlogy", "x", {"": "x̄ = z̄ Xlogy([x ≠ 0], y)", COMPLEX: "x̄ = z̄ Xlogy([x* ≠ 0], y*)"}),
]

RULES: Final = [(op.name, name) for op in entries().values() for name, how in op.gradient.items() if how is Flow.RULE]


@cache
def printed(operation: str) -> dict[str, Formula]:
    return formulas(entries()[operation])


@pytest.mark.parametrize(("operation", "name", "expected"), PRINTED)
def test_formulas_read_as_in_a_textbook(operation: str, name: str, expected: dict[str, str]) -> None:
    formula = printed(operation)[name]
    formulas = {"": formula.latex, **dict(formula.others)}
    assert {when: shown(formulas[when]) for when in expected} == expected


@pytest.mark.parametrize(("operation", "name"), RULES)
def test_a_rule_has_either_a_formula_or_words(operation: str, name: str) -> None:
    words = entries()[operation].gradient_words.get(name)
    assert (words is None) == (name in printed(operation))


@pytest.mark.parametrize("operation", sorted({operation for operation, _ in RULES}))
def test_formulas_can_be_shown_in_a_browser(operation: str) -> None:
    for formula in printed(operation).values():
        for latex in (formula.latex, *(other for _, other in formula.others)):
            mathml = convert(latex)
            assert "<mover>" in mathml
            assert "\\" not in mathml, "a command that is not known, or an escape in a text"


@pytest.mark.parametrize("operation", sorted(notation.ARITHMETIC))
def test_notation_is_what_the_operation_computes(operation: str) -> None:
    entry = entries()[operation]
    values = [0.75, 0.5][: len(entry.inputs)]
    term = notation.ARITHMETIC[operation](*map(Term, values))
    assert term.powers == ()
    scope = tg.Scope(tg.Graph())
    wrapper: Any = getattr(import_module(f"typegrad.op.{entry.group}"), entry.class_name)
    operation = wrapper.create(scope, *(core.Constant.create(scope, value, tg.TFloat64) for value in values))
    with tg.Session(scope.graph) as session:
        result = session.run(operation)
    np.testing.assert_allclose(term.number, result, rtol=1e-15)


def test_the_formula_follows_the_rule_of_a_registry_of_somebody_s_own(own_registry: Make) -> None:
    own_registry()
    (cube,) = load(Path("registry"), package="solids.op").operations
    assert shown(formulas(cube)["x"].latex) == "x̄ = 3 x² ȳ"


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("3 * x * x * grad[..., None][..., 0]", "indices"),
        (f"{' + '.join(f'x ** {n} * grad' for n in range(2, 40))}", "too long"),
    ],
)
def test_what_is_no_formula_is_not_printed(own_registry: Make, rule: str, why: str) -> None:
    own_registry("3 * x * x * grad", rule)
    (cube,) = load(Path("registry"), package="solids.op").operations
    assert formulas(cube) == {}, why
