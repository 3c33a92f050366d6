"""Filling a template: parts within lines, parts of several lines, empty parts."""

from __future__ import annotations

import pytest

from typegrad_codegen.template import fill


@pytest.mark.parametrize(
    ("template", "part", "expected"),
    [
        ("class $x(${x}Base):\n", "A", "class A(ABase):\n"),
        ("def f():\n    $x\n", "a = 1\n\nreturn a\n", "def f():\n    a = 1\n\n    return a\n"),
        ("    return $x\n", "f(\n    a,\n)", "    return f(\n        a,\n    )\n"),
        ("a\n\n$x\n\nb\n", "", "a\n\nb\n"),
        ("a\n\n    $x\n\nb\n", "$x", "a\n\n    $x\n\nb\n"),
    ],
)
def test_a_part(template: str, part: str, expected: str) -> None:
    assert fill(template, x=part) == expected


def test_a_part_that_is_missing() -> None:
    with pytest.raises(KeyError, match="y"):
        fill("$y\n", x="")
