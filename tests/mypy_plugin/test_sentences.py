"""The table of sentences in which something clashes is about sentences that there are."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from typegrad.mypy_plugin.mistakes.sentences import RULES, Rule, of_sentence

_EXPECTED: Final = re.compile(r"# (?:E|error|run): (.*?)(?:  \[|$)", re.MULTILINE)
_TESTS: Final = Path(__file__).parents[1]


@cache
def _expected_messages() -> frozenset[str]:
    """The messages that the programs of the tests expect, which show that the plugin says so."""
    texts = (each.read_text() for each in _TESTS.rglob("*.py"))
    return frozenset(found for text in texts for found in _EXPECTED.findall(text))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.pattern.pattern)
def test_rule_is_about_a_message_that_a_test_expects(rule: Rule) -> None:
    parts = (each.partition(";")[0] if rule.is_before_remedy else each for each in _expected_messages())
    assert any(rule.pattern.search(each) for each in parts)


@pytest.mark.parametrize(
    ("message", "clashes"),
    [
        ("Add: shapes [?, 3] and [5] do not broadcast: 3 and 5 are neither equal nor 1", [{"3", "5"}]),
        ("MatMul: inner dimensions differ: a is [4, 2], b is [4, 3] with transpose_a=True", [{"4"}]),
        ("MatMul: inner dimensions differ: a is [?, 4], b is [6, 2]", [{"4", "6"}]),
        ("Concat: `values` differ in rank: [?], [?, 3]", [{"rank 1", "rank 2"}, {"rank 1", "more dimensions"}]),
        ("Sum: `axis` is 1, but must be in [-1, 1)", [{"rank 1", "axis"}]),
        ("Sub: x is int32 but y is the Python float 0.5; cast x", [{"int32", "floating point"}]),
        ("Shape: nothing is said of two things", []),
    ],
)
def test_clashes(message: str, clashes: list[set[str]]) -> None:
    assert set(of_sentence(message)) == {frozenset(each) for each in clashes if len(each) > 1}
