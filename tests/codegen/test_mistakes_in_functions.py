"""Mistakes in what an entry says of its functions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import mistakes

SUMMARY: Final = "  summary: Mix two arrays.\n"

# (what is replaced in the valid entry, by what, the errors)
CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    "no kernel": (
        SUMMARY,
        SUMMARY + "  kernel: blnd\n",
        ["demo.yaml:4: Blend.kernel: no function 'blnd' was found; expected lib.kernels.demo:blnd"],
    ),
    "no kernel in another file": (
        SUMMARY,
        SUMMARY + "  kernel: other:blend\n",
        [
            (
                "demo.yaml:4: Blend.kernel: no function 'other:blend' was found; expected one of "
                "lib.kernels.other:blend, other:blend"
            )
        ],
    ),
    "no kernel in another package": (
        SUMMARY,
        SUMMARY + "  kernel: lib.nowhere:blend\n",
        ["demo.yaml:4: Blend.kernel: no function 'lib.nowhere:blend' was found; expected lib.nowhere:blend"],
    ),
    "a module that is not Python": (
        SUMMARY,
        SUMMARY + "  kernel: broken:blend\n",
        ["demo.yaml:4: Blend.kernel: {library}/lib/kernels/broken.py:1 is not valid Python: invalid syntax"],
    ),
    "a kernel's keyword that is not an attribute": (
        SUMMARY,
        SUMMARY + "  kernel: greedy\n",
        ["demo.yaml:4: Blend.kernel: lib.kernels.demo:greedy has the keyword 'weight'; expected one of mode, order, T"],
    ),
    "a kernel with too few arguments": (
        SUMMARY,
        SUMMARY + "  kernel: lonely\n",
        [
            (
                "demo.yaml:4: Blend.kernel: lib.kernels.demo:lonely takes 2 positional arguments; "
                "expected 3: xp and one per input"
            )
        ],
    ),
    "a kernel with too many arguments before its list": (
        SUMMARY,
        SUMMARY + "  kernel: crowded\n",
        [
            (
                "demo.yaml:4: Blend.kernel: lib.kernels.demo:crowded takes 4 positional arguments; "
                "expected 3: xp and one per input"
            )
        ],
    ),
    "no shape function": (
        "broadcast(a, b)",
        "broadcasts(a, b)",
        [
            (
                "demo.yaml:14: Blend.shape: no function 'broadcasts' was found; "
                "expected one of lib.shapes.demo:broadcasts, typegrad.shapes.common:broadcasts"
            )
        ],
    ),
    "unknown argument of a shape function": (
        "broadcast(a, b)",
        "same_as(x)",
        ["demo.yaml:14: Blend.shape: unknown argument 'x'; expected one of a, b, mode, order"],
    ),
    "wrong number of arguments of a shape function": (
        "broadcast(a, b)",
        "same_as(a, b)",
        ["demo.yaml:14: Blend.shape: typegrad.shapes.common:same_as is given 2 arguments; expected 1"],
    ),
    "too few arguments of a shape function with a list": (
        "broadcast(a, b)",
        "joined",
        ["demo.yaml:14: Blend.shape: lib.shapes.demo:joined is given 0 arguments; expected 1"],
    ),
    "a shape that is not a call": (
        "broadcast(a, b)",
        "broadcast(a",
        [
            (
                "demo.yaml:14: Blend.shape: found 'broadcast(a'; expected a function, perhaps with "
                "arguments, such as same_as(x)"
            )
        ],
    ),
    "no value function": (
        SUMMARY,
        SUMMARY + "  value: worth\n",
        [
            (
                "demo.yaml:4: Blend.value: no function 'worth' was found; "
                "expected one of lib.shapes.demo:worth, typegrad.shapes.common:worth"
            )
        ],
    ),
    "no default function": (
        "b: {type: T",
        "b: {default: one, type: T",
        [
            (
                "demo.yaml:8: Blend.inputs.b.default: no function 'one' was found; "
                "expected one of lib.defaults:one, typegrad.defaults:one"
            )
        ],
    ),
    "no gradient function": (
        SUMMARY,
        SUMMARY + "  gradient_function: blnd\n",
        ["demo.yaml:4: Blend.gradient_function: no function 'blnd' was found; expected lib.rules.demo:blnd"],
    ),
    "a gradient function without a rule": (
        "gradient: {a: rule, b: stop}",
        "gradient: {a: stop, b: stop}\n  gradient_function: blend",
        ["demo.yaml:16: Blend.gradient_function: no input has a rule; expected no gradient_function"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake(case: str, library: Path, tmp_path: Path) -> None:
    old, new, expected = CASES[case]
    assert mistakes(tmp_path, library, old, new) == expected
