"""Mistakes in gradients and examples."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import VALID, mistakes

EXAMPLE: Final = "    - inputs: {a: 1.0, b: 2.0}\n      outputs: {mixed: 1.5}\n"

# (what is replaced in the valid entry, by what, the errors)
CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    "no gradient": (
        "  gradient: {a: rule, b: stop}\n",
        "",
        ["demo.yaml:1: Blend: missing key 'gradient'; expected an entry per input, such as {a: rule}"],
    ),
    "gradient missing for an input": (
        "{a: rule, b: stop}",
        "{a: rule}",
        [
            (
                "demo.yaml:15: Blend.gradient: nothing is said of input 'b'; "
                "expected `rule`, {rule: words}, `pass`, `zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "gradient of an unknown input": (
        "{a: rule, b: stop}",
        "{a: rule, b: stop, c: stop}",
        ["demo.yaml:15: Blend.gradient: unknown input 'c'; expected one of a, b"],
    ),
    "gradient of an unknown kind": (
        "{a: rule, b: stop}",
        "{a: rule, b: none}",
        [
            (
                "demo.yaml:15: Blend.gradient.b: found 'none'; expected `rule`, {rule: words}, `pass`, "
                "`zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "words beside something else": (
        "{a: rule, b: stop}",
        "{a: {rule: grad, of: b}, b: stop}",
        [
            (
                "demo.yaml:15: Blend.gradient.a: found {'rule': 'grad', 'of': 'b'}; "
                "expected `rule`, {rule: words}, `pass`, `zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "reason beside something else": (
        "{a: rule, b: stop}",
        "{a: {none: unknown, of: b}, b: stop}",
        [
            (
                "demo.yaml:15: Blend.gradient.a: found {'none': 'unknown', 'of': 'b'}; "
                "expected `rule`, {rule: words}, `pass`, `zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "words that are not text": (
        "{a: rule, b: stop}",
        "{a: {rule: 2}, b: stop}",
        [
            (
                "demo.yaml:15: Blend.gradient.a: found {'rule': 2}; expected `rule`, {rule: words}, "
                "`pass`, `zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "an unknown input in an example's gradients": (
        EXAMPLE,
        "    - inputs: {a: 1.0, b: 2.0}\n      gradients: {c: 1.0}\n",
        ["demo.yaml:17: Blend.examples[0].gradients: unknown name 'c'; expected one of a, b"],
    ),
    "gradients of an operation that is not an operand": (
        VALID.partition("  outputs:\n")[2],
        VALID.partition("  outputs:\n")[2]
        .replace("mixed: {", "mixed: {count: order, ")
        .replace("outputs: {mixed: 1.5}", "gradients: {a: 1.0}"),
        ["demo.yaml:17: Blend.examples[0].gradients: unknown name 'a'; expected none"],
    ),
    "a gradient without the name of its input": (
        EXAMPLE,
        "    - inputs: {a: 1.0, b: 2.0}\n      gradients: 1.0\n",
        ["demo.yaml:18: Blend.examples[0].gradients: found 1.0; expected a mapping from names to values"],
    ),
    **{
        f"a page {what}": (
            EXAMPLE,
            f"{EXAMPLE}  page: {page}\n",
            [
                (
                    f"demo.yaml:19: Blend.page: there is no file {page!r}; "
                    "expected a file of Markdown, by its path from the registry's folder"
                )
            ],
        )
        for what, page in {
            "that is not there": "pages/blend.md",
            "elsewhere": __file__,
            "elsewhere, by its path from here": "../" * 50 + __file__.lstrip("/"),
            "with too long a name": "x" * 300,
        }.items()
    },
    "no example": (EXAMPLE, "    []\n", ["demo.yaml:16: Blend.examples: found []; expected at least one example"]),
    "example with an unknown input": (
        "inputs: {a: 1.0, b: 2.0}",
        "inputs: {a: 1.0, b: 2.0, c: 3.0}",
        ["demo.yaml:17: Blend.examples[0].inputs: unknown name 'c'; expected one of a, b"],
    ),
    "example without an input": (
        "inputs: {a: 1.0, b: 2.0}",
        "inputs: {a: 1.0}",
        ["demo.yaml:17: Blend.examples[0].inputs: missing name 'b'; expected a value, as it has no default"],
    ),
    "example with an unknown output": (
        "outputs: {mixed: 1.5}",
        "outputs: {mixture: 1.5}",
        ["demo.yaml:17: Blend.examples[0].outputs: unknown name 'mixture'; expected mixed"],
    ),
    "example with an unknown attribute": (
        "outputs: {mixed: 1.5}",
        "attrs: {degree: 2}\n      outputs: {mixed: 1.5}",
        ["demo.yaml:17: Blend.examples[0].attrs: unknown name 'degree'; expected one of mode, order, T"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake(case: str, library: Path, tmp_path: Path) -> None:
    old, new, expected = CASES[case]
    assert mistakes(tmp_path, library, old, new) == expected
