"""The comparison of checkers: its programs, and how it reads and counts them. Pyrefly is not needed."""

from __future__ import annotations

import pytest

from shapes import SNIPPETS, Finding, Program, changed, judged, programs, report

TYPEGRAD = programs((SNIPPETS / "typegrad.txt").read_text(encoding="utf-8"))
PYTORCH = programs((SNIPPETS / "pytorch.txt").read_text(encoding="utf-8"))
SMALL = """\
one = 1

### sum
two = one
three = two
--- a word
-two = one
+two = 'one'

### difference
four = one
"""


def test_both_libraries_have_the_same_programs() -> None:
    titles = [each.title for each in TYPEGRAD]
    assert titles == [each.title for each in PYTORCH]
    assert len(set(titles)) == len(titles) == 18 + 26
    assert sum(bool(each.mistake) for each in TYPEGRAD) == 26


@pytest.mark.parametrize("program", TYPEGRAD, ids=lambda program: program.title)
def test_what_is_correct_runs_and_mistakes_fail(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    code = compile(program.text, "program.py", "exec", dont_inherit=True)
    if program.mistake and not program.mistake.endswith(" (silent)"):
        with pytest.raises((TypeError, ValueError)):
            exec(code, {"__name__": __name__})
    else:
        exec(code, {"__name__": __name__})
        assert capsys.readouterr().out


def test_a_file_is_read() -> None:
    assert programs(SMALL) == [
        Program("sum", "", "one = 1\n\ntwo = one\nthree = two\n"),
        Program("sum", "a word", "one = 1\n\ntwo = 'one'\nthree = two\n"),
        Program("difference", "", "one = 1\n\nfour = one\n"),
    ]


def test_an_edit_must_fit_once() -> None:
    assert changed("a\nb\nc\n", "-a\n-b\n+A\n-c\n+C\n+D\n") == "A\nC\nD\n"
    with pytest.raises(ValueError, match="once:\na"):
        changed("a\na\n", "-a\n+b\n")


def test_a_mistake_is_found_by_what_the_correct_program_does_not_get() -> None:
    chosen = programs(SMALL)
    old, new = Finding(4, "old"), Finding(3, "new")
    assert judged(chosen, [[old], [new, old], []]) == {"sum": [old], "sum: a word": [new], "difference": []}
    assert judged(chosen, [[old], [old], []])["sum: a word"] == []


def test_the_report_counts_and_shows_where_a_checker_is_wrong() -> None:
    chosen = programs(SMALL)
    good = judged(chosen, [[], [Finding(3, "new")], []])
    bad = judged(chosen, [[], [], [Finding(3, "no")]])
    assert report(chosen, {"Good": good, "Bad": bad}, every=False) == (
        "                          Good         Bad\n"
        "correct, accepted       2 of 2      1 of 2\n"
        "mistakes, found         1 of 1      0 of 1\n"
        "Bad misses: sum: a word\n"
        "Bad refuses: difference\n"
        "    3: no"
    )
    assert "Good finds: sum: a word\n    3: new\nGood accepts: difference\n" in report(
        chosen, {"Good": good, "Bad": bad}, every=True
    )
