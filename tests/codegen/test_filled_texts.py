"""Markdown is wrapped to a width, except for what loses its meaning then."""

from __future__ import annotations

from typing import Final

import pytest

from typegrad_codegen.docs import filled

LONG: Final = "one two three four five"
TEXTS: Final = {
    "a paragraph": (LONG, "one two three\nfour five"),
    "an item of a list": (f"- {LONG}", "- one two\n  three four\n  five"),
    "a paragraph of an item": (f"- one\n\n    {LONG}", "- one\n\n    one two\n    three four\n    five"),
    "a block of code": (f"text\n\n    {LONG}\n    six", f"text\n\n    {LONG}\n    six"),
    "a block of code behind a list": (f"- one\n\ntext\n\n    {LONG}", f"- one\n\ntext\n\n    {LONG}"),
    "a fenced block": (f"```\n{LONG}\n```", f"```\n{LONG}\n```"),
    "a row of a table": (f"| {LONG} |", f"| {LONG} |"),
    "a displayed formula": (f"$$ {LONG} $$", f"$$ {LONG} $$"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text(name: str) -> None:
    text, expected = TEXTS[name]
    assert filled(text, 14) == expected
