"""`Analysis`: what is known of one version of a document in an editor."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

from attrs import evolve, frozen
from mypy.errorcodes import SYNTAX

from typegrad.base.errors import TypegradError
from typegrad.tools.types.annotating import Annotation, ExpressionTypes, annotations_of, expressions_of
from typegrad.tools.types.checking import CheckedFile, CheckResult, Problem, check

__all__ = ["Analysis", "Settings", "look"]

Settings: TypeAlias = Callable[[], AbstractContextManager[Path]]
"""Makes a file with mypy's settings, which may have changed since the last check."""
_OPTIONS: Final = ("--scripts-are-modules",)
"""Files whose names are none of modules, such as notebooks, are checked together, too."""
_Place = TypeVar("_Place", Annotation, ExpressionTypes)


@frozen
class Analysis:
    """What is known of one version of a document. `is_whole` is False if mypy could not read it.

    `imports` are the paths of the other documents in the editor that it imports, directly or not.
    """

    lines: Sequence[str] = ()
    annotations: Sequence[Annotation] = ()
    expressions: Sequence[ExpressionTypes] = ()
    problems: Sequence[Problem] = ()
    imports: Collection[str] = ()
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
        annotations, expressions = _moved(earlier.annotations, moved), _moved(earlier.expressions, moved)
        return evolve(self, annotations=annotations, expressions=expressions, imports=earlier.imports)


def _moved(places: Sequence[_Place], lines: Mapping[int, int]) -> list[_Place]:
    """The places whose lines are all still there, one after the other."""
    return [
        evolve(each, line=lines[each.line], end_line=lines[each.end_line])
        for each in places
        if each.line in lines and lines.get(each.end_line) == lines[each.line] + each.end_line - each.line
    ]


def look(settings: Settings, path: str, importing: Sequence[str], texts: Mapping[str, str]) -> Mapping[str, Analysis]:
    """Check one document with the texts in the editor, and those that import it, which may call its functions.

    Without these if mypy cannot read one of them. The result has what is known of each that was checked.
    """
    paths = [path, *importing]
    try:
        with settings() as file:
            checked = check(file, [*_OPTIONS, *paths], texts)
            if importing and not checked.files:
                paths = [path]
                checked = check(file, [*_OPTIONS, path], texts)
    except TypegradError as error:
        return {path: Analysis(texts[path].splitlines(), problems=[problem_of(error)])}
    if not checked.files:  # an imported file may be the one that cannot be read
        own = _problems_of(path, checked)
        problems = own[:1] or [problem_of(each) for each in checked.problems]  # the others follow from the first
        return {path: Analysis(texts[path].splitlines(), problems=problems)}
    return {name: _known(seen, checked) for name, seen in zip(paths, checked.files, strict=True)}


def _known(seen: CheckedFile, checked: CheckResult) -> Analysis:
    problems = _problems_of(seen.path, checked)
    known = annotations_of(seen), expressions_of(seen)
    is_whole = all(
        each.code != SYNTAX.code for each in problems
    )  # a cell of a notebook may be the one that is not read
    return Analysis(seen.text.splitlines(), *known, problems, seen.imports, is_whole)


def _problems_of(path: str, checked: CheckResult) -> list[Problem]:
    own = Path(path).resolve()
    return [each for each in checked.problems if Path(each.file).resolve() == own]


def problem_of(error: Any) -> Problem:
    """A problem of the whole document, shown at its start."""
    return Problem("", 1, 1, 1, 1, "error", str(error))
