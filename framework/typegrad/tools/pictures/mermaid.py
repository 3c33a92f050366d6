"""A drawing as a Mermaid flowchart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final

from typegrad.tools.pictures.drawing import Arrow, Box, Drawing, Frame
from typegrad.tools.pictures.marks import LOOKS, Mark, look

__all__ = ["render_mermaid"]

_PLAIN: Final = re.compile(r"[^\w .,:/()\[\]?+=-]")
"""The characters to escape in a quoted label."""


def render_mermaid(drawing: Drawing) -> str:
    """The drawing as a flowchart. Nodes and subgraphs have numbers as identifiers; names appear only in labels."""
    lines = ["flowchart TD", *_framed(drawing.top, "  ", count())]
    lines.extend(map(_arrow, drawing.arrows))
    lines.extend(_legend(drawing.legend()))
    lines.extend(_classes(drawing))
    return "\n".join([*lines, ""])


def _framed(frame: Frame, indent: str, numbers: Iterator[int]) -> Iterator[str]:
    """The boxes of a scope, and subgraphs for the scopes within it."""
    for box in frame.boxes:
        yield f"{indent}n{box.number}{_box(box)}"
    for inner in frame.frames.values():
        yield f'{indent}subgraph s{next(numbers)}["{_escaped(inner.label)}"]'
        yield from _framed(inner, indent + "  ", numbers)
        yield f"{indent}end"


def _box(box: Box) -> str:
    label = '"' + "<br/>".join(map(_escaped, box.lines)) + '"'
    return f"[[{label}]]" if box.is_folded else _shaped(label, box.look)


def _shaped(label: str, marks: Sequence[Mark]) -> str:
    if "stop" in marks:
        return f"{{{{{label}}}}}"
    if "state" in marks:
        return f"[({label})]"
    return f"({label})" if "added" in marks else f"[{label}]"


def _arrow(arrow: Arrow) -> str:
    line = "-.->" if arrow.is_control else "==>" if arrow.on_path else "-->"
    text = f'|"{_escaped(arrow.text)}"|' if arrow.text else ""
    return f"  n{arrow.source} {line}{text} n{arrow.target}"


def _legend(words: Mapping[Mark, str]) -> Iterator[str]:
    """A legend with a box for each mark in use."""
    if words:
        yield '  subgraph legend["legend"]'
        for mark, text in words.items():
            label = f'"{text}"'
            yield f"    m{mark}{_shaped(label, [mark])}"
        yield "  end"


def _classes(drawing: Drawing) -> Iterator[str]:
    """The styles, and the nodes of each style."""
    members: dict[Mark, list[str]] = {mark: [] for mark in LOOKS}
    for box in drawing.boxes:
        if kind := look(box.look):
            members[kind].append(f"n{box.number}")
    for mark in drawing.legend():
        if mark in LOOKS:
            members[mark].append(f"m{mark}")
    for mark, nodes in members.items():
        if nodes:
            shown = LOOKS[mark]
            dash = ",stroke-dasharray:5 4" if shown.dashed else ""
            style = f"fill:{shown.inside},stroke:{shown.border},stroke-width:{shown.width:g}px,color:#111827{dash}"
            yield f"  classDef {mark} {style}"
            yield f"  class {','.join(nodes)} {mark}"


def _escaped(text: str) -> str:
    """A label's text with all characters except letters, digits and a few signs as character references."""
    unbroken = text.replace("\\n", "\\\u2060n")  # Mermaid breaks the line there, even for a character reference
    return _PLAIN.sub(lambda match: f"#{ord(match.group())};", unbroken)
