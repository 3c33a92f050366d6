"""How code, prose and tables look on a console.

On a plain console (a file, a pipe, no colours requested) the same text comes without colours, and Markdown is only
rewrapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from typegrad_codegen.docs import filled
from typegrad_codegen.unicode_math import formulas

__all__ = ["INDENT", "Style", "put", "put_sections"]

INDENT: Final = 2
_COLOURS: Final = "ansi_dark"
"""The terminal's own colours, whatever its background is."""


class Style:
    """What a console shows of code, prose and tables."""

    def __init__(self, console: Console) -> None:
        self._fancy = console.is_terminal
        self.width = console.width - INDENT
        """How wide a section may be."""

    def code(self, text: str) -> RenderableType:
        """Python code."""
        return Syntax(text, "python", theme=_COLOURS, background_color="default") if self._fancy else Text(text)

    def prose(self, text: str, width: int = 0) -> RenderableType:
        """Markdown, not wider than `width`."""
        if self._fancy:
            return Markdown(formulas(text, escape=True), code_theme=_COLOURS, inline_code_theme=_COLOURS)
        return Text(filled(formulas(text), width or self.width), overflow="fold")

    def table(self, rows: Sequence[tuple[str, str]]) -> RenderableType | None:
        """Names and what Markdown says of each; None without rows."""
        if not rows:
            return None
        table = Table.grid(padding=(0, 2))
        table.add_column(no_wrap=True, style="bold cyan")
        table.add_column(overflow="fold")
        left = max(len(name) for name, _ in rows) + 2
        for name, text in rows:
            table.add_row(name, self.prose(text, self.width - left))
        return table


def put(console: Console, *parts: RenderableType) -> None:
    """Print these one below the other. A plain console gets no spaces at the ends of lines."""
    if console.is_terminal:
        console.print(*parts, sep="\n")
        return
    with console.capture() as page:
        console.print(*parts, sep="\n")
    console.out("\n".join(line.rstrip() for line in page.get().rstrip().splitlines()), highlight=False)


def put_sections(console: Console, sections: Iterable[tuple[str, RenderableType]]) -> None:
    """Print the body of each section below its title; one without a title is not indented."""
    parts: list[RenderableType] = []
    for title, body in sections:
        parts += ["", Text(title, style="bold")] if title else []
        parts.append(Padding(body, (0, 0, 0, INDENT if title else 0)))
    put(console, *parts)
