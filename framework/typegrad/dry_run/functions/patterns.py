"""Regular expressions that take little time, whatever they are matched with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["is_slow"]

_NO_OPERATOR: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
"""What only looks like an operator: behind a backslash, and in a set of characters."""
_REPETITION: Final = re.compile(r"[*+]|\{\d*,\d*\}")
_OPTION: Final = re.compile(r"(?<![(*+?}])\?")
_OF_GROUP: Final = re.compile(r"\)\s*(?:[*+]|\{)")
_MOST: Final = 3
"""How many repetitions may follow one another; each multiplies the time by the length of a text."""
_MOST_OPTIONS: Final = 8
"""How many parts may be missing; each doubles the time."""
_LONGEST: Final = {0: 10**6, 1: 10**5, 2: 10**4, 3: 10**3}
"""The length of a text by the number of repetitions: matching takes its power."""


def is_slow(values: Sequence[object]) -> bool:
    """Whether a function of `re` may take much time for a pattern and texts; a repeated group may take any."""
    patterns = [each.pattern for each in values if isinstance(each, re.Pattern)]
    texts = [each for each in values if isinstance(each, str)]
    if not patterns:
        patterns, texts = texts[:1], texts[1:]
    if not patterns or not isinstance(patterns[0], str):
        return True
    operators = _NO_OPERATOR.sub("x", patterns[0])
    repetitions = len(_REPETITION.findall(operators))
    is_simple = repetitions <= _MOST and len(_OPTION.findall(operators)) <= _MOST_OPTIONS
    return not is_simple or _OF_GROUP.search(operators) is not None or sum(map(len, texts)) > _LONGEST[repetitions]
