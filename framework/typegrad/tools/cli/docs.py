"""`typegrad docs`: the guides in the terminal; the site of the reference, built and served."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from typegrad.tools.cli.output import between, console, fail, need
from typegrad.tools.cli.registries import Folder, Package, load_own

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)

_Output: TypeAlias = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder of the site.")]
_SITE = Path("site")


@app.command(
    epilog=(
        "\b\nExamples:\n  typegrad docs build --output site\n"
        "  typegrad docs build --registry registry --package acme.op"
    )
)
def build(output: _Output = _SITE, registry: Folder = None, package: Package = "") -> None:
    """Build the site: a page for each operation, the guides, the search. It needs no server."""
    _build(output, registry, package)


@app.command(epilog="\b\nExamples:\n  typegrad docs serve --port 8080\n  typegrad docs serve --no-build")
def serve(
    output: _Output = _SITE,
    port: Annotated[
        int,
        typer.Option(
            "--port", "-p", callback=between(0, 65535), metavar="N", help="The port; 0 takes any that is free."
        ),
    ] = 8000,
    is_built: Annotated[bool, typer.Option("--no-build", help="Serve the folder as it is.")] = False,
    registry: Folder = None,
    package: Package = "",
) -> None:
    """Build the site and serve it to browsers on this machine, until interrupted."""
    if not is_built:
        _build(output, registry, package)
    from typegrad_reference.site.serve import serve as serve_site

    serve_site(output, port)


@app.command(epilog="\b\nExamples:\n  typegrad docs show training\n  typegrad docs show training#stop-and-resume")
def show(
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="PAGE",
            help="The page, and a section behind a #, as typegrad ops search names it; by default a list.",
        ),
    ] = None,
) -> None:
    """Show a guide, or a section of it, in the terminal."""
    from typegrad_codegen.bundled import registry
    from typegrad_codegen.load import parsed
    from typegrad_reference.terminal.guides import contents, markdown, show_page

    try:
        show_page(console(), contents() if place is None else markdown(place, parsed(registry())))
    except LookupError as error:
        fail(str(error.args[0]))


def _build(output: Path, registry: Path | None, package: str) -> None:
    need("docs")
    from typegrad.tools.cli.loading import UserCode
    from typegrad_reference.site.build import SiteError
    from typegrad_reference.site.build import build as build_site

    own = load_own(registry, package)
    with UserCode(package) if own else nullcontext():
        try:
            print(build_site(output, own))
        except (SiteError, FileExistsError) as error:
            fail(str(error))
