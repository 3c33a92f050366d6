"""`typegrad check-ops`: the examples and gradients of a registry, checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer
from attrs import asdict

from typegrad.cli.output import emit, fail

__all__ = ["SETTINGS", "check_ops"]

SETTINGS: Final[dict[str, Any]] = {
    "epilog": (
        "The exit status is 1 if anything is wrong. Gradients that no example lets compare are listed, and are no error.\n\n"
        "\b\nExample:\n  typegrad check-ops --registry registry --package acme.op"
    )
}
_OWN: Final = "typegrad.op"


def check_ops(
    registry: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of .yaml files; by default typegrad's own.")
    ] = None,
    package: Annotated[
        str, typer.Option(metavar="NAME", help="The package into which its classes were generated, such as acme.op.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Check the operations of a registry: run every example, and compare gradients with finite differences.

    Outputs, gradients and values of variables must be what the examples state, the generated classes what the registry says. In double
    precision, close to each example, first and second gradients must be the slopes that differences give, whatever is known of shapes.
    """
    if (registry is None) != (not package):
        fail("--registry and --package go together: a folder of entries, and the package of their classes")
    from typegrad.cli.loading import Theirs, import_theirs
    from typegrad_checking.registry import check
    from typegrad_codegen.bundled import registry as bundled
    from typegrad_codegen.load import load

    package = package or _OWN
    entries = load(registry or bundled(), root=package.rpartition(".")[0])
    import_theirs(package, f"typegrad codegen --registry {registry} --out DIR --package {package} makes it")
    with Theirs(package):
        report = check(entries, package)
    if as_json:
        emit(asdict(report))
    else:
        print(*report.problems, *report.unchecked, report, sep="\n")
    raise typer.Exit(int(bool(report.problems)))
