"""Mistakes in the structure of an entry: keys, and the kinds of their values."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import mistakes

OF_INPUTS: Final = "tf, type, doc, kind, integers, default, otherwise, uses"
A: Final = "{type: T, doc: The first array.}"
ORDER: Final = "{type: int, default: 1, minimum: 0, doc: How smooth the mixture is.}"
SUMMARY: Final = "  summary: Mix two arrays.\n"
EXAMPLE: Final = "    - inputs: {a: 1.0, b: 2.0}\n      outputs: {mixed: 1.5}\n"

# (what is replaced in the valid entry, by what, the errors)
CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    "unknown key": (
        A,
        "{typ: T, type: T, doc: The first array.}",
        [f"demo.yaml:7: Blend.inputs.a: unknown key 'typ'; expected one of {OF_INPUTS}"],
    ),
    "unknown key of an entry": (
        SUMMARY,
        SUMMARY + "  sumary: Mix.\n",
        [
            (
                "demo.yaml:4: Blend: unknown key 'sumary'; expected one of class, group, summary, "
                "description, types, inputs, attrs, "
                "outputs, shape, kernel, value, gradient, gradient_function, effect, differences, "
                "java, known_as, see_also, examples, page"
            )
        ],
    ),
    "TensorFlow's name where it is the same": (
        A,
        "{tf: a, type: T, doc: The first array.}",
        [
            (
                "demo.yaml:7: Blend.inputs.a.tf: found 'a'; expected TensorFlow's name where it is another than this, "
                "such as 'reduction_indices'"
            )
        ],
    ),
    "TensorFlow's name that is none": (
        ORDER,
        "{tf: a b, type: int, default: 1, minimum: 0, doc: How smooth the mixture is.}",
        [
            (
                "demo.yaml:11: Blend.attrs.order.tf: found 'a b'; expected TensorFlow's name where "
                "it is another than this, "
                "such as 'reduction_indices'"
            )
        ],
    ),
    "missing key": (SUMMARY, "", ["demo.yaml:1: Blend: missing key 'summary'"]),
    "missing doc": (A, "{type: T}", ["demo.yaml:7: Blend.inputs.a: missing key 'doc'"]),
    "empty doc": (A, "{type: T, doc: ' '}", ["demo.yaml:7: Blend.inputs.a.doc: found ' '; expected text"]),
    "duplicate key": (SUMMARY, SUMMARY * 2, ["demo.yaml:4: duplicate key 'summary'; the first is in line 3"]),
    "duplicate operation in a file": (
        EXAMPLE,
        EXAMPLE + "Blend: {}\n",
        [
            "demo.yaml:19: duplicate key 'Blend'; the first is in line 1",
            "demo.yaml:19: Blend: missing key 'examples'",
            "demo.yaml:19: Blend: missing key 'group'",
            "demo.yaml:19: Blend: missing key 'shape'",
            "demo.yaml:19: Blend: missing key 'summary'",
            "demo.yaml:19: Blend.kernel: lib.kernels.demo:blend has the keyword 'order'; expected none",
            (
                "demo.yaml:19: Blend.kernel: lib.kernels.demo:blend takes 3 positional arguments; "
                "expected 1: xp and one per input"
            ),
        ],
    ),
    "a key that is not text": (
        "b: {type: T",
        "on: {type: T",
        [
            "demo.yaml:8: key 'on' reads as True in YAML; expected a name: write it in quotes",
            "demo.yaml:14: Blend.shape: unknown argument 'b'; expected one of a, on, mode, order",
            (
                "demo.yaml:15: Blend.gradient: nothing is said of input 'on'; expected `rule`, "
                "{rule: words}, `pass`, `zero`, `stop` or "
                "{none: reason}"
            ),
            "demo.yaml:15: Blend.gradient: unknown input 'b'; expected one of a, on",
            "demo.yaml:17: Blend.examples[0].inputs: missing name 'on'; expected a value, as it has no default",
            "demo.yaml:17: Blend.examples[0].inputs: unknown name 'b'; expected one of a, on",
        ],
    ),
    "no mapping": (A, "T", ["demo.yaml:7: Blend.inputs.a: found 'T'; expected a mapping"]),
    "no group": ("  group: demo\n", "", ["demo.yaml:1: Blend: missing key 'group'"]),
    "bad group": (
        "group: demo",
        "group: De-mo",
        ["demo.yaml:2: Blend.group: found 'De-mo'; expected a Python name in lower case, of ASCII letters"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake(case: str, library: Path, tmp_path: Path) -> None:
    old, new, expected = CASES[case]
    assert mistakes(tmp_path, library, old, new) == expected
