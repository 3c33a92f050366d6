r"""LaTeX formulas as a line of Unicode, for terminals and docstrings: `\frac{x + 1}{y^2}` is "(x + 1)/y²".

pylatexenc parses the formula and knows the symbols. This module adds brackets where a fraction, a root or an exponent
would otherwise be ambiguous, small letters above and below the line, and spaces around operators. The registry writes
the gradient of x as x with a bar; as a bar does not fit over several letters, the gradient of "loss" is ∇loss.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final
from unicodedata import normalize

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexWalker,
)

__all__ = ["formula", "formulas"]

_MATH: Final = re.compile(r"(?P<code>`[^`\n]+`)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^$]+)\$", re.DOTALL)
_UP: Final = dict(
    zip("0123456789+-=()abcdefghijklmnoprstuvwxyz\u22a4", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀ", strict=True)
)
_DOWN: Final = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_OPERATORS: Final = frozenset("⊙⊗⊕·⋅\u00d7≤≥≈≠∈→←∘±≡∝∩⩽⩾↦")
_ACCENTS: Final = {
    "bar": "\u0304",
    "overline": "\u0305",
    "hat": "\u0302",
    "tilde": "\u0303",
    "dot": "\u0307",
    "vec": "\u20d7",
}
_SPACES: Final = {
    ",": " ",
    ";": " ",
    ":": " ",
    " ": " ",
    "quad": "  ",
    "qquad": "  ",
    "!": "",
    "left": "",
    "right": "",
    "big": "",
    "Big": "",
}
_FONTS: Final = frozenset(
    (
        "mathrm",
        "mathit",
        "mathbf",
        "mathsf",
        "mathtt",
        "mathcal",
        "mathbb",
        "boldsymbol",
        "operatorname",
        "text",
        "textit",
        "textrm",
    )
)
_TEXT: Final = LatexNodes2Text(math_mode="text")
_SMALL: Final = {*_UP.values(), *_DOWN.values()}
_MARKS: Final = frozenset("*†")
_SHORT: Final = 4
"""Longer texts are hard to read in small letters."""
_LARGE: Final = frozenset("∑∏∫√")
_WALLS: Final = re.compile(r"[\s+\-/=<>,|]|\*(?=.)")
"""What makes more of a text than one thing, outside of its brackets."""


class _Mark(str):
    """A ^ or _ that applies to what follows, and is not text."""

    __slots__ = ()


def formulas(markdown: str, *, escape: bool = False) -> str:
    """Markdown in which every `$formula$` is Unicode; text in backticks is kept.

    With `escape`, nothing in a formula can be taken for Markdown.
    """

    def replaced(match: re.Match[str]) -> str:
        if match["code"]:
            return match["code"]
        text = formula(match["display"] or match["inline"])
        return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text) if escape else text

    return _MATH.sub(replaced, markdown)


def formula(latex: str) -> str:
    """One formula, without dollar signs."""
    nodes, _, _ = LatexWalker(latex, tolerant_parsing=True).get_latex_nodes()
    return normalize("NFC", _line(nodes))


def _line(nodes: Iterable[object]) -> str:
    text = _joined(_pieces(nodes))
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?<=[(\[⌊⌈]) | (?=[)\]⌋⌉,;])", "", text)
    text = re.sub(r"(?<=[⌋⌉])(?=[-+=])", " ", text)
    return re.sub(r" ?/ ?(?=\()", "/", text) if " / " not in text else text


def _joined(pieces: Iterator[str]) -> str:
    """Join pieces; the one after ^ or _ is raised or lowered, and spaces separate names of several letters."""
    result, before = "", ""
    for piece in pieces:
        if isinstance(piece, _Mark):
            following = next((other for other in pieces if not other.isspace()), "")
            result = result.rstrip() + _script(piece, following.strip())
        else:
            follows = piece[:1].isalnum() or piece[:1] in _LARGE
            apart = (_is_name(before) and follows) or (_is_name(piece) and result[-1:].isalnum())
            result += f" {piece}" if apart else piece
        before = piece
    return result


def _is_name(piece: str) -> bool:
    return len(piece) > 1 and piece.isalpha()


def _script(mark: str, text: str) -> str:
    """An exponent or index, in small letters if all of them exist. Marks are small already."""
    if mark == "^" and text in _MARKS:
        return text
    small = _UP if mark == "^" else _DOWN
    if text and len(text) <= _SHORT and all(letter in small for letter in text):
        return "".join(small[letter] for letter in text)
    return f"{mark}({text})" if _SMALL & set(text) else f"{mark}{_enclosed(text)}"


def _enclosed(text: str) -> str:
    """`text`, in brackets if it is more than one thing."""
    bare = text
    while bare != (inner := re.sub(r"\([^()]*\)|\[[^\[\]]*\]|⌊[^⌊⌋]*⌋|⌈[^⌈⌉]*⌉", "", bare)):
        bare = inner
    return f"({text})" if _WALLS.search(bare) else text


def _pieces(nodes: Iterable[object]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, LatexCharsNode):
            yield from (_Mark(piece) if piece in "^_" else piece for piece in re.findall(r"\s+|[\d.]+|.", node.chars))
        elif isinstance(node, LatexGroupNode):
            yield _line(node.nodelist)
        elif isinstance(node, LatexMacroNode):
            yield from _macro(node)
        elif isinstance(node, LatexEnvironmentNode):
            yield _rows(node)
        else:
            yield _TEXT.nodelist_to_text([node])


def _macro(node: LatexMacroNode) -> Iterator[str]:
    name = node.macroname
    arguments = [_line([each]) for each in (node.nodeargd.argnlist if node.nodeargd else ()) if each is not None]
    if name in _SPACES:
        yield _SPACES[name]
    elif name in ("frac", "tfrac", "dfrac") and len(arguments) == 2:
        yield "/".join(map(_enclosed, arguments))
    elif name == "sqrt" and arguments:
        yield f"√{_enclosed(arguments[-1])}"
    elif name in _ACCENTS and arguments:
        letters = arguments[-1]
        is_long = name == "bar" and len(letters) > 1
        yield f"∇{letters}" if is_long else "".join(letter + _ACCENTS[name] for letter in letters)
    elif name in _FONTS and arguments:
        yield arguments[-1]
    elif name not in _FONTS:
        symbol = _TEXT.nodelist_to_text([node]).strip()
        yield f" {symbol} " if symbol in _OPERATORS else f"{symbol} " if symbol == "…" else symbol


def _rows(node: LatexEnvironmentNode) -> str:
    """The rows of a matrix or of cases, in one line."""
    rows: list[list[list[object]]] = [[[]]]
    for child in node.nodelist:
        text = child.latex_verbatim()
        if text.startswith("\\\\"):
            rows.append([[]])
        elif text.strip() == "&":
            rows[-1].append([])
        else:
            rows[-1][-1].append(child)
    lines = (", ".join(_line(cell) for cell in row) for row in rows if any(row))
    return f"{{{'; '.join(lines)}}}"
