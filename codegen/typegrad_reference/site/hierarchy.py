"""The hierarchy of the element types, drawn and in words, read off `typegrad.base.types`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen
from markupsafe import Markup

from typegrad.base.types import ALL_TYPES, TType
from typegrad_reference.site.context import Context

__all__ = ["drawn", "in_words"]

_ROW: Final = 30
_BOX: Final = 22
_COLUMN: Final = 132
_WIDTH: Final = 108


@frozen
class _Box:
    """A class at its place: a column for each level, a row for each leaf."""

    cls: type[TType]
    column: int
    row: float
    children: tuple[_Box, ...]

    @property
    def x(self) -> float:
        """The left edge."""
        return 2 + self.column * _COLUMN

    @property
    def y(self) -> float:
        """The middle."""
        return _ROW / 2 + self.row * _ROW


def _place(cls: type[TType], column: int, rows: Iterator[int]) -> _Box:
    children = tuple(_place(child, column + 1, rows) for child in cls.__subclasses__())
    row = (children[0].row + children[-1].row) / 2 if children else float(next(rows))
    return _Box(cls, column, row, children)


def drawn() -> Markup:
    """The tree as SVG, from left to right."""
    root = _place(TType, 0, iter(range(len(ALL_TYPES))))
    boxes = list(_all(root))
    width = max(box.x for box in boxes) + _WIDTH + 2
    height = _ROW * len(ALL_TYPES)
    lines = Markup("").join(_line(box, child) for box in boxes for child in box.children)
    shapes = Markup("").join(_shape(box) for box in boxes)
    return Markup(
        '<svg class="hierarchy" viewBox="0 0 {w:.0f} {h}" width="{w:.0f}" height="{h}" role="img" '
        'aria-labelledby="hierarchy-title"><title id="hierarchy-title">Element types from the most general on the '
        "left to the leaves on the right</title>"
        "{lines}{shapes}</svg>"
    ).format(w=width, h=height, lines=lines, shapes=shapes)


def _all(box: _Box) -> Iterator[_Box]:
    yield box
    for child in box.children:
        yield from _all(child)


def _line(box: _Box, child: _Box) -> Markup:
    start, end = box.x + _WIDTH, child.x
    middle = (start + end) / 2
    return Markup('<path d="M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}"/>').format(
        start, box.y, middle, box.y, middle, child.y, end, child.y
    )


def _shape(box: _Box) -> Markup:
    kind = "marker" if box.children else "leaf"
    return Markup(
        '<g class="{}"><rect x="{:.0f}" y="{:.1f}" width="{}" height="{}" rx="5"/><text x="{:.0f}" '
        'y="{:.1f}">{}</text></g>'
    ).format(
        kind,
        box.x,
        box.y - _BOX / 2,
        _WIDTH,
        _BOX,
        box.x + _WIDTH / 2,
        box.y + 4.5,
        box.cls.__name__,
    )


def in_words(page: Context, cls: type[TType] = TType) -> Markup:
    """The tree as nested lists."""
    children = cls.__subclasses__()
    link = Markup('<a href="{}"><code>{}</code></a>').format(
        page.url(f"api/typegrad.base.types.html#{cls.__name__}"), cls.__name__
    )
    inner = Markup("").join(in_words(page, child) for child in children)
    item = Markup("<li>{}{}</li>").format(link, Markup("<ul>{}</ul>").format(inner) if inner else "")
    return Markup('<ul class="classes">{}</ul>').format(item) if cls is TType else item
