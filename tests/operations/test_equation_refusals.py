"""Equations of `Einsum` that are wrong, or do not fit the operands: the words of each error."""

from __future__ import annotations

from typing import Final

import pytest

import typegrad as tg
from typegrad.op import core, linalg

REFUSED: Final[dict[str, tuple[list[tuple[int, ...]], str]]] = {
    "ij,jk->ik": ([(2, 3)], "equation 'ij,jk->ik' takes 2 inputs, but got 1"),
    "ij,jk,kl->il": (
        [(2, 3), (3, 4), (4, 5)],
        "equation 'ij,jk,kl->il' has 3 operands, but at most 2 are possible; combine them in steps",
    ),
    "ij->ik": ([(2, 3)], "label 'k' in the result of equation 'ij->ik' is in no operand"),
    "...i...->i": ([(2, 3)], "'...i...' in equation '...i...->i' has more than one ellipsis"),
    "i.j->i": (
        [(2, 3)],
        ("'i.j' in equation 'i.j->i': a dot is only allowed in an ellipsis ('...'), a comma only between operands"),
    ),
    "ij->i,j": (
        [(2, 3)],
        ("'i,j' in equation 'ij->i,j': a dot is only allowed in an ellipsis ('...'), a comma only between operands"),
    ),
    "...ij->ij": (
        [(5, 2, 3)],
        (
            "equation '...ij->ij' has no ellipsis in its result, but in the inputs it has dimensions [5]; write "
            "'->...ij' to keep them"
        ),
    ),
    "...ij,...jk->...ik": (
        [(5, 2, 3), (4, 3, 4)],
        (
            "in equation '...ij,...jk->...ik', the dimensions of the ellipses do not fit: shapes [5] and [4] do not "
            "broadcast: 5 and 4 are neither equal nor 1"
        ),
    ),
}


@pytest.mark.parametrize("equation", REFUSED)
def test_an_equation_that_is_refused(equation: str) -> None:
    scope = tg.Scope(tg.Graph())
    shapes, message = REFUSED[equation]
    operands = [core.Placeholder.create(scope, tg.TFloat32, shape=shape) for shape in shapes]
    with pytest.raises((tg.ShapeError, tg.AttributeValueError)) as raised:
        linalg.Einsum.create(scope, operands, equation=equation)
    assert f"): {message}\n" in str(raised.value)
