"""From an entry to a run, as framework/README.md tells it: each name is defined in the file that it links to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

README: Final = Path(__file__).parents[2] / "framework/README.md"
_LINKED: Final = re.compile(r"\[`(?:\w+\.)?(\w+)`\]\(([\w/.]+\.py)\)")
"""A name that links to a file: [`Scope.add`](typegrad/graph/scope.py)."""


@pytest.mark.parametrize(("name", "file"), _LINKED.findall(README.read_text(encoding="utf-8")))
def test_a_name_is_defined_where_the_readme_says(name: str, file: str) -> None:
    assert re.search(rf"^ *(def|class) {name}\b", (README.parent / file).read_text(encoding="utf-8"), re.MULTILINE)
