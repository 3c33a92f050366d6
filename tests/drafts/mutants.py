"""What the checker says of drafts with one change each, and what a run does: `python tests/drafts/mutants.py`.

The checker should tell of each change with which the program no longer runs, and say nothing of one with which it
does, unless that breaks a declaration. Where only an assertion of a draft fails, values are other ones; these no
checker knows.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import islice, zip_longest
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

sys.path.append(str(Path(__file__).parents[1]))
from drafts.corpus import HERE, Finding
from drafts.mutation import Mutant, mutants
from mypy_plugin.checking import check
from support import sharing

_SECONDS: Final = 60
_TOGETHER: Final = 100
_OWN: Final = re.compile(r"  \[typegrad-[a-z]+\]$")
_OTHERWISE: Final = re.compile(r"; declare [\w. ]+ as (?!.* (?:feeds|takes)  \[)")
"""The end of an error that says which annotation is broken; that of a placeholder is none."""


class Ran(NamedTuple):
    """What a run of a program does."""

    error: str
    """The name of the error's class; empty without an error."""
    text: str
    lines: Sequence[int]
    """The lines of the program that were running."""


def ran(text: str, file: str) -> Ran:
    """Run a program in a process of its own."""
    context = multiprocessing.get_context("fork")  # this one has imported what programs need
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(text, file, sender))
    process.start()
    sender.close()
    try:
        result: Ran = receiver.recv()
    except EOFError:
        result = Ran("Killed", "", [])
    process.join()
    return result


def _run(text: str, file: str, sender: Connection) -> None:
    signal.alarm(_SECONDS)
    result = Ran("", "", [])
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        try:
            exec(compile(text, file, "exec", dont_inherit=True), {"__name__": "__main__"})
        except Exception as error:  # noqa: BLE001  # of whatever kind
            frames = traceback.extract_tb(error.__traceback__)
            result = Ran(
                type(error).__name__, str(error), [each.lineno or 0 for each in frames if each.filename == file]
            )
    sender.send(result)


def chosen(texts: Mapping[str, str], count: int, seed: int) -> dict[str, Mutant]:
    """As many mutants of programs, as many of each kind, by the names of their files."""
    draw = random.Random(seed)
    kinds: dict[str, list[tuple[str, Mutant]]] = {}
    for name, text in texts.items():
        for each in mutants(text):
            kinds.setdefault(each.kind, []).append((name, each))
    for several in kinds.values():
        draw.shuffle(several)
    turns = (each for those in zip_longest(*kinds.values()) for each in those if each is not None)
    return {f"{name}_{number}.py": mutant for number, (name, mutant) in enumerate(islice(turns, count))}


def verdict(run: Ran, findings: Sequence[Finding]) -> str:
    """How what the checker says of a program compares with what a run does."""
    if run.error in ("AssertionError", "Killed"):
        return "has other values"
    if not run.error:
        is_own = all(_OWN.search(each.text) and not _OTHERWISE.search(each.text) for each in findings)
        return "runs" if not findings else "runs, an error of typegrad" if is_own else "runs, a declaration broken"
    if not findings:
        return "fails, not told"
    return "fails, told" if any(each.line in run.lines for each in findings) else "fails, told elsewhere"


def compared(folder: Path, programs: Mapping[str, Mutant]) -> Iterator[tuple[str, Ran, list[Finding]]]:
    """What a run does with each program, and what the checker says."""
    names = list(programs)
    for first in range(0, len(names), _TOGETHER):
        part = folder / str(first)
        part.mkdir()
        texts = {name: programs[name].text for name in names[first : first + _TOGETHER]}
        found = [Finding(each.file, each.line, f"{each.text}  [{each.code}]") for each in check(part, texts).errors()]
        for name, text in texts.items():
            yield name, ran(text, name), [each for each in found if each.file == name]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare what the checker says of changed drafts with their runs.")
    parser.add_argument("--count", type=int, default=300, help="changed drafts, about a second each (default: 300)")
    parser.add_argument("--seed", type=int, default=0, help="which of them (default: 0)")
    arguments = parser.parse_args()
    sharing.folder = Path(mkdtemp())
    drafts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((HERE / "models").glob("*.py"))}
    programs = chosen(drafts, arguments.count, arguments.seed)
    verdicts = Counter[str]()
    for name, run, findings in compared(sharing.folder, programs):
        judged = verdict(run, findings)
        verdicts[judged] += 1
        if judged in ("fails, not told", "runs, an error of typegrad") or len(findings) > 1:
            print(f"{judged}: {name}:{programs[name].line}: {programs[name].kind}")
            print(f"  run: {run.error} {run.text.partition(chr(10))[0]} {run.lines}")
            print(*(f"  checker: {each.line}: {each.text}" for each in findings), sep="\n")
    for each, count in sorted(verdicts.items()):
        print(f"{count:5} {each}")


if __name__ == "__main__":
    main()
