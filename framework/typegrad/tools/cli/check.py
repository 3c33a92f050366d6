"""`typegrad check`: mypy with typegrad's plugin, whether or not the project's settings contain it.

mypy takes plugins only from a configuration file. The command reads the settings that mypy would find, adds the plugin
if it is missing, and runs mypy with a copy of them in a temporary file. The project's files are not changed.
`--annotate` and `--coverage` run mypy in this process, and ask it for the types of expressions (`seen`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperCommand

from typegrad.tools.cli.output import need
from typegrad.tools.cli.programs import programs_in

if TYPE_CHECKING:
    from typegrad.tools.types.notebooks import Notebook

__all__ = ["SETTINGS", "check"]


class _Check(TyperCommand):
    """The command, which says where options of mypy go."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line."""
        try:
            return super().parse_args(ctx, args)
        except Exception as unread:  # click's, or that of the copy of click in typer
            error: Any = unread
            if getattr(error, "option_name", "") and not getattr(error, "possibilities", None):
                error.message += f"; options for mypy come after --: typegrad check model.py -- {error.option_name}"
            raise


SETTINGS: Final[dict[str, Any]] = {
    "cls": _Check,
    "epilog": (
        "The exit status is mypy's: 0 without errors, 1 with errors in the files, 2 if mypy could not check them.\n\n"
        "\b\nExamples:\n  typegrad check model.py\n  typegrad check --strict src tests\n"
        "  typegrad check model.py -- --python-version 3.12\n  typegrad check --annotate model.py\n"
        "  typegrad check --coverage src"
    ),
}
_CONFIG_FILE: Final = "--config-file"
_MYPY_PATH: Final = "MYPYPATH"


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES",
            help="Files, folders and notebooks, by default the ones in the settings. Options for mypy come after --.",
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Check strictly, as mypy --strict does, unless the settings say otherwise.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: one object a line for each message or annotation.")
    ] = False,
    annotate: Annotated[
        bool, typer.Option("--annotate", help="Print the files with the element types and shapes behind the lines.")
    ] = False,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="List the operations whose element type or shape is not known, with reasons."),
    ] = False,
) -> None:
    """Check the types and static shapes of a program, with mypy and typegrad's plugin.

    Uses the settings that mypy would find (mypy.ini, .mypy.ini, pyproject.toml or setup.cfg, here or in a parent
    folder) with the plugin added; the files are not changed. A --config-file after -- replaces them. If modules of one
    name are in several folders, the modules of each folder are checked as a program of their own.
    """
    need("check")
    if annotate and coverage:
        raise typer.BadParameter("it excludes --annotate", param_hint="--coverage")
    notebooks = _notebooks(files or ())
    from typegrad.tools.cli.mypy_settings import settings_file, states_files

    config_file, arguments = _without_config_file(files or ())
    with settings_file(config_file, strict=strict, notebooks=[each.path for each in notebooks]) as file:
        if not arguments and not states_files(file):
            raise typer.BadParameter("name a file or a folder: typegrad check model.py", param_hint="FILES")
        programs = _of_notebooks(notebooks, arguments) if notebooks else programs_in(file, arguments)
        if annotate or coverage:
            from typegrad.tools.cli.seen import show_annotated, show_coverage

            show = show_annotated if annotate else show_coverage
            status = max(show(file, each, notebooks, as_json=as_json) for each in programs)
        else:
            output = ["--output", "json"] if as_json else []
            command = [sys.executable, "-m", "mypy", _CONFIG_FILE, str(file), *output]
            run = partial(_run_on, notebooks) if notebooks else _run_for_json if as_json else _run
            status = max(run([*command, *each]) for each in programs)
    raise typer.Exit(status)


def _run(command: Sequence[str]) -> int:
    return subprocess.run(command, check=False).returncode


def _run_for_json(command: Sequence[str]) -> int:
    """Run mypy, and print what it says without the empty line that it ends with where it says nothing."""
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    for line in filter(None, done.stdout.splitlines()):
        typer.echo(line)
    return done.returncode


def _notebooks(arguments: Sequence[str]) -> list[Notebook]:
    """The notebooks among the files. A file that is not one of Python ends the command: mypy would read any text.

    Behind an option, a file may be its value.
    """
    from typegrad.tools.types.notebooks import Notebook, NotebookError
    from typegrad.tools.types.python_files import is_notebook, is_python

    notebooks: list[Notebook] = []
    for argument in takewhile(lambda each: not each.startswith("-"), arguments):
        if not Path(argument).is_file():
            continue
        if is_notebook(argument):
            try:
                notebooks.append(Notebook.read(argument))
            except NotebookError as error:
                _end(str(error))
        elif not is_python(argument, _first_line(argument)):
            _end(f"{argument} is not checked: names of Python's files end in .py, not {Path(argument).suffix}")
    return notebooks


def _of_notebooks(notebooks: Sequence[Notebook], arguments: Sequence[str]) -> Sequence[Sequence[str]]:
    """The arguments of each program: mypy takes notebooks of one name for one module. The first one has other files."""
    files = list(takewhile(lambda each: not each.startswith("-"), arguments))
    paths, counts = {each.path for each in notebooks}, Counter[str]()
    programs: dict[int, list[str]] = {}
    for file in files:
        number = counts[Path(file).name] if file in paths else 0
        programs.setdefault(number, []).append(file)
        counts[Path(file).name] += file in paths
    return [[*program, *arguments[len(files) :]] for program in programs.values()]


def _run_on(notebooks: Sequence[Notebook], command: Sequence[str]) -> int:
    """Run mypy with the cells in the place of the notebooks, and print what it says of them; its exit status.

    A notebook imports from its folder, as Jupyter runs it there.
    """
    from typegrad.tools.types.notebooks import placed

    folders = [str(Path(each.path).resolve().parent) for each in notebooks]
    paths = os.pathsep.join(filter(None, [os.environ.get(_MYPY_PATH), *dict.fromkeys(folders)]))
    with TemporaryDirectory(prefix="typegrad-") as folder:
        options = ["--scripts-are-modules"]
        for number, notebook in enumerate(notebooks):
            file = Path(folder, f"{number}.py")
            file.write_text(notebook.text, encoding="utf-8")
            options += ["--shadow-file", notebook.path, str(file)]
        environment = {**os.environ, _MYPY_PATH: paths}
        done = subprocess.run([*command, *options], check=False, stdout=subprocess.PIPE, text=True, env=environment)
    for line in filter(None, done.stdout.splitlines()):
        typer.echo(placed(line, notebooks))
    return done.returncode


def _end(why: str) -> NoReturn:
    """End the command, which cannot check the files."""
    typer.echo(f"typegrad: {why}", err=True)
    raise typer.Exit(2)


def _first_line(file: str) -> str:
    with Path(file).open(encoding="utf-8", errors="replace") as stream:
        return stream.readline()


def _without_config_file(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Split the arguments into the value of `--config-file`, if any, and the others."""
    config_file: str | None = None
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == _CONFIG_FILE:
            config_file = next(waiting, "")
        elif argument.startswith(f"{_CONFIG_FILE}="):
            config_file = argument.partition("=")[2]
        else:
            rest.append(argument)
    return config_file, rest
