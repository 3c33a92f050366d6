"""`typegrad check`: mypy with typegrad's plugin, whatever the project's settings say of plugins.

mypy takes plugins from a configuration file only. So the settings that mypy would find are read, the plugin is added where it is missing,
and mypy runs with a copy of that in a temporary file. Nothing of the project is changed.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

import typer

from typegrad.tools.cli.output import need

__all__ = ["SETTINGS", "check"]

SETTINGS: Final[dict[str, Any]] = {
    "epilog": (
        "The exit status is mypy's: 0 without errors, 1 with errors in the files, 2 if mypy could not check them.\n\n"
        "\b\nExamples:\n  typegrad check model.py\n  typegrad check --strict src tests\n"
        "  typegrad check model.py -- --python-version 3.12"
    )
}
_CONFIG_FILE: Final = "--config-file"


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES",
            help="Files and folders to check, by default those that the settings name. After --, options for mypy.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Check strictly, as mypy --strict does, where the settings do not say otherwise.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print mypy's JSON: an object a line for each message.")
    ] = False,
) -> None:
    """Check the types and static shapes of a program, with mypy and typegrad's plugin.

    The settings are those that mypy would find (mypy.ini, .mypy.ini, pyproject.toml or setup.cfg, here or in a folder above), with the
    plugin added; the files themselves stay as they are. A file that is given after -- with --config-file takes their place.
    """
    need("check")
    from typegrad.tools.cli.mypy_settings import find_settings, read_settings

    given, arguments = _without_config_file(files or ())
    settings = read_settings(
        find_settings(Path.cwd()) if given is None else Path(given) if given else None, strict=strict
    )
    with TemporaryDirectory(prefix="typegrad-") as folder:
        file = Path(folder, "mypy.ini")
        with file.open("w", encoding="utf-8") as stream:
            settings.write(stream)
        output = ["--output", "json"] if as_json else []
        command = [sys.executable, "-m", "mypy", _CONFIG_FILE, str(file), *output, *arguments]
        status = subprocess.run(command, check=False).returncode
    raise typer.Exit(status)


def _without_config_file(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The value of `--config-file`, if it is given, and the other arguments."""
    found: str | None = None
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == _CONFIG_FILE:
            found = next(waiting, "")
        elif argument.startswith(f"{_CONFIG_FILE}="):
            found = argument.partition("=")[2]
        else:
            rest.append(argument)
    return found, rest
