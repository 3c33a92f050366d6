"""The command line application and its error handling."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from typegrad import __version__
from typegrad.base.errors import TypegradError
from typegrad.tools.cli import check, check_ops, docs, doctor, graph, lsp, ops, tasks
from typegrad.tools.cli.output import CommandError, is_fancy

__all__ = ["app", "run"]


_ORDER: Final = ("ops", "graph", "check", "lsp", "docs", "demo", "doctor", "codegen", "check-ops")


class _Commands(TyperGroup):
    """A command group that turns errors into a message without a traceback."""

    def list_commands(self, ctx: Any) -> list[str]:
        """List the commands in the order of their definition."""
        return sorted(super().list_commands(ctx), key=_ORDER.index)

    def invoke(self, ctx: Any) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise  # the reader closed the pipe: end without a message
        except (TypegradError, OSError) as error:
            typer.echo(f"typegrad: {error}", err=True)
            raise typer.Exit(error.status if isinstance(error, CommandError) else 1) from None
        except KeyboardInterrupt:
            typer.echo("typegrad: interrupted", err=True)
            raise typer.Exit(130) from None


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    epilog=(
        "Exit status: 0 for success, 1 for an error, 2 for an invalid command line.\n\n"
        "\b\nExamples:\n  typegrad ops search softmax\n  typegrad graph show model.py:build --y loss\n"
        "  typegrad check model.py"
    ),
)
app.add_typer(ops.app, name="ops", help="The reference of all operations, in the terminal.")
app.add_typer(graph.app, name="graph", help="Pictures of the graphs that your functions build.")
app.add_typer(docs.app, name="docs", help="The guides in the terminal; the reference as a site for the browser.")
app.command("check", **check.SETTINGS)(check.check)
app.command("lsp", **lsp.SETTINGS)(lsp.lsp)
app.command("codegen", **tasks.CODEGEN)(tasks.codegen)
app.command("check-ops", **check_ops.SETTINGS)(check_ops.check_ops)
app.command("demo")(tasks.demo)
app.command("doctor")(doctor.doctor)


def _version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"typegrad {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Strongly typed computation graphs, differentiated as graphs."""


def run(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # some terminals cannot encode all characters
    app.rich_markup_mode = "rich" if is_fancy() else None
    try:
        get_command(app)(args=None if argv is None else list(argv), prog_name="typegrad")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0
