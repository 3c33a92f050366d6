"""What the contributor's guide shows is so: its operation is in the tree, its commands and files exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from support.markdown import Block, section

ROOT: Final = Path(__file__).parents[2]
GUIDE: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPE: Final = section(GUIDE, "Add an operation in ten minutes")
PIECES: Final = [block for block in RECIPE if block.file]
STEM: Final = Path(PIECES[0].file).stem


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


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.file)
def test_the_pieces_are_in_the_tree(piece: Block) -> None:
    assert f"\n{piece.text.strip()}\n" in (ROOT / piece.file).read_text(encoding="utf-8")


def test_the_operation_does_what_the_guide_says() -> None:
    program, printed = (block.text for block in RECIPE if block.language in ("python", "text") and not block.file)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == printed, done.stderr


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"\bmake((?: -j2)?(?: [a-z-]+)+)(?=[`\n])", GUIDE)
    assert len(named) > 5
    assert {word for command in named for word in command.split()} - {"-j2"} <= targets


def test_files_and_folders_exist() -> None:
    paths = re.findall(r"`((?:docs|framework|ops|tests)/[\w/.*]*)`|(?:pytest|python) ((?:tests)/[\w/.]+)", GUIDE)
    named = {one or other for one, other in paths}
    assert len(named) > 15
    assert not [path for path in named if not list(ROOT.glob(path))]


def test_links_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", GUIDE, re.MULTILINE)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    targets = re.findall(r"\]\(([^)]+)\)", GUIDE)
    assert targets
    broken = [t for t in targets if (t[1:] not in anchors if t.startswith("#") else not (ROOT / t).exists())]
    assert not broken


def test_the_scripts_that_record_are_listed() -> None:
    drawing = {"record_annotated.py", "record_names.py", "record_pictures.py"}
    scripts = {path.name for path in (ROOT / "tests").glob("record_*.py")} - drawing
    assert {f"tests/{name}" for name in {"record.py", *scripts}} == set(
        re.findall(r"^\| `(tests/record\w*\.py)` ", GUIDE, re.MULTILINE)
    )
