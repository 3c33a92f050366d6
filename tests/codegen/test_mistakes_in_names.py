"""Mistakes in types and names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import mistakes

A: Final = "{type: T, doc: The first array.}"
SUMMARY: Final = "  summary: Mix two arrays.\n"
EXAMPLE: Final = "    - inputs: {a: 1.0, b: 2.0}\n      outputs: {mixed: 1.5}\n"

# (what is replaced in the valid entry, by what, the errors)
CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    "undefined type variable": (
        A,
        "{type: U, doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a: unknown type 'U'; expected a type attribute (T) or a type such as int32"],
    ),
    "undefined type of an output": (
        "mixed: {type: T",
        "mixed: {type: double",
        [
            (
                "demo.yaml:13: Blend.outputs.mixed: unknown type 'double'; expected a type attribute (T) "
                "or a type such as int32"
            )
        ],
    ),
    "a type's default that is not allowed": (
        "T: [floating, int32]",
        "T: {allowed: [float32], default: float64}",
        ["demo.yaml:5: Blend.types.T.default: found 'float64'; expected one of the allowed types"],
    ),
    "a type's default that is several": (
        "T: [floating, int32]",
        "T: {allowed: [floating], default: floating}",
        ["demo.yaml:5: Blend.types.T.default: found 'floating'; expected one of the allowed types"],
    ),
    "mixed without a type attribute": (
        A,
        "{type: int32, kind: mixed, doc: Some arrays.}",
        [
            (
                "demo.yaml:7: Blend.inputs.a: kind 'mixed' has type 'int32'; expected a type attribute, "
                "for the list of types"
            ),
        ],
    ),
    "keyword": (
        "order: {type: int",
        "lambda: {type: int",
        [
            (
                "demo.yaml:1: Blend.kernel: lib.kernels.demo:blend has the keyword 'order'; expected one "
                "of mode, lambda, T"
            ),
            (
                "demo.yaml:11: Blend.attrs.lambda: 'lambda' cannot be the name of an argument; "
                "expected a Python name of ASCII letters that is not a keyword"
            ),
        ],
    ),
    "collision with an input": (
        "order: {type: int",
        "b: {type: int",
        [
            "demo.yaml:1: Blend.kernel: lib.kernels.demo:blend has the keyword 'order'; expected one of mode, b, T",
            "demo.yaml:11: Blend.attrs.b: the name is taken by inputs.b; expected another",
        ],
    ),
    "collision with the length of a list": (
        "a: {type: T, doc: The first array.}\n    b: {type: T, doc: The second array.}\n  attrs:\n    mode:",
        "a: {type: T, doc: The first array.}\n    b: {type: T, kind: many, doc: The second array.}\n  attrs:\n    N:",
        ["demo.yaml:10: Blend.attrs.N: the name is taken by the length of the list inputs; expected another"],
    ),
    "collision with an argument": (
        "mode: {type",
        "scope: {type",
        ["demo.yaml:10: Blend.attrs.scope: 'scope' is reserved in generated code; expected another name"],
    ),
    "reserved output": (
        "mixed: {type: T, doc: The mixture.}",
        "as_output: {type: T, doc: The mixture.}",
        [
            (
                "demo.yaml:13: Blend.outputs.as_output: 'as_output' is reserved: wrapper classes have it "
                "already; expected another name"
            ),
            "demo.yaml:17: Blend.examples[0].outputs: unknown name 'mixed'; expected as_output",
        ],
    ),
    "bad class": (
        SUMMARY,
        SUMMARY + "  class: blend\n",
        ["demo.yaml:4: Blend.class: found 'blend'; expected a class name in CamelCase, of ASCII letters"],
    ),
    "Java class without a group": (
        EXAMPLE,
        EXAMPLE + "  java: Blend\n",
        ["demo.yaml:19: Blend.java: found 'Blend'; expected `none`, or a group and a class such as 'math.Add'"],
    ),
    "name in an unknown library": (
        EXAMPLE,
        EXAMPLE + "  known_as: [np.add, numpy.add]\n",
        [
            (
                "demo.yaml:19: Blend.known_as: found ['np.add', 'numpy.add']; expected names in "
                "other libraries, such as 'np.sum', "
                "that begin with one of tf, np, scipy, jax, jnp, torch"
            )
        ],
    ),
    "unknown neighbour": (
        EXAMPLE,
        EXAMPLE + "  see_also: [Blend]\n",
        ["demo.yaml:19: Blend.see_also: found 'Blend'; expected the name of another operation"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake(case: str, library: Path, tmp_path: Path) -> None:
    old, new, expected = CASES[case]
    assert mistakes(tmp_path, library, old, new) == expected
