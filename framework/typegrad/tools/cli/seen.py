"""`typegrad check --annotate` and `typegrad check --coverage`: what the checker knows of each line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import typer
from attrs import asdict

from typegrad.mypy_plugin.reports.coverage import coverage_of
from typegrad.tools.cli.output import console
from typegrad.tools.types.annotating import annotations_of
from typegrad.tools.types.checking import CheckResult, MypyError, check
from typegrad.tools.types.text import annotated

__all__ = ["show_annotated", "show_coverage"]


def show_annotated(settings: Path, arguments: Sequence[str], *, as_json: bool) -> int:
    """Print files with annotations; the exit status is mypy's."""
    checked = _checked(settings, arguments)
    to = console()
    for file in checked.files:
        annotations = annotations_of(file)
        if as_json:
            _emit({"file": file.path, **asdict(each)} for each in annotations)
        else:
            to.print(annotated(file.text, annotations), end="", soft_wrap=True)
    return checked.status


def show_coverage(settings: Path, arguments: Sequence[str], *, as_json: bool) -> int:
    """Print what is not known; the exit status is mypy's, and 1 if something is not known."""
    checked = _checked(settings, arguments)
    if not checked.files:
        return checked.status
    by_file = {
        file.path: coverage_of(file.tree, file.text, file.types, file.options, checked.wrong_lines(file.path))
        for file in checked.files
    }
    operations, known = (
        sum(each.operations for each in by_file.values()),
        sum(each.known for each in by_file.values()),
    )
    missing = [(path, each) for path, every in by_file.items() for each in (*every.unchecked, *every.unknown)]
    missing.sort(key=lambda pair: (pair[0], pair[1].line))
    if as_json:
        _emit({"file": path, **asdict(each)} for path, each in missing)
        _emit([{"operations": operations, "known": known}])
    else:
        for path, each in missing:
            typer.echo(f"{path}:{each.line}: {each.what}: {each.reason}")
        typer.echo(f"{known} of {operations} operations known")
    return max(checked.status, int(bool(missing)))


def _checked(settings: Path, arguments: Sequence[str]) -> CheckResult:
    """What mypy knows of the files; its messages go to standard error."""
    try:
        checked = check(settings, arguments)
    except MypyError as error:
        typer.echo(error, err=True)
        raise typer.Exit(2) from None
    for problem in checked.problems:
        typer.echo(problem, err=True)
    return checked


def _emit(items: Iterable[Mapping[str, object]]) -> None:
    for each in items:
        print(json.dumps(each, ensure_ascii=False))
