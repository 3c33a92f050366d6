"""What a dry run has in the place of a method that shows a graph: it refuses what the method refuses."""

from __future__ import annotations

from typing import Any, final

from typegrad.arguments.paths import check_page
from typegrad.dry_run.functions.sessions import Session
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.graph.graph import Graph

__all__ = ["show"]


@final
class show:  # noqa: N801  # named as the method
    """`graph.show`, which shows nothing and writes no page."""

    def __init__(self, graph: Graph) -> None:
        """Keep the graph."""
        self._graph = graph

    def __call__(self, path: Any = None, **options: Any) -> Any:
        """Check the path, and the options as for a text; nothing is known of the page."""
        if has_unknown((path, options)):
            return UNKNOWN
        if isinstance(path, str):
            check_page(path)
        session = options.pop("session", None)
        feeds = None if session is None else options.pop("feeds", None)
        self._graph.to_text(**options)
        if isinstance(session, Session):
            session.run([], feeds)
        return UNKNOWN
