"""A picture of a terminal, as an SVG drawing with two sets of colours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from rich.ansi import AnsiDecoder
from rich.color import Color
from rich.console import Console
from rich.style import Style

__all__ = ["drawing"]

_LINE, _LETTER, _MARGIN = 20, 7.8, 16
_COLOUR_OF_UNDERLINE: Final = re.compile(r"\x1b\[58;2;\d+;\d+;\d+m")
"""Rich does not know it."""
_FONT: Final = '13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace'


class _Look(NamedTuple):
    """How a letter looks: its colour and the one behind it, by day and by night."""

    ink: tuple[str, str]
    ground: tuple[str, str]
    more: str


def drawing(light: str, dark: str) -> str:
    """The drawing of a screen, from two captures of it that differ in their colours, which are escape sequences."""
    rows = [
        [(one, _look(day, night)) for (one, day), (_, night) in zip(*pair, strict=True)]
        for pair in zip(_letters(light), _letters(dark), strict=True)
    ]
    ground = rows[0][0][1].ground
    width, height = 2 * _MARGIN + _LETTER * max(map(len, rows)), 2 * _MARGIN + _LINE * len(rows)
    colours: dict[tuple[str, str], str] = {}
    drawn = [piece for number, row in enumerate(rows) for piece in _row(number, row, ground, colours)]
    frame = f'<rect class="{_name(ground, colours)}" width="{width:.0f}" height="{height}" rx="8"/>'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}">',
            "<style>",
            f"  text {{ font: {_FONT}; white-space: pre }}",
            f"  {_rules(colours, 0)}",
            f"  @media (prefers-color-scheme: dark) {{ {_rules(colours, 1)} }}",
            "</style>",
            frame,
            *drawn,
            "</svg>\n",
        ]
    )


def _letters(capture: str) -> list[list[tuple[str, Style]]]:
    """Of each line, its letters and their styles."""
    console = Console(color_system="truecolor")
    lines = AnsiDecoder().decode(_COLOUR_OF_UNDERLINE.sub("", capture.rstrip("\n")))
    return [
        [(letter, each.style or Style()) for each in line.render(console) for letter in each.text] for line in lines
    ]


def _look(day: Style, night: Style) -> _Look:
    ink, ground = (_hex(day.color), _hex(night.color)), (_hex(day.bgcolor), _hex(night.bgcolor))
    bold = ' font-weight="bold"' if day.bold else ""
    return _Look(ink, ground, bold + ' text-decoration="underline"' if day.underline else bold)


def _hex(colour: Color | None) -> str:
    return "" if colour is None else colour.get_truecolor().hex


def _row(
    number: int, row: Sequence[tuple[str, _Look]], ground: tuple[str, str], colours: dict[tuple[str, str], str]
) -> Iterator[str]:
    top, column = _MARGIN + _LINE * number, 0
    for look, letters in groupby(row, key=lambda pair: pair[1]):
        text = "".join(letter for letter, _ in letters)
        left, width = _MARGIN + _LETTER * column, _LETTER * len(text)
        if look.ground != ground:
            place = f'x="{left:.1f}" y="{top}" width="{width:.1f}" height="{_LINE}"'
            yield f'<rect class="{_name(look.ground, colours)}" {place}/>'
        if text.strip():
            place = f'x="{left:.1f}" y="{top + 14}" xml:space="preserve"{look.more}'
            yield f'<text class="{_name(look.ink, colours)}" {place}>{escape(text.rstrip())}</text>'
        column += len(text)


def _name(colour: tuple[str, str], colours: dict[tuple[str, str], str]) -> str:
    return colours.setdefault(colour, f"c{len(colours)}")


def _rules(colours: dict[tuple[str, str], str], which: int) -> str:
    return " ".join(f".{name} {{ fill: {colour[which]} }}" for colour, name in colours.items())
