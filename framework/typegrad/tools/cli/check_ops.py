"""`typegrad check-ops`: the examples and gradients of a registry, checked."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer
from attrs import asdict

from typegrad.tools.cli.output import emit
from typegrad.tools.cli.registries import Folder, Package, load_own

__all__ = ["SETTINGS", "check_ops"]

SETTINGS: Final[dict[str, Any]] = {
    "epilog": (
        "The exit status is 1 if anything is wrong. Gradients that no example lets compare are listed, and are no error.\n\n"
        "\b\nExample:\n  typegrad check-ops --registry registry --package acme.op"
    )
}


def check_ops(
    registry: Folder = None,
    package: Package = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Check the operations of a registry, by default typegrad's own: run every example, compare gradients with finite differences.

    Outputs, gradients and values of variables must be what the examples state, the generated classes what the registry says. In double
    precision, close to each example, first and second gradients must be the slopes that differences give, whatever is known of shapes.
    """
    from typegrad.tools.cli.loading import Theirs
    from typegrad_checking.registry import check
    from typegrad_codegen.bundled import registry as bundled
    from typegrad_codegen.load import load

    own = load_own(registry, package)
    with Theirs(package or "typegrad.op"):
        report = check(own or load(bundled()))
    if as_json:
        emit(asdict(report))
    else:
        print(*report.problems, *report.unchecked, report, sep="\n")
    raise typer.Exit(int(bool(report.problems)))
