"""Python expressions over operands mean what they mean in TensorFlow, or there is a reason."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from expressions.answering import Answer, answer, operands, recorded
from expressions.cases import EXPRESSIONS

IDENTITY: Final = (
    "operands are compared by identity, as keys of dictionaries are; math.Equal and math.NotEqual compare values"
)
LOSS: Final = "an array is not converted silently to the operand's type, which would lose what its own type says"
NUMBER: Final = "a number that the operand's type cannot hold is refused, not wrapped around or made infinite"
BOOL: Final = "a bool is not a number, and arithmetic is not for bools"
DIVISION: Final = (
    "integers are not divided by /: which float type it should be is said with dtypes.Cast; // is the floor"
)
NUMPY: Final = "NumPy asks the operand for `array + x`, which is np.add to it: its functions for operators work"
UNKNOWN: Final = "an unknown rank is None, here as in `rank`, and nothing that has it equals None or has dimensions"
ELEMENT_TYPE: Final = "an element type is a class, as a type checker needs it; its NumPy type is x.dtype.numpy"
WRITTEN: Final = "a shape is written as in messages: [?, 3]"

REASONS: Final = {
    **dict.fromkeys(
        ("f == f", "f == 2.0", "f == i", "f != f", "f != 2", 'f == "x"', "b == b", "m == f", "f != [1, 2]", "f32 == f", "s == s"),
        IDENTITY,
    ),
    **dict.fromkeys(("hash(f) == hash(f)", "f in [1.0]", "{f: 1}", "{f, f}"), IDENTITY),
    **dict.fromkeys(
        ("f64 < f", "f64 + f", "f + f64", "i + i64", "i + f32", "f + i32", "f + i64", "d + f32", "m @ np.ones((3, 1))"),
        LOSS
    ),
    **dict.fromkeys(("i + 2**31", "u + 300", "-1 + u", "h + 70000.0", "f + 1e39", "np.float32(1.5) + i"), NUMBER),
    **dict.fromkeys(("i + True", "f + True", "i & True", "b * 2"), BOOL),
    **dict.fromkeys(("i / 2", "i / i", "1 / i0", "j / 2", "u / 2"), DIVISION),
    **dict.fromkeys(("np.add(f, f32)", "np.matmul(m32, n)", "np.multiply(2, f)"), NUMPY),
    **dict.fromkeys(("any.shape[0]", "any.shape == None", "any.ndim"), UNKNOWN),
    **dict.fromkeys(("f.dtype == f32.dtype", "f.dtype == np.float32"), ELEMENT_TYPE),
    'f"{f.shape}"': WRITTEN,
}  # fmt: skip
"""Why an expression means something else than in TensorFlow."""


@pytest.fixture(scope="module")
def answers() -> dict[str, Answer]:
    return {text: answer(text, operands()) for text in EXPRESSIONS}


def test_every_expression_is_recorded() -> None:
    assert list(recorded()) == EXPRESSIONS and len(EXPRESSIONS) >= 400


def test_an_expression_means_what_it_means_in_tensorflow_or_there_is_a_reason(answers: dict[str, Answer]) -> None:
    differences = {
        text: (answers[text], expected) for text, expected in recorded().items() if not _same(answers[text], expected)
    }
    assert {text: both for text, both in differences.items() if text not in REASONS} == {}
    assert REASONS.keys() - differences.keys() == set(), "reasons for what does not differ"


def test_what_is_refused_is_refused_in_words_of_typegrad(answers: dict[str, Answer]) -> None:
    said = {text: each for text, each in answers.items() if each.get("error") == "TypeError"}
    of_python = {text for text, each in said.items() if "<" not in each["says"]}
    assert of_python == {"2.0 in f", "f in m"}, "Python itself answers, whatever an operand says"


def _same(actual: Answer, expected: Answer) -> bool:
    if "items" in actual and "items" in expected:
        return len(actual["items"]) == len(expected["items"]) and all(map(_same, actual["items"], expected["items"]))
    if "dtype" not in actual or "dtype" not in expected:
        return ("error" in actual and "error" in expected) or actual == expected
    return (
        actual["dtype"] == expected["dtype"]
        and _at_least(actual["shape"], expected["shape"])
        and _equal(actual["value"], expected["value"])
    )


def _at_least(actual: list[int | None] | None, expected: list[int | None] | None) -> bool:
    """Whether the static shape says what TensorFlow's says, or more."""
    if expected is None or actual is None:
        return expected is None
    return len(actual) == len(expected) and all(b in (None, a) for a, b in zip(actual, expected, strict=True))


def _equal(actual: Any, expected: Any) -> bool:
    a, b = np.asarray(actual), np.asarray(expected)
    if a.dtype.kind != "f":
        return a.shape == b.shape and bool((a == b).all())
    return a.shape == b.shape and np.allclose(a, b, rtol=2e-6, atol=0, equal_nan=True)
