"""Checking the types of pages: one run of mypy --strict, with typegrad's plugin, over every program of every page."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import frozen

from typegrad_reference.guides.pages import Code, Kind, Page, PageError

__all__ = ["check_types"]

_SETTINGS: Final = "[mypy]\nstrict = true\nplugins = typegrad.mypy_plugin\n"
_FAILS: Final = "# mypy: disable-error-code=typegrad-run\n"
"""The last line of a program that raises an error on purpose."""
_LINE: Final = re.compile(r"(?P<file>[^:]+):(?P<line>\d+): (?P<text>(?:error|note): .*)")


@frozen
class _Place:
    """A line of a program: its block, and its number in the page."""

    page: Page
    position: int
    line: int


def check_types(pages: Sequence[Page], *, cache: Path = Path(".mypy_cache") / "pages") -> list[Page]:
    """The pages with what mypy says now about the blocks that show it.

    Pages that write files, which their programs may depend on, are left out, and so is code of other libraries: both
    are run.

    Args:
        pages: The pages.
        cache: Where mypy remembers NumPy and typegrad between two runs, which saves it half a minute.

    Raises:
        PageError: mypy says something about a block that does not show it. The message lists all of it.
    """
    lines: dict[str, list[_Place]] = {}
    with TemporaryDirectory() as folder:
        for page in pages:
            if not page.writes_files:
                lines |= _write_programs(page, Path(folder))
        said = list(_mypy(Path(folder), list(lines), cache.resolve())) if lines else []
    messages: dict[Path, dict[tuple[int, Kind], str]] = {}
    problems: list[str] = []
    for file, line, text in said:
        place = lines[file][line - 1]
        block = place.page.blocks[place.position]
        if isinstance(block, Code) and "mypy" in block.words:
            texts = messages.setdefault(place.page.path, {})
            texts[place.position, "mypy"] = texts.get((place.position, "mypy"), "") + f"{text}\n"
        else:
            problems.append(f"{place.page.path}:{place.line}: {text}")
    problems += _silent(pages, messages)
    if problems:
        raise PageError("\n".join(problems))
    return [page.with_results(messages.get(page.path, {})) for page in pages]


def _write_programs(page: Page, folder: Path) -> dict[str, list[_Place]]:
    """Write each program of the page to its file; for each file, where its lines come from."""
    written: dict[str, list[_Place]] = {}
    for number, program in enumerate(page.programs()):
        if _code(page, program[0]).library:
            continue
        name = page.module(number)
        blocks = [_code(page, position) for position in program]
        end = _FAILS if any("raises" in block.words for block in blocks) else ""
        (folder / name).write_text("".join(block.text for block in blocks) + end, encoding="utf-8")
        written[name] = [
            _Place(page, position, block.line + index)
            for position in program
            for block in [_code(page, position)]
            for index in range(block.text.count("\n"))
        ]
    return written


def _code(page: Page, position: int) -> Code:
    block = page.blocks[position]
    if not isinstance(block, Code):
        raise TypeError(f"block {position} of {page.path} is not code")
    return block


def _mypy(folder: Path, files: Sequence[str], cache: Path) -> Iterator[tuple[str, int, str]]:
    """What mypy says: file, line and text."""
    (folder / "mypy.ini").write_text(_SETTINGS, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", str(cache), *files]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder, check=False)
    for line in done.stdout.splitlines():
        match = _LINE.fullmatch(line)
        if match is None or done.stderr:
            raise PageError(f"mypy did not check the pages: {line}\n{done.stderr}")
        yield match["file"], int(match["line"]), match["text"]


def _silent(pages: Sequence[Page], messages: dict[Path, dict[tuple[int, Kind], str]]) -> Iterator[str]:
    """The blocks that show what mypy says, although it says nothing."""
    for page in pages:
        if page.writes_files:
            continue
        for position, block in enumerate(page.blocks):
            is_silent = (position, "mypy") not in messages.get(page.path, {})
            if isinstance(block, Code) and "mypy" in block.words and is_silent:
                yield f"{page.path}:{block.line}: mypy says nothing about this block; leave out the word `mypy`"
