"""`typegrad doctor`: check the installation, and say how to repair it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Final

import typer
from attrs import asdict

from typegrad.tools.cli.output import console, emit

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from typegrad.tools.cli.diagnosis import Finding

__all__ = ["doctor"]

_COLOURS: Final = {"ok": "green", "missing": "yellow", "broken": "bold red"}


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False) -> None:
    """Report versions, the machine, whether typegrad works, and how to install what is missing.

    The exit status is 1 if something that typegrad requires is broken.
    """
    from typegrad.tools.cli.diagnosis import diagnose

    findings = diagnose()
    broken = [finding for finding in findings if finding.state == "broken"]
    if as_json:
        emit({"healthy": not broken, "findings": [asdict(finding) for finding in findings]})
    else:
        _show(console(), findings)
    raise typer.Exit(int(bool(broken)))


def _show(to: Console, findings: list[Finding]) -> None:
    from rich.table import Table
    from rich.text import Text

    from typegrad_reference.terminal.style import put

    width = max(len(finding.name) for finding in findings)
    parts: list[RenderableType] = []
    for section, group in groupby(findings, key=lambda finding: finding.section):
        table = Table.grid(padding=(0, 2))
        table.add_column(width=max(map(len, _COLOURS)))
        table.add_column(width=width)
        table.add_column()
        for finding in group:
            text = f"{finding.value}\n{finding.advice}" if finding.advice else finding.value
            table.add_row(Text(finding.state, style=_COLOURS[finding.state]), finding.name, Text(text))
        parts += [*([""] if parts else []), Text(section, style="bold"), table]
    put(to, *parts)
