"""The page on the examples: it lists every program, and the programs run as it says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "docs" / "examples"
PAGE: Final = (EXAMPLES / "README.md").read_text(encoding="utf-8")


def test_every_program_is_listed() -> None:
    listed: list[str] = re.findall(r"^\| \[([\w.]+)\]\(\1\)", PAGE, re.MULTILINE)
    programs = [path.name for path in EXAMPLES.glob("*.py") if "def main()" in path.read_text(encoding="utf-8")]
    assert sorted(listed) == sorted(programs)


def test_the_extra_that_it_names_exists() -> None:
    (extra,) = re.findall(r"`pip install 'typegrad\[(\w+)\]'`", PAGE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert extra in project["optional-dependencies"]


@pytest.mark.parametrize("options", [[], ["--without-stop-gradient"]])
def test_a_program_runs_as_the_page_says(options: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert "`--without-stop-gradient`" in PAGE and "`python three_weights.py`" in PAGE
    done = subprocess.run(
        [sys.executable, "three_weights.py", "--output", str(tmp_path), *options],
        capture_output=True,
        encoding="utf-8",
        cwd=EXAMPLES,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    moved = dict(re.findall(r"^(w[23]) moved by ([\d.]+)$", done.stdout, re.MULTILINE))
    assert moved.keys() == {"w2", "w3"}
    assert all((float(by) > 0) is bool(options) for by in moved.values())
