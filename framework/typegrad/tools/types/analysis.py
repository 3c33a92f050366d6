"""`Analysis`: what is known of one version of a document in an editor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from attrs import evolve, frozen

from typegrad.base.errors import TypegradError
from typegrad.mypy_plugin.values.program_files import files_of
from typegrad.tools.types.annotating import Annotation, ExpressionTypes, annotations_of, expressions_of
from typegrad.tools.types.checking import Problem, check

__all__ = ["Analysis", "Settings", "look"]

Settings: TypeAlias = Callable[[], AbstractContextManager[Path]]
"""Makes a file with mypy's settings, which may have changed since the last check."""
_Place = TypeVar("_Place", Annotation, ExpressionTypes)


@frozen
class Analysis:
    """What is known of one version of a document. `is_whole` is False if mypy could not read it."""

    version: int | None
    lines: Sequence[str] = ()
    annotations: Sequence[Annotation] = ()
    expressions: Sequence[ExpressionTypes] = ()
    problems: Sequence[Problem] = ()
    is_whole: bool = False

    def after(self, earlier: Analysis | None) -> Analysis:
        """This, with what was known of the lines that have not changed since `earlier` if mypy could not read it."""
        if self.is_whole or earlier is None:
            return self
        matcher = SequenceMatcher(None, earlier.lines, self.lines, autojunk=False)
        moved = {
            block.a + number: block.b + number
            for block in matcher.get_matching_blocks()
            for number in range(1, block.size + 1)
        }
        return evolve(
            self, annotations=_moved(earlier.annotations, moved), expressions=_moved(earlier.expressions, moved)
        )


def _moved(places: Sequence[_Place], lines: Mapping[int, int]) -> list[_Place]:
    """The places whose lines are all still there, one after the other."""
    return [
        evolve(each, line=lines[each.line], end_line=lines[each.end_line])
        for each in places
        if each.line in lines and lines.get(each.end_line) == lines[each.line] + each.end_line - each.line
    ]


def look(settings: Settings, path: str, version: int | None, texts: Mapping[str, str]) -> Analysis:
    """Check one document with the texts in the editor, and the documents that import it, which may call its functions.

    Without these if mypy cannot read one of them.
    """
    lines = texts[path].splitlines()
    importing = [each for each in texts if path in (name for name, *_ in files_of(each))]
    try:
        with settings() as file:
            checked = check(file, [path, *importing], texts)
            if importing and not checked.files:
                checked = check(file, [path], texts)
    except TypegradError as error:
        return Analysis(version, lines, problems=[problem_of(error)])
    own = [each for each in checked.problems if Path(each.file).resolve() == Path(path).resolve()]
    if not checked.files:  # an imported file may be the one that cannot be read
        problems = own[:1] or [problem_of(each) for each in checked.problems]  # the others follow from the first
        return Analysis(version, lines, problems=problems)
    seen = checked.files[0]
    return Analysis(version, lines, annotations_of(seen), expressions_of(seen), own, is_whole=True)


def problem_of(error: Any) -> Problem:
    """A problem of the whole document, shown at its start."""
    return Problem("", 1, 1, 1, 1, "error", str(error))
