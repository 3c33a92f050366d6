"""What an entry says of the gradient of each input, a kind or a reason why there is none, is what TensorFlow does."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from support.entries import entries
from support.only_here import ONLY_HERE
from typegrad.graph.definition import Flow, InputGradient

FILE: Final = Path(__file__).parent.parent / "data" / "tf_gradients.jsonl"
KINDS: Final = {"none": {Flow.STOP}, "zeros": {Flow.ZERO}, "values": {Flow.RULE, Flow.PASS}, None: {Flow.STOP}}
"""What TensorFlow answers, and what an entry then says. None: it has no gradient to ask for, or the input is not of
floats."""
FLOWING: Final = frozenset({Flow.RULE, Flow.PASS, Flow.ZERO})
"""All else ends the path: silently (`stop`), or with an error that gives a reason."""
UNASKED: Final = {
    ("PreventGradient", 0): "its gradient is an error",
    ("ReadVariableOp", 0): "the handle of a variable",
    ("ResourceGather", 0): "the handle of a variable",
    ("ResourceGatherNd", 0): "the handle of a variable",
}


@cache
def recorded() -> dict[str, list[str | None]]:
    """What TensorFlow gives back to each input."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return {row["op"]: row["gradients"] for row in map(json.loads, lines)}


@pytest.mark.parametrize("name", sorted(name for name, entry in entries().items() if entry.inputs))
def test_each_input_has_the_kind_that_tensorflow_gives_it(name: str) -> None:
    entry = entries()[name]
    assert len(recorded().get(name, ())) == len(entry.inputs), "run tests/record_gradients.py"
    problems = [
        f"{input_name} is {kind}, but TensorFlow gives {answer}"
        for place, ((input_name, kind), answer) in enumerate(zip(entry.gradient.items(), recorded()[name], strict=True))
        if kind not in KINDS[answer]
        and (answer is not None or kind in FLOWING)
        and (name, place) not in {*ONLY_HERE, *UNASKED}
    ]
    assert not problems, "; ".join(problems)


def test_what_has_a_gradient_only_here_is_a_stated_difference() -> None:
    for name, place in ONLY_HERE:
        assert "gradient" in entries()[name].differences, name
        assert _kind(name, place) in FLOWING and recorded()[name][place] in (None, "none"), name


def test_exceptions_are_needed() -> None:
    assert not [key for key in UNASKED if _kind(*key) not in (Flow.RULE, Flow.PASS)]


def _kind(name: str, place: int) -> InputGradient:
    return list(entries()[name].gradient.values())[place]
