"""What type checkers say about the files beside this one: mypy --strict and Pyright, as in a project that uses typegrad.

Each file is about one thing.

- `pass/`: nothing is refused, and the file runs.
- `fail/`: a line that must be refused ends in `# E: arg-type / reportArgumentType`, the codes of mypy's errors (several are separated
  by commas), then Pyright's; `-` means none. Any other line must be fine.
- `reveal/`: the comment behind `reveal_type(x)` is the type, `# R: Relu[TFloat32, tuple[int, int]]`; two types, separated by a slash,
  where mypy and Pyright differ.

An expectation that is not met is a failure, and so is an error that was not expected.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import pytest

from support import mypy_cache

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
FOLDERS: Final = ("pass", "fail", "reveal")
FILES: Final = sorted(path for folder in FOLDERS for path in (HERE / folder).glob("*.py"))
COMMANDS: Final = {
    "mypy": [
        *("-m", "mypy", "--output=json", "--explicit-package-bases"),
        *(f"tests/typing/{folder}" for folder in FOLDERS),
    ],
    "pyright": ["-m", "basedpyright", "--project", str(HERE), "--pythonpath", sys.executable, "--outputjson"],
}
PATIENCE: Final = 600
"""How many seconds the checkers may take."""

_EXPECTATION: Final = re.compile(r"  # ([ER]): (.+)$")
_QUALIFIER: Final = re.compile(r"\b(?:[a-z_]\w*\.)+(?=[A-Za-z_])")
_REVEALED: Final = re.compile(r'^(?:Revealed type|Type of ".*") is "(.*)"$', re.DOTALL)


class Finding(NamedTuple):
    """One message of a checker."""

    file: Path
    line: int
    code: str
    """The code of an error, or the revealed type."""
    message: str


Report: TypeAlias = dict[Path, dict[int, list[Finding]]]


def _mypy_findings(output: str) -> Iterator[Finding]:
    for entry in map(json.loads, output.splitlines()):
        revealed = _REVEALED.match(entry["message"])
        if entry["severity"] == "error" or revealed:
            code = _QUALIFIER.sub("", revealed[1]) if revealed else entry["code"]
            yield Finding(ROOT / entry["file"], entry["line"], code, entry["message"])


def _pyright_findings(output: str) -> Iterator[Finding]:
    for entry in json.loads(output)["generalDiagnostics"]:
        revealed = _REVEALED.match(entry["message"])
        code = revealed[1] if revealed else entry.get("rule", entry["severity"])
        yield Finding(Path(entry["file"]), entry["range"]["start"]["line"] + 1, code, entry["message"])


def _run(outputs: dict[str, Path]) -> None:
    """Run the checkers side by side, once over all files; their outputs appear complete or not at all."""
    config = outputs["mypy"].with_suffix(".ini")
    config.write_text(mypy_cache.settings(plugin=False), encoding="utf-8")
    cached = [f"--config-file={config}", f"--cache-dir={mypy_cache.of_process(plugin=False)}"]
    commands = {"mypy": [*COMMANDS["mypy"], *cached], "pyright": COMMANDS["pyright"]}
    processes = {
        name: subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, cwd=ROOT, text=True)
        for name, arguments in commands.items()
    }
    for name, process in processes.items():
        output, _ = process.communicate(timeout=PATIENCE)
        unfinished = outputs[name].with_suffix(".unfinished")
        unfinished.write_text(output, encoding="utf-8")
        unfinished.replace(outputs[name])


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """What each checker found. Of several processes that run the tests, one runs the checkers and the others wait for it."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    outputs = {name: folder / f"{name}.json" for name in COMMANDS}
    try:
        (folder / "checkers").mkdir()
    except FileExistsError:
        end = time.monotonic() + PATIENCE
        while not all(path.exists() for path in outputs.values()):
            assert time.monotonic() < end, "another process runs the type checkers and does not finish"
            time.sleep(0.2)
    else:
        _run(outputs)
    reports: dict[str, Report] = {name: defaultdict(lambda: defaultdict(list)) for name in COMMANDS}
    for name, findings in (("mypy", _mypy_findings), ("pyright", _pyright_findings)):
        for finding in findings(outputs[name].read_text(encoding="utf-8")):
            reports[name][finding.file][finding.line].append(finding)
    return reports


def _expected(file: Path) -> dict[str, dict[int, str]]:
    """For each checker and line, the codes or the revealed type that the file expects."""
    expected: dict[str, dict[int, str]] = {name: {} for name in COMMANDS}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        match = _EXPECTATION.search(line)
        if match:
            sides = match[2].split(" / ")
            assert len(sides) == 2 or match[1] == "R", f"{file.name}:{number} must say what both checkers find"
            for name, side in zip(COMMANDS, (sides[0], sides[-1]), strict=True):
                if side != "-":
                    expected[name][number] = side
    return expected


def _messages(report: dict[int, list[Finding]]) -> dict[int, str]:
    return {number: ", ".join(sorted({finding.code for finding in findings})) for number, findings in report.items()}


def _name(value: Any) -> str | None:
    return f"{value.parent.name}/{value.stem}" if isinstance(value, Path) else None


@pytest.mark.parametrize("checker", COMMANDS)
@pytest.mark.parametrize("file", FILES, ids=_name)
def test_the_checker_finds_what_the_file_expects(file: Path, checker: str, reports: dict[str, Report]) -> None:
    expected, report = _expected(file)[checker], reports[checker][file]
    result = _messages(report)
    wrong = sorted(number for number in expected | result if expected.get(number) != result.get(number))
    messages = "\n".join(
        f"line {number}: expected {expected.get(number, 'nothing')}, found {result.get(number, 'nothing')}"
        + "".join(f"\n    {finding.message}" for finding in report.get(number, []))
        for number in wrong
    )
    if wrong:
        pytest.fail(f"{checker} on {_name(file)}:\n{messages}", pytrace=False)


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_the_file_expects_something_or_must_pass(file: Path) -> None:
    assert any(_expected(file).values()) == (file.parent.name != "pass")


@pytest.mark.parametrize("file", [file for file in FILES if file.parent.name == "pass"], ids=_name)
def test_what_passes_also_runs(file: Path) -> None:
    runpy.run_path(str(file))
