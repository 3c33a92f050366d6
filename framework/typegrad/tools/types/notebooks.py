"""Notebooks as programs: the cells of code, one after the other, as one text for mypy."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from typegrad.base.errors import TypegradError

__all__ = ["Notebook", "NotebookError"]

_GIVEN: Final = "import typing as _t; display: _t.Any = print; get_ipython: _t.Any = print"
"""What every cell may use."""
_FUTURE: Final = re.compile(r"from __future__ import annotations\s*(#.*)?$")
_MAGIC: Final = re.compile(r"(?P<start>\s*)(%{1,2}[A-Za-z]|!|\?|[\w.]+\?{1,2}\s*$)")
"""A line for IPython, not for Python."""
_ASSIGNED: Final = re.compile(r"(?P<start>\s*[\w., ]+=\s*)(%[A-Za-z]|!)")
_OTHER: Final = re.compile(r"%%(?!(time|timeit|capture|prun)\b)\w+")
"""The first line of a cell in another language."""


class NotebookError(TypegradError):
    """A file that cannot be read as a notebook of Python."""


@frozen
class Notebook:
    """A notebook, as one text. `places` has, for each line, the cell and the line in it, both from 1."""

    path: str
    text: str
    places: Sequence[tuple[int, int]]

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
        lines = [list(_of_python(each)) for each in cells]
        has_future = any(_FUTURE.match(line) for cell in lines for line in cell)
        first = f"from __future__ import annotations; {_GIVEN}" if has_future else _GIVEN
        text = [first, *("" if _FUTURE.match(line) else line for cell in lines for line in cell)]
        places = [(cell, line + 1) for cell, every in enumerate(lines, 1) for line in range(len(every))]
        return Notebook(path, "\n".join(text) + "\n", [(1, 1), *places])

    def placed(self, message: str) -> str:
        """A message of mypy with cells: `lesson.ipynb:cell_3:2: error: ...; in f, cell 1, line 4`."""
        told = json.loads(message) if message.startswith("{") else {}
        shown = told.get("file") or message.partition(":")[0]
        if Path(shown).resolve() != Path(self.path).resolve():
            return message
        message = re.sub(r"\bline (\d+)\b", lambda found: "cell {}, line {}".format(*self._place(found[1])), message)
        at_line = re.compile(rf"{re.escape(shown)}:(\d+)")
        message = at_line.sub(lambda found: "{}:cell_{}:{}".format(shown, *self._place(found[1])), message)
        if not told:
            return message
        cell, _ = self._place(told["line"])
        lines = {key: self._place(told[key])[1] for key in ("line", "end_line") if told.get(key)}
        return json.dumps(json.loads(message) | lines | {"cell": cell})

    def _place(self, line: int | str) -> tuple[int, int]:
        return self.places[min(int(line), len(self.places)) - 1]


def _language(metadata: Any) -> str:
    name: str = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language")
    return (name or "python").lower()


def _of_python(cell: str) -> Iterator[str]:
    """The lines of a cell, each line for IPython replaced by one that does nothing."""
    lines = cell.splitlines() or [""]
    if _is_python(cell):
        yield from lines
    elif _OTHER.match(lines[0]):
        yield from [""] * len(lines)
    else:
        for line in lines:
            magic, assigned = _MAGIC.match(line), _ASSIGNED.match(line)
            yield f"{magic['start']}pass" if magic else f"{assigned['start']}eval('None')" if assigned else line


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
