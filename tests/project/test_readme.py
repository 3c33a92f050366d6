"""What the README shows is what happens: its programs print what it says, mypy refuses what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from support import mypy_cache
from support.commands import Run
from support.commands import run as run
from support.markdown import section

ROOT: Final = Path(__file__).parents[2]
README: Final = (ROOT / "README.md").read_text(encoding="utf-8")

TYPES: Final = """
from typing import Any, Literal, assert_type
assert_type(gradient, tg.Operand[tg.TFloat32, {shape}])
with tg.Session(graph) as session:
    assert_type(session.run(gradient, data), np.ndarray[{shape}, np.dtype[np.float32]])
"""
"""The types that the README states."""


def python(*arguments: str, folder: Path) -> str:
    """What a Python process prints."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("title", ["", "StopGradient"])
def test_programs_print_what_the_readme_says(title: str, tmp_path: Path) -> None:
    program, printed = section(README, title)[:2]
    assert (program.language, printed.language) == ("python", "text")
    assert python("-c", program.text, folder=tmp_path) == printed.text


def mypy(folder: Path, *, plugin: bool, **programs: str) -> list[str]:
    """What mypy --strict says about programs."""
    for name, text in programs.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "mypy.ini").write_text(mypy_cache.settings(plugin=plugin))
    mypy_cache.copy(folder / ".mypy_cache", plugin=plugin)
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *(f"{name}.py" for name in programs)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False).stdout.splitlines()


def test_programs_pass_mypy(tmp_path: Path) -> None:
    first, stop_gradient = section(README, "")[0].text, section(README, "StopGradient")[0].text
    stated = first + TYPES.format(shape="tuple[Any, ...]")
    assert mypy(tmp_path, plugin=False, first=stated, stop_gradient=stop_gradient) == []


def test_programs_pass_mypy_with_the_plugin_and_the_refused_lines_do_not(tmp_path: Path) -> None:
    first, _, refused, messages = (block.text for block in section(README, ""))
    stop_gradient = section(README, "StopGradient")[0].text
    stated = first + TYPES.format(shape="tuple[Literal[2], Literal[1]]")
    result = mypy(
        tmp_path,
        plugin=True,
        first=stated,
        refused=first + refused,
        stop_gradient=stop_gradient,
    )
    lines = len(first.splitlines())
    expected = zip((lines + 2, lines + 4), messages.splitlines(), strict=True)
    assert result == [f"refused.py:{line}: {message}" for line, message in expected]


@pytest.mark.parametrize(("last", "error"), [(2, "DTypeError: Sub 'Sub"), (4, "ShapeError: MatMul 'MatMul")])
def test_the_refused_lines_fail_when_they_run(last: int, error: str) -> None:
    first, _, refused, _ = section(README, "")
    lines = refused.text.splitlines(keepends=True)
    program = first.text + "".join(lines[last - 2 : last])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert error in done.stderr


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets
    assert not [target for target in targets if not (ROOT / target.partition("#")[0]).exists()]


def test_folders_named_in_the_map_exist() -> None:
    named = re.findall(r"^\| .*?`([\w/]+)/?`.*\|", README, flags=re.MULTILINE)
    assert named
    assert not [folder for folder in named if not (ROOT / folder).is_dir()]


def test_typegrad_knows_the_commands(run: Run) -> None:
    _, _, table = README.partition("## At the command line")
    commands = re.findall(r"`typegrad ([a-z ]+)`", table.partition("\n## ")[0])
    assert len(commands) > 5
    for command in commands:
        assert f"sage: typegrad {command}" in run(*command.split(), "--help").out


def test_make_knows_the_commands() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = section(README, "Try it")[0].text.splitlines()
    assert commands == ["make demo", "make test"]
    for command in commands:
        assert re.search(rf"^{command.split()[1]}:", makefile, flags=re.MULTILINE)
