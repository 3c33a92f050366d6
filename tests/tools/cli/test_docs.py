"""Guides in the terminal."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
import yaml

from support.commands import Run
from support.entries import entries
from typegrad.base.misspelt import plain
from typegrad_reference.guides.listed import listed, of_operation
from typegrad_reference.terminal.guides import markdown


def test_a_page(run: Run) -> None:
    done = run("docs", "show", "static-shapes")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("# Static shapes\n") and "## Dimensions" in done.out
    assert "```mermaid" not in done.out and "<!--" not in done.out and "```python raises" not in done.out


def test_the_guides_are_listed(run: Run) -> None:
    done = run("docs", "show")
    assert (done.status, done.err) == (0, "")
    assert {f"- `{each.name}`:" for each in listed() if each.section == "Guides"} <= {
        " ".join(line.split()[:2]) for line in done.out.splitlines()
    }


def test_a_section_ends_with_its_subsections(run: Run) -> None:
    shown = run("docs", "show", "training#stop-and-resume").out
    assert shown.startswith("## Stop and resume\n") and "session.restore(path)" in shown
    assert shown.count("\n## ") == 0


def test_lines_of_code_are_not_broken(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("docs", "show", "training#stop-and-resume").out.splitlines()
    assert "        fit(session, train, dataset, (x, label), epochs=3)" in lines


def test_on_a_terminal_markdown_is_rendered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "```" not in run("docs", "show", "training#stop-and-resume").out


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("trainin", "no page is called 'trainin'; did you mean training?"),
        ("quaternions", "no page is called 'quaternions'; the guides are getting-started, "),
        ("training#nothing", "the page training has no section 'nothing'; its sections are a-model-a-loss-a-step, "),
    ],
)
def test_what_does_not_exist(run: Run, place: str, says: str) -> None:
    done = run("docs", "show", place)
    assert (done.status, done.out) == (1, "") and done.err.startswith(f"typegrad: {says}")


def test_every_page_has_a_name_of_its_own() -> None:
    operations = entries().values()
    names = [plain(each.name) for each in (*listed(), *filter(None, map(of_operation, operations)))]
    assert len(set(names)) == len(names)


def test_every_page_that_an_error_names_is_shown() -> None:
    subjects: dict[str, Any] = yaml.safe_load((files("typegrad.arguments") / "subjects.yaml").read_text("utf-8"))
    named = {*subjects["known"], *(place for item in subjects["missing"] for place in item["instead"])}
    pages = [place.rpartition("/")[2].replace(".md", "") for place in named if "/" in place]
    assert pages and all(markdown(page, entries().values()).startswith("#") for page in pages)
