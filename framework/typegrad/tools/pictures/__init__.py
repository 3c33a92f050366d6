"""Pictures of graphs: text, Graphviz, Mermaid, and a page to zoom, search and fold.

Usually called through the methods of `Graph`: `to_text`, `to_dot`, `to_mermaid`, `show`. The functions `figure`, `page`
and `assets` are for writing HTML. All take the keywords of `Options`, and raise the errors listed for `Graph.to_text`.
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
    """The graph as text. See `Graph.to_text`."""
    visible = view(graph, text, options)
    return render_text(visible, draw(visible, depth))


def dot(graph: Graph, *, depth: int | None = None, **options: Unpack[Options]) -> str:
    """The graph in the language of Graphviz. See `Graph.to_dot`."""
    return render_dot(draw(view(graph, dot, options), depth))


def mermaid(graph: Graph, *, depth: int | None = None, **options: Unpack[Options]) -> str:
    """The graph as a Mermaid flowchart. See `Graph.to_mermaid`."""
    return render_mermaid(draw(view(graph, mermaid, options), depth))


def document(graph: Graph, **options: Unpack[Options]) -> Document:
    """The graph as the data of the picture in the browser, for `json.dumps`."""
    return render_document(view(graph, document, options))


def figure(graph: Graph, *, caption: str = "", **options: Unpack[Options]) -> str:
    """A `<figure>` for a page of your own. After it, the page must include the scripts and style sheets of `assets`."""
    visible = view(graph, figure, options)
    return render_figure(render_document(visible), _words(visible), caption)


def page(graph: Graph, *, caption: str = "", **options: Unpack[Options]) -> str:
    """A self-contained HTML page with the picture; its security policy forbids requests."""
    visible = view(graph, page, options)
    return render_page(render_document(visible), _words(visible), caption)


def frame(graph: Graph, **options: Unpack[Options]) -> str:
    """The picture as an `<iframe>` that contains its page, for notebooks."""
    visible = view(graph, frame, options)
    return render_frame(render_document(visible), _words(visible))


def show(graph: Graph, path: str | PathLike[str] | None = None, **options: Unpack[Options]) -> Path | None:
    """Show the graph in the notebook or in the browser. See `Graph.show`."""
    visible = view(graph, show, options)
    return display(render_document(visible), _words(visible), path)


def _words(visible: View) -> str:
    return render_text(visible, draw(visible, None))


_guard(__name__)
