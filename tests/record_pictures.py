"""Draw the README's picture again, from the README's program: `python tests/record_pictures.py`, with Chromium
installed.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any, Final

from PIL import Image

from support.browser import launched

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "pictures" / "stop-gradient.png"
WIDTH, HEIGHT = 1000, 860


def page(folder: Path) -> Path:
    """The page that `graph.show(y=loss)` opens, of the program in the section on StopGradient."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("## StopGradient\n", 1)[1]
    program = re.search(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert program is not None
    names: dict[str, Any] = {}
    exec(compile(program[1], "README.md", "exec"), names)
    path = folder / "graph.html"
    names["graph"].show(path, y=names["loss"])
    return path


def main() -> None:
    """Draw it."""
    with tempfile.TemporaryDirectory() as folder:
        for browser in launched():
            browser.open(page(Path(folder)), width=WIDTH, height=HEIGHT)
            browser.run("document.querySelector('[aria-label=\"Collapse all scopes\"]').click()")
            browser.settle()
            browser.screenshot(PICTURE)
    Image.open(PICTURE).convert("RGB").quantize(256).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
