"""Run mypy with the plugin on generated files, in a copy of this process, and parse its messages."""

from __future__ import annotations

import gc
import os
import pickle
import re
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen
from mypy import api, version

from support import mypy_cache
from typegrad.mypy_plugin import safety
from typegrad.mypy_plugin.versions import NEWEST

__all__ = ["IS_NEWEST", "Report", "check", "differences", "disagreements", "in_new_words", "type_arguments"]

IS_NEWEST: Final = version.__version__.startswith("{}.{}.".format(*NEWEST))
"""Whether this mypy is of the newest version that the plugin supports. With it, all is asked. With an older one, a
part: what it may do otherwise is to infer a call, and to represent types; the shape functions behind the answers are
the same."""
_QUALIFIER: Final = re.compile(r"[\w.]+\.(?=\w)")
_TYPE: Final = re.compile(r'(Revealed type is|The program makes that; types alone say) "(?P<type>.*)"')
_LINE: Final = re.compile(
    r"(?P<file>[^:]+):(?P<line>\d+): (?P<kind>error|note): (?P<text>.*?)(?:  \[(?P<code>[a-z-]+)\])?$"
)


@frozen
class Message:
    """One line of mypy's answer."""

    file: str
    line: int
    kind: str
    text: str
    code: str


@frozen
class Report:
    """mypy's answer."""

    messages: Sequence[Message]
    output: str
    status: int

    def errors(self, file: str = "") -> list[Message]:
        """The errors, of one file or of all."""
        return [each for each in self.messages if each.kind == "error" and file in ("", each.file)]

    def revealed(self, file: str) -> dict[int, str]:
        """The types of `reveal_type`, by line: those that mypy goes on with, where the program makes more of them."""
        matches = ((each.line, _TYPE.fullmatch(each.text)) for each in self.messages if each.file == file)
        return {line: in_new_words(found["type"]) for line, found in matches if found}


def check(folder: Path, sources: Mapping[str, str], *, plugin: bool = True) -> Report:
    """Write the sources into `folder` and run mypy --strict over them. An exception in a hook is an error here."""
    for name, text in sources.items():  # with its place, as the cache repeats errors of the same text, of elsewhere
        (folder / name).write_text(f"{text}\n# {folder}\n")
    config = folder / "mypy.ini"
    config.write_text(mypy_cache.settings(plugin=plugin) + "show_traceback = true\n")
    cache = mypy_cache.of_process(plugin=plugin)
    arguments = ["--config-file", str(config), "--cache-dir", str(cache), "--no-error-summary"]
    output, problems, status = _run([*arguments, *(str(folder / name) for name in sources)])
    matches = [_LINE.match(line.removeprefix(f"{folder}/")) for line in output.splitlines()]
    messages = [
        Message(each["file"], int(each["line"]), each["kind"], each["text"], each["code"] or "")
        for each in matches
        if each
    ]
    return Report(messages, output + problems, status)


def _run(arguments: list[str]) -> tuple[str, str, int]:
    """mypy's answer, from a copy of this process: what mypy leaves in memory takes longer to collect than to check."""
    with tempfile.TemporaryFile("w+b") as answer, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the copy has none of the threads, and needs none
        child = os.fork()
        if child == 0:
            gc.disable()
            safety.SUPPRESSED = ()
            try:
                pickle.dump(api.run(arguments), answer)
            finally:
                answer.flush()
                os._exit(0)
        os.waitpid(child, 0)
        answer.seek(0)
        result: tuple[str, str, int] = pickle.load(answer)
    return result


def differences(folder: Path, header: str, statements: str) -> list[str]:
    """The statements for which mypy's message differs from the comment after them: `# error: message  [code]`,
    `# type: revealed`.
    """
    lines = statements.strip().splitlines()
    bodies = [f"    reveal_type({line.split('  # ')[0]})" for line in lines]
    report = check(folder, {"statements.py": header + "\n".join(bodies) + "\n"})
    revealed = report.revealed("statements.py")
    answers = []
    for number, line in enumerate(lines, start=header.count("\n") + 1):
        said = [f"error: {each.text}  [{each.code}]" for each in report.errors("statements.py") if each.line == number]
        text = said[0] if said else "type: " + _QUALIFIER.sub("", revealed.get(number, "nothing"))
        answers.append(f"{line.split('  # ')[0]}  # {text}" + "".join(f" AND {more}" for more in said[1:]))
    return [f"{answer}\n    instead of {line}" for answer, line in zip(answers, lines, strict=True) if answer != line]


def disagreements(folder: Path, programs: Mapping[str, str], header: str) -> dict[str, list[str]]:
    """For each program, the lines for which mypy's answer differs from the comment after them: `# E: message  [code]`,
    `# R: revealed`. Lines without such a comment must be fine.
    """
    files = {name: f"program_{number}.py" for number, name in enumerate(programs)}
    report = check(folder, {files[name]: header + program for name, program in programs.items()})
    return {name: list(_disagreements(report, file, header + programs[name])) for name, file in files.items()}


def _disagreements(report: Report, file: str, source: str) -> Iterator[str]:
    revealed, said = report.revealed(file), report.errors(file)
    for number, line in enumerate(source.splitlines(), start=1):
        texts = [f"E: {each.text}  [{each.code}]" for each in said if each.line == number]
        texts += [f"R: {_QUALIFIER.sub('', revealed[number])}"] if number in revealed else []
        code, *expected = re.split(r"  # (?=[ER]: )", line)
        if texts != expected:
            yield f"{code}  # {' AND '.join(texts) or 'nothing'}\n    instead of {' AND '.join(expected) or 'nothing'}"


def in_new_words(text: str) -> str:
    """A revealed type in the form of newer versions of mypy."""
    text = re.sub(r"`-?\d+", "", text.replace("builtins.", ""))
    text = re.sub(r"Unpack\[(\w[\w.]*(?:\[[^][]*\])?)\]", r"*\1", text)
    while "Union[" in text:
        start = text.rindex("Union[")
        end, depth = start + len("Union["), 1
        while depth:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + " | ".join(type_arguments(text[start:end])) + text[end:]
    return text


def type_arguments(text: str) -> list[str]:
    """The arguments of a type as mypy prints it: "MatMul[TFloat32, tuple[int, int]]" has two."""
    start = text.find("[")
    if start < 0:
        return []
    parts, depth = [""], 0
    for letter in text[start + 1 : -1]:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
