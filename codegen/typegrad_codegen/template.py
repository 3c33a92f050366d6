"""Templates of generated code: text in which `$name` or `${name}` is replaced by a part."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["fill"]

_LINE: Final = re.compile(r"^( *)([^\n]+\n)(\n?)", re.MULTILINE)
_PLACE: Final = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def fill(template: str, **parts: str) -> str:
    """Replace the names in `template` by `parts`.

    The lines of a part are indented like the line that names it. A line that only names an empty part is dropped, with
    the blank line after it.
    """
    return _LINE.sub(lambda line: _filled(line[1], line[2], line[3], parts), template)


def _filled(indent: str, line: str, blank: str, parts: Mapping[str, str]) -> str:
    def part(place: re.Match[str]) -> str:
        text = parts[place[1] or place[2]].removesuffix("\n")
        return re.sub(r"\n(?=[^\n])", f"\n{indent}", text)

    filled = _PLACE.sub(part, line)
    return "" if filled == "\n" else f"{indent}{filled}{blank}"
