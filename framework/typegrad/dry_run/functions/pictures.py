"""What a dry run has in the place of a method that shows a graph: it refuses what the method refuses."""

from __future__ import annotations

from typing import Any

from typegrad.arguments.paths import check_page
from typegrad.dry_run.functions.sessions import Session
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.graph.graph import Graph

__all__ = ["show"]


def show(graph: Graph, path: Any = None, **options: Any) -> Any:
    """Refuse what `graph.show` does; it shows nothing, writes no page, and nothing is known of the page.

    The path is looked at as for a page, and the options as for a text.
    """
    if has_unknown((path, options)):
        return UNKNOWN
    if isinstance(path, str):
        check_page(path)
    session = options.pop("session", None)
    feeds = None if session is None else options.pop("feed_dict", None)
    graph.to_text(**options)
    if isinstance(session, Session):
        session.run([], feeds)
    return UNKNOWN
