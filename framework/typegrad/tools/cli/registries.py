"""A registry of the user's own, which a command is told of by its folder and by the package of its classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from typegrad.tools.cli.output import fail

if TYPE_CHECKING:
    from typegrad_codegen.schema import Registry

__all__ = ["Folder", "Package", "load_own"]

Folder: TypeAlias = Annotated[
    Path | None, typer.Option("--registry", metavar="DIR", help="The folder of .yaml files of a registry of your own.")
]
Package: TypeAlias = Annotated[
    str,
    typer.Option("--package", metavar="NAME", help="The package into which its classes were generated: acme.op."),
]


def load_own(folder: Path | None, package: str) -> Registry | None:
    """The registry, its package imported; None if neither is given."""
    if folder is None and not package:
        return None
    if folder is None or not package:
        fail("--registry and --package go together: a folder of entries, and the package of their classes")
    from typegrad.tools.cli.loading import import_theirs
    from typegrad_codegen.load import load

    registry = load(folder, package)
    import_theirs(
        package, f"typegrad codegen --registry {folder} --out {package.replace('.', '/')} --package {package} makes it"
    )
    return registry
