"""Draw the guide's picture of Neovim again: `python tests/record_neovim.py`, with Neovim 0.11 and tmux installed.

Neovim has the guide's settings, and shows the guide's program.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from support.terminal import drawing
from typegrad_reference.guides.pages import Code, read

ROOT: Final = Path(__file__).parents[1]
GUIDE: Final = ROOT / "docs" / "guides" / "seeing-the-types.md"
PICTURE: Final = ROOT / "docs" / "pictures" / "neovim.svg"
PROGRAM: Final = "layers.py"
_WIDTH, _BELOW = 100, 3
"""The width of the terminal, and how many lines it has below those of the program."""
_HOVER: Final = ("G", "f", "h", "K")
"""Keys: to the first h of the last line, and show what is known of it."""
_DEADLINE: Final = 120


def main() -> None:
    """Draw it."""
    for program in ("nvim", "tmux"):
        assert which(program), f"this needs {program}, which is not on the path"
    with TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder)
        tmux = ["tmux", "-S", str(folder / "socket"), "-f", "/dev/null"]
        try:
            light, dark = _captured(tmux, folder)
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)
    PICTURE.write_text(drawing(light, dark), encoding="utf-8")


def block(**stated: str) -> str:
    """The guide's first block with this language, or of this file."""
    blocks = (each for each in read(GUIDE).blocks if isinstance(each, Code))
    return next(each.text for each in blocks if all(getattr(each, key) == value for key, value in stated.items()))


def _write(folder: Path) -> None:
    for file, text in ((PROGRAM, block(file=PROGRAM)), ("init.lua", block(language="lua"))):
        (folder / file).write_text(text, encoding="utf-8")


def _captured(tmux: list[str], folder: Path) -> tuple[str, str]:
    """The screen in Neovim's light colours and in its dark ones."""
    height = len((folder / PROGRAM).read_text(encoding="utf-8").splitlines()) + _BELOW
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    command = f"env 'PATH={path}' COLORTERM=truecolor nvim -n --clean -u init.lua {PROGRAM}"
    size = ["-x", str(_WIDTH), "-y", str(height)]
    subprocess.run([*tmux, "new-session", "-d", *size, "-c", str(folder), command], check=True)
    _wait(tmux, "inner dimensions differ")
    captures: list[str] = []
    for colours in ("light", "dark"):
        subprocess.run(
            [*tmux, "send-keys", "Escape", f":set background={colours} | echo", "Enter", *_HOVER], check=True
        )
        _wait(tmux, " h: float32")
        captures.append(_screen(tmux, "-e", "-N"))
    return captures[0], captures[1]


def _wait(tmux: list[str], text: str) -> None:
    """Wait until the screen shows a text."""
    end = time.monotonic() + _DEADLINE
    while text not in (shown := _screen(tmux)):
        assert time.monotonic() < end, f"Neovim does not show {text!r}:\n{shown}"
        time.sleep(0.2)
    time.sleep(0.5)


def _screen(tmux: list[str], *options: str) -> str:
    done = subprocess.run([*tmux, "capture-pane", "-p", *options], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


if __name__ == "__main__":
    main()
