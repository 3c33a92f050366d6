"""`typegrad lsp`: the language server."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Final

import typer

from typegrad.tools.cli.output import need

__all__ = ["SETTINGS", "lsp"]

SETTINGS: Final[dict[str, Any]] = {
    "epilog": 'An editor starts this command and talks to it over standard input and output. The guide "Seeing the '
    'types" has the settings for VS Code, PyCharm and Neovim.'
}


def lsp(
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Check strictly, as mypy --strict does, unless the settings say otherwise."),
    ] = False,
) -> None:
    """Show element types and shapes in an editor, as inlay hints and hovers, with mypy's messages.

    A language server for Python files, with the settings that typegrad check uses.
    """
    need("lsp")
    from typegrad.tools.cli.mypy_settings import settings_file
    from typegrad.tools.types.server import TypesServer

    TypesServer(partial(settings_file, strict=strict)).start_io()
