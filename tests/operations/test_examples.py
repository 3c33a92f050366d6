"""Every example of every entry gives the outputs and the gradients that the entry states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from support.building import build, held, place_all, values
from support.comparing import difference
from support.entries import entries, example_case, stated_value
from support.recording import Array
from typegrad.operation import Operation
from typegrad.types import BY_NAME
from typegrad_codegen.schema import Example, OpSpec

EXAMPLES = [(op.name, number) for op in entries().values() for number in range(len(op.examples))]


@pytest.mark.parametrize(("name", "number"), EXAMPLES, ids=[f"{name}-{number}" for name, number in EXAMPLES])
def test_example_gives_its_outputs(name: str, number: int) -> None:
    entry = entries()[name]
    example = entry.examples[number]
    problems = list(_problems(entry, example))
    assert not problems, f"ops/{entry.stem}.yaml:{example.line}: " + "; ".join(problems)


def test_every_entry_has_an_example() -> None:
    assert not sorted(op.name for op in entries().values() if not op.examples)


def test_every_example_after_the_first_says_what_it_shows() -> None:
    assert not [f"{op.file}:{each.line}" for op in entries().values() for each in op.examples[1:] if not each.doc]


def _problems(entry: OpSpec, example: Example) -> Iterator[str]:
    scope = tg.Scope(tg.Graph(seed=1))
    case = example_case(entry, example)
    inputs = place_all(scope, case)
    op = build(scope, case, inputs)
    if entry.name == "Placeholder":
        yield from _declared(op, example)
        return
    with tg.Session(scope.graph) as session:
        yield from _gradients(entry, example, scope, session, op)
        found = _by_output(entry, op, values(session, op))
        for name, expected in example.outputs.items():
            yield from (f"{name} {problem}" for problem in _compare(found[name], expected))
        for name, expected in example.after.items():
            position = [spec.name for spec in entry.inputs].index(name)
            found[name] = held(scope, session, inputs[position])
            yield from (f"{name} afterwards {problem}" for problem in _compare(found[name], expected))


def _gradients(entry: OpSpec, example: Example, scope: tg.Scope, session: tg.Session, op: Operation) -> Iterator[str]:
    names = [spec.name for spec in entry.inputs if spec.name in example.inputs]
    for name, expected in example.gradients.items():
        (gradient,) = tg.gradients(scope, op.outputs, [op.inputs[names.index(name)]])
        if gradient is None or expected is None:
            if gradient is not expected:
                yield f"the gradient of {name} is {gradient}, not {expected}"
        else:
            yield from (f"the gradient of {name} {problem}" for problem in _compare(session.run(gradient), expected))


def _by_output(entry: OpSpec, op: Operation, found: tuple[Array | None, ...]) -> dict[str, Any]:
    """The values by the names of the outputs; a list for a list output."""
    if len(entry.outputs) == 1:
        spec = entry.outputs[0]
        return {spec.name: list(found) if entry.is_list(spec) else found[0]}
    assert not any(entry.is_list(spec) for spec in entry.outputs), (
        f"{entry.name} ({op.name}) has several outputs and lists among them"
    )
    return dict(zip((spec.name for spec in entry.outputs), found, strict=True))


def _compare(found: Any, expected: Any) -> Iterator[str]:
    if isinstance(found, list):
        for index, (one, wanted) in enumerate(zip(found, expected, strict=True)):
            yield from (f"[{index}] {problem}" for problem in _compare(one, wanted))
    elif found is None:
        if expected != {"dtype": "resource", "shape": []}:
            yield f"is a handle, not {expected}"
    elif isinstance(expected, dict) and "shape" in expected:
        if found.dtype != BY_NAME[expected["dtype"]].numpy or list(found.shape) != expected["shape"]:
            yield f"is {found.dtype}{list(found.shape)}, not {expected['dtype']}{expected['shape']}"
    else:
        wanted = np.asarray(stated_value(expected))
        problem = difference(found, wanted, 1e-5 if wanted.dtype.kind in "fc" else None)
        if problem:
            yield problem


def _declared(op: Operation, example: Example) -> Iterator[str]:
    """A placeholder has no value, but a type and a shape."""
    for output, expected in zip(op.outputs, example.outputs.values(), strict=True):
        shape = tg.Shape.of(*expected["shape"])
        if output.dtype is not BY_NAME[expected["dtype"]] or output.shape != shape:
            yield f"is {output.dtype.name} {output.shape}, not {expected}"
