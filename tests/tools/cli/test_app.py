"""The command line as a whole: help, versions, exit statuses, errors without a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import version
from typing import Any, Final

import pytest

import typegrad as tg
from support.commands import Run
from typegrad.base.errors import ShapeError
from typegrad.tools.cli import ops

COMMANDS: Final = ("ops", "graph", "check", "lsp", "docs", "demo", "doctor", "codegen", "check-ops")
ANSI: Final = "\x1b["


def test_version(run: Run) -> None:
    done = run("--version")
    assert (done.status, done.out, done.err) == (0, f"typegrad {tg.__version__}\n", "")
    assert tg.__version__ == version("typegrad")


def test_as_a_module_in_a_process_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-m", "typegrad", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"typegrad {version('typegrad')}\n", "")


def test_help_names_the_commands_in_the_order_in_which_one_needs_them(run: Run) -> None:
    done = run("--help")
    assert done.status == 0
    lines = done.out.partition("Commands:")[2].partition("Exit status")[0].splitlines()
    assert [line.split()[0] for line in lines if line.strip()] == list(COMMANDS)
    assert "Exit status: 0 for success, 1 for an error, 2" in done.out


@pytest.mark.parametrize(
    "command",
    [
        ("ops", "list"), ("ops", "show"), ("ops", "search"), ("graph", "show"), ("check",), ("lsp",), ("docs", "build"),
        ("docs", "serve"), ("docs", "show"),
        ("demo",), ("doctor",), ("codegen",), ("check-ops",),
    ],
)  # fmt: skip
def test_every_option_is_described(run: Run, command: tuple[str, ...]) -> None:
    done = run(*command, "--help")
    assert done.status == 0
    options = done.out.lower().partition("options:")[2].partition("examples:")[0].splitlines()
    rows = [line for line in options if line.startswith("  -")]
    assert rows
    for row, following in zip(rows, [*options[1:], ""], strict=False):
        assert len(row.split("  ")) > 2 or following.startswith("      "), f"{row} is not described"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train",), "No such command 'train'"),
        (("demo", "--epoch", "3"), "No such option: --epoch"),
        (
            ("check", "model.py", "--python-version", "3.12"),
            "--python-version; options for mypy come after --: typegrad check model.py -- --python-version",
        ),
        (("check", "model.py", "--anotate"), "No such option: --anotate (Possible options: --annotate)"),
        (("demo", "--epochs", "0"), "Invalid value for '--epochs': expected at least 1, got 0"),
        (("demo", "--epochs", "many"), "Invalid value for '--epochs'"),
        (("demo", "--seed", "-1"), "expected between 0 and 4294967295, got -1"),
        (("codegen", "--unknown"), "unrecognized arguments: --unknown"),
        (("ops", "show"), "Missing argument 'NAME'"),
        (("ops", "search", "x", "--limit", "0"), "expected at least 1, got 0"),
    ],
)
def test_a_wrong_command_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.status == 2 and not done.out
    assert message in " ".join(done.err.split())


@pytest.mark.parametrize("arguments", [(), ("ops",), ("graph",), ("docs",)])
def test_without_a_command_the_help_is_shown(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert "Commands:" in done.out + done.err and "Usage: typegrad" in done.out + done.err


def test_plain_output_has_neither_colours_nor_boxes(run: Run) -> None:
    for arguments in (("--help",), ("ops", "show", "MatMul"), ("nonsense",), ("doctor",)):
        done = run(*arguments)
        assert ANSI not in done.out + done.err and not set("─│╭┃━┏") & set(done.out + done.err)
        assert all(line == line.rstrip() for line in done.out.splitlines())


def test_colours_where_they_are_wanted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert ANSI in run("ops", "show", "MatMul").out
    assert "─ Commands ─" in re.sub(r"\x1b\[[\d;]*m", "", run("--help").out)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colours_where_they_are_not_wanted(run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv(name, value)
    assert ANSI not in run("ops", "show", "MatMul").out + run("--help").out


def test_importing_typegrad_and_its_command_line_imports_no_library_of_it() -> None:
    large = "{'typer', 'rich', 'click', 'pylatexenc', 'importlib.metadata'}"
    program = f"import sys, typegrad.tools.cli; print(sorted({large} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_asking_for_help_loads_nothing_large() -> None:
    large = (
        "{'scipy', 'yaml', 'mypy', 'matplotlib', 'jinja2', 'typegrad_codegen', 'typegrad_reference', "
        "'typegrad.tools.pictures'}"
    )
    shown = f"print(sorted({large} & set(sys.modules)), file=sys.stderr)"
    program = f"import sys; from typegrad.tools.cli import main; main(['--help']); {shown}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def raising(error: BaseException) -> Any:
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (ShapeError("it does not fit"), 1, "typegrad: it does not fit\n"),
        (PermissionError(13, "Permission denied", "folder"), 1, "typegrad: [Errno 13] Permission denied: 'folder'\n"),
        (KeyboardInterrupt(), 130, "typegrad: interrupted\n"),
    ],
)
def test_errors_become_messages(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, message: str
) -> None:
    monkeypatch.setattr(ops, "_operations", raising(error))
    done = run("ops", "list")
    assert (done.status, done.out, done.err) == (status, "", message)


def test_a_reader_that_has_enough_is_no_error() -> None:
    command = f"{sys.executable} -m typegrad ops list --json | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "[\n" and done.stderr == ""


def test_a_terminal_without_unicode_gets_question_marks() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "typegrad", "ops", "show", "Softmax"]
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 0 and b"?" in done.stdout and done.stdout.isascii()


def test_the_shell_completes_commands_and_operations() -> None:
    for words, expected in (
        ("typegrad gr", "graph"),
        ("typegrad ops show MatM", "MatMul"),
        ("typegrad ops show mat_m", "mat_mul"),
    ):
        asked = {"_TYPEGRAD_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
        command = [sys.executable, "-c", "from typegrad.tools.cli import main; main()"]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **asked}, check=False)
        assert done.stdout.split() == [expected], done.stderr
