"""Formulas for terminals."""

from __future__ import annotations

import pytest

from support.entries import entries
from typegrad_codegen.unicode_math import formula, formulas


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\bar{a} = \bar{c}\, b^\top", "ā = c̄ bᵀ"),
        (r"\bar{\mathrm{logits}}_i", "∇logitsᵢ"),
        (r"\frac{x+1}{y}", "(x+1)/y"),
        (r"\frac{\partial L}{\partial x}", "∂L/∂x"),
        (r"\frac{1}{x y}", "1/(x y)"),
        (r"\sqrt{x^2 + y^2}", "√(x² + y²)"),
        (r"\sqrt 2", "√2"),
        (r"x_{i+1}^{2}", "xᵢ₊₁²"),
        (r"e^{-t^2}", "e^(-t²)"),
        (r"x^{-1/2}", "x^(-1/2)"),
        (r"e^{x_i}", "e^(xᵢ)"),
        (r"softmax(x)_c", "softmax(x)_c"),
        (r"\sum_{k \le i} x_k", "∑_(k ≤ i) xₖ"),
        (r"num\_sampled", "num_sampled"),
        (r"2\log x", "2 log x"),
        (r"x_{\ldots i \ldots}, \ldots; y", "x_(… i …), …; y"),
        (r"\log \sum_j x_j", "log ∑ⱼ xⱼ"),
        (r"\operatorname{softmax}(x) \odot \bar{y}", "softmax(x) ⊙ ȳ"),
        (r"\lfloor x / y \rfloor", "⌊x / y⌋"),
        (r"\left(\frac{a}{b}\right)", "(a/b)"),
        (r"\lambda \alpha (e^x - 1)", "λα(eˣ - 1)"),
        (r"\begin{cases} x & x > 0 \\ 0 & \text{otherwise} \end{cases}", "{x, x > 0; 0, otherwise}"),
        (r"e^{\mathrm{features}}", "e^features"),
        ("", ""),
    ],
)
def test_formulas(latex: str, text: str) -> None:
    assert formula(latex) == text


def test_formulas_in_markdown() -> None:
    assert formulas("Of $x^2$ and $$\ny_i\n$$, not of `$x$`.") == "Of x² and yᵢ, not of `$x$`."


def test_what_markdown_would_take_for_its_own_is_escaped() -> None:
    assert formulas("$a_k * b * [c]$", escape=True) == r"aₖ \* b \* \[c\]"


def test_nothing_of_latex_is_left_in_the_registry_s_texts() -> None:
    for op in entries().values():
        texts = [op.summary, op.description, op.differences, *op.gradient_words.values()]
        for text in texts:
            shown = formulas(text)
            assert "$" not in shown and "\\" not in shown and "{}" not in shown, f"{op.name}: {shown}"
