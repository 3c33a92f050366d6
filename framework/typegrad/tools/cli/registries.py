"""The options for a user's registry: its folder and the package of its classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from typegrad.tools.cli.output import CommandLineError

if TYPE_CHECKING:
    from typegrad_codegen.schema import Registry

__all__ = ["Folder", "Package", "load_own"]

Folder: TypeAlias = Annotated[
    Path | None, typer.Option("--registry", metavar="DIR", help="The folder with the .yaml files of your own registry.")
]
Package: TypeAlias = Annotated[
    str,
    typer.Option("--package", metavar="NAME", help="The package of its generated classes, such as acme.op."),
]


def load_own(folder: Path | None, package: str) -> Registry | None:
    """Load the registry and import its package; None without the options."""
    if folder is None and not package:
        return None
    if folder is None or not package:
        raise CommandLineError(
            "--registry and --package go together: a folder of entries, and the package of their classes"
        )
    from typegrad.tools.cli.loading import import_user_module
    from typegrad_codegen.load import load

    registry = load(folder, package)
    import_user_module(
        package, f"typegrad codegen --registry {folder} --out {package.replace('.', '/')} --package {package} makes it"
    )
    return registry
