"""A picture of an annotated file, as an SVG drawing with the colours of the site."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from pygments.lexers import PythonLexer
from pygments.token import Token, is_token_subtype

__all__ = ["drawing"]

_LINE, _LETTER, _MARGIN = 20, 7.8, 16
_SCALE: Final = 0.9
"""The size of an annotation's letters, in letters of the program."""
_CLASSES: Final = (
    (Token.Keyword, "k"),
    (Token.Operator.Word, "k"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "n"),
)
_STYLE: Final = """\
  svg { --ground: #f6f7f9; --ink: #1a1e25; --soft: #545d6b; --tint: #e9f1fd }
  svg { --k: #8a2da5; --s: #1c6b3a; --n: #a2450a }
  @media (prefers-color-scheme: dark) {
    svg { --ground: #1b1f26; --ink: #e6e9ee; --soft: #a8b1bf; --tint: #1a2b45 }
    svg { --k: #d3a4f2; --s: #8fd6a4; --n: #f1ac78 }
  }
  text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--ink); white-space: pre }
  .k { fill: var(--k) } .s { fill: var(--s) } .n { fill: var(--n) }
  .hint { font-size: 11.7px; fill: var(--soft) }"""


def drawing(annotated: str) -> str:
    """The drawing of a program whose lines end with annotations."""
    lines = [line.partition("  # ") for line in annotated.splitlines()]
    width = 2 * _MARGIN + max(
        _LETTER * (len(code) + (_SCALE * len(hint) + 4 if hint else 0)) for code, _, hint in lines
    )
    height = 2 * _MARGIN + _LINE * len(lines)
    rows = [row for number, (code, _, hint) in enumerate(lines) for row in _row(number, code, hint)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}">',
            f"<style>\n{_STYLE}\n</style>",
            f'<rect width="{width:.0f}" height="{height}" rx="8" style="fill: var(--ground)"/>',
            *rows,
            "</svg>\n",
        ]
    )


def _row(number: int, code: str, hint: str) -> Iterator[str]:
    base = _MARGIN + _LINE * number + 14
    if code:
        yield f'<text x="{_MARGIN}" y="{base}" xml:space="preserve">{_coloured(code)}</text>'
    if hint:
        left, width = _MARGIN + _LETTER * (len(code) + 2), _LETTER * (_SCALE * len(hint) + 1)
        yield (
            f'<rect x="{left - _LETTER / 2:.1f}" y="{base - 13}" width="{width:.1f}" height="17" rx="4" '
            'style="fill: var(--tint)"/>'
        )
        yield f'<text class="hint" x="{left:.1f}" y="{base}">{escape(hint)}</text>'


def _coloured(code: str) -> str:
    spans: list[str] = []
    for kind, value in PythonLexer().get_tokens(code):
        name = next((name for token, name in _CLASSES if is_token_subtype(kind, token)), "")
        spans.append(f'<tspan class="{name}">{escape(value)}</tspan>' if name else escape(value))
    return "".join(spans).rstrip("\n")
