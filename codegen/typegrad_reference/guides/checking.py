"""Read the guides and the pages of operations, update the results that they show, and report outdated ones.

`python -m typegrad_reference.guides` checks the project's pages; with `--write`, it rewrites the results, so that no
output is ever copied by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from typegrad_reference.guides.page_types import check_types
from typegrad_reference.guides.pages import Page, PageError, read
from typegrad_reference.guides.programs import run

__all__ = ["Guide", "difference", "load", "main", "of_operations", "refresh", "run"]

Guide = Page


def load(folder: Path) -> list[Guide]:
    """The guides in a folder, in the order in which its README.md lists them.

    Raises:
        PageError: A page does not keep the conventions, or the list and the folder disagree.
        OSError: There is no README.md.
    """
    index = folder / "README.md"
    listed = list(dict.fromkeys(re.findall(r"\]\(([\w-]+\.md)\)", index.read_text(encoding="utf-8"))))
    there = {path.name for path in folder.glob("*.md")} - {index.name}
    if there != set(listed):
        raise PageError(
            f"{index}:1: the list of guides and the folder disagree about {', '.join(sorted(there ^ set(listed)))}"
        )
    return [read(folder / name, order) for order, name in enumerate(listed)]


def of_operations(folder: Path) -> list[Page]:
    """The pages that belong to entries of the registry in a folder."""
    return [read(path) for path in sorted((folder / "pages").glob("*.md"))]


def refresh(pages: Sequence[Page]) -> list[Page]:
    """The pages with what their blocks show now; `PageError` if one does what it should not."""
    return [run(page) for page in check_types(pages)]


def difference(page: Page, fresh: Page) -> str:
    """What a page shows and what it should show, as a unified diff; "" if that is the same."""
    before, after = (each.source.splitlines(keepends=True) for each in (page, fresh))
    return "".join(unified_diff(before, after, f"{page.path}", f"{page.path} (now)"))


def main(argv: Sequence[str] | None = None) -> int:
    """Check or rewrite pages; 0 if all is well."""
    parser = argparse.ArgumentParser(
        prog="python -m typegrad_reference.guides",
        description="Run the guides and compare what they show.",
        allow_abbrev=False,
    )
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="pages to check; by default all")
    parser.add_argument("--write", action="store_true", help="rewrite what the pages show")
    options = parser.parse_args(argv)
    try:
        pages = [read(path) for path in options.pages] or [*load(Path("docs") / "guides"), *of_operations(Path("ops"))]
        fresh = refresh(pages)
    except (PageError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    changed = [(page, new) for page, new in zip(pages, fresh, strict=True) if page.source != new.source]
    for page, new in changed:
        print(difference(page, new), end="")
        if options.write:
            page.path.write_text(new.source, encoding="utf-8")
    return 0 if options.write else int(bool(changed))


if __name__ == "__main__":
    sys.exit(main())
