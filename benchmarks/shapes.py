"""Which mistakes in shapes two checkers find: `python benchmarks/shapes.py --pyrefly PATH`.

The same small programs in typegrad, checked by mypy in its strict mode with the plugin, and in PyTorch, checked by
Pyrefly. PATH is its command; `pyrefly-torch-stubs`, which knows the shapes of PyTorch, must be installed beside it.

`snippets/typegrad.txt` and `snippets/pytorch.txt` have the same subjects with the same mistakes. A third of the
subjects is from what Pyrefly's documentation shows, a third from what typegrad's shows, and a third is what a user of
either writes first. `###` begins a subject. Its program follows, after the lines at the top of the file, with which all
programs begin. `---` begins a mistake: lines with `-` are replaced by those with `+`. It fails when it runs, unless its
title has "(silent)": that one runs, but means something else. A mistake is found if the checker says something that it
does not say of the correct program.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

SNIPPETS: Final = Path(__file__).parent / "snippets"


class Program(NamedTuple):
    """A program to check, with the title of the mistake in it, if there is one."""

    subject: str
    mistake: str
    text: str

    @property
    def title(self) -> str:
        """The subject and the mistake."""
        return f"{self.subject}: {self.mistake}" if self.mistake else self.subject


class Finding(NamedTuple):
    """An error of a checker."""

    line: int
    message: str


def changed(program: str, edits: str) -> str:
    """The program with the lines that begin with `-` replaced by those with `+`."""
    for edit in re.findall(r"((?:^-.*\n)+)((?:^\+.*\n)*)", edits, re.MULTILINE):
        old, new = (re.sub("^.", "", lines, flags=re.MULTILINE) for lines in edit)
        if program.count(old) != 1:
            raise ValueError(f"must be in the program once:\n{old}")
        program = program.replace(old, new)
    return program


def programs(text: str) -> list[Program]:
    """The programs in a file's text, each correct one before those with a mistake."""
    common, *subjects = re.split("^### ", text, flags=re.MULTILINE)
    result: list[Program] = []
    for subject in subjects:
        body, *mistakes = re.split("^--- ", subject, flags=re.MULTILINE)
        title, _, rest = body.partition("\n")
        result.append(Program(title, "", common + rest))
        for name, _, edits in (each.partition("\n") for each in mistakes):
            result.append(Program(title, name, changed(common + rest, edits)))
    return result


def judged(chosen: Sequence[Program], findings: Sequence[Sequence[Finding]]) -> dict[str, Sequence[Finding]]:
    """What a checker says of each program; of one with a mistake, what it does not say of the correct one."""
    said: dict[str, Sequence[Finding]] = {}
    for program, here in zip(chosen, findings, strict=True):
        said[program.title] = [each for each in here if not program.mistake or each not in said[program.subject]]
    return said


def report(chosen: Sequence[Program], said: Mapping[str, Mapping[str, Sequence[Finding]]], *, every: bool) -> str:
    """The table of what each checker says, and the programs where it is wrong, or `every` program."""
    table = [" " * 18 + "".join(f"{checker:>12}" for checker in said)]
    for row, wrong in (("correct, accepted", False), ("mistakes, found", True)):
        titles = [each.title for each in chosen if bool(each.mistake) is wrong]
        counts = [sum(bool(findings[title]) is wrong for title in titles) for findings in said.values()]
        table.append(f"{row:18}" + "".join(f"{f'{count} of {len(titles)}':>12}" for count in counts))
    for checker, findings in said.items():
        for program in chosen:
            here = findings[program.title]
            verdict = ("finds" if here else "misses") if program.mistake else ("refuses" if here else "accepts")
            if every or verdict in ("refuses", "misses"):
                table += [f"{checker} {verdict}: {program.title}", *(f"    {n}: {message}" for n, message in here)]
    return "\n".join(table)


def printed(folder: Path, *command: str) -> str:
    """What a checker prints that is run in a folder."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode > 1:  # 1: errors in the programs
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout


def by_mypy(folder: Path, files: Sequence[str]) -> list[list[Finding]]:
    """mypy's errors in each file."""
    (folder / "mypy.ini").write_text("[mypy]\nstrict = true\nplugins = typegrad.mypy_plugin\n")
    lines = printed(folder, sys.executable, "-m", "mypy", "--output", "json", *files).splitlines()
    errors = [each for each in map(json.loads, lines) if each["severity"] == "error"]
    return [[Finding(each["line"], each["message"]) for each in errors if each["file"] == file] for file in files]


def by_pyrefly(folder: Path, files: Sequence[str], pyrefly: Path) -> list[list[Finding]]:
    """Pyrefly's errors in each file. It looks for the stubs in the environment in which it is itself."""
    (folder / "pyrefly.toml").write_text('python-version = "3.13"\n')
    python = f"--python-interpreter-path={pyrefly.with_name('python')}"
    errors = json.loads(printed(folder, str(pyrefly), "check", "--output-format=json", python, *files))["errors"]
    for each in errors:
        if each["name"] == "missing-import":
            raise SystemExit(f"Install pyrefly-torch-stubs beside {pyrefly}: {each['description']}")
    errors = [(each["path"], each["line"], each["description"]) for each in errors if each["severity"] == "error"]
    return [[Finding(n, " ".join(text.split())) for path, n, text in errors if path == file] for file in files]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare what mypy with typegrad's plugin and Pyrefly find.")
    parser.add_argument("--pyrefly", default="pyrefly", metavar="PATH", help="Pyrefly's command (default: from PATH)")
    parser.add_argument("--every", action="store_true", help="show what is said of every program")
    options = parser.parse_args()
    command: str = options.pyrefly
    if (pyrefly := shutil.which(command)) is None:
        parser.error(f"there is no command {command}; say where Pyrefly is: --pyrefly PATH")
    said: dict[str, dict[str, Sequence[Finding]]] = {}
    chosen: list[Program] = []
    for name in ("pytorch", "typegrad"):
        chosen = programs((SNIPPETS / f"{name}.txt").read_text(encoding="utf-8"))
        files = [f"program_{number:02}.py" for number in range(len(chosen))]
        with TemporaryDirectory() as folder:
            for file, program in zip(files, chosen, strict=True):
                (Path(folder) / file).write_text(program.text, encoding="utf-8")
            if name == "pytorch":
                said["Pyrefly"] = judged(chosen, by_pyrefly(Path(folder), files, Path(pyrefly).absolute()))
            else:
                said["typegrad"] = judged(chosen, by_mypy(Path(folder), files))
    print(report(chosen, said, every=options.every))


if __name__ == "__main__":
    main()
