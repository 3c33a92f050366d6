"""First drafts and idioms are accepted by every type checker, and mistakes in them are found."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from drafts import table
from drafts.corpus import HERE, RUNS, Case, Finding, cases, judged, known, sources
from mypy_plugin.checking import check
from support.mypy_cache import REDEFINITION

ALONE: Final = {case.title: case for case in cases()}
TOGETHER: Final = cases(together=True)
CHECKERS: Final = ("plugin", "mypy", "pyright")
PRELUDE: Final = (HERE / "idioms" / "prelude.py").read_text(encoding="utf-8")
DRAFTS: Final = sorted((HERE / "models").glob("*.py"))
SQUARES: Final = "a broadcast that makes a square of the batch is not an error"
LINT: Final = '\n# mypy: enable-error-code="typegrad-broadcast"\n'
REDEFINED: Final = f"\n# mypy: {', '.join(REDEFINITION).replace('_', '-')}\n"
Wrong: TypeAlias = dict[tuple[str, str], list[Finding]]
"""What a checker gets wrong, "refuses", "misses" or "words" and a title, and what it says of that program."""
SETTINGS: Final = {
    "typeCheckingMode": "strict",
    "reportUnusedExpression": False,
    "reportUnusedVariable": False,
    "reportWildcardImportFromLibrary": False,
}


def _by_mypy(folder: Path, programs: Mapping[str, str], *, plugin: bool) -> list[Finding]:
    folder.mkdir()
    report = check(folder, programs, plugin=plugin)
    return [Finding(each.file, each.line, each.text) for each in report.errors()]


def _wrong_by_plugin(folder: Path) -> Wrong:
    """Drafts must be fine for the lint, too. A dry run ends at the first mistake: what is missed beside others is
    checked alone.
    """
    drafts = {case.file: case.text + LINT for case in TOGETHER if case.kind == "draft"}
    findings = _by_mypy(folder / "together", sources(TOGETHER) | drafts, plugin=True)
    wrong = _wrong(TOGETHER, findings, by_words=True)
    hidden = [ALONE[title] for verdict, title in wrong if verdict == "misses"]
    of_drafts = [each for each in findings if each.file in drafts]
    alone = of_drafts + _by_mypy(folder / "alone", sources(hidden), plugin=True)
    return {pair: text for pair, text in wrong.items() if pair[0] != "misses"} | _wrong(hidden, alone, by_words=True)


def _by_pyright(folder: Path, programs: Mapping[str, str]) -> list[Finding]:
    for name, text in programs.items():
        (folder / name).write_text(text)
    (folder / "pyrightconfig.json").write_text(json.dumps(SETTINGS))
    arguments = ["-m", "basedpyright", "--project", str(folder), "--pythonpath", sys.executable, "--outputjson"]
    output = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, check=False).stdout
    return [
        Finding(Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in json.loads(output)["generalDiagnostics"]
        if each["severity"] == "error"
    ]


def _wrong(chosen: Sequence[Case], findings: Sequence[Finding], *, by_words: bool = False) -> Wrong:
    """What a checker gets wrong, and what it says of that file."""
    files = {each.title: each.file for each in chosen}
    wrong = judged(chosen, findings, by_words=by_words)
    return {pair: [each for each in findings if each.file == files[pair[1]]] for pair in wrong}


def _wrong_by(checker: str, folder: Path) -> Wrong:
    if checker == "plugin":
        return _wrong_by_plugin(folder)
    if checker == "mypy":
        return _wrong(TOGETHER, _by_mypy(folder / "together", sources(TOGETHER), plugin=False))
    return _wrong(TOGETHER, _by_pyright(folder, sources(TOGETHER)))


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_checker_is_wrong_where_it_is_known_to_be(checker: str, tmp_path: Path) -> None:
    wrong, expected = _wrong_by(checker, tmp_path), known(checker)
    lines = [
        f"{checker} {verdict} no more, take it off known.txt: {title}"
        for verdict, title in sorted(expected.keys() - wrong.keys())
    ]
    for verdict, title in sorted(wrong.keys() - expected.keys()):
        lines.append(f"{checker} {verdict}: {title}")
        lines += [f"    {each.line}: {each.text}" for each in wrong[verdict, title]]
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)


def test_what_is_right_is_accepted_where_names_hold_several_types(tmp_path: Path) -> None:
    right = sources([case for case in TOGETHER if case.kind in ("draft", "right")])
    found = _by_mypy(tmp_path / "right", {name: text + REDEFINED for name, text in right.items()}, plugin=True)
    assert found == []


def test_the_lint_finds_what_makes_a_square_of_the_batch(tmp_path: Path) -> None:
    titles = [title for (_, title), reason in known("plugin").items() if reason == SQUARES]
    assert titles
    mistakes = {ALONE[title].file: ALONE[title].text + LINT for title in titles}
    assert {each.file for each in check(tmp_path, mistakes).errors()} == mistakes.keys()


def test_the_guide_has_the_numbers() -> None:
    page = table.PAGE.read_text(encoding="utf-8")
    assert table.written(page) == page, "run tests/drafts/table.py"


@pytest.mark.parametrize("draft", DRAFTS, ids=lambda draft: draft.stem)
def test_the_draft_runs(draft: Path) -> None:
    runpy.run_path(str(draft))


def _error(case: Case) -> Exception | None:
    names: dict[str, object] = {"__name__": "idiom"}
    try:
        exec(compile(PRELUDE + case.text, case.title, "exec", dont_inherit=True), names)
    except Exception as error:  # noqa: BLE001  # of whatever kind
        return error
    return None


def test_what_is_right_runs() -> None:
    errors = {case.title: _error(case) for case in TOGETHER if case.kind == "right"}
    assert {title: error for title, error in errors.items() if error} == {}


def test_what_is_wrong_does_not_run() -> None:
    wrong = [case for case in TOGETHER if case.kind == "wrong"]
    assert [case.title for case in wrong if (_error(case) is None) != case.title.endswith(RUNS)] == []
