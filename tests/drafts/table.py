"""The table of what each type checker accepts and finds in these programs: `python tests/drafts/table.py` writes it.

`known.txt` holds what the checkers get wrong; `test_drafts.py` runs them, and fails where that is no longer so.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Final

sys.path.append(str(Path(__file__).parents[1]))
from drafts.corpus import cases, known

PAGE: Final = Path(__file__).parents[2] / "docs" / "guides" / "static-typing.md"
CHECKERS: Final = {"mypy with the plugin": "plugin", "mypy": "mypy", "basedpyright": "pyright"}
KINDS: Final = {
    "draft": "correct models accepted",
    "right": "correct idioms accepted",
    "mistake": "mistakes in models found",
    "wrong": "wrong idioms found",
}
_HEADER: Final = f"| | {' | '.join(CHECKERS)} |\n|---|{'---|' * len(CHECKERS)}\n"


def table() -> str:
    """The rows, in Markdown."""
    every = cases()
    kinds = {each.title: each.kind for each in every}
    total = Counter(kinds.values())
    wrong = [
        Counter(kinds[title] for verdict, title in known(checker) if verdict != "words")
        for checker in CHECKERS.values()
    ]
    rows = (
        f"| {text} | {' | '.join(f'{total[kind] - each[kind]} of {total[kind]}' for each in wrong)} |\n"
        for kind, text in KINDS.items()
    )
    return _HEADER + "".join(rows)


def written(page: str) -> str:
    """The page with the table as it is now."""
    before, header, rest = page.partition(_HEADER)
    assert header, "the page has no such table"
    rows = len(KINDS)
    return before + table() + "".join(rest.splitlines(keepends=True)[rows:])


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
