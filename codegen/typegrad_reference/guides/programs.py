"""Running a page: its programs, commands and pictures, in one process of its own and in a folder of its own.

`run` starts the process, and `python -m typegrad_reference.guides.programs` is that process: it reads the page and
writes what each block shows.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast, final

from typegrad_reference.guides.pages import Code, Kind, Page, PageError, Picture, Results, parse

if TYPE_CHECKING:
    from typegrad import Graph

__all__ = ["mermaid", "run"]

_COMMANDS: Final = ("mypy", "python", "typegrad")
"""What the commands of a page may start with. Each runs with the interpreter that runs the page."""

_COPIED: Final = ("ops", "codegen", "framework")
"""The folders of the project that a page which changes it works on."""

_WIDTH: Final = "100"
"""How wide a command takes the terminal to be."""


def mermaid(graph: Graph, **options: Any) -> str:
    """A picture as written in a page: Mermaid, in which each scope is one box."""
    return graph.to_mermaid(depth=0, **options)


def run(page: Page, *, draw: str = "typegrad_reference.guides.programs:mermaid") -> Page:
    """The page with what its blocks show now: what they print, how they fail, and its pictures.

    Args:
        page: The page. One that adds to files of the project must be in a checkout of it.
        draw: The import path of the function that draws a picture; it gets the arguments that the page states, a graph
            first, and returns text. For Mermaid it is the default, for a site `typegrad.tools.pictures:figure`.

    Raises:
        PageError: A block fails that should not, or does not fail although it should.
    """
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "COLUMNS": _WIDTH, "NO_COLOR": "1", "TERM": "dumb"}
        if page.changes_project:
            sources = _copy_project(page, Path(folder))
            environment["PYTHONPATH"] = os.pathsep.join(map(str, sources))
        done = subprocess.run(
            [sys.executable, "-m", "typegrad_reference.guides.programs", str(page.path), draw],
            input=page.source,
            capture_output=True,
            encoding="utf-8",
            cwd=folder,
            env=environment,
            check=False,
        )
    if done.returncode:
        raise PageError(done.stderr or f"{page.path}: the process that ran it ended with status {done.returncode}")
    return page.with_results({(position, kind): text for position, kind, text in json.loads(done.stdout)})


def _copy_project(page: Page, folder: Path) -> list[Path]:
    """Copy the project that the page is in; the source roots of the copy."""
    root = next((parent for parent in page.path.resolve().parents if (parent / "ops").is_dir()), None)
    if root is None:
        raise PageError(f"{page.path}: the page adds to files of the project, so it must be in a checkout of it")
    for name in _COPIED:
        copytree(root / name, folder / name, ignore=ignore_patterns("__pycache__"))
    return [folder / "framework", folder / "codegen"]


@final
class _Run:
    """One run of a page, in this process and in the folder of the page."""

    def __init__(self, page: Page, draw: str) -> None:
        """Nothing has run yet."""
        self._page = page
        self._draw = draw
        self._modules: dict[int, ModuleType] = {}
        for number, program in enumerate(page.programs()):
            self._modules |= dict.fromkeys(program, _module(page.module(number)))
        self._main: dict[str, object] = {}

    def results(self) -> Results:
        """Run everything in order; what there is to show of each block."""
        results: dict[tuple[int, Kind], str] = {}
        for position, block in enumerate(self._page.blocks):
            if isinstance(block, Picture):
                results[position, "draws"] = self._picture(block)
            elif isinstance(block, Code) and block.file:
                self._write(block)
            elif isinstance(block, Code) and block.language == "sh":
                if block.runs:
                    results[position, block.shown[0]] = self._commands(block)
            elif isinstance(block, Code) and block.is_program:
                self._python(position, block, results)
        return results

    def _python(self, position: int, block: Code, results: dict[tuple[int, Kind], str]) -> None:
        if block.library and find_spec(block.library) is None:
            return
        module = self._modules[position]
        if not block.library:
            self._main = module.__dict__
        before = self._text_before(position)
        if not block.runs:
            return
        printed = StringIO()
        error: Exception | None = None
        try:
            with redirect_stdout(printed):
                code = compile("\n" * before.count("\n") + block.text, str(module.__file__), "exec", dont_inherit=True)
                exec(code, module.__dict__)
        except Exception as raised:  # noqa: BLE001  whatever the reader's program may raise
            error = raised
        if (error is not None) != ("raises" in block.words):
            self._refuse(block, error)
        ending = "".join(traceback.format_exception_only(error)) if error is not None else ""
        results[position, "raises" if error is not None else "prints"] = self._tidy(printed.getvalue() + ending)

    def _text_before(self, position: int) -> str:
        """What comes before this block in its program."""
        program = next(program for program in self._page.programs() if position in program)
        blocks = cast("Sequence[Code]", [self._page.blocks[other] for other in program if other < position])
        return "".join(block.text for block in blocks)

    def _refuse(self, block: Code, error: Exception | None) -> None:
        if error is None:
            raise PageError(f"{self._place(block)}: this block should raise an error, but does not")
        trace = "".join(traceback.format_exception(error)[2:])
        raise PageError(
            f"{self._place(block)}: this block raises an error; if it should, write ```python raises\n{trace}"
        )

    def _commands(self, block: Code) -> str:
        """Run the commands of a block, one a line; what they print."""
        printed: list[str] = []
        failed = False
        for line in block.text.splitlines():
            program, *arguments = shlex.split(line, comments=True) or [""]
            if not program:
                continue
            if program not in _COMMANDS:
                raise PageError(
                    f"{self._place(block)}: {program!r} cannot be run here, only {', '.join(_COMMANDS)}; mark "
                    "what installs something with ```sh install"
                )
            module = [] if program == "python" else ["-m", program]
            done = subprocess.run(
                [sys.executable, *module, *arguments], capture_output=True, encoding="utf-8", check=False
            )
            printed += [done.stdout, done.stderr]
            failed = failed or done.returncode != 0
        text = self._tidy("".join(printed))
        if failed != ("raises" in block.words):
            outcome = "fails; if it should, write ```sh raises" if failed else "should fail, but does not"
            raise PageError(f"{self._place(block)}: this command {outcome}\n{text}")
        return text

    def _write(self, block: Code) -> None:
        file = Path(block.file)
        if block.appends != file.exists():
            reason = (
                "is not a file of the project" if block.appends else "is there already; to add to it, write `append`"
            )
            raise PageError(f"{self._place(block)}: {block.file} {reason}")
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"\n\n{block.text}" if block.appends else block.text)

    def _picture(self, block: Picture) -> str:
        module, _, name = self._draw.partition(":")
        try:
            draw = getattr(import_module(module), name)
            drawing: str = eval(f"_draw({block.arguments})", {**self._main, "_draw": draw})
        except Exception as error:  # whatever the page's own code raises
            trace = "".join(traceback.format_exception_only(error))
            raise PageError(f"{self._place(block)}: the picture of ({block.arguments}) fails: {trace}") from error
        return drawing

    def _place(self, block: Code | Picture) -> str:
        return f"{self._page.path}:{block.line}"

    def _tidy(self, text: str) -> str:
        """Text without the name of the folder in which the page runs, and with a newline at its end."""
        text = text.replace(f"{Path.cwd()}{os.sep}", "")
        return text if not text or text.endswith("\n") else f"{text}\n"


def _module(file: str) -> ModuleType:
    """A module for one of the page's programs; dataclasses, among others, look it up by its name."""
    module = ModuleType(Path(file).stem)
    module.__file__ = file
    sys.modules[module.__name__] = module
    return module


def _main(path: str, draw: str) -> int:
    """Run the page on standard input; its results, as JSON, on standard output."""
    try:
        results = _Run(parse(sys.stdin.read(), Path(path)), draw).results()
    except PageError as error:
        print(error, file=sys.stderr)
        return 1
    json.dump([(position, kind, text) for (position, kind), text in results.items()], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
