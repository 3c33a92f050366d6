"""What the contributor's guide shows is what happens: its recipe adds an operation, its commands and files exist."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from support.markdown import section

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE: Final = section(GUIDE, "Add an operation in ten minutes")
PIECES: Final = [block for block in RECIPE if block.file]
COPIED: Final = ("ops", "codegen", "framework", "tests/cases", "tests/support")
STEM: Final = Path(PIECES[0].file).stem
CASES: Final = f"""
import typegrad as tg
from cases.{STEM} import CASES
from typegrad.op.sparse import SparseSegmentSum

for case in CASES:
    if case.op == "SparseSegmentSum":
        scope = tg.Scope(tg.Graph())
        try:
            y = SparseSegmentSum.create(scope, *case.inputs)
            with tg.Session(scope.graph) as session:
                assert session.run(y).dtype == case.inputs[0].dtype
        except (tg.ShapeError, tg.InvalidArgumentError):
            assert case.fails, case
        else:
            assert not case.fails, case
"""


def python(*arguments: str, folder: Path) -> str:
    """What a Python process prints that runs on the copy of the project in `folder`."""
    roots = (str(folder / name) for name in ("framework", "codegen", "tests"))
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(roots)},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the guide has been followed."""
    folder = tmp_path_factory.mktemp("project")
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name)  # compiled modules too, which are valid for the copies
    for piece in PIECES:
        with (folder / piece.file).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{piece.text}")
    (generate,) = (block.text for block in RECIPE if block.text.startswith("typegrad "))
    python("-m", *generate.split(), folder=folder)
    return folder


def test_each_piece_has_its_place() -> None:
    folders = (
        "ops",
        "framework/typegrad/shapes",
        "framework/typegrad/kernels",
        "framework/typegrad/rules",
        "tests/cases",
    )
    assert [Path(piece.file).parent.as_posix() for piece in PIECES] == list(folders)
    assert {Path(piece.file).stem for piece in PIECES} == {STEM}


def test_an_operation_is_added_as_the_guide_says(project: Path) -> None:
    program, printed = (block.text for block in RECIPE if block.language in ("python", "text") and not block.file)
    assert python("-c", program, folder=project) == printed


def test_the_operation_takes_and_refuses_what_its_cases_say(project: Path) -> None:
    python("-c", CASES, folder=project)


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"\bmake((?: [a-z-]+)+)(?=[`\n])", GUIDE)
    assert len(named) > 5
    assert {word for command in named for word in command.split()} <= targets


def test_files_and_folders_exist() -> None:
    paths = re.findall(r"`((?:docs|framework|ops|tests)/[\w/.*]*)`|(?:pytest|python) ((?:tests)/[\w/.]+)", GUIDE)
    named = {one or other for one, other in paths}
    assert len(named) > 15
    assert not [path for path in named if not list(ROOT.glob(path))]


def test_the_scripts_that_record_are_listed() -> None:
    drawing = {f"record_{name}.py" for name in ("annotated", "names", "neovim", "pictures", "vscode")}
    scripts = {path.name for path in (ROOT / "tests").glob("record_*.py")} - drawing
    assert {f"tests/{name}" for name in {"record.py", *scripts}} == set(
        re.findall(r"^\| `(tests/record\w*\.py)` ", GUIDE, re.MULTILINE)
    )
