"""The code blocks of a page of Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent
from typing import Final

__all__ = ["Block", "section"]

_BLOCK: Final = re.compile(r"((?:[^\n]+\n)*)\n( *)```(\w+)\n(.*?)^\2```\n", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A code block, and the first file named in the paragraph above it."""

    language: str
    text: str
    file: str


def section(page: str, title: str) -> list[Block]:
    """The code blocks under a heading of the second level; "" is the part before the first one."""
    parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)
    body = dict(zip(["", *parts[1::2]], parts[::2], strict=True))[title]
    blocks: list[Block] = []
    for above, _, language, text in _BLOCK.findall(body):
        file = re.search(r"`([\w/]+\.(?:py|yaml))`", above)
        blocks.append(Block(language, dedent(text), file[1] if file else ""))
    assert len(blocks) == body.count("```") // 2
    return blocks
