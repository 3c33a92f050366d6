"""The command line: help, versions, exit statuses, and errors without a traceback."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

import pytest

from typegrad import cli

ROOT: Final = Path(__file__).parents[2]


def typegrad(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """`python -m typegrad` in a process of its own."""
    command = [sys.executable, "-m", "typegrad", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_version() -> None:
    done = typegrad("--version")
    assert (done.returncode, done.stdout) == (0, f"typegrad {version('typegrad')}\n")


def test_help_names_the_commands() -> None:
    done = typegrad("--help")
    assert done.returncode == 0
    assert "demo" in done.stdout and "codegen" in done.stdout


def test_help_of_the_commands() -> None:
    assert "--epochs" in typegrad("demo", "--help").stdout
    assert "--check" in typegrad("codegen", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: COMMAND"),
        (("train",), "invalid choice: 'train'"),
        (("demo", "--epoch", "3"), "unrecognized arguments: --epoch 3"),
        (("demo", "--epochs", "0"), "0 is not a positive number"),
        (("demo", "--epochs", "many"), "invalid _count value: 'many'"),
        (("demo", "--seed", "-1"), "-1 is not between 0 and 4294967295"),
        (("codegen", "--unknown"), "unrecognized arguments: --unknown"),
    ],
)
def test_a_wrong_command_line(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        cli.main(arguments)
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err


def test_a_missing_library_is_named_with_the_remedy(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "find_spec", lambda name: None if name == "sklearn" else name)
    assert cli.main(["demo"]) == 1
    assert capsys.readouterr().err == "typegrad: the demo needs scikit-learn: run pip install 'typegrad[demo]'\n"


def test_a_folder_that_cannot_be_made_is_an_error_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    file = tmp_path / "file"
    file.write_text("")
    assert cli.main(["demo", "--output", str(file)]) == 1
    assert capsys.readouterr().err.startswith("typegrad: [Errno 17] File exists")


def test_the_generated_code_is_up_to_date() -> None:
    done = typegrad("codegen", "--check")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_codegen_without_a_registry_says_so(tmp_path: Path) -> None:
    done = typegrad("codegen", folder=tmp_path)
    assert done.returncode == 1
    assert "no registry here" in done.stderr and "Traceback" not in done.stderr
