"""`make help` lists every target, and continuous integration runs targets that exist."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
MAKEFILE: Final = (ROOT / "Makefile").read_text(encoding="utf-8")
(TARGETS,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)


def test_help_lists_every_target_with_a_line() -> None:
    listed = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert [line.split()[0] for line in listed] == TARGETS.split()
    assert all(re.fullmatch(r"[a-z-]+ +\S.{6,110}", line) for line in listed)


def test_every_check_is_a_part_of_the_test() -> None:
    (checks,) = re.findall(r"^test: (.*?)  ##", MAKEFILE, re.MULTILINE)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert {target for command in re.findall(r"entry: make ([a-z ]+),", hooks) for target in command.split()} <= set(
        checks.split()
    )
    assert "make test " in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
