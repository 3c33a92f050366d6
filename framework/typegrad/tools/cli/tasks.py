"""`typegrad codegen` and `typegrad demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from typegrad.tools.cli.output import between, need

__all__ = ["CODEGEN", "codegen", "demo"]

CODEGEN: Final[dict[str, Any]] = {
    "add_help_option": False,
    "context_settings": {"allow_extra_args": True, "ignore_unknown_options": True},
}
"""The generator parses its own options: it also runs as `python -m typegrad_codegen`, without this command line."""


def codegen(context: typer.Context) -> None:
    """Generate the wrapper classes from the registry (see typegrad codegen --help)."""
    from typegrad_codegen.cli import main

    raise typer.Exit(main(context.args))


def demo(
    epochs: Annotated[
        int, typer.Option(callback=between(1), metavar="N", help="The number of epochs of each training.")
    ] = 60,
    seed: Annotated[
        int, typer.Option(callback=between(0, 2**32 - 1), metavar="N", help="The seed of all random numbers.")
    ] = 0,
    output: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the picture.")] = Path("demo-output"),
) -> None:
    """Train a classifier of handwritten digits, fool it with adversarial examples, and train it not to be fooled.

    Everything is one graph. Writes a picture of the digits before and after, and prints a table of the results.
    """
    need("demo")
    from typegrad.tools.demo.main import run

    run(epochs, seed, output)
