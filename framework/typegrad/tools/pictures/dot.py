"""A drawing in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final

from typegrad.tools.pictures.drawing import Arrow, Box, Drawing, Frame
from typegrad.tools.pictures.marks import LOOKS, Mark, look

__all__ = ["render_dot"]

_SHAPES: Final[Mapping[Mark, str]] = {"stop": "octagon", "state": "cylinder"}

_FONT: Final = 'fontname="Helvetica,Arial,sans-serif"'
_HEADER: Final = f"""\
digraph typegrad {{
  graph [{_FONT}, labelloc=t]
  node [{_FONT}, fontsize=11, shape=box, style=filled, color="#4b5563", fillcolor="#ffffff"]
  edge [{_FONT}, fontsize=9, color="#6b7280", fontcolor="#374151"]"""


def render_dot(drawing: Drawing) -> str:
    """The drawing as a digraph. Nodes and clusters have numbers as identifiers; names appear only in labels."""
    lines = [_HEADER, f"  label={_quoted(drawing.title)}", *_framed(drawing.top, "  ", count())]
    lines.extend(map(_arrow, drawing.arrows))
    lines.extend(_legend(drawing.legend()))
    return "\n".join([*lines, "}", ""])


def _framed(frame: Frame, indent: str, numbers: Iterator[int]) -> Iterator[str]:
    """The boxes of a scope, and clusters for the scopes within it."""
    for box in frame.boxes:
        yield f"{indent}n{box.number} [{_box(box)}]"
    for inner in frame.frames.values():
        yield f"{indent}subgraph cluster_{next(numbers)} {{"
        yield f'{indent}  label={_quoted(inner.label)}; style=rounded; color="#9ca3af"'
        yield from _framed(inner, indent + "  ", numbers)
        yield f"{indent}}}"


def _box(box: Box) -> str:
    attributes = {"label": _quoted("\n".join(box.lines)), "tooltip": _quoted(box.path), **_style(box.look)}
    if box.is_folded:
        attributes["shape"] = "box3d"
    return _listed(attributes)


def _style(marks: Sequence[Mark]) -> dict[str, str]:
    """Shape, style and colours of a box; an x or y has a double border."""
    attributes: dict[str, str] = {}
    shape = next((_SHAPES[mark] for mark in _SHAPES if mark in marks), None)
    if shape is not None:
        attributes["shape"] = shape
    if "x" in marks or "y" in marks:
        attributes["peripheries"] = "2"
    kind = look(marks)
    if kind is not None:
        shown = LOOKS[kind]
        attributes |= {
            "color": _quoted(shown.border),
            "fillcolor": _quoted(shown.inside),
            "penwidth": f"{shown.width:g}",
        }
    styles = ["filled", *(["dashed"] if "masked" in marks else []), *(["rounded"] if "added" in marks else [])]
    if len(styles) > 1:
        attributes["style"] = _quoted(",".join(styles))
    return attributes


def _arrow(arrow: Arrow) -> str:
    attributes = {"label": _quoted(arrow.text)} if arrow.text else {}
    if arrow.is_control:
        attributes["style"] = "dashed"
    if arrow.on_path:
        shown = LOOKS["path"]
        attributes |= {"color": _quoted(shown.border), "penwidth": f"{shown.width:g}"}
    return f"  n{arrow.source} -> n{arrow.target}" + (f" [{_listed(attributes)}]" if attributes else "")


def _legend(words: Mapping[Mark, str]) -> Iterator[str]:
    """A legend with a box for each mark in use."""
    if words:
        yield '  subgraph cluster_legend {\n    label="legend"; style=dotted'
        yield from (
            f"    {mark} [{_listed({'label': _quoted(text), **_style([mark])})}]" for mark, text in words.items()
        )
        yield "  }"


def _listed(attributes: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in attributes.items())


def _quoted(text: str) -> str:
    """A quoted string; backslashes are escaped, since they start escapes in Graphviz."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
