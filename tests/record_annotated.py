"""Draw the picture of an annotated file again, from the guide that shows it: `python tests/record_annotated.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from support.annotated import drawing
from typegrad_reference.guides.pages import Code, Output, read

ROOT: Final = Path(__file__).parents[1]
GUIDE: Final = ROOT / "docs" / "guides" / "seeing-the-types.md"
PICTURE: Final = ROOT / "docs" / "pictures" / "annotated.svg"


def drawn() -> str:
    """The drawing of what `typegrad check --annotate` prints in the guide, which the tests of guides compare."""
    blocks = read(GUIDE).blocks
    command = next(n for n, each in enumerate(blocks) if isinstance(each, Code) and "--annotate" in each.text)
    shown = next(each for each in blocks[command:] if isinstance(each, Output))
    return drawing(shown.text)


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
