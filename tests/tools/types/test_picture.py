"""The pictures in the guide, which are drawn from what the tests of guides compare."""

from __future__ import annotations

import re
from html import unescape

import record_annotated
import record_neovim


def test_the_picture_shows_what_the_guide_prints() -> None:
    shown = record_annotated.PICTURE.read_text(encoding="utf-8")
    assert shown == record_annotated.drawn(), "python tests/record_annotated.py draws it again"


def test_neovim_shows_the_program_of_the_guide() -> None:
    drawn = re.findall(r'<text [^>]*y="(\d+)"[^>]*>(.*?)</text>', record_neovim.PICTURE.read_text(encoding="utf-8"))
    rows = ["".join(text for at, text in drawn if at == row) for row in dict.fromkeys(at for at, _ in drawn)]
    shown = ["".join(unescape(row).split()) for row in rows]
    for line in record_neovim.block(file=record_neovim.PROGRAM).splitlines():
        assert any("".join(line.split()) in row for row in shown), f"python tests/record_neovim.py draws {line!r}"
