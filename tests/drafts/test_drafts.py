"""First drafts and idioms are accepted by every type checker, and mistakes in them are found."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from drafts import table
from drafts.corpus import HERE, RUNS, Case, Finding, cases, judged, known, sources
from mypy_plugin.checking import check

CASES: Final = cases()
CHECKED: Final = {"plugin": CASES, "mypy": (TOGETHER := cases(together=True)), "pyright": TOGETHER}
PRELUDE: Final = (HERE / "idioms" / "prelude.py").read_text(encoding="utf-8")
DRAFTS: Final = sorted((HERE / "models").glob("*.py"))
SQUARES: Final = "a broadcast that makes a square of the batch is not an error"
LINT: Final = '# mypy: enable-error-code="typegrad-broadcast"\n'
SETTINGS: Final = {
    "pythonVersion": "3.11",
    "typeCheckingMode": "strict",
    "reportUnusedExpression": False,
    "reportUnusedVariable": False,
    "reportWildcardImportFromLibrary": False,
}


def _by_mypy(folder: Path, chosen: Sequence[Case], *, plugin: bool) -> list[Finding]:
    report = check(folder, sources(chosen), plugin=plugin)
    return [Finding(each.file, each.line, each.text) for each in report.errors()]


def _by_pyright(folder: Path, chosen: Sequence[Case]) -> list[Finding]:
    for name, text in sources(chosen).items():
        (folder / name).write_text(text)
    (folder / "pyrightconfig.json").write_text(json.dumps(SETTINGS))
    arguments = ["-m", "basedpyright", "--project", str(folder), "--pythonpath", sys.executable, "--outputjson"]
    output = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, check=False).stdout
    return [
        Finding(Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in json.loads(output)["generalDiagnostics"]
        if each["severity"] == "error"
    ]


def _findings(checker: str, folder: Path) -> list[Finding]:
    if checker == "pyright":
        return _by_pyright(folder, CHECKED[checker])
    return _by_mypy(folder, CHECKED[checker], plugin=checker == "plugin")


@pytest.mark.parametrize("checker", CHECKED)
def test_the_checker_is_wrong_where_it_is_known_to_be(checker: str, tmp_path: Path) -> None:
    findings, expected = _findings(checker, tmp_path), known(checker)
    wrong = judged(CHECKED[checker], findings, by_words=checker == "plugin")
    lines = [
        f"{checker} {verdict} no more, take it off known.txt: {title}"
        for verdict, title in sorted(expected.keys() - wrong)
    ]
    files = {each.title: each.file for each in CHECKED[checker]}
    for verdict, title in sorted(wrong - expected.keys()):
        lines.append(f"{checker} {verdict}: {title}")
        lines += [f"    {each.line}: {each.text}" for each in findings if each.file == files[title]]
    if lines:
        pytest.fail("\n".join(lines), pytrace=False)


def test_the_lint_finds_what_makes_a_square_of_the_batch(tmp_path: Path) -> None:
    reasons = known("plugin")
    mistakes = {case.file: LINT + case.text for case in CASES if reasons.get(("misses", case.title)) == SQUARES}
    drafts = {case.file: LINT + case.text for case in CASES if case.kind == "draft"}
    assert mistakes
    assert {each.file for each in check(tmp_path, mistakes | drafts).errors()} == mistakes.keys()


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
    errors = {case.title: _error(case) for case in CASES if case.kind == "right"}
    assert {title: error for title, error in errors.items() if error} == {}


def test_what_is_wrong_does_not_run() -> None:
    wrong = [case for case in CASES if case.kind == "wrong"]
    assert [case.title for case in wrong if (_error(case) is None) != case.title.endswith(RUNS)] == []
