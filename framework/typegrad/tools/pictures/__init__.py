"""Pictures of graphs: words, Graphviz, Mermaid, and a page to zoom, search and fold.

The methods of `Graph` are the usual way here: `to_text`, `to_dot`, `to_mermaid`, `show`. The functions `figure`, `page` and
`assets` are for those who write HTML. All take the keywords of `Options`, and raise the errors that `Graph.to_text` describes.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from typing_extensions import Unpack

from typegrad.arguments.guarding import guard as _guard
from typegrad.graph.graph import Graph
from typegrad.tools.pictures.display import display
from typegrad.tools.pictures.document import Document, render_document
from typegrad.tools.pictures.dot import render_dot
from typegrad.tools.pictures.drawing import draw
from typegrad.tools.pictures.html import assets, render_figure, render_frame, render_page
from typegrad.tools.pictures.mermaid import render_mermaid
from typegrad.tools.pictures.text import render_text
from typegrad.tools.pictures.view import Options, View, view

__all__ = ["Document", "Options", "assets", "document", "dot", "figure", "frame", "mermaid", "page", "show", "text"]


def text(graph: Graph, *, depth: int | None = None, **options: Unpack[Options]) -> str:
    """The graph in words. See `Graph.to_text`."""
    seen = view(graph, text, options)
    return render_text(seen, draw(seen, depth))


def dot(graph: Graph, *, depth: int | None = None, **options: Unpack[Options]) -> str:
    """The graph in the language of Graphviz. See `Graph.to_dot`."""
    return render_dot(draw(view(graph, dot, options), depth))


def mermaid(graph: Graph, *, depth: int | None = None, **options: Unpack[Options]) -> str:
    """The graph as a Mermaid flowchart. See `Graph.to_mermaid`."""
    return render_mermaid(draw(view(graph, mermaid, options), depth))


def document(graph: Graph, **options: Unpack[Options]) -> Document:
    """The graph as the data that the picture in the browser is made of; `json.dumps` takes it."""
    return render_document(view(graph, document, options))


def figure(graph: Graph, *, caption: str = "", **options: Unpack[Options]) -> str:
    """A `<figure>` for a page of your own, which must also have, after it, what is in `assets`: scripts inline or as files."""
    seen = view(graph, figure, options)
    return render_figure(render_document(seen), _words(seen), caption)


def page(graph: Graph, *, caption: str = "", **options: Unpack[Options]) -> str:
    """An HTML page with the picture. It holds all it needs, and its policy forbids it to ask for more."""
    seen = view(graph, page, options)
    return render_page(render_document(seen), _words(seen), caption)


def frame(graph: Graph, **options: Unpack[Options]) -> str:
    """The picture as an `<iframe>` that holds its page: what notebooks show."""
    seen = view(graph, frame, options)
    return render_frame(render_document(seen), _words(seen))


def show(graph: Graph, path: str | PathLike[str] | None = None, **options: Unpack[Options]) -> Path | None:
    """Show the graph in the notebook or in the browser. See `Graph.show`."""
    seen = view(graph, show, options)
    return display(render_document(seen), _words(seen), path)


def _words(seen: View) -> str:
    return render_text(seen, draw(seen, None))


_guard(__name__)
