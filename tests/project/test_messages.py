"""Every message of an error has a test that holds words of it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typegrad

PACKAGE: Final = Path(typegrad.__file__).parent
TESTS: Final = Path(__file__).parents[1]
LEAST: Final = 12
"""A shorter text, such as ", but ", is not compared."""
WORDS: Final = 3
"""A stretch of so many words that no other message has tells a message from the others."""

CAUGHT: Final = {
    "kernels/variable.py: a handle is made by the session": "no plan runs the operation",
    "files/checkpoint/saver.py: a saver has not written this": "the saver passes over the file",
    "shapes/diagonal.py: the rank is odd or 0": "it becomes the message that names the input",
    "shapes/random_distributions.py: too few dimensions": "it becomes the message that names the inputs",
    "shapes/view.py: is a list input: use shapes(": "a mistake in the package itself",
}
"""The messages that no test reads, as no user does, and why."""


def test_every_message_is_in_a_test() -> None:
    messages = dict(_messages())
    stretches = {text: _stretches(text) for text in set(messages.values())}
    uses = Counter(each for of_one in stretches.values() for each in of_one)
    files = [path for path in TESTS.rglob("*.py") if path != Path(__file__)]
    tests = "\n".join({_plain(text) for path in files for text in _texts(_parsed(path)) if " " in text})

    def is_read(text: tuple[str, ...]) -> bool:
        own = [each for each in stretches[text] if uses[each] == 1]
        return any(each in tests for each in own) if own else any(part in tests for part in text)

    unread = {f"{place.partition(':')[0]}: {text[0]}" for place, text in messages.items() if not is_read(text)}
    assert unread == CAUGHT.keys()


def _messages() -> Iterator[tuple[str, tuple[str, ...]]]:
    """The constant parts of what is raised, by file and line. The plugin's messages have tests of their own."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        if place.parts[0] not in ("mypy_plugin", "op"):
            for node in ast.walk(_parsed(path)):
                if isinstance(node, ast.Raise):
                    parts = tuple(_plain(text) for text in _texts(node) if len(text) >= LEAST)
                    if parts:
                        yield f"{place.as_posix()}:{node.lineno}", parts


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _texts(node: ast.AST) -> Iterator[str]:
    """The texts in a piece of a program, and those between the values of f-strings."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _plain(text: str) -> str:
    """A text without the backslashes of a pattern, and with single blanks."""
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


def _stretches(parts: tuple[str, ...]) -> set[str]:
    """All stretches of a few words."""
    words = [part.split(" ") for part in parts]
    count = min(WORDS, max(map(len, words)))
    return {" ".join(part[i : i + count]) for part in words for i in range(len(part) - count + 1)}
