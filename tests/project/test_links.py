"""The links between the project's pages: each leads to a file, or to a heading of one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from typegrad_reference.guides.pages import slug

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *ROOT.glob("[!.]*/**/*.md")))
_BLOCK: Final = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_CODE: Final = re.compile(r"`[^`\n]+`(?!\])")
"""Code that is not the text of a link."""
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return _BLOCK.sub("", page.read_text(encoding="utf-8"))


def leads_somewhere(target: str, page: Path) -> bool:
    """Whether a link of a page leads to a file, or to a heading of one."""
    file, _, anchor = target.partition("#")
    path = page.parent / file if file else page
    if not anchor or not path.exists():
        return path.exists()
    return anchor in {slug(heading) for heading in re.findall(r"^#+ (.*)$", prose(path), re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    targets = [target for target in _LINK.findall(_CODE.sub("", prose(ROOT / page))) if "://" not in target]
    assert [target for target in targets if not leads_somewhere(target, ROOT / page)] == []
