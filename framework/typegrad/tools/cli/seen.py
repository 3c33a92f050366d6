"""`typegrad check --annotate` and `typegrad check --coverage`: what the checker knows of each line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from attrs import asdict

from typegrad.mypy_plugin.programs.coverage import coverage_of
from typegrad.tools.cli.output import console
from typegrad.tools.types.annotating import annotations_of
from typegrad.tools.types.checking import CheckResult, MypyError, check
from typegrad.tools.types.notebooks import Notebook, placed
from typegrad.tools.types.text import annotated, annotated_cells

__all__ = ["show_annotated", "show_coverage"]


def show_annotated(
    settings: Path, arguments: Sequence[str], notebooks: Sequence[Notebook] = (), *, as_json: bool
) -> int:
    """Print files and the cells of notebooks with annotations; the exit status is mypy's."""
    checked = _checked(settings, arguments, notebooks)
    to = console()
    for file in checked.files:
        annotations, notebook = annotations_of(file), _notebook_at(file.path, notebooks)
        if as_json:
            _emit(({"file": file.path, **asdict(each)} for each in annotations), notebooks)
        elif notebook is None:
            to.print(annotated(file.text, annotations), end="", soft_wrap=True)
        else:
            to.print(annotated_cells(notebook, annotations), end="", soft_wrap=True)
    return checked.status


def show_coverage(
    settings: Path, arguments: Sequence[str], notebooks: Sequence[Notebook] = (), *, as_json: bool
) -> int:
    """Print what is not known; the exit status is mypy's, and 1 if something is not known."""
    checked = _checked(settings, arguments, notebooks)
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
        _emit(({"file": path, **asdict(each)} for path, each in missing), notebooks)
        _emit([{"operations": operations, "known": known}])
    else:
        for path, each in missing:
            typer.echo(placed(f"{path}:{each.line}: {each.what}: {each.reason}", notebooks))
        typer.echo(f"{known} of {operations} operations known")
    return max(checked.status, int(bool(missing)))


def _checked(settings: Path, arguments: Sequence[str], notebooks: Sequence[Notebook]) -> CheckResult:
    """What mypy knows of the files; its messages go to standard error."""
    options = ["--scripts-are-modules"] if notebooks else []
    try:
        checked = check(settings, [*arguments, *options], {each.path: each.text for each in notebooks})
    except MypyError as error:
        typer.echo(error, err=True)
        raise typer.Exit(2) from None
    for problem in checked.problems:
        typer.echo(placed(str(problem), notebooks), err=True)
    return checked


def _notebook_at(path: str, notebooks: Iterable[Notebook]) -> Notebook | None:
    return next((each for each in notebooks if each.is_at(path)), None)


def _emit(items: Iterable[Mapping[str, Any]], notebooks: Sequence[Notebook] = ()) -> None:
    for each in items:
        notebook = _notebook_at(each.get("file", ""), notebooks) if notebooks else None
        print(json.dumps(each if notebook is None else notebook.placed_item(each), ensure_ascii=False))
