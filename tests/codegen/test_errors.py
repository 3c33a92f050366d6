"""Each mistake in an entry: where it is, what was found, what is expected."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import VALID, errors
from typegrad_codegen.problems import Problem, Problems, RegistryError

A: Final = "{type: T, doc: The first array.}"
MODE: Final = "{type: string, default: linear, allowed: [linear, cubic], doc: How to mix.}"
ORDER: Final = "{type: int, default: 1, minimum: 0, doc: How smooth the mixture is.}"
SUMMARY: Final = "  summary: Mix two arrays.\n"
EXAMPLE: Final = "    - inputs: {a: 1.0, b: 2.0}\n      outputs: {mixed: 1.5}\n"

# (what is replaced in the valid entry, by what, the errors)
CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    # Keys
    "unknown key": (
        A,
        "{typ: T, type: T, doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a: unknown key 'typ'; expected one of tf, type, doc, kind, literal, default"],
    ),
    "unknown key of an entry": (
        SUMMARY,
        SUMMARY + "  sumary: Mix.\n",
        [
            (
                "demo.yaml:4: Blend: unknown key 'sumary'; expected one of class, group, summary, description, types, inputs, attrs, "
                "outputs, shape, kernel, value, gradient, gradient_function, effect, differences, java, known_as, see_also, examples, page"
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
                "demo.yaml:11: Blend.attrs.order.tf: found 'a b'; expected TensorFlow's name where it is another than this, "
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
            "demo.yaml:19: Blend.kernel: lib.kernels.demo:blend takes 3 positional arguments; expected 1: xp and one per input",
        ],
    ),
    "a key that is no text": (
        "b: {type: T",
        "on: {type: T",
        [
            "demo.yaml:8: key 'on' reads as True in YAML; expected a name: write it in quotes",
            "demo.yaml:14: Blend.shape: unknown argument 'b'; expected one of a, on, mode, order",
            (
                "demo.yaml:15: Blend.gradient: nothing is said of input 'on'; expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or "
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
    # Types
    "undefined type variable": (
        A,
        "{type: U, doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a: unknown type 'U'; expected a type attribute (T) or a type such as int32"],
    ),
    "undefined type of an output": (
        "mixed: {type: T",
        "mixed: {type: double",
        [
            "demo.yaml:13: Blend.outputs.mixed: unknown type 'double'; expected a type attribute (T) or a type such as int32"
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
            "demo.yaml:7: Blend.inputs.a: kind 'mixed' has type 'int32'; expected a type attribute, for the list of types",
        ],
    ),
    # Names
    "keyword": (
        "order: {type: int",
        "lambda: {type: int",
        [
            "demo.yaml:1: Blend.kernel: lib.kernels.demo:blend has the keyword 'order'; expected one of mode, lambda, T",
            (
                "demo.yaml:11: Blend.attrs.lambda: 'lambda' cannot be the name of an argument; "
                "expected a Python name of ASCII letters that is no keyword"
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
            "demo.yaml:13: Blend.outputs.as_output: 'as_output' is reserved: wrapper classes have it already; expected another name",
            "demo.yaml:17: Blend.examples[0].outputs: unknown name 'mixed'; expected as_output",
        ],
    ),
    "bad class": (
        SUMMARY,
        SUMMARY + "  class: blend\n",
        ["demo.yaml:4: Blend.class: found 'blend'; expected a class name in CamelCase, of ASCII letters"],
    ),
    # Inputs and attributes
    "unknown kind of attribute": (
        ORDER,
        "{type: integer, doc: How smooth.}",
        [
            (
                "demo.yaml:11: Blend.attrs.order.type: found 'integer'; expected one of int, float, bool, string, shape, tensor, "
                "list(int), list(float), list(bool), list(string), list(shape), list(tensor)"
            ),
            "demo.yaml:17: Blend.examples[0].attrs: missing name 'order'; expected a value, as it has no default",
        ],
    ),
    "default of another kind": (
        ORDER,
        "{type: int, default: 1.5, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default 1.5 is no int; expected an integer"],
    ),
    "default that is true": (
        ORDER,
        "{type: int, default: true, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default True is no int; expected an integer"],
    ),
    "default of another kind in a list": (
        ORDER,
        "{type: list(int), default: [1, x], doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default [1, 'x'] is no list(int); expected an integer, in a list"],
    ),
    "default below the minimum": (
        ORDER,
        "{type: int, default: 1, minimum: 2, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order: default 1 is below the minimum; expected at least 2"],
    ),
    "positional that is no bool": (
        ORDER,
        "{type: int, default: 1, positional: yes please, doc: How smooth.}",
        ["demo.yaml:11: Blend.attrs.order.positional: found 'yes please'; expected true or false"],
    ),
    "positional after an option": (
        ORDER,
        "{type: int, default: 1, positional: true, doc: How smooth.}",
        [
            "demo.yaml:11: Blend.attrs.order: positional is for the first argument that may be left out; expected no positional"
        ],
    ),
    "positional without a default": (
        "mode: {type: string, default: linear,",
        "mode: {type: string, positional: true,",
        [
            "demo.yaml:10: Blend.attrs.mode: positional is for the first argument that may be left out; expected no positional",
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
            "demo.yaml:10: Blend.attrs.mode: minimum is for numbers and lists, but the type is string; expected no minimum"
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
    "unknown literal": (
        A,
        "{type: T, literal: axis, doc: The first array.}",
        ["demo.yaml:7: Blend.inputs.a.literal: found 'axis'; expected one of int, ints, axes, indices"],
    ),
    "a list with a literal": (
        A,
        "{type: T, kind: many, literal: int, doc: Some arrays.}",
        ["demo.yaml:7: Blend.inputs.a: kind 'many' takes no literal and no default; expected neither"],
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
            "demo.yaml:1: Blend.kernel: lib.kernels.demo:blend takes 3 positional arguments; expected 4: xp and one per input",
            "demo.yaml:9: Blend.inputs.b: has no default, but follows 'c', which has one; expected a default",
            (
                "demo.yaml:16: Blend.gradient: nothing is said of input 'c'; "
                "expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or {none: reason}"
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
        "    parts: {count: order, type: T, doc: Parts.}\n    rest: {count: order, type: T, doc: Rest.}\n    mixed: {type: T",
        ["demo.yaml:14: Blend.outputs.rest: a second list output beside single ones; expected one"],
    ),
    "unknown effect": (
        SUMMARY,
        SUMMARY + "  effect: stateful\n",
        ["demo.yaml:4: Blend.effect: found 'stateful'; expected one of feed, random, handle, read, write"],
    ),
    # Functions
    "no kernel": (
        SUMMARY,
        SUMMARY + "  kernel: blnd\n",
        ["demo.yaml:4: Blend.kernel: no function 'blnd' was found; expected lib.kernels.demo:blnd"],
    ),
    "no kernel in another file": (
        SUMMARY,
        SUMMARY + "  kernel: other:blend\n",
        [
            "demo.yaml:4: Blend.kernel: no function 'other:blend' was found; expected one of lib.kernels.other:blend, other:blend"
        ],
    ),
    "no kernel in another package": (
        SUMMARY,
        SUMMARY + "  kernel: lib.nowhere:blend\n",
        ["demo.yaml:4: Blend.kernel: no function 'lib.nowhere:blend' was found; expected lib.nowhere:blend"],
    ),
    "a module that is no Python": (
        SUMMARY,
        SUMMARY + "  kernel: broken:blend\n",
        ["demo.yaml:4: Blend.kernel: {library}/lib/kernels/broken.py:1 is not valid Python: invalid syntax"],
    ),
    "a kernel's keyword that is no attribute": (
        SUMMARY,
        SUMMARY + "  kernel: greedy\n",
        ["demo.yaml:4: Blend.kernel: lib.kernels.demo:greedy has the keyword 'weight'; expected one of mode, order, T"],
    ),
    "a kernel with too few arguments": (
        SUMMARY,
        SUMMARY + "  kernel: lonely\n",
        [
            "demo.yaml:4: Blend.kernel: lib.kernels.demo:lonely takes 2 positional arguments; expected 3: xp and one per input"
        ],
    ),
    "a kernel with too many arguments before its list": (
        SUMMARY,
        SUMMARY + "  kernel: crowded\n",
        [
            "demo.yaml:4: Blend.kernel: lib.kernels.demo:crowded takes 4 positional arguments; expected 3: xp and one per input"
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
    "a shape that is no call": (
        "broadcast(a, b)",
        "broadcast(a",
        [
            "demo.yaml:14: Blend.shape: found 'broadcast(a'; expected a function, perhaps with arguments, such as same_as(x)"
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
    # Gradients
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
                "expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or {none: reason}"
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
            "demo.yaml:15: Blend.gradient.b: found 'none'; expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or {none: reason}"
        ],
    ),
    "formula beside something else": (
        "{a: rule, b: stop}",
        "{a: {rule: grad, of: b}, b: stop}",
        [
            (
                "demo.yaml:15: Blend.gradient.a: found {'rule': 'grad', 'of': 'b'}; "
                "expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "reason beside something else": (
        "{a: rule, b: stop}",
        "{a: {none: unknown, of: b}, b: stop}",
        [
            (
                "demo.yaml:15: Blend.gradient.a: found {'none': 'unknown', 'of': 'b'}; "
                "expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or {none: reason}"
            )
        ],
    ),
    "formula that is no text": (
        "{a: rule, b: stop}",
        "{a: {rule: 2}, b: stop}",
        [
            "demo.yaml:15: Blend.gradient.a: found {'rule': 2}; expected `rule`, {rule: formula}, `pass`, `zero`, `stop` or {none: reason}"
        ],
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
                "demo.yaml:19: Blend.known_as: found ['np.add', 'numpy.add']; expected names in other libraries, such as 'np.sum', "
                "that begin with one of tf, np, scipy, jax, jnp, torch"
            )
        ],
    ),
    "unknown neighbour": (
        EXAMPLE,
        EXAMPLE + "  see_also: [Blend]\n",
        ["demo.yaml:19: Blend.see_also: found 'Blend'; expected the name of another operation"],
    ),
    # Examples
    "an unknown input in an example's gradients": (
        EXAMPLE,
        "    - inputs: {a: 1.0, b: 2.0}\n      gradients: {c: 1.0}\n",
        ["demo.yaml:17: Blend.examples[0].gradients: unknown name 'c'; expected one of a, b"],
    ),
    "gradients of an operation that is no operand": (
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
    "a page that is not there": (
        EXAMPLE,
        EXAMPLE + "  page: pages/blend.md\n",
        [
            (
                "demo.yaml:19: Blend.page: there is no file 'pages/blend.md'; "
                "expected a file of Markdown, by its path from the registry's folder"
            )
        ],
    ),
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
    assert VALID.count(old) == 1
    lines = errors(tmp_path, demo=VALID.replace(old, new))
    assert lines == [f"ops/{line.replace('{library}', str(library))}" for line in expected]


def test_what_is_said_is_said_once_and_not_without_end() -> None:
    problems = Problems("a.yaml")
    for _ in range(2):
        problems.add(1, "w" * 1000, "m" * 1000)
    (told,) = RegistryError(problems.found).problems
    assert told == Problem("a.yaml", 1, "w" * 197 + "...", "m" * 797 + "...")
