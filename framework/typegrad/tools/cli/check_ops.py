"""`typegrad check-ops`: check the examples and gradients of a registry."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from typing import Annotated, Any, Final

import typer
from attrs import asdict

from typegrad.tools.cli.output import emit
from typegrad.tools.cli.registries import Folder, Package, load_own

__all__ = ["SETTINGS", "check_ops"]

SETTINGS: Final[dict[str, Any]] = {
    "epilog": (
        "The exit status is 1 if there is a problem. Gradients without a comparison are listed, but are not errors.\n\n"
        "\b\nExample:\n  typegrad check-ops --registry registry --package acme.op"
    )
}


def check_ops(
    registry: Folder = None,
    package: Package = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Check a registry, by default typegrad's own: run all examples and compare gradients with finite differences.

    Outputs, gradients and variables must have the values in the examples, and the generated classes must be up to date.
    First and second gradients must equal finite differences in double precision near each example, with static and with
    unknown shapes.
    """
    from typegrad.tools.cli.loading import UserCode
    from typegrad_checking.registry import check
    from typegrad_codegen.bundled import registry as bundled
    from typegrad_codegen.load import load

    own = load_own(registry, package)
    with UserCode(package or "typegrad.op"), redirect_stdout(sys.stderr):  # which examples may print to
        report = check(own or load(bundled()))
    if as_json:
        emit(asdict(report))
    else:
        print(*report.problems, *report.unchecked, report, sep="\n")
    raise typer.Exit(int(bool(report.problems)))
