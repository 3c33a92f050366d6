"""Notebooks as programs: the cells of code, one after the other, as one text for mypy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from typegrad.base.errors import TypegradError
from typegrad.tools.types.magics import ANYTHING, given_names, of_python
from typegrad.tools.types.unreadable import of_unknown_names, readable

__all__ = ["Notebook", "NotebookError", "placed"]

_FUTURE: Final = re.compile(r"from __future__ import annotations\s*(#.*)?$")
_AWAITS: Final = re.compile(r"\b(?:await|async)\b")
_MAY_AWAIT: Final = "top-level-await"
"""The error of `await` outside functions, which cells may use."""
_NOT_THERE: Final = "import-not-found"
_OF_ANYTHING: Final = (
    "allow-subclassing-any", "allow-untyped-decorators", "no-warn-return-any", "no-warn-unused-ignores",
)  # fmt: skip
"""What mypy lets a program do with what it does not know."""
_LINES: Final = re.compile(r"\blines? (\d+(?:, \d+)*)\b")
_NUMBER: Final = re.compile(r"(?<=\w)·\d+\b")
"""By what the plugin tells definitions of one name apart."""


class NotebookError(TypegradError):
    """A file that cannot be read as a notebook of Python."""


@frozen
class Notebook:
    """A notebook: its cells of code, and one text of them all.

    `places` has, for each line of the text, the cell and the line in it, both from 1.
    """

    path: str
    cells: Sequence[str]
    text: str
    places: Sequence[tuple[int, int]]

    @staticmethod
    def of(path: str, cells: Sequence[str]) -> Notebook:
        """A notebook of these cells."""
        made = [of_python(each) for each in cells]
        starts = list(accumulate((len(cell) for cell, _ in made), initial=2))[:-1]
        read = [readable(cell, start) for start, (cell, _) in zip(starts, made, strict=True)]
        lines = [line for cell in read for line in cell]
        program = ["" if _FUTURE.match(line) else line for line in lines]
        first = given_names("\n".join(program), any_names=any(map(_may_bind, made, read)))
        if lines != program:
            first = f"from __future__ import annotations; {first}"
        may_await = any(map(_AWAITS.search, program))
        is_open = any(ANYTHING in line for line in (first, *program))
        if is_open:
            first, *program = of_unknown_names([first, *program])
        if may_await or is_open:
            program.append(_settings(may_await=may_await, is_open=is_open))
        first += f"  # typegrad: cells {' '.join(map(str, starts))}"
        places = [(cell, line + 1) for cell, (every, _) in enumerate(made, 1) for line in range(len(every))]
        return Notebook(path, cells, "\n".join([first, *program]) + "\n", [(1, 1), *places])

    @staticmethod
    def read(path: str) -> Notebook:
        """Read a file of Jupyter's format 4."""
        try:
            document = json.loads(Path(path).read_text(encoding="utf-8"))
            language = _language(document["metadata"])
            cells = ["".join(each["source"]) for each in document["cells"] if each["cell_type"] == "code"]
        except (AttributeError, KeyError, TypeError, ValueError):
            raise NotebookError(f"{path} is not a notebook of Jupyter's format 4") from None
        if language != "python":
            raise NotebookError(f"the cells of {path} are in {language}, not in Python")
        return Notebook.of(path, cells)

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the text as they are in the cells; the first one is in none."""
        return ["", *(line for cell in self.cells for line in cell.splitlines() or [""])]

    def place(self, line: int | str) -> tuple[int, int]:
        """The cell and the line in it of a line of the text."""
        return self.places[min(int(line), len(self.places)) - 1]

    def placed(self, message: str) -> str:
        """A message about the text with cells: `lesson.ipynb:cell_3:2: error: ...; in f, cell 1, line 4`."""
        told = json.loads(message) if message.startswith("{") else {}
        shown = told.get("file") or message.partition(":")[0]
        if not self.is_at(shown):
            return message
        if told:
            return json.dumps(self.placed_item(told))
        at_line = re.compile(rf"{re.escape(shown)}:(\d+)")
        return at_line.sub(lambda found: "{}:cell_{}:{}".format(shown, *self.place(found[1])), self.reworded(message))

    def placed_item(self, item: Mapping[str, Any]) -> Mapping[str, Any]:
        """An item about the text with the cell, and the lines in it."""
        lines = {key: self.place(item[key])[1] for key in ("line", "end_line") if item.get(key)}
        texts = {key: self.reworded(value) for key, value in item.items() if isinstance(value, str) and key != "file"}
        return {**item, **texts, **lines, "cell": self.place(item["line"])[0]}

    def reworded(self, text: str) -> str:
        """A text in which lines are those of cells, and names those of the notebook."""
        return _LINES.sub(lambda found: " and ".join(map(self._named, found[1].split(", "))), _NUMBER.sub("", text))

    def _named(self, line: str) -> str:
        """A line of the text in words."""
        return "cell {}, line {}".format(*self.place(line))

    def is_at(self, path: str) -> bool:
        """Whether a path is the one of the notebook."""
        return Path(path).resolve() == Path(self.path).resolve()


def _settings(*, may_await: bool, is_open: bool) -> str:
    """The comment by which mypy reports no error of what a notebook may do, or of what is not known in it."""
    codes = [_MAY_AWAIT] * may_await + [_NOT_THERE] * is_open
    return ", ".join([f'# mypy: disable-error-code="{",".join(codes)}"', *(_OF_ANYTHING if is_open else ())])


def _may_bind(made: tuple[Sequence[str], bool], read: Sequence[str]) -> bool:
    """Whether a cell may bind names that its text does not show."""
    return made[1] or made[0] != read


def placed(message: str, notebooks: Iterable[Notebook]) -> str:
    """A message about one of several files with the cell and the line in it, if that is a notebook."""
    return reduce(lambda text, notebook: notebook.placed(text), notebooks, message)


def _language(metadata: Any) -> str:
    name: str = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language")
    return (name or "python").lower()
