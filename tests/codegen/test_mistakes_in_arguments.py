"""Mistakes in inputs, attributes, outputs and effects."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import mistakes

A: Final = "{type: T, doc: The first array.}"
MODE: Final = "{type: string, default: linear, allowed: [linear, cubic], doc: How to mix.}"
ORDER: Final = "{type: int, default: 1, minimum: 0, doc: How smooth the mixture is.}"
SUMMARY: Final = "  summary: Mix two arrays.\n"

# (what is replaced in the valid entry, by what, the errors)
CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    "unknown kind of attribute": (
        ORDER,
        "{type: integer, doc: How smooth.}",
        [
            (
                "demo.yaml:11: Blend.attrs.order.type: found 'integer'; expected one of int, float, "
                "bool, string, shape, tensor, "
                "list(int), list(float), list(bool), list(string), list(shape), list(tensor)"
            ),
            "demo.yaml:17: Blend.examples[0].attrs: missing name 'order'; expected a value, as it has no default",
        ],
    ),
    "default of another kind": (
        ORDER,
        "{type: int, default: 1.5, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default 1.5 is not of type int; expected an integer"],
    ),
    "default that is true": (
        ORDER,
        "{type: int, default: true, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default True is not of type int; expected an integer"],
    ),
    "default of another kind in a list": (
        ORDER,
        "{type: list(int), default: [1, x], doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default [1, 'x'] is not of type list(int); expected an integer, in a list"],
    ),
    "default below the minimum": (
        ORDER,
        "{type: int, default: 1, minimum: 2, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default 1 is below the minimum; expected at least 2"],
    ),
    "positional that is not a bool": (
        ORDER,
        "{type: int, default: 1, positional: yes please, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order.positional: found 'yes please'; expected true or false"],
    ),
    "positional after an option": (
        ORDER,
        "{type: int, default: 1, positional: true, doc: How smooth.}",
        [
            (
                "demo.yaml:11: Blend.attrs.order: positional is for the first argument that may be left out; "
                "expected no positional"
            )
        ],
    ),
    "positional without a default": (
        "mode: {type: string, default: linear,",
        "mode: {type: string, positional: true,",
        [
            (
                "demo.yaml:10: Blend.attrs.mode: positional is for the first argument that may be left out; "
                "expected no positional"
            ),
            "demo.yaml:17: Blend.examples[0].attrs: missing name 'mode'; expected a value, as it has no default",
        ],
    ),
    "minimum that is no integer": (
        ORDER,
        "{type: int, default: 1, minimum: one, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order.minimum: found 'one'; expected an integer"],
    ),
    "minimum that is true": (
        ORDER,
        "{type: int, default: 1, minimum: true, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order.minimum: found True; expected an integer"],
    ),
    "minimum of a text": (
        MODE,
        "{type: string, default: linear, minimum: 1, doc: How to mix.}",
        [
            (
                "demo.yaml:10: Blend.attrs.mode: minimum is for numbers and lists, but the type is "
                "string; expected no minimum"
            )
        ],
    ),
    "allowed numbers": (
        ORDER,
        "{type: int, default: 1, allowed: [one, two], doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: allowed is for strings, but the type is int; expected no allowed"],
    ),
    "default that is not allowed": (
        MODE,
        "{type: string, default: square, allowed: [linear, cubic], doc: How to mix.}",
        ["demo.yaml:10: Blend.attrs.mode: default 'square' is not allowed; expected one of linear, cubic"],
    ),
    "unknown integers": (
        A,
        "{type: T, integers: axis, doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a.integers: found 'axis'; expected one of int, ints, axes, indices"],
    ),
    "a list with integers": (
        A,
        "{type: T, kind: many, integers: int, doc: Some arrays.}",
        ["demo.yaml:7: Blend.inputs.a: kind 'many' takes no integers and no default; expected neither"],
    ),
    "default of an input": (
        A,
        "{type: T, default: [1], doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a.default: found [1]; expected a number or the name of a function"],
    ),
    "default of an input that is true": (
        A,
        "{type: T, default: true, doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a.default: found True; expected a number or the name of a function"],
    ),
    "an optional input before a required one": (
        A,
        "{type: T, default: 1, doc: The first array.}",
        ["demo.yaml:8: Blend.inputs.b: has no default, but follows 'a', which has one; expected a default"],
    ),
    "two optional inputs before a required one": (
        "{type: T, doc: The first array.}\n    b:",
        "{type: T, default: 1, doc: The first array.}\n    c: {type: T, default: 1, doc: Another array.}\n    b:",
        [
            (
                "demo.yaml:1: Blend.kernel: lib.kernels.demo:blend takes 3 positional arguments; "
                "expected 4: xp and one per input"
            ),
            "demo.yaml:9: Blend.inputs.b: has no default, but follows 'c', which has one; expected a default",
            (
                "demo.yaml:16: Blend.gradient: nothing is said of input 'c'; "
                "expected `rule`, {rule: words}, `pass`, `zero`, `stop` or {none: reason}"
            ),
        ],
    ),
    "unknown count": (
        "mixed: {type: T",
        "mixed: {count: mode, type: T",
        ["demo.yaml:13: Blend.outputs.mixed: unknown count 'mode'; expected order, an int attribute"],
    ),
    "two lists of outputs beside a single one": (
        "    mixed: {type: T",
        (
            "    parts: {count: order, type: T, doc: Parts.}\n    rest: {count: order, type: T, doc: "
            "Rest.}\n    mixed: {type: T"
        ),
        ["demo.yaml:14: Blend.outputs.rest: a second list output beside single ones; expected one"],
    ),
    "unknown effect": (
        SUMMARY,
        SUMMARY + "  effect: stateful\n",
        ["demo.yaml:4: Blend.effect: found 'stateful'; expected one of feed, random, handle, read, write, outside"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake(case: str, library: Path, tmp_path: Path) -> None:
    old, new, expected = CASES[case]
    assert mistakes(tmp_path, library, old, new) == expected
