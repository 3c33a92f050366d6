"""Programs as a new user writes them, and mistakes in them: the cases, and what a type checker makes of each.

- `models/`: first drafts, each of a whole model. No checker may refuse one, and each runs.
- `idioms/right.txt`: a few lines that must be accepted, after the names of `idioms/prelude.py`.
- `idioms/wrong.txt`: a few lines with a mistake. A line that may be refused ends in `# E:` and a part of what the
  plugin says; one of them must be.
- `mistakes.txt`: edits of the drafts. Each must lead to an error that the draft itself does not have.
- `known.txt`: where this is not so yet, and why.

A case begins with `###` and its title. A mistake that is only one to type checkers has "(runs)" in its title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

HERE: Final = Path(__file__).parent
RUNS: Final = " (runs)"
_EXPECTED: Final = "  # E:"
_PRELUDE: Final = (HERE / "idioms" / "prelude.py").read_text(encoding="utf-8")
_NAMES: Final = re.findall(r'"(\w+)"', _PRELUDE.partition("__all__ = [")[2].partition("]")[0])


class Finding(NamedTuple):
    """An error of a checker."""

    file: str
    line: int
    text: str


class Case(NamedTuple):
    """A program for the checkers."""

    title: str
    file: str
    text: str
    kind: str
    """`draft`, `right`, `wrong` or `mistake`."""
    draft: str = ""
    """The draft that a mistake was planted in."""
    lines: Container[int] = range(1, 1000)
    """The lines that count."""

    @property
    def source(self) -> str:
        """The program."""
        if self.kind not in ("right", "wrong"):
            return self.text
        # Name by name, for after an `import *` any name may be bound to anything; with an annotation, without which the
        # plugin prepares no file before its first call.
        imports = f"from prelude import {', '.join(_NAMES)}; graph: tg.Graph = scope.graph"
        return f"# pyright: reportUnusedImport=false\n{imports}\n{self.text}"

    def judged(self, findings: Mapping[str, list[Finding]], *, by_words: bool) -> str:
        """What is wrong with a checker's findings about this case: the checker "refuses" what is right, "misses" a
        mistake, or "words" it in another way; empty if nothing is.
        """
        here = findings.get(self.file, [])
        if self.kind in ("draft", "right"):
            return "refuses" if here else ""
        if self.kind == "mistake":
            own = Counter(each.text for each in findings.get(self.draft, []))
            return "" if Counter(each.text for each in here if each.line in self.lines) - own else "misses"
        marked = {n: line for n, line in enumerate(self.source.splitlines(), 1) if _EXPECTED in line}
        assert marked, f"{self.title}: a line must be marked"
        said = [(each.text, marked[each.line].split(_EXPECTED)[1].strip()) for each in here if each.line in marked]
        if not said:
            return "misses"
        return "words" if by_words and not any(expected in text for text, expected in said) else ""


def sections(path: Path) -> Iterator[tuple[str, str]]:
    """The titles and texts of a file."""
    for part in ("\n" + path.read_text(encoding="utf-8")).split("\n### ")[1:]:
        title, _, text = part.partition("\n")
        yield title, text


class Edit(NamedTuple):
    """A mistake to plant."""

    title: str
    start: int
    old: str
    new: str
    elsewhere: str
    """A part of another line that may be refused, since the mistake shows there."""

    def touched(self, draft: str) -> set[int]:
        """The lines of a draft that it changes, or shows in."""
        return _lines(draft, self.start, self.old) | _lines(draft, draft.index(self.elsewhere or self.old), "")


def _lines(text: str, start: int, part: str) -> set[int]:
    first = 1 + text.count("\n", 0, start)
    return set(range(first, first + 1 + part.count("\n")))


def edit(title: str, draft: str, text: str) -> Edit:
    """An edit that replaces the lines that begin with `-` by those with `+`, and shows in one that holds what is behind
    `@`.
    """
    old, new, elsewhere = ("\n".join(line[1:] for line in text.splitlines() if line.startswith(c)) for c in "-+@")
    assert draft.count(old) == 1 and draft.count(elsewhere or old) == 1, f"{title}: must occur once: {old}"
    return Edit(title, draft.index(old), old, new, elsewhere)


def _with_mistakes(name: str, draft: str, edits: Sequence[Edit], number: int) -> Iterator[Case]:
    text, end = "", 0
    places = {}
    for each in sorted(edits, key=lambda each: each.start):
        text += draft[end : each.start] + each.new
        places[each] = _lines(text, len(text) - len(each.new), each.new)
        end = each.start + len(each.old)
    text += draft[end:]
    for each, lines in places.items():
        case = Case(each.title, f"{name}_{number}.py", text, "mistake", f"{name}.py")
        shown = _lines(text, text.index(each.elsewhere), "") if each.elsewhere else set[int]()
        yield case if len(edits) == 1 else case._replace(lines=lines | shown)


def _together(draft: str, edits: Iterable[Edit]) -> list[list[Edit]]:
    """Edits that touch different lines, in few groups."""
    groups: list[list[Edit]] = []
    for each in edits:
        for group in groups:
            if all(each.touched(draft).isdisjoint(other.touched(draft)) for other in group):
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def _mistakes(drafts: Mapping[str, str], *, together: bool) -> Iterator[Case]:
    planted: dict[str, list[Edit]] = {name: [] for name in drafts}
    for title, text in sections(HERE / "mistakes.txt"):
        name = title.partition(":")[0]
        planted[name].append(edit(title, drafts[name], text))
    for name, edits in planted.items():
        groups = _together(drafts[name], edits) if together else [[each] for each in edits]
        for number, group in enumerate(groups):
            yield from _with_mistakes(name, drafts[name], group, number)


def cases(*, together: bool = False) -> list[Case]:
    """All cases. Mistakes in one draft are `together` in few files, where an error counts on their own lines alone: for
    checkers that see a mistake where it is made, or not at all.
    """
    drafts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((HERE / "models").glob("*.py"))}
    every = [Case(name, f"{name}.py", text, "draft") for name, text in drafts.items()]
    for kind in ("right", "wrong"):
        for number, (title, text) in enumerate(sections(HERE / "idioms" / f"{kind}.txt")):
            every.append(Case(title, f"{kind}_{number}.py", text.rstrip("\n") + "\n", kind))
    every += _mistakes(drafts, together=together)
    twice = [title for title, count in Counter(each.title for each in every).items() if count > 1]
    assert not twice, f"titles must differ: {twice}"
    return every


def sources(chosen: Iterable[Case]) -> dict[str, str]:
    """The files to check."""
    return {"prelude.py": (HERE / "idioms" / "prelude.py").read_text(), **{each.file: each.source for each in chosen}}


def judged(chosen: Iterable[Case], findings: Iterable[Finding], *, by_words: bool = False) -> set[tuple[str, str]]:
    """What a checker gets wrong: pairs of "refuses", "misses" or "words" and a title."""
    result: dict[str, list[Finding]] = {}
    for each in findings:
        result.setdefault(each.file, []).append(each)
    answers = ((case.judged(result, by_words=by_words), case.title) for case in chosen)
    return {(verdict, title) for verdict, title in answers if verdict}


def known(checker: str) -> dict[tuple[str, str], str]:
    """The reason of each known fault of a checker."""
    reasons = {}
    for heading, text in sections(HERE / "known.txt"):
        names, _, reason = heading.partition(": ")
        name, verdict = names.split()
        if name == checker:
            for title in text.splitlines():
                assert (verdict, title) not in reasons, f"{checker} {verdict} twice: {title}"
                reasons[verdict, title] = reason
    return reasons
